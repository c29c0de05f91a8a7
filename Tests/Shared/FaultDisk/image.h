// What a loss of power would leave of a file.
#ifndef IMAGE_H
#define IMAGE_H

#include <stddef.h>

// A change that was not synced.
struct change {
    struct change *next;
    long long offset;
    size_t size;
    int truncates;
    unsigned char bytes[];
};

// A file: what is durable of it, and what was done to it since.
struct image {
    struct image *next;
    char *path;
    int exists;
    unsigned char *bytes;
    size_t size;
    struct change *changes, **last;
};

// The image of the file at `path`, with what is in the file now taken as durable. Null without
// memory.
struct image *image_create(const char *path);
void image_destroy(struct image *image);

// A change that was made and not synced; returns 0 without memory.
int image_write(struct image *image, const void *bytes, size_t size, long long offset);
int image_truncate(struct image *image, long long size);

// A sync that worked: all changes are durable.
void image_sync(struct image *image);
// A sync that did not: the changes are in no memory that is ever written.
void image_forget(struct image *image);
// The file is gone.
void image_delete(struct image *image);

#endif
