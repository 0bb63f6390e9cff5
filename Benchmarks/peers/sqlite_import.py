"""`sqlite3 .import` of a store's rows into the same tables and indexes, with the same pragmas."""
import re
import sqlite3
import subprocess
from contextlib import closing

from processes import environment, timed
from stores import remove

# Same as `ReceiptStore.configuration`, but without foreign key checks, which favours sqlite3.
PRAGMAS = "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -8000;"


def export(store, folder):
    """The rows as CSV, a file a table that holds any. Returns how many rows there are in each."""
    with closing(sqlite3.connect(f"file:{store}?mode=ro", uri=True)) as db:
        tables = [name for name, in db.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name NOT LIKE 'grdb%'")]
        counts = {name: db.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in tables}
    for name in tables:
        with open(f"{folder}/{name}.csv", "wb") as file:
            subprocess.run(["sqlite3", "-readonly", "-batch", "-csv", store, f"SELECT * FROM {name}"], stdout=file,
                           check=True, env=environment())
    return {name: rows for name, rows in counts.items() if rows}


def schema(store):
    """The store's tables and indexes, as text that is imported can fill them.

    `.import` knows no NULL, only ''. So the tables are not strict, a column may be without a value, and an index that
    leaves out NULL leaves out ''. '' takes as much room in a row as NULL, none.
    """
    with closing(sqlite3.connect(f"file:{store}?mode=ro", uri=True)) as db:
        said = [sql for sql, in db.execute(
            """SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND type IN ('table', 'index')
               AND name NOT LIKE 'sqlite%' AND name NOT LIKE 'grdb%' ORDER BY type = 'index'""")]
    statements = []
    for sql in said:
        if sql.startswith("CREATE TABLE"):
            sql = re.sub(r"\)\s*STRICT\s*,?\s*", ") ", sql)
        else:
            sql = sql.replace(" IS NOT NULL", " <> ''").replace(" IS NULL", " = ''")
        statements.append(sql + ";")
    return "\n".join(statements)


def import_rows(path, statements, folder, tables):
    """Seconds that the import takes."""
    remove(path)
    script = folder / "script.sql"
    imports = "\n".join(f'.import "{folder}/{name}.csv" {name}' for name in tables)
    script.write_text(f"{PRAGMAS}\n{statements}\n.mode csv\n{imports}\n")
    with open(script) as file:
        seconds, _, _ = timed(["sqlite3", "-batch", "-bail", path], stdin=file)
    return seconds
