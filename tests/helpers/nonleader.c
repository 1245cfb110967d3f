// SPDX-License-Identifier: GPL-2.0-or-later
/* nonleader: a thread that is not the leader execs tiny (arguments: nonleader-exec).
 * Prints "PID TID" first.  The kernel reports the exit of the old leader, the exec of
 * PID, and at the end the exit of PID, but no exit of TID. */
#include <err.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static void *exec_tiny(void *file)
{
	printf("%d %ld\n", (int)getpid(), (long)syscall(SYS_gettid));
	fflush(stdout);
	execv(file, (char *[]){(char[]){"tiny"}, (char[]){"nonleader-exec"}, NULL});
	err(1, "%s", (char *)file);
}

int main(void)
{
	char file[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", file, sizeof(file) - 8);
	pthread_t t;

	if (n < 0)
		err(1, "/proc/self/exe");
	file[n] = '\0';
	strcpy(strrchr(file, '/') + 1, "tiny");
	if (pthread_create(&t, NULL, exec_tiny, file))
		errx(1, "pthread_create");
	pthread_join(t, NULL);
	return 1;
}
