/*
 * bus-flood NAME PATH: asks the object PATH of NAME for all of its properties, as often as the bus
 * takes the question, for as long as the program runs; the answers are thrown away. It prints a
 * line when the first has come.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <systemd/sd-bus.h>

/* How many answers may be on their way: what a bus lets one client wait for at once. */
#define WAITING 100

static unsigned int waiting;

static void die(const char *call, int error)
{
	fprintf(stderr, "%s: %s\n", call, strerror(-error));
	exit(1);
}

static int answered(sd_bus_message *answer, void *unused, sd_bus_error *error)
{
	static int told;

	(void)unused;
	(void)error;
	waiting--;
	if (!told && !sd_bus_message_is_method_error(answer, NULL)) {
		told = 1;
		puts("answered");
		fflush(stdout);
	}
	return 0;
}

int main(int argc, char *argv[])
{
	sd_bus *bus;
	int result;

	if (argc != 3) {
		fprintf(stderr, "usage: bus-flood NAME PATH\n");
		return 64;
	}
	result = sd_bus_open_system(&bus);
	if (result < 0)
		die("sd_bus_open_system", result);
	for (;;) {
		while (waiting < WAITING) {
			result = sd_bus_call_method_async(
				bus, NULL, argv[1], argv[2], "org.freedesktop.DBus.Properties",
				"GetAll", answered, NULL, "s", "io.turnstiled1.Gate");
			if (result < 0)
				die("sd_bus_call_method_async", result);
			waiting++;
		}
		result = sd_bus_process(bus, NULL);
		if (result < 0)
			die("sd_bus_process", result);
		if (result == 0 && (result = sd_bus_wait(bus, UINT64_MAX)) < 0)
			die("sd_bus_wait", result);
	}
}
