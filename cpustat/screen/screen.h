/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * screen: cpustat -X, the full screen.  It draws samples and turns keys into requests; it neither
 * samples nor waits.
 *
 * Layers, from the lowest: copies and cpus (of the sample); state; keys; table, draw; screen.
 */
#ifndef CPUSTAT_SCREEN_H
#define CPUSTAT_SCREEN_H

#include "keys.h"

/* o is the screen's: keys change it (sort, group, threads, wait, all_cpus, names, name_glob, uids,
 * interval_ns); a name_glob that was typed ends with the screen.  names: the pool of the rows' cmd
 * and cgroup. */
int screen_open(struct screen **out, struct opts *o, struct sm_ids *users,
	struct sm_strpool *names, const char **why) SM_MUST;
void screen_close(struct screen *s);
int screen_key_fd(const struct screen *s);
bool screen_paused(const struct screen *s);
/* Copies and arranges the sample's rows (all of them, in any order) and records the history and the
 * load of the CPUs.  Rows with dt_ns 0, and those of a first sample without new processes, are
 * averages since each task's start: they are marked so and are not part of the history. */
void screen_sample(struct screen *s, const struct sample *sample);
/* Filters, groups and sorts the rows of the sample by opts. */
void screen_arrange(struct screen *s);
void screen_draw(struct screen *s);
void screen_resized(struct screen *s);
/* Takes all pending keys.  Returns SM_SCREEN_QUIT also if the terminal was hung up. */
enum sm_screen_request screen_keys(struct screen *s);

#endif
