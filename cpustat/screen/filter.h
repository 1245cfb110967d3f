/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * filter: the filters that can be typed on the screen: names (-C) and users (-u).
 *
 * A name without a wildcard selects, while it is typed, all tasks whose name or command line
 * contains it.  An empty text or Esc removes the filter.
 */
#ifndef CPUSTAT_SCREEN_FILTER_H
#define CPUSTAT_SCREEN_FILTER_H

#include "../opts.h"
#include "cli/ids.h"
#include "tui/prompt.h"

struct filter {
	struct opts *opts;
	struct sm_ids *users;
	struct sm_prompt prompt;         /* open while a filter is typed */
	int (*accept)(struct filter *f); /* -errno: the text is invalid */
	char name[SM_PROMPT_MAX + 1];    /* the text or pattern in use */
	struct sm_buf text;              /* why a text is invalid */
};

void filter_init(struct filter *f, struct opts *o, struct sm_ids *users);
void filter_fini(struct filter *f);
void filter_open_name(struct filter *f);
void filter_open_users(struct filter *f);
/* Removes both; false: there was none. */
bool filter_clear(struct filter *f);
/* A key for the open prompt.  1: opts changed; -errno: the text is invalid, f->text has the reason. */
int filter_key(struct filter *f, int key) SM_MUST;

#endif
