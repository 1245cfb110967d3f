// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <string.h>

#include "base/units.h"
#include "cli/app_opts.h"

#define OWN_FILES_MAX 4

static int refuse(struct sm_buf *why, const char *text)
{
	sm_buf_str(why, text);
	return -EINVAL;
}

/* A value of an option; the parser sanitises *why. */
static int refuse_value(struct sm_buf *why, const char *value, const char *text)
{
	sm_buf_printf(why, "'%s': ", value);
	return refuse(why, text);
}

int sm_app_opts_timestamp(void *cfg, const char *arg, struct sm_buf *why)
{
	struct sm_app_opts *o = cfg;

	o->time_given = true;
	return sm_opt_time_style(arg ? arg : "iso", &o->time_style, why);
}

static bool parse_count(const struct sm_app_opts *o, const char *arg, uint64_t *count)
{
	return sm_units_u64(arg, count) == 0 && *count >= o->count_min;
}

static const char *count_rule(const struct sm_app_opts *o)
{
	return o->count_min ? "the count is a whole number from 1"
			    : "the count is a whole number; 0 runs until interrupted";
}

int sm_app_opts_count(void *cfg, const char *arg, struct sm_buf *why)
{
	struct sm_app_opts *o = cfg;

	o->have_count = parse_count(o, arg, &o->count);
	return o->have_count ? 0 : refuse_value(why, arg, count_rule(o));
}

int sm_app_opts_realtime(void *cfg, const char *arg, struct sm_buf *why)
{
	struct sm_app_opts *o = cfg;

	o->realtime = true;
	o->priority = SM_REALTIME_PRIORITY;
	if (!arg || (sm_units_u64(arg, &o->priority) == 0 && o->priority >= 1 &&
			    o->priority <= 99))
		return 0;
	return refuse_value(why, arg, "the real-time priority is 1 to 99");
}

int sm_app_opts_operand(
	void *cfg, unsigned int index, const char *arg, struct sm_buf *why)
{
	struct sm_app_opts *o = cfg;

	if (index == 1) {
		o->have_times = parse_count(o, arg, &o->times);
		return o->have_times ? 0 : refuse(why, count_rule(o));
	}
	if (index > 1)
		return refuse(why, "only DELAY and COUNT are taken");
	if (sm_units_duration_ns(arg, &o->delay_ns) == 0 &&
		o->delay_ns >= o->interval_min_ns && o->delay_ns <= SM_APP_DAY_NS)
		return 0;
	sm_buf_printf(
		why, "the delay is %g seconds to 1d", (double)o->interval_min_ns / 1e9);
	return -EINVAL;
}

static int take_times(struct sm_app_opts *o, struct sm_buf *why)
{
	if (o->asked_interval_ns && o->delay_ns)
		return refuse(why,
			"--interval and DELAY are the same; only one of them can "
			"be given");
	if (o->have_count && o->have_times)
		return refuse(why,
			"--count and COUNT are the same; only one of them can be "
			"given");
	if (o->asked_interval_ns || o->delay_ns)
		o->interval_ns = o->asked_interval_ns + o->delay_ns;
	if (o->have_times)
		o->count = o->times;
	o->have_count |= o->have_times;
	return 0;
}

static int check_stdout(
	const struct sm_app_opts *o, const char *screen, struct sm_buf *why)
{
	if (o->json.here && o->csv.here)
		return refuse(why,
			"--json and --csv both want the standard output; give one a "
			"=FILE");
	if (screen && (o->json.here || o->csv.here)) {
		sm_buf_printf(why, "%s needs the terminal; give --json or --csv a =FILE",
			screen);
		return -EINVAL;
	}
	return 0;
}

int sm_app_opts_check(struct sm_app_opts *o, const struct sm_opt_file *own, size_t nown,
	const char *screen, struct sm_buf *why)
{
	struct sm_opt_file files[4 + OWN_FILES_MAX] = {
		{"--json", o->json.file, SM_OPT_STDOUT_TO},
		{"--csv", o->csv.file, SM_OPT_STDOUT_TO},
		{"--prom", o->prom, NULL},
		{"--output", o->output, SM_OPT_STDOUT_OUTPUT},
	};
	int err = take_times(o, why);

	if (!err && o->drop_to && o->keep_privileges)
		err = refuse(why, "--drop-to and --keep-privileges exclude each other");
	if (!err)
		err = check_stdout(o, screen, why);
	if (err)
		return err;
	for (size_t i = 0; i < nown && i < OWN_FILES_MAX; i++)
		files[4 + i] = own[i];
	return sm_opt_files(files, 4 + nown, why);
}

int sm_app_opts_finish(void *cfg, struct sm_buf *why)
{
	return sm_app_opts_check(cfg, NULL, 0, NULL, why);
}
