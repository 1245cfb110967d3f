// SPDX-License-Identifier: GPL-2.0-or-later
/* Opens everything that needs privileges: the power source, events, sensors. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/err.h"
#include "cli/kmod.h"
#include "cli/start.h"
#include "cli/tty.h"
#include "list.h"
#include "power/source_help.h"
#include "power/source_open.h"
#include "run.h"

#define DEFAULT_MODULES	  "intel_rapl_msr,msr"
#define RAPL_INTERVAL_NS  SM_NSEC_PER_SEC
#define OTHER_INTERVAL_NS (10 * SM_NSEC_PER_SEC)
#define RAPL_RUN_NS	  (60 * SM_NSEC_PER_SEC)
#define OTHER_RUN_NS	  (480 * SM_NSEC_PER_SEC)
#define BATTERY_DELAY_NS  (180 * SM_NSEC_PER_SEC)
#define FEW_SAMPLES	  10

static struct sm_source_want source_want(const struct opts *o)
{
	return (struct sm_source_want){.kind = (enum sm_source_kind)o->source,
		.sensors = o->sensors,
		.total = (enum sm_rapl_total)o->total,
		.domains = o->domains,
		.reopen = o->app.keep_privileges,
		.from_start = o->from_start,
		.interval_ns = o->app.interval_ns,
		.optional = o->no_power,
		.beside = o->domains && o->source == SM_SOURCE_AUTO};
}

static int list(const struct run *r)
{
	struct sm_source_want want = source_want(&r->opts);
	struct sm_buf b = {0};
	int err;

	list_sources(&r->app.root, &want, sm_tty_help_columns(STDOUT_FILENO), &b);
	err = sm_file_write(STDOUT_FILENO, b.p, b.len);
	if (err)
		sm_err_at("write error", err);
	sm_buf_fini(&b);
	return err ? SM_EXIT_RUNTIME : SM_EXIT_OK;
}

int run_prepare(void *ctx)
{
	struct run *r = ctx;
	int code;

	if (r->opts.idle_ns && !r->app.command)
		return sm_app_usage(&r->app, "--baseline needs a COMMAND");
	if (r->opts.repeat && !r->app.command)
		return sm_app_usage(&r->app, "--repeat needs a COMMAND");
	r->app.runs = (unsigned int)r->opts.repeat;
	if (r->opts.load_modules)
		sm_kmod_load_list(
			*r->opts.load_modules ? r->opts.load_modules : DEFAULT_MODULES);
	if (!r->opts.list)
		return 0;
	code = sm_start_stdout(r->app.closed_fds);
	if (!code)
		code = list(r);
	return code ? code : SM_APP_DONE;
}

static const char *remedy(int err)
{
	if (err == -EINVAL)
		return "--power: no such sensor";
	return err == -EACCES
		       ? "no power source can be read: permission denied; run powerstat "
			 "as root, give it cap_perfmon for the perf PMU, or let a udev "
			 "rule open the files (see WITHOUT ROOT in powerstat(8))"
		       : "no power source found; -z runs without one";
}

static int open_power(struct run *r)
{
	struct sm_source_want want = source_want(&r->opts);
	struct sm_buf why = {0}, text = {0};
	int err = sm_source_open(&r->power, &r->app.root, &want, &why);
	bool no_total;

	if (err == -ENOMEM) {
		sm_err_at("start", err);
	} else if (err) {
		sm_buf_printf(&text, "%s\n", remedy(err));
		sm_buf_add(&text, why.p, why.len);
		sm_source_help(&r->app.root, want.kind, &list_help,
			sm_tty_help_columns(STDERR_FILENO), &text);
		sm_err_text(&text);
	}
	sm_buf_fini(&why);
	if (err)
		return err == -EINVAL ? SM_EXIT_USAGE : sm_err_exit(err);
	/* If there is no total, the sensors are shown in columns. */
	no_total = r->power.kind == SM_SOURCE_HWMON && !sm_source_has_total(&r->power);
	if (no_total)
		r->opts.domains = true;
	sm_buf_str(&text, "power source: ");
	sm_source_describe(&r->power, &text);
	sm_source_mention_meter(&r->power, "--power=hwmon", &text);
	if (no_total)
		sm_buf_str(&text,
			"; --power=hwmon:LABEL[,LABEL] adds up the sensors with "
			"these labels (see --list)");
	sm_err_text(&text);
	return 0;
}

/* Unless requested, events are counted only if the kernel counts them, at no cost. */
static int open_events(struct run *r)
{
	const struct opts *o = &r->opts;
	bool asked = o->procs || o->redo_procs || o->proc_log;
	int err;

	if (o->no_procs || (!asked && !r->app.root.live))
		return 0;
	err = events_open(&r->events, &r->app.root, o->proc_log);
	if (!err && !asked && !events_in_kernel(r->events)) {
		events_close(r->events);
		r->events = NULL;
	}
	if (!err && r->events)
		events_log_limit(r->events, o->app.limit);
	if (!err || (!asked && err != -ENOMEM))
		return 0;
	sm_err("cannot count fork, exec and exit events: %s (this requires the initial "
	       "user, PID and network namespaces and, before Linux 6.6, CAP_NET_ADMIN)",
		strerror(-err));
	if (!asked)
		return 0;
	return err == -ETIMEDOUT ? SM_EXIT_FEATURE : sm_err_exit(err);
}

/* The original starts at once with -D, which measures RAPL there. */
static bool has_rapl_columns(const struct sm_source *p)
{
	for (p = p->beside; p; p = p->beside)
		if (p->kind == SM_SOURCE_RAPL || p->kind == SM_SOURCE_PERF)
			return true;
	return false;
}

static void decide_times(struct run *r, bool command)
{
	const struct opts *o = &r->opts;
	bool slow = r->power.kind == SM_SOURCE_BATTERY || r->power.kind == SM_SOURCE_NONE;
	uint64_t run_ns = slow ? OTHER_RUN_NS : RAPL_RUN_NS;

	r->interval_ns = o->app.interval_ns;
	if (!r->interval_ns)
		r->interval_ns = slow ? OTHER_INTERVAL_NS : RAPL_INTERVAL_NS;
	if (o->have_start_delay)
		r->start_delay_ns = o->start_delay_ns;
	else if (r->power.kind == SM_SOURCE_BATTERY && !command &&
		 !has_rapl_columns(&r->power))
		r->start_delay_ns = BATTERY_DELAY_NS;
	r->count = o->app.count;
	if (o->app.have_count || command || o->app.duration_ns)
		return;
	if (slow && r->start_delay_ns < run_ns)
		run_ns -= r->start_delay_ns;
	r->count = run_ns / r->interval_ns;
	if (!r->count)
		r->count = 1;
}

static void warn_short(const struct run *r, const char *what, uint64_t ns)
{
	double average_s = (double)sm_source_average_ns(&r->power) * 1e-9;

	if (ns && sm_source_too_short(&r->power, ns))
		sm_err("%s of %g s is too short for a power meter that averages over %g "
		       "s; "
		       "at least %g s are needed",
			what, (double)ns * 1e-9, average_s,
			SM_SOURCE_AVERAGES * average_s);
}

/* The time of COMMAND is known only at the end. */
static void check_average(const struct run *r, bool command)
{
	uint64_t ns = r->opts.app.duration_ns, by_count;

	if (__builtin_mul_overflow(r->count, r->interval_ns, &by_count))
		by_count = 0;
	if (!ns || (by_count && by_count < ns))
		ns = by_count;
	if (!command)
		warn_short(r, "a run", ns);
	warn_short(r, "--baseline", r->opts.idle_ns);
}

static int open_collect(struct run *r)
{
	int err = collect_open(&r->collect, &r->app.root, &r->opts, &r->power, r->events);

	if (!err)
		err = stats_init(&r->stats, &r->collect.columns, r->opts.hist);
	if (!err && r->opts.app.prom)
		err = metrics_init(
			&r->metrics, &r->collect.columns, summary_source(&r->power));
	r->metrics.averaged = sm_source_average_ns(&r->power) > 0;
	if (err)
		sm_err_at("start", err);
	return err ? SM_EXIT_RUNTIME : 0;
}

/* The process log must read names before short-lived processes exit. */
static int watch_events(struct run *r)
{
	int err = 0;

	if (r->opts.proc_log)
		err = sm_loop_add(&r->app.loop, events_fd(r->events), POLLIN, NULL, NULL);
	return err < 0 ? sm_app_refuse("process events", err) : 0;
}

int run_open(void *ctx)
{
	struct run *r = ctx;
	bool command = r->app.command != NULL;
	int code;

	view_init(&r->view, &r->opts, &r->app.outputs);
	code = open_power(r);
	if (!code)
		code = open_events(r);
	if (code)
		return code;
	decide_times(r, command);
	if (r->count && r->count < FEW_SAMPLES && !command)
		sm_err("%llu %s too few for meaningful statistics",
			(unsigned long long)r->count,
			r->count == 1 ? "sample is" : "samples are");
	check_average(r, command);
	code = watch_events(r);
	return code ? code : open_collect(r);
}
