"""A team's PostgreSQL: publishing a store, and panels and chains from what was published."""
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from measured import lines, panels, some_ids
from processes import run
from stores import copy, remove, store
from table import Row, median, milliseconds, number, skipped

PROGRAMS = sorted(Path("/usr/lib/postgresql").glob("*/bin"))[-1:]
# Chains that change at once.
CHANGED = 1000


class Server:
    """PostgreSQL on a socket in a folder of its own, with its default settings."""

    def __init__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="subtop-pg-"))
        self.folder.chmod(0o755)
        self.user = []
        if os.geteuid() == 0:
            shutil.chown(self.folder, "postgres")
            self.user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
        self.call("initdb", "-D", self.folder / "data", "-U", "postgres", "-A", "trust", "--locale=C", "-E", "UTF8")
        with open(self.folder / "data/postgresql.conf", "a") as file:
            file.write(f"listen_addresses = ''\nunix_socket_directories = '{self.folder}'\nmax_wal_size = 4GB\n"
                       "shared_buffers = 256MB\n")
        self.call("pg_ctl", "-D", self.folder / "data", "-l", self.folder / "data/log", "-w", "start")

    @property
    def connection(self):
        return f"host={self.folder} user=postgres dbname=postgres"

    def call(self, name, *words):
        subprocess.run([*self.user, PROGRAMS[0] / name, *map(str, words)], check=True, stdout=subprocess.DEVNULL)

    def sql(self, text):
        words = [PROGRAMS[0] / "psql", "-qXAt", "-v", "ON_ERROR_STOP=1", "-d", self.connection, "-c", text]
        return subprocess.run(words, check=True, capture_output=True, text=True).stdout.strip()

    def end(self):
        self.call("pg_ctl", "-D", self.folder / "data", "-m", "immediate", "stop")
        shutil.rmtree(self.folder, ignore_errors=True)


def seconds(work):
    start = time.monotonic()
    work()
    return time.monotonic() - start


def measure(bench):
    if not PROGRAMS:
        return [skipped("publish to PostgreSQL", "", "PostgreSQL is not installed")]
    largest = store(bench, bench.lines[-1])
    own = copy(bench, largest, "team")
    server = Server()
    try:
        return measured(bench, own, server)
    finally:
        server.end()
        remove(own.path)


def measured(bench, own, server):
    # The server's folder belongs to its own user.
    config = bench.cache / "team.toml"
    config.write_text(f'[shared]\nserver = "{server.connection}"\n')
    config.chmod(0o600)
    subtop = [bench.binaries / "subtop"]
    options = ["--config", config]

    def publish(*words):
        return seconds(lambda: run(*subtop, "publish", *words, *options, "--store", own.path))

    publish("--init")
    before = int(server.sql("SELECT pg_database_size('postgres')"))
    filled = publish()
    schema = server.sql("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'subtop_v%'")
    size = (int(server.sql("SELECT pg_database_size('postgres')")) - before) / own.transactions
    rate = own.transactions / filled
    alone = own.transactions / copied(server, schema)
    rows = [
        Row(f"publish a store of {own.transactions:,} transactions", f"{number(rate)} a second",
            f"{number(alone)} (COPY of the same rows)", f"{rate / alone:.2f} ×", target="≥ 8,000 a second",
            reached=rate >= 8000),
        Row("size on the server, a transaction", f"{number(size)} bytes", target="", reached=None),
    ]
    nothing = [publish() for _ in range(bench.rounds)]
    rows.append(Row("publish nothing", milliseconds(1000 * median(nothing))))
    changed = [change(server, schema, own.path, publish) for _ in range(bench.rounds)]
    rows.append(Row(f"publish {CHANGED:,} changed histories", milliseconds(1000 * median(changed)), target="≤ 3 s",
                    reached=median(changed) <= 3))
    return rows + panels_of(bench, own, server) + chain(bench, own, subtop, options)


def copied(server, schema):
    """Seconds that COPY takes for all rows, with the indexes."""
    total = 0.0
    for table in ["chains", "documents", "lines", "transaction_rows", "spans", "episodes", "event_rows", "ids"]:
        file = server.folder / "data/rows"
        server.sql(f"COPY {schema}.{table} TO '{file}'; CREATE TABLE public.copied (LIKE {schema}.{table} INCLUDING ALL)")
        total += seconds(lambda file=file: server.sql(f"COPY public.copied FROM '{file}'"))
        server.sql("DROP TABLE public.copied")
    return total


def change(server, schema, path, publish):
    """Seconds until histories whose rows all differ are published, with as many sums as they have."""
    server.sql(f"UPDATE {schema}.chains SET digest = '' WHERE id IN (SELECT id FROM {schema}.chains ORDER BY id DESC LIMIT {CHANGED})")
    run("sqlite3", path, f"""
        INSERT OR REPLACE INTO changed_chains SELECT id, journal_seq + 1
          FROM (SELECT id FROM chains ORDER BY id DESC LIMIT {CHANGED}), publication;
        INSERT OR REPLACE INTO changed_sums SELECT series, grain, at, journal_seq + 1
          FROM (SELECT * FROM sums ORDER BY at DESC LIMIT {2 * CHANGED}), publication;
        UPDATE publication SET journal_seq = journal_seq + 1""")
    return publish()


def panels_of(bench, own, server):
    local = panels(bench, own, runs=5)
    shared = lines(run(bench.binaries / "subtop-measure", "panels", "none", "--at", own.at, "--runs", 5, "--server",
                       server.connection))
    rows = []
    for name in sorted(name for name in local if name in shared):
        ours, first, theirs = shared[name]["median"], shared[name]["first"], local[name]["median"]
        rows.append(Row(f"{name} from the server, {own.lines:,} subscriptions",
                        f"{milliseconds(ours)}, first {milliseconds(first)}", f"{milliseconds(theirs)} (the store)",
                        f"{ours / theirs:.2f} ×", target="≤ 100 ms", reached=ours <= 100))
    return rows


def chain(bench, own, subtop, options):
    ids = some_ids(own, 10)["original transaction id"]
    ours = [seconds(lambda one=one: run(*subtop, "chain", one, "--shared", *options)) for one in ids]
    theirs = [seconds(lambda one=one: run(*subtop, "chain", one, "--store", own.path)) for one in ids]
    return [Row("chain by id from the server, with the program's start", milliseconds(1000 * median(ours)),
                f"{milliseconds(1000 * median(theirs))} (the store)", f"{median(ours) / median(theirs):.2f} ×")]
