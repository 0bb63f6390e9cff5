"""Size of the file per transaction, and its largest parts."""
import sqlite3
from contextlib import closing

from processes import run
from stores import store
from table import Row, number

# Number of largest parts to report.
TOLD = 16


def measure(bench):
    largest = store(bench, bench.lines[-1])
    file = largest.path.stat().st_size
    parts = sizes(largest.path)
    contents = parts.get("receipt_contents", 0)
    each = lambda count: count / largest.transactions
    work = f"store size, {largest.transactions:,} transactions of {largest.lines:,} lines"
    told = sorted(parts.items(), key=lambda part: -part[1])[:TOLD]
    bench.notes.append("bytes per transaction: " + ", ".join(f"{name} {each(count):.1f}" for name, count in told))
    return [
        Row(f"{work}, without the receipts themselves", f"{number(each(file - contents))} bytes a transaction",
            target="≤ 1,000 bytes", reached=each(file - contents) <= 1000),
        Row("the same with the receipts, which are sent again at each sweep", f"{number(each(file))} bytes a transaction")]


def sizes(path):
    """Returns the bytes of each table and index, from the sqlite3 shell if Python's SQLite has no dbstat."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as db:
        try:
            return dict(db.execute("SELECT name, sum(pgsize) FROM dbstat GROUP BY name"))
        except sqlite3.OperationalError:
            return by_shell(path)


def by_shell(path):
    said = run("sqlite3", "-readonly", "-batch", "-separator", "\t", path,
               "SELECT name, sum(pgsize) FROM dbstat GROUP BY name")
    return {name: int(count) for name, count in (line.split("\t") for line in said.splitlines())}
