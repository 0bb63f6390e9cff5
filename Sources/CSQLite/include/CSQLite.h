// Functions of SQLite that Swift cannot call by itself: variadic ones, and reading an open file.
#pragma once

struct sqlite3;

/// Sets SQLITE_DBCONFIG_DEFENSIVE: SQL can no longer write to `sqlite_schema` or to shadow tables.
void csqlite_be_defensive(struct sqlite3 *database);

/// Byte 18 of the header of a connection's file: 1 with a rollback journal, 2 in WAL mode, 0 if it cannot be read. Read through SQLite's
/// own descriptor, since closing another one would release the locks that this process holds on the file.
int csqlite_format_version(struct sqlite3 *database);
