/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * screen: the full screen (-T).  It draws samples and turns keys into requests, with the functions of
 * tui/screen for s->base; it neither samples nor waits.
 *
 * Layers, from the lowest: page; keys; draw; screen.
 */
#ifndef EVENTSTAT_SCREEN_H
#define EVENTSTAT_SCREEN_H

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

static inline struct page *screen_page(struct screen *s)
{
	return s->on_wakeups ? &s->wakeups : &s->timers;
}

/* o: options that keys change; a name that was typed is freed with the screen.  names: the pool of the rows'
 * cmd and cgroup.  wakeups: samples of wakeups will also be given.  Returns 0, or -errno with *why. */
int screen_open(struct screen **out, struct opts *o, struct sm_ids *users,
	struct sm_strpool *names, bool wakeups, const char **why) SM_MUST;
void screen_close(struct screen *s);
/* Copies all rows of a sample, in any order, arranges them and adds them to the history.  wakeups may be
 * NULL. */
void screen_sample(struct screen *s, const struct sample *timers, const struct sample *wakeups);
/* Filters, groups and sorts the rows of the last sample by the options. */
void screen_arrange(struct screen *s);

/* keys.c: sets the members of struct sm_screen that a tool provides. */
void keys_init(struct screen *s);
/* draw.c: functions for struct sm_screen. */
void draw_screen(void *screen);
void draw_details(void *screen, size_t i, int row, int lines);

#endif
