// SPDX-License-Identifier: GPL-2.0-or-later
#include "fixroot_rig.h"
#include "power/gpufreq.h"

#define DRM "sys/class/drm/"

static struct sm_gpufreq g;

static void setup(void)
{
	fix_open();
	g = (struct sm_gpufreq){.file = SM_FILE_INIT};
}

static void teardown(void)
{
	sm_gpufreq_close(&g);
	fix_close();
}

static void check_mhz(uint64_t want)
{
	uint64_t mhz = 0;

	ck_assert_int_eq(sm_gpufreq_open(&g, &fix), 0);
	ck_assert_int_eq(sm_gpufreq_read(&g, &mhz), 0);
	ck_assert_uint_eq(mhz, want);
	sm_gpufreq_close(&g);
}

START_TEST(none)
{
	struct sm_root empty = SM_ROOT_INIT;
	uint64_t mhz;

	ck_assert_int_eq(sm_gpufreq_open(&g, &empty), -ENOENT);
	ck_assert_int_eq(sm_gpufreq_open(&g, &fix), -ENOENT);
	ck_assert_int_eq(sm_gpufreq_read(&g, &mhz), -ENOENT);
	fix_mkdir(DRM "card0/device");
	fix_put(DRM "card0-HDMI-A-1/gt_cur_freq_mhz", "500\n");
	fix_put(DRM "renderD128/gt_cur_freq_mhz", "500\n");
	fix_put(DRM "version", "drm 1.1.0\n");
	ck_assert_int_eq(sm_gpufreq_open(&g, &fix), -ENOENT);
}
END_TEST

START_TEST(i915)
{
	uint64_t mhz;

	fix_put(DRM "card0/gt/gt0/rps_cur_freq_mhz", "350\n");
	check_mhz(350);
	fix_put(DRM "card0/gt_cur_freq_mhz", "300\n");
	check_mhz(300);
	ck_assert_int_eq(sm_gpufreq_open(&g, &fix), 0);
	ck_assert(!g.amd);
	fix_put(DRM "card0/gt_cur_freq_mhz", "1150\n");
	ck_assert_int_eq(sm_gpufreq_read(&g, &mhz), 0);
	ck_assert_uint_eq(mhz, 1150);
}
END_TEST

START_TEST(xe)
{
	fix_put(DRM "card1/device/tile0/gt0/freq0/cur_freq", "2050\n");
	check_mhz(2050);
}
END_TEST

START_TEST(amdgpu)
{
	fix_put(DRM "card1/device/pp_dpm_sclk",
		"0: 300Mhz \n1: 600Mhz \n2: 900Mhz *\n3: 1145Mhz \n");
	check_mhz(900);
	ck_assert_int_eq(sm_gpufreq_open(&g, &fix), 0);
	ck_assert(g.amd);
}
END_TEST

/* The first that reports one; by number, not in the directory's order. */
START_TEST(several_cards)
{
	fix_put(DRM "card10/gt_cur_freq_mhz", "1000\n");
	check_mhz(1000);
	fix_put(DRM "card2/device/pp_dpm_sclk", "0: 200Mhz *\n");
	check_mhz(200);
	fix_put(DRM "card0/device/pp_dpm_sclk", ""); /* suspended, or a display alone */
	check_mhz(200);
	fix_put(DRM "card0/gt_cur_freq_mhz", "0\n");
	check_mhz(200);
	fix_put(DRM "card0/gt/gt0/rps_cur_freq_mhz", "450\n");
	check_mhz(450);
}
END_TEST

/* Asleep at opening, and nothing else there: it may wake up. */
START_TEST(no_figure_yet)
{
	uint64_t mhz = 7;

	fix_put(DRM "card0/device/pp_dpm_sclk", "");
	ck_assert_int_eq(sm_gpufreq_open(&g, &fix), 0);
	ck_assert_int_eq(sm_gpufreq_read(&g, &mhz), -ENODATA);
	ck_assert_uint_eq(mhz, 7);
	fix_put(DRM "card0/device/pp_dpm_sclk", "0: 200Mhz *\n");
	ck_assert_int_eq(sm_gpufreq_read(&g, &mhz), 0);
	ck_assert_uint_eq(mhz, 200);
}
END_TEST

START_TEST(texts)
{
	static const struct {
		bool amd;
		const char *text;
		uint64_t mhz; /* 0: none */
	} t[] = {
		{false, "300\n", 300},
		{false, "300", 300},
		{false, "0\n", 0},
		{false, "-1\n", 0},
		{false, "100000\n", 100000},
		{false, "100001\n", 0},
		{false, "18446744073709551616\n", 0},
		{false, "300 MHz\n", 0},
		{false, "300\n400\n", 0},
		{false, "x\n300\n", 0},
		{false, "", 0},
		{true, "S: 19Mhz *\n0: 300Mhz\n", 19},
		{true, "1: 600MHz *", 600},
		{true, "1: 600Mhz\n", 0},
		{true, "1: 600 *\n", 0},
		{true, "1: 600M *\n", 0},
		{true, "1: 600Mh", 0},
		{true, "* 1: 600Mhz\n2: 700Mhz *\n", 700},
		{true, "1: 0Mhz *\n", 0},
		{true, "1: *\n2: -5Mhz *\n*\n:*\n", 0},
		{true, "300\n", 0},
	};

	for (size_t i = 0; i < SM_ARRAY_SIZE(t); i++) {
		uint64_t mhz = 0;
		int ret = sm_gpufreq_parse(t[i].text, strlen(t[i].text), t[i].amd, &mhz);

		ck_assert_msg(
			ret == (t[i].mhz ? 0 : -ENODATA), "'%s': %d", t[i].text, ret);
		ck_assert_msg(mhz == t[i].mhz, "'%s'", t[i].text);
	}
}
END_TEST

START_TEST(one_pread)
{
	uint64_t before, after, mhz;

	fix_put(DRM "card0/gt_cur_freq_mhz", "300\n");
	ck_assert_int_eq(sm_gpufreq_open(&g, &fix), 0);
	if (!fix_reads_counted())
		return;
	before = fix_reads();
	for (unsigned int i = 0; i < 10; i++)
		ck_assert_int_eq(sm_gpufreq_read(&g, &mhz), 0);
	after = fix_reads();
	ck_assert_uint_eq(fix_reads_between(before, after), 10);
}
END_TEST

static TCase *gpufreq(void)
{
	TCase *tc = tcase_create("gpufreq");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, none);
	tcase_add_test(tc, i915);
	tcase_add_test(tc, xe);
	tcase_add_test(tc, amdgpu);
	tcase_add_test(tc, several_cards);
	tcase_add_test(tc, no_figure_yet);
	tcase_add_test(tc, texts);
	tcase_add_test(tc, one_pread);
	return tc;
}

UNIT_MAIN("gpufreq", gpufreq)
