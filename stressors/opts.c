// SPDX-License-Identifier: GPL-2.0-or-later
/* The option table, and the way from argv to a configuration. */
#include "opts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "foreign.h"
#include "list.h"
#include "opts_state.h"

/* --- the table ---------------------------------------------------------------------- */

#define AT(field) .offset = offsetof(struct asked, field)
#define INTERVAL                                                            \
	"TIME", SM_APP_AT(asked_interval_ns), .min = 10 * SM_NSEC_PER_MSEC, \
					      .max = SM_APP_DAY_NS

static const char *const no_deadline[] = {
	"deadline", "only --cyclic-policy has the policy deadline", NULL};

static const struct sm_opt own[] = {
	{.kind = SM_OPT_GROUP, .help = "What runs"},
	{'a', "all", SM_OPT_CALL, "N", .call_row = opts_take_instances, AT(n_all),
		.help = "N instances of each stressor (0: one for each CPU)"},
	{0, "parallel", SM_OPT_CALL, "N", .call_row = opts_take_instances, AT(n_all),
		.hidden = true},
	{0, "seq", SM_OPT_CALL, "N", .call_row = opts_take_seq, AT(n_seq),
		.arg_optional = true, .apart = true,
		.help = "one after the other, alone: all of them"},
	{0, "sequential", SM_OPT_CALL, "N", .call_row = opts_take_seq, AT(n_seq),
		.arg_optional = true, .apart = true, .hidden = true},
	{'r', "random", SM_OPT_CALL, "N", .call_row = opts_take_instances, AT(n_random),
		.detail = true, .help = "N instances of stressors that are drawn by lot"},
	{0, "class", SM_OPT_CALL, "LIST", .call_row = opts_take_classes,
		.choices = list_classes, .complete = SM_COMPLETE_LIST,
		.help = "all of these classes; --class 'vm?' lists one"},
	{0, "with", SM_OPT_CALL, "LIST", .call_row = opts_take_with,
		.complete = SM_COMPLETE_LIST, .help = "all means these stressors"},
	{'x', "exclude", SM_OPT_CALL, "LIST", .call_row = opts_take_exclude,
		.complete = SM_COMPLETE_LIST, .help = "without these"},
	{'j', "job", SM_OPT_STR, "FILE", AT(job_path), .not_in_file = true,
		.complete = SM_COMPLETE_FILE, .help = "options from FILE, one a line"},
	{0, "taskset", SM_OPT_STR, "LIST", AT(cpus),
		.help = "on these CPUs, such as 0-3,5"},
	{0, "sched", SM_OPT_CHOICE, "POLICY", AT(sched), .choices = opts_policies,
		.former = no_deadline,
		.help = "scheduling policy: other, batch, idle, fifo or rr"},
	{0, "sched-prio", SM_OPT_U64, "N", AT(prio), .min = 1,
		.max = POLICY_PRIO_STRESS_NG,
		.help = "priority with fifo and rr (1 to 98, default 50)"},
	{0, "ionice-class", SM_OPT_CHOICE, "CLASS", AT(io_class),
		.choices = opts_io_classes, .detail = true,
		.help = "I/O scheduling class"},
	{0, "ionice-level", SM_OPT_U64, "N", AT(io_level), .max = INHERIT_IO_LEVELS - 1,
		.detail = true, .help = "level in that class (0 to 7, default 4)"},
	{0, "timer-slack", SM_OPT_DURATION, "TIME", AT(slack_ns), .unit = "ns",
		.max = SM_NSEC_PER_SEC, .detail = true,
		.help = "how late timers may be; a bare number is in ns"},
	{0, "mbind", SM_OPT_CALL, "LIST", .call_row = opts_take_nodes, .detail = true,
		.help = "memory of these NUMA nodes only"},
	{0, "ksm", SM_OPT_FLAG, AT(cfg.plan.inherit.ksm), .detail = true,
		.help = "equal pages may be merged"},
	{0, "pathological", SM_OPT_FLAG, AT(pick.pathological),
		.help = "also what can make the machine unusable"},

	{.kind = SM_OPT_GROUP, .help = "How"},
	{'t', "timeout", SM_OPT_DURATION, "TIME", AT(cfg.plan.time_ns),
		.max = OPTS_LONGEST_NS,
		.help = "how long (default 60; 200ms, 1.5m, 1h30m)"},
	{0, "duration", SM_OPT_DURATION, "TIME", AT(cfg.plan.time_ns), .min = 1,
		.max = OPTS_LONGEST_NS, .hidden = true}, /* as in the other tools */
	{0, "forever", SM_OPT_FLAG, AT(forever), .help = "until a signal ends it"},
	{0, "verify", SM_OPT_FLAG, AT(cfg.plan.verify),
		.help = "also the checks that cost time"},
	{0, "minimize", SM_OPT_FLAG, AT(minimize),
		.help = "small values for what is not given"},
	{0, "maximize", SM_OPT_FLAG, AT(maximize), .help = "large ones"},
	{0, "aggressive", SM_OPT_FLAG, AT(cfg.plan.aggressive), .detail = true,
		.help = "with up to 90% of the free memory"},
	{0, "max-memory", SM_OPT_CALL, "SIZE", .call_row = opts_take_memory,
		.help = "of all, or a share of what is free (default 50%)"},
	{0, "max-disk", SM_OPT_CALL, "SIZE", .call_row = opts_take_disk, .detail = true,
		.help = "of all (default: half of what is free)"},
	{0, "temp-path", SM_OPT_STR, "DIR", AT(cfg.plan.temp_path),
		.complete = SM_COMPLETE_DIR,
		.help = "where files are made (default: working directory)"},
	{0, "oomable", SM_OPT_FLAG, AT(cfg.plan.oomable), .detail = true,
		.help = "do not restart what was killed for lack of memory"},
	{0, "abort", SM_OPT_FLAG, AT(cfg.plan.abort),
		.help = "end the run when one of them fails"},
	{0, "seed", SM_OPT_U64, "N", AT(cfg.plan.seed),
		.help = "of random data (default: another each time)"},
	{0, "no-rand-seed", SM_OPT_FLAG, AT(fixed_seed), .hidden = true},
	{'k', "keep-name", SM_OPT_FLAG, AT(cfg.plan.keep_name), .detail = true,
		.help = "processes keep the name of the program"},
	{0, "strict", SM_OPT_FLAG, SM_APP_AT(strict),
		.help = "exit status 4 if anything cannot run here"},
	{0, "root", SM_OPT_STR, "DIR", SM_APP_AT(root), .complete = SM_COMPLETE_DIR,
		.detail = true,
		.help = "read DIR/proc and DIR/sys instead of /proc and /sys"},
	{0, "spoil", SM_OPT_FLAG, AT(cfg.plan.spoil), .hidden = true},

	{.kind = SM_OPT_GROUP, .help = "Results"},
	{'M', "metrics", SM_OPT_FLAG, AT(cfg.metrics),
		.help = "ops, times, rates and the stressors' own figures"},
	{0, "metrics-brief", SM_OPT_FLAG, AT(cfg.metrics_brief), .detail = true,
		.help = "the same without memory and CPU usage"},
	{0, "times", SM_OPT_FLAG, AT(cfg.times), .detail = true,
		.help = "CPU time of the whole run"},
	{0, "interval", SM_OPT_DURATION, INTERVAL,
		.help = "also the rates of each interval"},
	{0, "status", SM_OPT_DURATION, INTERVAL, .hidden = true},
	{0, "thermalstat", SM_OPT_DURATION, INTERVAL, .hidden = true},
	{0, "raplstat", SM_OPT_DURATION, INTERVAL, .hidden = true},
	{0, "perf", SM_OPT_FLAG, AT(cfg.perf),
		.help = "counts of hardware and kernel events"},
	{0, "rapl", SM_OPT_FLAG, AT(cfg.rapl), .help = "energy and ops per joule"},
	{0, "tz", SM_OPT_FLAG, AT(cfg.tz), .help = "temperatures"},
	{0, "coverage", SM_OPT_FLAG, AT(cfg.coverage), .detail = true,
		.help = "the system calls that were made, and their errors (root)"},
	{0, "progress", SM_OPT_FLAG, AT(cfg.progress),
		.help = "a live line on standard error"},
	SM_APP_OPT_JSON(0),
	SM_APP_OPT_CSV,
	SM_APP_OPT_PROM,
	{'Y', "yaml", SM_OPT_STR, "FILE", AT(cfg.yaml), .complete = SM_COMPLETE_FILE,
		.help = "YAML with the keys of stress-ng"},
	SM_APP_OPT_OUTPUT(0),
	{0, "log-file", SM_OPT_STR, "FILE", AT(cfg.log_file),
		.complete = SM_COMPLETE_FILE, .detail = true,
		.help = "the report as text, beside the other outputs"},
	SM_APP_OPT_NO_HEADER,
	SM_APP_OPT_TIMESTAMP,
	{0, "line-buffered", SM_OPT_FLAG, SM_APP_AT(line_buffered), .detail = true,
		.help = SM_APP_LINE_BUFFERED_ALWAYS},
	SM_APP_OPT_COLOR,
	{'v', "verbose", SM_OPT_FLAG, AT(cfg.verbose), .help = "more messages"},
	{'q', "quiet", SM_OPT_FLAG, SM_APP_AT(quiet), .help = "only errors"},

	{.kind = SM_OPT_GROUP, .help = "Information"},
	{0, "stressors", SM_OPT_FLAG, AT(list),
		.help = "list them; with -v whether they can run here"},
	{0, "verifiable", SM_OPT_FLAG, AT(verifiable), .hidden = true},
	{'n', "dry-run", SM_OPT_FLAG, AT(cfg.dry_run), .help = "show what would run"},
	{'h', "help", SM_OPT_HELP, "NAME", .arg_optional = true, .apart = true,
		.call_row = opts_help_name,
		.help = "this; of 'all' options, or of one stressor"},
	{'V', "version", SM_OPT_VERSION, .help = "show the version"},
};

static const char *const examples[] = {"stressors --cpu 2 --vm 1 -t 5m",
	"CPU and memory, for five minutes", "stressors --seq 1 --class vm",
	"those of a class, one after the other", NULL};

/* --- parsing ------------------------------------------------------------------------ */

static int finish(void *cfg, struct sm_buf *why)
{
	return opts_check(cfg, why);
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
	.usage_status = STRESSORS_USAGE,
	.rest = SM_REST_NONE,
	.nearest = true,
	.unknown = foreign_option,
	.finish = finish,
	.examples = examples,
	.exit_notes =
		"Each stressor also has --NAME-ops N and options of its own.\n"
		"Exit status: 0 ok, 1 usage or other error, 2 a stressor failed, 3 no "
		"resource, 4 cannot run here, 5 output was lost and --strict; 128 + n "
		"after signal n.",
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
}

void opts_end(void)
{
	jobfile_close(&asked.file);
	sm_buf_fini(&asked.notes);
	free(spec.given);
	spec.given = NULL;
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

	asked = (struct asked){.rows = &rows,
		.spec = &spec,
		.n_all = OPTS_NO_NUMBER,
		.n_seq = OPTS_NO_NUMBER,
		.n_random = OPTS_NO_NUMBER};
	asked.cfg.app.queue_bytes = SM_SINK_DEFAULT_MAX;
	asked.pick.list = list_all;
	spec.given = calloc(rows.n, sizeof(*spec.given));
	asked.current = calloc(n + 1, sizeof(*asked.current));
	asked.pick.one = calloc(n + 1, sizeof(*asked.pick.one));
	for (unsigned int i = 0; i < FROM; i++) {
		asked.of[i] = calloc(n + 1, sizeof(*asked.of[i]));
		if (!asked.of[i])
			return -ENOMEM;
	}
	return spec.given && asked.current && asked.pick.one ? 0 : -ENOMEM;
}

struct config *opts_begin(void)
{
	int err = make_table();

	if (!err)
		err = make_asked();
	if (!err)
		return &asked.cfg;
	opts_end();
	return NULL;
}

bool opts_show(struct config *c, const struct sm_root *root, struct sm_buf *b)
{
	if (asked.list || asked.verifiable)
		opts_list(b, c->verbose, asked.verifiable);
	else if (asked.list_classes)
		opts_list_classes(b, asked.list_classes);
	else if (c->dry_run)
		opts_dry_run(b, &c->plan, root);
	else
		return false;
	return true;
}
