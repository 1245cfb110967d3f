// SPDX-License-Identifier: GPL-2.0-or-later
/* Opens all sources that need privileges (the power source, the workers and their
 * counters) and makes the plan. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "cli/err.h"
#include "cli/priv.h"
#include "cli/start.h"
#include "cli/tty.h"
#include "list.h"
#include "power/source_open.h"
#include "power/source_shown.h"
#include "proc/topology.h"
#include "run.h"

#define TEST_NS		(20 * SM_NSEC_PER_SEC)
#define BATTERY_TEST_NS (120 * SM_NSEC_PER_SEC)
#define BATTERY_SETTLE	(20 * SM_NSEC_PER_SEC)
/* Shortest test of a battery that reports only its level. */
#define LEVEL_TEST_NS	(60 * SM_NSEC_PER_SEC)
#define TARGET_LIMIT_NS (300 * SM_NSEC_PER_SEC)

static struct sm_source_want source_want(const struct opts *o)
{
	return (struct sm_source_want){.kind = (enum sm_source_kind)o->source,
		.sensors = o->sensors,
		.total = (enum sm_rapl_total)o->total,
		.domains = true,
		.finely = true,
		.from_start = true,
		.reopen = o->app.keep_privileges,
		.interval_ns = o->app.interval_ns};
}

/* --- --list, and the CPUs ----------------------------------------------------------- */

static int list(const struct run *r)
{
	struct sm_source_want want = source_want(&r->opts);
	struct sm_buf b = {0};
	int err;

	list_sources(&r->app.root, &want, sm_tty_help_columns(STDOUT_FILENO), &b);
	list_cpus(r->cpus, &b);
	list_types(&r->types, &b);
	err = sm_file_write(STDOUT_FILENO, b.p, b.len);
	if (err)
		sm_err_at("write error", err);
	sm_buf_fini(&b);
	return err ? SM_EXIT_RUNTIME : SM_EXIT_OK;
}

static int refuse_cpus(const struct run *r, int err, unsigned int bad)
{
	char text[96];

	switch (err) {
	case -ENODEV:
		snprintf(text, sizeof(text), "-n: CPU %u %s", bad,
			sm_cpus_reason(sm_cpus_why(r->cpus, bad)));
		break;
	case -EEXIST:
		snprintf(text, sizeof(text), "-n: CPU %u is listed twice", bad);
		break;
	case -ERANGE:
		snprintf(text, sizeof(text), "-n: CPU number too high");
		break;
	case -EINVAL:
		snprintf(text, sizeof(text),
			"-n: must be a list of CPU numbers and ranges, such as 0-3,5");
		break;
	default:
		return sm_app_refuse("CPUs", err);
	}
	return sm_app_usage(&r->app, text);
}

static void say_unloaded(const struct run *r, enum sm_cpus_why why, const char *reason)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < r->cpus->n; i++)
		n += sm_cpus_why(r->cpus, i) == why;
	if (n)
		sm_err("%u online CPU%s not loaded: not in the %s", n,
			n == 1 ? " is" : "s are", reason);
}

/* Reports online CPUs that are not loaded.  Offline CPUs, which use no power, are not
 * reported. */
static void say_left_out(const struct run *r)
{
	say_unloaded(
		r, SM_CPUS_APART, "affinity mask of this process; -n can select them");
	say_unloaded(r, SM_CPUS_FORBIDDEN, "cpuset of this process");
}

/* Orders one CPU of each core first, so that a test shows the effect of the second
 * threads. */
static int spread_cpus(struct run *r)
{
	unsigned int *rank = calloc(r->ncpu + 1, sizeof(*rank));
	int err = rank ? sm_topology_ranks(&r->app.root, r->cpu, r->ncpu, rank) : -ENOMEM;

	if (!err)
		err = sm_topology_spread(r->cpu, rank, r->ncpu);
	if (!err)
		r->steps = sm_topology_steps(rank, r->ncpu, r->step, RUN_STEPS_MAX);
	free(rank);
	return err ? sm_app_refuse("CPUs", err) : 0;
}

/* Determines the types of the CPUs.  With --by=type, orders the CPUs by type. */
static int find_types(struct run *r)
{
	unsigned int *type = calloc(r->ncpu + 1, sizeof(*type));
	int err = type ? sm_topology_types(&r->app.root, r->cpu, r->ncpu, type, &r->types)
		       : -ENOMEM;

	if (!err && r->types.n == 1 && r->opts.by == OPTS_BY_TYPE) {
		sm_err("--by=type: the kernel reports one type of CPUs only; the result "
		       "is for all CPUs");
		r->opts.by = OPTS_BY_NONE;
	}
	if (!err && r->opts.by == OPTS_BY_TYPE)
		err = sm_topology_spread(r->cpu, type, r->ncpu);
	free(type);
	if (err == -E2BIG && r->opts.by != OPTS_BY_TYPE)
		return 0;
	return err == -E2BIG ? sm_app_usage(&r->app, "--by=type: too many types of CPUs; "
						     "select CPUs with -n")
	       : err	     ? sm_app_refuse("CPUs", err)
			     : 0;
}

static int choose_cpus(struct run *r)
{
	unsigned int bad = 0;
	int n = sm_cpus_select(r->cpus, r->opts.cpus, &r->cpu, &bad);

	if (n < 0)
		return refuse_cpus(r, n, bad);
	r->ncpu = (unsigned int)n;
	n = find_types(r);
	if (n || r->opts.list)
		return n;
	if (!r->opts.cpus)
		say_left_out(r);
	return r->opts.cpus || r->opts.by == OPTS_BY_TYPE ? 0 : spread_cpus(r);
}

/* Checks the user before the workers start, because they change to this user themselves.
 */
static int check_user(const struct run *r)
{
	struct sm_priv_user user;

	return r->opts.app.drop_to ? sm_start_user(r->opts.app.drop_to, &user) : 0;
}

int run_prepare(void *ctx)
{
	struct run *r = ctx;
	int code = check_user(r), err;

	if (code)
		return code;
	r->cpus = calloc(1, sizeof(*r->cpus));
	if (!r->cpus)
		return sm_app_refuse("start", -ENOMEM);
	err = sm_cpus_open(r->cpus, &r->app.root);
	if (err)
		return sm_app_refuse("CPUs", err);
	code = choose_cpus(r);
	if (code || !r->opts.list)
		return code;
	code = sm_start_stdout(r->app.closed_fds);
	if (!code)
		code = list(r);
	return code ? code : SM_APP_DONE;
}

/* --- the power ---------------------------------------------------------------------- */

static const char *remedy(int err)
{
	if (err == -EINVAL)
		return "--source: no such sensor";
	return err == -EACCES ? "no power source can be read: permission denied; run "
				"power-calibrate as root, or give access with a udev "
				"rule (see \"Without root\" in powerstat(8))"
			      : "no power source found";
}

static int refuse_total(const struct run *r)
{
	struct sm_buf b = {0};

	if (r->power.kind != SM_SOURCE_HWMON) {
		sm_err("no domain of this power source belongs to the total; see --list "
		       "and --total");
		return SM_EXIT_FEATURE;
	}
	sm_buf_str(&b, "the sensors of this power source have no total\n");
	sm_source_help(&r->app.root, SM_SOURCE_HWMON, &list_help,
		sm_tty_help_columns(STDERR_FILENO), &b);
	sm_err_text(&b);
	return SM_EXIT_FEATURE;
}

static int refuse_batteries(const struct run *r)
{
	struct sm_buf text = {0};

	sm_source_help_discharge(&r->power.batteries, &text);
	sm_buf_str(&text, ", or use another --source");
	sm_err_text(&text);
	return SM_EXIT_RUNTIME;
}

static int open_power(struct run *r)
{
	struct sm_source_want want = source_want(&r->opts);
	struct sm_buf why = {0}, text = {0};
	int err = sm_source_open(&r->power, &r->app.root, &want, &why);

	r->have_power = true;
	if (err) {
		sm_buf_printf(&text, "%s\n", remedy(err));
		sm_buf_add(&text, why.p, why.len);
		sm_source_help(&r->app.root, want.kind, &list_help,
			sm_tty_help_columns(STDERR_FILENO), &text);
	} else {
		sm_source_describe(&r->power, &r->source);
		sm_buf_chr(&r->source, '\0');
		if (sm_buf_error(&r->source)) {
			sm_buf_fini(&why);
			return sm_app_refuse("start", -ENOMEM);
		}
		sm_buf_printf(&text, "power source: %s", r->source.p);
		sm_source_mention_meter(&r->power, "--source=hwmon", &text);
	}
	sm_buf_fini(&why);
	sm_err_text(&text);
	if (err)
		return err == -EINVAL ? SM_EXIT_USAGE : sm_err_exit(err);
	if (r->power.kind == SM_SOURCE_BATTERY &&
		!sm_battery_discharging(&r->power.batteries))
		return refuse_batteries(r);
	if (sm_source_is_dead(&r->power)) {
		sm_err("this power source has no value; see --list");
		return SM_EXIT_FEATURE;
	}
	return sm_source_has_total(&r->power) ? 0 : refuse_total(r);
}

/* --- the plan ----------------------------------------------------------------------- */

/* Returns the least time of a test that suits a meter that averages. */
static uint64_t averages_ns(const struct run *r)
{
	return 6 * sm_source_average_ns(&r->power);
}

static struct plan_want plan_want(const struct run *r)
{
	const struct opts *o = &r->opts;
	bool battery = r->power.kind == SM_SOURCE_BATTERY;
	struct plan_want w = {.cpus = r->ncpu,
		.levels = (unsigned int)o->levels,
		.every_count = o->per_count,
		.type_cpus = r->types.cpus,
		.types = o->by == OPTS_BY_TYPE ? r->types.n : 0,
		.step = r->step,
		.steps = r->steps,
		.test_ns = o->test_ns,
		.slow_ns = sm_source_level_only(&r->power)
				   ? LEVEL_TEST_NS
				   : sm_source_average_ns(&r->power),
		.settle_ns = o->settle_ns,
		.interval_ns = o->app.interval_ns,
		.limit_ns = o->max_time_ns,
		.until_good = o->target_ci > 0,
		.seed = o->seed};

	w.keep_total = !w.test_ns;
	if (!w.test_ns)
		w.test_ns = battery ? BATTERY_TEST_NS : TEST_NS;
	if (w.test_ns < 5 * w.interval_ns && !o->test_ns)
		w.test_ns = 5 * w.interval_ns;
	if (w.test_ns < averages_ns(r) && !o->test_ns)
		w.test_ns = averages_ns(r);
	if (battery && !o->have_settle)
		w.settle_ns = BATTERY_SETTLE;
	if (w.until_good && !w.limit_ns)
		w.limit_ns = TARGET_LIMIT_NS;
	return w;
}

static void announce(const struct run *r)
{
	const struct plan *p = &r->plan;
	struct sm_buf b = {0};

	sm_buf_printf(&b, "%u tests of %.1f s in %u block%s, on up to %u CPU%s: ", p->n,
		(double)p->slot_ns * 1e-9, p->blocks, p->blocks == 1 ? "" : "s",
		p->count[p->counts - 1], p->count[p->counts - 1] == 1 ? "" : "s");
	sm_buf_str(&b, r->opts.target_ci > 0 ? "at most " : "");
	progress_time(&b, p->total_ns);
	if (p->shortened)
		sm_buf_str(&b, ", shortened by --max-time");
	else if (!r->opts.test_ns && averages_ns(r) > TEST_NS)
		sm_buf_printf(&b,
			"; the meter averages over %.0f s: -r and --max-time shorten the "
			"run",
			(double)sm_source_average_ns(&r->power) * 1e-9);
	sm_err_text(&b);
}

static int make_plan(struct run *r)
{
	struct plan_want want = plan_want(r);
	int err = plan_make(&r->plan, &want);
	struct sm_buf b = {0};

	if (want.test_ns < want.slow_ns) {
		sm_err("%s, and a test must be at least %.0f s: use -r %.0f",
			sm_source_level_only(&r->power)
				? "the battery reports only its level"
				: "the meter averages its power",
			(double)want.slow_ns * 1e-9, 6e-9 * (double)want.slow_ns);
		return SM_EXIT_RUNTIME;
	}
	if (!err) {
		announce(r);
		return 0;
	}
	if (err != -E2BIG)
		return sm_app_refuse("start", err);
	sm_buf_str(&b, "these tests take at least ");
	progress_time(&b, r->plan.total_ns);
	sm_buf_str(&b, "; use fewer levels (-s)");
	sm_buf_chr(&b, '\0');
	sm_err("--max-time: %s", b.p);
	sm_buf_fini(&b);
	return SM_EXIT_USAGE;
}

/* --- the loads ---------------------------------------------------------------------- */

/* Runs in the worker and changes to the user that this process will change to; otherwise
 * this process could not kill the worker. */
static int drop_in_worker(void *ctx)
{
	const struct run *r = ctx;
	const char *to = r->opts.app.drop_to, *step;
	struct sm_priv_user user, invoker;
	unsigned int flags = 0;

	sm_priv_invoker(&invoker);
	if ((r->opts.yaml || r->opts.gnuplot || r->opts.app.prom) && !invoker.named &&
		!to && !sm_priv_raised())
		flags |= SM_DROP_KEEP_UID;
	if (to && sm_priv_user(to, &user) < 0)
		return -ENOENT;
	return sm_priv_drop(flags, to ? &user : NULL, &step);
}

static int open_workers(struct run *r)
{
	bool mem = sm_ops_table[r->opts.op].needs_mem;
	struct sm_workers_config c = {.root = &r->app.root,
		.mem_bytes = mem ? sm_ops_mem_bytes(&r->app.root, r->ncpu) : 0,
		.prepare = r->opts.app.keep_privileges ? NULL : drop_in_worker,
		.prepare_ctx = r};
	struct sm_workers_fault why;
	char text[128];
	int err = sm_workers_open(&r->workers, r->cpu, r->ncpu, &c, &why);

	if (err) {
		sm_workers_reason(&why, text, sizeof(text));
		sm_err("%s", text);
		return SM_EXIT_RUNTIME;
	}
	r->have_workers = true;
	err = sm_counts_open(&r->counts, &r->workers, &r->app.root, NULL);
	return err ? sm_app_refuse("counters", err) : 0;
}

int run_open(void *ctx)
{
	struct run *r = ctx;
	int code = open_power(r), err;

	if (!code)
		code = make_plan(r);
	if (!code)
		code = open_workers(r);
	if (code)
		return code;
	r->measure.opts = &r->opts;
	r->measure.plan = &r->plan;
	r->measure.power = &r->power;
	r->measure.workers = &r->workers;
	r->measure.counts = &r->counts;
	r->have_measure = true;
	err = measure_open(&r->measure, &r->app.root);
	if (!err)
		err = state_open(&r->state, &r->app.root);
	return err ? sm_app_refuse("start", err) : 0;
}
