/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * state: the state of the screen: its pages and what the user has selected.  Both drawing and keys work
 * on it.
 */
#ifndef EVENTSTAT_SCREEN_STATE_H
#define EVENTSTAT_SCREEN_STATE_H

#include "page.h"
#include "tui/screen.h"

struct screen {
	struct sm_screen base;
	struct opts *opts;
	struct sm_ids *users;
	struct page timers, wakeups;
	bool have_wakeups;         /* the kernel can say what wakes its CPUs */
	bool on_wakeups;           /* this page is shown */
	bool details;
	struct sm_buf text;
};

static inline struct page *state_page(struct screen *s)
{
	return s->on_wakeups ? &s->wakeups : &s->timers;
}

#endif
