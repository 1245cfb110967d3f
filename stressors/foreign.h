/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * foreign: names of stress-ng without a function here: options without an effect, which are accepted, and
 * stressors and options that do not exist.
 *
 * The names are taken from the manual page of stress-ng.  A stressor in list.c exists, whatever these tables
 * contain.
 */
#ifndef STRESSORS_FOREIGN_H
#define STRESSORS_FOREIGN_H

#include "cli/opt.h"

/* The number of options without an effect; foreign_fill() makes a hidden row of the option table for each. */
size_t foreign_count(void);
void foreign_fill(struct sm_opt *rows,
	int (*call)(void *cfg, const struct sm_opt *o, const char *arg, struct sm_buf *why));
/* Returns false if this program always does what the option requests, so that a message is not needed. */
bool foreign_is_remarkable(const char *option);

/* Returns true if the name is in the list, in which spaces separate the names. */
bool foreign_is_in(const char *list, struct sm_str name);
/* Returns true for a stressor of stress-ng, whether or not this program has it. */
bool foreign_stressor(struct sm_str name);
/* Writes the reason why an option does not exist to *why; name: without dashes, or a letter.  False: it is
 * unknown. */
bool foreign_option(struct sm_str name, struct sm_buf *why);
/* Writes the reason to *why, for a stressor for which foreign_stressor() is true. */
void foreign_lacks(struct sm_str name, struct sm_buf *why);

#endif
