#pragma once

/// Rows of a ledger, written as they come: no hash, no registers, nothing durable.
typedef struct ledger_rows ledger_rows;

/// Opens the ledger at `path`, which nobody else has open.
ledger_rows *ledger_rows_open(const char *path);

/// Adds a record.
void ledger_rows_record(
    ledger_rows *rows, long long sequence, long long wall_ns, const char *kind,
    const char *details);

/// Adds a checkpoint of a day that is kept for good.
void ledger_rows_checkpoint(
    ledger_rows *rows, long long number, long long sequence, long long wall_ns, const char *day,
    const char *registers);

/// Sets a number of the state.
void ledger_rows_state(ledger_rows *rows, const char *name, long long value);

/// A number of the state.
long long ledger_rows_read_state(ledger_rows *rows, const char *name);

/// Writes what is left, and closes it.
void ledger_rows_close(ledger_rows *rows);

/// A ledger that is open.
typedef struct rival rival;

/// Opens the ledger at `path`, and reads the registers and the last record; where it is to be
/// written, writes the number of this start as well, durably.
rival *rival_open(const char *path, int writes);

/// Closes it.
void rival_close(rival *rival);

/// Counts the records between these times by hour, kind and fields, as SQL does that; returns how
/// many groups there are. With the numbers of the records it has to look at no others; where they
/// are 0 it does not know them.
long long rival_group(
    const char *path, long long first, long long last, long long from_ns, long long to_ns);
