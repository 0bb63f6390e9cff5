"""Time to the first frame with figures, compared with htop and a minimal Swift program."""
import re
import subprocess

from measured import panels, report
from processes import environment, missing, timed
from screens import Screen
from stores import store
from table import Row, median, milliseconds, number, spread, times

# Milliseconds. Slower frames are measured fewer times.
SLOW = 2000


def measure(bench):
    largest = store(bench, bench.lines[-1])
    paid = number(report(bench, largest, "active")["data"]["paid"])
    # The figure behind its label and bar. The header contains other numbers.
    frame = rf"Closing[^0-9]+{re.escape(paid)}\s"
    # A fixed instant makes the figure predictable.
    words = [bench.binaries / "subtop", "--store", largest.path, "--at", largest.at, "--no-mouse"]
    first_sight, ours, htop, hello = [], [], [], []
    greeting = hello_world(bench)
    for turn in range(max(bench.rounds, 5) + 1):
        ours.append(until(words, frame))
        if ours[-1] > SLOW and turn > 2:
            break
        first_sight.append(until(words, r"Overview"))
        if not missing("htop"):
            htop.append(until(["htop"], r"Load average"))
        if greeting:
            hello.append(until([greeting], r"hello"))
    # The first runs only warmed the cache.
    ours, first_sight, htop, hello = ours[1:], first_sight[1:], htop[1:], hello[1:]
    bench.notes.append(where_it_goes(bench, largest, ours, first_sight))
    work = f"first true frame, {largest.lines:,} lines, warm cache"
    return [row(work, ours, "htop", htop, "≤ 200 ms"), row("the same", ours, "Swift hello world", hello, "≤ 200 ms")]


def until(words, wanted):
    with Screen(words) as screen:
        return 1000 * screen.seconds_until(wanted)


def row(work, ours, name, theirs, target):
    reached = median(ours) <= 200
    if not theirs:
        return Row(work, milliseconds(median(ours)), f"skipped: {name} is not available", spread=f"{spread(ours)} ms",
                   target=target, reached=reached)
    return Row(work, milliseconds(median(ours)), f"{name} {milliseconds(median(theirs))}",
               times(median(ours) / median(theirs)), f"{spread(ours, theirs, digits=1)} ms", target, reached)


def where_it_goes(bench, largest, ours, first_sight):
    version = [1000 * timed([bench.binaries / "subtop", "--version"])[0] for _ in range(5)]
    overview = panels(bench, largest, runs=1)["overview"]["first"]
    return (f"parts of the first true frame's {milliseconds(median(ours))}: `subtop --version` takes "
            f"{milliseconds(median(version))}, the empty frame appears after {milliseconds(median(first_sight))}, the first "
            f"query of the overview's data takes {milliseconds(overview)}")


def hello_world(bench):
    """Compiles a minimal Swift program and returns its path; None without a compiler."""
    if missing("swiftc"):
        return None
    path = bench.cache / "hello"
    if not path.exists():
        subprocess.run(["swiftc", "-O", "-o", path, bench.here / "peers" / "hello.swift"], check=True, env=environment())
    return path
