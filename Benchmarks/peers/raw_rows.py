"""Raw rows of a store for DuckDB, and the comparison of its figures with ours."""
import shutil
import subprocess
import tempfile

from processes import environment, run

COLUMNS = {
    "catalog": "SELECT product_id, offer, valid_from_ms, subscription_group_id, level, period, price_micros, currency FROM catalog",
    "chains": "SELECT id, environment, original_transaction_id, validated_at_ms FROM chains",
    "holders": """SELECT DISTINCT k.chain_id, q.app_user_id FROM receipt_chains k JOIN receipts q ON q.id = k.receipt_id
        WHERE q.app_user_id <> ''""",
    "renewal_infos": """SELECT id, chain_id, observed_at_ms, product_id, auto_renew_product_id, auto_renew_status,
        expiration_intent, is_in_billing_retry_period, grace_period_expires_date_ms FROM renewal_infos""",
    "transactions": """SELECT id, chain_id, transaction_id, web_order_line_item_id, product_id, subscription_group_identifier,
        purchase_date_ms, expires_date_ms, cancellation_date_ms, cancellation_reason, is_trial_period,
        is_in_intro_offer_period, is_upgraded, in_app_ownership_type, promotional_offer_id, offer_code_ref_name
        FROM transactions""",
}


def duckdb_file(bench, store):
    """Returns a DuckDB file with the raw rows of a store. It is made once and not timed."""
    path = store.path.with_suffix(".duckdb")
    if path.exists() and path.stat().st_mtime > (bench.here / "peers" / "load.sql").stat().st_mtime:
        return path
    path.unlink(missing_ok=True)
    bench.say(f"loading {store.transactions:,} transactions into DuckDB")
    folder = tempfile.mkdtemp(dir=bench.cache)
    try:
        for name, sql in COLUMNS.items():
            with open(f"{folder}/{name}.csv", "wb") as file:
                subprocess.run(["sqlite3", "-readonly", "-batch", "-csv", "-header", store.path, sql], stdout=file,
                               check=True, env=environment())
        run(bench.peers.python, bench.here / "peers" / "duckdb_panels.py", "load", folder, path)
    finally:
        shutil.rmtree(folder)
    return path


def total(rows, key="count", **wanted):
    return sum(row[key] or 0 for row in rows if all(row[name] == value for name, value in wanted.items()))


def amounts(figures):
    return sum(amount["amount_micros"] for amount in figures)


def differences(answers, reports):
    """Returns the main figures that differ between DuckDB and subtop, with both values."""
    rows = {name: answer["rows"] for name, answer in answers.items()}
    ours = {name: report["data"] for name, report in reports.items()}
    compared = (active(rows["active"], ours["active"]) | retry(rows["billing-retry"], ours["billing-retry"])
                | churn(rows["churn"], ours["churn"]) | refunds(rows["refunds"], ours["refunds"])
                | upgrades(rows["upgrades"], ours["upgrades"]))
    return [f"{name}: DuckDB {theirs}, ours {mine}" for name, (theirs, mine) in compared.items() if theirs != mine]


def active(rows, ours):
    paid = [row for row in rows if row["state"] != "trial"]
    running = [row for row in rows if row["state"] == "active"]
    found = {
        "active paid": (total(paid, "lines"), ours["paid"]), "trial": (total(rows, "lines", state="trial"), ours["trial"]),
        "grace": (total(rows, "lines", state="grace"), ours["grace"]),
        "renewing": (total(running, "lines", auto_renew_status=1), ours["renewing"]),
        "auto-renew off": (total(running, "lines", auto_renew_status=0), ours["auto_renew_off"]),
        "MRR": (total(paid, "monthly_micros"), amounts(ours["mrr"])),
    }
    for kind, lines in ours["by_kind"].items():
        found[f"active {kind}"] = (total(running, "lines", kind=kind), lines)
    return found


def retry(rows, ours):
    return {
        "billing retry": (total(rows, "lines", state="billing_retry"), ours["lines"]),
        "users in billing retry": (total(rows, "users", state="billing_retry"), ours["users"]),
        "users in grace": (total(rows, "users", state="grace"), ours["grace"]["users"]),
        "MRR in billing retry": (total(rows, "monthly_micros", state="billing_retry"),
                                 amounts(ours["at_risk_mrr"]["billing_retry"])),
    }


def churn(rows, ours):
    lost = [row for row in rows if row["figure"] == "lost"]
    start, trials = (next(row for row in rows if row["figure"] == name) for name in ("start", "trials"))
    rate = start["second"] / start["count"] if start["count"] else None
    found = {
        "lost paid": (total(lost, is_paid=True), ours["lost_paid"]), "lost trial": (total(lost, is_paid=False), ours["lost_trial"]),
        "refunded": (total(lost, name="revoked", is_paid=True), ours["refunded"]["paid"]),
        "voluntary": (total(lost, name="expired", detail="1", is_paid=True), ours["voluntary"]),
        "involuntary": (total(lost, name="expired", detail="2", is_paid=True), ours["involuntary"]),
        "base at start": (start["count"], ours["base_at_start"]),
        "churn rate": (rate, ours["churn_rate"]),
        "trials ended": (trials["count"], ours["trials"]["ended"]),
        "trials converted": (trials["second"], ours["trials"]["converted"]),
        "trials converted late": (trials["third"], ours["trials"]["converted_late"]),
    }
    for renewal in ours["renewals"]:
        theirs = next((row for row in rows if row["figure"] == "renewals" and row["name"] == renewal["period"]), None)
        found[f"renewals {renewal['period']}"] = (
            theirs and [theirs["count"], theirs["second"], theirs["third"]],
            [renewal["due"], renewal["renewed"], renewal["pending"]])
    return found


def refunds(rows, ours):
    issued = [row for row in rows if row["figure"] == "issued"]
    return {
        "refunds": (total(issued), ours["count"]),
        "refunds, app issue": (total(issued, reason="1"), ours["by_reason"]["app_issue"]),
        "refund amount": (total(issued, "micros"), amounts(ours["amount"])),
        "one-time refunds": (total(rows, figure="one_time"), ours["one_time"]),
        "cohort": (total(rows, figure="cohort"), ours["cohort"]["paid_transactions"]),
        "cohort refunded": (total(rows, "micros", figure="cohort"), ours["cohort"]["refunded"]),
    }


def upgrades(rows, ours):
    found = {"prorated refund": (total(rows, "micros", figure="immediate"), amounts(ours["prorated_refund"])),
             "changes pending": (total(rows, figure="pending"), ours["pending"])}
    for figure in ("immediate", "at_renewal"):
        for direction, count in ours[figure].items():
            found[f"{figure} {direction}"] = (total(rows, figure=figure, direction=direction), count)
    return found
