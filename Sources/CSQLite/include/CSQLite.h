// SQLite's variadic functions as plain ones, which is all that Swift cannot call by itself.
#pragma once

struct sqlite3;

/// Sets SQLITE_DBCONFIG_DEFENSIVE: SQL can no longer write to `sqlite_schema` or to shadow tables.
void csqlite_be_defensive(struct sqlite3 *database);
