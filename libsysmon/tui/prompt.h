/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * prompt: a line at the foot of the screen in which a text is typed: a filter, a number, a user.
 *
 * Keys are those of sm_tui_key(): arrows, Home, End, Backspace, Delete and ^U edit, printable
 * characters are inserted before the cursor, others are ignored, as is what would make the text
 * longer than SM_PROMPT_MAX.  The text is always valid UTF-8 of printable characters.
 * Zero-initialised the prompt is closed.  cli layer.
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
	const char *hint;             /* what can be typed: stands where the text is empty */
	char text[SM_PROMPT_MAX + 1]; /* UTF-8 */
	size_t n, cursor;             /* bytes; the cursor stands on the character there */
};

/* With an empty text. */
void sm_prompt_open(struct sm_prompt *p, const char *title, const char *hint);
enum sm_prompt_state sm_prompt_key(struct sm_prompt *p, int key);
/* The part around the cursor, where all of it is too long. */
void sm_prompt_draw(const struct sm_prompt *p, struct sm_tui *t, int row);

#endif
