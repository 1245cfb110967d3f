/* SPDX-License-Identifier: GPL-2.0-or-later */
/* keys: the actions of the keys, and the help that lists them. */
#ifndef PAGEMON_SCREEN_KEYS_H
#define PAGEMON_SCREEN_KEYS_H

#include "state.h"

/* Sets base.key and the texts of the help. */
void keys_init(struct screen *s);

#endif
