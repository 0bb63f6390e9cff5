"""Sweeps through the App Store Server API, and the verification of signatures."""
import base64
import json
import re
import shutil
import sqlite3
import subprocess
import tempfile
import time
from contextlib import closing
from pathlib import Path

from processes import FakeAppStore, environment, missing, processor_seconds, run
from rows_sweep import children_seconds
from stores import add_catalog, midnight, remove, settle
from table import Row, median, number, skipped, spread, times

AT_ONCE, SECONDS = 64, 4
# Rows of a full page: *App Store Server API › HistoryResponse*.
PAGE = 20
# Subscribers per customer whose history fills exactly one page.
SUBSCRIBERS = 150
MOST_CUSTOMERS = 2_000
# Requests per customer: history and statuses.
REQUESTS = 2


def measure(bench):
    return asking(bench) + verifying(bench)


def asking(bench):
    customers = min(MOST_CUSTOMERS, bench.receipts)
    wrk = "wrk is not installed" if missing("wrk") else None
    news, same = Side(), Side()
    with tempfile.TemporaryDirectory(dir=bench.cache) as folder, World(bench, Path(folder), customers) as world:
        for turn in range(bench.rounds):
            bench.say(f"Server API, round {turn + 1} of {bench.rounds}")
            store = world.empty()
            said = news.sweep(bench, world, store)
            if said["new_transactions"] != PAGE * customers:
                raise RuntimeError(f"the sweep did not add {customers} pages of {PAGE} rows: {said}")
            if not wrk:
                news.posted.append(wrk_asks(bench, world, world.paths(store, known=False)))
            # From now on the store has a revision, and the next sweep asks only for newer rows.
            Side().sweep(bench, world, store)
            said = same.sweep(bench, world, store)
            if said["unchanged"] != customers:
                raise RuntimeError(f"only {said['unchanged']} of {customers} customers were unchanged: {said}")
            if not wrk:
                same.posted.append(wrk_asks(bench, world, world.paths(store, known=True)))
            remove(store)
    for what, side in (("an unchanged customer", same), (f"a customer with a page of {PAGE} new rows", news)):
        bench.notes.append(
            f"{what} takes {REQUESTS} requests, {median(side.mine):.0f} µs of processor time in subtop and "
            f"{median(side.theirs):.0f} µs in the fake App Store; both share the machine's cores")
    work = f"sweep of {customers:,} customers through the Server API, {AT_ONCE} in flight"
    return [row(f"{work}, unchanged", same, wrk), row(f"{work}, a page of {PAGE} new rows each", news, wrk)]


class Side:
    """Measurements of one kind of customer."""

    def __init__(self):
        self.ours, self.posted, self.mine, self.theirs = [], [], [], []

    def sweep(self, bench, world, store):
        usage, before = children_seconds(), processor_seconds(world.server.process.pid)
        said = json.loads(run(bench.binaries / "subtop", "sweep", "--all", "--concurrency", AT_ONCE, "--store", store,
                              "--config", world.configuration, "--format", "json"))
        self.ours.append(said["receipts_per_second"])
        self.mine.append(1e6 * (children_seconds() - usage) / world.customers)
        self.theirs.append(1e6 * (processor_seconds(world.server.process.pid) - before) / world.customers)
        return said


def row(work, side, why):
    ours = f"{number(median(side.ours))}/s"
    if why:
        return Row(work, ours, f"skipped: {why}", spread=f"{spread(side.ours)}/s")
    return Row(work, ours, f"wrk, which only reads, {number(median(side.posted))}/s",
               times(median(side.ours) / median(side.posted)), f"{spread(side.ours, side.posted)}/s")


class World:
    """Fake App Store, customers with exactly one page of history, and a configuration that uses it."""

    def __init__(self, bench, folder, customers):
        self.bench, self.folder, self.customers = bench, folder, customers
        self.start = midnight()
        self.key, self.root, self.configuration = folder / "key.p8", folder / "root.pem", folder / "config.toml"
        self.subscribers = SUBSCRIBERS * customers

    def __enter__(self):
        ids = run(self.bench.binaries / "subtop-measure", "customers", "--subscribers", self.subscribers, "--start",
                  self.start, "--rows", PAGE, "--count", self.customers)
        if ids.count("\n") < self.customers:
            raise RuntimeError(f"only {ids.count(chr(10))} of {self.customers} customers have a history of {PAGE} rows")
        self.bundle = json.loads(ids.split("\n")[0])["bundle_id"]
        self.server = FakeAppStore(self.bench.binaries, self.subscribers, self.start,
                                   more=["--write-key", self.key, "--write-root", self.root])
        said = run(self.bench.binaries / "fake-app-store", "serve", "--help")
        self.issuer, self.key_id = (re.search(rf"--{name} .*?\(default:\s+([\w-]+)\)", said, re.S).group(1)
                                    for name in ("issuer-id", "key-id"))
        self.configuration.write_text(
            f'server_api_url = "{self.server.url}"\nserver_api_sandbox_url = "{self.server.url}/sandbox"\n'
            f'issuer_id = "{self.issuer}"\nkey_id = "{self.key_id}"\nprivate_key_file = "{self.key}"\n'
            f'root_certificate_file = "{self.root}"\n')
        self.asked = self.folder / "asked.sqlite"
        add_catalog(self.bench.binaries, self.asked)
        run(self.bench.binaries / "subtop", "import", "ids", "-", "--store", self.asked, input=ids)
        settle(self.asked)
        return self

    def __exit__(self, *_):
        self.server.__exit__()

    def empty(self):
        """Returns a store that has only the ids of the customers."""
        store = self.folder / "store.sqlite"
        remove(store)
        shutil.copyfile(self.asked, store)
        store.chmod(0o600)
        return store

    def paths(self, store, known):
        """Returns a file of a sweep's request paths, with the stored revisions if `known`."""
        path = self.folder / "paths"
        with closing(sqlite3.connect(store)) as db, open(path, "w") as file:
            for customer, revision in db.execute("SELECT customer_id, revision FROM customers WHERE customer_id <> ''"):
                file.write(f"/inApps/v2/history/{customer}{f'?revision={revision}' if known else ''}\n"
                           f"/inApps/v1/subscriptions/{customer}\n")
        return path

    def token(self):
        """Returns a JSON Web Token (RFC 7519), signed by openssl."""
        now = int(time.time())
        claims = {"iss": self.issuer, "iat": now - 60, "exp": now + 1100, "aud": "appstoreconnect-v1", "bid": self.bundle}
        signed = ".".join(part(json.dumps(each).encode())
                          for each in ({"alg": "ES256", "kid": self.key_id, "typ": "JWT"}, claims))
        der = subprocess.run(["openssl", "dgst", "-sha256", "-sign", self.key], input=signed.encode(), check=True,
                             capture_output=True).stdout
        return f"{signed}.{part(both_numbers(der))}"


def part(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def both_numbers(der):
    """Returns r and s of a DER signature, 32 bytes each."""
    numbers, at = b"", 2
    for _ in range(2):
        length = der[at + 1]
        numbers += int.from_bytes(der[at + 2:at + 2 + length], "big").to_bytes(32, "big")
        at += 2 + length
    return numbers


def wrk_asks(bench, world, paths):
    """Returns the number of customers per second for wrk, which ignores the answers."""
    said = run("wrk", "-t2", f"-c{AT_ONCE}", f"-d{SECONDS}s", "-s", bench.here / "peers" / "paths.lua", world.server.url,
               env=environment(PATHS=str(paths), BEARER=world.token()))
    told = json.loads(said.splitlines()[-1])
    if told["errors"]:
        raise RuntimeError(f"wrk reported {told['errors']} errors")
    return told["requests"] / (told["microseconds"] / 1e6) / REQUESTS


def verifying(bench):
    """Measures signatures per second of processor time, like openssl."""
    known, new, whole, theirs = [], [], [], []
    openssl = "openssl is not installed" if missing("openssl") else None
    for turn in range(bench.rounds):
        bench.say(f"signatures, round {turn + 1} of {bench.rounds}")
        said = [json.loads(line) for line in run(bench.binaries / "subtop-measure", "signatures").splitlines()]
        speeds = {each["what"]: each["done"] / each["processorSeconds"] for each in said}
        known.append(speeds["known header"])
        new.append(speeds["new header"])
        whole.append(speeds["notification"])
        if not openssl:
            theirs.append(openssl_verifies())
    rows = []
    for what, ours, each in (("signed rows read and verified under a known header", known, 1),
                             ("the same under a new header, whose certificates are checked", new, 3),
                             ("notifications read and verified, with the rows in them", whole, 3)):
        work = f"{what}, on one core"
        if openssl:
            rows.append(skipped(work, "", openssl))
            continue
        bound = f"openssl speed ecdsap256 {number(median(theirs))} verify/s"
        rows.append(Row(work, f"{number(median(ours))}/s", bound, times(median(ours) / median(theirs)),
                        f"{spread(ours, theirs)}/s", ))
    bench.notes.append("a row takes one verification on P-256; a new header also takes two on P-384, which cost more; "
                       "a notification takes three")
    return rows


def openssl_verifies():
    """Returns verifications per second of processor time, the last number of the line for P-256."""
    said = run("openssl", "speed", "-mr", "-seconds", 2, "ecdsap256")
    return float(re.search(r"^\+F4:.*:([\d.]+)$", said, re.M).group(1))
