/* SPDX-License-Identifier: GPL-2.0-or-later */
/* requests: carries out requests of the screen. */
#ifndef PAGEMON_REQUESTS_H
#define PAGEMON_REQUESTS_H

#include "live.h"

void requests_take(struct run *r);
/* Turns dirty tracking off again, with a message, if soft-dirty bits cannot be cleared. */
void requests_dirty(struct run *r);
/* Begins to read in the swapped-out pages. */
void requests_read_in(struct run *r);
/* Continues requests that are in progress. */
void requests_step(struct run *r);
/* Continues requests that waited for a file to be opened. */
void requests_opened(struct run *r);
/* Ends all requests, which refer to a program that has ended. */
void requests_end(struct interactive *w);

#endif
