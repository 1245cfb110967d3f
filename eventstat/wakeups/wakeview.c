// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "format/histogram.h"
#include "format/rank.h"
#include "wakeview.h"

#define CPU_LINES 16

/* --- the text below the rows ---------------------------------------------- */

static uint64_t of_causes(const struct sample *s, unsigned int causes)
{
	uint64_t sum = 0;

	for (unsigned int i = 0; i < SM_WAKE_CAUSES; i++)
		if (causes & 1u << i)
			sum += s->woken.by_cause[i].wakeups;
	return sum;
}

static void total_lines(struct view *v, const struct sample *s)
{
	struct sm_buf *b = &v->text;
	const unsigned int timers = 1u << SM_WAKE_HRTIMER | 1u << SM_WAKE_WHEEL;
	const unsigned int cpus =
		1u << SM_WAKE_CALL | 1u << SM_WAKE_RESCHEDULE | 1u << SM_WAKE_FLAG;
	uint64_t n = s->woken.all.sum.wakeups;

	sm_buf_u64(b, n);
	view_put_rate(v, " Total wakeups, ", n, s->dt_ns);
	view_put_rate(v, " wakeups/sec\nunknown: ", s->woken.all.unknown, s->dt_ns);
	view_put_rate(v, ", timers: ", of_causes(s, timers), s->dt_ns);
	view_put_rate(v, ", devices: ", of_causes(s, 1u << SM_WAKE_IRQ), s->dt_ns);
	view_put_rate(v, ", other CPUs: ", of_causes(s, cpus), s->dt_ns);
	sm_buf_str(b, "\n");
	if (s->woken.no_room) {
		sm_buf_str(b, "Counted without their task, for lack of room: ");
		sm_buf_u64(b, s->woken.no_room);
		sm_buf_str(b, " wakeups\n");
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

/* Appends a line; if there are CPU_LINES lines, the CPU that was woken least is dropped.
 */
static size_t add_line(struct cpu_line *line, size_t n, const struct cpu_line *new)
{
	line[n] = *new;
	if (n < CPU_LINES)
		return n + 1;
	sm_rank_first(line, n + 1, sizeof(*line), n, compare_most, NULL);
	return n;
}

static void cpu_lines(const struct sample *s, struct sm_buf *b)
{
	struct cpu_line line[CPU_LINES + 1];
	size_t n = 0, woken = 0;

	for (unsigned int i = 0; i < s->woken.cpus; i++) {
		const struct cpu_line new = {i, s->woken.cpu[i].sum};

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
		sm_buf_double_right(b,
			1e3 * values_mean_sleep_s(
				      line[i].sum.slept_ns, line[i].sum.wakeups),
			3, 9);
		sm_buf_chr(b, '\n');
	}
	if (woken > n)
		sm_buf_printf(b, "%5zu more CPUs\n", woken - n);
}

void wakeview_put_totals(struct view *v, const struct sample *s)
{
	total_lines(v, s);
	if (!v->opts->brief)
		cpu_lines(s, &v->text);
	view_put_end(v, s);
}

/* --- JSON ----------------------------------------------------------------- */

static void json_sums(struct sm_json *j, const struct wake_cpu *c)
{
	sm_json_u64(j, "wakeups", c->sum.wakeups);
	sm_json_u64(j, "idle_exits", c->exits);
	sm_json_u64(j, "unknown", c->unknown);
	sm_json_seconds(j, "slept_s", c->sum.slept_ns);
}

static void json_causes(struct sm_json *j, const struct sample *s)
{
	sm_json_object(j, "causes");
	for (unsigned int i = 0; i < SM_WAKE_CAUSES; i++)
		sm_json_u64(j, event_cause_name(i), s->woken.by_cause[i].wakeups);
	sm_json_end(j);
}

/* Writes the CPUs that were woken, or have left idle. */
static void json_cpus(struct sm_json *j, const struct sample *s)
{
	sm_json_array(j, "cpus");
	for (unsigned int i = 0; i < s->woken.cpus; i++) {
		const struct wake_cpu *c = &s->woken.cpu[i];

		if (!c->sum.wakeups && !c->exits)
			continue;
		sm_json_object(j, NULL);
		sm_json_u64(j, "cpu", i);
		json_sums(j, c);
		sm_json_end(j);
	}
	sm_json_end(j);
}

void wakeview_json(struct sm_json *j, const struct sample *s)
{
	json_sums(j, &s->woken.all);
	json_causes(j, s);
	json_cpus(j, s);
	sm_json_u64(j, "without_task", s->woken.no_room);
}

/* --- lengths of idle periods ---------------------------------------------- */

/* Bucket 0 begins at 0; the last one is unbounded. */
static void make_bins(const uint64_t *sleeps, struct sm_timebin *bin)
{
	for (unsigned int i = 0; i < SM_WAKE_BUCKETS; i++)
		bin[i] = (struct sm_timebin){i ? UINT64_C(512) << i : 0,
			i + 1 < SM_WAKE_BUCKETS ? UINT64_C(1024) << i : UINT64_MAX,
			sleeps[i]};
}

void wakeview_sleeps(struct view *v, const struct sample *last)
{
	struct sm_timebin bin[SM_WAKE_BUCKETS];
	struct sm_json j;

	make_bins(last->woken.sleeps, bin);
	sm_buf_reset(&v->text);
	sm_histogram_times(bin, SM_WAKE_BUCKETS, "idle periods", &v->text);
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
