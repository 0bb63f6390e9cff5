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
    """Exports each non-empty table as a CSV file. Returns the number of rows of each."""
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
    """Returns the statements for the store's tables and indexes, changed so that `.import` can fill them.

    `.import` writes '' instead of NULL. Therefore the tables are not strict, and partial indexes that exclude NULL exclude ''.
    Both values take no space in a row.
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
    """Imports the rows and returns the seconds."""
    remove(path)
    script = folder / "script.sql"
    imports = "\n".join(f'.import "{folder}/{name}.csv" {name}' for name in tables)
    script.write_text(f"{PRAGMAS}\n{statements}\n.mode csv\n{imports}\n")
    with open(script) as file:
        seconds, _, _ = timed(["sqlite3", "-batch", "-bail", path], stdin=file)
    return seconds
