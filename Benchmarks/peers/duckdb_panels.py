"""Queries the figures of five panels with DuckDB from the raw rows of a store. Runs in the virtual environment of `Peers`.

Usage: duckdb_panels.py load CSV_FOLDER DATABASE
       duckdb_panels.py ask DATABASE T_MS FROM_MS RUNS

`ask` prints one line of JSON for each panel: the seconds of each run after a warm-up run, and the rows of the answer.
"""
import json
import re
import sys
import time
from pathlib import Path

import duckdb

here = Path(__file__).parent


def load(folder, path):
    with duckdb.connect(path) as db:
        db.execute((here / "load.sql").read_text().format(folder=folder))
        db.execute("CHECKPOINT")


def ask(path, t, start, runs):
    questions = re.split(r"^-- ([a-z-]+)$", (here / "panels.sql").read_text(), flags=re.M)[1:]
    with duckdb.connect(path, read_only=True) as db:
        for name, sql in zip(questions[::2], questions[1::2]):
            values = {key: value for key, value in (("t", t), ("from", start)) if f"${key}" in sql}
            seconds = []
            for _ in range(runs + 1):
                began = time.monotonic()
                answer = db.execute(sql, values)
                rows = answer.fetchall()
                seconds.append(time.monotonic() - began)
            columns = [column[0] for column in answer.description]
            print(json.dumps({"panel": name, "seconds": seconds[1:],
                              "rows": [dict(zip(columns, row)) for row in rows]}, default=int), flush=True)


if sys.argv[1] == "load":
    load(sys.argv[2], sys.argv[3])
else:
    ask(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), int(sys.argv[5]))
