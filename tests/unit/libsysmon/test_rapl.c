// SPDX-License-Identifier: GPL-2.0-or-later
#include <grp.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "fixroot_rig.h"
#include "power/rapl.h"

#define RANGE 262143328850 /* 2^32 units of 61 uJ */

static struct sm_rapl r;

static void setup(void)
{
	fix_open();
	r = (struct sm_rapl){0};
}

static void teardown(void)
{
	sm_rapl_close(&r);
	fix_close();
}

static const char *file_of(const char *id, const char *file)
{
	static char name[256];

	snprintf(name, sizeof(name), "sys/class/powercap/%s/%s", id, file);
	return name;
}

static void set(const char *id, uint64_t uj)
{
	char text[32];

	snprintf(text, sizeof(text), "%llu\n", (unsigned long long)uj);
	fix_put(file_of(id, "energy_uj"), text);
}

static void zone(const char *id, const char *name, uint64_t uj)
{
	char text[160];

	snprintf(text, sizeof(text), "%s\n", name);
	fix_put(file_of(id, "name"), text);
	snprintf(text, sizeof(text), "%llu\n", (unsigned long long)RANGE);
	fix_put(file_of(id, "max_energy_range_uj"), text);
	set(id, uj);
}

static void open_rule(enum sm_rapl_total rule)
{
	ck_assert_int_eq(sm_rapl_open(&r, &fix, rule), 0);
}

static void open_all(void)
{
	open_rule(SM_RAPL_TOTAL_PKG_DRAM);
}

static void read_all(int want)
{
	ck_assert_int_eq(sm_rapl_read(&r), want);
}

static const struct sm_rapl_zone *at(const char *label)
{
	for (unsigned int i = 0; i < r.zones.n; i++)
		if (strcmp(r.zones.at[i].role.label, label) == 0)
			return &r.zones.at[i];
	ck_abort_msg("no zone has the label %s", label);
	return NULL;
}

/* "label id why parent-label" of every zone, in order. */
static void check_zones(const char *const *want, size_t n)
{
	static const char *const why[] = {
		"counted", "inside", "duplicate", "mirror", "not-asked", "unreadable"};

	ck_assert_uint_eq(r.zones.n, n);
	for (unsigned int i = 0; i < r.zones.n; i++) {
		const struct sm_rapl_zone *z = &r.zones.at[i];
		char got[1024];

		snprintf(got, sizeof(got), "%s %s %s %s", z->role.label, z->counter.id,
			why[z->role.why],
			z->role.parent < 0 ? "-" : r.zones.at[z->role.parent].role.label);
		ck_assert_str_eq(got, want[i]);
	}
}

#define ZONES(...)                                               \
	do {                                                     \
		static const char *const want[] = {__VA_ARGS__}; \
		check_zones(want, SM_ARRAY_SIZE(want));          \
	} while (0)

/* ---- discovery ---- */

START_TEST(none)
{
	struct sm_root nothing = SM_ROOT_INIT;

	ck_assert_int_eq(sm_rapl_open(&r, &nothing, SM_RAPL_TOTAL_PKG), -ENOENT);
	ck_assert_int_eq(sm_rapl_open(&r, &fix, SM_RAPL_TOTAL_PKG), -ENOENT);
	sm_rapl_close(&r);
	/* a control type, and a zone with only power_uw */
	fix_put(file_of("intel-rapl", "enabled"), "1\n");
	fix_put(file_of("dtpm:0", "power_uw"), "1\n");
	fix_put(file_of("dtpm:0", "name"), "package-0\n");
	fix_put("sys/class/powercap/energy_uj", "5\n");
	ck_assert_int_eq(sm_rapl_open(&r, &fix, SM_RAPL_TOTAL_PKG), -ENOENT);
	ck_assert_uint_eq(r.zones.n, 0);
}
END_TEST

/* As on a laptop: psys is zone 1, intel-rapl-mmio duplicates the package. */
START_TEST(client)
{
	zone("intel-rapl-mmio:0", "package-0", 1);
	zone("intel-rapl:1", "psys", 2);
	zone("intel-rapl:0:1", "uncore", 3);
	zone("intel-rapl:0:2", "dram", 4);
	zone("intel-rapl:0:0", "core", 5);
	zone("intel-rapl:0", "package-0", 6);
	fix_put(file_of("intel-rapl", "enabled"), "1\n");
	open_all();
	ZONES("pkg-0 intel-rapl:0 counted -",
		"pkg-0-duplicate intel-rapl-mmio:0 duplicate -",
		"core intel-rapl:0:0 inside pkg-0", "uncore intel-rapl:0:1 inside pkg-0",
		"dram intel-rapl:0:2 counted pkg-0", "psys intel-rapl:1 not-asked -");
	ck_assert_uint_eq(r.zones.counted, 2);
	ck_assert_int_eq(r.zones.at[1].role.partner, 0);
	ck_assert_uint_eq(r.zones.at[0].counter.range_uj, RANGE);
	ck_assert_str_eq(r.zones.at[0].counter.name, "package-0");
	ck_assert_int_eq(r.zones.at[4].role.package, 0);
	sm_rapl_close(&r);
	open_rule(SM_RAPL_TOTAL_PKG);
	ck_assert_int_eq(at("dram")->role.why, SM_RAPL_NOT_ASKED);
	ck_assert_uint_eq(r.zones.counted, 1);
	sm_rapl_close(&r);
	open_rule(SM_RAPL_TOTAL_PSYS);
	ck_assert_uint_eq(r.zones.counted, 1);
	ck_assert_int_eq(at("psys")->role.why, SM_RAPL_COUNTED);
	ck_assert_int_eq(at("core")->role.why, SM_RAPL_INSIDE);
}
END_TEST

/* The number of the zone is not that of the package. */
START_TEST(two_sockets)
{
	zone("intel-rapl:0", "package-1 \t ", 1); /* blanks of the firmware */
	zone("intel-rapl:1", "package-0", 2);
	zone("intel-rapl:0:0", "core", 1);
	zone("intel-rapl:0:1", "dram", 1);
	zone("intel-rapl:1:0", "core", 2);
	zone("intel-rapl:1:1", "dram", 2);
	open_all();
	ZONES("pkg-0 intel-rapl:1 counted -", "pkg-1 intel-rapl:0 counted -",
		"core-0 intel-rapl:1:0 inside pkg-0",
		"core-1 intel-rapl:0:0 inside pkg-1",
		"dram-0 intel-rapl:1:1 counted pkg-0",
		"dram-1 intel-rapl:0:1 counted pkg-1");
}
END_TEST

START_TEST(dies_and_many)
{
	zone("intel-rapl:10", "package-1-die-0", 1);
	zone("intel-rapl:2", "package-0-die-1", 2);
	zone("intel-rapl:0", "package-0-die-0", 3);
	zone("intel-rapl:2:0", "dram", 4);
	zone("intel-rapl:5", "psys-1", 5);
	zone("intel-rapl:4", "psys", 5);
	open_rule(SM_RAPL_TOTAL_PSYS);
	ZONES("pkg-0.0 intel-rapl:0 not-asked -", "pkg-0.1 intel-rapl:2 not-asked -",
		"pkg-1.0 intel-rapl:10 not-asked -",
		"dram-0.1 intel-rapl:2:0 not-asked pkg-0.1",
		"psys intel-rapl:4 counted -", "psys-1 intel-rapl:5 counted -");
}
END_TEST

/* As sysfs has it: links into devices/, where the zones lie in one another. */
START_TEST(links)
{
	fix_put("sys/devices/virtual/powercap/intel-rapl/intel-rapl:0/name",
		"package-0\n");
	fix_put("sys/devices/virtual/powercap/intel-rapl/intel-rapl:0/energy_uj", "7\n");
	fix_put("sys/devices/virtual/powercap/intel-rapl/intel-rapl:0/intel-rapl:0:0/"
		"name",
		"core\n");
	fix_put("sys/devices/virtual/powercap/intel-rapl/intel-rapl:0/intel-rapl:0:0/"
		"energy_uj",
		"3\n");
	fix_mkdir("sys/class/powercap");
	fix_link("sys/class/powercap/intel-rapl",
		"../../devices/virtual/powercap/intel-rapl");
	fix_link("sys/class/powercap/intel-rapl:0:0",
		"../../devices/virtual/powercap/intel-rapl/intel-rapl:0/intel-rapl:0:0");
	fix_link("sys/class/powercap/intel-rapl:0",
		"../../devices/virtual/powercap/intel-rapl/intel-rapl:0");
	fix_link("sys/class/powercap/intel-rapl:9", "../../devices/gone");
	open_all();
	ZONES("pkg-0 intel-rapl:0 counted -", "core intel-rapl:0:0 inside pkg-0");
	read_all(2);
	ck_assert_uint_eq(r.zones.at[0].counter.base.uj, 7);
	ck_assert_uint_eq(r.zones.at[1].counter.base.uj, 3);
}
END_TEST

/* No package anywhere: what lies in no other zone counts. */
START_TEST(other_architecture)
{
	zone("arm:0", "cluster-0", 1);
	zone("arm:0:0", "core", 1);
	zone("arm:1", "gpu", 1);
	zone("arm:10", "npu", 1);
	zone("arm:2", "isp", 1);
	zone("scmi:0", "cluster-0", 1);
	zone("scmi:0:3:0", "sram", 1);
	open_all();
	ZONES("core arm:0:0 inside cluster-0", "cluster-0 arm:0 counted -",
		"gpu arm:1 counted -", "isp arm:2 counted -", "npu arm:10 counted -",
		"cluster-0@scmi:0 scmi:0 counted -",
		"sram scmi:0:3:0 inside cluster-0@scmi:0");
}
END_TEST

START_TEST(hostile_names)
{
	char big[300];

	memset(big, 'x', sizeof(big));
	big[299] = '\0';
	zone("a:0", "%s%n\033[2J", 1);
	zone("a:1", "%s%n\033[2J", 1);
	zone("a:2", "%s%n\033[2J@a:1", 1);
	zone("a:3", "", 1);
	zone("a:5", "package-0-die-", 1);
	zone("a:6", "package-70000", 1);
	zone("a:7", "packages", 1);
	zone("a:8", "psys-", 1);
	zone("a:9", "a\nb", 1);
	set("a:4", 1);
	fix_put(file_of("a:99", "name"), big);
	set("a:99", 1);
	open_all();
	ck_assert_uint_eq(r.zones.n, 11);
	for (unsigned int i = 0; i < r.zones.n; i++)
		ck_assert_int_eq(r.zones.at[i].role.kind, SM_RAPL_OTHER);
	ck_assert_str_eq(at("%s%n\033[2J")->counter.id, "a:0");
	ck_assert_str_eq(at("%s%n\033[2J@a:1")->counter.id, "a:1");
	ck_assert_str_eq(at("%s%n\033[2J@a:1@a:2")->counter.id, "a:2");
	ck_assert_str_eq(at("a:3")->counter.name, "");
	ck_assert_str_eq(at("a:4")->counter.name, "");
	ck_assert_str_eq(at("a")->counter.id, "a:9");
	ck_assert_uint_eq(
		strlen(r.zones.at[r.zones.n - 1].counter.name), SM_RAPL_NAME_MAX - 1);
}
END_TEST

START_TEST(caps)
{
	zone("intel-rapl:0", "package-0", 1);
	fix_put(file_of("intel-rapl:0", "constraint_0_max_power_uw"), "700000000\n");
	fix_put(file_of("intel-rapl:0", "constraint_1_max_power_uw"), "0\n");
	fix_put(file_of("intel-rapl:0", "constraint_2_max_power_uw"),
		"18446744073709551615\n");
	fix_put(file_of("intel-rapl:0", "constraint_0_power_limit_uw"), "4095875000\n");
	zone("intel-rapl:1", "package-1", 1);
	fix_put(file_of("intel-rapl:1", "constraint_0_max_power_uw"), "0\n");
	fix_put(file_of("intel-rapl:1", "constraint_1_power_limit_uw"), "600000000\n");
	zone("intel-rapl:2", "package-2", 1);
	fix_put(file_of("intel-rapl:2", "constraint_0_max_power_uw"), "15000000\n");
	fix_put(file_of("intel-rapl:2", "max_energy_range_uj"), "junk\n");
	open_all();
	ck_assert_uint_eq(r.zones.at[0].counter.cap_uw, 2800000000);
	ck_assert_uint_eq(r.zones.at[1].counter.cap_uw, 2400000000);
	ck_assert_uint_eq(r.zones.at[2].counter.cap_uw, 2000000000);
	ck_assert_uint_eq(r.zones.at[2].counter.range_uj, 0);
	/* half of 262143 J at 2800 W */
	ck_assert_double_eq_tol((double)sm_rapl_gap_ns(&r) / 1e9, 46.811, 0.001);
}
END_TEST

START_TEST(gaps)
{
	zone("a:0", "package-0", 1);
	fix_put(file_of("a:0", "max_energy_range_uj"), "0\n");
	open_all();
	ck_assert_uint_eq(sm_rapl_gap_ns(&r), 3600 * SM_NSEC_PER_SEC);
	sm_rapl_close(&r);
	fix_put(file_of("a:0", "max_energy_range_uj"), "65532610987\n");
	open_all();
	ck_assert_double_eq_tol((double)sm_rapl_gap_ns(&r) / 1e9, 16.383, 0.001);
	sm_rapl_close(&r);
	fix_put(file_of("a:0", "max_energy_range_uj"), "1\n");
	open_all();
	ck_assert_uint_eq(sm_rapl_gap_ns(&r), 10 * SM_NSEC_PER_MSEC);
}
END_TEST

/* ---- files ---- */

static void pause_ms(long ms)
{
	struct timespec ts = {.tv_nsec = ms * 1000000};

	nanosleep(&ts, NULL);
}

START_TEST(reads_files)
{
	uint64_t before = sm_clock_mono_ns(), after;

	zone("intel-rapl:0", "package-0", 1000);
	zone("intel-rapl:0:0", "core", 500);
	open_all();
	read_all(2);
	after = sm_clock_mono_ns();
	ck_assert_uint_gt(r.zones.at[0].counter.base.ns, before);
	ck_assert_uint_lt(r.zones.at[0].counter.base.ns, r.zones.at[1].counter.base.ns);
	ck_assert_uint_lt(r.zones.at[1].counter.base.ns, after);
	pause_ms(10);
	set("intel-rapl:0", 151000);
	set("intel-rapl:0:0", 90500);
	read_all(2);
	ck_assert_uint_eq(r.zones.at[0].sums.energy_uj, 150000);
	ck_assert_uint_eq(r.zones.at[1].sums.energy_uj, 90000);
	ck_assert_uint_ge(r.zones.at[0].sums.covered_ns, 10 * SM_NSEC_PER_MSEC);
	ck_assert_uint_le(r.zones.at[0].sums.covered_ns, sm_clock_mono_ns() - before);
	ck_assert_uint_eq(r.readings, 2);
}
END_TEST

/* A bad number is an error of that zone alone, and the next good one bridges it. */
START_TEST(bad_values)
{
	static const struct {
		const char *text;
		int error;
	} bad[] = {{"", -ENODATA}, {"\n", -ENODATA}, {"-5\n", -EINVAL},
		{"junk\n", -EINVAL}, {"12 \n", -EINVAL}, {"0x10\n", -EINVAL},
		{"18446744073709551616\n", -EINVAL}, {"5\n6\n", -EINVAL},
		{"00000000000000000000000000000000000000000000000000"
		 "0000000000000000000005\n",
			-EINVAL}};

	zone("intel-rapl:0", "package-0", 1000);
	zone("intel-rapl:0:0", "dram", 500);
	open_all();
	read_all(2);
	for (size_t i = 0; i < SM_ARRAY_SIZE(bad); i++) {
		fix_put(file_of("intel-rapl:0:0", "energy_uj"), bad[i].text);
		set("intel-rapl:0", 1000 + i);
		read_all(1);
		ck_assert_msg(
			r.zones.at[1].counter.error == bad[i].error, "'%s'", bad[i].text);
		ck_assert_int_eq(r.zones.at[0].counter.error, 0);
		ck_assert_uint_eq(r.zones.at[0].sums.energy_uj, i);
		ck_assert_uint_eq(r.zones.at[1].sums.covered_ns, 0);
	}
	set("intel-rapl:0:0", 501);
	read_all(2);
	ck_assert_int_eq(r.zones.at[1].counter.error, 0);
	ck_assert_uint_eq(r.zones.at[1].sums.energy_uj, 1);
	ck_assert_uint_gt(r.zones.at[1].sums.covered_ns, 0);
	ck_assert_uint_eq(r.zones.counted, 2);
}
END_TEST

/* Opening a directory works, reading it does not: an error of its own. */
START_TEST(unreadable_by_kind)
{
	zone("intel-rapl:0", "package-0", 1000);
	zone("intel-rapl:1", "package-1", 1000);
	ck_assert_int_eq(unlink(fix_path(file_of("intel-rapl:1", "energy_uj"))), 0);
	fix_mkdir(file_of("intel-rapl:1", "energy_uj"));
	open_all();
	read_all(1);
	ck_assert_int_eq(at("pkg-1")->counter.error, -EISDIR);
	ck_assert_int_eq(at("pkg-0")->counter.error, 0);
}
END_TEST

/* energy_uj is root's alone; the zones are listed all the same. */
static int as_nobody(void)
{
	struct sm_rapl *p = &r;
	bool ok;

	if (geteuid() == 0 &&
		(setgroups(0, NULL) < 0 || setgid(65534) < 0 || setuid(65534) < 0))
		return 2;
	if (sm_rapl_open(p, &fix, SM_RAPL_TOTAL_PKG_DRAM) != 0)
		return 3;
	ok = p->zones.n == 3 && p->zones.counted == 1 &&
	     p->zones.at[0].role.why == SM_RAPL_COUNTED &&
	     strcmp(p->zones.at[0].counter.id, "intel-rapl-mmio:0") == 0 &&
	     p->zones.exchanged == 1 && p->zones.at[1].role.why == SM_RAPL_DUPLICATE &&
	     p->zones.at[1].counter.error == -EACCES &&
	     p->zones.at[2].role.why == SM_RAPL_UNREADABLE &&
	     p->zones.at[2].counter.error == -EACCES &&
	     strcmp(p->zones.at[2].role.label, "dram") == 0 && sm_rapl_read(p) == 1 &&
	     p->zones.at[2].counter.error == -EACCES;
	sm_rapl_close(p);
	return ok ? 0 : 4;
}

START_TEST(not_allowed)
{
	pid_t pid;
	int status;

	zone("intel-rapl:0", "package-0", 1000);
	zone("intel-rapl:0:0", "dram", 1000);
	zone("intel-rapl-mmio:0", "package-0", 1000);
	ck_assert_int_eq(chmod(fix_path(file_of("intel-rapl:0", "energy_uj")), 0), 0);
	ck_assert_int_eq(chmod(fix_path(file_of("intel-rapl:0:0", "energy_uj")), 0), 0);
	ck_assert_int_eq(chmod(fix_dir, 0755), 0);
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (pid == 0)
		_exit(as_nobody());
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
}
END_TEST

/* Simulates the file of a removed module by a closed fd. */
static void vanish(unsigned int i)
{
	ck_assert_int_ge(r.zones.at[i].counter.fd, 0);
	sm_base_close_fd(&r.zones.at[i].counter.fd);
	r.zones.at[i].counter.error = -ENODEV;
}

START_TEST(vanished)
{
	zone("intel-rapl:0", "package-0", 1000);
	zone("intel-rapl:1", "package-1", 1000);
	zone("intel-rapl:2", "psys", 1000);
	open_all();
	read_all(3);
	vanish(0);
	read_all(2);
	ck_assert_int_eq(r.zones.at[0].role.why, SM_RAPL_COUNTED);
	vanish(1);
	read_all(-ENODEV);
	ck_assert_uint_gt(r.zones.at[2].sums.covered_ns, 0);
}
END_TEST

START_TEST(after_a_suspend)
{
	zone("intel-rapl:0", "package-0", 5000000);
	open_all();
	read_all(1);
	sm_rapl_rebase(&r);
	set("intel-rapl:0", 12);
	read_all(1);
	ck_assert_uint_eq(
		r.zones.at[0].sums.energy_uj + r.zones.at[0].sums.covered_ns, 0);
	ck_assert_uint_eq(r.zones.at[0].sums.glitches, 0);
	pause_ms(1);
	set("intel-rapl:0", 13);
	read_all(1);
	ck_assert_uint_eq(r.zones.at[0].sums.energy_uj, 1);
}
END_TEST

/* The fewest of ten rounds: a reading that was interrupted for long is repeated. */
static const char *const five[][2] = {{"intel-rapl:0", "package-0"},
	{"intel-rapl:0:0", "core"}, {"intel-rapl:0:1", "dram"}, {"intel-rapl:1", "psys"},
	{"intel-rapl-mmio:0", "package-0"}};

/* One that rests, also while the test has to wait for a CPU, is not asked for any more.
 */
static void move_all(uint64_t uj)
{
	for (size_t i = 0; i < SM_ARRAY_SIZE(five); i++)
		set(five[i][0], 1000 + uj);
}

static uint64_t reads_of_a_round(void)
{
	static uint64_t round;
	uint64_t fewest = UINT64_MAX;

	for (int i = 0; i < 10 && fix_reads_counted(); i++) {
		uint64_t before, reads;

		move_all(++round);
		before = fix_reads();
		ck_assert_int_ge(sm_rapl_read(&r), 0);
		reads = fix_reads_between(before, fix_reads());
		fewest = reads < fewest ? reads : fewest;
	}
	return fewest;
}

START_TEST(one_read_for_each)
{
	unsigned int fds = unit_open_fds();
	const struct sm_rapl_zone *zones;
	bool counted = fix_reads_counted();

	for (size_t i = 0; i < SM_ARRAY_SIZE(five); i++)
		zone(five[i][0], five[i][1], 1000);
	open_all();
	ck_assert_uint_eq(unit_open_fds(), fds + 5);
	for (unsigned int i = 0; i < r.zones.n; i++)
		ck_assert_int_eq(fcntl(r.zones.at[i].counter.fd, F_GETFD), FD_CLOEXEC);
	zones = r.zones.at;
	ck_assert_uint_eq(reads_of_a_round(), counted ? 5 : UINT64_MAX);
	sm_rapl_only_total(&r);
	read_all(3); /* package, duplicate, dram */
	ck_assert_uint_eq(reads_of_a_round(), counted ? 3 : UINT64_MAX);
	ck_assert_ptr_eq(r.zones.at, zones);
	sm_rapl_close(&r);
	ck_assert_uint_eq(unit_open_fds(), fds);
}
END_TEST

#define TEST(fn) tcase_add_test(tc, fn)

static TCase *tc_zones(void)
{
	TCase *tc = tcase_create("zones");

	tcase_add_checked_fixture(tc, setup, teardown);
	TEST(none);
	TEST(client);
	TEST(two_sockets);
	TEST(dies_and_many);
	TEST(links);
	TEST(other_architecture);
	TEST(hostile_names);
	TEST(caps);
	TEST(gaps);
	return tc;
}

static TCase *tc_files(void)
{
	TCase *tc = tcase_create("files");

	tcase_add_checked_fixture(tc, setup, teardown);
	TEST(reads_files);
	TEST(bad_values);
	TEST(unreadable_by_kind);
	TEST(not_allowed);
	TEST(vanished);
	TEST(after_a_suspend);
	TEST(one_read_for_each);
	return tc;
}

UNIT_MAIN("rapl", tc_zones, tc_files)
