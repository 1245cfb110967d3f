/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * keys: the keys of a screen as one table, from which come the dispatch, the help, and the last line.
 * cli layer.
 */
#ifndef SM_TUI_KEYS_H
#define SM_TUI_KEYS_H

#include "tui/tui.h"

#define SM_KEYS_MAX 80

/* A request of a key to the loop.  If there are several, the one that is last in this list is used. */
enum sm_screen_request {
	SM_SCREEN_NOTHING,
	SM_SCREEN_REDRAW,
	SM_SCREEN_SAMPLE,    /* take a sample now (space) */
	SM_SCREEN_REARRANGE, /* options changed: filter, sort, interval ... */
	SM_SCREEN_QUIT,
};

struct sm_key {
	int key[4];          /* keys with this meaning, as listed in the help */
	const char *help;    /* at most 30 columns; NULL: not in the help */
	/* The last line shows the entries with a text, in the order of their ranks, as far as they fit. */
	const char *brief;
	int rank;
	bool both;           /* it shows the first two keys */
	unsigned int views;  /* bits of the tool's views that have the key; 0: all */
	/* screen: the tool's structure, which begins with struct sm_screen; arg: value or, if that is 0,
	 * the key.  NULL: the entry is only help. */
	enum sm_screen_request (*act)(void *screen, int arg);
	int value;
};

/* Entries of several tables; the first one that has a key counts. */
struct sm_keys {
	const struct sm_key *entry[SM_KEYS_MAX];
	size_t n;
};

void sm_keys_add(struct sm_keys *k, const struct sm_key *table, size_t n);
/* Returns the entry of a key in a view (one bit; 0: any), or NULL. */
const struct sm_key *sm_keys_find(const struct sm_keys *k, int key, unsigned int view) SM_MUST;
/* Draws the last line of a screen in a view. */
void sm_keys_line(const struct sm_keys *k, struct sm_tui *t, int row, unsigned int view);
/* Draws a page (from 1) of the help, which fills the screen.  Returns true if there is a further page. */
bool sm_keys_help(const struct sm_keys *k, struct sm_tui *t, const char *tool, int page);

#endif
