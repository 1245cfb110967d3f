// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>

#include "base/clock.h"
#include "power/rapl_counter.h"

#define HOLD_MAX       3u /* held readings; the next one is accepted */
#define LIMIT_SPAN_NS  (50 * SM_NSEC_PER_MSEC) /* includes many updates of the counter */
#define NSEC_PER_SEC_D 1e9		       /* uW x ns / this = uJ */
/* If no constraint is known, a jump is in doubt above both limits. */
#define DOUBT_FACTOR 8
#define DOUBT_MIN_UW 1e8

static uint64_t span(struct sm_rapl_reading from, struct sm_rapl_reading to)
{
	return to.ns > from.ns ? to.ns - from.ns : 0;
}

double sm_rapl_counter_most_uj(const struct sm_rapl_counter *c, uint64_t ns)
{
	return (double)c->cap_uw * (double)ns / NSEC_PER_SEC_D;
}

bool sm_rapl_counter_removed(const struct sm_rapl_counter *c)
{
	return c->error == -ENODEV || c->error == -ENOENT;
}

/* Returns whether the counter can have passed its whole range. */
static bool too_long(const struct sm_rapl_counter *c, uint64_t ns)
{
	return c->range_uj > 0 && sm_rapl_counter_most_uj(c, ns) > (double)c->range_uj;
}

static bool is_wrap(const struct sm_rapl_counter *c, uint64_t old, uint64_t now)
{
	return now < old && old <= c->range_uj && old > c->range_uj / 2 &&
	       now < c->range_uj / 2;
}

/* Returns the time in which the counter can have wrapped, without the time during which
 * it is known to have kept the value of base. */
static uint64_t unseen(const struct sm_rapl_counter *c, struct sm_rapl_reading old,
	struct sm_rapl_reading now)
{
	if (old.ns == c->base.ns)
		old.ns = c->seen_ns;
	return span(old, now);
}

/* Sets energy and time between two readings; returns false if no energy is plausible.  A
 * 0 is not treated as a wrap: some counters read 0 while their value is unknown. */
static bool step(const struct sm_rapl_counter *c, struct sm_rapl_reading old,
	struct sm_rapl_reading now, struct sm_rapl_reading *d)
{
	d->ns = span(old, now);
	if (now.uj >= old.uj)
		d->uj = now.uj - old.uj;
	else if (now.uj > 0 && is_wrap(c, old.uj, now.uj))
		d->uj = c->range_uj - old.uj + now.uj + 1;
	else
		return false;
	return !too_long(c, unseen(c, old, now)) &&
	       (double)d->uj <= sm_rapl_counter_most_uj(c, d->ns);
}

static void rebase(struct sm_rapl_counter *c, struct sm_rapl_reading now)
{
	c->has_base = true;
	c->base = now;
	c->seen_ns = now.ns;
	c->prev.ns = 0;
	c->held = 0;
	c->doubt = false;
}

static void add(
	struct sm_rapl_counter *c, struct sm_rapl_sums *sums, struct sm_rapl_reading d)
{
	sums->energy_uj += d.uj;
	sums->covered_ns += d.ns;
	c->added = d;
}

static double power_uw(struct sm_rapl_reading d)
{
	return (double)d.uj * NSEC_PER_SEC_D / (double)d.ns;
}

static void accept_reading(struct sm_rapl_counter *c, struct sm_rapl_sums *sums,
	struct sm_rapl_reading now, struct sm_rapl_reading d)
{
	struct sm_rapl_reading prev = c->base;

	sums->wraps += now.uj < prev.uj;
	add(c, sums, d);
	rebase(c, now);
	c->prev = prev;
	c->base_uj = d.uj;
	c->before_base_uw = c->highest_uw;
	if (d.ns >= LIMIT_SPAN_NS)
		c->highest_uw = fmax(c->highest_uw, power_uw(d));
}

/* Returns the power above which a jump is in doubt. */
static double doubt_uw(const struct sm_rapl_counter *c)
{
	double limit_uw = (double)c->limit_uw;

	if (c->highest_uw <= 0 && c->limit_uw == 0)
		return INFINITY; /* nothing to compare with */
	if (c->limit_uw > 0)
		return c->highest_uw > limit_uw ? INFINITY : limit_uw;
	return fmax(DOUBT_FACTOR * c->highest_uw, DOUBT_MIN_UW);
}

static bool is_doubtful(const struct sm_rapl_counter *c, struct sm_rapl_reading d)
{
	return d.ns >= LIMIT_SPAN_NS && power_uw(d) > doubt_uw(c);
}

static void begin_doubt(struct sm_rapl_counter *c, struct sm_rapl_reading now, double uw)
{
	c->held = 1;
	c->doubt = true;
	c->jumped = false;
	c->doubt_uw = uw;
	c->line.ns = 0;
	c->next = now;
	c->next_sum = (struct sm_rapl_reading){0, 0};
}

/* A high load continues from the held reading; after a glitch, the counter does not. */
static void end_doubt(
	struct sm_rapl_counter *c, struct sm_rapl_sums *sums, struct sm_rapl_reading now)
{
	struct sm_rapl_reading d;

	c->doubt = false;
	sums->glitches += !step(c, c->next, now, &d);
}

/* The base was a glitch: its energy is retracted, and the energy since prev is added. */
static void retract_base(
	struct sm_rapl_counter *c, struct sm_rapl_sums *sums, struct sm_rapl_reading now)
{
	struct sm_rapl_reading d = {
		c->line.uj + c->next_sum.uj, c->line.ns + c->next_sum.ns};

	sums->retracted_uj += c->base_uj;
	c->highest_uw = c->before_base_uw;
	add(c, sums, d);
	rebase(c, now);
}

/* Returns whether a counter of unknown range has wrapped or restarted: it fell, and d is
 * the step from the first reading after the fall to the last.  A glitch that falls lasts
 * for one reading, or stands still. */
static bool has_wrapped(const struct sm_rapl_counter *c, struct sm_rapl_reading d)
{
	return c->range_uj == 0 && c->held > 1 && c->next.uj < c->base.uj && d.uj > 0;
}

/* Keeps the power of a reading that rose too fast. */
static void note_refused(struct sm_rapl_counter *c, struct sm_rapl_reading now)
{
	struct sm_rapl_reading d = {now.uj - c->base.uj, span(c->base, now)};

	if (now.uj > c->base.uj && d.ns && power_uw(d) > (double)c->cap_uw)
		c->refused_uw = power_uw(d);
}

/*
 * A reading that does not follow from the base is wrong, or the counter has restarted.
 * After a restart the base is replaced; if the held readings agree, only the time before
 * the first of them is dropped.  Two held readings that follow from the reading before
 * the base show that the base itself was the glitch.
 */
static void hold(
	struct sm_rapl_counter *c, struct sm_rapl_sums *sums, struct sm_rapl_reading now)
{
	struct sm_rapl_reading d = {0, 0};
	bool agree = c->held > 0 && step(c, c->next, now, &d);

	note_refused(c, now);
	if (!agree)
		c->jumped = now.uj > c->base.uj && span(c->base, now) >= LIMIT_SPAN_NS;
	if (c->held == 0) {
		sums->glitches++;
		if (c->prev.ns == 0 || c->jumped || !step(c, c->prev, now, &c->line))
			c->line.ns = 0;
	}
	c->next_sum.uj = agree ? c->next_sum.uj + d.uj : 0;
	c->next_sum.ns = agree ? c->next_sum.ns + d.ns : 0;
	c->next = now;
	if (++c->held == 2 && agree && c->line.ns > 0) {
		retract_base(c, sums, now);
	} else if (c->held > HOLD_MAX || (agree && has_wrapped(c, d))) {
		sums->rebased++;
		add(c, sums, c->next_sum);
		rebase(c, now);
	}
}

/* Adds nothing; the next step also covers this time.  Exceptions are a domain that can be
 * switched off, and a time so short that it may not include an update. */
static void stand_still(
	struct sm_rapl_counter *c, struct sm_rapl_sums *sums, struct sm_rapl_reading now)
{
	struct sm_rapl_reading d = {0, span(c->base, now)};

	c->held = 0;
	if ((c->can_rest && sums->energy_uj > 0) || d.ns < LIMIT_SPAN_NS) {
		accept_reading(c, sums, now, d);
		return;
	}
	sums->still++;
	c->seen_ns = now.ns;
}

static void remember(struct sm_rapl_counter *c, struct sm_rapl_reading now)
{
	c->before = c->raw;
	c->raw = now;
	c->added = (struct sm_rapl_reading){0, 0};
}

/* Returns whether the held reading rose faster than possible and the counter continues
 * from there: then the mean of a longer time is not possible, either.  In a short time,
 * one update of the counter can have the energy of a longer time. */
static bool has_jumped(const struct sm_rapl_counter *c, struct sm_rapl_reading now)
{
	struct sm_rapl_reading d;

	return c->held > 0 && c->jumped && now.uj >= c->next.uj &&
	       step(c, c->next, now, &d);
}

void sm_rapl_counter_feed(struct sm_rapl_counter *c, struct sm_rapl_sums *sums,
	uint64_t uj, uint64_t now_ns)
{
	struct sm_rapl_reading now = {uj, now_ns}, d;

	remember(c, now);
	if (!c->has_base) {
		rebase(c, now);
		return;
	}
	if (c->doubt)
		end_doubt(c, sums, now);
	if (now.uj == c->base.uj) {
		stand_still(c, sums, now);
	} else if (!has_jumped(c, now) && step(c, c->base, now, &d)) {
		if (c->held == 0 && is_doubtful(c, d))
			begin_doubt(c, now, power_uw(d));
		else
			accept_reading(c, sums, now, d);
	} else if (c->held == 0 && too_long(c, unseen(c, c->base, now))) {
		sums->rebased++;
		rebase(c, now);
	} else {
		hold(c, sums, now);
	}
}

void sm_rapl_counter_fail(struct sm_rapl_counter *c, int err)
{
	c->error = err;
	c->added = (struct sm_rapl_reading){0, 0};
}

void sm_rapl_counter_forget(struct sm_rapl_counter *c)
{
	c->has_base = false;
	c->held = 0;
	c->raw.ns = c->before.ns = 0;
}
