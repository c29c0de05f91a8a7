#include <sqlite3.h>

// What takes as many arguments as its second one says, which Swift cannot call: a connection that
// is closed leaves the write-ahead log as it is.
static inline int turnstiled_leave_log_on_close(sqlite3 *database, int leaves)
{
    return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, leaves, (int *)0);
}

// Writes the write-ahead log once more, byte for byte as it is read, and has that be durable. The
// caller has begun a transaction, so that nobody else writes it meanwhile.
static inline int turnstiled_rewrite_log(sqlite3 *database)
{
    sqlite3_file *log = 0;
    sqlite3_int64 size = 0;
    unsigned char part[4096];
    int code = sqlite3_file_control(database, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log);
    if (code != SQLITE_OK) return code;
    if (!log || !log->pMethods) return SQLITE_OK;
    code = log->pMethods->xFileSize(log, &size);
    for (sqlite3_int64 offset = 0; code == SQLITE_OK && offset < size; offset += sizeof part) {
        sqlite3_int64 rest = size - offset;
        int count = rest < (sqlite3_int64)sizeof part ? (int)rest : (int)sizeof part;
        code = log->pMethods->xRead(log, part, count, offset);
        if (code == SQLITE_OK) code = log->pMethods->xWrite(log, part, count, offset);
    }
    return code == SQLITE_OK ? log->pMethods->xSync(log, SQLITE_SYNC_NORMAL) : code;
}
