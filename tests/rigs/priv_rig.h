/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * priv_rig: what a process may do, checked in a child, because a change of privileges stays for good.
 */
#ifndef PRIV_RIG_H
#define PRIV_RIG_H

#include <errno.h>
#include <grp.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "cli/priv.h"
#include "unit.h"

#define NOBODY 65534u

/* Leak checkers ptrace at exit, coverage writes files: children leave by _exit(). */
static inline void in_child(void (*fn)(void))
{
	pid_t pid = fork();
	int status;

	ck_assert_int_ge(pid, 0);
	if (pid == 0) {
		fn();
		_exit(0);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "child: status 0x%x",
		status);
}

#define MUST(x)                                                                        \
	do {                                                                           \
		if (!(x)) {                                                            \
			dprintf(2, "# line %d: %s (errno %d)\n", __LINE__, #x, errno); \
			_exit(1);                                                      \
		}                                                                      \
	} while (0)
#define REFUSED(call) MUST((errno = 0, (call) == -1 && errno == EPERM))

static inline void drop(unsigned int flags)
{
	const char *step = NULL;
	int r = sm_priv_drop(flags, NULL, &step);

	if (r < 0)
		dprintf(2, "# drop: %s: %s\n", step, strerror(-r));
	MUST(r == 0);
}

static inline void set_sudo(const char *uid, const char *gid)
{
	setenv("SUDO_UID", uid, 1);
	setenv("SUDO_GID", gid, 1);
}

static inline void clear_sudo(void)
{
	unsetenv("SUDO_UID");
	unsetenv("SUDO_GID");
	unsetenv("PKEXEC_UID");
	unsetenv("DOAS_USER");
}

/* A line of /proc/self/status, the value as hexadecimal. */
static inline unsigned long long status_field(const char *name)
{
	char buf[8192];
	const char *at;
	int fd = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
	ssize_t n = read(fd, buf, sizeof(buf) - 1);

	MUST(n > 0);
	close(fd);
	buf[n] = '\0';
	at = strstr(buf, name);
	MUST(at);
	return strtoull(at + strlen(name), NULL, 16);
}

static inline void must_be_bare(void)
{
	MUST(status_field("CapInh:") == 0);
	MUST(status_field("CapPrm:") == 0);
	MUST(status_field("CapEff:") == 0);
	MUST(status_field("CapAmb:") == 0);
	MUST(status_field("NoNewPrivs:") == 1);
	MUST(prctl(PR_GET_DUMPABLE) == 0);
}

static inline void must_be_user(uid_t uid, gid_t gid)
{
	uid_t r, e, s;
	gid_t rg, eg, sg;

	MUST(getresuid(&r, &e, &s) == 0 && r == uid && e == uid && s == uid);
	MUST(getresgid(&rg, &eg, &sg) == 0 && rg == gid && eg == gid && sg == gid);
}

/* Root of a small user namespace or of a container without capabilities stays what it is.
 */
static inline bool is_mighty(void)
{
	static const gid_t group = 54322;
	pid_t pid = fork();
	int status;

	if (pid == 0)
		_exit(setgroups(1, &group) < 0 || setresgid(group, group, group) < 0 ||
			setresuid(54321, 54321, 54321) < 0);
	MUST(pid > 0 && waitpid(pid, &status, 0) == pid);
	return status == 0;
}

/* ---- open ---- */

static char dir[UNIT_DIR];

static const char *in_dir(const char *name)
{
	static char paths[2][128]; /* for calls that take two */
	static unsigned int n;
	char *path = paths[n++ % 2];

	snprintf(path, sizeof(paths[0]), "%s/%s", dir, name);
	return path;
}

#endif
