"""memdir beside two others on the same documents and questions: how well each finds, and how long it takes.

    cargo build --release -p memdir-cli --features minilm
    npm install --prefix peers @modelcontextprotocol/server-memory@2026.8.31
    python3 xtask/peers/peers.py --memdir target/release/memdir --server peers --data DIR [--data DIR ...]

DIR has `corpus.jsonl` and `queries.jsonl`, as for `memdir bench recall`. Run by hand: it needs node, and no gate looks at
what it prints. Only the standard library of Python is used. `--model DIR` adds memdir with the better model.

What is compared, each over all documents of a set, all questions, best five:
- memdir with silence off, asked in one process; its own figures, from `memdir bench recall --json`.
- SQLite's full-text index FTS5 in one process, porter stemmer, title and text, BM25 with its constants; the words of the question
  joined by OR, once all of them and once without the stop words that memdir leaves out.
- The reference memory server of the Model Context Protocol over its standard streams, each document an entity with its title as name
  and its lines as observations. It looks for the query as a stretch of text and ranks nothing; so the question is
  asked once as it is, and once as the caller would have to help: a search for each word that is no stop word, entities in
  the order of how many of the words they have, then of their making.
"""

import argparse
import json
import pathlib
import re
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

STOP = pathlib.Path(__file__).parent / "../../crates/recall/src/tokens/stop.txt"
BEST = 5
BATCH = 200


def lines(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


class Set:
    def __init__(self, folder):
        folder = pathlib.Path(folder)
        self.name = folder.name
        self.documents = lines(folder / "corpus.jsonl")
        self.questions = lines(folder / "queries.jsonl")


def words(text, stop=()):
    found = dict.fromkeys(re.findall(r"\w+", text.lower()))
    return [word for word in found if word not in stop]


def measure(questions, ask):
    """R@5 and the median and 99th percentile of milliseconds, as memdir computes them."""
    recall, times = 0.0, []
    for question in questions:
        begun = time.perf_counter()
        answer = ask(question["text"])
        times.append((time.perf_counter() - begun) * 1e3)
        right = len(set(answer[:BEST]) & set(question["relevant"]))
        recall += right / max(len(question["relevant"]), 1)
    times.sort()
    late = times[min(len(times) * 99 // 100, len(times) - 1)]
    return recall / len(questions), statistics.median(times), late


def memdir(program, folder, model=None):
    command = [program, "bench", "recall", "--json", "--data", folder]
    if model:
        command += ["--model", model]
    figures = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return figures["always"]["r5"], figures["speed"]["p50_ms"], figures["speed"]["p99_ms"]


class FullText:
    """SQLite's FTS5."""

    def __init__(self, documents):
        self.database = sqlite3.connect(":memory:")
        self.database.execute("CREATE VIRTUAL TABLE notes USING fts5(id UNINDEXED, title, text, tokenize='porter unicode61')")
        rows = ((one["id"], one.get("title", ""), one["text"]) for one in documents)
        self.database.executemany("INSERT INTO notes VALUES (?, ?, ?)", rows)

    def ask(self, text, stop=()):
        asked = " OR ".join(f'"{word}"' for word in words(text, stop))
        if not asked:
            return []
        rows = self.database.execute("SELECT id FROM notes WHERE notes MATCH ? ORDER BY rank LIMIT ?", (asked, BEST))
        return [row[0] for row in rows]


class Server:
    """The reference memory server, over its standard streams."""

    def __init__(self, folder, documents, state):
        script = pathlib.Path(folder) / "node_modules/@modelcontextprotocol/server-memory/dist/index.js"
        self.process = subprocess.Popen(
            ["node", str(script)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={"PATH": "/usr/local/bin:/usr/bin:/bin", "MEMORY_FILE_PATH": str(pathlib.Path(state) / "memory.jsonl")},
            text=True,
        )
        self.number = 0
        client = {"name": "peers", "version": "1"}
        self.call("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client})
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        # Titles repeat; names may not, so the id stands behind.
        self.ids = {f"{one.get('title', '')} #{number}": one["id"] for number, one in enumerate(documents)}
        self.order = {name: number for number, name in enumerate(self.ids)}
        entities = [
            {"name": name, "entityType": "note", "observations": one["text"].splitlines()}
            for name, one in zip(self.ids, documents)
        ]
        for at in range(0, len(entities), BATCH):
            self.tool("create_entities", {"entities": entities[at : at + BATCH]})

    def send(self, message):
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def call(self, method, parameters):
        self.number += 1
        self.send({"jsonrpc": "2.0", "id": self.number, "method": method, "params": parameters})
        for line in self.process.stdout:
            answer = json.loads(line)
            if answer.get("id") == self.number:
                return answer["result"]
        sys.exit("the server has gone away")

    def tool(self, name, arguments):
        return self.call("tools/call", {"name": name, "arguments": arguments})

    def search(self, text):
        graph = json.loads(self.tool("search_nodes", {"query": text})["content"][0]["text"])
        return [entity["name"] for entity in graph["entities"]]

    def whole(self, text):
        return [self.ids[name] for name in self.search(text)]

    def split(self, text, stop):
        counts = {}
        for word in words(text, stop):
            for name in self.search(word):
                counts[name] = counts.get(name, 0) + 1
        best = sorted(counts, key=lambda name: (-counts[name], self.order[name]))
        return [self.ids[name] for name in best[:BEST]]

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def compare(folder, options, stop):
    data = Set(folder)
    rows = [("memdir", memdir(options.memdir, folder))]
    if options.model:
        rows.append(("memdir with MiniLM", memdir(options.memdir, folder, options.model)))
    index = FullText(data.documents)
    rows.append(("SQLite FTS5, all words", measure(data.questions, index.ask)))
    rows.append(("SQLite FTS5, without stop words", measure(data.questions, lambda text: index.ask(text, stop))))
    with tempfile.TemporaryDirectory() as state:
        server = Server(options.server, data.documents, state)
        rows.append(("MCP memory server, the question whole", measure(data.questions, server.whole)))
        rows.append(("MCP memory server, a search a word", measure(data.questions, lambda text: server.split(text, stop))))
        server.close()
    print(f"\n{data.name}: {len(data.documents)} documents, {len(data.questions)} questions\n")
    print(f"| {'what':<38} | R@5   | median     | p99        |")
    print(f"| {'-' * 38} | ----- | ---------- | ---------- |")
    for name, (recall, median, late) in rows:
        print(f"| {name:<38} | {recall:.3f} | {median:7.2f} ms | {late:7.2f} ms |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--memdir", required=True, help="the program")
    parser.add_argument("--model", help="the folder of the better model")
    parser.add_argument("--server", required=True, help="the folder in which npm installed the server")
    parser.add_argument("--data", required=True, action="append", help="the folder of a set; may be given several times")
    options = parser.parse_args()
    stop = set(STOP.read_text(encoding="utf-8").split())
    for folder in options.data:
        compare(folder, options, stop)


main()
