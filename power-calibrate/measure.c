// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "measure.h"
#include "power/source_shown.h"

/* Settling: the power is checked every LOOK_NS until two values differ by less than LIKE,
 * for at most 1/SETTLE_PARTS of a test. */
#define LOOK_NS	     (250 * SM_NSEC_PER_MSEC)
#define LIKE	     0.03
#define SETTLE_PARTS 4
/* Least number of steps of a battery's level in a test. */
#define STEPS	    10
#define SUSPEND_NS  (100 * SM_NSEC_PER_MSEC)
#define TICKS_PER_S 100.0 /* USER_HZ */

static const struct plan_test *test_of(const struct measure *m)
{
	return &m->plan->test[m->test];
}

/* --- opening ------------------------------------------------------------------------ */

int measure_open(struct measure *m, const struct sm_root *root)
{
	unsigned int n = m->workers->n;
	int err;

	m->stat_file.file = (struct sm_file)SM_FILE_INIT;
	m->readings.ndomains = m->power->n;
	m->sample = calloc(n, sizeof(*m->sample));
	m->sample_before = calloc(n, sizeof(*m->sample_before));
	m->domain = calloc(m->readings.ndomains + 1, sizeof(*m->domain));
	if (!m->sample || !m->sample_before || !m->domain)
		return -ENOMEM;
	err = sm_procstat_open(&m->stat_file, root);
	if (!err)
		err = sm_procstat_read(&m->stat_file, &m->stat);
	m->readings.gauge = m->power->kind == SM_SOURCE_BATTERY;
	m->readings.average_s = (double)sm_source_average_ns(m->power) * 1e-9;
	m->readings.online = m->stat.online ? m->stat.online : 1;
	return err;
}

void measure_close(struct measure *m)
{
	sm_procstat_close(&m->stat_file);
	sm_procstat_fini(&m->stat);
	sm_procstat_fini(&m->before);
	readings_fini(&m->readings);
	free(m->sample);
	free(m->sample_before);
	free(m->domain);
}

/* --- a reading ---------------------------------------------------------------------- */

static void plan_poll(struct measure *m)
{
	uint64_t now = sm_clock_mono_ns(), gap = sm_source_gap_ns(m->power);

	m->poll_ns = gap < UINT64_MAX - now ? now + gap : UINT64_MAX;
}

static double since_start_s(const struct measure *m, uint64_t ns)
{
	return (double)(int64_t)(ns - m->start_ns) * 1e-9;
}

/* Adds the power that a meter shows to the history, if it was read. */
static int note_shown(struct measure *m)
{
	double uw;

	if (m->power->readings == m->shown)
		return 0;
	m->shown = m->power->readings;
	if (!sm_source_shown(m->power, &uw))
		return 0;
	return history_poll(
		&m->readings.history, since_start_s(m, sm_clock_mono_ns()), uw * 1e-6);
}

/* Returns the CPU use of a worker, relative to the time between its reports, because a
 * busy worker reports up to 1 ms late. */
static double own_share(const struct sm_workers_reading *b,
	const struct sm_workers_reading *a, double dt_s)
{
	double given = (double)(a->given_ns - b->given_ns) * 1e-9;
	double own_s = (double)(a->at_ns - b->at_ns) * 1e-9;

	/* A sleeping worker's last report is old, but it has not run since. */
	return fabs(own_s - dt_s) < dt_s / 10 ? given / own_s : given / dt_s;
}

/* Returns the CPU seconds of all programs between two looks; idle time is exact, while
 * user and system time are sampled by ticks. */
static double busy_s(const struct measure *m, const struct sm_cpu_ticks *d, double dt_s)
{
	double idle = (double)(d->idle + d->iowait + d->steal) / TICKS_PER_S;

	return dt_s * (double)m->stat.online - idle;
}

#define NOT_BUSY (unsigned int)(SM_TICKS_IDLE | SM_TICKS_IOWAIT | SM_TICKS_STEAL)

/* Adds the CPU use since the last look to the history, unless it is unknown. */
static int note_use(struct measure *m, uint64_t now_ns)
{
	double dt_s = (double)(now_ns - m->look_ns) * 1e-9, use[HISTORY_USES] = {0};
	struct sm_cpu_ticks d;

	for (unsigned int i = 0; i < m->workers->n; i++)
		use[HISTORY_OWN + plan_type_of(m->plan, i)] += own_share(
			&m->sample_before[i].reading, &m->sample[i].reading, dt_s);
	sm_procstat_total(&m->stat, &m->before, now_ns - m->look_ns, &d);
	if (d.unknown & NOT_BUSY)
		return 0;
	use[HISTORY_OTHER] = busy_s(m, &d, dt_s) / dt_s;
	for (unsigned int i = HISTORY_OWN; i < HISTORY_USES; i++)
		use[HISTORY_OTHER] -= use[i];
	m->look_ns = now_ns;
	return history_look(&m->readings.history, since_start_s(m, now_ns), use);
}

/* Reads all sources at one time, and keeps their previous values. */
static int look(struct measure *m, uint64_t *stat_ns)
{
	struct sm_counts_sample *old = m->sample_before;
	struct sm_procstat stat = m->before;
	int err;

	m->sample_before = m->sample;
	m->sample = old;
	m->before = m->stat;
	m->stat = stat;
	for (unsigned int i = 0; i < m->workers->n; i++)
		sm_counts_sample(m->counts, m->workers, i, &m->sample[i]);
	*stat_ns = sm_clock_mono_ns();
	err = sm_procstat_read(&m->stat_file, &m->stat);
	if (!err)
		err = sm_source_take(m->power, sm_clock_mono_ns());
	plan_poll(m);
	if (err >= 0)
		err = note_use(m, *stat_ns);
	return err < 0 ? err : note_shown(m);
}

/* Begins a new interval. */
static int mark(struct measure *m)
{
	return look(m, &m->stat_ns);
}

/* Returns false if a time of /proc/stat jumped.  A rate that jumped is only missing: the
 * result does not depend on it. */
static bool put_shares(const struct measure *m, double dt_s, struct reading *r)
{
	const uint64_t dt_ns = (uint64_t)(dt_s * 1e9);
	const unsigned int cpus = m->stat.online;
	struct sm_cpu_ticks d;
	double sum;

	sm_procstat_total(&m->stat, &m->before, dt_ns, &d);
	if (d.unknown)
		return false;
	sum = (double)sm_procstat_sum(&d);
	r->v[F_OTHER] = busy_s(m, &d, dt_s);
	if (sum > 0) {
		r->v[F_USER] = 100 * (double)(d.user + d.nice) / sum;
		r->v[F_SYS] = 100 * (double)(d.system + d.irq + d.softirq) / sum;
		r->v[F_IDLE] = 100 * (double)(d.idle + d.iowait) / sum;
	}
	r->v[F_RUN] = (double)m->stat.running;
	r->v[F_CTXT] = sm_procstat_rate(m->stat.ctxt, m->before.ctxt, cpus, dt_ns);
	r->v[F_IRQ] = sm_procstat_rate(m->stat.intr, m->before.intr, cpus, dt_ns);
	return true;
}

/* Keeps the least exact method: perf is the most exact, and without a value of one worker
 * there is no sum. */
static void note_method(
	struct readings *list, unsigned int i, enum sm_counts_method method)
{
	bool worse = method == SM_COUNTS_NONE ||
		     (list->method[i] == SM_COUNTS_PERF && method != SM_COUNTS_PERF);

	if (!list->known[i] || worse)
		list->method[i] = method;
	list->known[i] = true;
}

static void put_work(struct measure *m, double dt_s, struct reading *r)
{
	const struct sm_ops *op = &sm_ops_table[m->opts->op];
	double own = 0, ops = 0, count[SM_COUNTS_N] = {0};

	for (unsigned int i = 0; i < m->workers->n; i++) {
		const struct sm_counts_sample *b = &m->sample_before[i];
		const struct sm_counts_sample *a = &m->sample[i];
		struct sm_counts_figure f[SM_COUNTS_N];
		double share = own_share(&b->reading, &a->reading, dt_s);
		double given = (double)(a->reading.given_ns - b->reading.given_ns) * 1e-9;
		double scale = given > 0 ? share / given : 1 / dt_s;

		if (!plan_loads(test_of(m), i))
			continue;
		own += share;
		r->own_of[plan_type_of(m->plan, i)] += share;
		ops += (double)(a->reading.ops - b->reading.ops) * scale;
		sm_counts_between(m->counts, b, a, op, f);
		for (unsigned int k = 0; k < SM_COUNTS_N; k++) {
			note_method(&m->readings, k, f[k].method);
			count[k] += f[k].method == SM_COUNTS_NONE   ? NAN
				    : f[k].method == SM_COUNTS_PERF ? f[k].value / dt_s
								    : f[k].value * scale;
		}
	}
	r->v[F_OWN] = own;
	r->v[F_OPS] = ops;
	r->v[F_CYCLES] = count[SM_COUNTS_CYCLES];
	r->v[F_INSTRUCTIONS] = count[SM_COUNTS_INSTRUCTIONS];
	r->v[F_REF_CYCLES] = count[SM_COUNTS_REF_CYCLES];
}

static void put_power(struct measure *m, struct reading *r)
{
	r->v[F_WATTS] = m->power->total_uw * 1e-6;
	for (unsigned int i = 0; i < m->readings.ndomains; i++)
		m->domain[i] = i < m->power->n ? m->power->domain[i].uw * 1e-6 : NAN;
}

/* Returns false if the CPU use is unknown. */
static bool fill(struct measure *m, uint64_t stat_ns, struct reading *r)
{
	bool known;
	const struct plan_test *t = test_of(m);
	double dt_s = (double)(stat_ns - m->stat_ns) * 1e-9;

	*r = (struct reading){.t_s = (double)(stat_ns - m->start_ns) * 1e-9 - dt_s / 2,
		.dt_s = dt_s,
		.test = m->test,
		.block = m->test,
		.ppm = t->ppm,
		.load_ppm = plan_load(m->plan, t),
		.cpus = t->cpus,
		.first = t->first};
	for (unsigned int f = 0; f < F_N; f++)
		r->v[f] = NAN;
	put_work(m, dt_s, r);
	known = put_shares(m, dt_s, r);
	r->v[F_OTHER] = r->v[F_OTHER] / dt_s - r->v[F_OWN];
	put_power(m, r);
	return known;
}

static bool has_slept(struct measure *m)
{
	int64_t offset = sm_clock_boot_offset_ns();

	if (offset - m->boot_offset_ns < (int64_t)SUSPEND_NS)
		return false;
	m->boot_offset_ns = offset;
	sm_source_resumed(m->power);
	return true;
}

/* Returns whether the total contains all of its parts, and no earlier energy, which a
 * counter reports after it has failed for a while. */
static bool is_whole(const struct sm_source *p)
{
	bool counters = p->kind == SM_SOURCE_RAPL || p->kind == SM_SOURCE_PERF;

	return isfinite(p->total_uw) && !p->missing &&
	       (!counters || p->total_ns <= p->dt_ns + p->dt_ns / 4);
}

/* Returns whether the reading has the same parts as the others.  If it has a part that
 * the earlier readings lack, those are discarded. */
static bool is_alike(struct measure *m)
{
	bool lacks = m->power->incomplete;

	if (m->lacks_part && !lacks) {
		m->readings.failed += m->readings.n;
		m->readings.n = m->first = 0;
	}
	if (!m->readings.n)
		m->lacks_part = lacks;
	return lacks == m->lacks_part;
}

/* Returns whether the level of a battery fell by too few steps for a power. */
static bool is_coarse(struct measure *m, double test_s)
{
	double steps, needed_s;

	if (!sm_source_level_only(m->power))
		return false;
	steps = sm_source_level_steps(m->power);
	if (steps >= STEPS)
		return false;
	needed_s = test_s * 2 * STEPS / fmax(steps, 1);
	m->readings.coarse_s = fmax(m->readings.coarse_s, needed_s);
	return true;
}

/* Takes a reading; discards it after a suspend, or if the CPU use or a part of the power
 * is unknown. */
static int take_reading(struct measure *m)
{
	struct reading r;
	uint64_t stat_ns;
	bool known;
	int err;

	if (has_slept(m)) {
		m->suspended++;
		sm_source_rebase(m->power);
		return mark(m);
	}
	err = look(m, &stat_ns);
	if (err)
		return err;
	known = fill(m, stat_ns, &r);
	m->stat_ns = stat_ns;
	/* This process did not get a CPU until the test was nearly over. */
	if (r.dt_s * SM_NSEC_PER_SEC < (double)m->opts->app.interval_ns / 2)
		return 0;
	if (!known || !is_whole(m->power) || !is_alike(m) || is_coarse(m, r.dt_s)) {
		m->readings.failed++;
		return 0;
	}
	err = readings_add(&m->readings, &r, m->domain);
	if (!err)
		m->events->reading(m->ctx, &r);
	return err;
}

/* --- tests -------------------------------------------------------------------------- */

static void begin_test(struct measure *m)
{
	const struct plan_test *t = test_of(m);
	uint32_t load = plan_load(m->plan, t);

	for (unsigned int i = 0; i < m->workers->n; i++)
		sm_workers_set(m->workers, i, (unsigned int)m->opts->op,
			plan_loads(t, i) ? load : 0);
	m->test_ns = sm_workers_go(m->workers);
	m->state = MEASURE_SETTLING;
	m->look_w = NAN;
	m->first = m->readings.n;
	m->due_ns = m->test_ns + (m->plan->settle_ns || m->opts->have_settle
						 ? m->plan->settle_ns
						 : LOOK_NS);
}

static uint64_t end_of_test(const struct measure *m)
{
	/* Follow the plan, so that delays of tests do not add up. */
	return m->start_ns + (m->test + 1) * m->plan->slot_ns;
}

static uint64_t until_end(const struct measure *m, uint64_t now_ns)
{
	uint64_t end = end_of_test(m);

	return now_ns < end ? end - now_ns : 0;
}

/* Divides the rest of the test into equal readings that are at least as long as the
 * interval. */
static int begin_readings(struct measure *m)
{
	int err = mark(m);
	uint64_t rest = until_end(m, m->stat_ns);

	m->state = MEASURE_READING;
	m->left = (unsigned int)(rest / m->opts->app.interval_ns);
	/* The level gives one power for the test, from its first step to its last. */
	if (sm_source_level_only(m->power)) {
		sm_source_resumed(m->power);
		m->left = 1;
	}
	if (!m->left)
		m->left = 1;
	m->due_ns = m->stat_ns + rest / m->left;
	return err;
}

static bool is_settled(struct measure *m, uint64_t now_ns)
{
	double before = m->look_w, now = m->power->total_uw * 1e-6;

	m->look_w = now;
	if (now_ns + LOOK_NS > m->test_ns + m->plan->slot_ns / SETTLE_PARTS)
		return true;
	return isfinite(now) && fabs(now - before) < LIKE * fabs(now);
}

static int settle(struct measure *m, uint64_t now_ns)
{
	uint64_t stat_ns;
	int err;

	if (m->plan->settle_ns || m->opts->have_settle)
		return begin_readings(m);
	err = look(m, &stat_ns);
	if (err)
		return err;
	if (is_settled(m, now_ns))
		return begin_readings(m);
	m->due_ns = now_ns + LOOK_NS;
	return 0;
}

static void end_test(struct measure *m)
{
	bool last_of_block = (m->test + 1) % m->plan->per_block == 0, enough;

	m->events->test(m->ctx, m->first);
	m->test++;
	/* The last block is included: it may be the one that reaches the target. */
	enough = last_of_block && m->events->block(m->ctx);
	if (m->test == m->plan->n || enough)
		m->state = MEASURE_DONE;
	else
		begin_test(m);
}

static int read_on(struct measure *m)
{
	int err = take_reading(m);

	if (err)
		return err;
	m->left--;
	if (!m->left)
		end_test(m);
	else
		m->due_ns = m->stat_ns + until_end(m, m->stat_ns) / m->left;
	return 0;
}

/* --- the run ------------------------------------------------------------------------ */

int measure_begin(struct measure *m)
{
	m->boot_offset_ns = sm_clock_boot_offset_ns();
	m->start_ns = sm_clock_mono_ns();
	begin_test(m);
	return mark(m);
}

uint64_t measure_next(const struct measure *m)
{
	if (m->state == MEASURE_DONE)
		return UINT64_MAX;
	return m->poll_ns < m->due_ns ? m->poll_ns : m->due_ns;
}

static int check_load(struct measure *m)
{
	int bad = sm_workers_check(m->workers, &m->fault);

	return bad < 0 ? bad : bad ? -ECHILD : 0;
}

/* Polls the power source between two readings, as often as it needs. */
static int poll_power(struct measure *m, uint64_t now_ns)
{
	int err;

	if (now_ns < m->poll_ns)
		return 0;
	err = sm_source_poll(m->power, now_ns);
	plan_poll(m);
	return err < 0 && err != -ENODEV ? err : note_shown(m);
}

int measure_step(struct measure *m)
{
	uint64_t now = sm_clock_mono_ns();
	int err;

	if (m->state == MEASURE_DONE)
		return 0;
	if (now < m->due_ns)
		return poll_power(m, now);
	err = check_load(m);
	if (!err)
		err = m->state == MEASURE_SETTLING ? settle(m, now) : read_on(m);
	if (!err && m->power->lost)
		err = -ENODEV;
	return err;
}

uint64_t measure_left_ns(const struct measure *m, uint64_t now_ns)
{
	uint64_t end = m->start_ns + m->plan->total_ns;

	return m->state != MEASURE_DONE && now_ns < end ? end - now_ns : 0;
}
