/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * find: finds the process for PID|NAME, and lists all processes for the picker.
 *
 * A text of digits only is a pid, 1 .. 4194304 (PID_MAX_LIMIT of the kernel), and never a name.  Any other
 * text must be equal to the comm of a process (/proc/PID/comm) or to the last component of its argv[0]
 * (/proc/PID/cmdline).  Both are hostile bytes.  Among several matches, the lowest pid is used; the tool
 * itself is used only if nothing else matches.  Files: /proc/PID/{comm,cmdline,stat,statm},
 * Documentation/filesystems/proc.rst.
 */
#ifndef PAGEMON_FIND_H
#define PAGEMON_FIND_H

#include "base/buf.h"
#include "base/root.h"

#define FIND_PID_MAX 4194304

struct found {
	pid_t pid;
	size_t matches;    /* processes with that name, including the tool only if it is pid; 1 for a
			    * number */
};

/* Parses the whole text as a pid.  -EINVAL: not a number, -ERANGE: 0 or above FIND_PID_MAX. */
int find_pid(const char *text, pid_t *out) SM_MUST;
/* Finds a process.  -ERANGE: a number that cannot be a pid; -ESRCH: no such process; or -errno. */
int find_target(const struct sm_root *root, const char *text, struct found *out) SM_MUST;

struct find_item {
	pid_t pid;
	bool kthread;          /* has no memory of its own and cannot be monitored */
	uint64_t rss_bytes;
	size_t name_at, name_n; /* in list.text: the arguments, NUL-separated, or the comm if there are
				 * no arguments (kernel thread, zombie): hostile bytes, up to
				 * FIND_NAME_MAX */
	size_t comm_at, comm_n; /* in list.text */
};

#define FIND_NAME_MAX 1024

struct find_list {
	struct find_item *items;   /* in no order */
	size_t n, cap;
	struct sm_buf text;
	uint64_t page_bytes;
};

#define FIND_LIST_INIT { .items = NULL }

/* Reads all current processes except the tool itself and processes that exit during the reading.  Allocates
 * only if the list grows.  -ENOMEM, or an error of reading /proc. */
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
