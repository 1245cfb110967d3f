/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pageload: its clock, its commands on standard input, and its end.  Included by pageload.c. */
#ifndef PAGELOAD_INPUT_H
#define PAGELOAD_INPUT_H

#include <poll.h>
#include <time.h>

#include "pageload.h"

#define NSEC 1000000000LL

static sigset_t ends; /* SIGINT, SIGTERM: blocked but while it waits */
static volatile sig_atomic_t stopped;

static void on_end(int sig)
{
	(void)sig;
	stopped = 1;
}

static int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * NSEC + t.tv_nsec;
}

/* 1: standard input has something or has ended, 0: the time is over, -1: it is to end. */
static int wait_input(int64_t ns)
{
	struct timespec t = {(time_t)(ns / NSEC), (long)(ns % NSEC)};
	struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN};
	sigset_t none;
	int n;

	sigemptyset(&none);
	n = ppoll(&p, 1, ns < 0 ? NULL : &t, &none);
	return stopped ? -1 : n > 0;
}

/* A line of standard input without its newline: 1, or as wait_input(); -1 at the end,
 * too. */
static int command(char *line, size_t size, int64_t ns)
{
	int got = wait_input(ns);
	size_t n = 0;
	char c;

	if (got <= 0)
		return got;
	for (;;) {
		if (read(STDIN_FILENO, &c, 1) != 1)
			return -1;
		if (c == '\n')
			break;
		if (n + 1 < size)
			line[n++] = c;
	}
	line[n] = '\0';
	return 1;
}

static void ready(void)
{
	say("ready %ld", (long)getpid());
}

static void wait_end(void)
{
	char line[80];

	ready();
	while (command(line, sizeof(line), -1) > 0)
		;
}

struct args {
	size_t n, m; /* of MODE:N:M, or the mode's defaults */
};

#endif
