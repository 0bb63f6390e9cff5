"""Queries of each panel, compared with DuckDB and lookups of chains by id."""
import json

from measured import BESIDE, FIVE, lookups, panels, report, some_ids
from peers.raw_rows import differences, duckdb_file
from processes import run
from stores import store
from table import Row, median, milliseconds, spread, times

# Milliseconds for all panels. A slower store is queried once per round.
SLOW = 1000
# Milliseconds, for the five panels together and for each of the others.
MOST = 150


def measure(bench):
    largest = store(bench, bench.lines[-1])
    ours = {name: [] for name in FIVE + BESIDE}
    theirs = {name: [] for name in FIVE}
    why = bench.peers.needs("duckdb")
    file = None if why else duckdb_file(bench, largest)
    for turn in range(bench.rounds):
        bench.say(f"panels, round {turn + 1} of {bench.rounds}")
        slow = sum(series[0] for series in ours.values() if series) > SLOW
        timings = panels(bench, largest, runs=1 if slow or turn == 0 else 7)
        for name, series in ours.items():
            series.append(timings[name]["median"])
        if file:
            answers = ask(bench, file, report(bench, largest, "active"))
            for name, answer in answers.items():
                theirs[name].append(1000 * median(answer["seconds"]))
    if file:
        told = differences(answers, {name: report(bench, largest, name) for name in FIVE})
        bench.notes.append("DuckDB's figures and ours: " + ("; ".join(told) if told else "equal in everything compared"))
    return against_duckdb(largest, ours, theirs, why) + alone(largest, ours) + chains(bench, largest)


def ask(bench, file, active):
    window = active["window"]
    said = run(bench.peers.python, bench.here / "peers" / "duckdb_panels.py", "ask", file, window["to_ms"],
               window["from_ms"], 3)
    return {answer["panel"]: answer for answer in map(json.loads, said.splitlines())}


def sums(series):
    """Returns the sum of the five panels for each round."""
    return [sum(values) for values in zip(*(series[name] for name in FIVE))]


def against_duckdb(largest, mine, theirs, why):
    name = f"data of the five panels together, {largest.lines:,} lines"
    total = sums(mine)
    target, reached = f"≤ {MOST} ms", median(total) <= MOST
    if why:
        return [Row(name, milliseconds(median(total)), f"skipped: {why}", spread=f"{spread(total, digits=1)} ms",
                    target=target, reached=reached)]
    other = sums(theirs)
    rows = [Row(name, milliseconds(median(total)), f"DuckDB {milliseconds(median(other))}",
                times(median(other) / median(total)), f"{spread(total, other, digits=1)} ms", target, reached)]
    for panel in FIVE:
        rows.append(Row(f"… {panel}", milliseconds(median(mine[panel])), f"DuckDB {milliseconds(median(theirs[panel]))}",
                        times(median(theirs[panel]) / median(mine[panel])),
                        f"{spread(mine[panel], theirs[panel], digits=1)} ms"))
    return rows


def alone(largest, mine):
    return [Row(f"data of {panel}, {largest.lines:,} lines", milliseconds(median(mine[panel])),
                spread=f"{spread(mine[panel], digits=1)} ms", target=f"≤ {MOST} ms", reached=median(mine[panel]) <= MOST)
            for panel in BESIDE]


def chains(bench, largest):
    timings = lookups(bench, largest, some_ids(largest, 200))
    rows = []
    for kind, timing in timings.items():
        if kind != "memory":
            rows.append(Row(f"chain by {kind}, {largest.lines:,} lines, {timing['runs']} ids", milliseconds(timing["median"]),
                            spread=f"p10 {milliseconds(timing['p10'])}, p99 {milliseconds(timing['p99'])}", target="≤ 10 ms",
                            reached=timing["p99"] <= 10))
    return rows
