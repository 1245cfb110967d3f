/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * screen: pagemon's full screen.  It draws the data that the frame provides, and turns keys into changes of
 * its own state and into requests.  It neither reads the target nor waits.
 *
 * Each time its interval is over or a key was pressed, the frame does this:
 *
 *	request = sm_screen_keys(&s->base);        QUIT: the end
 *	while (screen_take_ask(s, &ask)) ...       carries out requests that need the target
 *	screen_arrange(s, &in);                    chooses the visible rows from in.space and in.populated
 *	reads the cells of s->spans, and the facts for the windows in s->want
 *	screen_draw(s, &in);
 *
 * While s->frozen, only rows that a key makes visible are read.  An unchanged frame sends no byte to the
 * terminal.
 *
 * Layers, from the lowest: layout, rowlist; state; changes, map, title, windows, hexview, mappings, picker;
 * keys; screen.
 */
#ifndef PAGEMON_SCREEN_H
#define PAGEMON_SCREEN_H

#include "state.h"

/* Opens the screen.  set: the settings from the options. */
int screen_open(struct screen **out, const struct screen_settings *set, int color, const char **why)
	SM_MUST;
void screen_close(struct screen *s);
/* Forgets all data, because of another process or no process; the cursor moves to the first page. */
void screen_restart(struct screen *s);

/* After screen_arrange(), s->set.zoom, s->spans and s->want describe the current view. */
void screen_arrange(struct screen *s, const struct screen_input *in);
void screen_draw(struct screen *s, const struct screen_input *in);

/* Takes the next request.  Returns false if there is none. */
bool screen_take_ask(struct screen *s, struct screen_ask *out);

#endif
