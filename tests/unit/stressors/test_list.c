// SPDX-License-Identifier: GPL-2.0-or-later
/* The list, and what holds for every table in it. */
#include "stressors/run/plan.h"
#include "stressors/run/stress.h"
#include "stressors/list.h"
#include "unit.h"

#define ALL_CLASSES (CLASS_PATHOLOGICAL * 2 - 1)

START_TEST(sorted)
{
	ck_assert_ptr_nonnull(list_all[0]);
	for (size_t i = 1; list_all[i]; i++)
		ck_assert_str_lt(list_all[i - 1]->name, list_all[i]->name);
}
END_TEST

START_TEST(classes)
{
	size_t n = 0;

	while (list_classes[n])
		n++;
	ck_assert_uint_eq(UINT32_C(1) << (n - 1), CLASS_PATHOLOGICAL);
	ck_assert_str_eq(list_classes[0], "cpu");
	ck_assert_str_eq(list_classes[n - 1], "pathological");
	ck_assert_str_eq(list_classes[3], "vm");
}
END_TEST

START_TEST(find)
{
	for (size_t i = 0; list_all[i]; i++) {
		const char *name = list_all[i]->name;

		ck_assert_ptr_eq(list_find(name, strlen(name)), list_all[i]);
		ck_assert_ptr_eq(list_nearest(name, strlen(name)), list_all[i]);
	}
	ck_assert_ptr_eq(list_find("nop,", 3), list_find("nop", 3));
	ck_assert_ptr_null(list_find("no", 2));
	ck_assert_ptr_null(list_find("", 0));
}
END_TEST

START_TEST(nearest)
{
	ck_assert_str_eq(list_nearest("qsrot", 5)->name, "qsort");
	ck_assert_str_eq(list_nearest("nopp", 4)->name, "nop");
	ck_assert_ptr_null(list_nearest("elephant", 8));
	ck_assert_ptr_null(list_nearest("", 0));
}
END_TEST

static bool within(const struct stressor_opt *o, uint64_t v)
{
	return v >= o->min && (!o->max || v <= o->max);
}

/* All sets are of choices that there are, and exclusive ones have two at least. */
static void sets(const struct stressor *s, const struct stressor_opt *o, size_t choices)
{
	uint64_t none = choices < 64 ? UINT64_MAX << choices : 0;

	ck_assert_msg(
		choices <= 64 && !((o->normal | o->small | o->large | o->alone) & none),
		"%s-%s: no such choice", s->name, o->name);
	for (const uint64_t *e = o->exclusive; e && *e; e++)
		ck_assert_msg(!(*e & none) && (*e & (*e - 1)), "%s-%s: exclusive",
			s->name, o->name);
}

static void option(const struct stressor *s, const struct stressor_opt *o)
{
	size_t choices = 0;

	ck_assert_ptr_nonnull(o->help);
	ck_assert_msg(
		!o->arg == (o->kind == STRESSOR_FLAG), "%s-%s: arg", s->name, o->name);
	ck_assert_msg(!o->choices ==
			      (o->kind != STRESSOR_CHOICE && o->kind != STRESSOR_CHOICES),
		"%s-%s: choices", s->name, o->name);
	while (o->choices && o->choices[choices])
		choices++;
	if (o->kind == STRESSOR_CHOICE)
		ck_assert_msg(
			o->normal < choices && o->small < choices && o->large < choices,
			"%s-%s: no such choice", s->name, o->name);
	else if (o->kind == STRESSOR_CHOICES)
		sets(s, o, choices);
	else if (o->kind != STRESSOR_FLAG)
		ck_assert_msg(
			(within(o, o->normal) || o->normal == 0) &&
				((!o->small && !o->large) ||
					(within(o, o->small) && within(o, o->large))),
			"%s-%s: a value out of range", s->name, o->name);
}

static void metric(const struct stressor *s, const struct stressor_metric *m)
{
	ck_assert_ptr_nonnull(m->unit);
	ck_assert_msg(m->mean != MEAN_SUM || !strstr(m->unit, "/s"),
		"%s: %s: the mean of a rate is MEAN_RATE", s->name, m->name);
}

static void check(const struct stressor *s)
{
	size_t opts = 0, metrics = 0;

	ck_assert(*s->does && *s->op && s->run);
	ck_assert_msg(s->classes && !(s->classes & ~(uint32_t)ALL_CLASSES), "%s: class",
		s->name);
	for (; s->opts && s->opts[opts].name; opts++)
		option(s, &s->opts[opts]);
	ck_assert_msg(opts <= PLAN_VALUES, "%s: too many options", s->name);
	for (; s->metrics && s->metrics[metrics].name; metrics++)
		metric(s, &s->metrics[metrics]);
	ck_assert_msg(metrics <= STRESS_METRICS, "%s: too many metrics", s->name);
}

START_TEST(tables)
{
	for (size_t i = 0; list_all[i]; i++)
		check(list_all[i]);
}
END_TEST

static TCase *tc_list(void)
{
	TCase *t = tcase_create("list");

	tcase_add_test(t, sorted);
	tcase_add_test(t, classes);
	tcase_add_test(t, find);
	tcase_add_test(t, nearest);
	tcase_add_test(t, tables);
	return t;
}

UNIT_MAIN("list", tc_list)
