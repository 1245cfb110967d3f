/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * state: the state of the screen: its pages and the selections of the user; and the functions that draw it
 * and handle its keys.
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

/* keys.c: sets the members of struct sm_screen that a tool provides. */
void keys_init(struct screen *s);
/* draw.c: functions for struct sm_screen. */
void draw_screen(void *screen);
void draw_details(void *screen, size_t i, int row, int lines);

#endif
