/*
 * quiet-loop CHIP INPUT OUTPUT QUIET_MS: the output rises when the input has been low for QUIET_MS,
 * by the timestamp of its edge, and falls when the input rises.
 *
 * The least that a program over libgpiod can do for a train of pulses that ends with silence: it
 * waits at the line and at a timer, which it arms for the end. The service is measured beside it.
 * Lines are offsets.
 */
#include <poll.h>
#include <stdint.h>
#include <sys/timerfd.h>

#include "lines.h"

/* The two lines, and the edge that was taken last. */
static requested_line *in, *out;
static int descriptor;
static int rose;
static int64_t nanoseconds;

#ifdef GPIOD_1

static void prepare(void)
{
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

static struct gpiod_edge_event_buffer *events;
static unsigned int out_offset;

static void prepare(void)
{
	gpiod_line_request_get_requested_offsets(out, &out_offset, 1);
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
	in = request(chip, atoi(argv[2]), INPUT, "quiet-loop");
	out = request(chip, atoi(argv[3]), OUTPUT, "quiet-loop");
	prepare();
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
