// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <string.h>

#include "cli/app_rows.h"
#include "columns.h"
#include "out/histogram.h"
#include "out/rank.h"
#include "values.h"
#include "wakeview.h"

#define CPU_LINES  16
#define WHAT_BYTES 128

/* What the rows of a table have in common. */
struct rows {
	uint64_t t_ns, wall_ns, dt_ns;
	uint64_t all; /* wake-ups of which they are a share */
};

/* --- a row ---------------------------------------------------------------------------
 */

static double share(uint64_t n, uint64_t all)
{
	return all ? 100.0 * (double)n / (double)all : 0;
}

/* NAN: without wake-ups. */
static double mean_s(uint64_t slept_ns, uint64_t wakeups)
{
	return (double)slept_ns / 1e9 / (double)wakeups;
}

static void put_counts(const struct view *v, const struct rows *r, const struct wakeup *w,
	bool human, struct sm_value *val)
{
	uint64_t n = w->who.now.starts;

	val[C_DT] = sm_value_duration(r->dt_ns);
	val[C_WOKEN] = sm_value_u64(n);
	val[C_WOKEN_RATE] = sm_value_double(values_per_second(n, r->dt_ns));
	if (human && v->opts->cumulative)
		val[C_WOKEN_RATE] = sm_value_u64(w->who.total.starts);
	val[C_SHARE] = sm_value_double(share(n, r->all));
	val[C_SLEPT] = sm_value_duration(w->slept_ns);
	val[C_SLEPT_MEAN] = sm_value_double(mean_s(w->slept_ns, n));
}

static struct sm_value name_of(
	const struct opts *o, const struct wakeup *w, struct values_text *text)
{
	if (wakeup_has_sender(w->cause) && w->who.tid == 0)
		return sm_value_str("(interrupt)");
	if (!wakeup_has_task(w))
		return (struct sm_value){0};
	return values_name(values_form(o), &w->who, text);
}

/* "24 virtio0-input.0": the number may be all that is known. */
static struct sm_value device_of(const struct wakeup *w, char *what)
{
	int n = 0;

	if (w->cause == SM_WAKE_IRQ)
		n = snprintf(what, WHAT_BYTES, "%llu %s", (unsigned long long)w->id,
			w->device);
	else if (w->device[0])
		n = snprintf(what, WHAT_BYTES, "%s", w->device);
	else if (w->id)
		n = snprintf(what, WHAT_BYTES, "0x%llx", (unsigned long long)w->id);
	while (n > 0 && what[n - 1] == ' ')
		n--;
	return n ? sm_value_text(what, (size_t)n) : (struct sm_value){0};
}

static bool has_device(uint32_t cause)
{
	return cause == SM_WAKE_IRQ || cause == SM_WAKE_VECTOR || cause == SM_WAKE_CLOCK;
}

static void put_device(
	const struct wakeup *w, bool human, char *what, struct sm_value *val)
{
	if (!has_device(w->cause))
		return;
	if (human) {
		val[C_WHAT] = device_of(w, what);
		return;
	}
	if (w->cause == SM_WAKE_IRQ)
		val[C_IRQ] = sm_value_u64(w->id);
	if (w->device[0])
		val[C_DEVICE] = sm_value_text(w->device, strlen(w->device));
}

static void row(const struct view *v, struct sm_table *out, const struct rows *r,
	const struct wakeup *w)
{
	bool human = out->format == SM_FORMAT_TABLE;
	char what[WHAT_BYTES];
	struct values_text text;
	struct sm_value val[C_N];

	memset(val, 0, sizeof(val));
	val[C_TIME] = sm_value_time(r->wall_ns);
	val[C_MONO] = sm_value_u64(r->t_ns);
	put_counts(v, r, w, human, val);
	if (wakeup_has_task(w) || w->who.tid == 0)
		values_task(&w->who, val);
	if (!wakeup_has_task(w))
		val[C_KTHREAD] = (struct sm_value){0};
	val[C_MEMBERS] = sm_value_u64(w->who.members);
	val[C_TASK] = name_of(v->opts, w, &text);
	if (w->cause != WAKEUP_SEVERAL)
		val[C_CAUSE] = sm_value_str(wakeup_cause_name(w->cause));
	val[C_FUNC] = val[C_WHAT] = values_func(&w->who, &text);
	put_device(w, human, what, val);
	sm_table_row(out, val);
}

/* --- totals --------------------------------------------------------------------------
 */

static void put_rate(struct sm_buf *b, const char *before, uint64_t n, uint64_t dt_ns)
{
	sm_buf_str(b, before);
	sm_buf_double(b, values_per_second(n, dt_ns), 2);
}

static uint64_t of_causes(const struct wake_sample *s, unsigned int causes)
{
	uint64_t sum = 0;

	for (unsigned int i = 0; i < SM_WAKE_CAUSES; i++)
		if (causes & 1u << i)
			sum += s->by_cause[i].wakeups;
	return sum;
}

static void total_lines(const struct wake_sample *s, struct sm_buf *b)
{
	const unsigned int timers = 1u << SM_WAKE_HRTIMER | 1u << SM_WAKE_WHEEL;
	const unsigned int cpus =
		1u << SM_WAKE_CALL | 1u << SM_WAKE_RESCHEDULE | 1u << SM_WAKE_FLAG;
	uint64_t n = s->all.sum.wakeups;

	sm_buf_u64(b, n);
	put_rate(b, " Total wake-ups, ", n, s->dt_ns);
	put_rate(b, " wake-ups/sec\nunknown: ", s->all.unknown, s->dt_ns);
	put_rate(b, ", timers: ", of_causes(s, timers), s->dt_ns);
	put_rate(b, ", devices: ", of_causes(s, 1u << SM_WAKE_IRQ), s->dt_ns);
	put_rate(b, ", other CPUs: ", of_causes(s, cpus), s->dt_ns);
	sm_buf_str(b, "\n");
	if (s->no_room) {
		sm_buf_str(b, "Without their task, for want of counters: ");
		sm_buf_u64(b, s->no_room);
		sm_buf_str(b, " wake-ups\n");
	}
}

struct cpu_line {
	unsigned int cpu;
	struct sm_wake_sum sum;
};

static int compare_most(const void *a, const void *b, void *ctx)
{
	const struct cpu_line *x = a, *y = b;

	(void)ctx;
	if (x->sum.wakeups != y->sum.wakeups)
		return x->sum.wakeups > y->sum.wakeups ? -1 : 1;
	return (x->cpu > y->cpu) - (x->cpu < y->cpu);
}

static int compare_numbers(const void *a, const void *b, void *ctx)
{
	const struct cpu_line *x = a, *y = b;

	(void)ctx;
	return (x->cpu > y->cpu) - (x->cpu < y->cpu);
}

/* Replaces the last line if there are as many already and it was woken less. */
static size_t add_line(struct cpu_line *line, size_t n, const struct cpu_line *new)
{
	line[n] = *new;
	if (n < CPU_LINES)
		return n + 1;
	sm_rank_first(line, n + 1, sizeof(*line), n, compare_most, NULL);
	return n;
}

static void cpu_lines(const struct wake_sample *s, struct sm_buf *b)
{
	struct cpu_line line[CPU_LINES + 1];
	size_t n = 0, woken = 0;

	for (unsigned int i = 0; i < s->cpus; i++) {
		const struct cpu_line new = {i, s->cpu[i].sum};

		if (!new.sum.wakeups)
			continue;
		woken++;
		n = add_line(line, n, &new);
	}
	sm_rank_first(line, n, sizeof(*line), n, compare_numbers, NULL);
	if (n)
		sm_buf_str(b, "  CPU Wakeup/s  Slept ms\n");
	for (size_t i = 0; i < n; i++) {
		sm_buf_printf(b, "%5u ", line[i].cpu);
		sm_buf_double_right(
			b, values_per_second(line[i].sum.wakeups, s->dt_ns), 2, 8);
		sm_buf_chr(b, ' ');
		sm_buf_double_right(
			b, 1e3 * mean_s(line[i].sum.slept_ns, line[i].sum.wakeups), 3, 9);
		sm_buf_chr(b, '\n');
	}
	if (woken > n)
		sm_buf_printf(b, "%5zu CPUs more\n", woken - n);
}

static void text_below(struct view *v, struct sm_table *out, const struct wake_sample *s)
{
	struct sm_buf *b = &v->text;

	sm_buf_reset(b);
	total_lines(s, b);
	if (!v->opts->brief)
		cpu_lines(s, b);
	if (!v->opts->app.no_header)
		sm_buf_chr(b, '\n');
	sm_table_text(out, b, 0);
}

/* --- JSON ----------------------------------------------------------------------------
 */

static void json_sums(struct sm_json *j, const struct wake_cpu *c)
{
	sm_json_u64(j, "wakeups", c->sum.wakeups);
	sm_json_u64(j, "idle_exits", c->exits);
	sm_json_u64(j, "unknown", c->unknown);
	sm_json_seconds(j, "slept_s", c->sum.slept_ns);
}

static void json_causes(struct sm_json *j, const struct wake_sample *s)
{
	sm_json_object(j, "causes");
	for (unsigned int i = 0; i < SM_WAKE_CAUSES; i++)
		sm_json_u64(j, wakeup_cause_name(i), s->by_cause[i].wakeups);
	sm_json_end(j);
}

/* Those that were woken, or have left idle. */
static void json_cpus(struct sm_json *j, const struct wake_sample *s)
{
	sm_json_array(j, "cpus");
	for (unsigned int i = 0; i < s->cpus; i++) {
		const struct wake_cpu *c = &s->cpu[i];

		if (!c->sum.wakeups && !c->exits)
			continue;
		sm_json_object(j, NULL);
		sm_json_u64(j, "cpu", i);
		json_sums(j, c);
		sm_json_end(j);
	}
	sm_json_end(j);
}

static void sample_record(const struct view *v, struct sm_table *out,
	const struct wake_sample *s, size_t n, size_t shown)
{
	struct sm_json j;

	sm_table_record(out, &j, "wakeup_sample", s->wall_ns);
	sm_json_u64(&j, "mono_ns", s->t_ns);
	sm_json_seconds(&j, "dt_s", s->dt_ns);
	sm_json_u64(&j, "sample", v->samples);
	sm_json_bool(&j, "partial", s->partial);
	sm_json_u64(&j, "matched", n);
	sm_json_u64(&j, "shown", shown);
	json_sums(&j, &s->all);
	json_causes(&j, s);
	json_cpus(&j, s);
	sm_json_u64(&j, "without_counter", s->no_room);
	sm_json_u64(&j, "lost_rows", sm_outputs_dropped(&v->app->outputs));
	sm_table_record_end(out, &j, 1);
}

/* --- all of it -----------------------------------------------------------------------
 */

void wakeview_sample(struct view *v, const struct wake_sample *s,
	const struct wakeup *rows, size_t n, size_t shown)
{
	const struct rows r = {s->t_ns, s->wall_ns, s->dt_ns, s->all.sum.wakeups};

	v->samples++;
	v->app->rows += shown;
	for (unsigned int i = 0; i < v->app->outputs.n; i++) {
		struct sm_table *out = &v->app->outputs.out[i];
		bool human = out->format == SM_FORMAT_TABLE;

		out->time.wall_offset_ns = (int64_t)(s->wall_ns - s->t_ns);
		if (human && v->opts->app.quiet)
			continue;
		if (human && v->samples > 1) /* the first one is there from the start */
			sm_table_header(out);
		for (size_t k = 0; k < shown; k++)
			row(v, out, &r, &rows[k]);
		if (human)
			text_below(v, out, s);
		else if (out->format == SM_FORMAT_JSON)
			sample_record(v, out, s, n, shown);
	}
}

static void totals_title(struct view *v, struct sm_table *out, uint64_t span_ns)
{
	sm_buf_reset(&v->text);
	sm_buf_str(&v->text, "Total of ");
	sm_buf_u64(&v->text, v->samples);
	sm_buf_str(&v->text, " samples, ");
	sm_buf_double(&v->text, (double)span_ns / 1e9, 1);
	sm_buf_str(&v->text, " seconds:\n");
	sm_table_text(out, &v->text, 0);
}

void wakeview_totals(struct view *v, const struct wake_sample *last,
	const struct wakeup *rows, size_t n, uint64_t span_ns, uint64_t all)
{
	const struct rows r = {last->t_ns, last->wall_ns, span_ns, all};

	for (unsigned int i = 0; i < v->app->outputs.n; i++) {
		struct sm_table *out = &v->app->outputs.out[i];
		const char *record = out->record;

		if (out->format == SM_FORMAT_CSV)
			continue;
		if (out->format == SM_FORMAT_TABLE) {
			totals_title(v, out, span_ns);
			sm_table_header(out);
		}
		out->record = "wakeup_total";
		for (size_t k = 0; k < n; k++)
			row(v, out, &r, &rows[k]);
		out->record = record;
	}
}

/* Bucket 0 begins at 0; the last one has no end. */
static void make_bins(const uint64_t *sleeps, struct sm_timebin *bin)
{
	for (unsigned int i = 0; i < SM_WAKE_BUCKETS; i++)
		bin[i] = (struct sm_timebin){i ? UINT64_C(512) << i : 0,
			i + 1 < SM_WAKE_BUCKETS ? UINT64_C(1024) << i : UINT64_MAX,
			sleeps[i]};
}

void wakeview_sleeps(struct view *v, const struct wake_sample *last)
{
	struct sm_timebin bin[SM_WAKE_BUCKETS];
	struct sm_json j;

	make_bins(last->sleeps, bin);
	sm_buf_reset(&v->text);
	sm_histogram_times(bin, SM_WAKE_BUCKETS, "sleeps of CPUs", &v->text);
	for (unsigned int i = 0; i < v->app->outputs.n; i++) {
		struct sm_table *out = &v->app->outputs.out[i];

		if (out->format == SM_FORMAT_TABLE)
			sm_table_text(out, &v->text, 0);
		if (out->format != SM_FORMAT_JSON)
			continue;
		sm_table_record(out, &j, "sleeps", last->wall_ns);
		sm_histogram_times_json(bin, SM_WAKE_BUCKETS, &j);
		sm_table_record_end(out, &j, 1);
	}
}
