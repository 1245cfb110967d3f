/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * keys: handles cpustat's own keys, which change the options or the state of the screen or send a
 * request to the loop; shows the help for all keys.
 */
#ifndef CPUSTAT_SCREEN_KEYS_H
#define CPUSTAT_SCREEN_KEYS_H

#include "state.h"

/* Sets the options, keys and help of struct sm_screen. */
void keys_init(struct screen *s);
/* Draws the line of the important keys. */
void keys_line(struct screen *s, int row);

#endif
