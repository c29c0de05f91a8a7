#pragma once

/// A table like that of the ledger's records in a database of SQLite, used by hand: no hash, no
/// registers, no thread.
typedef struct rival rival;

/// Makes the database at `path`, durable with each transaction, with a write-ahead log.
rival *rival_open(const char *path);

/// Inserts a row with this number, in a transaction of its own.
void rival_insert(rival *rival, long long sequence, const char *kind, const char *details);

/// Ends it.
void rival_close(rival *rival);

/// Reads every column of every record of the ledger at `path`; returns how many there are.
long long rival_scan(const char *path);
