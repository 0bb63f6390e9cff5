"""Queries of each panel, compared with DuckDB and with a small store, and lookups of chains by id."""
import json

from measured import BESIDE, FIVE, lookups, panels, report, some_ids
from peers.raw_rows import differences, duckdb_file
from processes import run
from stores import store
from table import Row, median, milliseconds, skipped, spread, thousands, times

# Milliseconds for all panels. Slower stores are queried once per round.
SLOW = 1000
# Milliseconds, for panels without a competitor.
TARGETS = {"overview": 25, "cohorts": 100, "recovery": 25, "offers": 25}


def measure(bench):
    stores = [store(bench, count) for count in bench.lines]
    largest = stores[-1]
    ours = {each.subscribers: {name: [] for name in FIVE + BESIDE} for each in stores}
    why = bench.peers.needs("duckdb")
    theirs = {name: [] for name in FIVE}
    file = None if why else duckdb_file(bench, largest)
    for turn in range(bench.rounds):
        bench.say(f"panels, round {turn + 1} of {bench.rounds}")
        for each in stores:
            slow = sum(series[0] for series in ours[each.subscribers].values() if series) > SLOW
            timings = panels(bench, each, runs=1 if slow or turn == 0 else 7)
            for name, series in ours[each.subscribers].items():
                series.append(timings[name]["median"])
        if file:
            answers = ask(bench, file, report(bench, largest, "active"))
            for name, answer in answers.items():
                theirs[name].append(1000 * median(answer["seconds"]))
    if file:
        told = differences(answers, {name: report(bench, largest, name) for name in FIVE})
        bench.notes.append("DuckDB's figures and ours: " + ("; ".join(told) if told else "equal in everything compared"))
    mine = ours[largest.subscribers]
    return (against_duckdb(largest, mine, theirs, why) + alone(largest, mine) + against_itself(stores, ours)
            + chains(bench, largest))


def ask(bench, file, active):
    window = active["window"]
    said = run(bench.peers.python, bench.here / "peers" / "duckdb_panels.py", "ask", file, window["to_ms"],
               window["from_ms"], 3)
    return {answer["panel"]: answer for answer in map(json.loads, said.splitlines())}


def sums(series):
    """Returns the sum of the five panels for each round."""
    return [sum(values) for values in zip(*(series[name] for name in FIVE))]


def against_duckdb(largest, mine, theirs, why):
    target = "together ≤ 25 ms and ≥ 5 ×"
    name = f"data of the five panels together, {largest.lines:,} lines"
    total = sums(mine)
    if why:
        return [Row(name, milliseconds(median(total)), f"skipped: {why}", spread=f"{spread(total, digits=1)} ms",
                    target=target, reached=False if median(total) > 25 else None)]
    other = sums(theirs)
    ratio = median(other) / median(total)
    rows = [Row(name, milliseconds(median(total)), f"DuckDB {milliseconds(median(other))}", times(ratio),
                f"{spread(total, other, digits=1)} ms", target, median(total) <= 25 and ratio >= 5)]
    for panel in FIVE:
        rows.append(Row(f"… {panel}", milliseconds(median(mine[panel])), f"DuckDB {milliseconds(median(theirs[panel]))}",
                        times(median(theirs[panel]) / median(mine[panel])),
                        f"{spread(mine[panel], theirs[panel], digits=1)} ms"))
    return rows


def alone(largest, mine):
    rows = []
    for panel in BESIDE:
        time, target = median(mine[panel]), TARGETS.get(panel)
        rows.append(Row(f"data of {panel}, {largest.lines:,} lines", milliseconds(time),
                        spread=f"{spread(mine[panel], digits=1)} ms", target=f"≤ {target} ms" if target else "",
                        reached=time <= target if target else None))
    return rows


def against_itself(stores, ours):
    if len(stores) < 2:
        return [skipped("each panel's data, small to large", "≤ 2 ×", "one size only")]
    small, large = stores[0], stores[-1]
    growth = {name: median(ours[large.subscribers][name]) / median(ours[small.subscribers][name]) for name in FIVE}
    worst = max(growth, key=growth.get)
    before, after = ours[small.subscribers][worst], ours[large.subscribers][worst]
    said = ", ".join(f"{name} {times(value)}" for name, value in growth.items())
    return [Row(f"each panel's data, {thousands(small.subscribers)} → {thousands(large.subscribers)} lines: {said}",
                f"{worst} {milliseconds(median(after))}", f"itself {milliseconds(median(before))}", times(growth[worst]),
                f"{spread(after, before, digits=1)} ms", "≤ 2 ×", growth[worst] <= 2)]


def chains(bench, largest):
    timings = lookups(bench, largest, some_ids(largest, 200))
    rows = []
    for kind, timing in timings.items():
        if kind != "memory":
            rows.append(Row(f"chain by {kind}, {largest.lines:,} lines, {timing['runs']} ids", milliseconds(timing["median"]),
                            spread=f"p10 {milliseconds(timing['p10'])}, p99 {milliseconds(timing['p99'])}", target="≤ 10 ms",
                            reached=timing["p99"] <= 10))
    return rows
