// SPDX-License-Identifier: GPL-2.0-or-later
#include "space.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "cli/priv.h"

/* The kernel may forget the signal of the parent's death when the privileges change. */
static void die_with(pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(STRESS_FAIL);
}

int ipc_space_enter(struct stress *s)
{
	pid_t parent = getppid();
	int r = unshare(CLONE_NEWIPC);

	if (r < 0 && errno == EPERM)
		r = unshare(CLONE_NEWUSER | CLONE_NEWIPC);
	if (r < 0)
		return stress_error(
			s, STRESS_SKIP, errno, "cannot create an IPC namespace");
	r = sm_priv_keep(0);
	die_with(parent);
	return r < 0 ? stress_error(s, STRESS_SKIP, -r, "cannot drop privileges") : 0;
}
