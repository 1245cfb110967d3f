/* SPDX-License-Identifier: GPL-2.0-or-later */
/* map: draws the page view, with an address and cells in each line. */
#ifndef PAGEMON_SCREEN_MAP_H
#define PAGEMON_SCREEN_MAP_H

#include "state.h"

void map_draw(struct screen *s);

#endif
