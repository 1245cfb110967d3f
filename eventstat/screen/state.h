/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * state: the state of the screen, which drawing and keys share: its pages and the selections of the user.
 */
#ifndef EVENTSTAT_SCREEN_STATE_H
#define EVENTSTAT_SCREEN_STATE_H

#include "page.h"
#include "tui/screen.h"

struct screen {
	struct sm_screen base;     /* must be first */
	struct opts *opts;
	struct sm_ids *users;
	struct page timers, wakeups;
	bool have_wakeups;         /* wakeups can be counted */
	bool on_wakeups;           /* the page of wakeups is shown */
	struct sm_buf text;
};

static inline struct page *state_page(struct screen *s)
{
	return s->on_wakeups ? &s->wakeups : &s->timers;
}

#endif
