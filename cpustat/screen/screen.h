/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * screen: cpustat -X, the full screen.  It draws samples and turns keys into requests, with the functions of
 * tui/screen for s->base; it neither samples nor waits.
 *
 * Layers, from the lowest: cpus; state; keys, table, draw; screen.
 */
#ifndef CPUSTAT_SCREEN_H
#define CPUSTAT_SCREEN_H

#include "state.h"

/* Opens the screen.  Keys change o (sort, group, threads, wait, all_cpus, names, name_glob, uids,
 * interval_ns), and a typed name_glob is valid until screen_close(). names: the pool of the rows' cmd and
 * cgroup. */
int screen_open(struct screen **out, struct opts *o, struct sm_ids *users,
	struct sm_strpool *names, const char **why) SM_MUST;
void screen_close(struct screen *s);
/* Copies and arranges all rows of the sample, in any order, and records the history and the load of the CPUs.
 * The rows of a sample with dt_ns 0 are averages since the start of each task: they are marked as such and
 * are not added to the history. */
void screen_sample(struct screen *s, const struct sample *sample);
/* Filters, groups and sorts the rows of the sample according to opts. */
void screen_arrange(struct screen *s);

#endif
