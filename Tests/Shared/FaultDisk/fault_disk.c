#include "fault_disk.h"

#include "image.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct fault_disk {
    sqlite3_vfs vfs;
    sqlite3_vfs *system;
    char *name;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    struct image *images;
    // What is armed, and what happened since.
    enum fault_operation operation;
    enum fault_kind kind;
    long first, times, failures, hanging;
    long counts[FAULT_OPERATIONS];
};

// A file that SQLite has open; the system's own one follows it in memory.
struct file {
    sqlite3_file base;
    struct fault_disk *disk;
    struct image *image;
};

static sqlite3_file *real(sqlite3_file *file) { return (sqlite3_file *)((struct file *)file + 1); }
static struct fault_disk *disk_of(sqlite3_file *file) { return ((struct file *)file)->disk; }
static struct image *image_of(sqlite3_file *file) { return ((struct file *)file)->image; }

// Counts the operation, and waits if it hangs. Returns the code that it fails with, and 0 where it
// is to be done; whether half of it is to be done all the same.
static int meet(struct fault_disk *disk, enum fault_operation operation, int code, int *half)
{
    pthread_mutex_lock(&disk->mutex);
    long count = ++disk->counts[operation];
    int fails = operation == disk->operation && count >= disk->first
        && count - disk->first < disk->times;
    enum fault_kind kind = disk->kind;
    if (fails) disk->failures += 1;
    if (fails && kind == FAULT_HANG) {
        disk->hanging += 1;
        pthread_cond_broadcast(&disk->changed);
        while (disk->hanging > 0) pthread_cond_wait(&disk->changed, &disk->mutex);
    }
    pthread_mutex_unlock(&disk->mutex);
    if (!fails || kind == FAULT_HANG) return SQLITE_OK;
    if (kind == FAULT_SHORT && half) *half = 1;
    if (kind == FAULT_CORRUPT) return SQLITE_CORRUPT;
    return kind == FAULT_FULL ? SQLITE_FULL : code;
}

static int close_file(sqlite3_file *file) { return real(file)->pMethods->xClose(real(file)); }

static int read_file(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset)
{
    int code = meet(disk_of(file), FAULT_READ, SQLITE_IOERR_READ, NULL);
    return code ? code : real(file)->pMethods->xRead(real(file), bytes, count, offset);
}

static int write_file(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset)
{
    int half = 0;
    int code = meet(disk_of(file), FAULT_WRITE, SQLITE_IOERR_WRITE, &half);
    if (code && !half) return code;
    if (half) count /= 2;
    int result = real(file)->pMethods->xWrite(real(file), bytes, count, offset);
    if (result == SQLITE_OK && !image_write(image_of(file), bytes, (size_t)count, offset)) {
        return SQLITE_NOMEM;
    }
    return code ? code : result;
}

static int truncate_file(sqlite3_file *file, sqlite3_int64 size)
{
    int code = meet(disk_of(file), FAULT_TRUNCATE, SQLITE_IOERR_TRUNCATE, NULL);
    if (code) return code;
    code = real(file)->pMethods->xTruncate(real(file), size);
    if (code == SQLITE_OK && !image_truncate(image_of(file), size)) return SQLITE_NOMEM;
    return code;
}

static int sync_file(sqlite3_file *file, int flags)
{
    // No power is lost in a test: the system's files need not be synced.
    (void)flags;
    int code = meet(disk_of(file), FAULT_SYNC, SQLITE_IOERR_FSYNC, NULL);
    if (code) {
        image_forget(image_of(file));
    } else {
        image_sync(image_of(file));
    }
    return code;
}

static int size_of_file(sqlite3_file *file, sqlite3_int64 *size)
{
    return real(file)->pMethods->xFileSize(real(file), size);
}

static int lock_file(sqlite3_file *file, int level)
{
    int code = meet(disk_of(file), FAULT_LOCK, SQLITE_IOERR_LOCK, NULL);
    return code ? code : real(file)->pMethods->xLock(real(file), level);
}

static int unlock_file(sqlite3_file *file, int level)
{
    return real(file)->pMethods->xUnlock(real(file), level);
}

static int check_lock(sqlite3_file *file, int *result)
{
    return real(file)->pMethods->xCheckReservedLock(real(file), result);
}

static int control(sqlite3_file *file, int operation, void *argument)
{
    return real(file)->pMethods->xFileControl(real(file), operation, argument);
}

static int sector_size(sqlite3_file *file) { return real(file)->pMethods->xSectorSize(real(file)); }

static int characteristics(sqlite3_file *file)
{
    return real(file)->pMethods->xDeviceCharacteristics(real(file));
}

static int map_shm(sqlite3_file *file, int page, int size, int extends, void volatile **memory)
{
    int code = meet(disk_of(file), FAULT_SHM_MAP, SQLITE_IOERR_SHMMAP, NULL);
    if (code) return code;
    return real(file)->pMethods->xShmMap(real(file), page, size, extends, memory);
}

static int lock_shm(sqlite3_file *file, int offset, int count, int flags)
{
    // Giving a lock back cannot fail.
    int code = SQLITE_OK;
    if (flags & SQLITE_SHM_LOCK) {
        code = meet(disk_of(file), FAULT_SHM_LOCK, SQLITE_IOERR_SHMLOCK, NULL);
    }
    return code ? code : real(file)->pMethods->xShmLock(real(file), offset, count, flags);
}

static void barrier(sqlite3_file *file) { real(file)->pMethods->xShmBarrier(real(file)); }

static int unmap_shm(sqlite3_file *file, int deletes)
{
    return real(file)->pMethods->xShmUnmap(real(file), deletes);
}

static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = close_file,
    .xRead = read_file,
    .xWrite = write_file,
    .xTruncate = truncate_file,
    .xSync = sync_file,
    .xFileSize = size_of_file,
    .xLock = lock_file,
    .xUnlock = unlock_file,
    .xCheckReservedLock = check_lock,
    .xFileControl = control,
    .xSectorSize = sector_size,
    .xDeviceCharacteristics = characteristics,
    .xShmMap = map_shm,
    .xShmLock = lock_shm,
    .xShmBarrier = barrier,
    .xShmUnmap = unmap_shm,
};

// The image of the file at `path`, which is made where there is none yet.
static struct image *find_image(struct fault_disk *disk, const char *path)
{
    pthread_mutex_lock(&disk->mutex);
    struct image *image = disk->images;
    while (image && strcmp(image->path, path) != 0) image = image->next;
    if (!image && (image = image_create(path))) {
        image->next = disk->images;
        disk->images = image;
    }
    pthread_mutex_unlock(&disk->mutex);
    return image;
}

static int open_file(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *opened)
{
    struct fault_disk *disk = vfs->pAppData;
    file->pMethods = NULL;
    int code = meet(disk, FAULT_OPEN, SQLITE_CANTOPEN, NULL);
    if (code) return code;
    ((struct file *)file)->disk = disk;
    ((struct file *)file)->image = find_image(disk, path ? path : "");
    if (!image_of(file)) return SQLITE_NOMEM;
    code = disk->system->xOpen(disk->system, path, real(file), flags, opened);
    if (code == SQLITE_OK) file->pMethods = &methods;
    return code;
}

static int delete_file(sqlite3_vfs *vfs, const char *path, int syncs)
{
    struct fault_disk *disk = vfs->pAppData;
    int code = meet(disk, FAULT_DELETE, SQLITE_IOERR_DELETE, NULL);
    if (code) return code;
    code = disk->system->xDelete(disk->system, path, syncs);
    struct image *image = find_image(disk, path);
    if (code == SQLITE_OK && image) image_delete(image);
    return code;
}

fault_disk *fault_disk_create(const char *name)
{
    struct fault_disk *disk = calloc(1, sizeof *disk);
    if (!disk) return NULL;
    disk->name = strdup(name);
    disk->system = sqlite3_vfs_find(NULL);
    disk->vfs = *disk->system;
    disk->vfs.pNext = NULL;
    disk->vfs.zName = disk->name;
    disk->vfs.pAppData = disk;
    disk->vfs.szOsFile = (int)sizeof(struct file) + disk->system->szOsFile;
    disk->vfs.xOpen = open_file;
    disk->vfs.xDelete = delete_file;
    pthread_mutex_init(&disk->mutex, NULL);
    pthread_cond_init(&disk->changed, NULL);
    if (disk->name && sqlite3_vfs_register(&disk->vfs, 0) == SQLITE_OK) return disk;
    fault_disk_destroy(disk);
    return NULL;
}

void fault_disk_destroy(fault_disk *disk)
{
    sqlite3_vfs_unregister(&disk->vfs);
    while (disk->images) {
        struct image *image = disk->images;
        disk->images = image->next;
        image_destroy(image);
    }
    pthread_cond_destroy(&disk->changed);
    pthread_mutex_destroy(&disk->mutex);
    free(disk->name);
    free(disk);
}

void fault_disk_arm(fault_disk *disk, enum fault_operation operation, long nth, long times,
                    enum fault_kind kind)
{
    pthread_mutex_lock(&disk->mutex);
    disk->operation = operation;
    disk->first = nth;
    disk->times = times;
    disk->kind = kind;
    disk->failures = 0;
    memset(disk->counts, 0, sizeof disk->counts);
    pthread_mutex_unlock(&disk->mutex);
}

long fault_disk_count(fault_disk *disk, enum fault_operation operation)
{
    pthread_mutex_lock(&disk->mutex);
    long count = disk->counts[operation];
    pthread_mutex_unlock(&disk->mutex);
    return count;
}

long fault_disk_failures(fault_disk *disk)
{
    pthread_mutex_lock(&disk->mutex);
    long failures = disk->failures;
    pthread_mutex_unlock(&disk->mutex);
    return failures;
}

int fault_disk_await_hang(fault_disk *disk, int seconds)
{
    struct timespec limit;
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec += seconds;
    pthread_mutex_lock(&disk->mutex);
    int code = 0;
    while (disk->hanging == 0 && code == 0) {
        code = pthread_cond_timedwait(&disk->changed, &disk->mutex, &limit);
    }
    int hangs = disk->hanging > 0;
    pthread_mutex_unlock(&disk->mutex);
    return hangs;
}

void fault_disk_release(fault_disk *disk)
{
    pthread_mutex_lock(&disk->mutex);
    disk->hanging = 0;
    disk->times = 0;
    pthread_cond_broadcast(&disk->changed);
    pthread_mutex_unlock(&disk->mutex);
}

int fault_disk_copy(fault_disk *disk, const char *path, const char *copy)
{
    struct image *image = find_image(disk, path);
    if (!image || !image->exists) return 0;
    FILE *file = fopen(copy, "wb");
    if (!file) return -1;
    size_t count = fwrite(image->bytes, 1, image->size, file);
    return fclose(file) == 0 && count == image->size ? 1 : -1;
}
