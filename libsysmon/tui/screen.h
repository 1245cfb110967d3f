/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * screen: what the screens of all tools have in common: the keys for quitting, pause, help, filters
 * and the interval; the pages of help; the message and the keys in the last line; the clock.
 *
 * It neither samples nor waits: keys give requests to the tool's loop.  The tool's own keys come
 * first, except while a filter is typed or the help is shown: a key as it was typed, then, if the tool does
 * not have it, the one that means the same (F10: q).  cli layer.
 */
#ifndef SM_SCREEN_H
#define SM_SCREEN_H

#include "tui/filter.h"
#include "tui/items.h"
#include "tui/list.h"
#include "tui/tui.h"

/* A request to the loop.  Of several, the last one in this list counts. */
enum sm_screen_request {
	SM_SCREEN_NOTHING,
	SM_SCREEN_REDRAW,
	SM_SCREEN_SAMPLE,    /* take a sample now (space) */
	SM_SCREEN_REARRANGE, /* options changed: filter, sort, interval ... */
	SM_SCREEN_QUIT,
};

struct sm_screen {
	struct sm_tui tui;
	/* the tool's, before any key */
	struct sm_filter filter;
	uint64_t *interval_ns, interval_min_ns; /* changed by + and -, unless the tool has these keys */
	const char *help_title;
	const struct sm_items_key *help_keys; /* all keys */
	size_t nhelp_keys;
	enum sm_screen_request (*key)(void *ctx, int key); /* SM_SCREEN_NOTHING: not the tool's key */
	void *ctx;
	/* state */
	bool paused;
	int help;             /* page of the help, from 1; 0: none */
	bool help_more;       /* there is a further page */
	char message[100];    /* until the next key */
};

/* Only after all else of the tool was successful: it takes over the terminal.  As sm_tui_open(). */
int sm_screen_open(struct sm_screen *s, int color, const char **why) SM_MUST;
void sm_screen_close(struct sm_screen *s);
/* Takes all pending keys.  SM_SCREEN_QUIT also if the terminal was hung up. */
enum sm_screen_request sm_screen_keys(struct sm_screen *s);
/* The message, in the last line; the request to show it. */
enum sm_screen_request sm_screen_say(struct sm_screen *s, const char *fmt, ...) SM_PRINTF(2, 3);

/* Draws the page of help and returns true, if one is open. */
bool sm_screen_draw_help(struct sm_screen *s);
/* The last line: the prompt, the message, or the most important keys. */
void sm_screen_draw_last(struct sm_screen *s, int row, const struct sm_items_key *keys, size_t n);
/* The local time at the end of a line, if there is room.  Returns the number of columns before it. */
int sm_screen_draw_clock(struct sm_screen *s, int row, uint64_t wall_ns);

#endif
