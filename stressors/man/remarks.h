/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * remarks: text of a stressor in the man page in addition to its tables: stressor_NAME_man[] in s_NAME.c.
 *
 * The text consists of lines, each with its newline:
 *
 *	metric NAME: TEXT           after the metrics of the same unit and mean
 *	--OPTION: TEXT              sentences after those of --STRESSOR-OPTION
 *	--OPTION CHOICE, ...: TEXT  description of these choices; the page keeps their order
 *	TEXT                        a paragraph
 *
 * No table refers to this array, so the linker omits it from the program.
 */
#ifndef STRESSORS_MAN_REMARKS_H
#define STRESSORS_MAN_REMARKS_H

#include "base/base.h"

struct remark {
	struct sm_str key; /* empty: a paragraph */
	struct sm_str text;
};

/* In the order of list_all[]. */
extern const char *const remarks_all[];

/* Reads the line at *at and moves *at past it.  Returns false at the end. */
bool remark_next(const char **at, struct remark *r);
bool remark_is(const struct remark *r, const char *kind, const char *name);
/* Takes the next choice of "--OPTION CHOICE, CHOICE" from *rest, initially the text after the option.
 * Returns false if no choice is left. */
bool remark_choice(struct sm_str *rest, struct sm_str *choice);
/* Returns whether the remark is about choices of the option.  *rest: the text after its name. */
bool remark_is_choice(const struct remark *r, const char *option, struct sm_str *rest);

#endif
