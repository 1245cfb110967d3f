// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "attr.h"
#include "clock.h"
#include "parse.h"
#include "rapl.h"
#include "rapl_zones.h"

#define HOLD_MAX       3u /* readings that may be wrong before we believe them */
#define MIRROR_UJ      UINT64_C(1000000)
#define MOVED_MIN_UJ   UINT64_C(50000) /* less tells nothing of two counters */
#define MOVED_SLACK_UJ UINT64_C(10000)
#define DEAD_SPAN_NS   (50 * SM_NSEC_PER_MSEC) /* counters move every millisecond */
#define STALE_MAX      5u
#define GAP_MIN_NS     (10 * SM_NSEC_PER_MSEC)
#define GAP_MAX_NS     (3600 * SM_NSEC_PER_SEC)
#define REOPEN_NS      (10 * SM_NSEC_PER_SEC)
#define SLOW_NS	       (SM_NSEC_PER_MSEC / 2)
#define TRIES	       3u
#define NSEC_PER_SEC_D 1e9 /* uW x ns / this = uJ */

/* ---- one counter ---- */

static uint64_t span(uint64_t from_ns, uint64_t to_ns)
{
	return to_ns > from_ns ? to_ns - from_ns : 0;
}

/* What a zone can have used in that time. */
static double most_uj(const struct sm_rapl_zone *z, uint64_t ns)
{
	return (double)z->cap_uw * (double)ns / NSEC_PER_SEC_D;
}

/* So long that it could have come round to where it was. */
static bool too_long(const struct sm_rapl_zone *z, uint64_t ns)
{
	return z->range_uj > 0 && most_uj(z, ns) > (double)z->range_uj;
}

static bool is_wrap(const struct sm_rapl_zone *z, uint64_t old, uint64_t now)
{
	return now < old && old <= z->range_uj && old > z->range_uj / 2 &&
	       now < z->range_uj / 2;
}

/*
 * The energy between two numbers; false when there is none that could be true.  A 0 is
 * what some counters say when they have nothing to say: it is believed when it stays.
 */
static bool step(const struct sm_rapl_zone *z, uint64_t old, uint64_t now, uint64_t ns,
	uint64_t *uj)
{
	if (now >= old)
		*uj = now - old;
	else if (now > 0 && is_wrap(z, old, now))
		*uj = z->range_uj - old + now + 1;
	else
		return false;
	return !too_long(z, ns) && (double)*uj <= most_uj(z, ns);
}

static void rebase(struct sm_rapl_zone *z, uint64_t uj, uint64_t now_ns)
{
	z->has_base = true;
	z->base_uj = uj;
	z->base_ns = z->read_ns = now_ns;
	z->prev_ns = 0;
	z->held = 0;
	z->doubt = false;
}

static void add(struct sm_rapl_zone *z, uint64_t uj, uint64_t ns)
{
	z->energy_uj += uj;
	z->covered_ns += ns;
	z->last_uj = uj;
	z->last_ns = ns;
}

static void believe(
	struct sm_rapl_zone *z, uint64_t uj, uint64_t now_ns, uint64_t more, uint64_t ns)
{
	uint64_t prev_uj = z->base_uj, prev_ns = z->base_ns;

	z->wraps += uj < z->base_uj;
	add(z, more, ns);
	rebase(z, uj, now_ns);
	z->prev_uj = prev_uj;
	z->prev_ns = prev_ns;
}

/* More than the zone may draw, over a time in which the counter's own step is small. */
static bool above_limit(const struct sm_rapl_zone *z, uint64_t more, uint64_t ns)
{
	return z->limit_uw > 0 && ns >= DEAD_SPAN_NS &&
	       (double)more > (double)z->limit_uw * (double)ns / NSEC_PER_SEC_D;
}

static void begin_doubt(struct sm_rapl_zone *z, uint64_t uj, uint64_t now_ns)
{
	z->held = 1;
	z->doubt = true;
	z->line = false;
	z->next_uj = uj;
	z->next_ns = now_ns;
	z->next_sum_uj = z->next_span_ns = 0;
}

/* A high load goes on from the number that was doubted, a glitch does not. */
static void end_doubt(struct sm_rapl_zone *z, uint64_t uj, uint64_t now_ns)
{
	uint64_t ns = span(z->next_ns, now_ns), more;

	z->doubt = false;
	if (!step(z, z->next_uj, uj, ns, &more))
		z->glitches++;
	else if (above_limit(z, more, ns))
		z->high = true;
}

/*
 * A number that does not follow from the last good one.  Either it is wrong, and soon
 * there will be one that does; or the counter has started elsewhere.  Then the base
 * moves, and what is lost is only the stretch before the first of the numbers held, if
 * they agree.  Two of them that go on from the number before the last good one say that
 * this one was the glitch: then there is nothing to wait for.
 */
static void hold(struct sm_rapl_zone *z, uint64_t uj, uint64_t now_ns)
{
	uint64_t ns = span(z->next_ns, now_ns), more;
	bool agree = z->held > 0 && step(z, z->next_uj, uj, ns, &more);

	if (z->held == 0) {
		z->glitches++;
		z->line = z->prev_ns > 0 &&
			  step(z, z->prev_uj, uj, span(z->prev_ns, now_ns), &more);
	}
	z->next_sum_uj = agree ? z->next_sum_uj + more : 0;
	z->next_span_ns = agree ? z->next_span_ns + ns : 0;
	z->next_uj = uj;
	z->next_ns = now_ns;
	if (++z->held <= HOLD_MAX && !(agree && z->line && z->held == 2))
		return;
	z->rebased++;
	add(z, z->next_sum_uj, z->next_span_ns);
	rebase(z, uj, now_ns);
}

static void remember(struct sm_rapl_zone *z, uint64_t uj, uint64_t now_ns)
{
	z->before_uj = z->raw_uj;
	z->before_ns = z->raw_ns;
	z->raw_uj = uj;
	z->raw_ns = now_ns;
	z->last_uj = z->last_ns = 0;
}

void sm_rapl_feed(struct sm_rapl_zone *z, uint64_t uj, uint64_t now_ns)
{
	uint64_t ns = span(z->base_ns, now_ns), more;

	remember(z, uj, now_ns);
	if (!z->has_base) {
		rebase(z, uj, now_ns);
		return;
	}
	if (z->doubt)
		end_doubt(z, uj, now_ns);
	if (step(z, z->base_uj, uj, ns, &more)) {
		if (z->held == 0 && !z->high && above_limit(z, more, ns))
			begin_doubt(z, uj, now_ns);
		else
			believe(z, uj, now_ns, more, ns);
		return;
	}
	if (z->held == 0 && too_long(z, ns)) {
		z->rebased++;
		rebase(z, uj, now_ns);
		return;
	}
	hold(z, uj, now_ns);
}

/* ---- twins and mirrors ---- */

static void keep_role(struct sm_rapl_zone *z, const struct sm_rapl_zone *role)
{
	memcpy(z->label, role->label, sizeof(z->label));
	z->parent = role->parent;
	z->partner = role->partner;
	z->package = role->package;
	z->die = role->die;
	z->why = role->why;
	z->skip = role->skip;
	z->apart = role->apart;
	z->energy_uj = role->energy_uj;
	z->covered_ns = role->covered_ns;
	z->wraps = role->wraps;
	z->glitches = role->glitches;
	z->rebased = role->rebased;
	z->stale = 0;
}

/* b has just been read; the stretch that a is behind is covered by b already. */
static void exchange(struct sm_rapl *r, struct sm_rapl_zone *a, struct sm_rapl_zone *b)
{
	struct sm_rapl_zone role_a = *a, role_b = *b;

	*a = role_b;
	keep_role(a, &role_a);
	*b = role_a;
	keep_role(b, &role_b);
	if (b->error < 0 || b->held > 0)
		b->has_base = false;
	b->held = 0;
	r->exchanged++;
}

/* Has the twin shown that the counter in the total is dead?  At once when it never moved.
 */
static bool stands_still(struct sm_rapl_zone *z, const struct sm_rapl_zone *twin)
{
	if (z->last_uj > 0)
		z->stale = 0;
	if (z->last_ns == 0 || z->last_uj > 0 || twin->last_uj == 0)
		return false;
	if (z->energy_uj == 0)
		return z->covered_ns >= DEAD_SPAN_NS;
	return ++z->stale >= STALE_MAX;
}

static bool gone(const struct sm_rapl_zone *z)
{
	return z->error == -ENODEV || z->error == -ENOENT;
}

static void watch_pair(
	struct sm_rapl *r, struct sm_rapl_zone *z, struct sm_rapl_zone *other)
{
	if (other->error < 0 || other->fd < 0 || other->held > 0)
		return;
	if (z->error < 0) {
		if (z->read_ns == 0 || gone(z) || ++z->stale >= STALE_MAX)
			exchange(r, z, other);
		return;
	}
	if (other->why != SM_RAPL_TWIN || !stands_still(z, other))
		return;
	exchange(r, z, other);
	if (z->energy_uj > 0)
		return;
	/* It never moved: all that there was is what the other one has seen. */
	z->energy_uj = other->energy_uj;
	if (z->covered_ns < other->covered_ns)
		z->covered_ns = other->covered_ns;
	/* And what is the other one now has not moved just now. */
	other->energy_uj -= z->last_uj;
}

/* On the ring of the counter's range, where it is known. */
static uint64_t distance(const struct sm_rapl_zone *z, uint64_t a, uint64_t b)
{
	uint64_t d = a > b ? a - b : b - a;

	return d <= z->range_uj && z->range_uj - d + 1 < d ? z->range_uj - d + 1 : d;
}

/* Counters that began at 0 together lie close for a while; but then they part. */
static bool moved_alike(const struct sm_rapl_zone *a, const struct sm_rapl_zone *b)
{
	uint64_t of_a = distance(a, a->raw_uj, a->before_uj);
	uint64_t of_b = distance(b, b->raw_uj, b->before_uj);
	uint64_t more = of_a > of_b ? of_a - of_b : of_b - of_a;

	return of_a >= MOVED_MIN_UJ && more <= of_a / 16 + MOVED_SLACK_UJ;
}

static bool equal_twice(const struct sm_rapl_zone *a, const struct sm_rapl_zone *b)
{
	return a->before_ns && b->before_ns && moved_alike(a, b) &&
	       distance(a, a->raw_uj, b->raw_uj) <= MIRROR_UJ &&
	       distance(a, a->before_uj, b->before_uj) <= MIRROR_UJ;
}

/* Further apart than the time between the two readings could explain. */
static bool differ(const struct sm_rapl_zone *a, const struct sm_rapl_zone *b)
{
	uint64_t ns = span(a->raw_ns, b->raw_ns) + span(b->raw_ns, a->raw_ns);

	return (double)distance(a, a->raw_uj, b->raw_uj) >
	       (double)MIRROR_UJ + most_uj(a, ns);
}

static bool may_mirror(const struct sm_rapl_zone *a, const struct sm_rapl_zone *b)
{
	return a->why == SM_RAPL_COUNTED && b->why == SM_RAPL_COUNTED &&
	       a->kind == b->kind && a->package == b->package && a->die != b->die &&
	       !b->apart && sm_rapl_same_type(a, b) && a->error == 0 && b->error == 0;
}

static void find_mirror(struct sm_rapl *r, unsigned int i)
{
	struct sm_rapl_zone *z = &r->zone[i];

	if (z->die < 0)
		return;
	if (z->why == SM_RAPL_MIRROR) {
		struct sm_rapl_zone *lead = &r->zone[z->partner];

		z->apart = z->error == 0 && lead->error == 0 && differ(lead, z);
		if (z->apart)
			sm_rapl_mark(r, i, SM_RAPL_COUNTED, -1);
		return;
	}
	for (unsigned int k = 0; k < i; k++)
		if (may_mirror(&r->zone[k], z) && equal_twice(&r->zone[k], z)) {
			sm_rapl_mark(r, i, SM_RAPL_MIRROR, (int)k);
			return;
		}
}

/* Dies with counters equal to 1 J at the last two readings are one counter. */
static void find_mirrors(struct sm_rapl *r)
{
	for (unsigned int i = 1; i < r->n; i++)
		find_mirror(r, i);
}

void sm_rapl_settle(struct sm_rapl *r)
{
	for (unsigned int i = 0; i < r->n; i++)
		if (r->zone[i].partner >= 0)
			watch_pair(r, &r->zone[r->zone[i].partner], &r->zone[i]);
	find_mirrors(r);
}

/* ---- reading ---- */

/* Without a number there is no figure; the next good one bridges it. */
static void failed(struct sm_rapl_zone *z, int err)
{
	z->error = err;
	z->last_uj = z->last_ns = 0;
	if (gone(z))
		sm_close_fd(&z->fd);
}

void sm_rapl_allow_reopen(struct sm_rapl *r)
{
	r->reopen = true;
}

/* At most every REOPEN_NS; the clock is not asked when all are there. */
static void reopen_gone(struct sm_rapl *r)
{
	uint64_t now_ns = 0;

	for (unsigned int i = 0; r->reopen && i < r->n; i++) {
		struct sm_rapl_zone *z = &r->zone[i];

		if (z->fd >= 0 || z->skip || !gone(z))
			continue;
		now_ns = now_ns ? now_ns : sm_mono_ns();
		if (now_ns < r->reopen_ns)
			return;
		sm_rapl_reopen_zone(r, z);
	}
	if (now_ns)
		r->reopen_ns = now_ns + REOPEN_NS;
}

static bool any_counted_value(const struct sm_rapl *r)
{
	for (unsigned int i = 0; i < r->n; i++)
		if (r->zone[i].why == SM_RAPL_COUNTED && r->zone[i].error == 0)
			return true;
	return false;
}

/* One that fails from the beginning is as one that could not be opened, until it gives a
 * value.  When all fail it is the source that does, and not a part of it. */
static void mark_readable(struct sm_rapl *r)
{
	bool first = r->readings == 1 && any_counted_value(r);

	for (unsigned int i = 0; i < r->n; i++) {
		const struct sm_rapl_zone *z = &r->zone[i];

		if (z->why == SM_RAPL_UNREADABLE && z->error == 0)
			sm_rapl_mark(r, i, SM_RAPL_COUNTED, z->partner);
		else if (first && z->why == SM_RAPL_COUNTED && z->error < 0)
			sm_rapl_mark(r, i, SM_RAPL_UNREADABLE, z->partner);
	}
}

static bool all_gone(const struct sm_rapl *r)
{
	for (unsigned int i = 0; i < r->n; i++)
		if (r->zone[i].why == SM_RAPL_COUNTED && !gone(&r->zone[i]))
			return false;
	return r->counted > 0;
}

/* Reads once more when it took so long that nobody can say when the number was true. */
static int read_timely(int fd, uint64_t *uj, uint64_t *at_ns)
{
	uint64_t before = sm_mono_ns(), best_ns = UINT64_MAX;
	int err = 0;

	for (unsigned int i = 0; i < TRIES && best_ns > SLOW_NS; i++) {
		uint64_t value = 0, after;

		err = sm_attr_read_u64(fd, &value);
		if (err < 0)
			return err;
		after = sm_mono_ns();
		if (after - before < best_ns) {
			best_ns = after - before;
			*at_ns = before + best_ns / 2;
			*uj = value;
		}
		before = after;
	}
	return err;
}

int sm_rapl_read(struct sm_rapl *r)
{
	uint64_t at_ns = 0, uj = 0;
	int got = 0;

	reopen_gone(r);
	for (unsigned int i = 0; i < r->n; i++) {
		struct sm_rapl_zone *z = &r->zone[i];
		int err;

		if (z->fd < 0 || z->skip)
			continue;
		err = read_timely(z->fd, &uj, &at_ns);
		if (err < 0) {
			failed(z, err);
			continue;
		}
		z->error = 0;
		sm_rapl_feed(z, uj, at_ns);
		got++;
	}
	r->readings++;
	sm_rapl_settle(r);
	mark_readable(r);
	return all_gone(r) ? -ENODEV : got;
}

/* Also when it cannot be read at present. */
static bool of_total(const struct sm_rapl_zone *z)
{
	return z->why == SM_RAPL_COUNTED || z->why == SM_RAPL_UNREADABLE;
}

void sm_rapl_only_total(struct sm_rapl *r)
{
	for (unsigned int i = 0; i < r->n; i++) {
		struct sm_rapl_zone *z = &r->zone[i];
		const struct sm_rapl_zone *lead =
			z->partner < 0 ? z : &r->zone[z->partner];

		z->skip = !of_total(lead) && !of_total(z);
	}
}

void sm_rapl_rebase(struct sm_rapl *r)
{
	for (unsigned int i = 0; i < r->n; i++) {
		r->zone[i].has_base = false;
		r->zone[i].held = 0;
		r->zone[i].raw_ns = r->zone[i].before_ns = 0;
	}
}

uint64_t sm_rapl_gap_ns(const struct sm_rapl *r)
{
	double least = (double)GAP_MAX_NS;

	for (unsigned int i = 0; i < r->n; i++) {
		const struct sm_rapl_zone *z = &r->zone[i];
		double ns = (double)z->range_uj / 2 * NSEC_PER_SEC_D / (double)z->cap_uw;

		if (z->fd >= 0 && !z->skip && z->range_uj > 0 && ns < least)
			least = ns;
	}
	return least < (double)GAP_MIN_NS ? GAP_MIN_NS : (uint64_t)least;
}
