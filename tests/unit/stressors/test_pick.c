// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>

#include "stressors/run/pick.h"
#include "unit.h"

static const struct stressor cpu = {.name = "cpu", .classes = CLASS_CPU},
			     pipe_ = {.name = "pipe", .classes = CLASS_PIPE | CLASS_OS},
			     vm = {.name = "vm", .classes = CLASS_VM | CLASS_OS},
			     wild = {.name = "wild",
				     .classes = CLASS_OS | CLASS_PATHOLOGICAL};
static const struct stressor *const list[] = {&cpu, &pipe_, &vm, &wild, NULL};
enum { CPU, PIPE, VM, WILD, N };

#define MOST (N + 4)

static struct pick_one one[N];
static struct pick_named named[4];
static struct pick p;

static void setup(void)
{
	memset(one, 0, sizeof(one));
	p = (struct pick){.list = list, .one = one, .named = named, .instances = 1};
}

static void name(size_t i, unsigned int instances)
{
	one[i].named = true;
	named[p.n_named++] = (struct pick_named){i, instances};
}

static void gives(const char *want)
{
	struct picked out[MOST];
	struct sm_buf why = {0};
	char text[128] = "";
	int n = pick(&p, out, &why);

	ck_assert_int_ge(n, 0);
	for (int i = 0; i < n; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s %u",
			i ? ", " : "", list[out[i].at]->name, out[i].instances);
	ck_assert_str_eq(text, want);
	ck_assert_uint_eq(why.len, 0);
}

static void refuses(const char *want)
{
	struct picked out[MOST];
	struct sm_buf why = {0};

	ck_assert_int_eq(pick(&p, out, &why), -EINVAL);
	sm_buf_chr(&why, '\0');
	ck_assert_str_eq(why.p, want);
	sm_buf_fini(&why);
}

START_TEST(named_in_their_order)
{
	name(VM, 2);
	name(CPU, 0);
	gives("vm 2, cpu 0");
	p.seq = true; /* only those */
	gives("vm 2, cpu 0");
}
END_TEST

START_TEST(named_twice)
{
	struct picked out[MOST];
	struct sm_buf why = {0};

	name(VM, 2);
	name(CPU, 1);
	name(VM, 3);
	gives("vm 2, cpu 1, vm 3");
	ck_assert_int_eq(pick(&p, out, &why), 3);
	for (size_t i = 0; i < 3; i++)
		ck_assert_uint_eq(out[i].named, i);
	one[VM].excluded = true;
	gives("cpu 1");
	p.all = true;
	gives("cpu 1, pipe 1");
	sm_buf_fini(&why);
}
END_TEST

START_TEST(by_lot)
{
	struct picked out[MOST];
	struct sm_buf why = {0};
	unsigned int sum = 0;
	int n;

	p.random = 1000;
	p.seed = 5;
	name(CPU, 2);
	n = pick(&p, out, &why);
	ck_assert_int_eq(n, 3); /* cpu, which is named; pipe and vm; not wild */
	ck_assert_uint_eq(out[0].at, CPU);
	ck_assert_uint_eq(out[0].instances, 2);
	for (int i = 1; i < n; i++) {
		ck_assert_uint_eq(out[i].at, i == 1 ? PIPE : VM);
		ck_assert_uint_gt(out[i].instances, 300);
		ck_assert_uint_eq(out[i].named, PICK_NOT_NAMED);
		sum += out[i].instances;
	}
	ck_assert_uint_eq(sum, 1000);
	setup();
	p.random = 3;
	p.classes = CLASS_PIPE;
	gives("pipe 3");
	setup();
	p.random = 1;
	p.classes = CLASS_NETWORK;
	refuses("no stressor is left to run");
	p.classes = 0;
	p.all = true;
	refuses("--all and --random cannot be used together");
	sm_buf_fini(&why);
}
END_TEST

START_TEST(all_of_them)
{
	p.all = true;
	p.instances = 3;
	gives("cpu 3, pipe 3, vm 3");
	name(VM, 7);
	gives("vm 7, cpu 3, pipe 3");
	one[PIPE].excluded = true;
	gives("vm 7, cpu 3");
	one[VM].excluded = true;
	gives("cpu 3");
}
END_TEST

START_TEST(in_turn)
{
	p.seq = true;
	gives("cpu 1, pipe 1, vm 1");
	p.classes = CLASS_OS;
	gives("pipe 1, vm 1");
	name(CPU, 2);
	gives("cpu 2, pipe 1, vm 1");
}
END_TEST

START_TEST(some_of_them)
{
	p.all = true;
	p.with = true;
	one[CPU].with = true;
	gives("cpu 1");
	p.classes = CLASS_VM;
	gives("cpu 1, vm 1");
	p.with = false;
	one[CPU].with = false;
	p.classes = CLASS_VM | CLASS_CPU;
	gives("cpu 1, vm 1");
	p.classes = CLASS_NETWORK;
	refuses("no stressor is left to run");
}
END_TEST

START_TEST(pathological_ones)
{
	static const char want[] =
		"wild can make the machine unusable; it needs --pathological";

	p.all = true;
	gives("cpu 1, pipe 1, vm 1");
	name(WILD, 1);
	refuses(want);
	one[WILD].excluded = true;
	gives("cpu 1, pipe 1, vm 1");
	setup();
	p.all = p.with = true;
	one[WILD].with = true;
	refuses(want);
	p.pathological = true;
	gives("wild 1");
	p.with = one[WILD].with = false;
	gives("cpu 1, pipe 1, vm 1, wild 1");
}
END_TEST

START_TEST(nothing)
{
	refuses("no stressor was selected; use --NAME N, --all N or --seq N (--stressors "
		"lists the names)");
	p.classes = CLASS_VM;
	refuses("--class needs --all N or --seq N");
	p.classes = 0;
	p.with = true;
	refuses("--with needs --all N or --seq N");
	setup();
	name(CPU, 1);
	one[CPU].excluded = true;
	refuses("no stressor is left to run");
}
END_TEST

static TCase *tc_pick(void)
{
	TCase *t = tcase_create("pick");

	tcase_add_checked_fixture(t, setup, NULL);
	tcase_add_test(t, named_in_their_order);
	tcase_add_test(t, named_twice);
	tcase_add_test(t, by_lot);
	tcase_add_test(t, all_of_them);
	tcase_add_test(t, in_turn);
	tcase_add_test(t, some_of_them);
	tcase_add_test(t, pathological_ones);
	tcase_add_test(t, nothing);
	return t;
}

UNIT_MAIN("pick", tc_pick)
