/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * screen: the common parts of all tools' screens: the keys for quitting, pause, help, filters and the
 * interval; the help pages; the message and the keys in the last line; the clock.  cli layer.
 *
 * It neither samples nor waits: keys produce requests to the tool's loop.  The tool's own keys have
 * priority, except while a filter is typed or the help is shown.  A key is first offered to the tool as
 * it was typed, then, if the tool does not have it, as its equivalent (F10: q).
 */
#ifndef SM_SCREEN_H
#define SM_SCREEN_H

#include "tui/filter.h"
#include "tui/items.h"
#include "tui/list.h"
#include "tui/tui.h"

/* A request to the loop.  If there are several, the one that is last in this list is used. */
enum sm_screen_request {
	SM_SCREEN_NOTHING,
	SM_SCREEN_REDRAW,
	SM_SCREEN_SAMPLE,    /* take a sample now (space) */
	SM_SCREEN_REARRANGE, /* options changed: filter, sort, interval ... */
	SM_SCREEN_QUIT,
};

struct sm_screen {
	struct sm_tui tui;
	/* set by the tool before any key */
	struct sm_filter filter;
	uint64_t *interval_ns, interval_min_ns; /* changed by + and -, unless the tool has these keys */
	const char *help_title;
	const struct sm_items_key *help_keys; /* all keys */
	size_t nhelp_keys;
	enum sm_screen_request (*key)(void *ctx, int key); /* SM_SCREEN_NOTHING: not the tool's key */
	void *ctx;
	/* state */
	bool paused;
	int help;             /* page of the help, from 1, or 0 */
	bool help_more;       /* there is a further page */
	char message[100];    /* until the next key */
};

/* Takes over the terminal, like sm_tui_open(); call it only when all other steps of the tool's start
 * have succeeded. */
int sm_screen_open(struct sm_screen *s, int color, const char **why) SM_MUST;
void sm_screen_close(struct sm_screen *s);
/* Handles all pending keys.  SM_SCREEN_QUIT also if the terminal was hung up. */
enum sm_screen_request sm_screen_keys(struct sm_screen *s);
/* Sets the message in the last line, and returns the request to show it. */
enum sm_screen_request sm_screen_say(struct sm_screen *s, const char *fmt, ...) SM_PRINTF(2, 3);

/* Draws the help page and returns true, if one is open. */
bool sm_screen_draw_help(struct sm_screen *s);
/* Draws the last line: the prompt, the message, or the most important keys. */
void sm_screen_draw_last(struct sm_screen *s, int row, const struct sm_items_key *keys, size_t n);
/* Draws the local time at the end of a line, if there is room.  Returns the number of columns before
 * it. */
int sm_screen_draw_clock(struct sm_screen *s, int row, uint64_t wall_ns);

#endif
