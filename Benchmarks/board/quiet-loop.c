/*
 * quiet-loop CHIP INPUT OUTPUT QUIET_MS: the output rises when the input has been low for QUIET_MS,
 * by the timestamp of its edge, and falls when the input rises.
 *
 * The least that a program over libgpiod can do for a train of pulses that ends with silence: it
 * waits at the line and at a timer, which it arms for the end. The service is measured beside it.
 * Lines are offsets. Builds over libgpiod 1.6 and 2.x.
 */
#include <gpiod.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/timerfd.h>

static void die(const char *call)
{
	perror(call);
	exit(1);
}

/* The two lines, and the edge that was taken last. */
static int descriptor;
static int rose;
static int64_t nanoseconds;

#ifdef GPIOD_LINE_BULK_MAX_LINES /* libgpiod 1.6 alone */

static struct gpiod_line *in, *out;

static void request(struct gpiod_chip *chip, unsigned int input, unsigned int output)
{
	in = gpiod_chip_get_line(chip, input);
	out = gpiod_chip_get_line(chip, output);
	if (!in || !out)
		die("gpiod_chip_get_line");
	if (gpiod_line_request_output(out, "quiet-loop", 0))
		die("gpiod_line_request_output");
	if (gpiod_line_request_both_edges_events(in, "quiet-loop"))
		die("gpiod_line_request_both_edges_events");
	descriptor = gpiod_line_event_get_fd(in);
}

static void take_edge(void)
{
	struct gpiod_line_event event;

	if (gpiod_line_event_read(in, &event))
		die("gpiod_line_event_read");
	rose = event.event_type == GPIOD_LINE_EVENT_RISING_EDGE;
	nanoseconds = event.ts.tv_sec * INT64_C(1000000000) + event.ts.tv_nsec;
}

static void set(int high)
{
	if (gpiod_line_set_value(out, high))
		die("gpiod_line_set_value");
}

#else

static struct gpiod_line_request *in, *out;
static struct gpiod_edge_event_buffer *events;
static unsigned int out_offset;

static struct gpiod_line_request *request_line(struct gpiod_chip *chip, unsigned int offset,
					       enum gpiod_line_direction direction,
					       enum gpiod_line_edge edge)
{
	struct gpiod_request_config *config = gpiod_request_config_new();
	struct gpiod_line_config *lines = gpiod_line_config_new();
	struct gpiod_line_settings *settings = gpiod_line_settings_new();
	struct gpiod_line_request *request;

	if (!config || !lines || !settings)
		die("gpiod_line_settings_new");
	gpiod_line_settings_set_direction(settings, direction);
	gpiod_line_settings_set_edge_detection(settings, edge);
	if (gpiod_line_config_add_line_settings(lines, &offset, 1, settings))
		die("gpiod_line_config_add_line_settings");
	gpiod_request_config_set_consumer(config, "quiet-loop");
	request = gpiod_chip_request_lines(chip, config, lines);
	if (!request)
		die("gpiod_chip_request_lines");
	gpiod_request_config_free(config);
	gpiod_line_config_free(lines);
	gpiod_line_settings_free(settings);
	return request;
}

static void request(struct gpiod_chip *chip, unsigned int input, unsigned int output)
{
	out_offset = output;
	out = request_line(chip, output, GPIOD_LINE_DIRECTION_OUTPUT, GPIOD_LINE_EDGE_NONE);
	in = request_line(chip, input, GPIOD_LINE_DIRECTION_INPUT, GPIOD_LINE_EDGE_BOTH);
	events = gpiod_edge_event_buffer_new(1);
	if (!events)
		die("gpiod_edge_event_buffer_new");
	descriptor = gpiod_line_request_get_fd(in);
}

static void take_edge(void)
{
	struct gpiod_edge_event *event;

	if (gpiod_line_request_read_edge_events(in, events, 1) != 1)
		die("gpiod_line_request_read_edge_events");
	event = gpiod_edge_event_buffer_get_event(events, 0);
	rose = gpiod_edge_event_get_event_type(event) == GPIOD_EDGE_EVENT_RISING_EDGE;
	nanoseconds = gpiod_edge_event_get_timestamp_ns(event);
}

static void set(int high)
{
	if (gpiod_line_request_set_value(out, out_offset,
					 high ? GPIOD_LINE_VALUE_ACTIVE : GPIOD_LINE_VALUE_INACTIVE))
		die("gpiod_line_request_set_value");
}

#endif

/* Has the timer fire at this moment; 0 for never. */
static void arm(int timer, int64_t moment)
{
	struct itimerspec setting = {
		.it_value = { .tv_sec = moment / 1000000000, .tv_nsec = moment % 1000000000 },
	};

	if (timerfd_settime(timer, TFD_TIMER_ABSTIME, &setting, NULL))
		die("timerfd_settime");
}

int main(int argc, char **argv)
{
	struct gpiod_chip *chip;
	struct pollfd waits[2];

	if (argc != 5) {
		fprintf(stderr, "usage: quiet-loop CHIP INPUT OUTPUT QUIET_MS\n");
		return 2;
	}
	chip = gpiod_chip_open(argv[1]);
	if (!chip)
		die("gpiod_chip_open");
	request(chip, atoi(argv[2]), atoi(argv[3]));
	waits[0] = (struct pollfd){ .fd = timerfd_create(CLOCK_MONOTONIC, 0), .events = POLLIN };
	waits[1] = (struct pollfd){ .fd = descriptor, .events = POLLIN };
	if (waits[0].fd < 0)
		die("timerfd_create");
	for (;;) {
		if (poll(waits, 2, -1) < 0)
			die("poll");
		if (waits[0].revents) {
			set(1);
			arm(waits[0].fd, 0);
		}
		if (waits[1].revents) {
			take_edge();
			if (rose)
				set(0);
			arm(waits[0].fd, rose ? 0 : nanoseconds + atoi(argv[4]) * INT64_C(1000000));
		}
	}
}
