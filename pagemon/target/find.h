/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * find: which process is meant by PID|NAME, and the list of all processes for a picker.
 *
 * A text of digits alone is a pid, 1 .. 4194304 (PID_MAX_LIMIT of the kernel), and never a name.
 * Anything else is a name: exactly the comm of a process (/proc/PID/comm) or the last component of its
 * argv[0] (/proc/PID/cmdline).  Both are hostile bytes.  Of several matches the lowest pid is taken;
 * the tool itself only if nothing else matches.  Files: /proc/PID/{comm,cmdline,status,statm},
 * Documentation/filesystems/proc.rst.
 */
#ifndef PAGEMON_FIND_H
#define PAGEMON_FIND_H

#include "base/buf.h"
#include "kernel/root.h"

#define FIND_PID_MAX 4194304

struct found {
	pid_t pid;
	size_t matches;    /* processes with that name, the tool itself counted only if it is pid; 1
			    * for a number */
};

/* The whole text as a pid.  -EINVAL: not a number, -ERANGE: 0 or above FIND_PID_MAX. */
int find_pid(const char *text, pid_t *out) SM_MUST;
/* -ERANGE: a number that cannot be a pid; -ESRCH: no such process, or none of that name; or -errno. */
int find_target(const struct sm_root *root, const char *text, struct found *out) SM_MUST;

struct find_item {
	pid_t pid;
	uid_t uid;             /* real */
	bool kthread;          /* has no memory of its own: cannot be watched */
	uint64_t rss_bytes;
	size_t name_at, name_n; /* in list.text: the arguments, NUL-separated, or the comm where there
				 * are none (a
	                         * kernel thread, a zombie): hostile bytes, up to FIND_NAME_MAX */
	size_t comm_at, comm_n; /* in list.text */
};

#define FIND_NAME_MAX 1024

struct find_list {
	struct find_item *items;   /* by pid, ascending */
	size_t n, cap;
	struct sm_buf text;
	uint64_t page_bytes;
};

#define FIND_LIST_INIT { .items = NULL }

/* All processes of now but the tool itself; what exits meanwhile is left out.  An allocation only as
 * the list grows.  -ENOMEM, or an error of reading /proc. */
int find_list_read(struct find_list *l, const struct sm_root *root) SM_MUST;
void find_list_fini(struct find_list *l);
static inline struct sm_str find_name(const struct find_list *l, const struct find_item *i)
{
	return (struct sm_str){l->text.p + i->name_at, i->name_n};
}
static inline struct sm_str find_comm(const struct find_list *l, const struct find_item *i)
{
	return (struct sm_str){l->text.p + i->comm_at, i->comm_n};
}

#endif
