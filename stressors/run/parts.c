// SPDX-License-Identifier: GPL-2.0-or-later
#include "parts.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* The round, from 0, in which --spoil damages data: the first one finds the calls that
 * are absent. */
#define SPOILT_ROUND 1
/* Parts that a note names; STRESS_REASON limits it in any case. */
#define NAMED 5

enum { WRONG = INT_MIN, PUT_OFF };

const struct stressor_metric parts_metrics[] = {
	[PARTS_NS] = {"time per part", "ns", .mean = MEAN_ARITHMETIC,
		.headline = "ns per part"},
	[PARTS_WORKED] = {"parts", "", .mean = MEAN_MIN},
	{0},
};

void parts_init(struct parts *p, struct stress *s, const struct part *table)
{
	*p = (struct parts){.s = s, .part = table};
	while (p->n < PARTS_MAX && table[p->n].name)
		p->n++;
}

/* --- for the parts ------------------------------------------------------------------ */

int parts_wrong(struct parts *p, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(p->wrong, sizeof(p->wrong), fmt, ap);
	va_end(ap);
	return WRONG;
}

int parts_put_off(void)
{
	return PUT_OFF;
}

int parts_refused(struct parts *p, long r, int error, const char *call)
{
	if (r >= 0)
		return parts_wrong(p, "%s: result %ld instead of the error: %s", call, r,
			strerror(error));
	if (errno != error)
		return parts_wrong(p, "%s: error: %s; expected: %s", call,
			strerror(errno), strerror(error));
	return 0;
}

long parts_result(long r)
{
	return r < 0 ? -errno : r;
}

bool parts_spoil(const struct parts *p)
{
	return p->s->spoil && p->rounds == SPOILT_ROUND;
}

/* --- rounds ------------------------------------------------------------------------- */

static bool means_absent(const struct part *part, int error)
{
	if (error == ENOSYS || error == EOPNOTSUPP)
		return true;
	for (unsigned int i = 0; i < PARTS_ERRNOS && part->absent[i]; i++)
		if (part->absent[i] == error)
			return true;
	return false;
}

static int run_part(struct parts *p, unsigned int i)
{
	const struct part *part = &p->part[i];
	uint64_t begin_ns = sm_clock_mono_ns();
	int r;

	p->with = part->with;
	r = part->run(p);
	if (r == 0) {
		p->ns += sm_clock_mono_ns() - begin_ns;
		p->runs++;
		p->has_worked[i] = true;
		return 0;
	}
	if (r == PUT_OFF)
		return 0;
	if (r == WRONG)
		return stress_fail(p->s, "%s: %s", part->name, p->wrong);
	if (r > 0)
		return stress_fail(
			p->s, "%s: a call returned %d instead of 0", part->name, r);
	if (!p->has_worked[i] && means_absent(part, -r)) {
		p->left_out[i] = -r;
		return 0;
	}
	return stress_error(p->s, STRESS_FAIL, -r, "%s", part->name);
}

static unsigned int worked(const struct parts *p)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < p->n; i++)
		n += p->left_out[i] == 0;
	return n;
}

/* Writes "left out: A (why), B (why) and 3 more". */
static void describe(const struct parts *p, char *text, size_t size)
{
	unsigned int named = 0, more = p->n - worked(p);
	size_t used = (size_t)snprintf(text, size, "left out:");

	for (unsigned int i = 0; i < p->n && named < NAMED; i++) {
		if (!p->left_out[i])
			continue;
		used += (size_t)snprintf(text + used, size - used, "%s %s (%s)",
			named ? "," : "", p->part[i].name, strerror(p->left_out[i]));
		if (used >= size)
			return;
		named++;
	}
	if (more > named)
		snprintf(text + used, size - used, " and %u more", more - named);
}

/* Skips the stressor, because all parts were left out. */
static int skip(struct parts *p)
{
	char text[STRESS_REASON];

	describe(p, text, sizeof(text));
	return stress_skip(p->s, "%s", text);
}

static void note_left_out(struct parts *p)
{
	char text[STRESS_REASON];

	if (worked(p) == p->n)
		return;
	describe(p, text, sizeof(text));
	stress_note(p->s, "%s", text);
}

/* Runs a round.  One that is cut off by the end of the run is not counted. */
static int one_round(struct parts *p)
{
	int r = 0;

	for (unsigned int i = 0; i < p->n && r == 0; i++) {
		if (stress_stopped(p->s))
			return 0;
		if (!p->left_out[i])
			r = run_part(p, i);
	}
	if (r == 0 && worked(p) == 0)
		r = skip(p);
	if (r)
		return r;
	p->rounds++;
	stress_add(p->s, 1);
	return 0;
}

int parts_run(struct parts *p)
{
	int r = 0;

	while (r == 0 && stress_goes_on(p->s))
		r = one_round(p);
	if (p->rounds == 0)
		return r;
	if (p->runs)
		stress_metric(p->s, PARTS_NS, (double)p->ns / (double)p->runs);
	stress_metric(p->s, PARTS_WORKED, worked(p));
	note_left_out(p);
	return r;
}
