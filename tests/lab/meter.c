// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "load.h"
#include "meter.h"

#define NOISE_NS  200000000LL
#define SECOND_NS 1000000000LL
#define STEP_NS	  100000000LL
#define STEP_S	  0.1

static const struct {
	const char *name;
	size_t offset;
} keys[] = {
	{"base", offsetof(struct meter, base_w)},
	{"busy", offsetof(struct meter, busy_w)},
	{"growth", offsetof(struct meter, growth)},
	{"full", offsetof(struct meter, full_w)},
	{"square", offsetof(struct meter, square_w)},
	{"bend", offsetof(struct meter, bend_w)},
	{"drift", offsetof(struct meter, drift_w_per_s)},
	{"noise", offsetof(struct meter, noise_w)},
	{"fade", offsetof(struct meter, fade_s)},
	{"heat", offsetof(struct meter, heat)},
	{"heat_s", offsetof(struct meter, heat_s)},
	{"lag", offsetof(struct meter, lag_s)},
	{"average", offsetof(struct meter, average_s)},
	{"renew", offsetof(struct meter, renew_s)},
	{"seed", offsetof(struct meter, seed)},
};

static bool outlier_key(struct meter *m, const char *s)
{
	char rest;

	return sscanf(s, "%lf:%lf:%lf%c", &m->outlier_w, &m->outlier_n, &m->outlier_s,
		       &rest) == 3 &&
	       isfinite(m->outlier_w) && m->outlier_n >= 1 && m->outlier_s > 0 &&
	       m->outlier_s <= 1;
}

bool meter_key(struct meter *m, const char *key, const char *value)
{
	if (!strcmp(key, "outlier"))
		return outlier_key(m, value);
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (!strcmp(keys[i].name, key)) {
			double x;
			char *end;

			x = strtod(value, &end);
			memcpy((char *)m + keys[i].offset, &x, sizeof(x));
			return end != value && !*end && isfinite(x);
		}
	return false;
}

void meter_print(const struct meter *m, FILE *f)
{
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		double x;

		memcpy(&x, (const char *)m + keys[i].offset, sizeof(x));
		fprintf(f, "\t%s=%.9g", keys[i].name, x);
	}
	fprintf(f, "\toutlier=%.9g:%.9g:%.9g", m->outlier_w, m->outlier_n, m->outlier_s);
}

/* Uniform in (0, 1), of the seed, what it is for, and a number (splitmix64). */
static double uniform(const struct meter *m, unsigned int what, int64_t i)
{
	uint64_t x = (uint64_t)llround(m->seed * 1000) * 0x9e3779b97f4a7c15u +
		     (uint64_t)i * 0xd1342543de82ef95u + what;

	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
	x ^= x >> 31;
	return ((double)(x >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(const struct meter *m, int64_t i)
{
	return sqrt(-2 * log(uniform(m, 1, i))) * cos(2 * M_PI * uniform(m, 2, i));
}

/* The noise in step i, W, after that in the step before. */
static double noise_w(const struct meter *m, int64_t i, double before)
{
	double step_s = (double)NOISE_NS / 1e9, fade;

	if (m->fade_s <= 0)
		return m->noise_w / sqrt(step_s) * normal(m, i);
	fade = i ? exp(-step_s / m->fade_s) : 0;
	return fade * before + m->noise_w * sqrt(1 - fade * fade) * normal(m, i);
}

static double plain_noise_j(struct meter *m, int64_t t_ns)
{
	int64_t step = t_ns / NOISE_NS;

	if (m->noise_w <= 0)
		return 0;
	if (step < m->noise_steps || m->noise_steps == 0) {
		m->noise_steps = 1;
		m->noise_now = noise_w(m, 0, 0);
		m->noise_j = 0;
	}
	while (m->noise_steps <= step) {
		m->noise_j += m->noise_now * (double)NOISE_NS / 1e9;
		m->noise_now = noise_w(m, m->noise_steps++, m->noise_now);
	}
	return m->noise_j + m->noise_now * (double)(t_ns % NOISE_NS) / 1e9;
}

static double load_j(const struct meter *m, int64_t from_ns, int64_t to_ns)
{
	double cpu_w = m->busy_w + (the_load.cpus ? m->full_w / the_load.cpus : 0);

	return cpu_w *
	       (load_at(&the_load, to_ns).busy_s - load_at(&the_load, from_ns).busy_s);
}

/* The noise of the load in step i, up to a time within it. */
static double growth_step_j(const struct meter *m, int64_t i, int64_t t_ns)
{
	return m->growth / sqrt((double)NOISE_NS / 1e9) * normal(m, -1 - i) *
	       load_j(m, i * NOISE_NS, t_ns);
}

static double growth_j(struct meter *m, int64_t t_ns)
{
	int64_t step = t_ns / NOISE_NS;

	if (m->growth <= 0)
		return 0;
	if (step < m->growth_steps) {
		m->growth_steps = 0;
		m->growth_j = 0;
	}
	for (; m->growth_steps < step; m->growth_steps++)
		m->growth_j += growth_step_j(
			m, m->growth_steps, (m->growth_steps + 1) * NOISE_NS);
	return m->growth_j + growth_step_j(m, step, t_ns);
}

static double noise_j(struct meter *m, int64_t t_ns)
{
	return plain_noise_j(m, t_ns) + growth_j(m, t_ns);
}

/* Energy of the outlier in second i up to a time within it. */
static double pulse_j(const struct meter *m, int64_t i, double within_s)
{
	double start = uniform(m, 4, i) * (1 - m->outlier_s);

	if (uniform(m, 3, i) * m->outlier_n >= 1 || within_s <= start)
		return 0;
	return m->outlier_w * fmin(within_s - start, m->outlier_s);
}

static double outlier_j(struct meter *m, int64_t t_ns)
{
	int64_t second = t_ns / SECOND_NS;

	if (m->outlier_n < 1)
		return 0;
	if (second < m->outlier_steps) {
		m->outlier_steps = 0;
		m->outlier_j = 0;
	}
	while (m->outlier_steps < second)
		m->outlier_j += pulse_j(m, m->outlier_steps++, 1);
	return m->outlier_j + pulse_j(m, second, (double)(t_ns % SECOND_NS) / 1e9);
}

/* full= and bend= count from 0 (idle) to 1 (all CPUs busy). */
static double per_cpu_w(const struct meter *m)
{
	return m->busy_w + (the_load.cpus ? m->full_w / the_load.cpus : 0);
}

static double per_square_w(const struct meter *m)
{
	double n = the_load.cpus;

	return m->square_w + (n > 0 ? m->bend_w / n / n : 0);
}

/* The integral of the warm CPUs: a lag's output is behind its input by its time constant
 * times its present value. */
static double warm_s(struct meter *m, int64_t t_ns)
{
	if (m->heat_s <= 0)
		return 0;
	if (t_ns < m->heat_steps * STEP_NS) {
		m->heat_steps = 0;
		m->warm = 0;
	}
	for (; (m->heat_steps + 1) * STEP_NS <= t_ns; m->heat_steps++) {
		int64_t at = m->heat_steps * STEP_NS;
		double busy = (load_at(&the_load, at + STEP_NS).busy_s -
				      load_at(&the_load, at).busy_s) /
			      STEP_S;

		m->warm = busy + (m->warm - busy) * exp(-STEP_S / m->heat_s);
	}
	return load_at(&the_load, m->heat_steps * STEP_NS).busy_s - m->heat_s * m->warm +
	       m->warm * (double)(t_ns - m->heat_steps * STEP_NS) / 1e9;
}

static double joules(struct meter *m, int64_t t_ns)
{
	double t = (double)t_ns / 1e9;
	struct load_sample s = load_at(&the_load, t_ns);

	return m->base_w * t + m->drift_w_per_s * t * t / 2 + per_cpu_w(m) * s.busy_s +
	       m->heat * per_cpu_w(m) * warm_s(m, t_ns) + per_square_w(m) * s.square +
	       noise_j(m, t_ns) + outlier_j(m, t_ns);
}

int64_t meter_uj(struct meter *m, int64_t t_ns)
{
	return t_ns <= 0 ? 0 : llround(joules(m, t_ns) * 1e6);
}

/* --- a meter that is late ----------------------------------------------------------- */

/* The mean of the last seconds, of which there may be fewer. */
static double mean_w(const struct meter *m)
{
	int64_t n = llround(m->average_s / STEP_S);

	n = n < METER_PAST ? n : METER_PAST - 1;
	n = n < m->shown_steps ? n : m->shown_steps;
	if (n < 1)
		return m->lagged_w;
	return (m->shown_j - m->past_j[(m->shown_steps - n) % METER_PAST]) /
	       ((double)n * STEP_S);
}

/* One more step of 0.1 s. */
static void show_step(struct meter *m)
{
	int64_t every = llround((m->renew_s > 0 ? m->renew_s : m->average_s) / STEP_S);
	double now = joules(m, (m->shown_steps + 1) * STEP_NS);
	double w = (now - m->before_j) / STEP_S;
	bool first = m->shown_steps == 0;

	m->before_j = now;
	if (first || m->lag_s <= 0)
		m->lagged_w = w;
	else
		m->lagged_w = w + (m->lagged_w - w) * exp(-STEP_S / m->lag_s);
	m->shown_steps++;
	m->shown_j += m->lagged_w * STEP_S;
	m->past_j[m->shown_steps % METER_PAST] = m->shown_j;
	if (first || every < 1 || m->shown_steps % every == 0)
		m->shown_w = mean_w(m);
}

static double late_w(struct meter *m, int64_t t_ns)
{
	while ((m->shown_steps + 1) * STEP_NS <= t_ns)
		show_step(m);
	return m->shown_w;
}

int64_t meter_uw(struct meter *m, int64_t t_ns)
{
	struct load_sample now = load_at(&the_load, t_ns);
	struct load_sample before = load_at(&the_load, t_ns - STEP_NS);
	double cpus = (now.busy_s - before.busy_s) / STEP_S;

	if (m->lag_s > 0 || m->average_s > 0 || m->renew_s > 0)
		return llround(late_w(m, t_ns) * 1e6);
	return llround((m->base_w + m->drift_w_per_s * (double)t_ns / 1e9 +
			       per_cpu_w(m) * cpus + per_square_w(m) * cpus * cpus) *
		       1e6);
}
