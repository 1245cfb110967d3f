// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "cli/opt_value.h"
#include "filter.h"

void filter_init(struct filter *f, struct opts *o, struct sm_ids *users)
{
	f->opts = o;
	f->users = users;
}

void filter_fini(struct filter *f)
{
	sm_buf_fini(&f->text);
}

static int accept_name(struct filter *f)
{
	const struct sm_prompt *p = &f->prompt;
	bool pattern = strpbrk(p->text, "*?[");

	memcpy(f->name, p->text, sizeof(f->name));
	f->opts->name_glob = p->n && pattern ? f->name : NULL;
	f->opts->text = p->n && !pattern ? f->name : NULL;
	return 0;
}

void filter_open_name(struct filter *f)
{
	f->accept = accept_name;
	sm_prompt_open(
		&f->prompt, "Name: ", "part of the command line, or a pattern; Esc: all");
}

static int accept_users(struct filter *f)
{
	struct sm_opt_list list = {0};
	int err = 0;

	sm_buf_reset(&f->text);
	if (f->prompt.n)
		err = sm_opt_users(f->prompt.text, &list, &f->text);
	if (!err)
		f->opts->uids = list;
	return err;
}

void filter_open_users(struct filter *f)
{
	f->accept = accept_users;
	sm_prompt_open(
		&f->prompt, "User: ", "names or numbers, a comma between; Esc: all");
}

bool filter_clear(struct filter *f)
{
	bool any = f->opts->name_glob || f->opts->text || f->opts->uids.n;

	f->opts->name_glob = f->opts->text = NULL;
	f->opts->uids.n = 0;
	return any;
}

int filter_key(struct filter *f, int key)
{
	size_t had = f->prompt.n;
	enum sm_prompt_state state = sm_prompt_key(&f->prompt, key);
	int err;

	if (state == SM_PROMPT_EDITING &&
		(f->accept != accept_name || f->prompt.n == had))
		return 0;
	if (state == SM_PROMPT_CANCELLED)
		f->prompt.n = 0;
	err = f->accept(f);
	return err ? err : 1;
}
