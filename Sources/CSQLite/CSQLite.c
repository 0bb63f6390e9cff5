#include "CSQLite.h"

#include <sqlite3.h>

void csqlite_be_defensive(struct sqlite3 *database) {
  sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
}
