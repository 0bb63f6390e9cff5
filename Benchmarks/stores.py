"""Seeded stores, made once from answers of the fake App Store and kept in a cache folder."""
import datetime
import hashlib
import json
import shutil
import sqlite3
import subprocess
import tempfile
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from processes import environment, run, timed

# A store starts on the day it is made, since the dashboard reports as of now. Older stores are rebuilt.
MOST_DAYS = 7


@dataclass
class Store:
    path: Path
    subscribers: int
    # Start of the fake App Store's clock: midnight of the day on which the store was made.
    start: str
    lines: int = 0
    transactions: int = 0

    @property
    def at(self):
        """An instant in the middle of that day. At midnight all changes of the import would take effect at once."""
        return self.start.replace("T00:00:00Z", "T09:41:07Z")


def schema_key(binaries):
    """Returns a key that differs for each schema of the store."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "store"
        add_catalog(binaries, path)
        with closing(sqlite3.connect(path)) as db:
            said = db.execute("SELECT name, sql FROM sqlite_master ORDER BY name").fetchall()
            said += db.execute("PRAGMA user_version").fetchall()
    return hashlib.sha256(repr(said).encode()).hexdigest()[:12]


def add_catalog(binaries, path):
    prices = run(binaries / "fake-app-store", "catalog")
    run(binaries / "subtop", "import", "catalog", "-", "--store", path, input=prices)


def midnight():
    return f"{datetime.datetime.now(datetime.UTC):%Y-%m-%d}T00:00:00Z"


def answers(bench, subscribers, start, at):
    """Yields files with the answers about all subscribers at an instant. Each file replaces the one before."""
    path = bench.cache / "answers.jsonl"
    for first in range(0, subscribers, bench.piece):
        with open(path, "wb") as file:
            run_to(file, bench.binaries / "subtop-measure", "answers", "--subscribers", subscribers, "--start", start,
                   "--at", at, "--from", first, "--count", bench.piece)
        yield path
    path.unlink(missing_ok=True)


def run_to(file, *words):
    subprocess.run([str(word) for word in words], stdout=file, env=environment(), check=True)


def fill(bench, path, subscribers, start, at=None):
    """Imports the answers about all subscribers at an instant, by default `start`. Returns the seconds of all imports, and their
    greatest peak memory in kilobytes."""
    add_catalog(bench.binaries, path)
    seconds, peak = 0.0, 0
    for done, piece in enumerate(answers(bench, subscribers, start, at or start)):
        took, kilobytes, _ = timed([bench.binaries / "subtop", "import", "responses", piece, "--store", path])
        seconds, peak = seconds + took, max(peak, kilobytes)
        bench.say(f"  {min(subscribers, (done + 1) * bench.piece):,} of {subscribers:,} answers imported, {seconds:.0f} s")
    return seconds, peak


def settle(path):
    """Moves all pages of the write-ahead log into the file."""
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def count(path, table, condition="1"):
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as db:
        return db.execute(f"SELECT count(*) FROM {table} WHERE {condition}").fetchone()[0]


def store(bench, subscribers):
    """Returns the store of this number of subscribers from the cache, or makes it."""
    folder = bench.cache / bench.schema / f"{subscribers}"
    about = folder / "about.json"
    if about.exists():
        kept = json.loads(about.read_text())
        if time.time() - kept["made"] < MOST_DAYS * 86400:
            return Store(folder / "store.sqlite", subscribers, kept["start"], kept["lines"], kept["transactions"])
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    made = Store(folder / "store.sqlite", subscribers, midnight())
    bench.say(f"making a store of {subscribers:,} subscribers in {folder}")
    fill(bench, made.path, subscribers, made.start)
    settle(made.path)
    made.lines, made.transactions = count(made.path, "lines"), count(made.path, "transactions")
    about.write_text(json.dumps({"made": time.time(), "start": made.start, "lines": made.lines,
                                 "transactions": made.transactions}))
    return made


def copy(bench, original, name="copy"):
    """Returns a copy to write to. The caller removes it."""
    path = bench.cache / f"{name}.sqlite"
    remove(path)
    shutil.copyfile(original.path, path)
    path.chmod(0o600)
    return Store(path, original.subscribers, original.start, original.lines, original.transactions)


def remove(path):
    for ending in ("", "-wal", "-shm"):
        Path(f"{path}{ending}").unlink(missing_ok=True)
