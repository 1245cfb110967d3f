// SPDX-License-Identifier: GPL-2.0-or-later
/* crowd N [US]: N threads arm a timer of an hour each and sleep; with US each sleeps
 * first until US microseconds after the thread before it, starting after 2 s.  Writes how
 * many threads there are when all have been made, and runs until a signal. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define STACK_BYTES 16384
#define NSEC	    1000000000

static struct timespec start;
static long gap_us;

static void wait_for_turn(long number)
{
	int64_t ns = start.tv_nsec + (int64_t)number * gap_us * 1000;
	struct timespec turn = {
		.tv_sec = start.tv_sec + 2 + ns / NSEC, .tv_nsec = ns % NSEC};

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &turn, NULL);
}

static void *sleeper(void *number)
{
	const struct timespec hour = {.tv_sec = 3600};

	if (gap_us)
		wait_for_turn((long)(intptr_t)number);
	nanosleep(&hour, NULL);
	return number;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 0, made = 0;
	pthread_attr_t attr;
	pthread_t thread;

	gap_us = argc > 2 ? atol(argv[2]) : 0;
	clock_gettime(CLOCK_MONOTONIC, &start);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK_BYTES);
	while (made < n &&
		pthread_create(&thread, &attr, sleeper, (void *)(intptr_t)made) == 0)
		made++;
	printf("%d\n", made);
	fflush(stdout);
	pause();
	return 0;
}
