/* cgpio over libgpiod 2.x: uAPI v2, one descriptor per request, numbered events. */
#include <gpiod.h>

#ifndef GPIOD_LINE_BULK_MAX_LINES

#include "internal.h"

#include <errno.h>
#include <linux/gpio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* The kernel's largest queue for one request. */
#define QUEUE_DEPTH (CGPIO_LINES_MAX * 16)

/* How many events are read at once. */
#define EVENTS_AT_ONCE 16

/* An output is a request of its own. The descriptors belong to their requests. */
struct cgpio_output {
	struct gpiod_line_request *request;
	unsigned int offset;
	int descriptor;
};

/* What was kept has no request of the library's: it cannot take up a descriptor. */
struct cgpio_inputs {
	struct gpiod_line_request *request; /* or NULL */
	int descriptor;
	size_t count;
	unsigned int offsets[CGPIO_LINES_MAX]; /* in the order of the kernel's bits */
};

/* ---- the library and the kernel ---------------------------------------------------------- */

const char *cgpio_library_version(void)
{
	return gpiod_api_version();
}

bool cgpio_debounces(void)
{
	return true;
}

bool cgpio_numbers_events(void)
{
	return true;
}

bool cgpio_stamps_monotonic(void)
{
	return true;
}

size_t cgpio_queue_depth(void)
{
	return QUEUE_DEPTH;
}

/* ---- chips and lines --------------------------------------------------------------------- */

bool cgpio_describe_chip(struct cgpio_chip *chip, struct cgpio_chip_info *info,
			 struct cgpio_error *error)
{
	struct gpiod_chip_info *described = gpiod_chip_get_info(chip->gpiod);

	if (!described)
		return cgpio_failed(error, "gpiod_chip_get_info", -1);
	cgpio_copy_name(info->name, gpiod_chip_info_get_name(described));
	cgpio_copy_name(info->label, gpiod_chip_info_get_label(described));
	info->line_count = gpiod_chip_info_get_num_lines(described);
	gpiod_chip_info_free(described);
	return true;
}

bool cgpio_line_info(struct cgpio_chip *chip, unsigned int offset, struct cgpio_line_info *info,
		     struct cgpio_error *error)
{
	struct gpiod_line_info *described = gpiod_chip_get_line_info(chip->gpiod, offset);

	if (!described)
		return cgpio_failed(error, "gpiod_chip_get_line_info", (int)offset);
	info->offset = offset;
	info->is_used = gpiod_line_info_is_used(described);
	info->is_output = gpiod_line_info_get_direction(described) == GPIOD_LINE_DIRECTION_OUTPUT;
	cgpio_copy_name(info->name, gpiod_line_info_get_name(described));
	cgpio_copy_name(info->consumer, gpiod_line_info_get_consumer(described));
	gpiod_line_info_free(described);
	return true;
}

/* ---- requests ---------------------------------------------------------------------------- */

/* What a request is made from. The library's three objects live and die together. */
struct recipe {
	struct gpiod_request_config *request;
	struct gpiod_line_config *lines;
	struct gpiod_line_settings *settings; /* of the line that is added next */
};

static void recipe_free(struct recipe *recipe)
{
	gpiod_line_settings_free(recipe->settings);
	if (recipe->lines)
		gpiod_line_config_free(recipe->lines);
	gpiod_request_config_free(recipe->request);
}

static bool recipe_init(struct recipe *recipe, const char *consumer, struct cgpio_error *error)
{
	recipe->request = gpiod_request_config_new();
	recipe->lines = gpiod_line_config_new();
	recipe->settings = gpiod_line_settings_new();
	if (!recipe->request || !recipe->lines || !recipe->settings) {
		cgpio_failed(error, "gpiod_request_config_new", -1);
		recipe_free(recipe);
		return false;
	}
	gpiod_request_config_set_consumer(recipe->request, consumer);
	return true;
}

/* Adds the line at offset with the present settings. */
static bool recipe_add(struct recipe *recipe, unsigned int offset, struct cgpio_error *error)
{
	if (gpiod_line_config_add_line_settings(recipe->lines, &offset, 1, recipe->settings))
		return cgpio_failed(error, "gpiod_line_config_add_line_settings", (int)offset);
	return true;
}

/* Makes the request; offset is its only line, or -1. */
static struct gpiod_line_request *recipe_request(struct recipe *recipe, struct cgpio_chip *chip,
						 int offset, struct cgpio_error *error)
{
	struct gpiod_line_request *request =
		gpiod_chip_request_lines(chip->gpiod, recipe->request, recipe->lines);

	if (!request)
		cgpio_failed(error, "gpiod_chip_request_lines", offset);
	return request;
}

/* ---- outputs ----------------------------------------------------------------------------- */

static enum gpiod_line_value line_value(bool active)
{
	return active ? GPIOD_LINE_VALUE_ACTIVE : GPIOD_LINE_VALUE_INACTIVE;
}

static struct gpiod_line_request *request_line(struct cgpio_chip *chip, const char *consumer,
					       unsigned int offset,
					       enum gpiod_line_direction direction, bool active_low,
					       bool active, struct cgpio_error *error)
{
	struct gpiod_line_request *request = NULL;
	struct recipe recipe;

	if (!recipe_init(&recipe, consumer, error))
		return NULL;
	gpiod_line_settings_set_direction(recipe.settings, direction);
	gpiod_line_settings_set_active_low(recipe.settings, active_low);
	gpiod_line_settings_set_output_value(recipe.settings, line_value(active));
	if (recipe_add(&recipe, offset, error))
		request = recipe_request(&recipe, chip, (int)offset, error);
	recipe_free(&recipe);
	return request;
}

/* The line at offset as an output; a direction as it is leaves active without a meaning. */
static struct cgpio_output *request_output(struct cgpio_chip *chip, const char *consumer,
					   unsigned int offset,
					   enum gpiod_line_direction direction, bool active_low,
					   bool active, struct cgpio_error *error)
{
	struct cgpio_output *output = malloc(sizeof *output);

	if (!output) {
		cgpio_failed(error, "malloc", (int)offset);
		return NULL;
	}
	output->offset = offset;
	output->request =
		request_line(chip, consumer, offset, direction, active_low, active, error);
	if (!output->request) {
		free(output);
		return NULL;
	}
	output->descriptor = gpiod_line_request_get_fd(output->request);
	return output;
}

struct cgpio_output *cgpio_output_request(struct cgpio_chip *chip, const char *consumer,
					  unsigned int offset, bool active_low, bool active,
					  struct cgpio_error *error)
{
	return request_output(chip, consumer, offset, GPIOD_LINE_DIRECTION_OUTPUT, active_low,
			      active, error);
}

struct cgpio_output *cgpio_output_request_as_is(struct cgpio_chip *chip, const char *consumer,
						unsigned int offset, bool active_low,
						struct cgpio_error *error)
{
	return request_output(chip, consumer, offset, GPIOD_LINE_DIRECTION_AS_IS, active_low, false,
			      error);
}

bool cgpio_output_set(struct cgpio_output *output, bool active, struct cgpio_error *error)
{
	/* The only line of the request is its first. libgpiod would look for it while the lock
	 * waits. */
	struct gpio_v2_line_values values = { .bits = active, .mask = 1 };

	if (ioctl(output->descriptor, GPIO_V2_LINE_SET_VALUES_IOCTL, &values))
		return cgpio_failed(error, "GPIO_V2_LINE_SET_VALUES_IOCTL", (int)output->offset);
	return true;
}

bool cgpio_output_get(struct cgpio_output *output, bool *active, struct cgpio_error *error)
{
	enum gpiod_line_value value = gpiod_line_request_get_value(output->request, output->offset);

	if (value == GPIOD_LINE_VALUE_ERROR)
		return cgpio_failed(error, "gpiod_line_request_get_value", (int)output->offset);
	*active = value == GPIOD_LINE_VALUE_ACTIVE;
	return true;
}

void cgpio_output_release(struct cgpio_output *output)
{
	gpiod_line_request_release(output->request);
	free(output);
}

/* ---- inputs ------------------------------------------------------------------------------ */

static enum gpiod_line_bias line_bias(enum cgpio_bias bias)
{
	switch (bias) {
	case CGPIO_BIAS_DISABLED:
		return GPIOD_LINE_BIAS_DISABLED;
	case CGPIO_BIAS_PULL_UP:
		return GPIOD_LINE_BIAS_PULL_UP;
	case CGPIO_BIAS_PULL_DOWN:
		return GPIOD_LINE_BIAS_PULL_DOWN;
	case CGPIO_BIAS_AS_IS:
		break;
	}
	return GPIOD_LINE_BIAS_AS_IS;
}

static bool recipe_add_input(struct recipe *recipe, const struct cgpio_input *input,
			     struct cgpio_error *error)
{
	gpiod_line_settings_set_direction(recipe->settings, GPIOD_LINE_DIRECTION_INPUT);
	gpiod_line_settings_set_edge_detection(recipe->settings, GPIOD_LINE_EDGE_BOTH);
	gpiod_line_settings_set_bias(recipe->settings, line_bias(input->bias));
	gpiod_line_settings_set_active_low(recipe->settings, input->active_low);
	gpiod_line_settings_set_debounce_period_us(recipe->settings, input->debounce_us);
	return recipe_add(recipe, input->offset, error);
}

static struct gpiod_line_request *request_inputs(struct cgpio_chip *chip, const char *consumer,
						 const struct cgpio_input *inputs, size_t count,
						 struct cgpio_error *error)
{
	struct gpiod_line_request *request = NULL;
	struct recipe recipe;
	size_t added = 0;

	if (!recipe_init(&recipe, consumer, error))
		return NULL;
	gpiod_request_config_set_event_buffer_size(recipe.request, QUEUE_DEPTH);
	while (added < count && recipe_add_input(&recipe, &inputs[added], error))
		added++;
	if (added == count)
		request = recipe_request(&recipe, chip, count == 1 ? (int)inputs[0].offset : -1,
					 error);
	recipe_free(&recipe);
	return request;
}

size_t cgpio_descriptors_of(size_t line_count)
{
	(void)line_count;
	return 1;
}

/* Reads the line that is requested as the index-th. */
static bool get_level(const struct cgpio_inputs *inputs, size_t index, bool *active,
		      struct cgpio_error *error)
{
	struct gpio_v2_line_values values = { .mask = UINT64_C(1) << index };

	if (ioctl(inputs->descriptor, GPIO_V2_LINE_GET_VALUES_IOCTL, &values))
		return cgpio_failed(error, "GPIO_V2_LINE_GET_VALUES_IOCTL",
				    (int)inputs->offsets[index]);
	*active = values.bits & values.mask;
	return true;
}

/* Takes up what was kept: a chip that is gone says so when a line is read. */
static bool take_up(struct cgpio_inputs *inputs, int kept, struct cgpio_error *error)
{
	bool active;

	inputs->descriptor = cgpio_duplicate(kept, error);
	return inputs->descriptor >= 0 && get_level(inputs, 0, &active, error);
}

static bool request_anew(struct cgpio_inputs *requested, struct cgpio_chip *chip,
			 const char *consumer, const struct cgpio_input *inputs,
			 struct cgpio_error *error)
{
	requested->request = request_inputs(chip, consumer, inputs, requested->count, error);
	if (!requested->request)
		return false;
	requested->descriptor = gpiod_line_request_get_fd(requested->request);
	return cgpio_make_nonblocking(requested->descriptor, error);
}

struct cgpio_inputs *cgpio_inputs_request(struct cgpio_chip *chip, const char *consumer,
					  const struct cgpio_input *inputs, size_t count,
					  const int *kept, struct cgpio_error *error)
{
	struct cgpio_inputs *requested = calloc(1, sizeof *requested);
	bool is_kept = kept && kept[0] >= 0;

	if (!requested) {
		cgpio_failed(error, "calloc", -1);
		return NULL;
	}
	requested->descriptor = -1;
	requested->count = count;
	for (size_t i = 0; i < count; i++)
		requested->offsets[i] = inputs[i].offset;
	if (is_kept ? take_up(requested, kept[0], error)
		   : request_anew(requested, chip, consumer, inputs, error))
		return requested;
	cgpio_inputs_release(requested);
	return NULL;
}

size_t cgpio_inputs_descriptor_count(const struct cgpio_inputs *inputs)
{
	(void)inputs;
	return 1;
}

int cgpio_inputs_descriptor(const struct cgpio_inputs *inputs, size_t index)
{
	(void)index;
	return inputs->descriptor;
}

/* Takes events; -1 with errno when that fails or none waits. The descriptor delivers the kernel's
 * own records. libgpiod would clear two buffers first, while the edge waits, and copy each
 * record twice. */
static int read_events(int descriptor, struct cgpio_event *events, size_t capacity)
{
	struct gpio_v2_line_event records[EVENTS_AT_ONCE];
	size_t most = capacity < EVENTS_AT_ONCE ? capacity : EVENTS_AT_ONCE;
	ssize_t size = read(descriptor, records, most * sizeof *records);
	int count = size < 0 ? -1 : (int)(size / sizeof *records);

	for (int i = 0; i < count; i++)
		events[i] = (struct cgpio_event){
			.nanoseconds = records[i].timestamp_ns,
			.offset = records[i].offset,
			.active = records[i].id == GPIO_V2_LINE_EVENT_RISING_EDGE,
			.number = records[i].seqno,
		};
	return count;
}

int cgpio_inputs_read(struct cgpio_inputs *inputs, size_t index, struct cgpio_event *events,
		      size_t capacity, struct cgpio_error *error)
{
	size_t total = 0;
	int count;

	(void)index;
	do {
		count = read_events(inputs->descriptor, events + total, capacity - total);
		if (count < 0) {
			/* What was read counts; an error that lasts shows at the next call. */
			if (errno == EAGAIN || total)
				break;
			cgpio_failed(error, "read", -1);
			return -1;
		}
		total += count;
	} while (count == EVENTS_AT_ONCE && total < capacity);
	return total;
}

bool cgpio_inputs_get(struct cgpio_inputs *inputs, unsigned int offset, bool *active,
		      struct cgpio_error *error)
{
	for (size_t i = 0; i < inputs->count; i++)
		if (inputs->offsets[i] == offset)
			return get_level(inputs, i, active, error);
	errno = EINVAL;
	return cgpio_failed(error, "cgpio_inputs_get", (int)offset);
}

void cgpio_inputs_release(struct cgpio_inputs *inputs)
{
	if (inputs->request)
		gpiod_line_request_release(inputs->request);
	else if (inputs->descriptor >= 0)
		close(inputs->descriptor);
	free(inputs);
}

#endif
