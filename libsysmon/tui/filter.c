// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "tui/filter.h"

void sm_filter_fini(struct sm_filter *f)
{
	sm_opt_list_fini(&f->users);
	sm_buf_fini(&f->why);
}

static int accept_name(struct sm_filter *f)
{
	const struct sm_prompt *p = &f->prompt;
	bool pattern = strpbrk(p->text, "*?[");

	memcpy(f->name, p->text, sizeof(f->name));
	*f->glob = p->n && pattern ? f->name : NULL;
	*f->text = p->n && !pattern ? f->name : NULL;
	return 0;
}

static int accept_users(struct sm_filter *f)
{
	struct sm_opt_list list = {0};
	int err = 0;

	sm_buf_reset(&f->why);
	if (f->prompt.n)
		err = sm_opt_users(f->prompt.text, &list, &f->why);
	if (err) {
		sm_opt_list_fini(&list);
		return err;
	}
	sm_opt_list_fini(&f->users);
	*f->uids = f->users = list;
	return 0;
}

void sm_filter_open(struct sm_filter *f, bool users)
{
	f->accept = users ? accept_users : accept_name;
	sm_prompt_open(&f->prompt, users ? "User: " : "Name: ",
		users ? "names or numbers, separated by commas; Esc: all"
		      : "part of the command line, or a pattern; Esc: all");
}

bool sm_filter_clear(struct sm_filter *f)
{
	bool any = *f->glob || *f->text || f->uids->n;

	*f->glob = *f->text = NULL;
	f->uids->n = 0;
	return any;
}

int sm_filter_key(struct sm_filter *f, int key)
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

static void text_item(struct sm_items *l, const char *name, const char *text)
{
	sm_items_text(l, SM_TUI_ACCENT, name, (struct sm_str){text, strlen(text)});
}

void sm_filter_items(const struct sm_filter *f, struct sm_ids *users, struct sm_items *l)
{
	if (*f->glob || *f->text)
		text_item(l, "name", *f->glob ? *f->glob : *f->text);
	if (f->uids->n == 1)
		text_item(l, "user", sm_ids_user(users, f->uids->v[0]));
	else
		sm_items_count(l, SM_TUI_ACCENT, f->uids->n, "users");
}
