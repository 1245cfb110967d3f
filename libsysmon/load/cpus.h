/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cpus: which CPUs this process can load: those that are online
 * (/sys/devices/system/cpu/online), and that its affinity and its cpuset permit (sched_getaffinity(2)
 * gives what both permit, cpuset(7)).  Errors: -errno.
 */
#ifndef SM_CPUS_H
#define SM_CPUS_H

#include "base/base.h"
#include "kernel/root.h"

enum sm_cpus_why {
	SM_CPUS_USABLE,
	SM_CPUS_ABSENT,     /* the machine has no such CPU (cpu/possible) */
	SM_CPUS_OFFLINE,
	SM_CPUS_FORBIDDEN,  /* not in the affinity or cpuset of this process */
};

struct sm_cpus {
	unsigned char *why; /* enum sm_cpus_why by CPU number */
	unsigned int n;     /* highest possible CPU number + 1 */
	unsigned int usable;
};

/* Live machine only: the affinity is that of the calling thread.  Without sysfs all that the affinity
 * permits is usable. */
int sm_cpus_open(struct sm_cpus *c, const struct sm_root *root) SM_MUST;
void sm_cpus_close(struct sm_cpus *c);
enum sm_cpus_why sm_cpus_why(const struct sm_cpus *c, unsigned int cpu);
/* "is offline" ... for a message after "CPU 5 "; "" if it is usable. */
const char *sm_cpus_reason(enum sm_cpus_why why);

/*
 * The CPUs of a list such as "0-3,5", in its order, or with NULL all usable ones.  *out is allocated;
 * returns their number.  -EINVAL: malformed or empty; -ERANGE: a number too large; -EEXIST: *bad is
 * there twice; -ENODEV: *bad cannot be used, sm_cpus_why() tells why.
 */
int sm_cpus_select(const struct sm_cpus *c, const char *list, unsigned int **out,
	unsigned int *bad) SM_MUST;

/* Moves the calling thread to one CPU.  -EINVAL: it is offline or the cpuset forbids it. */
int sm_cpus_pin(unsigned int cpu) SM_MUST;

#endif
