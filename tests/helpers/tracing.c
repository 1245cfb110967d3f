// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tracing COMMAND...: executes COMMAND.  If the kernel's tracing does not answer, COMMAND
 * has no tracefs, and NO_TRACING=REASON in its environment.
 *
 * A task that dies in the kernel with the lock of tracing (event_mutex) blocks every task
 * that reads the format of an event or opens a tracepoint, and nothing can kill these.
 * That lasts until the machine is restarted.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef SYS_fsopen
#define SYS_fsopen 430 /* the same on all architectures but Alpha */
#endif

#define TRACING	    "/sys/kernel/tracing"
#define FORMAT	    TRACING "/events/sched/sched_switch/format"
#define DEBUG	    "/sys/kernel/debug"
#define MAX_FDS	    1024
#define PATIENCE_MS 30000 /* a busy machine is slow */

/* In a mount namespace of its own: reads the format of an event, which takes the lock. */
static void read_format(void)
{
	char buf[64];
	int fd;

	if (unshare(CLONE_NEWNS) < 0 ||
		mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
		return;
	fd = open(FORMAT, O_RDONLY | O_CLOEXEC);
	/* Not MS_RDONLY: all mounts of tracefs are one file system, which would be
	 * read-only for all. */
	if (fd < 0 && mount("nodev", TRACING, "tracefs", 0, NULL) == 0)
		fd = open(FORMAT, O_RDONLY | O_CLOEXEC);
	if (fd >= 0)
		(void)!read(fd, buf, sizeof(buf));
}

/* Starts a process that reads the format; fd is closed when it ends.  If it does not end,
 * nothing waits for it: it is no child of this process, in a session of its own, with no
 * other descriptor. */
static void start_reader(int fd)
{
	pid_t child = fork();

	if (child == 0) {
		for (int other = 0; other < MAX_FDS; other++)
			if (other != fd)
				close(other);
		setsid();
		if (fork() == 0)
			read_format();
		_exit(0);
	}
	close(fd);
	if (child > 0)
		waitpid(child, NULL, 0);
}

static bool answers(void)
{
	struct pollfd end = {.events = POLLIN};
	int fds[2], n;

	if (pipe2(fds, O_CLOEXEC) < 0)
		return true;
	start_reader(fds[1]);
	end.fd = fds[0];
	n = poll(&end, 1, PATIENCE_MS);
	close(fds[0]);
	return n != 0;
}

/* No tracefs is mounted, and fsopen(2) cannot open one. */
static int hide(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_fsopen, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog filter = {sizeof(code) / sizeof(code[0]), code};

	if (unshare(CLONE_NEWNS) < 0 ||
		mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
		return -1;
	umount2(DEBUG "/tracing", MNT_DETACH);
	umount2(DEBUG, MNT_DETACH);
	while (umount2(TRACING, MNT_DETACH) == 0)
		;
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
}

int main(int argc, char **argv)
{
	if (argc < 2) {
		fprintf(stderr, "Usage: tracing COMMAND...\n");
		return 2;
	}
	if (!answers()) {
		if (hide() < 0) {
			perror("tracing");
			return 1;
		}
		setenv("NO_TRACING",
			"the kernel's tracing does not answer until the machine is "
			"restarted",
			1);
		fprintf(stderr, "tracing: %s: it is hidden\n", getenv("NO_TRACING"));
	}
	execvp(argv[1], argv + 1);
	perror(argv[1]);
	return 127;
}
