// SPDX-License-Identifier: GPL-2.0-or-later
/* ptyrun: measures a program with a screen.  The text of --help is below. */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char help_text[] =
	"Usage: ptyrun [-g COLUMNSxROWS] [-t SECONDS] [-c CHAR] [-k KEYS] [-q KEYS] [-w "
	"SECONDS]\n"
	"              [-o FILE] STATS COMMAND...\n"
	"Runs the command on a terminal of its own, waits for its first full screen and "
	"one second\n"
	"more, measures for a while, sends keys, then ends it, and writes to STATS:\n"
	"  full_ms      from its start until all rows but two have a character; - never\n"
	"  complete_ms  until, in addition, no row but the first and last has the CHAR "
	"of -c\n"
	"  bytes reads  that it wrote to the terminal in the measured time, and in how "
	"many bursts\n"
	"  cpu_us       its CPU time in the measured time\n"
	"  key_ms       for each key of -k: until it writes something, or ends; - for "
	"nothing in 5 s\n"
	"  user_us sys_us maxrss_kb wall_us status   of the whole run, as of rusage\n"
	"\n"
	"  -g COLUMNSxROWS  of the terminal (132x43)\n"
	"  -t SECONDS       the measured time (0)\n"
	"  -c CHAR          what a screen that is not yet complete shows (?)\n"
	"  -k KEYS          sent one by one, half a second apart; ^[ is escape\n"
	"  -q KEYS          that end the program (q); SIGTERM follows after 5 s\n"
	"  -w SECONDS       how long to wait for the first screen (20)\n"
	"  -o FILE          the last screen, as text\n";

#define NSEC	 1000000000LL
#define MAX_ROWS 200
#define MAX_COLS 500

/* --- the screen: what ncurses writes for the terminal "screen" --- */

enum state { TEXT, ESC, CSI, OSC, CHARSET };

static struct {
	int rows, cols, row, col;
	enum state state;
	int params[8], n_params;
	char cell[MAX_ROWS][MAX_COLS];
} scr;

static int clamp(int v, int max)
{
	return v < 0 ? 0 : v > max ? max : v;
}

static void move_to(int row, int col)
{
	scr.row = clamp(row, scr.rows - 1);
	scr.col = clamp(col, scr.cols - 1);
}

static void put(char c)
{
	if (scr.col >= scr.cols) {
		scr.col = 0;
		scr.row = clamp(scr.row + 1, scr.rows - 1);
	}
	scr.cell[scr.row][scr.col++] = c;
}

static void blank(int row, int from, int to)
{
	memset(scr.cell[row] + from, ' ', (size_t)(to - from));
}

static int param(int i, int otherwise)
{
	return i < scr.n_params && scr.params[i] > 0 ? scr.params[i] : otherwise;
}

/* 0: behind the cursor, 1: before it, 2: all */
static void erase_line(int which)
{
	int col = clamp(scr.col, scr.cols - 1);

	blank(scr.row, which ? 0 : col, which == 1 ? col + 1 : scr.cols);
}

static void erase_screen(int which)
{
	for (int r = which ? 0 : scr.row + 1; r < (which == 1 ? scr.row : scr.rows); r++)
		blank(r, 0, scr.cols);
	if (which != 2)
		erase_line(which);
}

static void csi(char c)
{
	int n = param(0, 1);

	switch (c) {
	case 'H':
	case 'f':
		return move_to(n - 1, param(1, 1) - 1);
	case 'd':
		return move_to(n - 1, scr.col);
	case 'G':
		return move_to(scr.row, n - 1);
	case 'A':
		return move_to(scr.row - n, scr.col);
	case 'B':
		return move_to(scr.row + n, scr.col);
	case 'C':
		return move_to(scr.row, scr.col + n);
	case 'D':
		return move_to(scr.row, scr.col - n);
	case 'J':
		return erase_screen(param(0, 0));
	case 'K':
		return erase_line(param(0, 0));
	default:
		return;
	}
}

static void csi_byte(char c)
{
	if (c >= '0' && c <= '9') {
		if (scr.n_params == 0)
			scr.n_params = 1;
		scr.params[scr.n_params - 1] =
			clamp(scr.params[scr.n_params - 1] * 10 + c - '0', 9999);
	} else if (c == ';') {
		if (scr.n_params == 0)
			scr.n_params = 1;
		if (scr.n_params < 8)
			scr.params[scr.n_params++] = 0;
	} else if (c >= '@' && c <= '~') {
		csi(c);
		scr.state = TEXT;
	}
}

static void esc_byte(char c)
{
	memset(scr.params, 0, sizeof(scr.params));
	scr.n_params = 0;
	scr.state = c == '['		   ? CSI
		    : c == ']' || c == 'k' ? OSC
		    : strchr("()*+", c)	   ? CHARSET
					   : TEXT;
	if (c == 'M')
		move_to(scr.row - 1, scr.col);
}

static void text_byte(char c)
{
	if (c == 27)
		scr.state = ESC;
	else if (c == '\r')
		scr.col = 0;
	else if (c == '\n')
		move_to(scr.row + 1, scr.col);
	else if (c == '\b')
		move_to(scr.row, scr.col - 1);
	else if ((c & 0xc0) == 0x80) /* inside a character of UTF-8 */
		return;
	else if ((unsigned char)c >= ' ')
		put(c);
}

static void feed(const char *s, ssize_t n)
{
	for (; n > 0; s++, n--)
		switch (scr.state) {
		case TEXT:
			text_byte(*s);
			break;
		case ESC:
			esc_byte(*s);
			break;
		case CSI:
			csi_byte(*s);
			break;
		case OSC:
			if (*s == 7 || *s == 27)
				scr.state = *s == 7 ? TEXT : ESC;
			break;
		case CHARSET:
			scr.state = TEXT;
			break;
		}
}

static bool screen_full(void)
{
	int empty = 0;

	for (int r = 0; r < scr.rows; r++) {
		bool any = false;

		for (int c = 0; c < scr.cols && !any; c++)
			any = scr.cell[r][c] != ' ';
		empty += !any;
	}
	return empty <= 2;
}

static bool screen_has(char c)
{
	for (int r = 1; r < scr.rows - 1; r++)
		if (memchr(scr.cell[r], c, (size_t)scr.cols))
			return true;
	return false;
}

static void screen_write(const char *path)
{
	FILE *f = fopen(path, "w");

	if (!f)
		err(1, "%s", path);
	for (int r = 0; r < scr.rows; r++)
		fprintf(f, "%.*s\n", scr.cols, scr.cell[r]);
	fclose(f);
}

/* --- the program --- */

static int master;
static pid_t child;
static bool ended; /* its terminal is closed */
static int64_t start_ns, full_ns, complete_ns, written_bytes, bursts, limit_ns;
static char incomplete = '?';

static int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * NSEC + t.tv_nsec;
}

static int64_t cpu_ns(void)
{
	clockid_t clock;
	struct timespec t;

	if (ended || clock_getcpuclockid(child, &clock) || clock_gettime(clock, &t))
		return 0;
	return (int64_t)t.tv_sec * NSEC + t.tv_nsec;
}

static void note_screen(void)
{
	if (!full_ns && screen_full())
		full_ns = now_ns();
	if (full_ns && !complete_ns && !screen_has(incomplete))
		complete_ns = now_ns();
}

/* Reads what there is until a time, or until it has read something, if once; false: the
 * time is over. */
static bool drain(int64_t until_ns, bool once)
{
	struct pollfd p = {.fd = master, .events = POLLIN};
	char buf[65536];
	int64_t left;
	ssize_t n;

	while (!ended && (left = until_ns - now_ns()) > 0) {
		if (poll(&p, 1, (int)(left / 1000000 + 1)) <= 0)
			continue;
		n = read(master, buf, sizeof(buf));
		if (n <= 0) {
			ended = true;
			return true;
		}
		written_bytes += n;
		bursts++;
		feed(buf, n);
		note_screen();
		if (once)
			return true;
	}
	return ended;
}

static void on_slave(const char *name, char **argv)
{
	struct winsize size = {
		.ws_row = (unsigned short)scr.rows, .ws_col = (unsigned short)scr.cols};
	int fd;

	setsid();
	fd = open(name, O_RDWR);
	if (fd < 0 || ioctl(fd, TIOCSCTTY, 0) || ioctl(fd, TIOCSWINSZ, &size))
		_exit(126);
	for (int i = 0; i < 3; i++)
		dup2(fd, i);
	if (fd > 2)
		close(fd);
	setenv("TERM", "screen-256color", 1);
	unsetenv("LINES");
	unsetenv("COLUMNS");
	execvp(argv[0], argv);
	_exit(127);
}

static void start(char **argv)
{
	const char *name;

	master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (master < 0 || grantpt(master) || unlockpt(master) ||
		!(name = ptsname(master)))
		err(1, "pty");
	start_ns = now_ns();
	child = fork();
	if (child < 0)
		err(1, "fork");
	if (child == 0)
		on_slave(name, argv);
}

static void send_keys(const char *s, size_t n)
{
	if (!ended && write(master, s, n) != (ssize_t)n)
		ended = true;
}

/* One key each; its time goes to the file. */
static void time_keys(FILE *f, const char *keys)
{
	fprintf(f, "key_ms='");
	for (const char *k = keys; *k && !ended; k++) {
		bool escape = k[0] == '^' && k[1] == '[';
		int64_t begin;

		drain(now_ns() + NSEC / 2, false);
		begin = now_ns();
		send_keys(escape ? "\033" : k, 1);
		if (drain(begin + 5 * NSEC, true))
			fprintf(f, "%s%.1f", k == keys ? "" : " ",
				(double)(now_ns() - begin) / 1e6);
		else
			fprintf(f, "%s-", k == keys ? "" : " ");
		k += escape;
	}
	fprintf(f, "'\n");
}

static void end(const char *keys)
{
	send_keys(keys, strlen(keys));
	if (!drain(now_ns() + 5 * NSEC, false))
		kill(child, SIGTERM);
	if (!drain(now_ns() + 5 * NSEC, false))
		kill(child, SIGKILL);
}

static long long micros(struct timeval t)
{
	return t.tv_sec * 1000000LL + t.tv_usec;
}

static void write_ms(FILE *f, const char *name, int64_t ns)
{
	if (ns)
		fprintf(f, "%s=%.1f ", name, (double)(ns - start_ns) / 1e6);
	else
		fprintf(f, "%s=- ", name);
}

static void write_usage(FILE *f)
{
	struct rusage u;
	int status;

	while (wait4(child, &status, 0, &u) < 0)
		if (errno != EINTR)
			err(1, "wait4");
	fprintf(f, "user_us=%lld sys_us=%lld maxrss_kb=%ld wall_us=%lld status=%d\n",
		micros(u.ru_utime), micros(u.ru_stime), u.ru_maxrss,
		(long long)(now_ns() - start_ns) / 1000,
		WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
}

/* --- main --- */

static void __attribute__((noreturn)) usage(void)
{
	fprintf(stderr, "ptyrun: bad arguments\nTry 'ptyrun --help'\n");
	exit(2);
}

static void measure(FILE *f, double seconds)
{
	int64_t cpu, bytes, reads;

	while (!full_ns && drain(start_ns + limit_ns, true) && !ended)
		;
	if (full_ns)
		drain(now_ns() + NSEC, false);
	cpu = cpu_ns();
	bytes = written_bytes;
	reads = bursts;
	if (full_ns)
		drain(now_ns() + (int64_t)(seconds * NSEC), false);
	cpu = ended ? 0 : cpu_ns() - cpu;
	write_ms(f, "full_ms", full_ns);
	write_ms(f, "complete_ms", complete_ns);
	fprintf(f, "bytes=%" PRId64 " reads=%" PRId64 " cpu_us=%" PRId64 "\n",
		written_bytes - bytes, bursts - reads, cpu / 1000);
}

static void geometry(const char *s)
{
	char rest;

	if (sscanf(s, "%dx%d%c", &scr.cols, &scr.rows, &rest) != 2 || scr.cols < 1 ||
		scr.rows < 3 || scr.cols > MAX_COLS || scr.rows > MAX_ROWS)
		usage();
}

int main(int argc, char **argv)
{
	const char *keys = "", *quit = "q", *last = NULL;
	double seconds = 0;
	FILE *f;

	if (argc == 2 && strcmp(argv[1], "--help") == 0)
		return fputs(help_text, stdout) < 0 || fflush(stdout);
	geometry("132x43");
	limit_ns = 20 * NSEC;
	for (int opt; (opt = getopt(argc, argv, "+c:g:k:o:q:t:w:")) != -1;) {
		if (opt == 'c' && strlen(optarg) == 1)
			incomplete = optarg[0];
		else if (opt == 'g')
			geometry(optarg);
		else if (opt == 'k')
			keys = optarg;
		else if (opt == 'o')
			last = optarg;
		else if (opt == 'q')
			quit = optarg;
		else if (opt == 't')
			seconds = atof(optarg);
		else if (opt == 'w')
			limit_ns = (int64_t)(atof(optarg) * NSEC);
		else
			usage();
	}
	if (argc - optind < 2)
		usage();
	f = fopen(argv[optind], "w");
	if (!f)
		err(1, "%s", argv[optind]);
	memset(scr.cell, ' ', sizeof(scr.cell));
	start(argv + optind + 1);
	measure(f, seconds);
	time_keys(f, keys);
	if (last)
		screen_write(last);
	end(quit);
	write_usage(f);
	return fclose(f) ? 1 : 0;
}
