/*
 * board-agent: the far end of the test driver, inside the virtual board.
 *
 * Speaks a length-prefixed protocol on a virtio-serial port, one request at a time, no shell in
 * between:
 *
 *   request   VERB ID LENGTH [ARGUMENT...]\n  LENGTH bytes of payload
 *   reply     =ID STATUS LENGTH\n             LENGTH bytes of payload
 *
 *   PING
 *   RUN   TIMEOUT_MS  payload=script   -> exit status (128+signal, 124 timed out), its output
 *   PUT   MODE PATH   payload=data     -> errno
 *   GET   PATH                         -> errno, data
 *   PLAY [0|1 TIMEOUT_MS LINE...]     payload=moves
 *                     -> 0, errno or 124: pulls input lines by a score, see play(), then waits
 *                        until all these lines carry the level; nanoseconds since the last move
 *   BEAT  COUNT PERIOD_US LINE LINE    -> errno: pulls two lines by turns, see beat()
 *   LEVEL LINE...                      -> errno, a "0" or "1" for each line
 *   TRACE 0|1                          -> errno: pulls are written to the kernel's trace, too
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SECOND INT64_C(1000000000)
#define LINES 64
/* The time between two ticks of the kernel, which come at multiples of it. */
#define TICK (SECOND / 250)
/* That of board-agent.service, and one above those of the service and of interrupts' threads. */
#define PRIORITY 1
#define BEAT_PRIORITY 60

static int port;

static int64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * SECOND + t.tv_nsec;
}

static void sleep_until(int64_t when)
{
	struct timespec t = { when / SECOND, when % SECOND };

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
}

/*
 * Waits for a moment, awake at the end: nobody else is running then, and so nobody else is in the
 * middle of a call that the kernel does not interrupt for whoever the moment concerns.
 */
static void wait_until(int64_t when)
{
	sleep_until(when - SECOND / 1000);
	while (now() < when)
		;
}

/* ---- transport ------------------------------------------------------------------------- */

/* The port called board.agent, without waiting for udev to name it. */
static int open_port(void)
{
	char name[64], path[128];
	glob_t found;
	int fd = -1;

	if (glob("/sys/class/virtio-ports/*/name", 0, NULL, &found))
		return -1;
	for (size_t i = 0; i < found.gl_pathc && fd < 0; i++) {
		FILE *f = fopen(found.gl_pathv[i], "re");

		if (f && fgets(name, sizeof name, f) && !strncmp(name, "board.agent", 11)) {
			*strrchr(found.gl_pathv[i], '/') = 0;
			snprintf(path, sizeof path, "/dev/%s",
				 strrchr(found.gl_pathv[i], '/') + 1);
			fd = open(path, O_RDWR | O_CLOEXEC);
		}
		if (f)
			fclose(f);
	}
	globfree(&found);
	return fd;
}

static int get_byte(void)
{
	static unsigned char buffer[65536];
	static ssize_t next, end;

	while (next == end) {
		next = 0;
		end = read(port, buffer, sizeof buffer);
		if (end <= 0) {	/* the host is not connected yet */
			end = 0;
			sleep_until(now() + SECOND / 100);
		}
	}
	return buffer[next++];
}

static void put_all(const char *data, size_t length)
{
	while (length) {
		ssize_t n = write(port, data, length);

		if (n > 0) {
			data += n;
			length -= n;
		} else {
			sleep_until(now() + SECOND / 1000);
		}
	}
}

static void reply(const char *id, int status, const void *data, size_t length)
{
	char head[96];
	int n = snprintf(head, sizeof head, "=%s %d %zu\n", id, status, length);

	put_all(head, n);
	put_all(data, length);
}

static void reply_text(const char *id, int status, const char *format, ...)
{
	char text[512];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	reply(id, status, text, strlen(text));
}

static void reply_errno(const char *id, int error)
{
	reply_text(id, error, "%s", error ? strerror(error) : "");
}

/* ---- lines ----------------------------------------------------------------------------- */

enum attribute { PULL, VALUE };

/* Opened once per line and kept: an attribute of sysfs can be read again with pread(). */
static int line_fd(int line, enum attribute attribute)
{
	static const char *const names[] = { "pull", "value" };
	static int fds[LINES][2];
	char pattern[128];
	glob_t found;
	int fd;

	if (line < 0 || line >= LINES)
		return errno = EINVAL, -1;
	if (fds[line][attribute])
		return fds[line][attribute];
	snprintf(pattern, sizeof pattern, "/sys/devices/platform/gpio-sim.*/gpiochip*/sim_gpio%d/%s",
		 line, names[attribute]);
	if (glob(pattern, 0, NULL, &found))
		return errno = ENODEV, -1;
	fd = open(found.gl_pathv[0], (attribute == PULL ? O_RDWR : O_RDONLY) | O_CLOEXEC);
	globfree(&found);
	if (fd >= 0)
		fds[line][attribute] = fd;
	return fd;
}

static int marker = -1;

static int trace(int on)
{
	if (marker >= 0)
		close(marker);
	marker = on ? open("/sys/kernel/tracing/trace_marker", O_WRONLY | O_CLOEXEC) : -1;
	return on && marker < 0 ? errno : 0;
}

static int pull(int line, int up)
{
	const char *level = up ? "pull-up" : "pull-down";
	int fd = line_fd(line, PULL);

	if (marker >= 0)
		dprintf(marker, "pull %d %d", line, up);
	return fd < 0 || pwrite(fd, level, strlen(level), 0) < 0 ? errno : 0;
}

/*
 * Moves, one per line of text: "AFTER_US LINE 0|1". AFTER_US counts from the move before, on an
 * absolute clock, so that a late move delays none of those that follow; the first counts from a
 * moment halfway between two of the kernel's ticks. Leaves the time at which the last move began.
 */
static int play(const char *moves, int64_t *began)
{
	int64_t when = now() / TICK * TICK + TICK + TICK / 2;
	long after_us;
	int line, up, length, error;

	wait_until(when);
	*began = when;
	while (sscanf(moves, "%ld %d %d%n", &after_us, &line, &up, &length) == 3) {
		moves += length;
		when += after_us * 1000;
		if (after_us)
			wait_until(when);
		*began = now();
		error = pull(line, up);
		if (error)
			return error;
	}
	return moves[strspn(moves, " \n")] ? EINVAL : 0;
}

static int set_priority(int priority)
{
	struct sched_param parameter = { .sched_priority = priority };

	return sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &parameter) ? errno : 0;
}

/*
 * Pulls two lines by turns, both up, both down and so on, each so long after the one before. Which
 * of the two goes first is drawn for each turn: what answers one of them keeps others from the
 * processor for a while, and the disk's interrupts with them, and the next pull meets what was kept
 * back. It sleeps in between, and goes before whoever answers: a move comes at any moment of what
 * they do, and of what else the board does, but for calls that the kernel does not interrupt.
 */
static int beat(int count, int period_us, const int lines[2])
{
	int error = set_priority(BEAT_PRIORITY);
	uint32_t random = 1;
	int first = 0;

	for (int turn = 0; turn < count && !error; turn++) {
		if (turn % 2 == 0) {
			/* A linear congruential generator, whose highest bit is its best. */
			random = random * UINT32_C(1664525) + UINT32_C(1013904223);
			first = random >> 31;
		}
		sleep_until(now() + period_us * INT64_C(1000));
		error = pull(lines[(turn + first) % 2], turn / 2 % 2 == 0);
	}
	set_priority(PRIORITY);
	return error;
}

/* The levels of the lines that a text lists, such as "3 14", one after the other: "01". */
static int levels(const char *list, char text[LINES + 1])
{
	int line, length, count = 0;

	for (; sscanf(list, "%d%n", &line, &length) == 1; list += length) {
		int fd = line_fd(line, VALUE);

		if (count == LINES)
			return EINVAL;
		if (fd < 0 || pread(fd, &text[count++], 1, 0) != 1)
			return errno;
	}
	text[count] = 0;
	return count ? 0 : EINVAL;
}

static int await(const char *list, int wanted, int timeout_ms, int64_t since, int64_t *took)
{
	char text[LINES + 1];

	for (int turn = 0;; turn++) {
		int error = levels(list, text);

		*took = now() - since;
		if (error)
			return error;
		if (!strchr(text, wanted ? '0' : '1'))
			return 0;
		if (*took > timeout_ms * INT64_C(1000000))
			return 124;
		/* Never spin: the board has one CPU, which the service needs to answer. */
		sleep_until(now() + (turn < 100 ? 100000 : 1000000));
	}
}

/* ---- scripts and files ----------------------------------------------------------------- */

static void run(const char *id, char *script, int timeout_ms)
{
	/* Output goes to a file in memory, not to a pipe: a daemon that the script leaves behind
	 * with our stdout open cannot make us wait. */
	int out = memfd_create("out", MFD_CLOEXEC), status = 0, timed_out = 0;
	int64_t end = now() + timeout_ms * INT64_C(1000000);
	sigset_t child;
	struct stat st;
	void *text = NULL;
	pid_t pid;

	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigprocmask(SIG_BLOCK, &child, NULL);
	pid = fork();
	if (pid == 0) {
		int null = open("/dev/null", O_RDONLY);

		sigprocmask(SIG_UNBLOCK, &child, NULL);
		setsid();
		dup2(null, 0);
		dup2(out, 1);
		dup2(out, 2);
		execl("/bin/bash", "bash", "-c", script, (char *)NULL);
		_exit(127);
	}
	while (waitpid(pid, &status, WNOHANG) == 0) {
		int64_t left = end - now();
		struct timespec t = { left / SECOND, left % SECOND };

		if (left <= 0) {
			timed_out = 1;
			kill(-pid, SIGKILL);
			waitpid(pid, &status, 0);
			break;
		}
		sigtimedwait(&child, NULL, &t);
	}
	status = timed_out ? 124 : WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	if (fstat(out, &st) == 0 && st.st_size)
		text = mmap(NULL, st.st_size, PROT_READ, MAP_SHARED, out, 0);
	if (text && text != MAP_FAILED) {
		reply(id, status, text, st.st_size);
		munmap(text, st.st_size);
	} else {
		reply(id, status, "", 0);
	}
	close(out);
}

static int put_file(const char *path, int mode, const char *data, size_t length)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode), error = 0;

	if (fd < 0)
		return errno;
	while (length && !error) {
		ssize_t n = write(fd, data, length);

		if (n < 0) {
			error = errno;
		} else {
			data += n;
			length -= n;
		}
	}
	fchmod(fd, mode);
	close(fd);
	return error;
}

static void get_file(const char *id, const char *path)
{
	size_t capacity = 65536, length = 0;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char *data;
	ssize_t n;

	if (fd < 0) {
		reply_text(id, errno, "%s: %s", path, strerror(errno));
		return;
	}
	data = malloc(capacity);
	while ((n = read(fd, data + length, capacity - length)) > 0)	/* not mmap: /proc, /sys */
		if ((length += n) == capacity)
			data = realloc(data, capacity *= 2);
	reply(id, n < 0 ? errno : 0, data, length);
	close(fd);
	free(data);
}

/* ---- main ------------------------------------------------------------------------------ */

static void serve(const char *verb, const char *id, const char *arguments, char *data,
		  size_t length)
{
	char path[4096], text[LINES + 1];
	int a, b, c, error, pair[2];
	int64_t began, took = 0;
	unsigned mode;

	if (!strcmp(verb, "PING")) {
		reply_text(id, 0, "board-agent");
	} else if (!strcmp(verb, "RUN") && sscanf(arguments, "%d", &a) == 1) {
		run(id, data, a);
	} else if (!strcmp(verb, "PUT") && sscanf(arguments, "%o %4095[^\n]", &mode, path) == 2) {
		reply_errno(id, put_file(path, mode, data, length));
	} else if (!strcmp(verb, "GET") && sscanf(arguments, " %4095[^\n]", path) == 1) {
		get_file(id, path);
	} else if (!strcmp(verb, "PLAY")) {
		error = play(data, &began);
		if (!error && sscanf(arguments, "%d %d%n", &a, &b, &c) == 2)
			error = await(arguments + c, a, b, began, &took);
		reply_text(id, error, "%lld", (long long)took);
	} else if (!strcmp(verb, "BEAT") &&
		   sscanf(arguments, "%d %d %d %d", &a, &b, &pair[0], &pair[1]) == 4) {
		reply_errno(id, beat(a, b, pair));
	} else if (!strcmp(verb, "TRACE") && sscanf(arguments, "%d", &a) == 1) {
		reply_errno(id, trace(a));
	} else if (!strcmp(verb, "LEVEL")) {
		error = levels(arguments, text);
		reply_text(id, error, "%s", error ? strerror(error) : text);
	} else {
		reply_text(id, EINVAL, "bad request: %s %.200s", verb, arguments);
	}
}

int main(void)
{
	char head[4608], verb[16], id[32];
	unsigned long length;

	signal(SIGPIPE, SIG_IGN);
	while ((port = open_port()) < 0)
		sleep_until(now() + SECOND / 50);
	put_all("\nAGENT\n", 7);	/* tells the host that the board is up to this point */
	for (;;) {
		size_t n = 0;
		int c, offset = 0;
		char *data;

		while ((c = get_byte()) != '\n')
			if (n < sizeof head - 1)
				head[n++] = c;
		head[n] = 0;
		if (sscanf(head, "%15s %31s %lu%n", verb, id, &length, &offset) != 3 ||
		    length > 1UL << 30)
			continue;	/* noise: synchronise on the next newline */
		data = malloc(length + 1);
		for (n = 0; n < length; n++)
			data[n] = get_byte();
		data[length] = 0;
		serve(verb, id, head + offset, data, length);
		free(data);
	}
}
