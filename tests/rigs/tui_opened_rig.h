/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tui_opened_rig: an open terminal of 40 columns and 6 lines.
 */
#ifndef TUI_OPENED_RIG_H
#define TUI_OPENED_RIG_H

#include "tui_rig.h"

static struct sm_tui tui;

static inline void tui_setup(void)
{
	const char *why = NULL;

	rig_open(40, 6);
	ck_assert_int_eq(sm_tui_open(&tui, SM_COLOR_AUTO, &why), 0);
}

static inline void tui_teardown(void)
{
	sm_tui_close(&tui);
	rig_drain();
	rig_close();
}

static inline void resize(int columns, int rows)
{
	rig_resize(columns, rows);
	sm_tui_resized(&tui);
	sm_tui_clear(&tui);
}

#endif
