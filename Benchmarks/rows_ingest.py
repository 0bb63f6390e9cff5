"""First import of a history from kept answers, compared with `sqlite3 .import` of the resulting rows."""
import shutil
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

from peers.sqlite_import import export, import_rows, schema
from processes import missing
from stores import count, fill, midnight, remove
from table import Row, median, megabytes, number, spread, times

# Average per subscriber.
TRANSACTIONS = 9.5
# One round of a million transactions takes minutes on each side.
MOST_ROUNDS = 1
# Transactions a second.
LEAST = 5000
TARGET = f"≥ {LEAST:,}/s"


def measure(bench):
    subscribers = min(bench.lines[-1], int(1_000_000 / TRANSACTIONS) + 1)
    why = "sqlite3 is not installed" if missing("sqlite3") else None
    folder = Path(tempfile.mkdtemp(dir=bench.cache))
    start, ours, theirs, peaks = midnight(), [], [], []
    try:
        for turn in range(min(bench.rounds, MOST_ROUNDS)):
            bench.say(f"ingest, round {turn + 1}")
            path = folder / "store.sqlite"
            remove(path)
            seconds, peak = fill(bench, path, subscribers, start)
            transactions = count(path, "transactions")
            ours.append(transactions / seconds)
            peaks.append(peak)
            if why:
                continue
            if turn == 0:
                statements, tables = schema(path), export(path, folder)
            theirs.append(transactions / import_rows(folder / "other.sqlite", statements, folder, tables))
            if turn == 0:
                check(folder / "other.sqlite", tables)
    finally:
        shutil.rmtree(folder)
    bench.notes.append(f"importing takes {megabytes(max(peaks))} of memory at its peak, with {bench.piece:,} answers in each import")
    work = f"first ingest of {transactions:,} transactions from {subscribers:,} answers"
    if why:
        return [Row(work, f"{number(median(ours))} transactions/s", f"skipped: {why}", target=TARGET, reached=median(ours) >= LEAST)]
    bench.notes.append("rows of the ingest: " + ", ".join(f"{name} {rows:,}" for name, rows in tables.items()))
    ratio = median(ours) / median(theirs)
    return [Row(f"{work}, {sum(tables.values()):,} rows in all", f"{number(median(ours))} transactions/s",
                f"sqlite3 .import {number(median(theirs))}/s", times(ratio), f"{spread(ours, theirs)}/s", TARGET,
                median(ours) >= LEAST)]


def check(path, tables):
    """Checks that sqlite3 imported every row. Otherwise the comparison is invalid."""
    with closing(sqlite3.connect(path)) as db:
        for name, rows in tables.items():
            found = db.execute(f"SELECT count(*) FROM {name}").fetchone()[0]
            if found != rows:
                raise RuntimeError(f"sqlite3 imported {found} of {rows} rows of {name}")
