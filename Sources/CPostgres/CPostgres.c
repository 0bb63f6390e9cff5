#define _GNU_SOURCE
#include "include/CPostgres.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

// Declarations of libpq-fe.h that are stable since PostgreSQL 9.
typedef struct {
  char *keyword, *envvar, *compiled, *val, *label, *dispchar;
  int dispsize;
} option;

enum { PGRES_COMMAND_OK = 1, PGRES_TUPLES_OK = 2, PGRES_COPY_IN = 4 };
enum { DIAG_SQLSTATE = 'C', DIAG_MESSAGE = 'M' };

static struct {
  cpg_connection *(*PQconnectdbParams)(const char *const *, const char *const *, int);
  int (*PQstatus)(const cpg_connection *);
  char *(*PQerrorMessage)(const cpg_connection *);
  void (*PQfinish)(cpg_connection *);
  int (*PQserverVersion)(const cpg_connection *);
  int (*PQsslInUse)(cpg_connection *);
  option *(*PQconninfoParse)(const char *, char **);
  void (*PQconninfoFree)(option *);
  void (*PQfreemem)(void *);
  cpg_result *(*PQexecParams)(cpg_connection *, const char *, int, const unsigned *, const char *const *, const int *, const int *, int);
  cpg_result *(*PQexec)(cpg_connection *, const char *);
  int (*PQresultStatus)(const cpg_result *);
  char *(*PQresultErrorField)(const cpg_result *, int);
  int (*PQntuples)(const cpg_result *);
  int (*PQgetisnull)(const cpg_result *, int, int);
  char *(*PQgetvalue)(const cpg_result *, int, int);
  int (*PQgetlength)(const cpg_result *, int, int);
  void (*PQclear)(cpg_result *);
  int (*PQputCopyData)(cpg_connection *, const char *, int);
  int (*PQputCopyEnd)(cpg_connection *, const char *);
  cpg_result *(*PQgetResult)(cpg_connection *);
  void *(*PQsetNoticeProcessor)(cpg_connection *, void (*)(void *, const char *), void *);
} pq;

static void ignore_notice(void *context, const char *message) {
  (void)context;
  (void)message;
}

const char *cpg_open(void) {
  static int is_open;
  if (is_open) return NULL;
  // Tests name a file that does not exist.
  const char *name = getenv("SUBTOP_LIBPQ");
  void *library = dlopen(name ? name : "libpq.so.5", RTLD_NOW | RTLD_LOCAL);
  if (!library) return dlerror();
#define LOOK_UP(name) \
  if (!(*(void **)&pq.name = dlsym(library, #name))) return dlerror()
  LOOK_UP(PQconnectdbParams);
  LOOK_UP(PQstatus);
  LOOK_UP(PQerrorMessage);
  LOOK_UP(PQfinish);
  LOOK_UP(PQserverVersion);
  LOOK_UP(PQsslInUse);
  LOOK_UP(PQconninfoParse);
  LOOK_UP(PQconninfoFree);
  LOOK_UP(PQfreemem);
  LOOK_UP(PQexecParams);
  LOOK_UP(PQexec);
  LOOK_UP(PQresultStatus);
  LOOK_UP(PQresultErrorField);
  LOOK_UP(PQntuples);
  LOOK_UP(PQgetisnull);
  LOOK_UP(PQgetvalue);
  LOOK_UP(PQgetlength);
  LOOK_UP(PQclear);
  LOOK_UP(PQputCopyData);
  LOOK_UP(PQputCopyEnd);
  LOOK_UP(PQgetResult);
  LOOK_UP(PQsetNoticeProcessor);
  is_open = 1;
  return NULL;
}

cpg_connection *cpg_connect(const char *const *words, const char *const *values) {
  cpg_connection *connection = pq.PQconnectdbParams(words, values, 1);
  // Notices would appear on the terminal.
  if (connection) pq.PQsetNoticeProcessor(connection, ignore_notice, NULL);
  return connection;
}

int cpg_is_connected(const cpg_connection *connection) { return pq.PQstatus(connection) == 0; }
const char *cpg_message(const cpg_connection *connection) { return pq.PQerrorMessage(connection); }
void cpg_close(cpg_connection *connection) { pq.PQfinish(connection); }
int cpg_server_version(const cpg_connection *connection) { return pq.PQserverVersion(connection); }
int cpg_uses_tls(const cpg_connection *connection) { return pq.PQsslInUse((cpg_connection *)connection); }

char *cpg_check(const char *text) {
  char *message = NULL;
  option *options = pq.PQconninfoParse(text, &message);
  char *copy = options ? NULL : strdup(message ? message : "there is no memory");
  if (options) pq.PQconninfoFree(options);
  if (message) pq.PQfreemem(message);
  return copy;
}

char *cpg_value(const char *text, const char *keyword) {
  option *options = pq.PQconninfoParse(text, NULL);
  char *value = NULL;
  for (option *at = options; at && at->keyword; at++) {
    if (!strcmp(at->keyword, keyword) && at->val) value = strdup(at->val);
  }
  if (options) pq.PQconninfoFree(options);
  return value;
}

cpg_result *cpg_run(cpg_connection *connection, const char *statement, int count, const char *const *parameters) {
  return pq.PQexecParams(connection, statement, count, NULL, parameters, NULL, NULL, 1);
}

cpg_result *cpg_run_all(cpg_connection *connection, const char *statements) { return pq.PQexec(connection, statements); }

enum cpg_outcome cpg_outcome(const cpg_result *result) {
  switch (pq.PQresultStatus(result)) {
    case PGRES_COMMAND_OK: return CPG_DONE;
    case PGRES_TUPLES_OK: return CPG_ROWS;
    case PGRES_COPY_IN: return CPG_COPY_IN;
    default: return CPG_FAILED;
  }
}

const char *cpg_state(const cpg_result *result) { return pq.PQresultErrorField(result, DIAG_SQLSTATE); }
const char *cpg_reason(const cpg_result *result) { return pq.PQresultErrorField(result, DIAG_MESSAGE); }
int cpg_rows(const cpg_result *result) { return pq.PQntuples(result); }
int cpg_is_null(const cpg_result *result, int row, int column) { return pq.PQgetisnull(result, row, column); }

const char *cpg_bytes(const cpg_result *result, int row, int column, size_t *count) {
  *count = (size_t)pq.PQgetlength(result, row, column);
  return pq.PQgetvalue(result, row, column);
}

void cpg_free(cpg_result *result) { pq.PQclear(result); }

int cpg_put(cpg_connection *connection, const char *bytes, size_t count) {
  while (count) {
    int part = count > (1 << 20) ? 1 << 20 : (int)count;
    if (pq.PQputCopyData(connection, bytes, part) != 1) return 0;
    bytes += part;
    count -= (size_t)part;
  }
  return 1;
}

cpg_result *cpg_put_end(cpg_connection *connection, const char *reason) {
  if (pq.PQputCopyEnd(connection, reason) != 1) return NULL;
  cpg_result *result = pq.PQgetResult(connection);
  // The end of the statement is a result of its own.
  for (cpg_result *more; result && (more = pq.PQgetResult(connection));) pq.PQclear(more);
  return result;
}
