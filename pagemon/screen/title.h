/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * title: the first line of the screen, and the last line with the legend, a message or a question.
 */
#ifndef PAGEMON_SCREEN_TITLE_H
#define PAGEMON_SCREEN_TITLE_H

#include "state.h"

void title_draw(struct screen *s);
void title_draw_last(struct screen *s);

#endif
