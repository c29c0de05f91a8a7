/* What does not depend on the generation of libgpiod. */
#include "internal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <gpiod.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

bool cgpio_failed(struct cgpio_error *error, const char *call, int offset)
{
	*error = (struct cgpio_error){ .call = call, .number = errno, .offset = offset };
	return false;
}

void cgpio_copy_name(char destination[CGPIO_NAME_SIZE], const char *source)
{
	snprintf(destination, CGPIO_NAME_SIZE, "%s", source ? source : "");
}

bool cgpio_make_nonblocking(int descriptor, struct cgpio_error *error)
{
	int flags = fcntl(descriptor, F_GETFL);

	if (flags < 0 || fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) < 0)
		return cgpio_failed(error, "fcntl", -1);
	return true;
}

int cgpio_duplicate(int descriptor, struct cgpio_error *error)
{
	int duplicate = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);

	if (duplicate < 0)
		cgpio_failed(error, "fcntl", -1);
	return duplicate;
}

int64_t cgpio_monotonic_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

/* The N of "gpiochipN", or -1 where name is something else. */
static int chip_number(const char *name)
{
	static const char prefix[] = "gpiochip";
	const char *digits = name + strlen(prefix);
	char *end;
	long number;

	if (strncmp(name, prefix, strlen(prefix)) || *digits < '0' || *digits > '9')
		return -1;
	number = strtol(digits, &end, 10);
	return *end || number > INT_MAX ? -1 : (int)number;
}

int cgpio_next_chip(int after)
{
	DIR *devices = opendir("/dev");
	struct dirent *entry;
	struct stat status;
	int next = -1;

	if (!devices)
		return -1;
	while ((entry = readdir(devices))) {
		int number = chip_number(entry->d_name);

		if (number > after && (next < 0 || number < next) &&
		    !fstatat(dirfd(devices), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) &&
		    S_ISCHR(status.st_mode))
			next = number;
	}
	closedir(devices);
	return next;
}

struct cgpio_chip *cgpio_chip_open(const char *path, struct cgpio_chip_info *info,
				   struct cgpio_error *error)
{
	struct cgpio_chip *chip = malloc(sizeof *chip);

	if (!chip) {
		cgpio_failed(error, "malloc", -1);
		return NULL;
	}
	chip->gpiod = gpiod_chip_open(path);
	if (!chip->gpiod) {
		cgpio_failed(error, "gpiod_chip_open", -1);
		free(chip);
		return NULL;
	}
	if (!cgpio_describe_chip(chip, info, error)) {
		cgpio_chip_close(chip);
		return NULL;
	}
	return chip;
}

void cgpio_chip_close(struct cgpio_chip *chip)
{
	gpiod_chip_close(chip->gpiod);
	free(chip);
}
