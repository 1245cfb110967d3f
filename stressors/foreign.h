/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * foreign: names of stress-ng that mean nothing here: options without an effect, which are accepted, and
 * stressors and options that do not exist here.
 *
 * The names are those of the manual page of stress-ng.  A stressor that list.c has exists, whatever these
 * tables contain.
 */
#ifndef STRESSORS_FOREIGN_H
#define STRESSORS_FOREIGN_H

#include "cli/opt.h"

/* Hidden rows of the option table, one for each option without an effect. */
size_t foreign_count(void);
void foreign_fill(struct sm_opt *rows,
	int (*call)(void *cfg, const struct sm_opt *o, const char *arg, struct sm_buf *why));
/* False: this program always does what the option asks for, and there is nothing to remark. */
bool foreign_is_remarkable(const char *option);

/* Is it one of the names in a list with blanks between them? */
bool foreign_is_in(const char *list, struct sm_str name);
/* Is this a stressor of stress-ng, which this program may have or not? */
bool foreign_stressor(struct sm_str name);
/* Why there is no such option; name: without dashes, or a letter.  False: it is not known. */
bool foreign_option(struct sm_str name, struct sm_buf *why);
/* The reason, for a stressor that foreign_stressor() knows. */
void foreign_lacks(struct sm_str name, struct sm_buf *why);

#endif
