// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <string.h>

#include "histogram.h"
#include "summary.h"
#include "text.h"

const char *summary_kind(enum ps_kind kind)
{
	static const char *const names[PS_KINDS] = {[PS_MEASURED] = "measured",
		[PS_GAUGE_RATE] = "gauge_rate",
		[PS_LEVEL] = "level",
		[PS_ESTIMATE] = "estimate",
		[PS_ABSENT] = "absent"};

	return names[kind < PS_KINDS ? kind : PS_ABSENT];
}

const char *summary_source(const struct power *p)
{
	switch (p ? p->source : PS_NONE) {
	case PS_BATTERY:
		return "battery";
	case PS_RAPL:
		return "rapl";
	case PS_PERF:
		return "perf";
	case PS_HWMON:
		return "hwmon";
	default:
		return "none";
	}
}

static void seconds(struct sm_buf *b, uint64_t ns)
{
	sm_buf_fixed(b, (ns + SM_NSEC_PER_SEC / 20) / (SM_NSEC_PER_SEC / 10), 1);
	sm_buf_str(b, " seconds");
}

static void label(struct sm_buf *b, const char *s)
{
	sm_text_human(b, s, strlen(s), SM_TEXT_UTF8);
}

/* " 28.50", as %6.2f. */
static void watts(struct sm_buf *b, double w)
{
	char text[48];
	struct sm_buf n = {.p = text, .cap = sizeof(text)};

	if (!(fabs(w) < 1e18)) {
		sm_buf_double(b, w, 2);
		return;
	}
	sm_buf_double(&n, w, 2);
	sm_buf_fill(b, ' ', n.len < 6 ? 6 - n.len : 0);
	sm_buf_add(b, n.p, n.len);
}

/* --- the figure -------------------------------------------------------------------- */

/* With -z there may be a source that is none. */
static bool measured(const struct summary *s)
{
	return s->power && s->power->source != PS_NONE;
}

static bool of_processor(const struct power *p)
{
	return p && (p->source == PS_RAPL || p->source == PS_PERF) &&
	       p->opts->total != SM_RAPL_TOTAL_PSYS;
}

static void figure(const struct summary *s, struct sm_buf *b)
{
	double mean = ps_stats_get(s->stats, PS_WATTS, PS_STAT_AVERAGE);
	double estimate = ps_stats_estimate_w(s->stats);

	sm_buf_str(b, of_processor(s->power) ? "CPU: " : "System: ");
	if (isfinite(mean)) {
		watts(b, mean);
		sm_buf_str(b, " Watts on average with standard deviation ");
		sm_buf_double(b, ps_stats_get(s->stats, PS_WATTS, PS_STAT_STDDEV), 2);
	} else if (isfinite(estimate)) {
		watts(b, estimate);
		sm_buf_str(b, " Watts on average, an estimate over the whole run");
	} else {
		sm_buf_str(b, measured(s) ? "no figure of the power could be had"
					  : "the power was not measured");
	}
	sm_buf_chr(b, '\n');
}

static void energy(const struct summary *s, struct sm_buf *b)
{
	uint64_t covered_ns;
	double joules = ps_stats_joules(s->stats, &covered_ns);

	if (!covered_ns || !(s->opts->joules || s->command))
		return;
	sm_buf_str(b, "Energy: ");
	sm_buf_double(b, joules, 3);
	sm_buf_str(b, " Joules in ");
	seconds(b, covered_ns);
	if (s->stats->estimate_ns)
		sm_buf_str(b,
			s->stats->power_ns ? ", in part an estimate" : ", an estimate");
	sm_buf_chr(b, '\n');
}

/* --- what it is, and of what ------------------------------------------------------- */

static const char *const why_not[] = {
	[SM_RAPL_INSIDE] = "lies inside a package",
	[SM_RAPL_TWIN] = "shows another zone's package again",
	[SM_RAPL_MIRROR] = "repeats another die's counter",
	[SM_RAPL_NOT_ASKED] = "is not of this total",
	[SM_RAPL_UNREADABLE] = "cannot be read",
};

/* "Note: not added: core, uncore (lies inside a package)." */
static void not_added(const struct sm_rapl *r, uint8_t why, struct sm_buf *b)
{
	bool any = false;

	for (unsigned int i = 0; i < r->n; i++) {
		if (r->zone[i].why != why)
			continue;
		sm_buf_str(b, any ? ", " : "Note: not added: ");
		any = true;
		label(b, r->zone[i].label);
	}
	if (!any)
		return;
	sm_buf_str(b, " (");
	sm_buf_str(b, why_not[why]);
	sm_buf_str(b, ").\n");
}

static void list_domains(const struct power *p, bool counted, const char *head,
	const char *tail, struct sm_buf *b)
{
	bool any = false;

	for (unsigned int i = 0; i < p->n; i++) {
		/* A battery that did may have been plugged in, or taken out, since. */
		if ((p->domain[i].counted || p->domain[i].was_counted) != counted)
			continue;
		sm_buf_str(b, any ? ", " : head);
		any = true;
		label(b, p->domain[i].label);
	}
	if (any)
		sm_buf_str(b, tail);
}

static void troubles(struct sm_buf *b, uint64_t glitches, uint64_t rebased)
{
	if (!glitches && !rebased)
		return;
	sm_buf_str(b, "Note: energy counters: ");
	sm_buf_u64(b, glitches);
	sm_buf_str(b, glitches == 1 ? " reading" : " readings");
	sm_buf_str(b, " that went back or could not be, ");
	sm_buf_u64(b, rebased);
	sm_buf_str(b,
		rebased == 1 ? " new start after such.\n" : " new starts after such.\n");
}

static void rapl_troubles(const struct sm_rapl *r, struct sm_buf *b)
{
	uint64_t glitches = 0, rebased = 0;

	for (unsigned int i = 0; i < r->n; i++) {
		glitches += r->zone[i].glitches;
		rebased += r->zone[i].rebased;
	}
	troubles(b, glitches, rebased);
	if (r->exchanged)
		sm_buf_str(b, "Note: a zone stood still; its twin's counter was read "
			      "instead.\n");
}

static void hwmon_troubles(const struct sm_hwmon *h, struct sm_buf *b)
{
	uint64_t rebased = 0;

	for (unsigned int i = 0; i < h->n; i++)
		rebased += h->sensor[i].rebased;
	troubles(b, rebased, rebased);
}

static void rapl_notes(const struct power *p, struct sm_buf *b)
{
	list_domains(p, true, "Note: power read from RAPL domains: ", ".\n", b);
	for (int why = SM_RAPL_INSIDE; why <= SM_RAPL_UNREADABLE; why++)
		not_added(&p->rapl, (uint8_t)why, b);
	rapl_troubles(&p->rapl, b);
}

static void mute_notes(const struct power *p, struct sm_buf *b)
{
	for (unsigned int i = 0; p->source == PS_BATTERY && i < p->n; i++) {
		if (!p->domain[i].was_counted || p->domain[i].tells)
			continue;
		sm_buf_str(b, "Note: ");
		label(b, p->domain[i].label);
		sm_buf_str(b, " tells neither rate nor level.\n");
	}
}

static void source_notes(const struct power *p, struct sm_buf *b)
{
	static const char *const heads[] = {
		[PS_PERF] = "Note: power read from the perf PMU's energy events: ",
		[PS_HWMON] = "Note: power read from hwmon sensors: ",
		[PS_BATTERY] = "Note: power read from batteries: ",
	};

	if (p->source == PS_RAPL) {
		rapl_notes(p, b);
	} else if (p->source != PS_NONE && p->source != PS_AUTO) {
		list_domains(p, true, heads[p->source], ".\n", b);
		list_domains(p, false, "Note: not added: ", ".\n", b);
	}
	mute_notes(p, b);
	if (p->source == PS_HWMON)
		hwmon_troubles(&p->hwmon, b);
	if (of_processor(p))
		sm_buf_str(b, "These readings do not cover all the hardware in this "
			      "device.\n");
}

static void count_note(
	struct sm_buf *b, uint64_t n, const char *one, const char *many, const char *tail)
{
	if (!n)
		return;
	sm_buf_str(b, "Note: ");
	sm_buf_u64(b, n);
	sm_buf_chr(b, ' ');
	sm_buf_str(b, n == 1 ? one : many);
	sm_buf_str(b, tail);
	sm_buf_str(b, ".\n");
}

static void slope_note(const struct summary *s, struct sm_buf *b)
{
	if (!s->stats->kinds[PS_LEVEL] && !s->stats->kinds[PS_ESTIMATE])
		return;
	sm_buf_str(b, "Note: Power calculated from battery capacity drain, may not be "
		      "accurate");
	if (s->stats->last_window_ns) {
		sm_buf_str(b, " (at last over ");
		seconds(b, s->stats->last_window_ns);
		sm_buf_chr(b, ')');
	}
	sm_buf_str(b, ".\n");
	if (s->power)
		count_note(b, s->power->restarts, "new start", "new starts",
			" of an estimate: the level jumped, or the battery was charged "
			"or "
			"changed");
}

static void kind_notes(const struct summary *s, struct sm_buf *b)
{
	const uint64_t *kinds = s->stats->kinds;
	bool others = s->stats->col[PS_WATTS].n > 0;

	if (kinds[PS_MEASURED])
		sm_buf_str(b, "Note: measured figures: a counter of energy or a power "
			      "meter.\n");
	if (kinds[PS_GAUGE_RATE])
		sm_buf_str(b, "Note: gauge rate: what the battery's own gauge tells.\n");
	slope_note(s, b);
	if (others)
		count_note(b, kinds[PS_ESTIMATE], "estimate", "estimates",
			" (marked E), not in the statistics");
	if (measured(s))
		count_note(b, kinds[PS_ABSENT], "sample", "samples",
			" without a figure of the power");
	count_note(b, s->stats->incomplete, "sample", "samples",
		" without all that belongs to the total (marked *)");
}

/* --- what was not there, missed or lost -------------------------------------------- */

static void absent_notes(const struct summary *s, struct sm_buf *b)
{
	const struct ps_opts *o = s->opts;

	if (o->thermal && !s->table->nthermal)
		sm_buf_str(b, "Note: No thermal zones on this device.\n");
	if (o->freq && !s->table->nfreq)
		sm_buf_str(b, "Note: No CPU frequencies on this device.\n");
	if (o->gpu && !s->table->gpu)
		sm_buf_str(b, "Note: No GPU frequency on this device.\n");
	if (o->cstates && !s->idle)
		sm_buf_str(b, "Note: No C-States on this device (no cpuidle).\n");
}

static void loss_notes(const struct summary *s, struct sm_buf *b)
{
	if (s->power && s->power->mains_note)
		sm_buf_str(b, "Note: the mains are connected while a battery discharges: "
			      "it gives only a part of the power.\n");
	if (s->power && s->power->have_batteries)
		count_note(b, s->power->batteries.left_out, "battery", "batteries",
			" not watched: there are too many");
	if (s->power && s->power->lost) {
		sm_buf_str(b, "Note: the power source was lost");
		if (s->power->lost_why) {
			sm_buf_str(b, ": ");
			label(b, s->power->lost_why);
		}
		sm_buf_str(b, ".\n");
	}
	count_note(
		b, s->missed, "sample", "samples", " missed: it was too late for them");
	count_note(b, s->skipped, "sample", "samples", " discarded (-b, -p)");
	count_note(b, s->stats->events_lost, "fork/exec/exit event",
		"fork/exec/exit events", " lost");
	count_note(b, s->lost_rows, "row", "rows", " lost to a slow reader");
}

/* --- idle states ------------------------------------------------------------------- */

static void pad(struct sm_buf *b, size_t from, size_t width)
{
	size_t shown = sm_buf_error(b) ? 0 : sm_text_width(b->p + from, b->len - from);

	sm_buf_fill(b, ' ', shown < width ? width - shown : 0);
}

static double percent(uint64_t part_us, uint64_t of_us)
{
	return 100.0 * (double)part_us / (double)of_us;
}

static void state_row(const struct sm_cpuidle *c, const struct sm_cpuidle_state *state,
	struct sm_buf *b)
{
	size_t at = b->len;

	sm_text_human(
		b, state->name, strnlen(state->name, sizeof(state->name)), SM_TEXT_UTF8);
	pad(b, at, 11);
	sm_buf_printf(b, "%7.3f%% %10llu %7llu\n", percent(state->time_us, c->covered_us),
		(unsigned long long)state->usage, (unsigned long long)state->latency_us);
}

/* The deepest first, as the original has it; what is in no state is C0. */
static void idle_states(const struct summary *s, struct sm_buf *b)
{
	const struct sm_cpuidle *c = s->idle;
	uint64_t idle_us = 0;

	if (!s->opts->cstates || !c)
		return;
	if (!c->covered_us) {
		sm_buf_str(b, "Note: C-States: not a single interval could be read.\n");
		return;
	}
	sm_buf_str(b, "\nC-State    Resident      Count Latency\n");
	for (unsigned int i = c->nstates; i-- > 0;) {
		state_row(c, &c->state[i], b);
		idle_us += c->state[i].time_us;
	}
	idle_us = idle_us < c->covered_us ? idle_us : c->covered_us;
	sm_buf_printf(b, "C0         %7.3f%%\n",
		percent(c->covered_us - idle_us, c->covered_us));
}

/* --- histograms -------------------------------------------------------------------- */

static void thermal_histogram(const struct summary *s, unsigned int i, struct sm_buf *b)
{
	const struct ps_col *c = &s->table->col[s->table->thermal0 + i];
	struct sm_buf title = {0}, of = {0};

	sm_buf_str(&of, "thermal zone ");
	sm_buf_add(&of, c->head, c->head_len);
	sm_buf_add(&title, of.p, of.len);
	sm_buf_str(&title, " readings");
	sm_buf_chr(&title, '\0');
	sm_buf_chr(&of, '\0');
	if (!sm_buf_error(&title) && !sm_buf_error(&of))
		histogram_print(&(struct histogram){title.p, of.p, "C",
					1 / PS_HIST_SCALE_THERMAL},
			&s->stats->hist[PS_HIST_THERMAL0 + i], b);
	sm_buf_fini(&title);
	sm_buf_fini(&of);
}

static void histograms(const struct summary *s, struct sm_buf *b)
{
	static const struct histogram power = {"power measurements", "power measurements",
		"Watts", 1 / PS_HIST_SCALE_POWER};
	static const struct histogram cpu = {"CPU utilization measurements",
		"CPU utilization", "%CPU", 1 / PS_HIST_SCALE_CPU};
	static const struct histogram freq = {"CPU average frequencies",
		"CPU average frequencies", "GHz", 1e-6 / PS_HIST_SCALE_FREQ};

	if (!s->stats->hist)
		return;
	if (measured(s))
		histogram_print(&power, &s->stats->hist[PS_HIST_POWER], b);
	histogram_print(&cpu, &s->stats->hist[PS_HIST_CPU], b);
	if (s->table->nfreq)
		histogram_print(&freq, &s->stats->hist[PS_HIST_FREQ], b);
	for (unsigned int i = 0; i < s->table->nthermal; i++)
		thermal_histogram(s, i, b);
}

void summary_text(const struct summary *s, struct sm_buf *b)
{
	sm_buf_str(b, "Summary:\n");
	figure(s, b);
	energy(s, b);
	if (s->power)
		source_notes(s->power, b);
	kind_notes(s, b);
	absent_notes(s, b);
	loss_notes(s, b);
	idle_states(s, b);
	histograms(s, b);
}
