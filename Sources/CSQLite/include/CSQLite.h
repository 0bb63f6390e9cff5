// SQLite's variadic functions as plain ones, which is all that Swift cannot call by itself.
#pragma once

struct sqlite3;

/// Refuses statements that write to the schema, or to what virtual tables keep, past SQLite's checks.
void csqlite_be_defensive(struct sqlite3 *database);
