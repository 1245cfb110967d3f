/* SPDX-License-Identifier: GPL-2.0-or-later */
/* frame: reads what the screen shows, and draws it. */
#ifndef PAGEMON_FRAME_H
#define PAGEMON_FRAME_H

#include "live.h"

/* due: a refresh, not only what a key changed. */
void frame_show(struct run *r, uint64_t now_ns, bool due);
/* Is there more to read for what is shown? */
bool frame_walking(const struct interactive *w);
/* The process executes another program: nothing is known of it. */
void frame_restart(struct run *r);

#endif
