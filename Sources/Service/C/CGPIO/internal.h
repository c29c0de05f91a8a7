/* What the .c files of cgpio share. */
#ifndef CGPIO_INTERNAL_H
#define CGPIO_INTERNAL_H

#include "cgpio.h"

/* Notes that call failed with the present errno, for the line at offset or, with -1, for none in
 * particular. Returns false, to be returned. */
bool cgpio_failed(struct cgpio_error *error, const char *call, int offset);

/* Copies source, which may be NULL, and always ends it with a zero. */
void cgpio_copy_name(char destination[CGPIO_NAME_SIZE], const char *source);

struct cgpio_chip {
	struct gpiod_chip *gpiod;
};

/* Tells what the open chip is. Each generation has its own way. */
bool cgpio_describe_chip(struct cgpio_chip *chip, struct cgpio_chip_info *info,
			 struct cgpio_error *error);

/* Makes reads from descriptor return at once. */
bool cgpio_make_nonblocking(int descriptor, struct cgpio_error *error);

/* Another descriptor of what descriptor is open on, to be closed apart from it; -1 on failure. */
int cgpio_duplicate(int descriptor, struct cgpio_error *error);

#endif
