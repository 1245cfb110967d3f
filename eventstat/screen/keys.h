/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * keys: handles the keys of eventstat, which change the options or the state of the screen, and describes all
 * keys.
 */
#ifndef EVENTSTAT_SCREEN_KEYS_H
#define EVENTSTAT_SCREEN_KEYS_H

#include "state.h"

/* Sets the keys, their help and the options of struct sm_screen. */
void keys_init(struct screen *s);
/* Draws the line of the most important keys. */
void keys_line(struct screen *s, int row);

#endif
