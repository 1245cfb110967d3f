/* SPDX-License-Identifier: GPL-2.0-or-later */
/* frame: reads the data that the screen shows, and draws it. */
#ifndef PAGEMON_FRAME_H
#define PAGEMON_FRAME_H

#include "live.h"

/* Shows a frame.  due: a refresh is due; otherwise only update what a key changed. */
void frame_show(struct run *r, uint64_t now_ns, bool due);
/* Returns whether more pages have to be read for the current view. */
bool frame_walking(const struct interactive *w);
/* Forgets all data, because the process executed another program. */
void frame_restart(struct run *r);

#endif
