/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * filter: the filters that can be typed on a screen: names and users.  cli layer.
 *
 * While a name without a wildcard is typed, it selects all tasks whose name or command line contains
 * it.  An empty text or Esc removes the filter.
 */
#ifndef SM_FILTER_H
#define SM_FILTER_H

#include "cli/ids.h"
#include "cli/opt_value.h"
#include "tui/items.h"
#include "tui/prompt.h"

struct sm_filter {
	/* The tool's options, which the keys change; typed text is discarded with the filter. */
	const char **glob, **text;       /* name filters; pointing to NULL: any name */
	struct sm_opt_list *uids;
	struct sm_prompt prompt;         /* open while a filter is typed */
	int (*accept)(struct sm_filter *f); /* -errno: the text is invalid */
	char name[SM_PROMPT_MAX + 1];    /* the text or pattern in use */
	struct sm_opt_list users;        /* typed users, which the filter frees */
	struct sm_buf why;               /* the reason why a text is invalid */
};

void sm_filter_fini(struct sm_filter *f);
/* Opens the prompt for users or for a name. */
void sm_filter_open(struct sm_filter *f, bool users);
/* Removes both filters.  Returns false if no filter was set. */
bool sm_filter_clear(struct sm_filter *f);
/* Passes a key to the open prompt.  Returns 1 if the options changed; -errno if the text is invalid:
 * f->why contains the reason. */
int sm_filter_key(struct sm_filter *f, int key) SM_MUST;
/* Adds the filters in use to a status line. */
void sm_filter_items(const struct sm_filter *f, struct sm_ids *users, struct sm_items *l);

#endif
