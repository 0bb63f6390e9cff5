"""Measurements of a store with `subtop-measure`."""
import json
import sqlite3
from contextlib import closing

from processes import environment, run

FIVE = ["active", "billing-retry", "churn", "refunds", "upgrades"]
BESIDE = ["overview", "events", "cohorts", "recovery", "offers"]


def panels(bench, store, runs):
    """Returns the timings of each panel by name, in milliseconds, and the memory of the process."""
    return lines(run(bench.binaries / "subtop-measure", "panels", store.path, "--at", store.at, "--runs", runs))


def lookups(bench, store, ids):
    text = "".join(f"{kind}\t{each}\n" for kind, some in ids.items() for each in some)
    return lines(run(bench.binaries / "subtop-measure", "lookups", store.path, "--at", store.at, input=text))


def lines(text):
    return {said["what"]: said for said in map(json.loads, text.splitlines())}


def some_ids(store, count):
    """Returns `count` ids of each kind, distributed over the store."""
    kinds = {
        "original transaction id": "SELECT original_transaction_id FROM chains",
        "transaction id": "SELECT transaction_id FROM transactions",
        "web order line item id": "SELECT web_order_line_item_id FROM transactions WHERE web_order_line_item_id IS NOT NULL",
        "app user": "SELECT app_user_id FROM receipts WHERE app_user_id <> ''",
    }
    with closing(sqlite3.connect(f"file:{store.path}?mode=ro", uri=True)) as db:
        greatest = {table: db.execute(f"SELECT max(id) FROM {table}").fetchone()[0]
                    for table in ("chains", "transactions", "receipts")}
        found = {}
        for kind, sql in kinds.items():
            table = next(table for table in greatest if f" {table}" in sql)
            joint = "AND" if "WHERE" in sql else "WHERE"
            places = [1 + at * (greatest[table] - 1) // count for at in range(count)]
            some = (db.execute(f"{sql} {joint} id >= ? ORDER BY id LIMIT 1", [place]).fetchone() for place in places)
            found[kind] = [row[0] for row in some if row]
        return found


def report(bench, store, panel):
    """Returns the figures of a panel as JSON."""
    return json.loads(run(bench.binaries / "subtop", "report", panel, "--at", store.at, "--store", store.path,
                          "--format", "json", env=environment()))
