// SPDX-License-Identifier: GPL-2.0-or-later
#include "proc/cgroup.h"
#include "fixroot_rig.h"

#define CG "sys/fs/cgroup"

static void own(const char *text)
{
	fix_put("proc/self/cgroup", text);
}

static void check_limit(uint64_t want)
{
	uint64_t milli = 0;

	ck_assert_int_eq(sm_cgroup_limit_milli(&fix, &milli), 0);
	ck_assert_uint_eq(milli, want);
}

static void check_no_limit(void)
{
	uint64_t milli = 7;

	ck_assert_int_eq(sm_cgroup_limit_milli(&fix, &milli), -ENODATA);
	ck_assert_uint_eq(milli, 7);
}

START_TEST(v2_own_and_ancestors)
{
	own("0::/a/b/c\n");
	fix_mkdir(CG "/a/b/c/d");
	check_no_limit();
	fix_put(CG "/a/b/c/cpu.max", "max 100000\n");
	check_no_limit();
	fix_put(CG "/a/b/c/cpu.max", "150000 100000\n");
	check_limit(1500);
	fix_put(CG "/a/b/cpu.max", "400000 100000\n");
	check_limit(1500);
	fix_put(CG "/a/cpu.max", "25000 50000\n");
	check_limit(500);
	fix_put(CG "/a/b/c/d/cpu.max", "1000 100000\n"); /* not an ancestor */
	fix_put(CG "/b/cpu.max", "1000 100000\n");
	check_limit(500);
	/* in a cgroup namespace of our own the mount's root has one */
	fix_put(CG "/cpu.max", "12500 100000\n");
	check_limit(125);
	own("0::/\n");
	check_limit(125);
}
END_TEST

START_TEST(v2_values)
{
	static const struct {
		const char *text;
		uint64_t milli; /* 0: no limit */
	} t[] = {
		{"100000 100000\n", 1000},
		{"100000 100000", 1000},
		{"1 3\n", 333},
		{"2 3\n", 667},
		{"1 1000000\n", 1},
		{"1844674407370955 1\n", UINT64_C(1844674407370955000)},
		{"18446744073709552 1\n", 0},
		{"18446744073709551615 100000\n", 0},
		{"100000 0\n", 0},
		{"100000\n", 0},
		{"100000 max\n", 0},
		{"-1 100000\n", 0},
		{"max\n", 0},
		{"\n", 0},
		{"", 0},
		{"100000\t100000\n", 0},
	};

	own("0::/x\n");
	for (size_t i = 0; i < SM_ARRAY_SIZE(t); i++) {
		fix_put(CG "/x/cpu.max", t[i].text);
		if (t[i].milli)
			check_limit(t[i].milli);
		else
			check_no_limit();
	}
}
END_TEST

/* The path is not there, or ends early: what is above it still counts. */
START_TEST(paths_that_are_not_there)
{
	fix_put(CG "/cpu.max", "300000 100000\n");
	fix_put(CG "/a/cpu.max", "200000 100000\n");
	own("0::/docker/0123456789\n");
	check_limit(3000);
	own("0::/a/gone (deleted)\n");
	check_limit(2000);
	fix_put(CG "/a/file", "");
	own("0::/a/file/b\n");
	check_limit(2000);
	own("0::/a//\n");
	check_limit(2000);
}
END_TEST

/* A path never leads out of the mount. */
START_TEST(hostile_paths)
{
	static const char *const climbing[] = {"0::/../secret\n", "0::/../../fs/secret\n",
		"0::/a/../../secret\n", "0::/a/..\n", "0::/./a\n", "0::/..\n",
		"0::/a/link/..\n", "0::/../../../../../../../../tmp\n",
		"0::/a/b/../../../secret\n"};

	fix_mkdir(CG "/a/b");
	fix_put("sys/fs/secret/cpu.max", "1000 100000\n");
	fix_put("sys/fs/cpu.max", "1000 100000\n");
	fix_put(CG "/a/cpu.max", "2000 100000\n");
	for (size_t i = 0; i < SM_ARRAY_SIZE(climbing); i++) {
		own(climbing[i]);
		check_no_limit();
	}
	fix_put_bytes("proc/self/cgroup", "0::/..\0/secret\n", 15);
	check_no_limit();
	fix_put(CG "/cpu.max", "90000 100000\n");
	for (size_t i = 0; i < SM_ARRAY_SIZE(climbing); i++) {
		own(climbing[i]);
		check_limit(900);
	}
	fix_put_bytes("proc/self/cgroup", "0::/a/..\0/b\n", 12);
	check_limit(900);
	/* "..." and the like are names */
	fix_put(CG "/.../..x/cpu.max", "80000 100000\n");
	own("0::/.../..x\n");
	check_limit(800);
	fix_link(CG "/a/link", "../../secret");
	own("0::/a/link\n");
	check_limit(20);
	fix_put(CG "/x:y/0::/cpu.max", "70000 100000\n");
	own("0::/x:y/0::\n");
	check_limit(700);
}
END_TEST

START_TEST(long_paths)
{
	char text[100000] = "0::", *end = text + strlen(text);

	fix_put(CG "/cpu.max", "90000 100000\n");
	memset(end, 'x', 300);
	*end = '/';
	memcpy(end + 300, "\n", 2);
	own(text); /* a component longer than any name */
	check_limit(900);
	for (char *p = end; p < text + sizeof(text) - 2; p += 2)
		memcpy(p, "/x", 3);
	own(text); /* more than is ever read */
	check_limit(900);
	fix_put(CG "/x/x/x/cpu.max", "80000 100000\n");
	check_limit(800);
	memset(end, '/', 70000);
	own(text);
	check_limit(900);
}
END_TEST

static void put_v1(const char *dir, const char *quota, const char *period)
{
	char name[256];

	snprintf(name, sizeof(name), CG "/%s/cpu.cfs_quota_us", dir);
	fix_put(name, quota);
	snprintf(name, sizeof(name), CG "/%s/cpu.cfs_period_us", dir);
	fix_put(name, period);
}

START_TEST(v1)
{
	static const char *const mounts[] = {"cpu", "cpu,cpuacct", "cpuacct,cpu"};

	own("3:cpuset:/other\n2:cpu,cpuacct:/a/b\n1:name=systemd:/c\n");
	for (size_t i = 0; i < SM_ARRAY_SIZE(mounts); i++) {
		char dir[64];

		snprintf(dir, sizeof(dir), "%s/a/b", mounts[i]);
		put_v1(dir, "-1\n", "100000\n");
		check_no_limit();
		put_v1(dir, "250000\n", "100000\n");
		check_limit(2500);
		snprintf(dir, sizeof(dir), "%s/a", mounts[i]);
		put_v1(dir, "40000\n", "80000\n");
		check_limit(500);
		put_v1(mounts[i], "-1\n", "100000\n");
		check_limit(500);
		put_v1(mounts[i], "10000\n", "100000\n");
		check_limit(100);
		put_v1(mounts[i], "0\n", "100000\n");
		put_v1(dir, "junk\n", "80000\n");
		check_limit(2500);
		snprintf(dir, sizeof(dir), "%s/a/b", mounts[i]);
		put_v1(dir, "250000\n", "0\n");
		check_no_limit();
	}
}
END_TEST

/* The usual link to the directory that has the controllers' full name. */
START_TEST(v1_through_the_mounts_link)
{
	put_v1("cpu,cpuacct/a", "30000\n", "100000\n");
	fix_link(CG "/cpu", "cpu,cpuacct");
	own("7:cpu,cpuacct:/a\n");
	check_limit(300);
}
END_TEST

/* Controllers of v1 beside a v2 hierarchy that has none, or has this one. */
START_TEST(hybrid)
{
	own("4:cpu:/v1\n3:cpuacct:/x\n1:name=systemd:/y\n0::/v2\n");
	fix_mkdir(CG "/unified/v2");
	check_no_limit();
	put_v1("cpu/v1", "60000\n", "100000\n");
	check_limit(600);
	put_v1("cpu/x", "10000\n", "100000\n"); /* another controller's path */
	put_v1("cpu/v2", "10000\n", "100000\n");
	check_limit(600);
	own("4:memory:/v1\n0::/v2\n");
	fix_put(CG "/unified/v2/cpu.max", "50000 100000\n");
	check_limit(500);
	/* names that only look alike */
	own("4:cpuset,cpuacct:/v1\n5:xcpu,cpux:/v1\n6:name=cpu:/v1\n");
	check_no_limit();
}
END_TEST

START_TEST(no_cgroups)
{
	static const char *const junk[] = {"", "\n", "0::\n", "0:/a\n", "::/a\n",
		"1::/a\n", "0::a\n", "/a\n", "00::/a\n", "0:x:/a\n", "0: :/a\n"};
	struct sm_root no_sys = fix;
	uint64_t milli;

	fix_put(CG "/a/cpu.max", "50000 100000\n");
	ck_assert_int_eq(sm_cgroup_limit_milli(&fix, &milli), -ENOENT);
	for (size_t i = 0; i < SM_ARRAY_SIZE(junk); i++) {
		own(junk[i]);
		check_no_limit();
	}
	own("0::/a\n");
	check_limit(500);
	no_sys.sys.fd = -1;
	ck_assert_int_eq(sm_cgroup_limit_milli(&no_sys, &milli), -ENODATA);
}
END_TEST

/* Into memory of exactly the size. */
static void check_path(const char *text, const char *want, size_t cap)
{
	char *buf = malloc(cap ? cap : 1);
	ssize_t n;

	ck_assert_ptr_nonnull(buf);
	fix_put("proc/42/cgroup", text);
	n = sm_cgroup_read(&fix, 42, buf, cap);
	ck_assert_int_eq(n, (ssize_t)strlen(want));
	ck_assert_mem_eq(buf, want, strlen(want));
	free(buf);
}

START_TEST(path_of_a_process)
{
	char buf[8];

	check_path("0::/system.slice/x.service\n", "/system.slice/x.service", 100);
	check_path("0::/", "/", 100);
	check_path("9:memory:/m\n2:cpu,cpuacct:/c\n0::/u\n", "/u", 100);
	check_path("9:memory:/m\n2:cpuacct,cpu:/c\n", "/c", 100);
	/* mounted, but unused */
	check_path("9:memory:/m\n2:cpu,cpuacct:/c\n0::/\n", "/c", 100);
	check_path("2:cpu,cpuacct:/\n0::/\n", "/", 100);
	check_path("9:memory:/m\n2:cpuacct:/c\n", "/c", 100);
	/* hybrid, with the cpu controller enabled nowhere */
	check_path("9:memory:/m\n4:cpu,cpuacct:/\n1:name=systemd:/s/x.service\n0::/\n",
		"/s/x.service", 100);
	check_path("9:memory:/m\n4:cpu,cpuacct:/\n1:name=systemd:/\n", "/m", 100);
	check_path("junk\n9:memory\n3::x\n2:cpuacct:/c\n", "/c", 100);
	check_path("0::/a b:c\x1b[2J\xff\n", "/a b:c\x1b[2J\xff", 100);
	/* a name cannot pass for another hierarchy's line */
	check_path("5:memory:/0::/evil\n0::/u\n", "/u", 100);
	check_path("1:name=0:/n\n0::/../x (deleted)\n", "/../x (deleted)", 100);
	check_path("0::/abcdef\n", "/abcdef", 7);
	check_path("0::/abcdef\n", "/abcde", 6);
	check_path("0::/abcdef\n", "", 0);
	fix_put("proc/42/cgroup", "");
	ck_assert_int_eq(sm_cgroup_read(&fix, 42, buf, 8), -ENODATA);
	ck_assert_int_eq(sm_cgroup_read(&fix, 43, buf, 8), -ENOENT);
	ck_assert_int_eq(sm_cgroup_read(&fix, 0, buf, 8), -ENOENT);
	ck_assert_int_eq(sm_cgroup_read(&fix, INT_MIN, buf, 8), -ENOENT);
	ck_assert_int_eq(sm_cgroup_read(&fix, INT_MAX, buf, 8), -ENOENT);
}
END_TEST

START_TEST(cgroups_that_exist)
{
	ck_assert(sm_cgroup_exists(&fix, "/any")); /* no mount: unknown */
	fix_mkdir(CG "/cpu,cpuacct/a/b");
	fix_mkdir(CG "/systemd/s.slice");
	ck_assert(sm_cgroup_exists(&fix, "/a/b"));
	ck_assert(sm_cgroup_exists(&fix, "a/b/"));
	ck_assert(sm_cgroup_exists(&fix, "/"));
	ck_assert(sm_cgroup_exists(&fix, "s.slice"));
	ck_assert(!sm_cgroup_exists(&fix, "/b"));
	fix_put(CG "/cgroup.procs", ""); /* version 2: directories are cgroups */
	ck_assert(sm_cgroup_exists(&fix, "/systemd/s.slice"));
	ck_assert(!sm_cgroup_exists(&fix, "/s.slice"));
}
END_TEST

static uint64_t inode_of(const char *name)
{
	struct stat st;

	ck_assert_int_eq(stat(fix_path(name), &st), 0);
	return st.st_ino;
}

static void check_inode(const char *name, const char *want)
{
	struct sm_buf path = {.len = 0};
	int ret = sm_cgroup_by_inode(&fix, inode_of(name), &path);

	if (want) {
		ck_assert_int_eq(ret, 0);
		ck_assert_uint_eq(path.len, strlen(want));
		ck_assert_mem_eq(path.p, want, path.len);
	} else {
		ck_assert_int_eq(ret, -ENOENT);
		ck_assert_uint_eq(path.len, 0);
	}
	sm_buf_fini(&path);
}

START_TEST(path_of_an_inode)
{
	struct sm_buf path = {.len = 0};

	own("0::/a\n");
	ck_assert_int_eq(sm_cgroup_by_inode(&fix, 1, &path), -ENOENT); /* no mount */
	fix_mkdir(CG "/a b/c/d");
	fix_mkdir(CG "/e/f");
	fix_put(CG "/cgroup.procs", "");
	fix_put(CG "/e/file", "");
	fix_mkdir("sys/fs/secret");
	fix_link(CG "/e/link", "../../secret");
	check_inode(CG, "/");
	check_inode(CG "/a b", "/a b");
	check_inode(CG "/a b/c/d", "/a b/c/d");
	check_inode(CG "/e/f", "/e/f");
	/* a file, what is above, and what a link leads to are no cgroups */
	check_inode(CG "/e/file", NULL);
	check_inode("sys/fs", NULL);
	check_inode("sys/fs/secret", NULL);
	/* it comes behind what is there */
	sm_buf_str(&path, "x:");
	ck_assert_int_eq(sm_cgroup_by_inode(&fix, inode_of(CG "/e"), &path), 0);
	ck_assert_uint_eq(path.len, 4);
	ck_assert_mem_eq(path.p, "x:/e", 4);
	ck_assert_int_eq(sm_cgroup_by_inode(&fix, inode_of("sys/fs"), &path), -ENOENT);
	ck_assert_uint_eq(path.len, 4);
	sm_buf_fini(&path);
}
END_TEST

/* More names than one read of a directory returns, the longest possible one among them */
START_TEST(inode_of_many)
{
	char name[sizeof(CG) + 256], want[257] = "/";

	fix_put(CG "/cgroup.procs", "");
	own("0::/\n");
	for (int i = 0; i < 60; i++) {
		snprintf(name, sizeof(name), "%s/group of a long name %d", CG, i);
		fix_mkdir(name);
	}
	memset(want + 1, 'n', 255);
	snprintf(name, sizeof(name), "%s%s", CG, want);
	fix_mkdir(name);
	check_inode(name, want);
	check_inode(CG "/group of a long name 0", "/group of a long name 0");
	check_inode(CG "/group of a long name 59", "/group of a long name 59");
}
END_TEST

/* Each hierarchy has numbers of its own: only that of the memory controller counts. */
START_TEST(inode_of_the_memory_hierarchy)
{
	fix_mkdir(CG "/memory/m");
	fix_mkdir(CG "/cpu/c");
	fix_mkdir(CG "/unified/u");
	own("3:memory:/\n2:cpu:/\n0::/\n");
	check_inode(CG "/memory", "/");
	check_inode(CG "/memory/m", "/m");
	check_inode(CG "/cpu/c", NULL);
	check_inode(CG "/unified/u", NULL);
	own("2:cpu:/\n0::/\n");
	check_inode(CG "/unified/u", "/u");
	check_inode(CG "/memory/m", NULL);
}
END_TEST

START_TEST(path_live)
{
	struct sm_root live;
	char text[4096], path[4096];
	ssize_t n;
	FILE *in = fopen("/proc/self/cgroup", "re");

	ck_assert_int_eq(sm_root_open(&live, NULL), 0);
	n = sm_cgroup_read(&live, getpid(), path, sizeof(path));
	if (in && fgets(text, sizeof(text), in)) {
		ck_assert_int_gt(n, 0);
		ck_assert_int_eq(path[0], '/');
	} else {
		ck_assert_int_lt(n, 0);
	}
	if (in)
		fclose(in);
	sm_root_close(&live);
}
END_TEST

/* 0 bytes stand for no limit, which a group that is full does not have. */
static void check_free(int want_err, uint64_t want)
{
	uint64_t bytes = 0;

	ck_assert_int_eq(sm_cgroup_memory_free(&fix, &bytes), want_err);
	if (!want_err)
		ck_assert_uint_eq(bytes, want);
}

START_TEST(memory_v2)
{
	own("0::/a/b\n");
	fix_put(CG "/a/b/memory.max", "max\n");
	fix_put(CG "/a/b/memory.current", "1000\n");
	check_free(-ENODATA, 0);
	fix_put(CG "/a/b/memory.max", "5000\n");
	check_free(0, 4000);
	fix_put(CG "/a/memory.max", "9000\n");
	fix_put(CG "/a/memory.current", "8500\n");
	check_free(0, 500);
	fix_put(CG "/a/memory.current",
		"9001\n"); /* the kernel lets it exceed for a moment */
	check_free(0, 0);
}
END_TEST

START_TEST(memory_v1)
{
	own("5:cpu,cpuacct:/c\n4:memory:/m\n0::/\n");
	fix_put(CG "/memory/m/memory.limit_in_bytes", "9223372036854771712\n");
	fix_put(CG "/memory/m/memory.usage_in_bytes", "4096\n");
	check_free(-ENODATA, 0);
	fix_put(CG "/memory/m/memory.limit_in_bytes", "67108864\n");
	check_free(0, 67104768);
}
END_TEST

static void check_kills(int want_err, uint64_t want)
{
	uint64_t kills = 0;

	ck_assert_int_eq(sm_cgroup_oom_kills(&fix, &kills), want_err);
	if (!want_err)
		ck_assert_uint_eq(kills, want);
}

/* The count comes from the own group, or from the nearest group above that has the memory
 * controller. */
START_TEST(oom_kills)
{
	own("0::/a/b\n");
	check_kills(-ENODATA, 0);
	fix_put(CG "/a/memory.events", "low 0\noom 9\noom_kill 9\noom_group_kill 0\n");
	fix_mkdir(CG "/a/b");
	check_kills(0, 9);
	fix_put(CG "/a/b/memory.events",
		"low 0\nmax 8\noom 3\noom_kill 2\noom_group_kill 1\n");
	check_kills(0, 2);
	fix_put(CG "/a/b/memory.events", "low 0\nmax 8\noom 3\n");
	check_kills(-ENODATA, 0);
	own("0::/\n");
	check_kills(-ENODATA, 0);
	own("4:memory:/m\n");
	fix_put(CG "/memory/m/memory.oom_control",
		"oom_kill_disable 0\nunder_oom 0\noom_kill 7\n");
	check_kills(0, 7);
}
END_TEST

static TCase *tc_limit(void)
{
	TCase *tc = tcase_create("limit");

	tcase_add_checked_fixture(tc, fix_open, fix_close);
	tcase_add_test(tc, v2_own_and_ancestors);
	tcase_add_test(tc, v2_values);
	tcase_add_test(tc, paths_that_are_not_there);
	tcase_add_test(tc, hostile_paths);
	tcase_add_test(tc, long_paths);
	tcase_add_test(tc, v1);
	tcase_add_test(tc, v1_through_the_mounts_link);
	tcase_add_test(tc, hybrid);
	tcase_add_test(tc, no_cgroups);
	tcase_add_test(tc, memory_v2);
	tcase_add_test(tc, memory_v1);
	tcase_add_test(tc, oom_kills);
	return tc;
}

static void check_order(const uint32_t *number, const uint64_t *shown, uint32_t n)
{
	struct sm_cgroup_order o;

	ck_assert_int_eq(sm_cgroup_order(&fix, &o), 0);
	ck_assert_uint_eq(o.n, n);
	for (uint32_t i = 0; i < n; i++) {
		ck_assert_uint_eq(o.hierarchy[i], number[i]);
		ck_assert_uint_eq(o.root[i], shown[i]);
		ck_assert_uint_eq(o.place[number[i] % SM_CGROUP_NUMBERS], i + 1);
	}
}

/* The order in which sm_cgroup_read() prefers them. */
START_TEST(order_of_hierarchies)
{
	static const uint32_t number[] = {0, 3, 300, 12, 11, 2};
	static const uint64_t first[] = {1, 1, 1, 1, 1, 1};
	struct sm_cgroup_order o;

	ck_assert_int_eq(sm_cgroup_order(&fix, &o), -ENOENT);
	own("12:name=systemd:/a\n11:pids:/b\n300:cpuacct:/\n3:cpu,cpuset:/\n2:memory:/"
	    "\n0::/c\n");
	check_order(number, first, 6);
	own("0::/\n");
	check_order(number, first, 1);
	own("");
	ck_assert_int_eq(sm_cgroup_order(&fix, &o), -ENOENT);
}
END_TEST

/* What a namespace of its own shows as the root is mounted. */
START_TEST(roots_of_a_namespace)
{
	const uint32_t number[] = {0, 3, 12};
	uint64_t shown[3];
	char link[PATH_MAX];

	fix_mkdir(CG "/unified");
	fix_mkdir(CG "/cpu,cpuset");
	fix_mkdir(CG "/systemd");
	shown[0] = inode_of(CG "/unified");
	shown[1] = inode_of(CG "/cpu,cpuset");
	shown[2] = inode_of(CG "/systemd");
	own("12:name=systemd:/a\n3:cpu,cpuset:/\n0::/c\n");
	fix_mkdir("proc/self/ns");
	snprintf(link, sizeof(link), "%s/proc/self/ns/cgroup", fix_dir);
	ck_assert_int_eq(symlink("cgroup:[4026532000]", link), 0);
	check_order(number, shown, 3);
	fix_put(CG "/cgroup.procs", "");
	shown[0] = inode_of(CG);
	check_order(number, shown, 3);
	ck_assert_int_eq(unlink(link), 0);
	ck_assert_int_eq(symlink("cgroup:[4026531835]", link), 0);
	shown[0] = shown[1] = shown[2] = 1;
	check_order(number, shown, 3);
}
END_TEST

static TCase *tc_process(void)
{
	TCase *tc = tcase_create("process");

	tcase_add_checked_fixture(tc, fix_open, fix_close);
	tcase_add_test(tc, path_of_a_process);
	tcase_add_test(tc, cgroups_that_exist);
	tcase_add_test(tc, path_of_an_inode);
	tcase_add_test(tc, inode_of_many);
	tcase_add_test(tc, inode_of_the_memory_hierarchy);
	tcase_add_test(tc, path_live);
	tcase_add_test(tc, order_of_hierarchies);
	tcase_add_test(tc, roots_of_a_namespace);
	return tc;
}

UNIT_MAIN("cgroup", tc_limit, tc_process)
