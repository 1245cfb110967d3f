// SPDX-License-Identifier: GPL-2.0-or-later
/* The option table, and the way from argv to a configuration. */
#include "opts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/err.h"
#include "foreign.h"
#include "list.h"
#include "opts_state.h"

/* --- the table ---------------------------------------------------------------------- */

static const char *const color_choices[] = {"auto", "never", NULL};

#define AT(field) .offset = offsetof(struct asked, field)

static const struct sm_opt own[] = {
	{.kind = SM_OPT_GROUP, .help = "What runs"},
	{'a', "all", SM_OPT_CALL, "N", .call_row = opts_take_all,
		.help = "N instances of each stressor (0: one for each CPU)"},
	{0, "seq", SM_OPT_CALL, "N", .call_row = opts_take_seq, .arg_optional = true,
		.apart = true, .help = "one after the other, alone: all of them"},
	{0, "sequential", SM_OPT_CALL, "N", .call_row = opts_take_seq,
		.arg_optional = true, .apart = true, .hidden = true},
	{0, "class", SM_OPT_CALL, "LIST", .call_row = opts_take_classes,
		.choices = list_classes, .complete = SM_COMPLETE_LIST,
		.help = "all of these classes; --class 'vm?' lists one"},
	{0, "with", SM_OPT_CALL, "LIST", .call_row = opts_take_with,
		.complete = SM_COMPLETE_LIST, .help = "all means these stressors"},
	{'x', "exclude", SM_OPT_CALL, "LIST", .call_row = opts_take_exclude,
		.complete = SM_COMPLETE_LIST, .help = "without these"},
	{'j', "job", SM_OPT_CALL, "FILE", .call_row = opts_take_job, AT(job_path),
		.complete = SM_COMPLETE_FILE, .help = "options from FILE, one a line"},
	{0, "taskset", SM_OPT_CALL, "LIST", .call_row = opts_take_cpus,
		.help = "on these CPUs, such as 0-3,5"},
	{0, "sched", SM_OPT_CALL, "POLICY", .call_row = opts_take_sched,
		.choices = opts_sched_choices,
		.help = "scheduling policy: other, batch, idle, fifo or rr"},
	{0, "sched-prio", SM_OPT_CALL, "N", .call_row = opts_take_sched_prio,
		.help = "priority with fifo and rr (1 to 100, used up to 98; default "
			"50)"},
	{'r', "random", SM_OPT_CALL, "N", .call_row = opts_take_random, .hidden = true},
	{0, "parallel", SM_OPT_CALL, "N", .call_row = opts_take_all, .hidden = true},
	{0, "ionice-class", SM_OPT_CALL, "CLASS", .call_row = opts_take_io_class,
		.choices = opts_io_classes, .hidden = true},
	{0, "ionice-level", SM_OPT_CALL, "N", .call_row = opts_take_io_level,
		.hidden = true},
	{0, "timer-slack", SM_OPT_CALL, "TIME", .call_row = opts_take_slack,
		.hidden = true},
	{0, "mbind", SM_OPT_CALL, "LIST", .call_row = opts_take_nodes, .hidden = true},
	{0, "ksm", SM_OPT_FLAG, AT(cfg.plan.inherit.ksm), .hidden = true},
	{0, "pathological", SM_OPT_FLAG, AT(pick.pathological),
		.help = "also what can make the machine unusable"},

	{.kind = SM_OPT_GROUP, .help = "How"},
	{'t', "timeout", SM_OPT_CALL, "TIME", .call_row = opts_take_time,
		AT(cfg.plan.time_ns), .max = OPTS_LONGEST_NS,
		.help = "how long (default 60; 200ms, 1.5m, 2h, 1d)"},
	{0, "forever", SM_OPT_FLAG, AT(forever), .help = "until a signal ends it"},
	{0, "verify", SM_OPT_FLAG, AT(cfg.plan.verify),
		.help = "also the checks that cost time"},
	{0, "minimize", SM_OPT_FLAG, AT(minimize),
		.help = "small values for what is not given"},
	{0, "maximize", SM_OPT_FLAG, AT(maximize), .help = "large ones"},
	{0, "aggressive", SM_OPT_FLAG, AT(cfg.plan.aggressive),
		.help = "with up to 90% of the free memory"},
	{0, "max-memory", SM_OPT_CALL, "SIZE", .call_row = opts_take_memory,
		.help = "of all, or a share of what is free (default 50%)"},
	{0, "oomable", SM_OPT_FLAG, AT(cfg.plan.oomable),
		.help = "do not restart what was killed for lack of memory"},
	{0, "abort", SM_OPT_FLAG, AT(cfg.plan.abort),
		.help = "end the run when one of them fails"},
	{0, "seed", SM_OPT_CALL, "N", .call_row = opts_take_seed,
		.help = "of random data (default: another each time)"},
	{'k', "keep-name", SM_OPT_FLAG, AT(cfg.plan.keep_name),
		.help = "processes keep the name of the program"},
	{0, "strict", SM_OPT_FLAG, AT(cfg.strict),
		.help = "exit status 4 if anything cannot run here"},
	{0, "duration", SM_OPT_CALL, "TIME", .hidden = true, .call_row = opts_take_time,
		AT(cfg.plan.time_ns), .max = OPTS_LONGEST_NS}, /* as in the other tools */
	{0, "no-rand-seed", SM_OPT_FLAG, .hidden = true, AT(fixed_seed)},
	{0, "spoil", SM_OPT_FLAG, .hidden = true, AT(cfg.plan.spoil)},
	{0, "temp-path", SM_OPT_CALL, "DIR", .hidden = true, .call_row = opts_take_string,
		AT(ignored)},
	{0, "max-disk", SM_OPT_CALL, "SIZE", .hidden = true, .call_row = opts_take_string,
		AT(ignored)},

	{.kind = SM_OPT_GROUP, .help = "Results"},
	{'M', "metrics", SM_OPT_FLAG, AT(cfg.metrics),
		.help = "ops, times, rates and the stressors' own figures"},
	{0, "metrics-brief", SM_OPT_FLAG, AT(cfg.metrics_brief),
		.help = "the same without memory and CPU usage"},
	{0, "times", SM_OPT_FLAG, AT(cfg.times), .help = "CPU time of the whole run"},
	{0, "interval", SM_OPT_CALL, "TIME", .call_row = opts_take_time,
		AT(cfg.interval_ns), .min = 10 * SM_NSEC_PER_MSEC, .max = OPTS_DAY_NS,
		.help = "also the rates of each interval"},
	{0, "status", SM_OPT_CALL, "TIME", .hidden = true, .call_row = opts_take_time,
		AT(cfg.interval_ns), .min = 10 * SM_NSEC_PER_MSEC, .max = OPTS_DAY_NS},
	{0, "thermalstat", SM_OPT_CALL, "TIME", .hidden = true,
		.call_row = opts_take_thermalstat, AT(cfg.interval_ns),
		.min = 10 * SM_NSEC_PER_MSEC, .max = OPTS_DAY_NS},
	{0, "raplstat", SM_OPT_CALL, "TIME", .hidden = true,
		.call_row = opts_take_raplstat, AT(cfg.interval_ns),
		.min = 10 * SM_NSEC_PER_MSEC, .max = OPTS_DAY_NS},
	{0, "perf", SM_OPT_FLAG, AT(cfg.perf),
		.help = "counts of hardware and kernel events"},
	{0, "rapl", SM_OPT_FLAG, AT(cfg.rapl), .help = "energy and ops per joule"},
	{0, "tz", SM_OPT_FLAG, AT(cfg.tz), .help = "temperatures"},
	{0, "progress", SM_OPT_FLAG, AT(cfg.progress),
		.help = "a live line on standard error"},
	{0, "json", SM_OPT_TO, "FILE", AT(cfg.json), .arg_optional = true,
		.complete = SM_COMPLETE_FILE,
		.help = "JSON instead of the table; with =FILE beside it"},
	{0, "csv", SM_OPT_TO, "FILE", AT(cfg.csv), .arg_optional = true,
		.complete = SM_COMPLETE_FILE,
		.help = "CSV instead of the table; with =FILE beside it"},
	{'Y', "yaml", SM_OPT_CALL, "FILE", .call_row = opts_take_string, AT(cfg.yaml),
		.complete = SM_COMPLETE_FILE, .help = "YAML with the keys of stress-ng"},
	{0, "log-file", SM_OPT_CALL, "FILE", .call_row = opts_take_string,
		AT(cfg.log_file), .complete = SM_COMPLETE_FILE, .hidden = true},
	{0, "color", SM_OPT_CALL, "WHEN", .call_row = opts_take_color,
		.choices = color_choices, .help = "auto or never"},
	{'v', "verbose", SM_OPT_FLAG, AT(cfg.verbose), .help = "more messages"},
	{'q', "quiet", SM_OPT_FLAG, AT(cfg.quiet), .help = "only errors"},

	{.kind = SM_OPT_GROUP, .help = "Information"},
	{0, "stressors", SM_OPT_FLAG, AT(list),
		.help = "list them; with -v whether they can run here"},
	{0, "verifiable", SM_OPT_FLAG, .hidden = true, AT(verifiable)},
	{'n', "dry-run", SM_OPT_FLAG, AT(cfg.dry_run), .help = "show what would run"},
	{'h', "help", SM_OPT_HELP, "NAME", .arg_optional = true, .apart = true,
		.call_row = opts_help_name, .help = "this, or all about one stressor"},
	{'V', "version", SM_OPT_VERSION, .help = "show the version"},
};

static const char *const examples[] = {"stressors --cpu 2 --vm 1 -t 5m",
	"CPU and memory, for five minutes", "stressors --seq 1 --class vm",
	"those of a class, one after the other, 60 s each", NULL};

/* --- parsing ------------------------------------------------------------------------ */

static int finish(void *cfg, struct sm_buf *why)
{
	struct asked *a = cfg;

	return a->list || a->list_classes || a->verifiable ? 0 : opts_plan(a, why);
}

static struct opts_rows rows;

/* The rows and this are made once; without memory the stressors' rows are missing. */
static struct sm_opt_spec spec = {
	.tool = "stressors",
	.version = SM_VERSION,
	.summary = "Load the machine, check what it does, and measure its rates",
	.synopsis = "--NAME N [OPTION]...",
	.opts = own,
	.nopts = SM_ARRAY_SIZE(own),
	.rest = SM_REST_NONE,
	.nearest = true,
	.unknown = foreign_option,
	.finish = finish,
	.examples = examples,
	.exit_notes =
		"Each stressor also has --NAME-ops N and options of its own.\n"
		"Exit status: 0 ok, 1 usage or other error, 2 a stressor failed, 3 no "
		"resource, 4 cannot run here; 128 + n after signal n.",
};

static int make_table(void)
{
	int err = rows.opt ? 0
			   : opts_rows_make(&rows, own, SM_ARRAY_SIZE(own),
				     opts_take_without_effect, opts_take_stressor);

	if (err)
		return err;
	spec.opts = rows.opt;
	spec.nopts = rows.n;
	return 0;
}

const struct sm_opt_spec *sm_tool_spec(void)
{
	(void)make_table();
	return &spec;
}

static struct asked asked;

static void free_jobs(struct plan *p)
{
	for (size_t i = 0; i < p->n; i++)
		free(p->job[i].why_not);
	free(p->job);
	p->job = NULL;
	p->n = 0;
}

static void free_asked(void)
{
	jobfile_close(&asked.file);
	sm_buf_fini(&asked.notes);
	free(asked.given);
	for (unsigned int i = 0; i < FROM; i++)
		free(asked.of[i]);
	free(asked.job);
	free(asked.named);
	free(asked.current);
	free(asked.pick.one);
	free(asked.picked);
	free_jobs(&asked.cfg.plan);
	asked = (struct asked){0};
}

static int make_asked(void)
{
	size_t n = rows.n_stressors;

	asked = (struct asked){.rows = &rows, .spec = &spec};
	asked.cfg.plan.time_ns = UINT64_MAX; /* not given */
	asked.pick.list = list_all;
	asked.given = calloc(rows.n, sizeof(*asked.given));
	asked.current = calloc(n + 1, sizeof(*asked.current));
	asked.pick.one = calloc(n + 1, sizeof(*asked.pick.one));
	for (unsigned int i = 0; i < FROM; i++) {
		asked.of[i] = calloc(n + 1, sizeof(*asked.of[i]));
		if (!asked.of[i])
			return -ENOMEM;
	}
	return asked.given && asked.current && asked.pick.one ? 0 : -ENOMEM;
}

/* Lists and the dry run.  False: there is nothing to show. */
static bool show(int *status)
{
	SM_CLEANUP(sm_buf_fini) struct sm_buf b = {0};
	int err;

	if (asked.list || asked.verifiable)
		opts_list(&b, asked.cfg.verbose, asked.verifiable);
	else if (asked.list_classes)
		opts_list_classes(&b, asked.list_classes);
	else if (asked.cfg.dry_run)
		opts_dry_run(&b, &asked.cfg);
	else
		return false;
	err = b.err ? b.err : sm_file_write(STDOUT_FILENO, b.p, b.len);
	if (err)
		sm_err("cannot write to standard output: %s", strerror(-err));
	*status = err ? STRESSORS_USAGE : STRESSORS_OK;
	return true;
}

enum opts_todo opts_parse(struct config *c, int argc, char **argv, int *status)
{
	int command, err = make_table();
	bool done;

	*c = (struct config){0};
	if (!err)
		err = make_asked();
	if (err) {
		sm_err_at("options", err);
		*status = STRESSORS_USAGE;
		free_asked();
		return OPTS_DONE;
	}
	done = sm_opt_parse(&spec, &asked, argc, argv, &command, status) == 1;
	/* The library's status of a usage error is another one. */
	if (done && *status)
		*status = STRESSORS_USAGE;
	if (done || show(status)) {
		free_asked();
		return OPTS_DONE;
	}
	*c = asked.cfg;
	asked.cfg.plan.job = NULL; /* they are the caller's */
	asked.cfg.plan.n = 0;
	return OPTS_RUN;
}

void opts_fini(struct config *c)
{
	free_jobs(&c->plan);
	*c = (struct config){0};
	free_asked();
}
