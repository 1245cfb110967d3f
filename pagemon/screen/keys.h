/* SPDX-License-Identifier: GPL-2.0-or-later */
/* keys: what each key does, and the help that lists them. */
#ifndef PAGEMON_SCREEN_KEYS_H
#define PAGEMON_SCREEN_KEYS_H

#include "state.h"

/* Sets base.key and the help. */
void keys_init(struct screen *s);

#endif
