#include <sqlite3.h>

// What takes as many arguments as its second one says, which Swift cannot call: a connection that
// is closed leaves the write-ahead log as it is.
static inline int turnstiled_leave_log_on_close(sqlite3 *database, int leaves)
{
    return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, leaves, (int *)0);
}
