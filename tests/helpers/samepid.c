// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * samepid: processes that nap, one after the other, all with the same number.
 * Each line of standard input, "NAME UID", ends the last one and starts the next, whose
 * number is printed when it has its name and user.  Ends with its input, or with status
 * 77 where it may not choose numbers (/proc/sys/kernel/ns_last_pid).
 */
#include <err.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { TRIES = 100000, NAP_NS = 2000000 };

static void nap_for_ever(const char *name, uid_t uid, int ready)
{
	prctl(PR_SET_NAME, name);
	if (setresuid(uid, uid, uid) < 0 ||
		prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 || /* setresuid() clears it */
		write(ready, "", 1) != 1)
		_exit(1);
	for (;;)
		nanosleep(&(struct timespec){.tv_nsec = NAP_NS}, NULL);
}

/* The next number that the kernel gives is this one, if no other process takes it. */
static void choose(pid_t pid)
{
	int fd = open("/proc/sys/kernel/ns_last_pid", O_WRONLY | O_CLOEXEC);

	if (fd < 0 || dprintf(fd, "%d", (int)pid - 1) < 0)
		exit(77);
	close(fd);
}

/* pid: its number; 0: any. */
static pid_t start(const char *name, uid_t uid, pid_t pid)
{
	for (int i = 0; i < TRIES; i++) {
		int ready[2];
		pid_t child;
		char c;

		if (pipe(ready) < 0)
			err(1, "pipe");
		if (pid)
			choose(pid);
		child = fork();
		if (child == 0 && (!pid || getpid() == pid))
			nap_for_ever(name, uid, ready[1]);
		if (child == 0)
			_exit(0);
		close(ready[1]);
		if (read(ready[0], &c, 1) == 1)
			return close(ready[0]), child;
		close(ready[0]);
		waitpid(child, NULL, 0);
	}
	errx(1, "number %d is always taken", (int)pid);
}

int main(void)
{
	char name[16];
	unsigned int uid;
	pid_t pid = 0;

	while (scanf("%15s %u", name, &uid) == 2) {
		if (pid) {
			kill(pid, SIGKILL);
			waitpid(pid, NULL, 0);
		}
		pid = start(name, uid, pid);
		printf("%d\n", (int)pid);
		fflush(stdout);
	}
	if (pid)
		kill(pid, SIGKILL);
	return 0;
}
