// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/text.h"
#include "cli/app_rows.h"
#include "cli/tty.h"

static unsigned int decimals(const struct sm_app_opts *o)
{
	/* Whole seconds would give rows of a fast run equal times. */
	return o->interval_ns % SM_NSEC_PER_SEC ? 3 : 0;
}

static void fit(struct sm_table *t)
{
	unsigned int columns, rows;

	if (t->format != SM_FORMAT_TABLE || sm_tty_size(t->sink->fd, &columns, &rows) < 0)
		return;
	t->text_flags = sm_tty_utf8() ? SM_TEXT_UTF8 : 0;
	sm_table_terminal(t, columns, rows, true);
}

void sm_app_rows_set_up(const struct sm_app *a, struct sm_table *t, unsigned int time)
{
	sm_table_set_time(
		t, time, (enum sm_time_style)a->opts->time_style, decimals(a->opts));
	t->time.wall_offset_ns = sm_clock_wall_offset_ns();
	t->no_header = a->opts->no_header;
	t->text_flags = SM_TEXT_UTF8;
	fit(t);
}

void sm_app_rows_resized(struct sm_app *a)
{
	for (unsigned int i = 0; i < a->outputs.n; i++)
		fit(&a->outputs.out[i]);
}

static void put_header_record(const struct sm_app *a, struct sm_table *t)
{
	const struct sm_opt_spec *spec = a->tool->spec();
	char boot_id[SM_BOOT_ID_SIZE];
	struct sm_json j;

	sm_root_boot_id(&a->root, boot_id);
	sm_table_record_header(
		t, &j, spec->tool, spec->version, boot_id, sm_clock_ns(CLOCK_REALTIME));
	if (a->source)
		sm_json_str(&j, "source", a->source);
	if (a->tool->header)
		a->tool->header(a->ctx, &j);
	sm_table_record_end(t, &j, 0);
}

void sm_app_rows_begin(struct sm_app *a)
{
	for (unsigned int i = 0; i < a->outputs.n; i++) {
		struct sm_table *t = &a->outputs.out[i];

		if (t->format == SM_FORMAT_JSON)
			put_header_record(a, t);
		if (!a->opts->quiet || t->format != SM_FORMAT_TABLE)
			sm_table_header(t);
	}
}

void sm_app_rows_put(struct sm_app *a, const struct sm_value *vals)
{
	a->rows++;
	for (unsigned int i = 0; i < a->outputs.n; i++)
		if (!a->opts->quiet || a->outputs.out[i].format != SM_FORMAT_TABLE)
			sm_table_row(&a->outputs.out[i], vals);
}

void sm_app_rows_sample(struct sm_app *a, struct sm_value *vals, uint64_t now_ns)
{
	vals[SM_APP_TIME] = sm_value_time(sm_app_rows_wall_ns(now_ns));
	vals[SM_APP_MONO] = sm_value_u64(now_ns);
	vals[SM_APP_DT] = sm_value_duration(now_ns - a->sampled_ns);
	a->sampled_ns = now_ns;
	sm_app_rows_put(a, vals);
	sm_app_rows_count(a, a->rows);
}

void sm_app_rows_summary(struct sm_app *a)
{
	uint64_t lost = sm_outputs_dropped(&a->outputs);
	struct sm_buf text = {0};
	struct sm_json j;

	sm_buf_printf(&text, "%llu rows, %llu lost\n", (unsigned long long)a->rows,
		(unsigned long long)lost);
	for (unsigned int i = 0; i < a->outputs.n; i++) {
		struct sm_table *t = &a->outputs.out[i];

		if (a->opts->summary)
			sm_table_text(t, &text, 1);
		if (t->format != SM_FORMAT_JSON)
			continue;
		sm_table_record(
			t, &j, "summary", sm_app_rows_wall_ns(sm_clock_mono_ns()));
		sm_json_u64(&j, "rows", a->rows);
		sm_json_u64(&j, "lost_rows", lost);
		sm_table_record_end(t, &j, 1);
	}
	sm_buf_fini(&text);
}

uint64_t sm_app_rows_wall_ns(uint64_t now_ns)
{
	return now_ns + (uint64_t)sm_clock_wall_offset_ns();
}

void sm_app_rows_count(struct sm_app *a, uint64_t shown)
{
	if (a->opts->count && shown >= a->opts->count)
		a->stop = true;
}
