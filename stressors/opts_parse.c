// SPDX-License-Identifier: GPL-2.0-or-later
#include "opts_parse.h"

#include <errno.h>
#include <string.h>

#include "base/units.h"
#include "cli/opt_value.h"
#include "run/pick.h"
#include "opts_state.h"

/* --- numbers ------------------------------------------------------------------------ */

typedef void put_fn(struct sm_buf *b, uint64_t v);

static int check_range(const char *arg, uint64_t v, uint64_t min, uint64_t max,
	put_fn *put, struct sm_buf *why)
{
	if (v >= min && (!max || v <= max))
		return 0;
	sm_buf_printf(why, "'%s' must be %s", arg, max ? "from " : "at least ");
	put(why, min);
	if (max) {
		sm_buf_str(why, " to ");
		put(why, max);
	}
	return -EINVAL;
}

static int must_be(const char *arg, const char *rule, struct sm_buf *why)
{
	return sm_opt_must_be(why, (struct sm_str){arg, strlen(arg)}, rule);
}

static int refuse(const char *arg, int err, const char *rule, struct sm_buf *why)
{
	return err == -ERANGE ? sm_opt_refuse(why, arg, "is too large")
			      : must_be(arg, rule, why);
}

int opts_parse_count(
	const char *arg, uint64_t min, uint64_t max, uint64_t *v, struct sm_buf *why)
{
	int err = amount_count(arg, v);

	if (err)
		return refuse(arg, err, "a whole number", why);
	return check_range(arg, *v, min, max, sm_buf_u64, why);
}

int opts_parse_instances(const char *arg, unsigned int *n, struct sm_buf *why)
{
	uint64_t v;
	int r = amount_count(arg + (*arg == '-'), &v);

	if (*arg == '-' && r == 0 && v > 0) {
		*n = PICK_ONLINE;
		return 0;
	}
	r = opts_parse_count(arg, 0, OPTS_INSTANCES_MAX, &v, why);
	if (r == 0)
		*n = (unsigned int)v;
	return r;
}

int opts_parse_time(const char *arg, const char *unit, uint64_t min, uint64_t max,
	uint64_t *v, struct sm_buf *why)
{
	int err = sm_units_time_ns(arg, unit ? unit : "s", v);

	if (err)
		return refuse(arg, err, "a time (5, 1.5s, 200ms, 2m)", why);
	return check_range(arg, *v, min, max, amount_put_time, why);
}

int opts_parse_size(
	const char *arg, uint64_t min, uint64_t max, struct amount *v, struct sm_buf *why)
{
	int err = amount_size(arg, v);

	if (err == -ERANGE && strchr(arg, '%'))
		return must_be(arg, "at most 100%", why);
	if (err)
		return refuse(arg, err, "a size (4096, 64k, 1.5g, 10%, L2)", why);
	if (v->kind == AMOUNT_PERCENT && !v->n)
		return must_be(arg, "greater than 0", why);
	if (v->kind != AMOUNT_NUMBER)
		return 0;
	return check_range(arg, v->n, min, max, amount_put_size, why);
}
