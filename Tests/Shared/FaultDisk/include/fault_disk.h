// A disk for SQLite that fails when it is told to, and knows what a loss of power would leave.
//
// It stands between SQLite and the system's files. What was written and not synced is lost with the
// power; what a sync that failed should have written is lost as well, even if the next sync works,
// since kernels take it for written.
#ifndef FAULT_DISK_H
#define FAULT_DISK_H

typedef struct fault_disk fault_disk;

// What SQLite does with a file.
enum fault_operation {
    FAULT_OPEN,
    FAULT_READ,
    FAULT_WRITE,
    FAULT_TRUNCATE,
    FAULT_SYNC,
    FAULT_LOCK,
    FAULT_SHM_MAP,
    FAULT_SHM_LOCK,
    FAULT_DELETE,
    FAULT_OPERATIONS
};

// What comes of it.
enum fault_kind {
    FAULT_IO,      // it fails, and nothing of it is done
    FAULT_SHORT,   // a write fails when half of it is done
    FAULT_FULL,    // there is no room
    FAULT_CORRUPT, // what is there makes no sense
    FAULT_HANG     // it waits until fault_disk_release, and then is done
};

// A disk that works, for databases that are opened with the VFS `name`. Null without memory.
fault_disk *fault_disk_create(const char *name);
// No database on it is open any more.
void fault_disk_destroy(fault_disk *disk);

// Has the operation fail in this way, the nth time from now (from 1) and `times - 1` times more.
void fault_disk_arm(fault_disk *disk, enum fault_operation operation, long nth, long times,
                    enum fault_kind kind);
// How often the operation was asked for since the disk was last armed.
long fault_disk_count(fault_disk *disk, enum fault_operation operation);
// How often it failed or hung since then.
long fault_disk_failures(fault_disk *disk);

// Waits until an operation hangs, so many seconds at most; returns whether one does.
int fault_disk_await_hang(fault_disk *disk, int seconds);
// Lets all that hangs go on.
void fault_disk_release(fault_disk *disk);

// Writes what a loss of power would leave of the file at `path` to the file at `copy`; returns 0
// where it would leave no file, and -1 where the copy cannot be written.
int fault_disk_copy(fault_disk *disk, const char *path, const char *copy);

#endif
