/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * machine_rig: whole runs of power-calibrate without its time: the plan, and readings of a machine with the
 * lab's meter (tests/lab/meter.h), from which the model is made.  What a run cannot know is as in a real one:
 * the idle time is known in ticks of 10 ms, other load comes and goes, each test needs a quarter of its
 * time to settle.  The machines of chance have the parameters of `tests/lab/gen meter`.
 *
 * The power comes from an energy counter, or is shown by a meter that is polled (every_s > 0): its value is
 * then the mean of the polls of a reading by trapezoids, as sm_source_take() has it.
 */
#ifndef MACHINE_RIG_H
#define MACHINE_RIG_H

#include <check.h>
#include <math.h>
#include <string.h>

#include "power-calibrate/model.h"
#include "tests/lab/load.h"
#include "tests/lab/meter.h"

#define MACHINE_CPUS_MAX 16

struct machine {
	uint64_t random;
	struct meter meter;
	unsigned int cpus;             /* 2 to 16 */
	double other;                  /* CPUs, mean; above 0, and only on idle CPUs */
	double unsteady;               /* deviation of other load in steps of 0.1 s, divided by its mean */
	double other_part;             /* power of a CPU busy with others, in busy_w; 0: 1 */
	double growth;                 /* deviation of a reading, divided by the power of the load; */
	double growth_fade_s, grown;   /* correlated over this time; its present value */
	double step_w;                 /* readings are multiples of it; 0: exact */
	double quantum_j;              /* the energy counter counts in multiples of it; 0: exact */
	double t_s, own_s, idle_s, other_s; /* since the machine was started */
	double own;                    /* busy CPUs of the load now */
	double price_w[MACHINE_CPUS_MAX]; /* of each CPU; all 0: busy_w of the meter */
	unsigned int types, type_cpus[PLAN_TYPES_MAX];
	double part[PLAN_TYPES_MAX];   /* of each type of CPUs in the load now */
	double type_s[PLAN_TYPES_MAX]; /* own_s of each type */
	double dear;                   /* what the load costs now beyond busy_w, in busy CPUs */
	double every_s;                /* between two polls; 0: an energy counter */
	double start_s, poll_s, poll_w, polled_j, polled_s;
	double look_s, look_idle, look_type[PLAN_TYPES_MAX]; /* at the last look of the history */
	bool untold;                   /* the driver does not tell how long the meter averages */
	struct plan plan;
	struct readings readings;
	struct model model;
	double base_w;                 /* the true one, in the middle of the run */
};

static inline double machine_uniform(struct machine *m)
{
	m->random ^= m->random << 13;
	m->random ^= m->random >> 7;
	m->random ^= m->random << 17;
	return ((double)(m->random >> 11) + 0.5) / 9007199254740992.0;
}

static inline double machine_chance(struct machine *m, double low, double high)
{
	return low + (high - low) * machine_uniform(m);
}

static inline double machine_normal(struct machine *m)
{
	double radius = sqrt(-2 * log(machine_uniform(m)));

	return radius * cos(2 * M_PI * machine_uniform(m));
}

/* MACHINE_SEED in the environment is the first machine's number in place of 1. */
static inline unsigned int machine_seed(unsigned int seed)
{
	const char *first = getenv("MACHINE_SEED");

	return first ? seed + (unsigned int)atoi(first) - 1 : seed;
}

/* 5 W, and 10 W for a busy CPU. */
static inline void machine_plain(struct machine *m, unsigned int seed)
{
	seed = machine_seed(seed);
	*m = (struct machine){.random = 88172645463325252u + seed * 7919000031u,
		.meter = {.base_w = 5, .busy_w = 10, .seed = seed},
		.cpus = 2, .other = 0.02, .unsteady = 1};
	for (int i = 0; i < 50; i++)
		machine_uniform(m);
}

static inline void machine_of_chance(struct machine *m, unsigned int seed)
{
	struct meter *e = &m->meter;

	machine_plain(m, seed);
	e->base_w = machine_chance(m, 3, 40);
	e->busy_w = machine_chance(m, 6, 25);
	e->drift_w_per_s = machine_chance(m, -0.03, 0.05);
	e->noise_w = machine_chance(m, 0.05, 0.6);
	if (machine_uniform(m) < 0.5)
		e->fade_s = machine_chance(m, 0.5, 4);
	if (seed % 2) {
		e->outlier_w = machine_chance(m, 20, 80);
		e->outlier_n = 40;
		e->outlier_s = 0.5;
	}
}

/* Reads what the meter shows. */
static inline void machine_poll(struct machine *m)
{
	double w = (double)meter_uw(&m->meter, llround(m->t_s * 1e9)) * 1e-6, dt = m->t_s - m->poll_s;

	if (m->step_w > 0)
		w = round(w / m->step_w) * m->step_w;
	m->polled_j += dt * (w + m->poll_w) / 2;
	m->polled_s += dt;
	m->poll_s = m->t_s;
	m->poll_w = w;
	ck_assert_int_eq(history_poll(&m->readings.history, m->t_s - m->start_s, w), 0);
}

/* Time passes, in steps of 0.1 s. */
static inline void machine_go(struct machine *m, double to_s)
{
	while (m->t_s < to_s - 1e-9) {
		double dt = fmin(0.1, to_s - m->t_s), to_poll = m->poll_s + m->every_s - m->t_s;
		double other = fmax(m->other * (1 + m->unsteady * machine_normal(m)), 0), busy;
		struct load_sample s = the_load.live;

		if (m->start_s > 0 && m->every_s > 0 && to_poll > 1e-9)
			dt = fmin(dt, to_poll);
		busy = (m->own + fmin(other, m->cpus - m->own)) * dt;
		m->t_s += dt;
		m->own_s += m->own * dt;
		for (int i = 0; i < PLAN_TYPES_MAX; i++)
			m->type_s[i] += m->part[i] * m->own * dt;
		m->other_s += busy - m->own * dt;
		m->idle_s += m->cpus * dt - busy;
		s.t_ns = llround(m->t_s * 1e9);
		s.busy_s += busy + m->dear * dt;
		s.square += busy * busy / dt;
		load_add(&the_load, s);
		if (m->start_s > 0 && m->every_s > 0 && m->t_s >= m->poll_s + m->every_s - 1e-9)
			machine_poll(m);
	}
}

static inline double machine_joules(struct machine *m)
{
	double joules = (double)meter_uj(&m->meter, llround(m->t_s * 1e9)) / 1e6;

	return m->quantum_j > 0 ? floor(joules / m->quantum_j) * m->quantum_j : joules;
}

static inline double machine_grown(struct machine *m, double dt)
{
	double left = m->growth_fade_s > 0 ? exp(-dt / m->growth_fade_s) : 0;

	m->grown = left * m->grown + sqrt(1 - left * left) * machine_normal(m);
	return m->grown;
}

/* Returns the power as the meter shows it: with noise that grows with the load, and in steps. */
static inline double machine_shown(struct machine *m, double watts, double own, double dt)
{
	if (m->growth > 0)
		watts += m->growth * m->meter.busy_w * own * machine_grown(m, dt);
	return m->step_w > 0 && m->every_s == 0 ? round(watts / m->step_w) * m->step_w : watts;
}

/* Returns the power that other load takes beyond a load of the same size. */
static inline double machine_beyond(const struct machine *m, double other_s, double dt)
{
	double part = m->other_part > 0 ? m->other_part : 1;

	return (part - 1) * m->meter.busy_w * (m->other_s - other_s) / dt;
}

static inline double machine_ticks_s(const struct machine *m)
{
	return floor(m->idle_s * 100) / 100;
}

/* CPUs of different price: sets the costs of the load of a test, and the part of each type in it. */
static inline void machine_prices(struct machine *m, const struct plan_test *t)
{
	m->dear = 0;
	memset(m->part, 0, sizeof(m->part));
	for (unsigned int i = 0; i < m->cpus; i++) {
		if (!plan_loads(t, i))
			continue;
		m->part[plan_type_of(&m->plan, i)] += 1.0 / t->cpus;
		if (m->price_w[i] > 0)
			m->dear += m->own / t->cpus * (m->price_w[i] / m->meter.busy_w - 1);
	}
}

/* Adds CPUs of a type, each of which takes these watts. */
static inline void machine_add_type(struct machine *m, unsigned int cpus, double watts)
{
	m->cpus = m->types ? m->cpus : 0;
	m->type_cpus[m->types++] = cpus;
	for (unsigned int i = 0; i < cpus; i++)
		m->price_w[m->cpus++] = watts;
}

/* Two types of one CPU each; the meter's busy_w is the price of other load. */
static inline void machine_of_types(struct machine *m, unsigned int seed, double w0, double w1)
{
	machine_plain(m, seed);
	machine_add_type(m, 1, w0);
	machine_add_type(m, 1, w1);
}

/* Adds a look to the history, as measure.c does with each look at the clocks. */
static inline void machine_look(struct machine *m)
{
	double dt = m->t_s - m->look_s, idle = machine_ticks_s(m), use[HISTORY_USES] = {0};

	if (dt > 0)
		use[HISTORY_OTHER] = m->cpus - (idle - m->look_idle) / dt;
	for (unsigned int i = 0; dt > 0 && i < PLAN_TYPES_MAX; i++) {
		use[HISTORY_OWN + i] = (m->type_s[i] - m->look_type[i]) / dt;
		use[HISTORY_OTHER] -= use[HISTORY_OWN + i];
	}
	ck_assert_int_eq(history_look(&m->readings.history, m->t_s - m->start_s, use), 0);
	m->look_s = m->t_s;
	m->look_idle = idle;
	memcpy(m->look_type, m->type_s, sizeof(m->look_type));
}

static inline double machine_watts(struct machine *m, double joules, double dt)
{
	if (m->every_s == 0)
		return (machine_joules(m) - joules) / dt;
	if (m->t_s >= m->poll_s + fmin(m->every_s, 0.5) - 1e-9 || m->every_s < 0.5)
		machine_poll(m);
	return m->polled_s > 0 ? m->polled_j / m->polled_s : m->poll_w;
}

static inline int machine_reading(struct machine *m, unsigned int test, double dt)
{
	double joules = machine_joules(m), idle = machine_ticks_s(m), own = m->own_s;
	double other_s = m->other_s, watts;
	const struct plan_test *t = &m->plan.test[test];
	struct reading r = {.t_s = m->t_s - m->start_s + dt / 2, .dt_s = dt, .test = test,
		.block = test, .ppm = t->ppm, .load_ppm = plan_load(&m->plan, t), .cpus = t->cpus};

	m->polled_j = m->polled_s = 0;
	machine_go(m, m->t_s + dt);
	for (unsigned int f = 0; f < F_N; f++)
		r.v[f] = NAN;
	r.v[F_OWN] = (m->own_s - own) / dt;
	r.v[F_OTHER] = m->cpus - (machine_ticks_s(m) - idle) / dt - r.v[F_OWN];
	r.v[F_OPS] = r.v[F_OWN] * 6e8;
	watts = machine_watts(m, joules, dt) + machine_beyond(m, other_s, dt);
	r.v[F_WATTS] = machine_shown(m, watts, r.v[F_OWN], dt);
	for (unsigned int i = 0; i < m->cpus; i++)
		if (plan_loads(t, i))
			r.own_of[plan_type_of(&m->plan, i)] += r.v[F_OWN] / t->cpus;
	machine_look(m);
	return readings_add(&m->readings, &r, NULL);
}

static inline int machine_test(struct machine *m, unsigned int test)
{
	double slot_s = (double)m->plan.slot_ns * 1e-9, end_s = m->start_s + (test + 1) * slot_s;
	double settle_s = fmax((double)m->plan.settle_ns * 1e-9, slot_s / 4);
	int err = 0;

	m->own = plan_load(&m->plan, &m->plan.test[test]) * 1e-6 * m->plan.test[test].cpus;
	machine_prices(m, &m->plan.test[test]);
	machine_go(m, end_s - slot_s + settle_s);
	if (m->every_s > 0 && m->every_s < 0.5)
		machine_poll(m);
	machine_look(m);
	for (int left = (int)(end_s - m->t_s + 1e-6); err == 0 && left > 0; left--)
		err = machine_reading(m, test, (end_s - m->t_s) / left);
	return err;
}

/* A run of this plan; the caller frees it. */
static inline int machine_run_plan(struct machine *m, const struct plan_want *want)
{
	int err = plan_make(&m->plan, want);

	the_load.n = 0;
	the_load.cpus = m->cpus;
	load_add(&the_load, (struct load_sample){0});
	machine_go(m, machine_chance(m, 1, 30));
	m->start_s = m->look_s = m->poll_s = m->t_s;
	m->look_idle = machine_ticks_s(m);
	machine_look(m);
	if (m->every_s > 0)
		machine_poll(m);
	m->readings.online = m->cpus;
	m->readings.gauge = m->every_s > 0.5;
	m->readings.average_s = m->readings.gauge || m->untold ? 0 : m->meter.average_s;
	for (unsigned int i = 0; err == 0 && i < m->plan.n; i++)
		err = machine_test(m, i);
	if (err == 0)
		err = model_fit(&m->model, &m->readings, &m->plan, false);
	m->base_w = m->meter.base_w + m->meter.drift_w_per_s * (m->start_s + m->model.middle_s);
	return err;
}

/* A run of -r 10 -s 3; the caller frees it. */
static inline int machine_run(struct machine *m, unsigned int seed)
{
	const struct plan_want want = {.cpus = m->cpus, .levels = 3,
		.test_ns = 10 * SM_NSEC_PER_SEC, .interval_ns = SM_NSEC_PER_SEC, .seed = seed};

	return machine_run_plan(m, &want);
}

/* The same run with --by=type; test_s: -r. */
static inline int machine_run_types(struct machine *m, unsigned int seed, unsigned int test_s)
{
	const struct plan_want want = {.cpus = m->cpus, .levels = 3,
		.type_cpus = m->type_cpus, .types = m->types,
		.test_ns = test_s * SM_NSEC_PER_SEC, .interval_ns = SM_NSEC_PER_SEC, .seed = seed};

	return machine_run_plan(m, &want);
}

static inline int machine_run_by_type(struct machine *m, unsigned int seed)
{
	return machine_run_types(m, seed, 10);
}

static inline void machine_fini(struct machine *m)
{
	plan_fini(&m->plan);
	readings_fini(&m->readings);
	model_fini(&m->model);
}

static inline bool machine_in(const struct sm_autocorr_estimate *e, double truth)
{
	return e->low <= truth && truth <= e->high;
}

#endif
