"""Report of an instant between two imports (`--at`), compared with the current report."""
from datetime import datetime, timedelta

from processes import timed
from stores import fill, midnight, remove, settle
from table import Row, median, milliseconds, spread, times

SUBSCRIBERS = 30_000
MILLISECONDS = 1500
APART = timedelta(days=10)


def measure(bench):
    subscribers = min(SUBSCRIBERS, bench.lines[-1])
    path = bench.cache / "past.sqlite"
    remove(path)
    end = datetime.fromisoformat(midnight())
    founded, between = (f"{instant:%Y-%m-%dT%H:%M:%SZ}" for instant in (end - APART, end - APART / 2))
    try:
        fill(bench, path, subscribers, founded)
        fill(bench, path, subscribers, founded, at=midnight())
        settle(path)
        then, now = [], []
        for _ in range(bench.rounds + 1):
            then.append(overview(bench, path, "--at", between))
            now.append(overview(bench, path))
    finally:
        remove(path)
    # The first runs only warmed the cache.
    then, now = then[1:], now[1:]
    return [Row(f"`report overview --at` an instant between two imports, {subscribers:,} subscribers",
                milliseconds(median(then)), f"of now {milliseconds(median(now))}", times(median(then) / median(now)),
                f"{spread(then, now)} ms", f"≤ {MILLISECONDS} ms", median(then) <= MILLISECONDS)]


def overview(bench, path, *words):
    return 1000 * timed([bench.binaries / "subtop", "report", "overview", "--store", path, "--format", "json", *words])[0]
