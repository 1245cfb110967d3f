/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cpulist: lists of CPUs such as "0-3,8" (Documentation/admin-guide/cputopology.rst), and the online CPUs
 * from /sys/devices/system/cpu/online.
 */
#ifndef SM_CPULIST_H
#define SM_CPULIST_H

#include "base/base.h"
#include "base/file.h"
#include "base/root.h"

#define SM_CPULIST_MAX 65536u /* CPU numbers are below */

/* Calls fn (unless NULL) for each CPU of a list, ascending within a range, if the whole list is valid.  A
 * trailing newline is allowed.  Returns the number of CPUs, or -EINVAL, or -ERANGE (a number >=
 * SM_CPULIST_MAX). */
int sm_cpulist_parse(const char *s, size_t n, void (*fn)(void *ctx, unsigned int cpu), void *ctx)
	SM_MUST;
/* Return the number of online CPUs of root, and of all CPUs that can come online, or -errno. */
int sm_cpulist_online(const struct sm_root *root) SM_MUST;
int sm_cpulist_possible(const struct sm_root *root) SM_MUST;

/* The online CPUs, by CPU number; each reading is one pread. */
struct sm_cpulist {
	struct sm_file file;
	bool *online;
	unsigned int n;         /* highest number seen so far + 1 */
	size_t cap;             /* of online[] */
	char *text;             /* text of the last reading, which had `count` CPUs; count 0: not kept */
	size_t text_len, text_cap;
	int count;
};

#define SM_CPULIST_INIT { .file = SM_FILE_INIT }

/* Opens the list.  -ENOENT: there is no such list; l is then empty, and sm_cpulist_mark() may fill it. */
int sm_cpulist_open(struct sm_cpulist *l, const struct sm_root *root) SM_MUST;
/* Marks a CPU as online, until the next reading. */
int sm_cpulist_mark(struct sm_cpulist *l, unsigned int cpu) SM_MUST;
/* Reads the list and returns the number of online CPUs.  -EBADMSG: malformed. */
int sm_cpulist_read(struct sm_cpulist *l) SM_MUST;
void sm_cpulist_close(struct sm_cpulist *l);

#endif
