/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * screen: the common parts of all tools' screens: the keys and their help, the message in the last line, the
 * clock; and, for screens that show samples in a table, the keys for its rows, order, groups, filters,
 * pause and interval.  cli layer.
 *
 * It neither samples nor waits: keys produce requests to the tool's loop, which sm_screen_serve() fulfils.
 * The tool's structure begins with a struct sm_screen.  The tool's own keys have priority over the common
 * ones, except while a filter is typed or the help is shown.
 */
#ifndef SM_SCREEN_H
#define SM_SCREEN_H

#include "cli/app.h"
#include "tui/filter.h"
#include "tui/items.h"
#include "tui/keys.h"
#include "tui/table.h"
#include "tui/tui.h"

struct sm_screen {
	struct sm_tui tui;
	/* --- set by the tool before sm_screen_open() --- */
	const char *name;     /* of the tool */
	const struct sm_key *own;
	size_t nown;
	/* Gets each key first, for questions and prompts; SM_SCREEN_NOTHING: not its key.  May be NULL. */
	enum sm_screen_request (*first)(void *screen, int key);
	void (*draw)(void *screen); /* draws the screen under the help */
	/* --- a screen of samples in a table: also these --- */
	struct sm_tui_table *table; /* the tool may change it; NULL: another kind of screen */
	struct sm_filter filter;
	void *options;        /* options that sm_screen_flip() changes */
	uint64_t *interval_ns, interval_min_ns; /* changed by + and - */
	unsigned int parts;   /* samples per interval; 0: one */
	int *group, groups;   /* changed by G, from 0 to groups - 1 */
	int *sort;
	const char *sort_keys; /* a letter for each order, by its number; ' ': no letter */
	bool (*sortable)(const void *screen, int sort); /* NULL: all orders */
	void (*draw_details)(void *screen, size_t row, int line, int lines); /* of a row: 2 or 4 lines */
	const char *absent;   /* description of a selected row that is not in the sample */
	/* --- state --- */
	struct sm_keys keys;
	unsigned int view;    /* bit of the current view, or 0; set by the tool */
	bool details;         /* the details of the selected row are shown */
	bool paused, asked;   /* asked: the sample was requested by a key */
	int help;             /* page of the help, from 1, or 0 */
	bool help_more;       /* there is a further page */
	char message[100];    /* until the next key */
};

/* Takes over the terminal, like sm_tui_open(); call it only when all other steps of the tool's start
 * have succeeded. */
int sm_screen_open(struct sm_screen *s, int color, const char **why) SM_MUST;
void sm_screen_close(struct sm_screen *s);
/* Adds the keys to the loop.  s is NULL if no screen was opened: prints *why.  Returns an exit code. */
int sm_screen_attach(struct sm_screen *s, struct sm_app *a, const char *why) SM_MUST;
/* Handles all pending keys.  SM_SCREEN_QUIT also if the terminal was hung up. */
enum sm_screen_request sm_screen_keys(struct sm_screen *s);
/* Handles all pending keys and fulfils their request, with the tool's sample() or with rearrange(), which
 * get a->ctx.  A new interval begins with the request. */
void sm_screen_serve(
	struct sm_screen *s, struct sm_app *a, void (*rearrange)(void *ctx), uint64_t now_ns);
/* Returns whether a sample is to be shown now. */
bool sm_screen_is_live(const struct sm_screen *s) SM_MUST;
/* Sets the message in the last line, and returns the request to show it. */
enum sm_screen_request sm_screen_say(struct sm_screen *s, const char *fmt, ...) SM_PRINTF(2, 3);

/* Actions for struct sm_key. */
enum sm_screen_request sm_screen_quit(void *screen, int arg);
enum sm_screen_request sm_screen_flip(void *screen, int offset); /* of a bool in options */
enum sm_screen_request sm_screen_sort_key(void *screen, int key); /* one of sort_keys */
/* Sorts by this order, and shows the first rows. */
enum sm_screen_request sm_screen_sort(struct sm_screen *s, int sort);

/* Draws the help or the tool's screen, and sends it. */
void sm_screen_draw(struct sm_screen *s);
/* Applies a new size of the terminal and draws. */
void sm_screen_resized(struct sm_screen *s);
/* Draws the lines of a screen of samples from `top` on: the table, the details and the history of the
 * selected row, the history of the total, and the last line, as many as fit.  name, unit, scale: of the
 * histories, see sm_history_line(). */
void sm_screen_draw_samples(
	struct sm_screen *s, int top, struct sm_str name, const char *unit, double scale);
/* Begins the status line with the clock at its end (wall_ns 0: no sample yet), the pause, and the length of
 * an incomplete interval (partial_ns 0: complete). */
struct sm_items sm_screen_status(struct sm_screen *s, int row, uint64_t wall_ns, uint64_t partial_ns);
/* Adds the interval to a line. */
void sm_screen_interval(const struct sm_screen *s, struct sm_items *l);

#endif
