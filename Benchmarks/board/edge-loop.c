/*
 * edge-loop CHIP INPUT OUTPUT: the output follows the input, for as long as the program runs.
 *
 * The least that a program over libgpiod can do between an edge and its answer, and so what the
 * service is measured beside. Lines are offsets.
 */
#include "lines.h"

#ifdef GPIOD_1

#define EVENTS 16

static void follow(requested_line *in, requested_line *out)
{
	struct gpiod_line_event events[EVENTS];

	for (;;) {
		int n = gpiod_line_event_read_multiple(in, events, EVENTS);

		if (n < 0)
			die("gpiod_line_event_read_multiple");
		for (int i = 0; i < n; i++)
			if (gpiod_line_set_value(out, events[i].event_type ==
							      GPIOD_LINE_EVENT_RISING_EDGE))
				die("gpiod_line_set_value");
	}
}

#else

#define EVENTS 64

static void follow(requested_line *in, requested_line *out)
{
	struct gpiod_edge_event_buffer *events = gpiod_edge_event_buffer_new(EVENTS);
	unsigned int offset;

	if (!events)
		die("gpiod_edge_event_buffer_new");
	gpiod_line_request_get_requested_offsets(out, &offset, 1);
	for (;;) {
		int n = gpiod_line_request_read_edge_events(in, events, EVENTS);

		if (n < 0)
			die("gpiod_line_request_read_edge_events");
		for (int i = 0; i < n; i++) {
			struct gpiod_edge_event *event =
				gpiod_edge_event_buffer_get_event(events, i);
			int rose = gpiod_edge_event_get_event_type(event) ==
				   GPIOD_EDGE_EVENT_RISING_EDGE;

			if (gpiod_line_request_set_value(out, offset,
							 rose ? GPIOD_LINE_VALUE_ACTIVE
							      : GPIOD_LINE_VALUE_INACTIVE))
				die("gpiod_line_request_set_value");
		}
	}
}

#endif

int main(int argc, char **argv)
{
	struct gpiod_chip *chip;

	if (argc != 4) {
		fprintf(stderr, "usage: edge-loop CHIP INPUT OUTPUT\n");
		return 2;
	}
	chip = gpiod_chip_open(argv[1]);
	if (!chip)
		die("gpiod_chip_open");
	follow(request(chip, atoi(argv[2]), INPUT, "edge-loop"),
	       request(chip, atoi(argv[3]), OUTPUT, "edge-loop"));
}
