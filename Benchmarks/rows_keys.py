"""From a key to the frame that answers it, while nothing else happens and while a sweep runs at full speed."""
import random
import re
import time

from processes import FakeAppStore
from screens import Screen, plain
from stores import copy, count, remove, store
from table import Row, median, milliseconds, quantile, times

PANELS = {"2": "Active", "3": "Retry", "4": "Churn", "5": "Refunds", "6": "Upgrades", "7": "Events"}
# What a row of the list shows, so that an answer to a key is told from the progress of a sweep.
A_ROW = r"user-\d|\.(?:monthly|yearly|weekly)"
KEYS = 120


def measure(bench):
    largest = store(bench, bench.lines[-1])
    written = copy(bench, largest)
    try:
        with FakeAppStore(bench.binaries, largest.subscribers, largest.start) as server:
            quiet = presses(bench, written, server, sweeping=False)
            busy = presses(bench, written, server, sweeping=True)
    finally:
        remove(written.path)
    rows = []
    for name in ("row", "panel"):
        calm, loud = quiet[name], busy[name]
        ratio = quantile(loud, 0.99) / quantile(calm, 0.99)
        rows.append(Row(
            f"key to frame, p99 of {len(loud)} keys to another {name} while a sweep runs, {largest.lines:,} lines",
            milliseconds(quantile(loud, 0.99)), f"without a sweep {milliseconds(quantile(calm, 0.99))}", times(ratio),
            f"p50 {milliseconds(median(loud))}; {milliseconds(median(calm))}", "≤ 16 ms, ≤ 2 ×",
            quantile(loud, 0.99) <= 16 and ratio <= 2))
    return rows


def presses(bench, written, server, sweeping):
    chance = random.Random(1)
    with Screen([bench.binaries / "subtop", "--store", written.path, "--no-mouse", *server.options]) as screen:
        screen.seconds_until(r"Active paid")
        screen.still()
        found = {"panel": [], "row": []}
        for turn in range(KEYS):
            if sweeping and turn % 10 == 0:
                keep_sweeping(screen, written.path)
            key = list(PANELS)[turn % len(PANELS)]
            press(screen, chance, found["panel"], key, PANELS[key])
        into_the_list(screen)
        for turn in range(KEYS):
            if sweeping and turn % 10 == 0:
                keep_sweeping(screen, written.path)
            press(screen, chance, found["row"], "jjjkkk"[turn % 6], A_ROW)
        return found


def press(screen, chance, times_taken, key, wanted):
    taken = screen.press(key, wanted)
    if taken is None:
        raise RuntimeError(f"the dashboard did not answer the key {key} within two seconds")
    times_taken.append(taken)
    # At no fixed distance from the last frame.
    rest(screen, chance.uniform(0.04, 0.12))


def rest(screen, seconds):
    """Takes in what is written for so long."""
    written, end = b"", time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        written += screen.chunk(left) or b""
    return written


def keep_sweeping(screen, path):
    """Has every receipt swept, again where that has been done."""
    if count(path, "sweeps", "finished_at_ms IS NULL"):
        return
    screen.press("S")
    rest(screen, 0.5)


def into_the_list(screen):
    screen.press("3", PANELS["3"])
    rest(screen, 1.5)
    for _ in range(40):
        screen.press("j", limit=0.3)
        if re.search(A_ROW, plain(rest(screen, 0.1))):
            break
    for _ in range(3):
        screen.press("j", limit=0.3)
        rest(screen, 0.1)
