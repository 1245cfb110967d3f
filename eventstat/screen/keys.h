/* SPDX-License-Identifier: GPL-2.0-or-later */
/* keys: eventstat's own keys, and the options that the common keys of tui/screen change. */
#ifndef EVENTSTAT_SCREEN_KEYS_H
#define EVENTSTAT_SCREEN_KEYS_H

#include "state.h"

/* Sets the members of struct sm_screen that a tool provides. */
void keys_init(struct screen *s);

#endif
