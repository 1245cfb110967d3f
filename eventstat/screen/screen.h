/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * screen: eventstat -T, the full screen.  It draws samples and turns keys into requests; it neither
 * samples nor waits.
 *
 * Layers, from the lowest: copies, page; state; keys; draw; screen.
 */
#ifndef EVENTSTAT_SCREEN_H
#define EVENTSTAT_SCREEN_H

#include "state.h"

/* o is the screen's: keys change it; a name that was typed ends with the screen.  names: the pool of
 * the rows' cmd and cgroup.  wakeups: there will be samples of wake-ups, too. */
int screen_open(struct screen **out, struct opts *o, struct sm_ids *users,
	struct sm_strpool *names, bool wakeups, const char **why) SM_MUST;
void screen_close(struct screen *s);
/* Copies and arranges the rows (all of them, in any order) and adds them to the history.  wakeups: NULL
 * without them. */
void screen_sample(struct screen *s, const struct sample *timers, const struct sample *wakeups);
/* Filters, groups and sorts the rows of the sample by opts. */
void screen_arrange(struct screen *s);
void screen_draw(struct screen *s);

#endif
