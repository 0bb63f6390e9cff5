"""Resident memory of the dashboard with a small and a large store, and of a sweep."""
from processes import FakeAppStore, memory, processor_seconds, timed
from screens import Screen
from stores import copy, remove, store
from table import Row, megabytes, thousands, times

# Maximum number of receipts in the sweep.
SWEPT = 100_000


def measure(bench):
    stores = [store(bench, count) for count in bench.lines]
    peaks = [dashboard(bench, each) for each in stores]
    small, large = stores[0], stores[-1]
    rows = [Row(f"peak resident memory of the dashboard, every panel seen, {thousands(small.subscribers)} → "
                f"{thousands(large.subscribers)} lines",
                megabytes(peaks[-1]), f"itself {megabytes(peaks[0])}", times(peaks[-1] / peaks[0]),
                target="≤ 64 MB, flat", reached=peaks[-1] <= 64 * 1024 and peaks[-1] <= 1.25 * peaks[0])]
    swept = max((each for each in stores if each.subscribers <= SWEPT), key=lambda each: each.subscribers, default=small)
    smaller = stores[0]
    peak, fewer = sweep(bench, swept), sweep(bench, smaller) if smaller is not swept else None
    return rows + [Row(f"peak resident memory of a sweep of {thousands(swept.subscribers)} receipts", megabytes(peak),
                       f"of {thousands(smaller.subscribers)} receipts {megabytes(fewer)}" if fewer else "–",
                       times(peak / fewer) if fewer else "–", target="≤ 64 MB, flat",
                       reached=peak <= 64 * 1024 and (fewer is None or peak <= 1.25 * fewer))]


def dashboard(bench, each):
    """Returns the peak memory in kilobytes after every panel was shown."""
    bench.say(f"memory of the dashboard over {each.lines:,} lines")
    words = [bench.binaries / "subtop", "--store", each.path, "--at", each.at, "--no-mouse", "--readonly"]
    with Screen(words) as screen:
        screen.seconds_until(r"Closing")
        for key in "234567890EW234567890EW1":
            screen.press(key)
            idle(screen)
        return memory(screen.pid)[1]


def idle(screen):
    """Waits until the program is idle. Before, it may still be reading."""
    before = -1.0
    while (now := processor_seconds(screen.pid)) - before > 0.02:
        before = now
        screen.still(0.5, limit=0.5)


def sweep(bench, each):
    bench.say(f"memory of a sweep of {each.subscribers:,} receipts")
    written = copy(bench, each)
    try:
        with FakeAppStore(bench.binaries, each.subscribers, each.start) as server:
            _, peak, _ = timed([bench.binaries / "subtop", "sweep", "--all", "--concurrency", 64, "--store", written.path,
                                "--format", "json", *server.options])
            return peak
    finally:
        remove(written.path)
