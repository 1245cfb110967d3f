// SPDX-License-Identifier: GPL-2.0-or-later
/* --list on prepared machines. */
#include <linux/perf_event.h>
#include <string.h>
#include <unistd.h>

#include "events/perf.h"
#include "fixroot_rig.h"
#include "power-calibrate/list.h"

#define PMU  "sys/bus/event_source/devices/power/"
#define ZONE "sys/class/powercap/intel-rapl:0/"

static struct sm_buf text;

static void teardown(void)
{
	sm_buf_fini(&text);
	fix_close();
}

/* Adds a PMU whose events are a CPU's clock. */
static bool put_pmu(void)
{
	struct perf_event_attr attr = {.type = PERF_TYPE_SOFTWARE};
	int fd = sm_perf_event_open(&attr, -1, 0, -1, 0);

	if (fd < 0)
		return false;
	close(fd);
	fix_put(PMU "type", "1\n");
	fix_put(PMU "cpumask", "0\n");
	fix_put(PMU "events/energy-pkg", "event=0x00\n");
	fix_put(PMU "events/energy-pkg.scale", "1e-9\n");
	fix_put(PMU "events/energy-pkg.unit", "Joules\n");
	return true;
}

static const char *listed(enum sm_source_kind kind)
{
	const struct sm_source_want want = {.kind = kind, .domains = true};

	sm_buf_fini(&text);
	list_sources(&fix, &want, 80, &text);
	sm_buf_chr(&text, '\0');
	return text.p;
}

/* Counts a text in the list of sources, without the selected one. */
static unsigned int times_listed(const char *s, const char *part)
{
	const char *end = strstr(s, "Selected:");
	unsigned int n = 0;

	ck_assert_ptr_nonnull(end);
	for (s = strstr(s, part); s && s < end; s = strstr(s + 1, part))
		n++;
	return n;
}

START_TEST(perf_alone_is_listed_once)
{
	static const enum sm_source_kind kinds[] = {
		SM_SOURCE_AUTO, SM_SOURCE_RAPL, SM_SOURCE_PERF};

	if (!put_pmu())
		return;
	for (size_t i = 0; i < SM_ARRAY_SIZE(kinds); i++) {
		const char *s = listed(kinds[i]);

		ck_assert_msg(times_listed(s, "pkg-0: added") == 1, "%s", s);
		ck_assert_msg(
			times_listed(s, "rapl (/sys/class/powercap): there is none") == 1,
			"%s", s);
	}
}
END_TEST

START_TEST(perf_beside_rapl)
{
	const char *s;

	if (!put_pmu())
		return;
	fix_put(ZONE "name", "package-0\n");
	fix_put(ZONE "energy_uj", "1000\n");
	fix_put(ZONE "max_energy_range_uj", "262143328850\n");
	s = listed(SM_SOURCE_AUTO);
	ck_assert_msg(times_listed(s, "pkg-0: added") == 2, "%s", s);
	ck_assert_uint_eq(times_listed(s, "there is none"), 1); /* the battery */
}
END_TEST

START_TEST(each_reason_once)
{
	const char *s = listed(SM_SOURCE_AUTO);

	ck_assert_uint_eq(times_listed(s, "battery: "), 1);
	ck_assert_uint_eq(times_listed(s, "rapl (/sys/class/powercap): "), 1);
	ck_assert_uint_eq(times_listed(s, "perf (the power PMU): "), 1);
	ck_assert_uint_eq(times_listed(s, "hwmon: "), 1);
	ck_assert_ptr_nonnull(strstr(s, "Selected:\n  none\n"));
}
END_TEST

static TCase *tc_list(void)
{
	TCase *tc = tcase_create("list");

	tcase_add_checked_fixture(tc, fix_open, teardown);
	tcase_add_test(tc, perf_alone_is_listed_once);
	tcase_add_test(tc, perf_beside_rapl);
	tcase_add_test(tc, each_reason_once);
	return tc;
}

UNIT_MAIN("list", tc_list)
