#include "image.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void load(struct image *image)
{
    FILE *file = fopen(image->path, "rb");
    if (!file) return;
    image->exists = 1;
    unsigned char part[4096];
    size_t count;
    while ((count = fread(part, 1, sizeof part, file)) > 0) {
        unsigned char *bytes = realloc(image->bytes, image->size + count);
        if (!bytes) break;
        image->bytes = bytes;
        memcpy(image->bytes + image->size, part, count);
        image->size += count;
    }
    fclose(file);
}

struct image *image_create(const char *path)
{
    struct image *image = calloc(1, sizeof *image);
    if (!image) return NULL;
    image->last = &image->changes;
    image->path = strdup(path);
    if (!image->path) {
        free(image);
        return NULL;
    }
    load(image);
    return image;
}

void image_destroy(struct image *image)
{
    image_forget(image);
    free(image->bytes);
    free(image->path);
    free(image);
}

static int add(struct image *image, const void *bytes, size_t size, long long offset, int truncates)
{
    struct change *change = malloc(sizeof *change + size);
    if (!change) return 0;
    change->next = NULL;
    change->offset = offset;
    change->size = size;
    change->truncates = truncates;
    if (size) memcpy(change->bytes, bytes, size);
    *image->last = change;
    image->last = &change->next;
    return 1;
}

int image_write(struct image *image, const void *bytes, size_t size, long long offset)
{
    return add(image, bytes, size, offset, 0);
}

int image_truncate(struct image *image, long long size) { return add(image, NULL, 0, size, 1); }

// What is beyond the end of a file that grows is zero.
static void resize(struct image *image, size_t size)
{
    unsigned char *bytes = realloc(image->bytes, size ? size : 1);
    if (!bytes) abort();
    image->bytes = bytes;
    if (size > image->size) memset(bytes + image->size, 0, size - image->size);
    image->size = size;
}

void image_sync(struct image *image)
{
    for (struct change *change = image->changes; change; change = change->next) {
        size_t end = (size_t)change->offset + change->size;
        if (change->truncates || end > image->size) resize(image, end);
        memcpy(image->bytes + change->offset, change->bytes, change->size);
    }
    image->exists = 1;
    image_forget(image);
}

void image_forget(struct image *image)
{
    while (image->changes) {
        struct change *change = image->changes;
        image->changes = change->next;
        free(change);
    }
    image->last = &image->changes;
}

void image_delete(struct image *image)
{
    image_forget(image);
    image->exists = 0;
    image->size = 0;
}
