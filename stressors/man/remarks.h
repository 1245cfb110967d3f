/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * remarks: what the man page has of a stressor beside its tables: stressor_NAME_man[] in its file s_NAME.c.
 *
 * A text of lines, each with its newline:
 *
 *	metric NAME: TEXT           after the metrics of the same unit and mean
 *	--OPTION: TEXT              sentences after those of --STRESSOR-OPTION
 *	--OPTION CHOICE, ...: TEXT  what these choices are; the page has them in this order
 *	TEXT                        a paragraph
 *
 * An array of its own that no table refers to: the linker leaves it out of the program.
 */
#ifndef STRESSORS_MAN_REMARKS_H
#define STRESSORS_MAN_REMARKS_H

#include "base/base.h"

struct remark {
	struct sm_str key; /* empty: a paragraph */
	struct sm_str text;
};

/* By the places of list_all[]. */
extern const char *const remarks_all[];

/* Reads the line at *at and moves *at behind it; false: there is none. */
bool remark_next(const char **at, struct remark *r);
bool remark_is(const struct remark *r, const char *kind, const char *name);
/* The next of the choices in "--OPTION CHOICE, CHOICE", from *rest, which is at first what follows after the
 * option; false: no more. */
bool remark_choice(struct sm_str *rest, struct sm_str *choice);
/* Is it about choices of the option?  *rest: what follows after its name. */
bool remark_is_choice(const struct remark *r, const char *option, struct sm_str *rest);

#endif
