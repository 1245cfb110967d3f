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

static int must_be(struct sm_buf *why, const char *value, const char *rule)
{
	return sm_opt_must_be(why, (struct sm_str){value, strlen(value)}, rule);
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
	return o->count_min ? "a whole number of at least 1"
			    : "a whole number; 0 means no limit";
}

int sm_app_opts_count(void *cfg, const char *arg, struct sm_buf *why)
{
	struct sm_app_opts *o = cfg;

	o->have_count = parse_count(o, arg, &o->count);
	return o->have_count ? 0 : must_be(why, arg, count_rule(o));
}

int sm_app_opts_realtime(void *cfg, const char *arg, struct sm_buf *why)
{
	struct sm_app_opts *o = cfg;

	o->realtime = true;
	o->priority = SM_REALTIME_PRIORITY;
	if (!arg || (sm_units_u64(arg, &o->priority) == 0 && o->priority >= 1 &&
			    o->priority <= 99))
		return 0;
	return must_be(why, arg, "from 1 to 99");
}

int sm_app_opts_operand(
	void *cfg, unsigned int index, const char *arg, struct sm_buf *why)
{
	struct sm_app_opts *o = cfg;

	if (index == 1) {
		o->have_times = parse_count(o, arg, &o->times);
		if (o->have_times)
			return 0;
		sm_buf_printf(why, "COUNT must be %s", count_rule(o));
		return -EINVAL;
	}
	if (index > 1)
		return refuse(why, "only DELAY and COUNT are accepted");
	if (sm_units_duration_ns(arg, &o->delay_ns) == 0 &&
		o->delay_ns >= o->interval_min_ns && o->delay_ns <= SM_APP_DAY_NS)
		return 0;
	sm_buf_printf(why, "DELAY must be from %g seconds to 1d",
		(double)o->interval_min_ns / 1e9);
	return -EINVAL;
}

static int take_times(struct sm_app_opts *o, struct sm_buf *why)
{
	if (o->asked_interval_ns && o->delay_ns)
		return sm_opt_conflict(why, "--interval", "DELAY");
	if (o->have_count && o->have_times)
		return sm_opt_conflict(why, "--count", "COUNT");
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
			"--json and --csv cannot both write to standard output; use "
			"--json=FILE or --csv=FILE");
	if (screen && (o->json.here || o->csv.here)) {
		sm_buf_printf(why, "%s needs the terminal; use --json=FILE or --csv=FILE",
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
		err = sm_opt_conflict(why, "--drop-to", "--keep-privileges");
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
