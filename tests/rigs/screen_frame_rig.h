/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * screen_frame_rig: what the screens of cpustat and eventstat have in common on a pseudo-terminal.  A tool's
 * rig defines open_screen(), which calls frame_open() first.
 */
#ifndef SCREEN_FRAME_RIG_H
#define SCREEN_FRAME_RIG_H

#include <locale.h>

#include "screen/screen.h" /* the tool's */
#include "tui_rig.h"

#define MANY 1500

static struct screen *scr;
static struct opts opts;
static struct sm_ids users;
static struct sm_strpool *names;

static inline void frame_open(int columns, int rows)
{
	rig_open(columns, rows);
	ck_assert_int_eq(setenv("TZ", "UTC", 1), 0);
	opts = opts_default;
	ck_assert_int_eq(sm_ids_init(&users), 0);
	ck_assert_int_eq(sm_strpool_new(&names, 1 << 16), 0);
}

static inline void open_screen(int columns, int rows);

static inline void setup(void)
{
	open_screen(80, 24);
}

static inline void teardown(void)
{
	screen_close(scr);
	scr = NULL;
	ck_assert_uint_eq(sm_strpool_count(names), 0); /* each reference was given back */
	sm_strpool_free(names);
	sm_ids_fini(&users);
	rig_drain();
	rig_close();
	setlocale(LC_CTYPE, "C");
}

static inline void draw(void)
{
	screen_draw(scr);
	rig_drain();
}

#endif
