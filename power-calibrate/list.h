/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * list: prints the power sources with their domains, the selected one, and the usable CPUs (--list).
 */
#ifndef POWER_CALIBRATE_LIST_H
#define POWER_CALIBRATE_LIST_H

#include "load/cpus.h"
#include "power/source_help.h"
#include "proc/topology.h"

extern const struct sm_source_help list_help;

void list_sources(const struct sm_root *root, const struct sm_source_want *want,
	unsigned int columns, struct sm_buf *b);
/* Puts the types of the CPUs, if there are several. */
void list_types(const struct sm_topology_types *types, struct sm_buf *b);
void list_cpus(const struct sm_cpus *cpus, struct sm_buf *b);

#endif
