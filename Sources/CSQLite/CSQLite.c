#include "CSQLite.h"

#include <sqlite3.h>

void csqlite_be_defensive(struct sqlite3 *database) {
  sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
}

int csqlite_format_version(struct sqlite3 *database) {
  sqlite3_file *file = 0;
  unsigned char version = 0;
  if (sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK || !file || !file->pMethods ||
      file->pMethods->xRead(file, &version, 1, 18) != SQLITE_OK)
    return 0;
  return version;
}
