/* SPDX-License-Identifier: GPL-2.0-or-later */
/* draw: draws the parts of the screen, as many as fit. */
#ifndef EVENTSTAT_SCREEN_DRAW_H
#define EVENTSTAT_SCREEN_DRAW_H

#include "state.h"

/* Functions for struct sm_screen. */
void draw_screen(void *screen);
void draw_details(void *screen, size_t i, int row, int lines);

#endif
