// SPDX-License-Identifier: GPL-2.0-or-later
#include "pick.h"

#include <errno.h>

#include "stress.h"

static bool is_pathological(const struct stressor *s)
{
	return s->classes & CLASS_PATHOLOGICAL;
}

static int check_named(const struct pick *p, struct sm_buf *why)
{
	for (size_t i = 0; p->list[i]; i++) {
		const struct pick_one *one = &p->one[i];

		if (p->pathological || !is_pathological(p->list[i]) || one->excluded)
			continue;
		if (!one->named && !one->with)
			continue;
		sm_buf_printf(why,
			"%s can make the machine unusable; it needs --pathological",
			p->list[i]->name);
		return -EINVAL;
	}
	return 0;
}

static int check(const struct pick *p, struct sm_buf *why)
{
	if ((p->classes || p->with) && !p->all && !p->seq && !p->random) {
		sm_buf_printf(why, "%s needs --all N or --seq N",
			p->classes ? "--class" : "--with");
		return -EINVAL;
	}
	if (p->all && p->random) {
		sm_buf_str(why, "--all and --random cannot be used together");
		return -EINVAL;
	}
	return check_named(p, why);
}

static size_t put_named(const struct pick *p, struct picked *out)
{
	size_t n = 0;

	for (size_t i = 0; i < p->n_named; i++)
		if (!p->one[p->named[i].at].excluded)
			out[n++] =
				(struct picked){p->named[i].at, p->named[i].instances, i};
	return n;
}

static bool is_chosen(const struct pick *p, size_t i)
{
	const struct pick_one *one = &p->one[i];

	if (one->named || one->excluded)
		return false;
	if (is_pathological(p->list[i]) && !p->pathological)
		return false;
	if (!p->classes && !p->with)
		return true;
	return one->with || (p->list[i]->classes & p->classes);
}

static size_t count_chosen(const struct pick *p)
{
	size_t n = 0;

	for (size_t i = 0; p->list[i]; i++)
		n += is_chosen(p, i);
	return n;
}

/* Returns the k-th of the stressors that can be chosen. */
static size_t chosen(const struct pick *p, size_t k)
{
	size_t i = 0;

	for (;; i++)
		if (is_chosen(p, i) && k-- == 0)
			return i;
}

/* Draws the instances of --random. */
static size_t put_random(struct pick *p, struct picked *out)
{
	size_t n = 0, all = count_chosen(p);
	uint64_t state = p->seed;

	for (unsigned int i = 0; all && i < p->random; i++)
		p->one[chosen(p, stress_random(&state) % all)].drawn++;
	for (size_t i = 0; p->list[i]; i++)
		if (p->one[i].drawn)
			out[n++] = (struct picked){i, p->one[i].drawn, PICK_NOT_NAMED};
	return n;
}

static size_t put_all(const struct pick *p, struct picked *out)
{
	size_t n = 0;

	for (size_t i = 0; p->list[i]; i++)
		if (is_chosen(p, i))
			out[n++] = (struct picked){i, p->instances, PICK_NOT_NAMED};
	return n;
}

int pick(struct pick *p, struct picked *out, struct sm_buf *why)
{
	bool asked = p->all || p->seq || p->random || p->n_named;
	int err = check(p, why);
	size_t n;

	if (err)
		return err;
	n = put_named(p, out);
	if (p->all || (p->seq && !p->random && (p->classes || p->with || !p->n_named)))
		n += put_all(p, out + n);
	else
		n += put_random(p, out + n);
	if (n)
		return (int)n;
	sm_buf_str(
		why, asked ? "no stressor is left to run"
			   : "no stressor was selected; use --NAME N, --all N or --seq N "
			     "(--stressors lists the names)");
	return -EINVAL;
}
