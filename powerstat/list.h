/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * list: --list: every power source, whether it can be read, and which domains are added up.
 * Opens and reads each of them; RAPL twice, 0.1 s apart, if only that shows a zone's role.
 */
#ifndef POWERSTAT_LIST_H
#define POWERSTAT_LIST_H

#include "power/source.h"

void list_sources(const struct sm_root *root, const struct sm_source_want *want, struct sm_buf *b);

#endif
