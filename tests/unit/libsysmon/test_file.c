// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "unit.h"

static char dir[UNIT_DIR];
static struct sm_at at = SM_AT_NONE;

static void make_dir(void)
{
	unit_mkdtemp(dir);
	at.fd = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	ck_assert_int_ge(at.fd, 0);
}

static void remove_dir(void)
{
	unlinkat(at.fd, "f", 0);
	close(at.fd);
	ck_assert_int_eq(rmdir(dir), 0);
	memset(dir + sizeof(dir) - 7, 'X', 6);
}

/* Replaces the content, not the file. */
static void put(const char *s, size_t n)
{
	int fd = openat(at.fd, "f", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, s, n), (long)n);
	close(fd);
}

static void puts_f(const char *s)
{
	put(s, strlen(s));
}

START_TEST(kept_open_reads_afresh)
{
	struct sm_file f;
	const char *buf;

	puts_f("one\n");
	ck_assert_int_eq(sm_file_open(&f, at, "f"), 0);
	ck_assert_int_eq(fcntl(f.fd, F_GETFD), FD_CLOEXEC);
	ck_assert_int_eq(sm_file_read(&f), 4);
	ck_assert_uint_eq(f.len, 4);
	ck_assert_str_eq(f.buf, "one\n");
	buf = f.buf;
	puts_f("2");
	ck_assert_int_eq(sm_file_read(&f), 1);
	ck_assert_str_eq(f.buf, "2");
	ck_assert_ptr_eq(f.buf, buf);
	puts_f("");
	ck_assert_int_eq(sm_file_read(&f), 0);
	ck_assert_str_eq(f.buf, "");
	sm_file_close(&f);
	ck_assert_int_eq(f.fd, -1);
	ck_assert_ptr_null(f.buf);
	sm_file_close(&f);
}
END_TEST

START_TEST(bytes_of_any_kind)
{
	struct sm_file f;

	put("a\0b\0", 4);
	ck_assert_int_eq(sm_file_open(&f, at, "f"), 0);
	ck_assert_int_eq(sm_file_read(&f), 4);
	ck_assert_mem_eq(f.buf, "a\0b\0", 5);
	sm_file_close(&f);
}
END_TEST

START_TEST(every_size_around_the_buffer)
{
	static const size_t sizes[] = {
		2047, 2048, 2049, 4094, 4095, 4096, 4097, 8191, 8192, 100000, 1};
	static char big[100000];
	struct sm_file f;

	for (size_t i = 0; i < sizeof(big); i++)
		big[i] = (char)(i * 31 >> 3);
	put("", 0);
	ck_assert_int_eq(sm_file_open(&f, at, "f"), 0);
	for (size_t i = 0; i < SM_ARRAY_SIZE(sizes); i++) {
		put(big, sizes[i]);
		ck_assert_int_eq(sm_file_read(&f), (long)sizes[i]);
		ck_assert_mem_eq(f.buf, big, sizes[i]);
		ck_assert_int_eq(f.buf[sizes[i]], '\0');
	}
	sm_file_close(&f);
}
END_TEST

START_TEST(open_failures)
{
	struct sm_file f;
	char b[8];
	uint64_t v;

	ck_assert_int_eq(sm_file_open(&f, at, "f"), -ENOENT);
	ck_assert_int_eq(f.fd, -1);
	sm_file_close(&f);
	ck_assert_int_eq(sm_file_open(&f, sm_at_fd(-1), "f"), -ENOENT);
	ck_assert_int_eq(sm_file_slurp(sm_at_fd(-1), "f", b, sizeof(b)), -ENOENT);
	ck_assert_int_eq(sm_file_slurp_bytes(at, "f", b, sizeof(b)), -ENOENT);
	ck_assert_int_eq(sm_file_read_u64(sm_at_fd(-1), "f", &v), -ENOENT);
	ck_assert_int_eq(sm_file_read_u64(at, "f/x", &v), -ENOENT);
	puts_f("");
	ck_assert_int_eq(sm_file_read_u64(at, "f/x", &v), -ENOTDIR);
}
END_TEST

START_TEST(read_failures)
{
	struct sm_file f;
	char b[8] = "xxxxxxx";

	ck_assert_int_eq(sm_file_open(&f, at, "."), 0);
	ck_assert_int_eq(sm_file_read(&f), -EISDIR);
	ck_assert_uint_eq(f.len, 0);
	ck_assert_str_eq(f.buf, "");
	sm_file_close(&f);
	ck_assert_int_eq(sm_file_slurp(at, ".", b, sizeof(b)), -EISDIR);
	ck_assert_str_eq(b, "");
}
END_TEST

/* A prepared root can link to it. */
START_TEST(an_endless_file)
{
	struct sm_file f;

	ck_assert_int_eq(sm_file_open(&f, sm_at_fd(AT_FDCWD), "/dev/zero"), 0);
	ck_assert_int_eq(sm_file_read(&f), -EFBIG);
	ck_assert_uint_eq(f.len, 0);
	ck_assert_uint_le(f.cap, 64u << 20);
	sm_file_close(&f);
}
END_TEST

START_TEST(a_fifo_does_not_hang)
{
	struct sm_file f;
	char b[8];

	ck_assert_int_eq(mkfifoat(at.fd, "f", 0644), 0);
	ck_assert_int_eq(sm_file_slurp(at, "f", b, sizeof(b)), 0);
	ck_assert_int_eq(sm_file_open(&f, at, "f"), 0);
	ck_assert_int_eq(sm_file_read(&f), -ESPIPE);
	sm_file_close(&f);
}
END_TEST

START_TEST(slurp_bounds)
{
	char b[6];

	puts_f("12345");
	memset(b, 'x', sizeof(b));
	ck_assert_int_eq(sm_file_slurp(at, "f", b, 6), 5);
	ck_assert_mem_eq(b, "12345", 6);
	memset(b, 'x', sizeof(b));
	ck_assert_int_eq(sm_file_slurp(at, "f", b, 4), 3);
	ck_assert_mem_eq(b, "123\0xx", 6);
	ck_assert_int_eq(sm_file_slurp(at, "f", b, 1), 0);
	ck_assert_int_eq(b[0], '\0');
	ck_assert_int_eq(sm_file_slurp(at, "f", b, 0), -EINVAL);
	memset(b, 'x', sizeof(b));
	ck_assert_int_eq(sm_file_slurp_bytes(at, "f", b, 6), 5);
	ck_assert_mem_eq(b, "12345x", 6);
	ck_assert_int_eq(sm_file_slurp_bytes(at, "f", b, 2), 2);
	ck_assert_int_eq(sm_file_slurp_bytes(at, "f", b, 0), 0);
}
END_TEST

#define REGIONS 400

static size_t count_lines(const char *s, size_t n)
{
	size_t lines = 0;

	for (size_t i = 0; i < n; i++)
		lines += s[i] == '\n';
	return lines;
}

/* A page of its own protection every other page: so many records of /proc/self/maps,
 * which procfs gives a page at a time. */
START_TEST(procfs_short_reads_are_continued)
{
	static char text[1 << 18];
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *m =
		mmap(NULL, REGIONS * page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct sm_file f;
	ssize_t n;

	ck_assert(m != MAP_FAILED);
	for (size_t i = 0; i < REGIONS; i += 2)
		ck_assert_int_eq(mprotect(m + i * page, page, PROT_NONE), 0);
	n = sm_file_slurp(sm_at_fd(AT_FDCWD), "/proc/self/maps", text, sizeof(text));
	ck_assert_int_gt(n, 0);
	ck_assert_uint_ge(count_lines(text, (size_t)n), REGIONS);
	ck_assert_int_eq(text[n - 1], '\n');
	ck_assert_int_eq(sm_file_open(&f, sm_at_fd(AT_FDCWD), "/proc/self/maps"), 0);
	ck_assert_int_gt(sm_file_read(&f), 4096);
	ck_assert_uint_ge(count_lines(f.buf, f.len), REGIONS);
	sm_file_close(&f);
}
END_TEST

START_TEST(procfs_steady_state)
{
	struct sm_file f;
	const char *buf = NULL;

	ck_assert_int_eq(sm_file_open(&f, sm_at_fd(AT_FDCWD), "/proc/self/stat"), 0);
	for (int i = 0; i < 100; i++) {
		ck_assert_int_gt(sm_file_read(&f), 50);
		ck_assert_int_eq(f.buf[f.len - 1], '\n');
		ck_assert(i == 0 || f.buf == buf);
		buf = f.buf;
	}
	sm_file_close(&f);
}
END_TEST

/* A file of sysfs or of a prepared root reads the same, but is not on procfs. */
START_TEST(is_procfs)
{
	static const char *const others[] = {"/sys/kernel/mm", "/dev/null"};
	struct sm_file f = SM_FILE_INIT;

	ck_assert(!sm_file_is_procfs(f.fd));
	puts_f("cpu 1\n");
	ck_assert_int_eq(sm_file_open(&f, at, "f"), 0);
	ck_assert(!sm_file_is_procfs(f.fd));
	sm_file_close(&f);
	for (size_t i = 0; i < SM_ARRAY_SIZE(others); i++)
		if (sm_file_open(&f, sm_at_fd(AT_FDCWD), others[i]) == 0) {
			ck_assert(!sm_file_is_procfs(f.fd));
			sm_file_close(&f);
		}
	ck_assert_int_eq(sm_file_open(&f, sm_at_fd(AT_FDCWD), "/proc/stat"), 0);
	ck_assert(sm_file_is_procfs(f.fd));
	sm_file_close(&f);
	ck_assert(!sm_file_is_procfs(f.fd));
}
END_TEST

static void check_u64(const char *s, int want_ret, uint64_t want)
{
	uint64_t v = 99;

	puts_f(s);
	ck_assert_int_eq(sm_file_read_u64(at, "f", &v), want_ret);
	ck_assert_uint_eq(v, want);
}

START_TEST(read_u64)
{
	check_u64("0\n", 0, 0);
	check_u64("42", 0, 42);
	check_u64("18446744073709551615\n", 0, UINT64_MAX);
	check_u64("18446744073709551616\n", -EINVAL, 99);
	check_u64("", -EINVAL, 99);
	check_u64("\n", -EINVAL, 99);
	check_u64("42\n\n", -EINVAL, 99);
	check_u64("42 \n", -EINVAL, 99);
	check_u64(" 42\n", -EINVAL, 99);
	check_u64("-1\n", -EINVAL, 99);
	check_u64("0x10\n", -EINVAL, 99);
	check_u64("max\n", -EINVAL, 99);
	check_u64("00000000000000000000000000000000000000000000000000000000000000001\n",
		-EINVAL, 99);
}
END_TEST

static void check_i64(const char *s, int want_ret, int64_t want)
{
	int64_t v = 99;

	puts_f(s);
	ck_assert_int_eq(sm_file_read_i64(at, "f", &v), want_ret);
	ck_assert_int_eq(v, want);
}

START_TEST(read_i64)
{
	check_i64("-274000\n", 0, -274000);
	check_i64("7\n", 0, 7);
	check_i64("-9223372036854775808\n", 0, INT64_MIN);
	check_i64("9223372036854775808\n", -EINVAL, 99);
	check_i64("-\n", -EINVAL, 99);
	check_i64("", -EINVAL, 99);
	check_i64("1.5\n", -EINVAL, 99);
	unlinkat(at.fd, "f", 0);
	ck_assert_int_eq(sm_file_read_i64(at, "f", &(int64_t){0}), -ENOENT);
}
END_TEST

START_TEST(no_fd_is_leaked)
{
	int before = dup(2), after;
	char b[4];
	uint64_t v;

	close(before);
	puts_f("words");
	ck_assert_int_eq(sm_file_slurp(at, "f", b, sizeof(b)), 3);
	ck_assert_int_eq(sm_file_slurp(at, ".", b, sizeof(b)), -EISDIR);
	ck_assert_int_eq(sm_file_read_u64(at, "f", &v), -EINVAL);
	after = dup(2);
	ck_assert_int_eq(after, before);
	close(after);
}
END_TEST

START_TEST(close_fd_guard)
{
	int fd = dup(2), copy = fd;

	sm_base_close_fd(&fd);
	ck_assert_int_eq(fd, -1);
	ck_assert_int_eq(fcntl(copy, F_GETFD), -1);
	sm_base_close_fd(&fd);
	ck_assert_int_eq(fd, -1);
}
END_TEST

static TCase *tc_kept(void)
{
	TCase *tc = tcase_create("kept open");

	tcase_add_checked_fixture(tc, make_dir, remove_dir);
	tcase_add_test(tc, kept_open_reads_afresh);
	tcase_add_test(tc, bytes_of_any_kind);
	tcase_add_test(tc, every_size_around_the_buffer);
	tcase_add_test(tc, open_failures);
	tcase_add_test(tc, read_failures);
	tcase_add_test(tc, an_endless_file);
	tcase_add_test(tc, a_fifo_does_not_hang);
	tcase_add_test(tc, procfs_short_reads_are_continued);
	tcase_add_test(tc, procfs_steady_state);
	tcase_add_test(tc, is_procfs);
	return tc;
}

static TCase *tc_once(void)
{
	TCase *tc = tcase_create("one shot");

	tcase_add_checked_fixture(tc, make_dir, remove_dir);
	tcase_add_test(tc, slurp_bounds);
	tcase_add_test(tc, read_u64);
	tcase_add_test(tc, read_i64);
	tcase_add_test(tc, no_fd_is_leaked);
	tcase_add_test(tc, close_fd_guard);
	return tc;
}

UNIT_MAIN("file", tc_kept, tc_once)
