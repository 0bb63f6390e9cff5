"""Sweep of unchanged receipts, compared with wrk, which only reads, and inapppy, which only parses."""
import json
import resource

from processes import environment, missing, processor_seconds, run
from sweep_store import sweep, sweep_store
from table import Row, median, number, spread, times

AT_ONCE = 64
# Seconds that wrk posts for, and receipts per round for inapppy, which is slow.
SECONDS, FEWER = 6, 4_000


def measure(bench):
    made = sweep_store(bench, bench.receipts)
    inapppy = bench.peers.needs("inapppy")
    wrk = "wrk is not installed" if missing("wrk") else None
    ours, posted, validated, costs, others = [], [], [], [], []
    with made.server(bench) as server, made.swept_once(bench, server) as known:
        fewer = some_bodies(made)
        for turn in range(bench.rounds):
            bench.say(f"sweep, round {turn + 1} of {bench.rounds}")
            speed, cost = our_sweep(bench, known, server)
            ours.append(speed)
            costs.append(cost)
            if not wrk:
                posted.append(wrk_posts(bench, made, server))
            if not inapppy:
                speed, cost = inapppy_asks(bench, server, fewer)
                validated.append(speed)
                others.append(cost)
        fewer.unlink()
    bench.notes.append(
        f"a receipt's sweep costs {median([mine for mine, _ in costs]):.0f} µs of processor time in subtop and "
        f"{median([theirs for _, theirs in costs]):.0f} µs in the fake App Store; both share the machine's cores"
        + (f"; an answer costs inapppy {median(others):.0f} µs, all on one core" if others else ""))
    work = (f"sweep of {made.receipts:,} receipts, answers of {made.bytes / 1000:.1f} kB in gzip with nothing new, "
            f"{AT_ONCE} in flight")
    return [row(work, "wrk", ours, posted, wrk, 0.25), row("the same", "inapppy", ours, validated, inapppy, 2)]


def row(work, name, ours, theirs, why, least):
    target = f"≥ {least} ×"
    if why:
        return Row(work, f"{number(median(ours))}/s", f"skipped: {why}", spread=f"{spread(ours)}/s", target=target)
    ratio = median(ours) / median(theirs)
    return Row(work, f"{number(median(ours))}/s", f"{name} {number(median(theirs))}/s", times(ratio),
               f"{spread(ours, theirs)}/s", target, ratio >= least)


def our_sweep(bench, made, server):
    """Returns receipts per second, and microseconds of processor time per receipt for subtop and the server."""
    usage, before = children_seconds(), processor_seconds(server.process.pid)
    said = sweep(bench, made, server, AT_ONCE)
    mine = children_seconds() - usage
    if said["unchanged"] != made.receipts:
        raise RuntimeError(f"only {said['unchanged']} of {made.receipts} receipts were unchanged: {said}")
    theirs = processor_seconds(server.process.pid) - before
    return said["receipts_per_second"], (1e6 * mine / made.receipts, 1e6 * theirs / made.receipts)


def wrk_posts(bench, made, server):
    said = run("wrk", "-t2", f"-c{AT_ONCE}", f"-d{SECONDS}s", "-s", bench.here / "peers" / "bodies.lua",
               f"{server.url}/verifyReceipt", env=environment(BODIES=str(made.bodies)))
    told = json.loads(said.splitlines()[-1])
    if told["errors"]:
        raise RuntimeError(f"wrk reported {told['errors']} errors")
    return told["requests"] / (told["microseconds"] / 1e6)


def inapppy_asks(bench, server, bodies):
    """Returns answers per second, and microseconds of processor time per answer, including the start."""
    usage = children_seconds()
    said = json.loads(run(bench.peers.python, bench.here / "peers" / "inapppy_sweep.py", server.url, bodies, AT_ONCE))
    return said["answers_per_second"], 1e6 * (children_seconds() - usage) / said["answers"]


def children_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def some_bodies(made):
    path = made.bodies.with_name("fewer.jsonl")
    with open(made.bodies) as file, open(path, "w") as fewer:
        fewer.writelines(line for at, line in enumerate(file) if at < FEWER)
    return path
