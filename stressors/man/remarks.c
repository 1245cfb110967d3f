// SPDX-License-Identifier: GPL-2.0-or-later
#include "remarks.h"

#include <string.h>

#include "remarks_all.h"

static bool begins(struct sm_str s, const char *with)
{
	size_t n = strlen(with);

	return s.n >= n && memcmp(s.p, with, n) == 0;
}

static struct sm_str after(struct sm_str s, size_t n)
{
	return (struct sm_str){s.p + n, s.n - n};
}

bool remark_next(const char **at, struct remark *r)
{
	struct sm_str line = {*at, strcspn(*at, "\n")};
	const char *colon;

	if (!**at)
		return false;
	*at += line.n + ((*at)[line.n] == '\n');
	*r = (struct remark){.text = line};
	if (!begins(line, "metric ") && !begins(line, "--"))
		return true;
	colon = memmem(line.p, line.n, ": ", 2);
	if (colon) {
		r->key = (struct sm_str){line.p, (size_t)(colon - line.p)};
		r->text = after(line, r->key.n + 2);
	}
	return true;
}

bool remark_is(const struct remark *r, const char *kind, const char *name)
{
	size_t n = strlen(kind);

	return r->key.n == n + strlen(name) && begins(r->key, kind) &&
	       begins(after(r->key, n), name);
}

bool remark_is_choice(const struct remark *r, const char *option, struct sm_str *rest)
{
	size_t n = strlen("--") + strlen(option);

	if (r->key.n <= n || r->key.p[n] != ' ' || !begins(r->key, "--") ||
		!begins(after(r->key, 2), option))
		return false;
	*rest = after(r->key, n + 1);
	return true;
}

bool remark_choice(struct sm_str *rest, struct sm_str *choice)
{
	const char *comma = memmem(rest->p, rest->n, ", ", 2);

	if (!rest->n)
		return false;
	*choice = (struct sm_str){rest->p, comma ? (size_t)(comma - rest->p) : rest->n};
	*rest = after(*rest, comma ? choice->n + 2 : rest->n);
	return true;
}
