/*
 * cgpio: the GPIO lines of Linux, as turnstiled needs them, over libgpiod 1.6 or 2.x.
 *
 * Which generation is below is found when this library is compiled; its types stay in the .c
 * files. What the two cannot both do is told by cgpio_debounces() and cgpio_numbers_events().
 *
 * Values are logical: "active" is what a line means after its polarity was applied.
 *
 * Errors. A function that can fail takes a struct cgpio_error, which must not be NULL, and fills
 * it only when it fails. It then returns NULL, false or -1, and has changed nothing.
 *
 * Lifetimes. What is requested from a chip must be released before the chip is closed. Each
 * handle belongs to its caller and is given back once, by the function named with it. Names
 * and configurations are copied; nothing that a caller passes in is kept.
 *
 * Threads. A handle, and everything requested from one chip, is used by one thread at a time.
 * Functions without a handle can be called from any thread.
 */
#ifndef CGPIO_H
#define CGPIO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Room for a name with its terminating zero, as the kernel has it. */
#define CGPIO_NAME_SIZE 32

/* How many lines one request can hold, as the kernel has it. */
#define CGPIO_LINES_MAX 64

/* Which call failed, why, and for which line. */
struct cgpio_error {
	const char *call; /* the function's name, a string that is never freed */
	int number;       /* its errno */
	int offset;       /* the line, or -1 where the call does not say which */
};

/* ---- the library and the kernel ---------------------------------------------------------- */

/* The version of libgpiod that runs: "1.6.3". A string that is never freed. */
const char *cgpio_library_version(void);

/* Whether the kernel debounces inputs for us: with 2.x. Otherwise debounce_us has no effect. */
bool cgpio_debounces(void);

/* Whether events carry sequence numbers, so that lost ones leave a gap: with 2.x. */
bool cgpio_numbers_events(void);

/* Whether events are stamped with CLOCK_MONOTONIC. With 1.6 that takes Linux 5.7. */
bool cgpio_stamps_monotonic(void);

/* How many events the kernel holds for one descriptor. With 1.6, further ones are dropped; with
 * 2.x the oldest make room for them. */
size_t cgpio_queue_depth(void);

/* CLOCK_MONOTONIC, now, in nanoseconds. */
int64_t cgpio_monotonic_now(void);

/* ---- chips ------------------------------------------------------------------------------- */

struct cgpio_chip;

struct cgpio_chip_info {
	char name[CGPIO_NAME_SIZE];  /* "gpiochip0" */
	char label[CGPIO_NAME_SIZE]; /* "pinctrl-bcm2835" */
	unsigned int line_count;
};

/* The lowest N > after for which /dev/gpiochipN is a device, or -1 after the last. Start with
 * -1. Symbolic links do not count: they are second names of chips that have one. */
int cgpio_next_chip(int after);

/* Opens the chip at path and describes it. Close it with cgpio_chip_close(). */
struct cgpio_chip *cgpio_chip_open(const char *path, struct cgpio_chip_info *info,
				   struct cgpio_error *error);

void cgpio_chip_close(struct cgpio_chip *chip);

/* ---- lines ------------------------------------------------------------------------------- */

struct cgpio_line_info {
	unsigned int offset;
	bool is_used;                   /* by a process or by the kernel itself */
	bool is_output;
	char name[CGPIO_NAME_SIZE];     /* "" for a line without a name */
	char consumer[CGPIO_NAME_SIZE]; /* who uses it, "" where nobody said */
};

/* Describes the line at offset as it is now. */
bool cgpio_line_info(struct cgpio_chip *chip, unsigned int offset, struct cgpio_line_info *info,
		     struct cgpio_error *error);

/* ---- outputs ----------------------------------------------------------------------------- */

struct cgpio_output;

/* Takes the line at offset and drives it to active or inactive from the first instant on.
 * Release it with cgpio_output_release(). */
struct cgpio_output *cgpio_output_request(struct cgpio_chip *chip, const char *consumer,
					  unsigned int offset, bool active_low, bool active,
					  struct cgpio_error *error);

/* Takes the line at offset and leaves it as it is: neither its direction nor its level changes. The
 * kernel asks the chip's driver anew for the direction, which cgpio_line_info() tells from then
 * on. What the line carries is read by cgpio_output_get(); do not set it. */
struct cgpio_output *cgpio_output_request_as_is(struct cgpio_chip *chip, const char *consumer,
						unsigned int offset, bool active_low,
						struct cgpio_error *error);

bool cgpio_output_set(struct cgpio_output *output, bool active, struct cgpio_error *error);

/* Reads the line itself, not what was last set. */
bool cgpio_output_get(struct cgpio_output *output, bool *active, struct cgpio_error *error);

/* Gives the line back. What it carries from then on is up to the chip. */
void cgpio_output_release(struct cgpio_output *output);

/* ---- inputs ------------------------------------------------------------------------------ */

struct cgpio_inputs;

enum cgpio_bias {
	CGPIO_BIAS_AS_IS,
	CGPIO_BIAS_DISABLED,
	CGPIO_BIAS_PULL_UP,
	CGPIO_BIAS_PULL_DOWN,
};

struct cgpio_input {
	unsigned int offset;
	enum cgpio_bias bias; /* with 1.6, anything but as-is takes Linux 5.5 */
	bool active_low;
	uint32_t debounce_us; /* how long a level must last to count; 0 for no debounce */
};

struct cgpio_event {
	int64_t nanoseconds; /* when it happened, by the clock of cgpio_stamps_monotonic() */
	unsigned int offset;
	bool active;         /* what the line became */
	uint32_t number;     /* counts this descriptor's events from 1 and wraps; 0 with 1.6 */
};

/* How many descriptors a request of so many lines has: with 2.x they share one, in the order of
 * their edges; with 1.6 each has its own. */
size_t cgpio_descriptors_of(size_t line_count);

/* Takes the lines of inputs, 1 to CGPIO_LINES_MAX, and has both edges of each reported. Release
 * them with cgpio_inputs_release().
 *
 * kept, unless it is NULL, has as many elements as the request has descriptors: what an earlier
 * request of the same inputs, in the same order, had in its place, still open and with the edges
 * queued in it; or -1. It stays the caller's. One whose chip is gone is an error. */
struct cgpio_inputs *cgpio_inputs_request(struct cgpio_chip *chip, const char *consumer,
					  const struct cgpio_input *inputs, size_t count,
					  const int *kept, struct cgpio_error *error);

size_t cgpio_inputs_descriptor_count(const struct cgpio_inputs *inputs);

/* A descriptor that is readable while events wait; index counts from 0. It stays the handle's:
 * wait on it, do not read or close it. */
int cgpio_inputs_descriptor(const struct cgpio_inputs *inputs, size_t index);

/* Takes events from the descriptor at index, the oldest first, capacity of them at most, and
 * returns how many. Never blocks, allocates nothing: with nothing waiting it returns 0. */
int cgpio_inputs_read(struct cgpio_inputs *inputs, size_t index, struct cgpio_event *events,
		      size_t capacity, struct cgpio_error *error);

/* Reads the line at offset, one of those that were requested. */
bool cgpio_inputs_get(struct cgpio_inputs *inputs, unsigned int offset, bool *active,
		      struct cgpio_error *error);

void cgpio_inputs_release(struct cgpio_inputs *inputs);

#endif
