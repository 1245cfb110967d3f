// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cpustat/sysline.h"
#include "unit.h"

static char dir[UNIT_DIR];
static struct sm_root root;
static struct sysline sys;
static struct sample sample;
static struct sm_procstat now, before;
static struct sm_buf b;

static void file(const char *name, const char *text)
{
	char path[200];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	for (char *s = path + strlen(dir) + 1; (s = strchr(s, '/')) != NULL; s++) {
		*s = '\0';
		(void)!mkdir(path, 0755);
		*s = '/';
	}
	f = fopen(path, "we");
	ck_assert_ptr_nonnull(f);
	ck_assert_int_ge(fputs(text, f), 0);
	ck_assert_int_eq(fclose(f), 0);
}

static void setup(void)
{
	unit_mkdtemp(dir);
	b = (struct sm_buf){0};
	/* Between them two seconds. */
	before = (struct sm_procstat){
		.ctxt = 1000, .intr = 500, .softirq = 100, .processes = 10};
	now = (struct sm_procstat){.ctxt = 16704,
		.intr = 7125,
		.softirq = 5088,
		.processes = 13,
		.running = 8,
		.blocked = 1};
	sample = (struct sample){.t_ns = 5000,
		.dt_ns = 2 * SM_NSEC_PER_SEC,
		.online = 2,
		.has_load = true,
		.load.centi = {387, 344, 213},
		.now = &now,
		.before = &before};
	file("sys/devices/system/cpu/online", "0-1\n");
}

static void begin(void)
{
	ck_assert_int_eq(sm_root_open(&root, dir), 0);
	ck_assert_int_eq(sysline_open(&sys, &root), 0);
}

static void teardown(void)
{
	sysline_close(&sys);
	sm_root_close(&root);
	sm_buf_fini(&b);
	unit_remove(dir);
}

static const char *printed(void)
{
	sm_buf_reset(&b);
	sysline_print(&sys, &sample, &b);
	sm_buf_chr(&b, '\0');
	ck_assert_int_eq(sm_buf_error(&b), 0);
	return b.p;
}

static const char *json(void)
{
	struct sm_json j;

	sm_buf_reset(&b);
	sm_json_open(&j, &b, "x");
	sysline_json(&sys, &sample, &j);
	sm_json_close(&j);
	sm_buf_chr(&b, '\0');
	ck_assert_int_eq(sm_buf_error(&b), 0);
	return b.p;
}

#define RATES "7852.0 Ctxt/s, 3312.5 IRQ/s, 2494.0 softIRQ/s, 1.5 new tasks/s, "

START_TEST(the_lines_of_the_original)
{
	begin();
	ck_assert_str_eq(printed(), "Load Avg 3.87 3.44 2.13, 2 CPUs online\n" RATES
				    "8 running, 1 blocked\n");
	ck_assert_str_eq(json(),
		"{\"type\":\"x\",\"load1\":3.87,\"load5\":3.44,\"load15\":2.13,"
		"\"cpus_online\":2,\"ctxt_per_s\":7852.000,\"intr_per_s\":3312.500,"
		"\"softirq_per_s\":2494.000,\"new_tasks_per_s\":1.500,\"running\":8,"
		"\"blocked\":1}\n");
}
END_TEST

START_TEST(frequency)
{
	file("sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", "2900000\n");
	file("sys/devices/system/cpu/cpu1/cpufreq/scaling_cur_freq", "2860000\n");
	begin();
	ck_assert_str_eq(printed(),
		"Load Avg 3.87 3.44 2.13, Freq Avg. 2.88 GHz, 2 CPUs online\n" RATES
		"8 running, 1 blocked\n");
	ck_assert_ptr_nonnull(strstr(json(), ",\"freq_mean_khz\":2880000,"));
}
END_TEST

START_TEST(slow_frequency)
{
	file("sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", "800000\n");
	begin();
	ck_assert_ptr_nonnull(strstr(printed(), ", Freq Avg. 800.00 MHz, 2 CPUs"));
}
END_TEST

/* All formats of a sample have the same figures. */
START_TEST(read_once_for_each_sample)
{
	file("sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", "800000\n");
	begin();
	ck_assert_ptr_nonnull(strstr(printed(), ", Freq Avg. 800.00 MHz"));
	file("sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", "900000\n");
	ck_assert_ptr_nonnull(strstr(json(), "\"freq_mean_khz\":800000,"));
	sample.t_ns++;
	ck_assert_ptr_nonnull(strstr(json(), "\"freq_mean_khz\":900000,"));
	ck_assert_ptr_nonnull(strstr(printed(), ", Freq Avg. 900.00 MHz"));
}
END_TEST

START_TEST(limit_of_the_cgroup)
{
	file("proc/self/cgroup", "0::/a\n");
	file("sys/fs/cgroup/a/cpu.max", "150000 100000\n");
	begin();
	ck_assert_ptr_nonnull(
		strstr(printed(), ", 2 CPUs online, limit 1.50 CPUs\n7852.0"));
	ck_assert_ptr_nonnull(strstr(json(), "\"cpus_online\":2,\"cpu_limit\":1.500,"));
}
END_TEST

START_TEST(without_readings)
{
	begin();
	sample.before = NULL;
	ck_assert_ptr_nonnull(strstr(printed(), "\n- Ctxt/s, - IRQ/s, - softIRQ/s, - new "
						"tasks/s, 8 running, 1 blocked\n"));
	sample.now = NULL;
	ck_assert_ptr_nonnull(strstr(printed(), " tasks/s, - running, - blocked\n"));
	ck_assert_str_eq(json(), "{\"type\":\"x\",\"load1\":3.87,\"load5\":3.44,"
				 "\"load15\":2.13,\"cpus_online\":2}\n");
	sample.now = &now;
	sample.before = &before;
	sample.dt_ns = 0; /* the first sample */
	ck_assert_ptr_nonnull(strstr(printed(), "\n- Ctxt/s, "));
	ck_assert_ptr_null(strstr(json(), "per_s"));
}
END_TEST

/* A counter that went back (hotplug, a wrap) is no rate of 2^64. */
START_TEST(counters_that_go_back)
{
	begin();
	before.ctxt = before.intr = before.softirq = before.processes = UINT64_MAX;
	ck_assert_ptr_nonnull(strstr(
		printed(), "\n- Ctxt/s, - IRQ/s, - softIRQ/s, - new tasks/s, 8 running"));
	ck_assert_ptr_null(strstr(json(), "_per_s"));
}
END_TEST

START_TEST(counter_that_jumps)
{
	begin();
	now.ctxt = before.ctxt + 900000000; /* 225 million per second and CPU */
	ck_assert_ptr_nonnull(strstr(printed(), "\n- Ctxt/s, 3312.5 IRQ/s, "));
	ck_assert_ptr_null(strstr(json(), "ctxt_per_s"));
	ck_assert_ptr_nonnull(strstr(json(), "\"intr_per_s\":3312.500,"));
}
END_TEST

START_TEST(without_loadavg)
{
	begin();
	sample.has_load = false;
	ck_assert_ptr_nonnull(strstr(printed(), "Load Avg - - -, 2 CPUs online\n"));
	ck_assert_ptr_null(strstr(json(), "load"));
	sample.online = 1;
	ck_assert_ptr_nonnull(strstr(printed(), "Load Avg - - -, 1 CPU online\n"));
}
END_TEST

START_TEST(nothing_there)
{
	root = (struct sm_root)SM_ROOT_INIT;
	sample.has_load = false;
	ck_assert_int_eq(sysline_open(&sys, &root), 0);
	ck_assert_ptr_nonnull(strstr(printed(), "Load Avg - - -, 2 CPUs online\n"));
}
END_TEST

#define FIXTURE(tc) tcase_add_checked_fixture(tc, setup, teardown)

static TCase *tc_lines(void)
{
	TCase *tc = tcase_create("lines");

	FIXTURE(tc);
	tcase_add_test(tc, the_lines_of_the_original);
	tcase_add_test(tc, frequency);
	tcase_add_test(tc, slow_frequency);
	tcase_add_test(tc, read_once_for_each_sample);
	tcase_add_test(tc, limit_of_the_cgroup);
	tcase_add_test(tc, without_readings);
	tcase_add_test(tc, counters_that_go_back);
	tcase_add_test(tc, counter_that_jumps);
	tcase_add_test(tc, without_loadavg);
	tcase_add_test(tc, nothing_there);
	return tc;
}

UNIT_MAIN("system", tc_lines)
