// SPDX-License-Identifier: GPL-2.0-or-later
/* The option table, and the configuration that is made from argv. */
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
		.help = "run N instances of each stressor (0: one per CPU)"},
	{0, "parallel", SM_OPT_CALL, "N", .call_row = opts_take_instances, AT(n_all),
		.hidden = true},
	{0, "seq", SM_OPT_CALL, "N", .call_row = opts_take_seq, AT(n_seq),
		.arg_optional = true, .apart = true,
		.help = "run the stressors one by one; all if none is named"},
	{0, "sequential", SM_OPT_CALL, "N", .call_row = opts_take_seq, AT(n_seq),
		.arg_optional = true, .apart = true, .hidden = true},
	{'r', "random", SM_OPT_CALL, "N", .call_row = opts_take_instances, AT(n_random),
		.detail = true, .help = "run N instances of randomly chosen stressors"},
	{0, "class", SM_OPT_CALL, "LIST", .call_row = opts_take_classes,
		.choices = list_classes, .complete = SM_COMPLETE_LIST,
		.help = "restrict --all and --seq to classes; 'vm?' lists one"},
	{0, "with", SM_OPT_CALL, "LIST", .call_row = opts_take_with,
		.complete = SM_COMPLETE_LIST,
		.help = "restrict --all and --seq to these stressors"},
	{'x', "exclude", SM_OPT_CALL, "LIST", .call_row = opts_take_exclude,
		.complete = SM_COMPLETE_LIST, .help = "do not run these stressors"},
	{'j', "job", SM_OPT_STR, "FILE", AT(job_path), .not_in_file = true,
		.complete = SM_COMPLETE_FILE,
		.help = "read options from FILE, one per line"},
	{0, "taskset", SM_OPT_STR, "LIST", AT(cpus),
		.help = "run only on these CPUs, such as 0-3,5"},
	{0, "sched", SM_OPT_CHOICE, "POLICY", AT(sched), .choices = opts_policies,
		.former = no_deadline,
		.help = "use this policy: other, batch, idle, fifo or rr"},
	{0, "sched-prio", SM_OPT_U64, "N", AT(prio), .min = 1,
		.max = POLICY_PRIO_STRESS_NG,
		.help = "set the priority for fifo and rr (1 to 98, default 50)"},
	{0, "ionice-class", SM_OPT_CHOICE, "CLASS", AT(io_class),
		.choices = opts_io_classes, .detail = true,
		.help = "set the I/O scheduling class"},
	{0, "ionice-level", SM_OPT_U64, "N", AT(io_level), .max = INHERIT_IO_LEVELS - 1,
		.detail = true,
		.help = "set the level in that class (0 to 7, default 4)"},
	{0, "timer-slack", SM_OPT_DURATION, "TIME", AT(slack_ns), .unit = "ns",
		.max = SM_NSEC_PER_SEC, .detail = true,
		.help = "set the timer slack; a bare number is in ns"},
	{0, "mbind", SM_OPT_CALL, "LIST", .call_row = opts_take_nodes, .detail = true,
		.help = "allocate memory only on these NUMA nodes"},
	{0, "ksm", SM_OPT_FLAG, AT(cfg.plan.inherit.ksm), .detail = true,
		.help = "permit the kernel to merge equal pages"},
	{0, "pathological", SM_OPT_FLAG, AT(pick.pathological),
		.help = "permit stressors that can make the machine unusable"},

	{.kind = SM_OPT_GROUP, .help = "How"},
	{'t', "timeout", SM_OPT_DURATION, "TIME", AT(cfg.plan.time_ns),
		.max = OPTS_LONGEST_NS,
		.help = "stop after TIME (default 60s; or 200ms, 1.5m, 1h30m)"},
	{0, "duration", SM_OPT_DURATION, "TIME", AT(cfg.plan.time_ns), .min = 1,
		.max = OPTS_LONGEST_NS, .hidden = true}, /* as in the other tools */
	{0, "forever", SM_OPT_FLAG, AT(forever), .help = "run until a signal arrives"},
	{0, "verify", SM_OPT_FLAG, AT(cfg.plan.verify),
		.help = "also perform the expensive checks"},
	{0, "minimize", SM_OPT_FLAG, AT(minimize),
		.help = "use small values for options that are not given"},
	{0, "maximize", SM_OPT_FLAG, AT(maximize),
		.help = "use large values for options that are not given"},
	{0, "aggressive", SM_OPT_FLAG, AT(cfg.plan.aggressive), .detail = true,
		.help = "use up to 90% of the free memory"},
	{0, "max-memory", SM_OPT_CALL, "SIZE", .call_row = opts_take_memory,
		.help = "limit the total memory (default 50% of free memory)"},
	{0, "max-disk", SM_OPT_CALL, "SIZE", .call_row = opts_take_disk, .detail = true,
		.help = "limit the total disk space (default 50% of free space)"},
	{0, "temp-path", SM_OPT_STR, "DIR", AT(cfg.plan.temp_path),
		.complete = SM_COMPLETE_DIR,
		.help = "create files in DIR (default: the working directory)"},
	{0, "oomable", SM_OPT_FLAG, AT(cfg.plan.oomable), .detail = true,
		.help = "do not restart instances killed for lack of memory"},
	{0, "abort", SM_OPT_FLAG, AT(cfg.plan.abort),
		.help = "end the run as soon as an instance fails"},
	{0, "seed", SM_OPT_U64, "N", AT(cfg.plan.seed),
		.help = "seed random data with N (default: different each time)"},
	{0, "no-rand-seed", SM_OPT_FLAG, AT(fixed_seed), .hidden = true},
	{'k', "keep-name", SM_OPT_FLAG, AT(cfg.plan.keep_name), .detail = true,
		.help = "keep the name of the program for all processes"},
	{0, "strict", SM_OPT_FLAG, SM_APP_AT(strict),
		.help = "exit with status 4 if a stressor cannot run here"},
	{0, "root", SM_OPT_STR, "DIR", SM_APP_AT(root), .complete = SM_COMPLETE_DIR,
		.detail = true,
		.help = "read DIR/proc and DIR/sys instead of /proc and /sys"},
	{0, "spoil", SM_OPT_FLAG, AT(cfg.plan.spoil), .hidden = true},

	{.kind = SM_OPT_GROUP, .help = "Results"},
	{'M', "metrics", SM_OPT_FLAG, AT(cfg.metrics),
		.help = "show ops, times, rates and the stressors' own metrics"},
	{0, "metrics-brief", SM_OPT_FLAG, AT(cfg.metrics_brief), .detail = true,
		.help = "show only ops, times and rates"},
	{0, "times", SM_OPT_FLAG, AT(cfg.times), .detail = true,
		.help = "show the CPU time of the whole run"},
	{0, "interval", SM_OPT_DURATION, INTERVAL,
		.help = "also show the rates of each interval"},
	{0, "status", SM_OPT_DURATION, INTERVAL, .hidden = true},
	{0, "thermalstat", SM_OPT_DURATION, INTERVAL, .hidden = true},
	{0, "raplstat", SM_OPT_DURATION, INTERVAL, .hidden = true},
	{0, "perf", SM_OPT_FLAG, AT(cfg.perf),
		.help = "count hardware and kernel events"},
	{0, "rapl", SM_OPT_FLAG, AT(cfg.rapl), .help = "show energy and ops per joule"},
	{0, "tz", SM_OPT_FLAG, AT(cfg.tz), .help = "show temperatures"},
	{0, "coverage", SM_OPT_FLAG, AT(cfg.coverage), .detail = true,
		.help = "count system calls and their errors (root)"},
	{0, "progress", SM_OPT_FLAG, AT(cfg.progress),
		.help = "show a live line on standard error"},
	SM_APP_OPT_JSON(0),
	SM_APP_OPT_CSV,
	SM_APP_OPT_PROM,
	{'Y', "yaml", SM_OPT_STR, "FILE", AT(cfg.yaml), .complete = SM_COMPLETE_FILE,
		.help = "write YAML with the keys of stress-ng"},
	SM_APP_OPT_OUTPUT(0),
	{0, "log-file", SM_OPT_STR, "FILE", AT(cfg.log_file),
		.complete = SM_COMPLETE_FILE, .detail = true,
		.help = "also write the report as text to FILE"},
	SM_APP_OPT_NO_HEADER,
	SM_APP_OPT_TIMESTAMP,
	{0, "line-buffered", SM_OPT_FLAG, SM_APP_AT(line_buffered), .detail = true,
		.help = SM_APP_LINE_BUFFERED_ALWAYS},
	SM_APP_OPT_COLOR,
	{'v', "verbose", SM_OPT_FLAG, AT(cfg.verbose), .help = "print more messages"},
	{'q', "quiet", SM_OPT_FLAG, SM_APP_AT(quiet), .help = "print only errors"},

	{.kind = SM_OPT_GROUP, .help = "Information"},
	{0, "stressors", SM_OPT_FLAG, AT(list),
		.help = "list the stressors; with -v, whether they can run here"},
	{0, "verifiable", SM_OPT_FLAG, AT(verifiable), .hidden = true},
	{'n', "dry-run", SM_OPT_FLAG, AT(cfg.dry_run),
		.help = "show the jobs that would run, and exit"},
	{'h', "help", SM_OPT_HELP, "NAME", .arg_optional = true, .apart = true,
		.call_row = opts_help_name,
		.help = "show help: this text, 'all' options, or a stressor's"},
	{'V', "version", SM_OPT_VERSION, .help = "show the version"},
};

static const char *const examples[] = {"stressors --cpu 2 --vm 1 -t 5m",
	"CPU and memory, for five minutes", "stressors --seq 1 --class vm",
	"the stressors of a class, one after the other", NULL};

/* --- parsing ------------------------------------------------------------------------ */

static int finish(void *cfg, struct sm_buf *why)
{
	return opts_check(cfg, why);
}

static struct opts_rows rows;

/* The rows and this specification are made once.  If memory runs out, the rows of the
 * stressors are missing. */
static struct sm_opt_spec spec = {
	.tool = "stressors",
	.version = SM_VERSION,
	.summary = "Load the machine, check its results, and measure its rates",
	.synopsis = "--NAME N [OPTION]...",
	.opts = own,
	.nopts = SM_ARRAY_SIZE(own),
	.usage_status = STRESSORS_USAGE,
	.rest = SM_REST_NONE,
	.unknown = foreign_option,
	.finish = finish,
	.examples = examples,
	.exit_notes =
		"Each stressor also has --NAME-ops N and options of its own.\n"
		"Exit status: 0 ok, 1 usage or other error, 2 a stressor failed, 3 no "
		"resource, 4 cannot run here, 5 rows were lost (--strict); 128 + n "
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
