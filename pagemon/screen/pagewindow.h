/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pagewindow: the contents of the windows, which have up to this number of lines.
 */
#ifndef PAGEMON_SCREEN_PAGEWINDOW_H
#define PAGEMON_SCREEN_PAGEWINDOW_H

#include "pane.h"

#define PAGEWINDOW_LINES 23
#define VMWINDOW_LINES   25
#define PERFWINDOW_LINES (FAULT_KEYS + 1)

void pagewindow_draw(struct pane *p);
void vmwindow_draw(struct pane *p);
void perfwindow_draw(struct pane *p);

#endif
