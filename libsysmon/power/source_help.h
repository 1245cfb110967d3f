/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * source_help: explains why a machine lacks a power source, and what helps, for readers who do not know the
 * hardware: one paragraph for each cause that applies to this machine.
 *
 * The causes are: the energy counters may be read by root only; a container or a hypervisor hides them; the
 * processor lacks them; their driver is not loaded; zones of powercap lack an energy counter; the batteries
 * do not discharge; sensors measure a part of the machine only.  The files are opened and read for this, so
 * the functions are for the end of a failed start and for lists.
 */
#ifndef SM_SOURCE_HELP_H
#define SM_SOURCE_HELP_H

#include "power/source.h"

struct sm_source_help {
	const char *tool;          /* for commands: "powerstat" */
	const char *option;        /* option that selects a source: "-P " or "--source=" */
	bool loads_modules;        /* the tool has --load-modules */
};

/* Appends the paragraphs, each after an empty line and with lines of at most that number of columns; commands
 * are not wrapped.  kind: the requested source. */
void sm_source_help(const struct sm_root *root, enum sm_source_kind kind,
	const struct sm_source_help *words, unsigned int columns, struct sm_buf *b);
/* Appends a line "  dtpm:0 (soc): no energy counter, 2.434 W now" for each powercap zone that reports a power
 * but lacks an energy counter; returns the number of lines. */
unsigned int sm_source_help_zones(const struct sm_root *root, struct sm_buf *b);
/* Appends "no battery is discharging (BAT0: full); unplug the charger". */
void sm_source_help_discharge(const struct sm_batteries *list, struct sm_buf *b);
/* Appends a paragraph, after the reason of a run without values, if this is a virtual machine and no energy
 * counter of the total has ever advanced. */
void sm_source_help_still(const struct sm_source *p, unsigned int columns, struct sm_buf *b);
/* Returns "not charging" ... */
const char *sm_source_help_status(enum sm_battery_status status);

#endif
