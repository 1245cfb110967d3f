// SPDX-License-Identifier: GPL-2.0-or-later
#include "inherit.h"

#include <errno.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cli/err.h"

/* Values of linux/ioprio.h and linux/mempolicy.h, which old installations lack. */
#define IO_OF_PROCESS  1
#define IO_CLASS_SHIFT 13
#define BIND	       2

#ifndef PR_SET_MEMORY_MERGE
#define PR_SET_MEMORY_MERGE 67
#endif

static int take_io(const struct inherit *h)
{
	int prio = (int)h->io << IO_CLASS_SHIFT | (int)h->io_level;

	if (h->io == INHERIT_IO_NONE)
		return 0;
	return syscall(SYS_ioprio_set, IO_OF_PROCESS, 0, prio) < 0 ? -errno : 0;
}

/* The kernel takes the number of bits plus one. */
static int take_nodes(const struct inherit *h)
{
	if (!h->has_nodes)
		return 0;
	return syscall(SYS_set_mempolicy, BIND, h->nodes, INHERIT_NODES + 1) < 0 ? -errno
										 : 0;
}

static int take_ksm(const struct inherit *h)
{
	if (!h->ksm)
		return 0;
	return prctl(PR_SET_MEMORY_MERGE, 1, 0, 0, 0) < 0 ? -errno : 0;
}

int inherit_take(const struct inherit *h)
{
	const char *what = "--ionice-class";
	int err = take_io(h);

	if (!err) {
		what = "--mbind";
		err = take_nodes(h);
	}
	if (!err) {
		what = "--ksm";
		err = take_ksm(h);
	}
	if (err)
		sm_err_at(what, err);
	return err;
}
