// SPDX-License-Identifier: GPL-2.0-or-later
/* bornin GROUP N: N children that begin in the cgroup of this directory (clone3(2),
 * CLONE_INTO_CGROUP, Linux 5.7) and exit at once without an exec.  Prints their pids.
 * Status 77: not possible here. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define INTO_CGROUP UINT64_C(0x200000000)

static pid_t clone_into(int group)
{
	/* struct clone_args of linux/sched.h, which older headers lack */
	uint64_t args[11] = {
		[0] = INTO_CGROUP, [4] = 17 /* SIGCHLD */, [10] = (uint64_t)group};

	return (pid_t)syscall(435 /* clone3 */, args, sizeof(args));
}

int main(int argc, char **argv)
{
	int group = argc == 3 ? open(argv[1], O_PATH | O_DIRECTORY) : -1;
	pid_t pid;

	if (group < 0)
		return 2;
	for (int n = atoi(argv[2]); n > 0; n--) {
		pid = clone_into(group);
		if (pid < 0)
			return 77;
		if (pid == 0)
			_exit(0);
		waitpid(pid, NULL, 0);
		printf("%d\n", (int)pid);
	}
	return 0;
}
