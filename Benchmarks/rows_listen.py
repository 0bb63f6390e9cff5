"""Notifications over HTTP: rate without losses, and time of a delivery during a sweep."""
import http.client
import sqlite3
import subprocess
import tempfile
import threading
import time
from contextlib import closing
from pathlib import Path

from listening import Listener, Nginx, listen_store, post_all, uuid
from processes import FakeAppStore, end, environment, memory, missing, processor_seconds, start
from stores import Store, copy, remove
from table import Row, median, milliseconds, number, quantile, skipped, spread, times

SUBSCRIBERS = 20_000
# Bodies per round, which wrk keeps in memory, and the time limits in seconds for subtop and nginx.
BODIES, SECONDS, FEWER_SECONDS = 4_000, 30, 5
CONNECTIONS = 64
# Deliveries during a sweep: per second, and in total.
A_SECOND, DELIVERIES = 50, 1_000
# Clock speed of the fake App Store during a sweep: a day per second, so that the answers change too.
FAST = 86_400
GOAL = 3_000


def measure(bench):
    made = listen_store(bench, min(SUBSCRIBERS, bench.receipts))
    needed = [name for name in ("wrk", "nginx") if missing(name)]
    rows = []
    if needed:
        rows.append(skipped("notifications accepted", f"≥ {GOAL:,}/s", f"{' and '.join(needed)} not installed"))
    else:
        rows.append(accepted(bench, made))
    return rows + [delivered(bench, made)]


def accepted(bench, made):
    posted = min(BODIES, made.count)
    ours, theirs, costs, waits = [], [], [], []
    with tempfile.TemporaryDirectory(dir=bench.cache) as folder:
        bodies = Path(folder) / "bodies"
        known = some(made, bodies, 0, posted)
        for turn in range(bench.rounds):
            bench.say(f"listen, round {turn + 1} of {bench.rounds}")
            store = copy(bench, made_store(made))
            try:
                with Listener(bench, store.path, made.configuration) as listener:
                    said = post_all(bench, listener.url, bodies, CONNECTIONS, SECONDS)
                    costs.append(1e6 * processor_seconds(listener.process.pid) / posted)
                    resident = memory(listener.process.pid)[1]
                check(store.path, known, said["taken"])
            finally:
                remove(store.path)
            ours.append(posted / said["seconds"])
            waits.append(said["p99"] / 1000)
            with Nginx(Path(folder)) as nginx:
                theirs.append(posted / post_all(bench, nginx.url, bodies, CONNECTIONS, FEWER_SECONDS)["seconds"])
    bench.notes.append(
        f"a notification costs {median(costs):.0f} µs of processor time in subtop listen, which shares the cores with wrk; p99 "
        f"{milliseconds(median(waits))} with {CONNECTIONS} at once, {resident / 1024:.0f} MB of memory at its peak; all "
        "notifications were in the store afterwards")
    return Row(f"{posted:,} different notifications of {bodies_size(made)} kB accepted by `subtop listen`, each durable before its 200, "
               f"{CONNECTIONS} at once", f"{number(median(ours))}/s", f"nginx, which stores nothing, {number(median(theirs))}/s",
               times(median(ours) / median(theirs)), f"{spread(ours, theirs)}/s", f"≥ {GOAL:,}/s, none lost", median(ours) >= GOAL)


def made_store(made):
    return Store(made.path, made.subscribers, made.start)


def bodies_size(made):
    return number(made.bodies.stat().st_size / made.count / 1000, 1)


def some(made, path, first, count):
    """Writes `count` bodies to a file and returns their UUIDs."""
    with open(made.bodies, "rb") as file, open(path, "wb") as out:
        found = []
        for place, line in enumerate(file):
            if first <= place < first + count:
                out.write(line)
                found.append(uuid(line))
        return found


def check(path, sent, taken):
    """Checks that the store has every notification that was answered with 200."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as db:
        kept = {each for each, in db.execute("SELECT uuid FROM notifications")}
    lost = set(sent) - kept
    if taken != len(sent) or lost:
        raise RuntimeError(f"of {len(sent)} notifications {taken} were accepted and {len(lost)} are not in the store")


def validated(path):
    """Returns the number of swept receipts. Raises an error if no sweep ran during the deliveries."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as db:
        found = db.execute("SELECT count(*) FROM receipts WHERE last_checked_at_ms > imported_at_ms").fetchone()[0]
    if not found:
        raise RuntimeError("no receipt was swept during the deliveries")
    return found


def delivered(bench, made):
    calm, loud, swept = [], [], []
    with tempfile.TemporaryDirectory(dir=bench.cache) as folder:
        bodies = Path(folder) / "bodies"
        sent = min(DELIVERIES, made.count // 2)
        for turn in range(max(1, bench.rounds // 2)):
            for sweeping, series in ((False, calm), (True, loud)):
                bench.say(f"deliveries {'while a sweep runs' if sweeping else 'without a sweep'}")
                known = some(made, bodies, made.count - sent, sent)
                store = copy(bench, made_store(made))
                try:
                    with Listener(bench, store.path, made.configuration) as listener:
                        series.append(deliveries(bench, made, store, listener, bodies, sweeping))
                    check(store.path, known, sent)
                    if sweeping:
                        swept.append(validated(store.path))
                finally:
                    remove(store.path)
    p99 = [median([quantile(each, 0.99) for each in series]) for series in (loud, calm)]
    p50 = [median([median(each) for each in series]) for series in (loud, calm)]
    bench.notes.append(f"the slowest of {sent:,} deliveries during a sweep took "
                       f"{milliseconds(max(max(each) for each in loud))}; the sweep checked {median(swept):,.0f} receipts "
                       "in that time")
    return Row(f"a delivery, {A_SECOND} a second, p99 while a sweep of {made.subscribers:,} receipts runs over the same store",
               milliseconds(p99[0]), f"without a sweep {milliseconds(p99[1])}", times(p99[0] / p99[1]),
               f"p50 {milliseconds(p50[0])}; {milliseconds(p50[1])}", "≤ 100 ms", p99[0] <= 100)


def deliveries(bench, made, store, listener, bodies, sweeping):
    """Returns the milliseconds of each delivery, counted from its planned time."""
    lines = [line.rstrip(b"\n") for line in open(bodies, "rb")]
    if not sweeping:
        return posts(listener.url, lines)
    with FakeAppStore(bench.binaries, made.subscribers, made.start, elsewhere=True, speed=FAST) as server:
        over = threading.Event()
        swept = threading.Thread(target=keep_sweeping, args=(bench, store, server, over))
        swept.start()
        try:
            time.sleep(1)
            return posts(listener.url, lines)
        finally:
            over.set()
            swept.join()


def keep_sweeping(bench, store, server, over):
    """Sweeps every receipt repeatedly until `over` is set."""
    while not over.is_set():
        sweep = start([bench.binaries / "subtop", "sweep", "--all", "--concurrency", 64, "--store", store.path, *server.options],
                      stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment())
        while sweep.poll() is None and not over.is_set():
            time.sleep(0.05)
        end(sweep)


def posts(url, lines):
    """Sends bodies at planned times over several connections, without waiting for earlier answers."""
    address = url.removeprefix("http://")
    taken, problems, lock = [], [], threading.Lock()
    begin, places = time.monotonic() + 0.2, iter(range(len(lines)))

    def sender():
        connection = http.client.HTTPConnection(address, timeout=60)
        while not problems:
            with lock:
                place = next(places, None)
            if place is None:
                break
            due = begin + place / A_SECOND
            time.sleep(max(0, due - time.monotonic()))
            connection.request("POST", "/notifications", lines[place], {"Content-Type": "application/json"})
            answer = connection.getresponse()
            answer.read()
            taken.append(1000 * (time.monotonic() - due))
            if answer.status != 200:
                problems.append(answer.status)
        connection.close()

    senders = [threading.Thread(target=sender) for _ in range(16)]
    for each in senders:
        each.start()
    for each in senders:
        each.join()
    if problems:
        raise RuntimeError(f"a delivery was answered with {problems[0]}")
    return taken
