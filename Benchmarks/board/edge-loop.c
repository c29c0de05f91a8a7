/*
 * edge-loop CHIP INPUT OUTPUT: the output follows the input, for as long as the program runs.
 *
 * The least that a program over libgpiod can do between an edge and its answer, and so what the
 * service is measured beside. Lines are offsets. Builds over libgpiod 1.6 and 2.x.
 */
#include <gpiod.h>
#include <stdio.h>
#include <stdlib.h>

static void die(const char *call)
{
	perror(call);
	exit(1);
}

#ifdef GPIOD_LINE_BULK_MAX_LINES /* libgpiod 1.6 alone */

#define EVENTS 16

static struct gpiod_line *line(struct gpiod_chip *chip, const char *offset)
{
	struct gpiod_line *line = gpiod_chip_get_line(chip, atoi(offset));

	if (!line)
		die("gpiod_chip_get_line");
	return line;
}

static void follow(struct gpiod_chip *chip, const char *input, const char *output)
{
	struct gpiod_line *in = line(chip, input), *out = line(chip, output);
	struct gpiod_line_event events[EVENTS];

	if (gpiod_line_request_output(out, "edge-loop", 0))
		die("gpiod_line_request_output");
	if (gpiod_line_request_both_edges_events(in, "edge-loop"))
		die("gpiod_line_request_both_edges_events");
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

static struct gpiod_line_request *request(struct gpiod_chip *chip, unsigned int offset,
					  struct gpiod_line_settings *settings)
{
	struct gpiod_request_config *config = gpiod_request_config_new();
	struct gpiod_line_config *lines = gpiod_line_config_new();
	struct gpiod_line_request *request;

	if (!config || !lines || gpiod_line_config_add_line_settings(lines, &offset, 1, settings))
		die("gpiod_line_config_add_line_settings");
	gpiod_request_config_set_consumer(config, "edge-loop");
	request = gpiod_chip_request_lines(chip, config, lines);
	if (!request)
		die("gpiod_chip_request_lines");
	gpiod_request_config_free(config);
	gpiod_line_config_free(lines);
	gpiod_line_settings_free(settings);
	return request;
}

static void follow(struct gpiod_chip *chip, const char *input, const char *output)
{
	struct gpiod_edge_event_buffer *events = gpiod_edge_event_buffer_new(EVENTS);
	struct gpiod_line_settings *settings = gpiod_line_settings_new();
	struct gpiod_line_request *in, *out;
	unsigned int offset = atoi(output);

	if (!events || !settings)
		die("gpiod_line_settings_new");
	gpiod_line_settings_set_direction(settings, GPIOD_LINE_DIRECTION_OUTPUT);
	out = request(chip, offset, settings);
	settings = gpiod_line_settings_new();
	if (!settings)
		die("gpiod_line_settings_new");
	gpiod_line_settings_set_edge_detection(settings, GPIOD_LINE_EDGE_BOTH);
	in = request(chip, atoi(input), settings);
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
	follow(chip, argv[2], argv[3]);
}
