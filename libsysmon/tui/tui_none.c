// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The functions of tui.h for a build without ncurses, in place of tui.c: no screen opens,
 * and nothing is drawn.
 */
#include <errno.h>
#include <unistd.h>

#include "tui/tui.h"

int sm_tui_open(struct sm_tui *t, int color, const char **why)
{
	(void)color;
	*t = (struct sm_tui){.key_fd = STDIN_FILENO};
	*why = "built without ncurses: install its header (Debian: libncurses-dev) and "
	       "rebuild";
	return -ELIBACC;
}

void sm_tui_close(struct sm_tui *t)
{
	(void)t;
}

void sm_tui_resized(struct sm_tui *t)
{
	(void)t;
}

int sm_tui_key(struct sm_tui *t)
{
	(void)t;
	return SM_KEY_NONE;
}

void sm_tui_clear(struct sm_tui *t)
{
	(void)t;
}

int sm_tui_put(struct sm_tui *t, int row, int column, int width, enum sm_tui_style style,
	const char *text, size_t n)
{
	(void)t, (void)row, (void)column, (void)width, (void)style, (void)text, (void)n;
	return 0;
}

void sm_tui_fill(
	struct sm_tui *t, int row, int column, int width, enum sm_tui_style style)
{
	(void)t, (void)row, (void)column, (void)width, (void)style;
}

void sm_tui_show(struct sm_tui *t)
{
	(void)t;
}
