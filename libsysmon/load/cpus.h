/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cpus: the CPUs that this process can load: those that are online (/sys/devices/system/cpu/online) and
 * permitted by its cpuset.  The default are those that are also in its affinity mask (sched_getaffinity(2)
 * returns those permitted by both, see cpuset(7)).  The others can be selected by number, because a process
 * may widen its own mask: CPUs outside of a mask set by taskset(1), and the isolated CPUs of the kernel's
 * parameter isolcpus=, which no process inherits.  Errors: -errno.
 */
#ifndef SM_CPUS_H
#define SM_CPUS_H

#include "base/base.h"
#include "base/root.h"

enum sm_cpus_why {
	SM_CPUS_USABLE,
	SM_CPUS_ABSENT,     /* the machine has no such CPU (cpu/possible) */
	SM_CPUS_OFFLINE,
	SM_CPUS_APART,      /* not in the affinity mask, but the kernel lets this process run there */
	SM_CPUS_FORBIDDEN,  /* not in the cpuset of this process */
};

struct sm_cpus {
	unsigned char *why; /* enum sm_cpus_why by CPU number */
	unsigned int n;     /* highest possible CPU number + 1 */
	unsigned int usable;
};

/* Determines the state of each CPU of the live machine; the affinity is the calling thread's, and is changed
 * for a moment if it lacks CPUs.  Without sysfs, all CPUs that the affinity permits are usable. */
int sm_cpus_open(struct sm_cpus *c, const struct sm_root *root) SM_MUST;
void sm_cpus_close(struct sm_cpus *c);
enum sm_cpus_why sm_cpus_why(const struct sm_cpus *c, unsigned int cpu);
/* Returns "is offline" or another reason, to follow "CPU 5 " in a message; "" if the CPU is in the default
 * set. */
const char *sm_cpus_reason(enum sm_cpus_why why);

/* Returns the number of CPUs in a list such as "0-3,5", in its order, or with NULL of the default set;
 * *out is allocated.  -EINVAL: malformed or empty; -ERANGE: a number is too large; -EEXIST: *bad is
 * listed twice; -ENODEV: *bad cannot be used, see sm_cpus_why(). */
int sm_cpus_select(const struct sm_cpus *c, const char *list, unsigned int **out,
	unsigned int *bad) SM_MUST;

/* Moves the calling thread to one CPU.  -EINVAL: the CPU is offline or the cpuset forbids it. */
int sm_cpus_pin(unsigned int cpu) SM_MUST;

#endif
