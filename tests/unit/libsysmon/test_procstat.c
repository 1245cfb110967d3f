// SPDX-License-Identifier: GPL-2.0-or-later
#include <time.h>

#include "base/clock.h"
#include "fixroot_rig.h"
#include "proc/procstat.h"

/* Two CPUs, every number different. */
static const char machine[] = "cpu  11 12 13 14 15 16 17 18 9 10\n"
			      "cpu0 101 102 103 104 105 106 107 108 99 100\n"
			      "cpu1 201 202 203 204 205 206 207 208 199 200\n"
			      "intr 249068 0 9 0 0 103072 0 3\n"
			      "ctxt 572824\n"
			      "btime 1795260864\n"
			      "processes 23986\n"
			      "procs_running 7\n"
			      "procs_blocked 3\n"
			      "softirq 210041 0 18137 4 4775 103070 0 9 37691 0 46355\n";

static struct sm_procstat ps;

static void setup(void)
{
	ps = (struct sm_procstat){0};
	fix_open();
}

static void teardown(void)
{
	sm_procstat_fini(&ps);
	fix_close();
}

/* From memory of exactly the text's size. */
static int parse_bytes(const char *s, size_t n)
{
	char *mem = malloc(n ? n : 1);
	int ret;

	ck_assert_ptr_nonnull(mem);
	memcpy(mem, s, n);
	ret = sm_procstat_parse(mem, n, &ps);
	free(mem);
	return ret;
}

static int parse(const char *s)
{
	return parse_bytes(s, strlen(s));
}

static void check_ticks(const struct sm_cpu_ticks *t, const uint64_t want[10])
{
	ck_assert_uint_eq(t->user, want[0]);
	ck_assert_uint_eq(t->nice, want[1]);
	ck_assert_uint_eq(t->system, want[2]);
	ck_assert_uint_eq(t->idle, want[3]);
	ck_assert_uint_eq(t->iowait, want[4]);
	ck_assert_uint_eq(t->irq, want[5]);
	ck_assert_uint_eq(t->softirq, want[6]);
	ck_assert_uint_eq(t->steal, want[7]);
	ck_assert_uint_eq(t->guest, want[8]);
	ck_assert_uint_eq(t->guest_nice, want[9]);
}
#define CHECK_TICKS(t, ...) check_ticks(t, (const uint64_t[10]){__VA_ARGS__})

static void check_machine(void)
{
	CHECK_TICKS(&ps.total, 11, 12, 13, 14, 15, 16, 17, 18, 9, 10);
	ck_assert_uint_eq(ps.ncpu, 2);
	ck_assert_uint_eq(ps.online, 2);
	ck_assert(ps.cpu[0].present && ps.cpu[1].present);
	CHECK_TICKS(&ps.cpu[0].t, 101, 102, 103, 104, 105, 106, 107, 108, 99, 100);
	CHECK_TICKS(&ps.cpu[1].t, 201, 202, 203, 204, 205, 206, 207, 208, 199, 200);
	ck_assert_uint_eq(ps.intr, 249068);
	ck_assert_uint_eq(ps.ctxt, 572824);
	ck_assert_uint_eq(ps.btime, 1795260864);
	ck_assert_uint_eq(ps.processes, 23986);
	ck_assert_uint_eq(ps.running, 7);
	ck_assert_uint_eq(ps.blocked, 3);
	ck_assert_uint_eq(ps.softirq, 210041);
}

START_TEST(every_field)
{
	ck_assert_int_eq(parse(machine), 0);
	check_machine();
	/* without the last newline, and again into the same memory */
	ck_assert_int_eq(parse_bytes(machine, sizeof(machine) - 2), 0);
	check_machine();
}
END_TEST

/* Linux 2.6.0 had seven numbers, 2.6.11 eight, 2.6.24 nine. */
START_TEST(old_kernels_have_fewer_numbers)
{
	ck_assert_int_eq(parse("cpu  1 2 3 4\ncpu0 1 2 3 4 5 6 7\n"), 0);
	CHECK_TICKS(&ps.total, 1, 2, 3, 4, 0, 0, 0, 0, 0, 0);
	CHECK_TICKS(&ps.cpu[0].t, 1, 2, 3, 4, 5, 6, 7, 0, 0, 0);
	ck_assert_uint_eq(ps.online, 1);
	ck_assert_uint_eq(ps.intr, 0);
	ck_assert_uint_eq(ps.softirq, 0);
	ck_assert_uint_eq(ps.btime, 0);
}
END_TEST

START_TEST(lines_and_numbers_to_come_are_ignored)
{
	ck_assert_int_eq(parse("cpu  1 2 3 4 5 6 7 8 9 10 11 12\ncpufreq 7\ncpux 9\n"
			       "ctxtra 5\nintro 6\nsoftirqs 7\nprocs_run 8\nprocess 9\n"
			       "btimes 3\npage 5 6\nswap 1 2\n\n \nctxt 4\n"),
		0);
	CHECK_TICKS(&ps.total, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
	ck_assert_uint_eq(ps.ncpu, 0);
	ck_assert_uint_eq(ps.online, 0);
	ck_assert_uint_eq(ps.ctxt, 4);
	ck_assert_uint_eq(ps.intr + ps.softirq + ps.running + ps.processes + ps.btime, 0);
}
END_TEST

START_TEST(what_is_no_number_counts_as_zero)
{
	ck_assert_int_eq(
		parse("cpu  x 2y 18446744073709551616 18446744073709551615 -5 +6 "
		      "0x7 \x1b[2J 9.5 10\nctxt 12a\nintr -1 5\nprocesses\n"
		      "procs_running \nbtime 7 \n"),
		0);
	CHECK_TICKS(&ps.total, 0, 0, 0, UINT64_MAX, 0, 0, 0, 0, 0, 10);
	ck_assert_uint_eq(ps.ctxt, 0);
	ck_assert_uint_eq(ps.intr, 0);
	ck_assert_uint_eq(ps.processes, 0);
	ck_assert_uint_eq(ps.running, 0);
	ck_assert_uint_eq(ps.btime, 7);
}
END_TEST

START_TEST(without_a_cpu_line)
{
	static const char *const bad[] = {"", "\n", "c", "cp", "cpu", "cpu\n",
		"cpu\n1 2 3 4\n", "cpu0 1 2 3 4\n", " cpu  1 2 3 4\n", "ctxt 5\n",
		"CPU  1 2 3 4\n", "xcpu  1 2 3 4\n"};

	for (size_t i = 0; i < SM_ARRAY_SIZE(bad); i++)
		ck_assert_msg(parse(bad[i]) == -EBADMSG, "'%s'", bad[i]);
}
END_TEST

START_TEST(a_reading_forgets_the_one_before)
{
	ck_assert_int_eq(parse(machine), 0);
	ck_assert_int_eq(parse("cpu  1 2\n"), 0);
	CHECK_TICKS(&ps.total, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0);
	ck_assert_uint_eq(ps.online, 0);
	ck_assert(!ps.cpu[0].present && !ps.cpu[1].present);
	CHECK_TICKS(&ps.cpu[1].t, 0);
	ck_assert_uint_eq(ps.intr + ps.ctxt + ps.btime + ps.processes + ps.running +
				  ps.blocked + ps.softirq,
		0);
	ck_assert_int_eq(parse(""), -EBADMSG);
	CHECK_TICKS(&ps.total, 0);
}
END_TEST

START_TEST(hotplug)
{
	struct sm_cpu_line *memory;

	ck_assert_int_eq(parse("cpu  9\ncpu0 1\ncpu1 2\ncpu2 3\ncpu3 4\n"), 0);
	memory = ps.cpu;
	ck_assert_uint_eq(ps.online, 4);
	ck_assert_int_eq(parse("cpu  9\ncpu0 5\ncpu2 6\n"), 0);
	ck_assert_uint_eq(ps.ncpu, 4);
	ck_assert_uint_eq(ps.online, 2);
	ck_assert(ps.cpu[0].present && !ps.cpu[1].present);
	ck_assert(ps.cpu[2].present && !ps.cpu[3].present);
	ck_assert_uint_eq(ps.cpu[1].t.user, 0);
	ck_assert_uint_eq(ps.cpu[2].t.user, 6);
	ck_assert_int_eq(parse("cpu  9\ncpu0 5\ncpu1 7\ncpu2 6\ncpu3 8\n"), 0);
	ck_assert_uint_eq(ps.online, 4);
	ck_assert_uint_eq(ps.cpu[3].t.user, 8);
	ck_assert_ptr_eq(ps.cpu, memory);
}
END_TEST

START_TEST(cpu_numbers)
{
	ck_assert_int_eq(parse("cpu  9\ncpu5 1\n"), 0);
	ck_assert_uint_eq(ps.ncpu, 6);
	ck_assert_uint_eq(ps.online, 1);
	for (int i = 0; i < 5; i++)
		ck_assert(!ps.cpu[i].present && ps.cpu[i].t.user == 0);
	ck_assert(ps.cpu[5].present);
	/* twice the same is one CPU; the last line counts */
	ck_assert_int_eq(parse("cpu  9\ncpu1 3\ncpu1 4\n"), 0);
	ck_assert_uint_eq(ps.online, 1);
	ck_assert_uint_eq(ps.cpu[1].t.user, 4);
	/* none of these is a CPU */
	ck_assert_int_eq(parse("cpu  9\ncpu65536 1\ncpu18446744073709551616 1\ncpu1x 1\n"
			       "cpu-1 1\ncpu2\ncpu3"),
		0);
	ck_assert_uint_eq(ps.online, 0);
	ck_assert_uint_eq(ps.ncpu, 6);
	ck_assert_int_eq(parse("cpu  9\ncpu65535 3 4\n"), 0);
	ck_assert_uint_eq(ps.ncpu, 65536);
	ck_assert_uint_eq(ps.cpu[65535].t.nice, 4);
	ck_assert(!ps.cpu[40000].present && ps.cpu[40000].t.user == 0);
}
END_TEST

/* Thousands of interrupts: only the first number is wanted, and the lines behind count.
 */
START_TEST(long_lines)
{
	const size_t fill = 1 << 20;
	char *text = malloc(fill + 256), *p = text;

	ck_assert_ptr_nonnull(text);
	p += sprintf(p, "cpu  1 2 3 4\nintr 77");
	for (size_t i = 0; i < fill / 4; i++)
		p += sprintf(p, " 10");
	p += sprintf(p, "\nctxt 55\nsoftirq 66 5\nprocs_blocked 44\n");
	ck_assert_int_eq(parse_bytes(text, (size_t)(p - text)), 0);
	ck_assert_uint_eq(ps.intr, 77);
	ck_assert_uint_eq(ps.ctxt, 55);
	ck_assert_uint_eq(ps.softirq, 66);
	ck_assert_uint_eq(ps.blocked, 44);
	free(text);
}
END_TEST

START_TEST(cut_off_anywhere)
{
	const size_t cpu0 = (size_t)(strstr(machine, "cpu0 ") - machine) + 5;
	const size_t cpu1 = (size_t)(strstr(machine, "cpu1 ") - machine) + 5;

	for (size_t n = 0; n < sizeof(machine); n++) {
		int want = n >= strlen("cpu ") ? 0 : -EBADMSG;

		ck_assert_int_eq(parse_bytes(machine, n), want);
		ck_assert_uint_eq(ps.online, (n >= cpu0) + (n >= cpu1));
	}
	check_machine();
}
END_TEST

START_TEST(delta)
{
	const struct sm_cpu_ticks before = {10, 20, 30, 40, 50, 60, 70, 80, 5, 6, 0};
	const struct sm_cpu_ticks now = {110, 220, 330, 440, 49, 160, 70, 81, 35, 46, 0};
	struct sm_cpu_ticks d;

	sm_procstat_delta(&now, &before, 1000, &d);
	/* user 100 with 30 for guests, nice 200 with 40; a tick of iowait became idle */
	CHECK_TICKS(&d, 70, 160, 300, 399, 0, 100, 0, 1, 30, 40);
	ck_assert_uint_eq(d.unknown, 0);
	ck_assert_uint_eq(sm_procstat_busy(&d), 70 + 160 + 300 + 100 + 30 + 40);
	ck_assert_uint_eq(sm_procstat_sum(&d), 70 + 160 + 300 + 399 + 100 + 1 + 30 + 40);
}
END_TEST

START_TEST(delta_never_underflows)
{
	const struct sm_cpu_ticks high = {
		UINT64_MAX, UINT64_MAX, 9, 9, 9, 9, 9, 9, UINT64_MAX, 9, 0};
	const struct sm_cpu_ticks low = {0};
	struct sm_cpu_ticks d, again = high;

	sm_procstat_delta(&low, &high, UINT64_MAX, &d);
	CHECK_TICKS(&d, 0);
	ck_assert_uint_eq(sm_procstat_sum(&d), 0);
	ck_assert_uint_eq(d.unknown, 1023);
	sm_procstat_delta(&high, &high, UINT64_MAX, &d);
	CHECK_TICKS(&d, 0);
	ck_assert_uint_eq(d.unknown, 0);
	/* more guest time than user time: each is rounded on its own */
	sm_procstat_delta(&(struct sm_cpu_ticks){.user = 3, .guest = 5},
		&(struct sm_cpu_ticks){.user = 1, .guest = 1}, UINT64_MAX, &d);
	ck_assert_uint_eq(d.user, 0);
	ck_assert_uint_eq(d.guest, 4);
	/* in place */
	sm_procstat_delta(&again, &low, UINT64_MAX, &again);
	CHECK_TICKS(&again, 0, 0, 9, 9, 9, 9, 9, 9, 0, 0);
	ck_assert_uint_eq(again.unknown,
		SM_TICKS_USER | SM_TICKS_NICE | SM_TICKS_GUEST | SM_TICKS_GUEST_NICE);
}
END_TEST

static const struct sm_cpu_ticks base = {
	1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 500, 500, 0};

/* Adds ticks to the members in their order, and computes the difference. */
static struct sm_cpu_ticks moved(const int64_t by[10], uint64_t limit)
{
	struct sm_cpu_ticks now = base, d;
	uint64_t *const at[] = {&now.user, &now.nice, &now.system, &now.idle, &now.iowait,
		&now.irq, &now.softirq, &now.steal, &now.guest, &now.guest_nice};

	for (int i = 0; i < 10; i++)
		*at[i] += (uint64_t)by[i];
	sm_procstat_delta(&now, &base, limit, &d);
	return d;
}
#define MOVED(limit, ...) moved((const int64_t[10]){__VA_ARGS__}, limit)

/* Each member jumps forwards and backwards, in an interval of 100 ticks. */
START_TEST(member_that_jumps)
{
	const int64_t jumps[] = {900000000, 101, -5, -1000, INT64_MAX};

	for (unsigned int i = 0; i < 10; i++)
		for (unsigned int k = 0; k < SM_ARRAY_SIZE(jumps); k++) {
			int64_t by[10] = {10, 10, 10, 10, 10, 10, 10, 10, 5, 5};
			unsigned int unknown = 1u << i;
			struct sm_cpu_ticks d;

			by[i] = jumps[k];
			d = moved(by, 100);
			/* idle or iowait loses five ticks, which the other gets */
			if (jumps[k] == -5 && (i == 3 || i == 4))
				unknown = 0;
			if (i < 2) /* with its guest time */
				unknown |= unknown << 8;
			ck_assert_msg(d.unknown == unknown, "%u by %lld: %#x", i,
				(long long)jumps[k], d.unknown);
			ck_assert_uint_le(sm_procstat_sum(&d), 80);
			ck_assert_uint_ge(sm_procstat_sum(&d), 65);
		}
}
END_TEST

/* Members that are possible alone, but not together. */
START_TEST(members_that_jump_together)
{
	struct sm_cpu_ticks d = MOVED(100, 60, 0, 60, 40, 0, 0, 0, 7);

	CHECK_TICKS(&d, 0, 0, 0, 40, 0, 0, 0, 7, 0, 0);
	ck_assert_uint_eq(d.unknown, SM_TICKS_BUSY);
	d = MOVED(100, 10, 0, 0, 60, 60);
	CHECK_TICKS(&d, 10);
	ck_assert_uint_eq(d.unknown, SM_TICKS_IDLE | SM_TICKS_IOWAIT);
	d = MOVED(100, 50, 0, 50, 40, 60);
	ck_assert_uint_eq(d.unknown, 0);
}
END_TEST

/* An idle period of 900 ticks counted as iowait until it ended in this interval. */
START_TEST(iowait_becomes_idle)
{
	struct sm_cpu_ticks d = MOVED(100, 20, 0, 0, 980, -900);

	CHECK_TICKS(&d, 20, 0, 0, 80, 0);
	ck_assert_uint_eq(d.unknown, 0);
	d = MOVED(100, 20, 0, 0, -900, 980);
	CHECK_TICKS(&d, 20, 0, 0, 0, 80);
	ck_assert_uint_eq(d.unknown, 0);
	/* An offline CPU has other counters. */
	d = MOVED(100, 20, 0, 0, -900, -900);
	ck_assert_uint_eq(d.unknown, SM_TICKS_IDLE | SM_TICKS_IOWAIT);
}
END_TEST

static struct sm_procstat reading(
	struct sm_cpu_line *cpu, uint64_t user, uint64_t from_ns, uint64_t to_ns)
{
	cpu[0] = cpu[1] = (struct sm_cpu_line){{.user = user / 2}, true};
	return (struct sm_procstat){.total = {.user = user},
		.cpu = cpu,
		.ncpu = 2,
		.online = 2,
		.from_ns = from_ns,
		.to_ns = to_ns};
}

/* The time between the readings, and at least dt_ns, bounds each line. */
START_TEST(bounded_by_the_readings)
{
	const uint64_t second = SM_NSEC_PER_SEC;
	struct sm_cpu_line a[2], b[2];
	struct sm_procstat before = reading(a, 1000, second, second + 1);
	struct sm_procstat now = reading(b, 1200, 2 * second - 1, 2 * second);
	struct sm_cpu_ticks d;

	sm_procstat_total(&now, &before, 0, &d);
	ck_assert_uint_eq(d.user, 200);
	/* ten seconds of two CPUs: once impossible, once possible */
	now = reading(b, 3000, 2 * second - 1, 2 * second);
	sm_procstat_total(&now, &before, second, &d);
	ck_assert_uint_eq(d.user, 0);
	ck_assert_uint_eq(d.unknown, SM_TICKS_USER | SM_TICKS_GUEST);
	ck_assert(sm_procstat_cpu(&now, &before, 1, second, &d));
	ck_assert_uint_eq(d.unknown, SM_TICKS_USER | SM_TICKS_GUEST);
	sm_procstat_total(&now, &before, 10 * second, &d);
	ck_assert_uint_eq(d.user, 2000);
	now = reading(b, 3000, 11 * second, 11 * second);
	sm_procstat_total(&now, &before, second, &d);
	ck_assert_uint_eq(d.user, 2000);
	/* one CPU jumps, by less than all CPUs can have */
	now = reading(b, 1100, 2 * second, 2 * second);
	now.cpu[1].t.steal = 170;
	now.total.steal = 170;
	sm_procstat_total(&now, &before, second, &d);
	ck_assert_uint_eq(d.user, 100);
	ck_assert_uint_eq(d.steal, 0);
	ck_assert_uint_eq(d.unknown, SM_TICKS_STEAL);
	/* and is not compared if it was offline */
	before.cpu[1].present = false;
	ck_assert(!sm_procstat_cpu(&now, &before, 1, second, &d));
	ck_assert(!sm_procstat_cpu(&now, &before, 2, second, &d));
	sm_procstat_total(&now, &before, second, &d);
	ck_assert_uint_eq(d.steal, 170);
}
END_TEST

/* 1.6 s of a CPU, a sixteenth of it, and 0.3 s of lag. */
START_TEST(most_time)
{
	ck_assert_uint_eq(sm_procstat_most_ns(1, 1600000000), 2000000000);
	ck_assert_uint_eq(sm_procstat_most_ns(3, 1600000000), 6000000000);
	ck_assert_uint_eq(sm_procstat_most_ns(1, 0), 300000000);
}
END_TEST

START_TEST(rates)
{
	ck_assert_double_eq(sm_procstat_rate(1500, 500, 1, SM_NSEC_PER_SEC / 2), 2000);
	ck_assert_double_eq(sm_procstat_rate(500, 500, 0, SM_NSEC_PER_SEC), 0);
	ck_assert_double_nan(sm_procstat_rate(499, 500, 1, SM_NSEC_PER_SEC));
	ck_assert_double_nan(sm_procstat_rate(500, 500, 1, 0));
	ck_assert_double_nan(sm_procstat_rate(30000000, 0, 1, SM_NSEC_PER_SEC));
	ck_assert_double_eq(sm_procstat_rate(30000000, 0, 2, SM_NSEC_PER_SEC), 30000000);
}
END_TEST

START_TEST(file_that_grows_and_shrinks)
{
	struct sm_procstat_file f;
	char *big = malloc(40001);

	ck_assert_ptr_nonnull(big);
	memset(big, '\n', 40000);
	memcpy(big, "cpu  5\n", 7);
	memcpy(big + 39990, "\nctxt 321\n", 11);
	ck_assert_int_eq(sm_procstat_open(&f, &fix), -ENOENT);
	sm_procstat_close(&f);
	fix_put("proc/stat", machine);
	ck_assert_int_eq(sm_procstat_open(&f, &fix), 0);
	ck_assert_int_eq(sm_procstat_read(&f, &ps), 0);
	check_machine();
	/* sizes about the buffer's, where "has all of it" turns over */
	for (size_t n = 4090; n <= 4100; n++) {
		fix_put_bytes("proc/stat", big + 40000 - n, n);
		ck_assert_int_eq(sm_procstat_read(&f, &ps), -EBADMSG);
		ck_assert_uint_eq(ps.ctxt, 321);
	}
	fix_put("proc/stat", big);
	for (int i = 0; i < 2; i++) {
		ck_assert_int_eq(sm_procstat_read(&f, &ps), 0);
		ck_assert_uint_eq(ps.ctxt, 321);
	}
	fix_put("proc/stat", machine);
	ck_assert_int_eq(sm_procstat_read(&f, &ps), 0);
	check_machine();
	fix_put("proc/stat", "");
	ck_assert_int_eq(sm_procstat_read(&f, &ps), -EBADMSG);
	sm_procstat_close(&f);
	free(big);
}
END_TEST

START_TEST(without_single_cpus)
{
	struct sm_procstat_file f;

	fix_put("proc/stat", "cpu  7 0 2\ncpu0 5 0 1\ncpu1 2 0 1\nintr 4 4\nctxt 9\n");
	ck_assert_int_eq(sm_procstat_open(&f, &fix), 0);
	f.sums = true;
	ck_assert_int_eq(sm_procstat_read(&f, &ps), 0);
	ck_assert_uint_eq(ps.total.user, 7);
	ck_assert_uint_eq(ps.intr, 4);
	ck_assert_uint_eq(ps.ctxt, 9);
	ck_assert_uint_eq(ps.ncpu, 0);
	ck_assert_uint_eq(ps.online, 2);
	fix_put("proc/stat", "cpu0 5 0 1\n");
	ck_assert_int_eq(sm_procstat_read(&f, &ps), -EBADMSG);
	sm_procstat_close(&f);
}
END_TEST

START_TEST(steady_state_is_one_read)
{
	static char text[3000] = "cpu  1 2 3 4\n";
	struct sm_procstat_file f;
	uint64_t before, after;
	bool counted;
	const char *buf;

	memset(text + strlen(text), ' ', sizeof(text) - 1 - strlen(text));
	fix_put("proc/stat", text);
	ck_assert_int_eq(sm_procstat_open(&f, &fix), 0);
	ck_assert_int_eq(sm_procstat_read(&f, &ps), 0);
	buf = f.file.buf;
	counted = fix_reads_counted();
	before = counted ? fix_reads() : 0;
	for (int i = 0; i < 10; i++)
		ck_assert_int_eq(sm_procstat_read(&f, &ps), 0);
	after = counted ? fix_reads() : 11;
	ck_assert_uint_eq(fix_reads_between(before, after), 10);
	ck_assert_ptr_eq(f.file.buf, buf);
	sm_procstat_close(&f);
}
END_TEST

/* What the kernel says elsewhere. */
START_TEST(live_machine)
{
	struct sm_procstat_file f;
	struct sm_root live;
	uint64_t ctxt, boot_s;

	ck_assert_int_eq(sm_root_open(&live, NULL), 0);
	ck_assert_int_eq(sm_procstat_open(&f, &live), 0);
	ck_assert_int_eq(sm_procstat_read(&f, &ps), 0);
	ck_assert_int_eq(ps.online, sysconf(_SC_NPROCESSORS_ONLN));
	ck_assert(ps.cpu[ps.ncpu - 1].present);
	ck_assert_uint_ge(ps.running, 1);
	ck_assert_uint_gt(ps.total.idle + ps.total.user, 0);
	boot_s = (sm_clock_ns(CLOCK_REALTIME) - sm_clock_ns(CLOCK_BOOTTIME)) /
		 SM_NSEC_PER_SEC;
	ck_assert_uint_le(ps.btime > boot_s ? ps.btime - boot_s : boot_s - ps.btime, 2);
	ctxt = ps.ctxt;
	usleep(2000);
	ck_assert_int_eq(sm_procstat_read(&f, &ps), 0);
	ck_assert_uint_gt(ps.ctxt, ctxt);
	sm_procstat_close(&f);
	sm_root_close(&live);
}
END_TEST

static TCase *tc_parse(void)
{
	TCase *tc = tcase_create("parse");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, every_field);
	tcase_add_test(tc, old_kernels_have_fewer_numbers);
	tcase_add_test(tc, lines_and_numbers_to_come_are_ignored);
	tcase_add_test(tc, what_is_no_number_counts_as_zero);
	tcase_add_test(tc, without_a_cpu_line);
	tcase_add_test(tc, a_reading_forgets_the_one_before);
	tcase_add_test(tc, hotplug);
	tcase_add_test(tc, cpu_numbers);
	tcase_add_test(tc, long_lines);
	tcase_add_test(tc, cut_off_anywhere);
	tcase_add_test(tc, delta);
	tcase_add_test(tc, delta_never_underflows);
	tcase_add_test(tc, member_that_jumps);
	tcase_add_test(tc, members_that_jump_together);
	tcase_add_test(tc, iowait_becomes_idle);
	tcase_add_test(tc, bounded_by_the_readings);
	tcase_add_test(tc, most_time);
	tcase_add_test(tc, rates);
	return tc;
}

static TCase *tc_files(void)
{
	TCase *tc = tcase_create("files");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, file_that_grows_and_shrinks);
	tcase_add_test(tc, without_single_cpus);
	tcase_add_test(tc, steady_state_is_one_read);
	tcase_add_test(tc, live_machine);
	return tc;
}

UNIT_MAIN("procstat", tc_parse, tc_files)
