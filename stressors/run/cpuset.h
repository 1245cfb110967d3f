/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cpuset: the words of --taskset that stand for CPUs of this machine: all, even, odd, and package with a
 * number, such as package0.
 */
#ifndef STRESSORS_RUN_CPUSET_H
#define STRESSORS_RUN_CPUSET_H

#include <sched.h>

#include "base/root.h"

/* Adds the online CPUs for which a word stands, and returns their number.  -EINVAL: not such a word; other
 * -errno: the list of CPUs cannot be read. */
int cpuset_word(const struct sm_root *root, const char *word, size_t n, cpu_set_t *set) SM_MUST;

#endif
