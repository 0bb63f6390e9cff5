"""Duration of `status --rebuild`, which derives everything from the evidence, on a copy of the largest store."""
from processes import timed
from stores import copy, remove, store
from table import Row, megabytes, number

MINUTES = 8


def measure(bench):
    largest = store(bench, bench.lines[-1])
    bench.say(f"rebuilding {largest.lines:,} lines")
    written = copy(bench, largest)
    try:
        seconds, peak, _ = timed([bench.binaries / "subtop", "status", "--rebuild", "--store", written.path])
    finally:
        remove(written.path)
    bench.notes.append(f"a rebuild takes {megabytes(peak)} of memory at its peak")
    return [Row(f"everything derived anew (`status --rebuild`), {largest.lines:,} lines, {largest.transactions:,} transactions",
                f"{number(seconds / 60, 1)} min", target=f"≤ {MINUTES} min", reached=seconds <= MINUTES * 60)]
