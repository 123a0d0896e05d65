"""What a tiny BERT says, computed apart from the program: `src/minilm/tests.rs` holds the program to it.

    python3 -m venv venv && venv/bin/pip install numpy==2.4.6 && venv/bin/python minilm_reference.py

The weights are no learnt ones but follow from a formula that both sides have, so that no file of them is needed.
"""

import math

import numpy

WIDTH, WIDE, LAYERS, PLACES, HEAD = 64, 96, 2, 16, 32
PIECES = "[PAD] [UNK] [CLS] [SEP] the harb ##our bees ! sleep".split()


def weights():
    """Every tensor in order, with its shape."""
    yield "embeddings.word_embeddings.weight", (len(PIECES), WIDTH)
    yield "embeddings.position_embeddings.weight", (PLACES, WIDTH)
    yield "embeddings.token_type_embeddings.weight", (2, WIDTH)
    yield "embeddings.LayerNorm.weight", (WIDTH,)
    yield "embeddings.LayerNorm.bias", (WIDTH,)
    for layer in range(LAYERS):
        at = f"encoder.layer.{layer}."
        for part, out, into in (
            ("attention.self.query", WIDTH, WIDTH),
            ("attention.self.key", WIDTH, WIDTH),
            ("attention.self.value", WIDTH, WIDTH),
            ("attention.output.dense", WIDTH, WIDTH),
            ("intermediate.dense", WIDE, WIDTH),
            ("output.dense", WIDTH, WIDE),
        ):
            yield at + part + ".weight", (out, into)
            yield at + part + ".bias", (out,)
        for part in ("attention.output.LayerNorm", "output.LayerNorm"):
            yield at + part + ".weight", (WIDTH,)
            yield at + part + ".bias", (WIDTH,)


def numbers(tensor, count):
    mixed = (numpy.arange(count, dtype=numpy.uint64) + tensor * 100003 + 1) * 2654435761 % 2**32
    mixed = (mixed ^ (mixed >> 15)) * 2246822519 % 2**32
    return (mixed >> 8).astype(numpy.float64) / 2**24 - 0.5


W = {}
for tensor, (name, shape) in enumerate(weights()):
    values = numbers(tensor, math.prod(shape)).reshape(shape)
    W[name] = values + 1 if name.endswith("LayerNorm.weight") else values


def norm(rows, name):
    rows = rows - rows.mean(1, keepdims=True)
    rows = rows / numpy.sqrt(rows.var(1, keepdims=True) + 1e-12)
    return rows * W[name + ".weight"] + W[name + ".bias"]


def linear(rows, name):
    return rows @ W[name + ".weight"].T + W[name + ".bias"]


def softmax(rows):
    rows = numpy.exp(rows - rows.max(-1, keepdims=True))
    return rows / rows.sum(-1, keepdims=True)


def forward(pieces):
    rows = W["embeddings.word_embeddings.weight"][pieces]
    rows = rows + W["embeddings.position_embeddings.weight"][: len(pieces)]
    rows = norm(rows + W["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm")
    for layer in range(LAYERS):
        at = f"encoder.layer.{layer}."
        query, key, value = (
            linear(rows, at + "attention.self." + part).reshape(len(pieces), -1, HEAD).transpose(1, 0, 2)
            for part in ("query", "key", "value")
        )
        mixed = softmax(query @ key.transpose(0, 2, 1) / math.sqrt(HEAD)) @ value
        mixed = mixed.transpose(1, 0, 2).reshape(len(pieces), WIDTH)
        rows = norm(rows + linear(mixed, at + "attention.output.dense"), at + "attention.output.LayerNorm")
        wide = linear(rows, at + "intermediate.dense")
        wide = wide * 0.5 * (1 + numpy.vectorize(math.erf)(wide / math.sqrt(2)))
        rows = norm(rows + linear(wide, at + "output.dense"), at + "output.LayerNorm")
    return rows


def unit(vector):
    return vector / numpy.linalg.norm(vector)


def shown(vector):
    return " ".join(f"{one:.4f}" for one in vector[:6])


# "The harbour bees sleep!"; only three of its words say something.
rows = forward([PIECES.index(piece) for piece in "[CLS] the harb ##our bees sleep ! [SEP]".split()])
print("harbour", shown(unit(unit(rows[2]) + unit(rows[3]))))
print("bees", shown(unit(rows[4])))
print("sleep", shown(unit(rows[5])))
print("whole", shown(unit(rows.mean(0))))
