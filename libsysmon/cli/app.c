// SPDX-License-Identifier: GPL-2.0-or-later
/* The start and the end of a tool; the loop between them is in app_loop.c. */
#include <errno.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "bpf/vmlinux.h"
#include "cli/app_loop.h"
#include "cli/app_rows.h"
#include "cli/err.h"
#include "cli/ids.h"
#include "cli/priv.h"
#include "cli/start.h"

int sm_app_refuse(const char *what, int err)
{
	sm_err_at(what, err);
	return sm_err_exit(err);
}

int sm_app_usage(const struct sm_app *a, const char *text)
{
	const struct sm_opt_spec *spec = a->tool->spec();

	sm_err("%s\nTry '%s --help' for more information.", text, spec->tool);
	return spec->usage_status ? spec->usage_status : SM_EXIT_USAGE;
}

/* --- the start ---------------------------------------------------------------------- */

/* SIGALRM, SIGUSR1 and SIGUSR2 end the run, as in the original tools, unless a tool has
 * interim results for SIGUSR1. */
static int take_signals(struct sm_app *a)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGUSR1,
		SIGUSR2, SIGCHLD, SIGWINCH, 0};
	int err = sm_loop_init(&a->loop);

	if (!err)
		err = sm_loop_signals(&a->loop, signals);
	return err ? sm_app_refuse("cannot receive signals", err) : 0;
}

static void set_up_table(
	void *ctx, struct sm_table *t, enum sm_format format, struct sm_sink *sink)
{
	const struct sm_app *a = ctx;
	const struct sm_record *row = a->tool->records;

	if (!row) {
		a->tool->table(a->ctx, t, format, sink);
		return;
	}
	while (!row->columns)
		row++;
	sm_table_init(t, format, row->columns, row->n, row->type, sink);
	sm_app_rows_set_up(a, t, SM_APP_TIME);
}

static int open_outputs(struct sm_app *a)
{
	const struct sm_outputs_want want = {.json = a->opts->json,
		.csv = a->opts->csv,
		.output = a->opts->output,
		.queue_bytes = (size_t)a->opts->queue_bytes,
		.set_up = set_up_table,
		.ctx = a};
	const char *what;
	int err, code = want.output ? 0 : sm_start_stdout(a->closed_fds);

	if (code)
		return code;
	/* Opening a FIFO waits for its reader: ^C must be able to end that. */
	if (sm_outputs_may_wait(&want))
		sm_loop_release(&a->loop);
	err = sm_outputs_open(&a->outputs, &want, &what);
	sm_loop_catch(&a->loop);
	if (err) {
		sm_err_at(what, err);
		return SM_EXIT_RUNTIME;
	}
	sm_writers_init(&a->writers, &a->loop);
	err = sm_outputs_writers(&a->outputs, &a->writers);
	return err ? sm_app_refuse("cannot write the output", err) : 0;
}

/* Returns true if rows in a file or pipe would be mixed with the output of COMMAND. */
static bool shares_stdout(const struct sm_app *a)
{
	return !a->opts->output && !isatty(STDOUT_FILENO);
}

static int prepare_runs(struct sm_app *a, unsigned int flags)
{
	int err = sm_child_prepare(&a->child, a->command, flags, &a->loop, &a->relay);

	if (err || a->runs <= 1)
		return err;
	a->later = calloc(a->runs - 1, sizeof(*a->later));
	if (!a->later)
		return -ENOMEM;
	for (; !err && a->nlater < a->runs - 1; a->nlater += !err)
		err = sm_child_prepare(
			&a->later[a->nlater], a->command, flags, &a->loop, &a->relay);
	return err;
}

static int prepare_command(struct sm_app *a)
{
	unsigned int flags = 0;
	int err;

	if (!a->command)
		return 0;
	if (a->tool->keeps_command)
		prctl(PR_SET_CHILD_SUBREAPER, 1);
	if (a->opts->as_root)
		flags |= SM_CHILD_AS_ROOT;
	if (shares_stdout(a))
		flags |= SM_CHILD_APART;
	err = a->screen ? sm_relay_open(&a->relay) : 0;
	if (!err)
		err = prepare_runs(a, flags);
	sm_relay_close_pty(&a->relay);
	return err ? sm_app_refuse("cannot start the command", err) : 0;
}

/* Programs in BPF, of which a tool opens several, share the type information. */
static int open_tool(struct sm_app *a)
{
	struct sm_vmlinux types;
	int code;

	sm_vmlinux_keep(&a->root, &types);
	code = a->tool->open(a->ctx);
	sm_vmlinux_release(&a->root);
	return code;
}

static int drop(struct sm_app *a)
{
	const struct sm_app_tool *t = a->tool;
	int code = a->opts->realtime ? sm_start_realtime((int)a->opts->priority) : 0;

	if (code || a->opts->keep_privileges || t->keeps_privileges)
		return code;
	return sm_start_drop(t->drop_flags ? t->drop_flags(a->ctx) : 0,
		a->opts->prom || (t->writes_later && t->writes_later(a->ctx)),
		a->opts->drop_to);
}

static int prom_begin(struct sm_app *a)
{
	int err = sm_app_prom_begin(a);

	if (!err)
		return 0;
	sm_err_at(a->opts->prom, err);
	return SM_EXIT_RUNTIME;
}

/* A tool that cannot begin has already written --prom. */
static int begin(struct sm_app *a)
{
	int code = a->tool->begin ? a->tool->begin(a->ctx) : 0;

	if (a->tool->records) {
		sm_app_rows_begin(a);
		sm_app_go(a, sm_clock_mono_ns(), a->opts->interval_ns);
	}
	if (code)
		sm_app_prom_end(a);
	return code;
}

/* Refuses options that would keep privileges which the caller does not have. */
static int check_rights(const struct sm_app_opts *o)
{
	const char *option = o->keep_privileges ? "--keep-privileges"
			     : o->drop_to	? "--drop-to"
			     : o->as_root	? "--as-root"
						: NULL;

	if (!option || !sm_priv_raised())
		return 0;
	sm_err("%s is not allowed for a program with file capabilities", option);
	return SM_EXIT_PERMISSION;
}

static int start(struct sm_app *a)
{
	const struct sm_app_tool *t = a->tool;
	int code;

	a->closed_fds = sm_priv_fds();
	code = take_signals(a);

	if (!code)
		code = check_rights(a->opts);
	if (!code)
		code = sm_start_root(&a->root, a->opts->root, !t->needs_no_proc);
	if (!code && t->prepare)
		code = t->prepare(a->ctx);
	if (!code)
		code = open_outputs(a);
	if (!code)
		code = prepare_command(a);
	sm_start_limits(a->screen);
	if (!code)
		code = open_tool(a);
	if (!code)
		code = drop(a);
	if (!code)
		code = prom_begin(a);
	if (!code)
		code = begin(a);
	return code;
}

/* --- the whole life ----------------------------------------------------------------- */

static void close_all(struct sm_app *a)
{
	sm_child_abandon(&a->child);
	while (a->nlater)
		sm_child_abandon(&a->later[--a->nlater]);
	free(a->later);
	a->tool->close(a->ctx);
	sm_relay_show(&a->relay);
	sm_outputs_close(&a->outputs);
	sm_prom_fini(&a->prom);
	sm_loop_fini(&a->loop);
	sm_root_close(&a->root);
}

int sm_app_main(struct sm_app *a, const struct sm_app_tool *tool, void *ctx, void *opts,
	int argc, char **argv)
{
	const struct sm_opt_spec *spec = tool->spec();
	int command, code;

	*a = (struct sm_app){.tool = tool,
		.ctx = ctx,
		.opts = opts,
		.root = SM_ROOT_INIT,
		.loop = SM_LOOP_INIT,
		.relay = SM_RELAY_INIT,
		.end_ns = SM_LOOP_FOREVER};
	sm_err_init(spec->tool);
	sm_ids_static();
	if (sm_opt_parse(spec, opts, argc, argv, &command, &code))
		return code;
	a->command = command < argc ? argv + command : NULL;
	if (a->opts->as_root && !a->command)
		return sm_app_usage(a, "--as-root needs a COMMAND");
	code = start(a);
	if (!code)
		code = sm_app_loop(a);
	close_all(a);
	return code == SM_APP_DONE ? SM_EXIT_OK : code;
}
