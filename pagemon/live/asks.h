/* SPDX-License-Identifier: GPL-2.0-or-later */
/* asks: carries out what the screen asks for. */
#ifndef PAGEMON_ASKS_H
#define PAGEMON_ASKS_H

#include "live.h"

void asks_take(struct run *r);
/* Soft-dirty bits are to be cleared: if they cannot be, they are not, and a message says why. */
void asks_dirty(struct run *r);
/* Begins to read in the swapped pages. */
void asks_read_in(struct run *r);
/* What was begun goes on. */
void asks_step(struct run *r);

#endif
