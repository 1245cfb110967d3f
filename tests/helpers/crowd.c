// SPDX-License-Identifier: GPL-2.0-or-later
/* crowd N: N threads arm a timer of an hour each and sleep; writes how many there are,
 * until a signal. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define STACK_BYTES 16384

static void *sleeper(void *arg)
{
	const struct timespec hour = {.tv_sec = 3600};

	nanosleep(&hour, NULL);
	return arg;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 0, made = 0;
	pthread_attr_t attr;
	pthread_t thread;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK_BYTES);
	while (made < n && pthread_create(&thread, &attr, sleeper, NULL) == 0)
		made++;
	printf("%d\n", made);
	fflush(stdout);
	pause();
	return 0;
}
