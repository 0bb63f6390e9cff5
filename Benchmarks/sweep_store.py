"""A store of receipts whose answers contain no changes, and the requests for them."""
import json
import shutil
import sqlite3
import subprocess
import time
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from processes import FakeAppStore, end, environment, run, start
from stores import MOST_DAYS, add_catalog, midnight, remove, settle

# Longer answers are omitted, so that the rest average 16 kB, like those of most subscribers.
LONGEST = 38_000
# Subscribers per receipt: enough to omit testers, long answers and subscribers without purchases.
SUBSCRIBERS = 1.4
# Requests whole answers, as wrk and inapppy do. By default a sweep excludes transactions that it knows.
WHOLE = '[sweep]\nfull_answer_every = "0s"\n'


@dataclass
class SweepStore:
    path: Path
    # JSON of the requests, one per line and receipt.
    bodies: Path
    start: str
    subscribers: int
    receipts: int
    # Average per answer.
    bytes: float

    @property
    def configuration(self):
        return self.path.with_name("config.toml")

    def server(self, bench):
        return FakeAppStore(bench.binaries, self.subscribers, self.start)

    @contextmanager
    def swept_once(self, bench, server):
        """Yields a copy that was swept once, so that later answers contain no changes."""
        copied = replace(self, path=self.path.with_name("copy.sqlite"))
        remove(copied.path)
        shutil.copyfile(self.path, copied.path)
        copied.path.chmod(0o600)
        try:
            sweep(bench, copied, server)
            settle(copied.path)
            yield copied
        finally:
            remove(copied.path)


def sweep_store(bench, receipts):
    folder = bench.cache / bench.schema / f"sweep-{receipts}"
    about = folder / "about.json"
    paths = {"path": folder / "store.sqlite", "bodies": folder / "bodies.jsonl"}
    if about.exists():
        kept = json.loads(about.read_text())
        if time.time() - kept.pop("made") < MOST_DAYS * 86400:
            return SweepStore(**paths, **kept)
    folder.mkdir(parents=True, exist_ok=True)
    remove(paths["path"])
    bench.say(f"making a store of {receipts:,} receipts to sweep in {folder}")
    made = SweepStore(**paths, start=midnight(), subscribers=int(receipts * SUBSCRIBERS), receipts=receipts, bytes=0)
    add_catalog(bench.binaries, made.path)
    made.bytes = import_answers(bench, made, folder / "answers.jsonl")
    write_bodies(made)
    made.configuration.write_text(WHOLE)
    settle(made.path)
    about.write_text(json.dumps({"made": time.time(), "start": made.start, "subscribers": made.subscribers,
                                 "receipts": receipts, "bytes": made.bytes}))
    return made


def import_answers(bench, made, piece):
    """Imports the answers and returns their mean size in bytes."""
    source = start([bench.binaries / "subtop-measure", "answers", "--subscribers", made.subscribers, "--start", made.start],
                   stdout=subprocess.PIPE, env=environment())
    taken = total = 0
    with open(piece, "wb") as file:
        for line in source.stdout:
            suits = len(line) <= LONGEST and b'"environment":"Production"' in line[:200] and b'"latest_receipt":"' in line
            if suits and b'"status":0}' in line[-20:]:
                file.write(line)
                taken, total = taken + 1, total + len(line)
            if taken == made.receipts:
                break
    end(source)
    if taken < made.receipts:
        raise RuntimeError(f"only {taken} of {made.receipts} receipts have suitable answers")
    run(bench.binaries / "subtop", "import", "responses", piece, "--store", made.path)
    piece.unlink()
    return total / taken


def write_bodies(made):
    with closing(sqlite3.connect(made.path)) as db, open(made.bodies, "w") as file:
        for data, in db.execute("SELECT receipt_data FROM receipt_contents ORDER BY receipt_id"):
            file.write(json.dumps({"receipt-data": data, "password": "subtop-demo"}) + "\n")


def sweep(bench, made, server, at_once=64):
    """Sweeps every receipt and returns the JSON summary."""
    return json.loads(run(bench.binaries / "subtop", "sweep", "--all", "--concurrency", at_once, "--store", made.path,
                          "--config", made.configuration, "--format", "json", *server.options))
