/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * keys: what cpustat's own keys do: they change the options or the screen's state, or request
 * something of the loop; and the help about all keys.
 */
#ifndef CPUSTAT_SCREEN_KEYS_H
#define CPUSTAT_SCREEN_KEYS_H

#include "state.h"

/* For struct sm_screen, whose options are set here. */
void keys_init(struct screen *s);
/* The line of the important keys. */
void keys_line(struct screen *s, int row);

#endif
