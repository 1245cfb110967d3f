// SPDX-License-Identifier: GPL-2.0-or-later
#include "attach.h"
#include "cli/err.h"

void run_explain(const struct target *t)
{
	struct sm_buf text = {0};

	target_explain(t, &text);
	sm_buf_chr(&text, '\0');
	sm_err("%s", sm_buf_error(&text) ? "out of memory" : text.p);
	sm_buf_fini(&text);
}

int run_attach(struct run *r, struct snapshot *s)
{
	static const enum pass_method method[] = {[METHOD_AUTO] = PASS_AUTO,
		[METHOD_SCAN] = PASS_SCAN,
		[METHOD_READ] = PASS_READ};

	return snapshot_attach(
		s, method[r->opts.method], r->self_pagemap_fd, r->dirty_known);
}

int run_watch_opener(struct run *r, sm_loop_fn fn)
{
	if (r->opener.fd < 0)
		return 0;
	r->opener_source = sm_loop_add(&r->app.loop, r->opener.fd, POLLIN, fn, r);
	return r->opener_source < 0 ? r->opener_source : 0;
}

bool run_hear_opener(struct run *r)
{
	if (opener_receive(&r->opener) == 0)
		return true;
	sm_loop_events(&r->app.loop, r->opener_source, -1);
	return false;
}
