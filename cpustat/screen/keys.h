/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * keys: what each key does: it changes the options or the screen's state, or requests something of
 * the loop; and the help about the keys.
 */
#ifndef CPUSTAT_SCREEN_KEYS_H
#define CPUSTAT_SCREEN_KEYS_H

#include "state.h"

/* A request to the loop.  Of several, the last one in this list counts. */
enum screen_request {
	SCREEN_NOTHING,
	SCREEN_REDRAW,
	SCREEN_SAMPLE,    /* take a sample now (space) */
	SCREEN_REARRANGE, /* opts changed (sort, threads, group, filter, names, interval_ns):
	                     screen_arrange() */
	SCREEN_QUIT,
};

enum screen_request keys_take(struct screen *s, int key);
/* The line of the important keys. */
void keys_line(struct screen *s, int row);
/* The page s->help of all of them; sets s->help_more. */
void keys_help(struct screen *s);

#endif
