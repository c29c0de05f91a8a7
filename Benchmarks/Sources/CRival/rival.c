#include "rival.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct rival {
    sqlite3 *database;
    sqlite3_stmt *insert;
};

static void check(int code, sqlite3 *database) {
    if (code == SQLITE_OK || code == SQLITE_DONE || code == SQLITE_ROW) return;
    fprintf(stderr, "error: the rival: %s\n", sqlite3_errmsg(database));
    exit(EXIT_FAILURE);
}

rival *rival_open(const char *path) {
    rival *rival = calloc(1, sizeof *rival);
    check(sqlite3_open(path, &rival->database), rival->database);
    const char *sql = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
                      "PRAGMA wal_autocheckpoint = 0;"
                      "CREATE TABLE records (sequence INTEGER PRIMARY KEY, boot_id TEXT NOT NULL,"
                      " life INTEGER NOT NULL, monotonic_ns INTEGER NOT NULL,"
                      " wall_ns INTEGER NOT NULL, kind TEXT NOT NULL, details TEXT NOT NULL,"
                      " vocabulary INTEGER NOT NULL, hash BLOB NOT NULL) STRICT";
    check(sqlite3_exec(rival->database, sql, NULL, NULL, NULL), rival->database);
    sql = "INSERT INTO records VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)";
    check(sqlite3_prepare_v2(rival->database, sql, -1, &rival->insert, NULL), rival->database);
    return rival;
}

void rival_insert(rival *rival, long long sequence, const char *kind, const char *details) {
    static const char hash[32];
    sqlite3_stmt *insert = rival->insert;
    sqlite3_bind_int64(insert, 1, sequence);
    sqlite3_bind_text(insert, 2, "0123456789abcdef0123456789abcdef", -1, SQLITE_STATIC);
    sqlite3_bind_int64(insert, 3, 1);
    sqlite3_bind_int64(insert, 4, 1234567890123 + sequence);
    sqlite3_bind_int64(insert, 5, 1795305600123456789 + sequence);
    sqlite3_bind_text(insert, 6, kind, -1, SQLITE_STATIC);
    sqlite3_bind_text(insert, 7, details, -1, SQLITE_STATIC);
    sqlite3_bind_int64(insert, 8, 2);
    sqlite3_bind_blob(insert, 9, hash, sizeof hash, SQLITE_STATIC);
    check(sqlite3_step(insert), rival->database);
    sqlite3_reset(insert);
}

void rival_close(rival *rival) {
    sqlite3_finalize(rival->insert);
    sqlite3_close(rival->database);
    free(rival);
}

long long rival_scan(const char *path) {
    sqlite3 *database;
    sqlite3_stmt *select;
    check(sqlite3_open_v2(path, &database, SQLITE_OPEN_READONLY, NULL), database);
    const char *sql = "SELECT sequence, life, monotonic_ns, wall_ns, vocabulary, boot_id, kind,"
                      " details, hash FROM records ORDER BY sequence";
    check(sqlite3_prepare_v2(database, sql, -1, &select, NULL), database);
    long long count = 0, sum = 0;
    int code;
    while ((code = sqlite3_step(select)) == SQLITE_ROW) {
        for (int column = 0; column < 5; column++) sum += sqlite3_column_int64(select, column);
        for (int column = 5; column < 8; column++) sum += sqlite3_column_text(select, column)[0];
        sum += *(const char *)sqlite3_column_blob(select, 8);
        count++;
    }
    check(code, database);
    sqlite3_finalize(select);
    sqlite3_close(database);
    // Whoever sees that nobody wants the sum would read nothing.
    return sum == 0 ? 0 : count;
}
