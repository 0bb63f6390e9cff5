// Functions of libpq, which is opened at first use: linking it would slow every start of the program, and machines that do not share a
// store need not have it.
#pragma once

#include <stddef.h>

typedef struct pg_conn cpg_connection;
typedef struct pg_result cpg_result;

/// Opens libpq. Returns NULL, or the reason of the failure. Can be called repeatedly, from one thread at a time.
const char *_Nullable cpg_open(void);

/// Connects, and waits until the connection is established or has failed. `words` and `values` end with NULL. Returns NULL if there is no
/// memory.
cpg_connection *_Nullable cpg_connect(
    const char *_Nullable const *_Nonnull words, const char *_Nullable const *_Nonnull values);
int cpg_is_connected(const cpg_connection *_Nonnull connection);
/// Message of the last error, valid until the next call.
const char *_Nonnull cpg_message(const cpg_connection *_Nonnull connection);
void cpg_close(cpg_connection *_Nonnull connection);
/// Version of the server, such as 150018.
int cpg_server_version(const cpg_connection *_Nonnull connection);
int cpg_uses_tls(const cpg_connection *_Nonnull connection);

/// Checks a connection string. Returns NULL if it is valid, or a message to be freed with `free`.
char *_Nullable cpg_check(const char *_Nonnull text);
/// Value of a keyword in a connection string, to be freed with `free`, or NULL.
char *_Nullable cpg_value(const char *_Nonnull text, const char *_Nonnull keyword);

/// Runs one statement. Parameters are texts or NULL; results are binary. NULL if the connection is lost or there is no memory.
cpg_result *_Nullable cpg_run(
    cpg_connection *_Nonnull connection, const char *_Nonnull statement, int count, const char *_Nullable const *_Nullable parameters);
/// Runs several statements without parameters; the result is that of the last.
cpg_result *_Nullable cpg_run_all(cpg_connection *_Nonnull connection, const char *_Nonnull statements);

enum cpg_outcome { CPG_DONE, CPG_ROWS, CPG_COPY_IN, CPG_FAILED };
enum cpg_outcome cpg_outcome(const cpg_result *_Nonnull result);
/// Five characters of the error, or NULL.
const char *_Nullable cpg_state(const cpg_result *_Nonnull result);
const char *_Nullable cpg_reason(const cpg_result *_Nonnull result);
int cpg_rows(const cpg_result *_Nonnull result);
int cpg_is_null(const cpg_result *_Nonnull result, int row, int column);
const char *_Nonnull cpg_bytes(const cpg_result *_Nonnull result, int row, int column, size_t *_Nonnull count);
void cpg_free(cpg_result *_Nonnull result);

/// Sends data of a COPY. Returns 0 if the connection is lost.
int cpg_put(cpg_connection *_Nonnull connection, const char *_Nonnull bytes, size_t count);
/// Ends a COPY; with a reason, it is abandoned. Returns its result, or NULL if the connection is lost.
cpg_result *_Nullable cpg_put_end(cpg_connection *_Nonnull connection, const char *_Nullable reason);
