"""Time from a key to the frame that answers it, without a sweep and during a sweep at full speed."""
import random
import re
import time

from processes import FakeAppStore
from screens import Screen, plain
from stores import copy, count, remove, store
from table import Row, median, milliseconds, quantile, times

PANELS = {"3": "Active", "4": "Retry", "6": "Churn", "9": "Refunds", "0": "Upgrades", "E": "Events"}
# Content of a list row, which distinguishes the answer to a key from the progress of a sweep.
A_ROW = r"user-\d|\.(?:monthly|yearly|weekly)"
KEYS = 120
# Random delay in seconds before the next key, so that keys are not in step with frames.
BETWEEN = (0.04, 0.12)


def measure(bench):
    largest = store(bench, bench.lines[-1])
    written = copy(bench, largest)
    try:
        with FakeAppStore(bench.binaries, largest.subscribers, largest.start, elsewhere=True) as server:
            quiet = presses(bench, written, server, sweeping=False)
            busy = presses(bench, written, server, sweeping=True)
    finally:
        remove(written.path)
    return [row(name, what, quiet[name], busy[name], largest) for name, what in (
        ("row", "another row"), ("panel", "another panel"), ("figures", "another panel's figures"))]


def row(name, what, calm, loud, largest):
    ratio = quantile(loud, 0.99) / quantile(calm, 0.99)
    return Row(f"key to frame, p99 of {len(loud)} keys to {what} while a sweep runs, {largest.lines:,} lines",
               milliseconds(quantile(loud, 0.99)), f"without a sweep {milliseconds(quantile(calm, 0.99))}", times(ratio),
               f"p50 {milliseconds(median(loud))}; {milliseconds(median(calm))}", "≤ 16 ms, ≤ 2 ×",
               quantile(loud, 0.99) <= 16 and ratio <= 2)


def presses(bench, written, server, sweeping):
    """Returns the milliseconds of every key, by the expected change of the screen."""
    bench.say(f"keys {'while a sweep runs' if sweeping else 'without a sweep'}")
    chance = random.Random(1)
    found = {"panel": [], "figures": [], "row": []}
    with Screen([bench.binaries / "subtop", "--store", written.path, "--no-mouse", *server.options]) as screen:
        screen.seconds_until(r"Closing")
        words = words_of_panels(screen)
        for turn in range(KEYS):
            if sweeping and turn % 10 == 0:
                keep_sweeping(screen, written.path)
            key = list(PANELS)[turn % len(PANELS)]
            head, body = screen.press(key, PANELS[key], words[key], limit=20)
            keep(found["panel"], key, head)
            keep(found["figures"], key, body)
            rest(screen, chance.uniform(*BETWEEN))
        into_the_list(screen)
        for turn in range(KEYS):
            if sweeping and turn % 10 == 0:
                keep_sweeping(screen, written.path)
            key = "jjjkkk"[turn % 6]
            keep(found["row"], key, *screen.press(key, A_ROW))
            rest(screen, chance.uniform(*BETWEEN))
    return found


def words_of_panels(screen):
    """Returns a pattern for each panel: words that appear only with its figures, after the previous panel."""
    seen = {}
    for key in "E" + "".join(PANELS):
        screen.still(0.3)
        screen.press(key, PANELS[key])
        seen[key] = set(re.findall(r"[A-Za-z]{5,}", plain(screen.still(2.0))))
    common = set(PANELS.values()) | {"reading", "Reading"}
    found = {}
    for key, words in seen.items():
        own = words - common - set().union(*(others for other, others in seen.items() if other != key))
        found[key] = "|".join(sorted(own)) or PANELS[key]
    return found


def keep(series, key, taken):
    if taken is None:
        raise RuntimeError(f"the dashboard did not answer the key {key} in time")
    series.append(taken)


def rest(screen, seconds):
    """Reads the output of some seconds."""
    written, end = b"", time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        written += screen.chunk(left) or b""
    return written


def keep_sweeping(screen, path):
    """Starts another sweep of every receipt if none is running."""
    if count(path, "sweeps", "finished_at_ms IS NULL"):
        return
    screen.press("S", "Enter or y")
    screen.press("y")
    rest(screen, 0.5)


def into_the_list(screen):
    screen.press("4")
    rest(screen, 1.5)
    for _ in range(40):
        screen.press("j", limit=0.3)
        if re.search(A_ROW, plain(rest(screen, 0.1))):
            break
    for _ in range(3):
        screen.press("j", limit=0.3)
        rest(screen, 0.1)
