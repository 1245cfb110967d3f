// SPDX-License-Identifier: GPL-2.0-or-later
/* slowreader SECONDS [BYTES]: copies stdin to stdout; once, after BYTES bytes (default
 * 1), it stops reading for SECONDS. */
#include <err.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static void pause_for(double seconds)
{
	struct timespec t = {
		(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};

	nanosleep(&t, NULL);
}

static void write_all(const char *p, ssize_t n)
{
	while (n > 0) {
		ssize_t w = write(1, p, (size_t)n);

		if (w < 0)
			err(1, "write");
		p += w;
		n -= w;
	}
}

int main(int argc, char **argv)
{
	static char buf[65536];
	long before = argc > 2 ? atol(argv[2]) : 1, seen = 0;
	ssize_t n;

	if (argc < 2)
		errx(2, "usage: slowreader SECONDS [BYTES]");
	while ((n = read(0, buf, sizeof(buf))) > 0) {
		write_all(buf, n);
		if (seen < before && seen + n >= before)
			pause_for(atof(argv[1]));
		seen += n;
	}
	return n < 0;
}
