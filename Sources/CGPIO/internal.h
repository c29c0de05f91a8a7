/* What the .c files of cgpio share. */
#ifndef CGPIO_INTERNAL_H
#define CGPIO_INTERNAL_H

#include "cgpio.h"

/* Notes that call failed with the present errno, for the line at offset or, with -1, for none in
 * particular. Returns false, to be returned. */
bool cgpio_failed(struct cgpio_error *error, const char *call, int offset);

/* Copies source, which may be NULL, and always ends it with a zero. */
void cgpio_copy_name(char destination[CGPIO_NAME_SIZE], const char *source);

/* Makes reads from descriptor return at once. */
bool cgpio_make_nonblocking(int descriptor, struct cgpio_error *error);

#endif
