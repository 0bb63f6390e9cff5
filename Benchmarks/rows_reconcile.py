"""Import of a year of Apple's daily reports, and the comparison of the store with them."""
import shutil

from processes import run, timed
from stores import copy, remove, store
from table import Row, megabytes, median, milliseconds, number, spread

SUBSCRIBERS = 100_000
DAYS = 365
SECONDS = 60
MILLISECONDS = 150


def measure(bench):
    size = max((lines for lines in bench.lines if lines <= SUBSCRIBERS), default=bench.lines[0])
    made = store(bench, size)
    reports = bench.cache / "apple-reports"
    written = copy(bench, made, "reconciled")
    try:
        run(bench.binaries / "fake-app-store", "apple-reports", "--subscribers", size, "--start", made.start, "--days", DAYS,
            "--output", reports)
        length = sum(file.stat().st_size for file in reports.rglob("*") if file.is_file())
        seconds, peak, _ = timed([bench.binaries / "subtop", "import", "apple-reports", reports, "--store", written.path])
        times = [1000 * timed([bench.binaries / "subtop", "reconcile", "--store", written.path, "--format", "json"])[0]
                 for _ in range(bench.rounds + 1)][1:]
        start = [1000 * timed([bench.binaries / "subtop", "--version"])[0] for _ in range(bench.rounds)]
    finally:
        shutil.rmtree(reports, ignore_errors=True)
        remove(written.path)
    bench.notes.append(f"importing the reports takes {megabytes(peak)} of memory at its peak")
    took = median(times) - median(start)
    return [Row(f"import of Apple's reports of {DAYS} days, {size:,} subscribers, {length / 1e6:,.0f} MB", f"{number(seconds)} s",
                target=f"≤ {SECONDS} s", reached=seconds <= SECONDS),
            Row("`reconcile` of their last 28 days, without the program's start", milliseconds(took), spread=f"{spread(times)} ms",
                target=f"≤ {MILLISECONDS} ms", reached=took <= MILLISECONDS)]
