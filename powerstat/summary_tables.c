// SPDX-License-Identifier: GPL-2.0-or-later
/* The tables at the end of the summary: idle states and histograms. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "format/histogram.h"
#include "summary.h"

/* --- idle states ------------------------------------------------------------------- */

static double percent(uint64_t part_us, uint64_t of_us)
{
	return 100.0 * (double)part_us / (double)of_us;
}

enum { S_NAME, S_RESIDENT, S_COUNT, S_LATENCY, S_N };

static const struct sm_column state_columns[S_N] = {
	[S_NAME] = {.head = "C-State", .width = 10, .align = SM_ALIGN_LEFT},
	[S_RESIDENT] = {.head = "Resident",
		.width = 8,
		.align = SM_ALIGN_RIGHT,
		.decimals = 3,
		.unit = "%"},
	[S_COUNT] = {.head = "Count",
		.width = 10,
		.align = SM_ALIGN_RIGHT,
		.flags = SM_COLUMN_BLANK},
	[S_LATENCY] = {.head = "Latency",
		.width = 7,
		.align = SM_ALIGN_RIGHT,
		.flags = SM_COLUMN_BLANK},
};

/* Prints the deepest state first, like the original; C0 is the time outside all states.
 */
static void state_rows(const struct sm_cpuidle *c, struct sm_table *rows)
{
	struct sm_value val[S_N] = {0};
	uint64_t idle_us = 0;

	for (unsigned int i = c->nstates; i-- > 0;) {
		const struct sm_cpuidle_state *st = &c->state[i];

		val[S_NAME] =
			sm_value_text(st->name, strnlen(st->name, sizeof(st->name)));
		val[S_RESIDENT] = sm_value_double(percent(st->time_us, c->covered_us));
		val[S_COUNT] = sm_value_u64(st->usage);
		val[S_LATENCY] = sm_value_u64(st->latency_us);
		sm_table_row(rows, val);
		idle_us += st->time_us;
	}
	idle_us = idle_us < c->covered_us ? idle_us : c->covered_us;
	val[S_NAME] = sm_value_str("C0");
	val[S_RESIDENT] =
		sm_value_double(percent(c->covered_us - idle_us, c->covered_us));
	val[S_COUNT] = val[S_LATENCY] = (struct sm_value){0};
	sm_table_row(rows, val);
}

void summary_idle_states(const struct summary *s, struct sm_buf *b)
{
	const struct sm_cpuidle *c = s->idle;
	struct sm_table rows;

	if (!s->opts->cstates || !c)
		return;
	if (!c->covered_us) {
		sm_buf_str(b, "Note: C-States: no interval could be read.\n");
		return;
	}
	sm_table_init(&rows, SM_FORMAT_TABLE, state_columns, S_N, NULL, NULL);
	rows.text_flags = SM_TEXT_UTF8;
	state_rows(c, &rows);
	sm_buf_chr(b, '\n');
	sm_buf_add(b, rows.row.p, rows.row.len);
	if (sm_buf_error(&rows.row))
		b->err = sm_buf_error(&rows.row);
	sm_table_fini(&rows);
}

/* --- histograms -------------------------------------------------------------------- */

static void thermal_histogram(const struct summary *s, unsigned int i, struct sm_buf *b)
{
	const char *head = s->columns->list.col[s->columns->thermal0 + i].head;
	struct sm_buf title = {0}, of = {0};

	sm_buf_str(&of, "thermal zone ");
	sm_buf_str(&of, head);
	sm_buf_add(&title, of.p, of.len);
	sm_buf_str(&title, " readings");
	sm_buf_chr(&title, '\0');
	sm_buf_chr(&of, '\0');
	if (!sm_buf_error(&title) && !sm_buf_error(&of))
		sm_histogram_bars(&(struct sm_histogram){title.p, of.p, "C",
					  1 / HIST_SCALE_THERMAL},
			&s->stats->hist[HIST_THERMAL0 + i], b);
	sm_buf_fini(&title);
	sm_buf_fini(&of);
}

void summary_histograms(const struct summary *s, struct sm_buf *b)
{
	static const struct sm_histogram power = {"power measurements",
		"power measurements", "Watts", 1 / HIST_SCALE_POWER};
	static const struct sm_histogram cpu = {"CPU utilization measurements",
		"CPU utilization", "%CPU", 1 / HIST_SCALE_CPU};
	static const struct sm_histogram freq = {"CPU average frequencies",
		"CPU average frequencies", "GHz", 1e-6 / HIST_SCALE_FREQ};

	if (!s->stats->hist)
		return;
	if (summary_measured(s))
		sm_histogram_bars(&power, &s->stats->hist[HIST_POWER], b);
	sm_histogram_bars(&cpu, &s->stats->hist[HIST_CPU], b);
	if (s->columns->nfreq)
		sm_histogram_bars(&freq, &s->stats->hist[HIST_FREQ], b);
	for (unsigned int i = 0; i < s->columns->nthermal; i++)
		thermal_histogram(s, i, b);
}
