// SPDX-License-Identifier: GPL-2.0-or-later
#include "pick.h"

#include <errno.h>

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
			"%s can make the machine unusable: it needs --pathological",
			p->list[i]->name);
		return -EINVAL;
	}
	return 0;
}

static int check(const struct pick *p, struct sm_buf *why)
{
	if ((p->classes || p->with) && !p->all && !p->seq) {
		sm_buf_printf(why, "%s needs --all N or --seq N",
			p->classes ? "--class" : "--with");
		return -EINVAL;
	}
	return check_named(p, why);
}

/* The named ones in their order: the numbers are 1, 2 ... */
static size_t put_named(const struct pick *p, struct picked *out)
{
	size_t n = 0, named = 0, excluded = 0;

	for (size_t i = 0; p->list[i]; i++)
		named += p->one[i].named != 0;
	for (unsigned int turn = 1; n + excluded < named; turn++) {
		for (size_t i = 0; p->list[i]; i++) {
			if (p->one[i].named != turn)
				continue;
			if (p->one[i].excluded)
				excluded++;
			else
				out[n++] = (struct picked){i, p->one[i].instances};
		}
	}
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

static bool is_any_named(const struct pick *p)
{
	for (size_t i = 0; p->list[i]; i++)
		if (p->one[i].named)
			return true;
	return false;
}

int pick(const struct pick *p, struct picked *out, struct sm_buf *why)
{
	int err = check(p, why);
	size_t n;

	if (err)
		return err;
	n = put_named(p, out);
	if (p->all || (p->seq && (p->classes || p->with || !is_any_named(p))))
		for (size_t i = 0; p->list[i]; i++)
			if (is_chosen(p, i))
				out[n++] = (struct picked){i, p->instances};
	if (n)
		return (int)n;
	sm_buf_str(
		why, p->all || p->seq || is_any_named(p)
			     ? "no stressor is left to run"
			     : "no stressor was asked for: --NAME N, --all N or --seq N "
			       "(--stressors lists their names)");
	return -EINVAL;
}
