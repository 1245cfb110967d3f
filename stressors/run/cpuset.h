/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cpuset: the words of --taskset that stand for CPUs of this machine: all, even, odd, and package with a
 * number, such as package0.
 */
#ifndef STRESSORS_RUN_CPUSET_H
#define STRESSORS_RUN_CPUSET_H

#include <sched.h>

#include "kernel/root.h"

/* Adds the online CPUs.  How many there are; -EINVAL: not such a word; -errno: of the list of CPUs. */
int cpuset_word(const struct sm_root *root, const char *word, size_t n, cpu_set_t *set) SM_MUST;

#endif
