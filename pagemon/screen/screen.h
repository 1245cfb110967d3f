/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * screen: pagemon's full screen.  It draws what the frame hands over and turns keys into changes of its
 * own state and into requests; it neither reads the target nor waits.
 *
 * The frame, each time that its interval is over or a key has come:
 *
 *	request = sm_screen_keys(&s->base);        QUIT: the end
 *	while (screen_take_ask(s, &ask)) ...       carries out what needs the target
 *	screen_arrange(s, &in);                    from in.space, in.there: which rows are on the screen
 *	reads the cells of s->rows, and the facts of the windows that s->want names
 *	screen_draw(s, &in);
 *
 * While s->frozen nothing is read anew but rows that a key brings on the screen.  An unchanged frame sends no
 * byte to the terminal.
 *
 * Layers, from the lowest: layout, paint; state; map, title, windows, hexview, mappings, picker; keys;
 * screen.
 */
#ifndef PAGEMON_SCREEN_H
#define PAGEMON_SCREEN_H

#include "state.h"

/* set: what the options say. */
int screen_open(struct screen **out, const struct screen_settings *set, int color, const char **why)
	SM_MUST;
void screen_close(struct screen *s);
/* Another process is watched, or none: the cursor is at its first page, nothing is known of it. */
void screen_restart(struct screen *s);

/* After these s->zoom, s->rows and s->want are those of what is shown. */
void screen_arrange(struct screen *s, const struct screen_input *in);
void screen_draw(struct screen *s, const struct screen_input *in);
/* SIGWINCH: the next screen_arrange() has the new size. */
void screen_resized(struct screen *s);

/* The next request; false: there is none. */
bool screen_take_ask(struct screen *s, struct screen_ask *out);
/* The answers.  An ordinal or an address that is there no more is ignored. */
void screen_goto_page(struct screen *s, uint64_t ordinal);
/* A line for the user, until the next key. */
#define screen_say(s, ...) sm_screen_say(&(s)->base, __VA_ARGS__)

#endif
