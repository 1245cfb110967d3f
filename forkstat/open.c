// SPDX-License-Identifier: GPL-2.0-or-later
/* Opens everything that needs privileges. */
#include "cli/err.h"
#include "cli/priv.h"
#include "run.h"
#include "source_open.h"

#define NAMES_MAX_BYTES (32u << 20)

static int open_names(struct run *r)
{
	const struct opts *o = &r->opts;
	bool machine = o->app.json.here || o->app.csv.here || o->app.json.file ||
		       o->app.csv.file;
	bool want_creds = machine || o->extra || filter_wants_creds(o);
	int err = sm_tasktable_init(&r->procs, &r->app.root, NAMES_MAX_BYTES, want_creds);

	if (err)
		return sm_app_refuse("table of processes", err);
	r->track.procs = &r->procs;
	r->track.want_tty = o->extra;
	r->track.overtaken = run_overtaken;
	r->track.overtaken_ctx = r;
	if (facts_wanted(o))
		r->track.facts = &r->facts;
	r->facts = (struct facts){.opts = o, .procs = &r->procs};
	r->view.procs = &r->procs;
	r->track.want_pgrp = o->pgrps.n > 0;
	/* Exec rows alone, without such columns and filters, need no earlier events. */
	r->track.stateless =
		(o->events & ~EVENT_BIT(EVENT_LOST)) == EVENT_BIT(EVENT_EXEC) &&
		!machine && !o->extra && !o->show_ppid && !o->pids.n && !o->ppids.n &&
		!o->pgrps.n && !o->uids.n && !o->parent && !r->track.facts &&
		!o->failed && !r->app.child.pid;
	return 0;
}

/* Restricts the rows to the process tree of COMMAND. */
static int follow_command(struct run *r)
{
	if (!r->app.child.pid)
		return 0;
	r->opts.ppids.n = 0;
	return sm_opt_list_add(&r->opts.ppids, (uint32_t)r->app.child.pid);
}

int run_open(void *ctx)
{
	struct run *r = ctx;
	int err, code;

	if (r->opts.env && sm_priv_elevated()) {
		sm_err("--env is not allowed for a program with file capabilities");
		return SM_EXIT_PERMISSION;
	}
	err = follow_command(r);
	if (err)
		return sm_app_refuse("the process tree of COMMAND", err);
	err = view_init(&r->view, &r->opts, &r->app.outputs);
	if (err)
		return sm_app_refuse("names of users", err);
	code = open_names(r);
	if (!code)
		code = source_open(r);
	/* A walk has neither process groups nor terminals. */
	if (!code && !r->track.stateless && !r->track.want_pgrp && !r->track.want_tty)
		(void)!sm_tasktable_walk(&r->procs);
	return code;
}
