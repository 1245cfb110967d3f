// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "loop.h"
#include "rates.h"

void rates_init(struct rates *r, const struct fs_opts *o, uint64_t now_ns)
{
	uint64_t interval = o->interval_ns ? o->interval_ns : o->prom ? RATES_PROM_NS : 0;

	memset(r, 0, sizeof(*r));
	r->opts = o;
	r->last_ns = now_ns;
	if (interval)
		sm_ticker_start(&r->ticker, now_ns, interval);
	if (o->prom)
		sm_prom_init(&r->prom, o->prom);
}

void rates_fini(struct rates *r)
{
	if (r->opts && r->opts->prom)
		sm_prom_fini(&r->prom);
}

uint64_t rates_next(const struct rates *r)
{
	return r->ticker.interval_ns ? r->ticker.next_ns : SM_LOOP_FOREVER;
}

/* --- rows of rates ------------------------------------------------------------------ */

static double per_second(uint64_t n, uint64_t ns)
{
	return ns ? (double)n * 1e9 / (double)ns : 0;
}

/* "13:05:59 rate  ----- fork 12.0 exec 10.0 ... lost 0" */
static void for_people(const struct rates *r, const struct summary *s, struct view *v,
	struct sm_out *out, uint64_t now_ns)
{
	uint64_t ns = now_ns - r->last_ns;
	time_t t = (time_t)(view_wall_ns(v, now_ns) / SM_NSEC_PER_SEC);
	struct sm_buf b = {0};
	struct tm tm;

	localtime_r(&t, &tm);
	sm_buf_printf(&b, "%02d:%02d:%02d rate  -----", tm.tm_hour, tm.tm_min, tm.tm_sec);
	for (enum fs_event e = 0; e < FS_LOST; e++)
		if (r->opts->events & FS_BIT(e))
			sm_buf_printf(&b, " %s %.1f/s", fs_event_name(e),
				per_second(s->count[e] - r->count[e], ns));
	sm_buf_printf(&b, " lost %llu\n",
		(unsigned long long)(summary_lost_total(s) - r->lost));
	sm_out_text(out, &b, 1);
	sm_buf_fini(&b);
}

static void for_json(const struct rates *r, const struct summary *s, struct view *v,
	struct sm_out *out, uint64_t now_ns)
{
	uint64_t ns = now_ns - r->last_ns;
	struct sm_buf b = {0};
	struct sm_json j;

	sm_json_open(&j, &b, "rate");
	sm_json_time(&j, "time", view_wall_ns(v, now_ns));
	sm_json_seconds(&j, "interval_s", ns);
	sm_json_object(&j, "per_s");
	for (enum fs_event e = 0; e < FS_LOST; e++)
		if (r->opts->events & FS_BIT(e))
			sm_json_double(&j, fs_event_name(e),
				per_second(s->count[e] - r->count[e], ns), 3);
	sm_json_end(&j);
	sm_json_u64(&j, "lost", summary_lost_total(s) - r->lost);
	sm_json_close(&j);
	sm_sink_put(out->sink, b.p, b.len, 1);
	sm_buf_fini(&b);
}

int rates_turn(struct rates *r, struct summary *s, struct view *v, uint64_t now_ns)
{
	if (!r->ticker.interval_ns || !sm_ticker_due(&r->ticker, now_ns))
		return 0;
	for (unsigned int i = 0; r->opts->interval_ns && i < v->faces.n; i++) {
		if (v->faces.out[i].face == SM_FACE_HUMAN)
			for_people(r, s, v, &v->faces.out[i], now_ns);
		else if (v->faces.out[i].face == SM_FACE_JSON)
			for_json(r, s, v, &v->faces.out[i], now_ns);
	}
	memcpy(r->count, s->count, sizeof(r->count));
	r->lost = summary_lost_total(s);
	r->last_ns = now_ns;
	return rates_prom(r, s);
}

/* --- Prometheus --------------------------------------------------------------------- */

static void event_totals(struct sm_prom *p, const struct summary *s)
{
	sm_prom_family(p, "sysmon_forkstat_events_total", "counter",
		"Process events shown, by kind.");
	for (enum fs_event e = 0; e < FS_LOST; e++) {
		const char *name = fs_event_name(e);

		sm_prom_u64(p, "", &(struct sm_prom_label){"event", {name, strlen(name)}},
			1, s->count[e]);
	}
	sm_prom_family(p, "sysmon_forkstat_exits_nonzero_total", "counter",
		"Exits with a status other than 0 or by a signal.");
	sm_prom_u64(p, "", NULL, 0, s->nonzero);
}

static void lost_totals(struct sm_prom *p, const struct summary *s)
{
	static const char *const names[] = {[FS_LOST_KERNEL] = "kernel",
		[FS_LOST_PERF] = "perf",
		[FS_LOST_OUTPUT] = "output"};

	sm_prom_family(p, "sysmon_forkstat_lost_total", "counter",
		"What was lost: events (kernel), command lines (perf), rows (output).");
	for (size_t i = 0; i < FS_NLOST; i++)
		sm_prom_u64(p, "",
			&(struct sm_prom_label){"source", {names[i], strlen(names[i])}},
			1, s->lost[i]);
}

static void lifetime_histogram(struct sm_prom *p, const struct summary *s)
{
	static const struct {
		uint64_t ns;
		const char *le;
	} bounds[] = {{1000000, "0.001"}, {10000000, "0.01"}, {100000000, "0.1"},
		{1000000000, "1"}, {10000000000, "10"}, {100000000000, "100"},
		{1000000000000, "1000"}};

	sm_prom_family(p, "sysmon_forkstat_lifetime_seconds", "histogram",
		"Lifetimes of processes and threads that ended.");
	for (size_t i = 0; i < SM_ARRAY_SIZE(bounds); i++)
		sm_prom_u64(p, "_bucket",
			&(struct sm_prom_label){
				"le", {bounds[i].le, strlen(bounds[i].le)}},
			1, sm_hist_le(&s->lifetimes, bounds[i].ns));
	sm_prom_u64(p, "_bucket", &(struct sm_prom_label){"le", SM_STR("+Inf")}, 1,
		s->lifetimes.n);
	sm_prom_double(p, "_sum", NULL, 0, (double)s->lifetime_sum_ns / 1e9);
	sm_prom_u64(p, "_count", NULL, 0, s->lifetimes.n);
}

int rates_prom(struct rates *r, const struct summary *s)
{
	if (!r->opts->prom)
		return 0;
	event_totals(&r->prom, s);
	lost_totals(&r->prom, s);
	lifetime_histogram(&r->prom, s);
	return sm_prom_commit(&r->prom);
}
