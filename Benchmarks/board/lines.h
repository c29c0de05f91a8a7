/*
 * What the loops beside which the service is measured do before they loop: they request a line of a
 * chip, by its offset. Builds over libgpiod 1.6 and 2.x, of which `GPIOD_1` tells.
 */
#include <gpiod.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef GPIOD_LINE_BULK_MAX_LINES /* 1.6 alone has it */
#define GPIOD_1
typedef struct gpiod_line requested_line;
#else
typedef struct gpiod_line_request requested_line;
#endif

enum use { INPUT, OUTPUT };

static void die(const char *call)
{
	perror(call);
	exit(1);
}

#ifdef GPIOD_1

static requested_line *request(struct gpiod_chip *chip, unsigned int offset, enum use use,
			       const char *consumer)
{
	struct gpiod_line *line = gpiod_chip_get_line(chip, offset);

	if (!line)
		die("gpiod_chip_get_line");
	if (use == OUTPUT ? gpiod_line_request_output(line, consumer, 0)
			  : gpiod_line_request_both_edges_events(line, consumer))
		die("gpiod_line_request");
	return line;
}

#else

static requested_line *request(struct gpiod_chip *chip, unsigned int offset, enum use use,
			       const char *consumer)
{
	struct gpiod_request_config *config = gpiod_request_config_new();
	struct gpiod_line_config *lines = gpiod_line_config_new();
	struct gpiod_line_settings *settings = gpiod_line_settings_new();
	struct gpiod_line_request *request;

	if (!config || !lines || !settings)
		die("gpiod_line_settings_new");
	if (use == OUTPUT)
		gpiod_line_settings_set_direction(settings, GPIOD_LINE_DIRECTION_OUTPUT);
	else
		gpiod_line_settings_set_edge_detection(settings, GPIOD_LINE_EDGE_BOTH);
	if (gpiod_line_config_add_line_settings(lines, &offset, 1, settings))
		die("gpiod_line_config_add_line_settings");
	gpiod_request_config_set_consumer(config, consumer);
	request = gpiod_chip_request_lines(chip, config, lines);
	if (!request)
		die("gpiod_chip_request_lines");
	gpiod_request_config_free(config);
	gpiod_line_config_free(lines);
	gpiod_line_settings_free(settings);
	return request;
}

#endif
