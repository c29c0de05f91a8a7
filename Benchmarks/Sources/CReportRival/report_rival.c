#include "report_rival.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

struct ledger_rows {
    sqlite3 *database;
    sqlite3_stmt *record, *checkpoint;
};

static void check(sqlite3 *database, int code, int expected) {
    if (code == expected) return;
    fprintf(stderr, "SQLite: %s\n", sqlite3_errmsg(database));
    exit(EXIT_FAILURE);
}

static sqlite3 *database_at(const char *path, int flags) {
    sqlite3 *database;
    check(database, sqlite3_open_v2(path, &database, flags, NULL), SQLITE_OK);
    return database;
}

static sqlite3_stmt *statement(sqlite3 *database, const char *sql) {
    sqlite3_stmt *prepared;
    check(database, sqlite3_prepare_v2(database, sql, -1, &prepared, NULL), SQLITE_OK);
    return prepared;
}

ledger_rows *ledger_rows_open(const char *path) {
    ledger_rows *rows = malloc(sizeof *rows);
    sqlite3 *database = rows->database = database_at(path, SQLITE_OPEN_READWRITE);
    const char *begin = "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN";
    check(database, sqlite3_exec(database, begin, NULL, NULL, NULL), SQLITE_OK);
    rows->record = statement(
        database,
        "INSERT INTO records (sequence, boot_id, life, monotonic_ns, wall_ns, vocabulary, kind,"
        " details, hash) SELECT ?, boot_id, 1, 0, ?, vocabulary, ?, ?, randomblob(32)"
        " FROM records WHERE sequence = 1");
    rows->checkpoint = statement(
        database,
        "INSERT INTO checkpoints SELECT ?, ?, ?, 1, ?, replace(note, 'for begin', 'for day ' || ?)"
        " FROM checkpoints WHERE number = 1");
    return rows;
}

void ledger_rows_record(
    ledger_rows *rows, long long sequence, long long wall_ns, const char *kind,
    const char *details) {
    sqlite3_bind_int64(rows->record, 1, sequence);
    sqlite3_bind_int64(rows->record, 2, wall_ns);
    sqlite3_bind_text(rows->record, 3, kind, -1, SQLITE_TRANSIENT);
    sqlite3_bind_text(rows->record, 4, details, -1, SQLITE_TRANSIENT);
    check(rows->database, sqlite3_step(rows->record), SQLITE_DONE);
    sqlite3_reset(rows->record);
}

void ledger_rows_checkpoint(
    ledger_rows *rows, long long number, long long sequence, long long wall_ns, const char *day,
    const char *registers) {
    sqlite3_bind_int64(rows->checkpoint, 1, number);
    sqlite3_bind_int64(rows->checkpoint, 2, sequence);
    sqlite3_bind_int64(rows->checkpoint, 3, wall_ns);
    sqlite3_bind_text(rows->checkpoint, 4, registers, -1, SQLITE_TRANSIENT);
    sqlite3_bind_text(rows->checkpoint, 5, day, -1, SQLITE_TRANSIENT);
    check(rows->database, sqlite3_step(rows->checkpoint), SQLITE_DONE);
    sqlite3_reset(rows->checkpoint);
}

void ledger_rows_state(ledger_rows *rows, const char *name, long long value) {
    sqlite3_stmt *write = statement(rows->database, "UPDATE state SET value = ? WHERE name = ?");
    sqlite3_bind_int64(write, 1, value);
    sqlite3_bind_text(write, 2, name, -1, SQLITE_TRANSIENT);
    check(rows->database, sqlite3_step(write), SQLITE_DONE);
    sqlite3_finalize(write);
}

long long ledger_rows_read_state(ledger_rows *rows, const char *name) {
    sqlite3_stmt *read = statement(rows->database, "SELECT value FROM state WHERE name = ?");
    sqlite3_bind_text(read, 1, name, -1, SQLITE_TRANSIENT);
    check(rows->database, sqlite3_step(read), SQLITE_ROW);
    long long value = sqlite3_column_int64(read, 0);
    sqlite3_finalize(read);
    return value;
}

void ledger_rows_close(ledger_rows *rows) {
    sqlite3_finalize(rows->record);
    sqlite3_finalize(rows->checkpoint);
    const char *end = "COMMIT; PRAGMA journal_mode = WAL";
    check(rows->database, sqlite3_exec(rows->database, end, NULL, NULL, NULL), SQLITE_OK);
    check(rows->database, sqlite3_close(rows->database), SQLITE_OK);
    free(rows);
}

long long rival_group(
    const char *path, long long first, long long last, long long from_ns, long long to_ns) {
    sqlite3 *database = database_at(path, SQLITE_OPEN_READONLY);
    sqlite3_stmt *query = statement(
        database,
        last > 0 ? "SELECT wall_ns / 3600000000000, kind, details, count(*) FROM records"
                   " WHERE wall_ns >= ?1 AND wall_ns < ?2 AND sequence BETWEEN ?3 AND ?4"
                   " GROUP BY 1, 2, 3"
                 : "SELECT wall_ns / 3600000000000, kind, details, count(*) FROM records"
                   " WHERE wall_ns >= ?1 AND wall_ns < ?2 GROUP BY 1, 2, 3");
    sqlite3_bind_int64(query, 1, from_ns);
    sqlite3_bind_int64(query, 2, to_ns);
    if (last > 0) {
        sqlite3_bind_int64(query, 3, first);
        sqlite3_bind_int64(query, 4, last);
    }
    long long groups = 0;
    int code;
    while ((code = sqlite3_step(query)) == SQLITE_ROW) groups++;
    check(database, code, SQLITE_DONE);
    sqlite3_finalize(query);
    check(database, sqlite3_close(database), SQLITE_OK);
    return groups;
}

struct rival {
    sqlite3 *database;
};

/// Reads all rows of a table, or fails where there is none.
static void read_rows(sqlite3 *database, const char *sql) {
    sqlite3_stmt *query = statement(database, sql);
    check(database, sqlite3_step(query), SQLITE_ROW);
    int code;
    while ((code = sqlite3_step(query)) == SQLITE_ROW) continue;
    check(database, code, SQLITE_DONE);
    sqlite3_finalize(query);
}

rival *rival_open(const char *path, int writes) {
    rival *rival = malloc(sizeof *rival);
    sqlite3 *database = rival->database =
        database_at(path, writes ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY);
    read_rows(database, "SELECT * FROM registers");
    read_rows(database, "SELECT * FROM records ORDER BY sequence DESC LIMIT 1");
    if (writes) {
        const char *write =
            "PRAGMA synchronous = FULL; UPDATE state SET value = value WHERE name = 'life'";
        check(database, sqlite3_exec(database, write, NULL, NULL, NULL), SQLITE_OK);
    }
    return rival;
}

void rival_close(rival *rival) {
    check(rival->database, sqlite3_close(rival->database), SQLITE_OK);
    free(rival);
}
