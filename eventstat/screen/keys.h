/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * keys: what eventstat's own keys do: they change the options or the screen's state; and the help
 * about all keys.
 */
#ifndef EVENTSTAT_SCREEN_KEYS_H
#define EVENTSTAT_SCREEN_KEYS_H

#include "state.h"

/* For struct sm_screen, whose options are set here. */
void keys_init(struct screen *s);
/* The line of the important keys. */
void keys_line(struct screen *s, int row);

#endif
