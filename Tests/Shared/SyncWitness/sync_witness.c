#define _GNU_SOURCE
#include "sync_witness.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static _Thread_local FILE *notes;
static _Thread_local char *text;
static _Thread_local size_t length;

void sync_witness_begin(void) { notes = open_memstream(&text, &length); }

char *sync_witness_end(void)
{
    fclose(notes);
    notes = NULL;
    return text;
}

static int synced(int descriptor, int result)
{
    char link[64], path[4096];
    if (!notes || result != 0) return result;
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t count = readlink(link, path, sizeof path);
    if (count > 0) fprintf(notes, "sync %.*s\n", (int)count, path);
    return result;
}

int fsync(int descriptor) { return synced(descriptor, (int)syscall(SYS_fsync, descriptor)); }

int fdatasync(int descriptor)
{
    return synced(descriptor, (int)syscall(SYS_fdatasync, descriptor));
}

int renameat2(int folder, const char *path, int other_folder, const char *other,
              unsigned int flags)
{
    int result = (int)syscall(SYS_renameat2, folder, path, other_folder, other, flags);
    if (notes && result == 0) fprintf(notes, "rename %s\t%s\n", path, other);
    return result;
}

int rename(const char *path, const char *other)
{
    return renameat2(AT_FDCWD, path, AT_FDCWD, other, 0);
}
