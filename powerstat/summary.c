// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <string.h>

#include "power/source_reason.h"
#include "summary.h"
#include "base/text.h"
#include "power/hwmon_rules.h"

const char *summary_source(const struct sm_source *p)
{
	static const char *const names[] = {[SM_SOURCE_AUTO] = "none",
		[SM_SOURCE_BATTERY] = "battery",
		[SM_SOURCE_RAPL] = "rapl",
		[SM_SOURCE_PERF] = "perf",
		[SM_SOURCE_HWMON] = "hwmon",
		[SM_SOURCE_NONE] = "none"};

	return names[p ? p->kind : SM_SOURCE_NONE];
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

/* Prints " 28.50", like %6.2f. */
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

/* --- average power and energy ------------------------------------------------------ */

bool summary_measured(const struct summary *s)
{
	return s->power && s->power->kind != SM_SOURCE_NONE;
}

static bool of_processor(const struct sm_source *p)
{
	return p && sm_source_is_processor(p);
}

static bool of_parts(const struct sm_source *p)
{
	return p && p->kind == SM_SOURCE_HWMON && !sm_hwmon_is_system(&p->hwmon) &&
	       !sm_hwmon_is_processor(&p->hwmon);
}

bool summary_no_figure(const struct summary *s)
{
	unsigned int first = s->columns->domain0;

	if (!summary_measured(s) || !s->stats->samples || s->stats->estimate_ns ||
		s->stats->col[V_WATTS].n)
		return false;
	for (unsigned int i = 0; i < s->columns->ndomains; i++)
		if (s->stats->col[first + i].n)
			return false;
	return true;
}

static void no_figure(const struct summary *s, struct sm_buf *b)
{
	sm_buf_str(b, summary_measured(s) ? "no power value was available"
					  : "the power was not measured");
	if (!summary_no_figure(s))
		return;
	sm_buf_str(b, ": ");
	sm_source_reason(s->power, b);
}

static void figure(const struct summary *s, struct sm_buf *b)
{
	double mean = stats_get(s->stats, V_WATTS, STAT_AVERAGE);
	double estimate = stats_estimate_w(s->stats);

	sm_buf_str(b, of_processor(s->power) ? "CPU: "
		      : of_parts(s->power)   ? "Sensors: "
					     : "System: ");
	if (isfinite(mean)) {
		watts(b, mean);
		sm_buf_str(b, " Watts on average with standard deviation ");
		sm_buf_double(b, stats_get(s->stats, V_WATTS, STAT_STDDEV), 2);
	} else if (isfinite(estimate)) {
		watts(b, estimate);
		sm_buf_str(b, " Watts on average, an estimate over the whole run");
	} else {
		no_figure(s, b);
	}
	sm_buf_chr(b, '\n');
}

static void energy(const struct summary *s, struct sm_buf *b)
{
	uint64_t covered_ns;
	double joules = stats_joules(s->stats, &covered_ns);

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

double summary_above_idle(const struct summary *s)
{
	uint64_t covered_ns;
	double joules = stats_joules(s->stats, &covered_ns);

	if (!s->idle_power.of_ns || !covered_ns)
		return NAN;
	return joules - s->idle_power.watts * (double)covered_ns * 1e-9;
}

/* Readings of an instantaneous power are samples of it; energy counters contain each
 * change. */
static double run_stderr_w(const struct summary *s)
{
	uint64_t n = s->stats->col[V_WATTS].n;

	if (!s->power->readings)
		return 0;
	return n > 1 ? stats_get(s->stats, V_WATTS, STAT_STDDEV) / sqrt((double)n - 1)
		     : NAN;
}

double summary_above_idle_stderr(const struct summary *s)
{
	uint64_t covered_ns;

	if (!isfinite(summary_above_idle(s)) || !s->power)
		return NAN;
	(void)stats_joules(s->stats, &covered_ns);
	return idle_stderr_j(&s->idle_power, covered_ns, run_stderr_w(s));
}

static void above_idle(const struct summary *s, struct sm_buf *b)
{
	double above = summary_above_idle(s);

	if (!s->idle_power.of_ns)
		return;
	if (!isfinite(above)) {
		sm_buf_str(b, "Note: the power of the idle machine is unknown.\n");
		return;
	}
	sm_buf_str(b, "Above idle: ");
	sm_buf_double(b, above, 3);
	sm_buf_str(b, " Joules");
	if (isfinite(summary_above_idle_stderr(s))) {
		sm_buf_str(b, ", standard error ");
		sm_buf_double(b, summary_above_idle_stderr(s), 3);
	}
	sm_buf_str(b, " (idle: ");
	sm_buf_double(b, s->idle_power.watts, 2);
	sm_buf_str(b, " Watts over ");
	seconds(b, s->idle_power.of_ns);
	sm_buf_str(b, " before the command)\n");
}

/* --- source and domains ------------------------------------------------------------ */

const char *summary_why(uint8_t why)
{
	static const char *const text[] = {
		[SM_RAPL_INSIDE] = "inside a package",
		[SM_RAPL_DUPLICATE] = "duplicate zone",
		[SM_RAPL_MIRROR] = "repeats another die's counter",
		[SM_RAPL_NOT_ASKED] = "excluded by --total",
		[SM_RAPL_UNREADABLE] = "cannot be read",
		[SM_RAPL_STILL] = "the counter has never advanced",
	};

	return text[why];
}

const char *summary_scope(enum sm_hwmon_scope scope)
{
	static const char *const text[] = {
		[SM_HWMON_SYSTEM] = "measures the whole machine",
		[SM_HWMON_SUPPLY] = "input of a power supply",
		[SM_HWMON_DEVICE] = "measures a part of the machine",
		[SM_HWMON_INSIDE] = "inside another sensor",
		[SM_HWMON_UNKNOWN] = "may overlap with other sensors of its chip",
		[SM_HWMON_STILL] = "the counter does not advance",
	};

	return text[scope];
}

/* Returns why domain i is not included in the total, NULL if it is. */
static const char *why_not(const struct sm_source *p, unsigned int i)
{
	if (p->kind == SM_SOURCE_RAPL)
		return summary_why(p->rapl.zones.at[i].role.why);
	if (p->hwmon.sensor[i].counted)
		return NULL;
	return p->want.sensors ? "not selected" : summary_scope(p->hwmon.sensor[i].scope);
}

static bool same_why(const struct sm_source *p, unsigned int i, unsigned int k)
{
	const char *a = why_not(p, i), *b = why_not(p, k);

	return a && b && strcmp(a, b) == 0;
}

/* Prints "Note: not added: core, uncore (inside a package)." for each reason. */
static void not_added(const struct sm_source *p, struct sm_buf *b)
{
	for (unsigned int i = 0; i < p->n; i++) {
		unsigned int first = 0;

		while (first < i && !same_why(p, first, i))
			first++;
		if (first < i || !why_not(p, i))
			continue;
		sm_buf_str(b, "Note: not added: ");
		label(b, p->domain[i].label);
		for (unsigned int k = i + 1; k < p->n; k++) {
			if (!same_why(p, i, k))
				continue;
			sm_buf_str(b, ", ");
			label(b, p->domain[k].label);
		}
		sm_buf_printf(b, " (%s).\n", why_not(p, i));
	}
}

static void list_domains(const struct sm_source *p, bool counted, const char *head,
	const char *tail, struct sm_buf *b)
{
	bool any = false;

	for (unsigned int i = 0; i < p->all; i++) {
		/* A battery that was charged or removed since is still listed. */
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
	sm_buf_printf(b,
		"Note: energy counters: implausible readings %llu, restarts %llu.\n",
		(unsigned long long)glitches, (unsigned long long)rebased);
}

/* Counters that never advanced are reported as not added. */
static void still_note(const struct sm_source *p, struct sm_buf *b)
{
	const char *head =
		"Note: counters that did not advance in some samples (no value "
		"shown): ";
	bool any = false;

	for (unsigned int i = 0; i < p->n; i++) {
		bool never = p->kind == SM_SOURCE_PERF
				     ? !sm_source_sums(p, i)->energy_uj
				     : p->rapl.zones.at[i].role.why == SM_RAPL_STILL;

		if (!sm_source_sums(p, i)->still || never)
			continue;
		sm_buf_str(b, any ? ", " : head);
		any = true;
		label(b, p->domain[i].label);
	}
	if (any)
		sm_buf_str(b, ".\n");
}

static void suspect_note(const struct sm_source *p, struct sm_buf *b)
{
	struct sm_buf text = {0};

	sm_source_suspect(p, &text);
	if (text.len) {
		sm_buf_str(b, "Note: ");
		sm_buf_add(b, text.p, text.len);
		sm_buf_str(b, " (4 times the highest power limit of the zone); the "
			      "kernel may use a wrong energy unit.\n");
	}
	sm_buf_fini(&text);
}

static void rapl_troubles(const struct sm_source *p, struct sm_buf *b)
{
	uint64_t glitches = 0, rebased = 0;

	for (unsigned int i = 0; i < p->n; i++) {
		glitches += sm_source_sums(p, i)->glitches;
		rebased += sm_source_sums(p, i)->rebased;
	}
	troubles(b, glitches, rebased);
	suspect_note(p, b);
	still_note(p, b);
	if (p->kind == SM_SOURCE_RAPL && p->rapl.zones.exchanged)
		sm_buf_str(b, "Note: a zone's counter did not advance or failed; the "
			      "counter of its duplicate was read instead.\n");
}

static void source_notes(const struct sm_source *p, struct sm_buf *b)
{
	static const char *const heads[] = {
		[SM_SOURCE_RAPL] = "Note: power read from RAPL domains: ",
		[SM_SOURCE_PERF] = "Note: power read from the perf PMU's energy events: ",
		[SM_SOURCE_HWMON] = "Note: power read from hwmon sensors: ",
		[SM_SOURCE_BATTERY] = "Note: power read from batteries: ",
	};
	uint64_t rebased;

	if (p->kind == SM_SOURCE_NONE || p->kind == SM_SOURCE_AUTO)
		return;
	list_domains(p, true, heads[p->kind], ".\n", b);
	if (p->kind == SM_SOURCE_RAPL || p->kind == SM_SOURCE_HWMON)
		not_added(p, b);
	else
		list_domains(p, false, "Note: not added: ", ".\n", b);
	if (p->kind == SM_SOURCE_RAPL || p->kind == SM_SOURCE_PERF)
		rapl_troubles(p, b);
	summary_batteries(p, b);
	if (p->kind == SM_SOURCE_HWMON) {
		rebased = summary_sensors(&p->hwmon, b);
		troubles(b, rebased, rebased);
	}
	for (const struct sm_source *o = p->beside; o; o = o->beside)
		if (o->kind == SM_SOURCE_HWMON)
			(void)summary_sensors(&o->hwmon, b);
	if (of_processor(p))
		sm_buf_str(b, "These readings do not cover all the hardware in this "
			      "device.\n");
}

/* --- other sources ------------------------------------------------------------------ */

static bool of_system(const struct sm_source *p)
{
	return p->kind != SM_SOURCE_NONE && !of_processor(p) && !of_parts(p);
}

static void other(const struct summary *s, const char *what, double w, const char *domain,
	struct sm_buf *b)
{
	bool inside = of_system(s->power) && strcmp(what, "System") != 0;

	if (!isfinite(w))
		return;
	sm_buf_str(b, inside ? "Of which " : "Measured separately, ");
	label(b, what);
	sm_buf_str(b, ": ");
	watts(b, w);
	sm_buf_str(b, " Watts on average (");
	label(b, domain);
	sm_buf_str(b, ")\n");
}

static const char *sensor_name(const struct sm_hwmon_sensor *h)
{
	if (h->scope == SM_HWMON_SYSTEM)
		return "System";
	return sm_hwmon_is_gpu(h) ? "GPU" : h->chip;
}

/* Domains of a processor are added up; sensors of devices can overlap. */
static void others(const struct summary *s, struct sm_buf *b)
{
	unsigned int col = s->columns->domain0 + s->power->n;

	for (const struct sm_source *p = s->power->beside; p; p = p->beside) {
		double cpu = 0;

		for (unsigned int i = 0; i < p->n; i++, col++) {
			double w = stats_get(s->stats, col, STAT_AVERAGE);

			if (!p->domain[i].counted)
				continue;
			cpu += w;
			if (p->kind == SM_SOURCE_HWMON)
				other(s, sensor_name(&p->hwmon.sensor[i]), w,
					p->domain[i].label, b);
		}
		if (p->kind != SM_SOURCE_HWMON)
			other(s, "CPU", cpu, "RAPL", b);
	}
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
	if (!s->stats->kinds[SM_FIGURE_LEVEL] && !s->stats->kinds[SM_FIGURE_ESTIMATE])
		return;
	sm_buf_str(b, "Note: Power calculated from battery capacity drain, may not be "
		      "accurate");
	if (s->stats->last_window_ns) {
		sm_buf_str(b, " (last window: ");
		seconds(b, s->stats->last_window_ns);
		sm_buf_chr(b, ')');
	}
	sm_buf_str(b, ".\n");
	if (s->power)
		count_note(b, s->power->restarts, "restart", "restarts",
			" of an estimate: the level jumped, or the battery was charged "
			"or replaced");
}

static void kind_notes(const struct summary *s, struct sm_buf *b)
{
	uint64_t readings = s->power ? s->power->readings : 0;
	const uint64_t *kinds = s->stats->kinds;
	bool others = s->stats->col[V_WATTS].n > 0;

	if (kinds[SM_FIGURE_MEASURED])
		sm_buf_str(b, "Note: power measured by an energy counter or a power "
			      "meter.\n");
	summary_average(s, b);
	if (kinds[SM_FIGURE_GAUGE_RATE])
		sm_buf_str(b, "Note: power reported by the battery (fuel gauge rate).\n");
	count_note(b, readings, "reading of the power", "readings of the power",
		readings < 2 * s->stats->samples
			? "; each value is a single reading"
			: "; each value is the mean of the readings in its interval");
	slope_note(s, b);
	if (others)
		count_note(b, kinds[SM_FIGURE_ESTIMATE], "estimate", "estimates",
			" (marked E), not included in the statistics");
	if (summary_measured(s))
		count_note(b, kinds[SM_FIGURE_ABSENT], "sample", "samples",
			" without a power value");
	count_note(b, s->stats->incomplete, "sample", "samples",
		" with an incomplete total (marked *)");
}

/* --- throttling ------------------------------------------------------------------ */

static void throttling(const struct summary *s, struct sm_buf *b)
{
	unsigned int col = s->columns->throttle;

	if (!col)
		return;
	if (!s->stats->col[col].n) {
		sm_buf_str(b, "Thermal throttling: unknown\n");
		return;
	}
	sm_buf_printf(b, "Thermal throttling: %llu %s on a core, %llu on a package\n",
		(unsigned long long)s->stats->core_throttles,
		s->stats->core_throttles == 1 ? "time" : "times",
		(unsigned long long)s->stats->package_throttles);
}

/* --- absent, missed or lost -------------------------------------------------------- */

static void absent_notes(const struct summary *s, struct sm_buf *b)
{
	const struct opts *o = s->opts;

	if (o->thermal && !s->columns->nthermal)
		sm_buf_str(b, "Note: No thermal zones on this device.\n");
	if (o->freq && !s->columns->nfreq)
		sm_buf_str(b, "Note: No CPU frequencies on this device.\n");
	if (o->gpu && !s->columns->gpu)
		sm_buf_str(b, "Note: No GPU frequency on this device.\n");
	if (o->cstates && !s->idle)
		sm_buf_str(b, "Note: No C-States on this device (no cpuidle).\n");
}

static void loss_notes(const struct summary *s, struct sm_buf *b)
{
	if (s->power && s->power->mains_note)
		sm_buf_str(b, "Note: AC power is connected while a battery discharges: "
			      "the battery supplies only a part of the power.\n");
	if (s->power && s->power->have_batteries)
		count_note(b, s->power->batteries.left_out, "battery", "batteries",
			" not measured: too many");
	if (s->power && s->power->lost) {
		sm_buf_str(b, "Note: the power source was lost");
		if (s->power->lost_why) {
			sm_buf_str(b, ": ");
			label(b, s->power->lost_why);
		}
		sm_buf_str(b, ".\n");
	}
	count_note(b, s->freq_unread, "CPU", "CPUs",
		" without a frequency: too many open files");
	count_note(b, s->missed, "sample", "samples", " missed: woken too late");
	count_note(b, s->skipped, "sample", "samples", " discarded (-b, -p)");
	count_note(b, s->stats->events_lost, "fork/exec/exit event",
		"fork/exec/exit events", " lost");
	count_note(b, s->lost_rows, "row", "rows", " of output lost");
}

void summary_text(const struct summary *s, struct sm_buf *b)
{
	sm_buf_str(b, "Summary:\n");
	figure(s, b);
	energy(s, b);
	above_idle(s, b);
	if (s->repeat)
		repeat_text(s->repeat, b);
	if (s->power && s->columns->ndomains)
		others(s, b);
	throttling(s, b);
	if (s->power)
		source_notes(s->power, b);
	kind_notes(s, b);
	absent_notes(s, b);
	loss_notes(s, b);
	summary_idle_states(s, b);
	summary_histograms(s, b);
}
