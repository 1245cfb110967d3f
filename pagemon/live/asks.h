/* SPDX-License-Identifier: GPL-2.0-or-later */
/* asks: carries out requests of the screen. */
#ifndef PAGEMON_ASKS_H
#define PAGEMON_ASKS_H

#include "live.h"

void asks_take(struct run *r);
/* Turns dirty tracking off again, with a message, if soft-dirty bits cannot be cleared. */
void asks_dirty(struct run *r);
/* Begins to read in the swapped-out pages. */
void asks_read_in(struct run *r);
/* Continues requests that are in progress. */
void asks_step(struct run *r);
/* Continues requests that waited for a file to be opened. */
void asks_opened(struct run *r);
/* Ends all requests, which refer to a program that has ended. */
void asks_end(struct interactive *w);

#endif
