// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * keepopen: reads one file again and again from one descriptor, as the tools do.
 *
 *	keepopen COUNT MILLISECONDS FILE
 *
 * A line for each pread from offset 0: CLOCK_MONOTONIC before and after it (ns), and the
 * value, escaped as in the log, or !ERRNO.  If FILE cannot be opened, only !ERRNO and
 * status 1.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "spec.h"

static long long now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * NS_PER_S + ts.tv_nsec;
}

static void read_once(int fd)
{
	static char buf[LAB_TEXT_MAX];
	long long before = now_ns(), after;
	ssize_t n = pread(fd, buf, sizeof(buf), 0);
	int err = errno;

	after = now_ns();
	printf("%lld %lld ", before, after);
	if (n < 0)
		printf("!%s", lab_errname(err));
	else
		lab_escape(stdout, buf, (size_t)n);
	putchar('\n');
	fflush(stdout);
}

int main(int argc, char **argv)
{
	int fd, count = argc == 4 ? atoi(argv[1]) : 0;

	if (count <= 0) {
		fputs("usage: keepopen COUNT MILLISECONDS FILE\n", stderr);
		return 2;
	}
	fd = open(argv[3], O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		printf("!%s\n", lab_errname(errno));
		return 1;
	}
	for (int i = 0; i < count; i++) {
		if (i)
			usleep((useconds_t)atoi(argv[2]) * 1000);
		read_once(fd);
	}
	return 0;
}
