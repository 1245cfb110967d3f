/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * list: lists every power source, whether it can be read, and which domains are added up (--list).
 * Opens and reads each source.  RAPL is read again after 0.1 s or more if the first reading does not
 * show the role of a zone.
 */
#ifndef POWERSTAT_LIST_H
#define POWERSTAT_LIST_H

#include "power/source_help.h"

extern const struct sm_source_help list_help;

void list_sources(const struct sm_root *root, const struct sm_source_want *want,
	unsigned int columns, struct sm_buf *b);

#endif
