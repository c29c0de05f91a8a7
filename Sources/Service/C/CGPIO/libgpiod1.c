/* cgpio over libgpiod 1.6: uAPI v1, one descriptor per input, no sequence numbers. */
#include <gpiod.h>

#ifdef GPIOD_LINE_BULK_MAX_LINES

#include "internal.h"

#include <errno.h>
#include <linux/gpio.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/utsname.h>
#include <unistd.h>

/* The kernel's queue for one line, which is also what is read at once. */
#define QUEUE_DEPTH 16

/* The line belongs to its chip. */
struct cgpio_output {
	struct gpiod_line *line;
};

/* An input. The line belongs to its chip; what was kept has none, since the library cannot take up
 * a descriptor. What a read needs is beside it. */
struct input {
	struct gpiod_line *line; /* or NULL */
	unsigned int offset;
	int descriptor;
};

struct cgpio_inputs {
	size_t count;
	struct input inputs[];
};

/* ---- the library and the kernel ---------------------------------------------------------- */

const char *cgpio_library_version(void)
{
	return gpiod_version_string();
}

bool cgpio_debounces(void)
{
	return false;
}

bool cgpio_numbers_events(void)
{
	return false;
}

bool cgpio_stamps_monotonic(void)
{
	struct utsname kernel;
	int major, minor;

	if (uname(&kernel) || sscanf(kernel.release, "%d.%d", &major, &minor) != 2)
		return false;
	return major > 5 || (major == 5 && minor >= 7);
}

size_t cgpio_queue_depth(void)
{
	return QUEUE_DEPTH;
}

/* ---- chips and lines --------------------------------------------------------------------- */

bool cgpio_describe_chip(struct cgpio_chip *chip, struct cgpio_chip_info *info,
			 struct cgpio_error *error)
{
	(void)error;
	cgpio_copy_name(info->name, gpiod_chip_name(chip->gpiod));
	cgpio_copy_name(info->label, gpiod_chip_label(chip->gpiod));
	info->line_count = gpiod_chip_num_lines(chip->gpiod);
	return true;
}

/* The line at offset, with what is known of it now. */
static struct gpiod_line *get_line(struct cgpio_chip *chip, unsigned int offset,
				   struct cgpio_error *error)
{
	struct gpiod_line *line = gpiod_chip_get_line(chip->gpiod, offset);

	if (!line)
		cgpio_failed(error, "gpiod_chip_get_line", (int)offset);
	return line;
}

bool cgpio_line_info(struct cgpio_chip *chip, unsigned int offset, struct cgpio_line_info *info,
		     struct cgpio_error *error)
{
	struct gpiod_line *line = get_line(chip, offset, error);

	if (!line)
		return false;
	info->offset = offset;
	info->is_used = gpiod_line_is_used(line);
	info->is_output = gpiod_line_direction(line) == GPIOD_LINE_DIRECTION_OUTPUT;
	cgpio_copy_name(info->name, gpiod_line_name(line));
	cgpio_copy_name(info->consumer, gpiod_line_consumer(line));
	return true;
}

/* ---- outputs ----------------------------------------------------------------------------- */

/* Takes the line at offset; a direction as it is leaves active without a meaning. */
static struct cgpio_output *request_line(struct cgpio_chip *chip, const char *consumer,
					 unsigned int offset, int direction, bool active_low,
					 bool active, struct cgpio_error *error)
{
	const struct gpiod_line_request_config config = {
		.consumer = consumer,
		.request_type = direction,
		.flags = active_low ? GPIOD_LINE_REQUEST_FLAG_ACTIVE_LOW : 0,
	};
	struct gpiod_line *line = get_line(chip, offset, error);
	struct cgpio_output *output;

	if (!line)
		return NULL;
	output = malloc(sizeof *output);
	if (!output) {
		cgpio_failed(error, "malloc", (int)offset);
		return NULL;
	}
	if (gpiod_line_request(line, &config, active)) {
		cgpio_failed(error, "gpiod_line_request", (int)offset);
		free(output);
		return NULL;
	}
	output->line = line;
	return output;
}

struct cgpio_output *cgpio_output_request(struct cgpio_chip *chip, const char *consumer,
					  unsigned int offset, bool active_low, bool active,
					  struct cgpio_error *error)
{
	return request_line(chip, consumer, offset, GPIOD_LINE_REQUEST_DIRECTION_OUTPUT, active_low,
			    active, error);
}

struct cgpio_output *cgpio_output_request_as_is(struct cgpio_chip *chip, const char *consumer,
						unsigned int offset, bool active_low,
						struct cgpio_error *error)
{
	return request_line(chip, consumer, offset, GPIOD_LINE_REQUEST_DIRECTION_AS_IS, active_low,
			    false, error);
}

bool cgpio_output_set(struct cgpio_output *output, bool active, struct cgpio_error *error)
{
	if (gpiod_line_set_value(output->line, active))
		return cgpio_failed(error, "gpiod_line_set_value",
				    (int)gpiod_line_offset(output->line));
	return true;
}

bool cgpio_output_get(struct cgpio_output *output, bool *active, struct cgpio_error *error)
{
	int value = gpiod_line_get_value(output->line);

	if (value < 0)
		return cgpio_failed(error, "gpiod_line_get_value",
				    (int)gpiod_line_offset(output->line));
	*active = value;
	return true;
}

void cgpio_output_release(struct cgpio_output *output)
{
	gpiod_line_release(output->line);
	free(output);
}

/* ---- inputs ------------------------------------------------------------------------------ */

static int bias_flag(enum cgpio_bias bias)
{
	switch (bias) {
	case CGPIO_BIAS_DISABLED:
		return GPIOD_LINE_REQUEST_FLAG_BIAS_DISABLE;
	case CGPIO_BIAS_PULL_UP:
		return GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_UP;
	case CGPIO_BIAS_PULL_DOWN:
		return GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_DOWN;
	case CGPIO_BIAS_AS_IS:
		break;
	}
	return 0;
}

size_t cgpio_descriptors_of(size_t line_count)
{
	return line_count;
}

/* Takes one line and makes its descriptor ready to be read. */
static bool request_input(struct input *requested, struct cgpio_chip *chip, const char *consumer,
			  const struct cgpio_input *input, struct cgpio_error *error)
{
	const struct gpiod_line_request_config config = {
		.consumer = consumer,
		.request_type = GPIOD_LINE_REQUEST_EVENT_BOTH_EDGES,
		.flags = bias_flag(input->bias) |
			 (input->active_low ? GPIOD_LINE_REQUEST_FLAG_ACTIVE_LOW : 0),
	};
	struct gpiod_line *line = get_line(chip, input->offset, error);

	if (!line)
		return false;
	if (gpiod_line_request(line, &config, 0))
		return cgpio_failed(error, "gpiod_line_request", (int)input->offset);
	requested->line = line;
	requested->descriptor = gpiod_line_event_get_fd(line);
	return cgpio_make_nonblocking(requested->descriptor, error);
}

static bool get_level(const struct input *input, bool *active, struct cgpio_error *error)
{
	struct gpiohandle_data levels;

	if (ioctl(input->descriptor, GPIOHANDLE_GET_LINE_VALUES_IOCTL, &levels))
		return cgpio_failed(error, "GPIOHANDLE_GET_LINE_VALUES_IOCTL", (int)input->offset);
	*active = levels.values[0];
	return true;
}

/* Takes up what was kept: a chip that is gone says so when its line is read. */
static bool take_up(struct input *input, int kept, struct cgpio_error *error)
{
	bool active;

	input->descriptor = cgpio_duplicate(kept, error);
	return input->descriptor >= 0 && get_level(input, &active, error);
}

struct cgpio_inputs *cgpio_inputs_request(struct cgpio_chip *chip, const char *consumer,
					  const struct cgpio_input *inputs, size_t count,
					  const int *kept, struct cgpio_error *error)
{
	struct cgpio_inputs *requested = malloc(sizeof *requested + count * sizeof(*requested->inputs));

	if (!requested) {
		cgpio_failed(error, "malloc", -1);
		return NULL;
	}
	requested->count = 0;
	while (requested->count < count) {
		size_t i = requested->count++;
		struct input *input = &requested->inputs[i];

		*input = (struct input){ .offset = inputs[i].offset, .descriptor = -1 };
		if (kept && kept[i] >= 0 ? take_up(input, kept[i], error)
					 : request_input(input, chip, consumer, &inputs[i], error))
			continue;
		cgpio_inputs_release(requested);
		return NULL;
	}
	return requested;
}

size_t cgpio_inputs_descriptor_count(const struct cgpio_inputs *inputs)
{
	return inputs->count;
}

int cgpio_inputs_descriptor(const struct cgpio_inputs *inputs, size_t index)
{
	return inputs->inputs[index].descriptor;
}

int cgpio_inputs_read(struct cgpio_inputs *inputs, size_t index, struct cgpio_event *events,
		      size_t capacity, struct cgpio_error *error)
{
	/* The descriptor delivers the kernel's own records. libgpiod would clear a buffer first, while
	 * the edge waits, take each time apart into seconds, and copy the record. */
	struct gpioevent_data records[QUEUE_DEPTH];
	const struct input *input = &inputs->inputs[index];
	size_t most = capacity < QUEUE_DEPTH ? capacity : QUEUE_DEPTH;
	ssize_t size = read(input->descriptor, records, most * sizeof *records);
	int count = (int)(size / (ssize_t)sizeof *records);

	if (size < 0 && errno == EAGAIN)
		return 0;
	if (size < 0) {
		cgpio_failed(error, "read", (int)input->offset);
		return -1;
	}
	for (int i = 0; i < count; i++)
		events[i] = (struct cgpio_event){
			.nanoseconds = records[i].timestamp,
			.offset = input->offset,
			.active = records[i].id == GPIOEVENT_EVENT_RISING_EDGE,
		};
	return count;
}

bool cgpio_inputs_get(struct cgpio_inputs *inputs, unsigned int offset, bool *active,
		      struct cgpio_error *error)
{
	for (size_t i = 0; i < inputs->count; i++)
		if (inputs->inputs[i].offset == offset)
			return get_level(&inputs->inputs[i], active, error);
	errno = EINVAL;
	return cgpio_failed(error, "cgpio_inputs_get", (int)offset);
}

static void release_input(struct input *input)
{
	if (input->line)
		gpiod_line_release(input->line);
	else if (input->descriptor >= 0)
		close(input->descriptor);
}

void cgpio_inputs_release(struct cgpio_inputs *inputs)
{
	while (inputs->count)
		release_input(&inputs->inputs[--inputs->count]);
	free(inputs);
}

#endif
