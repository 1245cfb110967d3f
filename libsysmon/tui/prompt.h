/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * prompt: a line at the bottom of the screen in which text is typed: a filter, a number, a user.  cli
 * layer.
 *
 * Keys come from sm_tui_key().  Arrows, Home, End, Backspace, Delete and ^U edit; printable
 * characters are inserted before the cursor; other keys are ignored, as are characters that would make
 * the text longer than SM_PROMPT_MAX.  The text is always valid UTF-8 and consists of printable
 * characters.  A zero-initialised prompt is closed.
 */
#ifndef SM_PROMPT_H
#define SM_PROMPT_H

#include "tui/tui.h"

#define SM_PROMPT_MAX 120 /* bytes */

enum sm_prompt_state {
	SM_PROMPT_EDITING,
	SM_PROMPT_ENTERED, /* Enter: closed, the text is to be used */
	SM_PROMPT_CANCELLED, /* Esc: closed */
};

struct sm_prompt {
	const char *title;            /* "Name: ", the caller's; NULL: closed */
	const char *hint;             /* description of possible input, shown while the text is empty */
	char text[SM_PROMPT_MAX + 1]; /* UTF-8 */
	size_t n, cursor;             /* bytes; the cursor is on the character at that offset */
};

/* Opens the prompt with an empty text. */
void sm_prompt_open(struct sm_prompt *p, const char *title, const char *hint);
enum sm_prompt_state sm_prompt_key(struct sm_prompt *p, int key);
/* Draws the prompt; if the text is too long, the part around the cursor. */
void sm_prompt_draw(const struct sm_prompt *p, struct sm_tui *t, int row);

#endif
