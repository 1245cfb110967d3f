// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <string.h>

#include "fixroot_rig.h"
#include "kernel/timerformat.h"
#include "kernel/tracepage.h"
#include "unit.h"

#define RECORDED "tests/fixtures/linux-6.18-tracefs"

static struct sm_root root;
static struct sm_timerformats formats;

static int read_formats(const struct sm_root *r)
{
	SM_CLOSE_FD int dir = sm_tracefs_open(r);

	ck_assert_int_ge(dir, 0);
	return sm_timerformat_read(&formats, r, dir);
}

static void setup(void)
{
	ck_assert_int_eq(sm_root_open(&root, RECORDED), 0);
	ck_assert_int_eq(read_formats(&root), 0);
}

static void teardown(void)
{
	sm_root_close(&root);
}

/* --- a machine with Linux 6.18 ----------------------------------------------------- */

START_TEST(recorded_formats)
{
	ck_assert_uint_eq(formats.of[SM_TIMER_HR_START].id, 460);
	ck_assert_uint_eq(formats.of[SM_TIMER_HR_EXPIRE].id, 459);
	ck_assert_uint_eq(formats.of[SM_TIMER_WHEEL_START].id, 466);
	ck_assert_uint_eq(formats.of[SM_TIMER_WHEEL_EXPIRE].id, 465);
	ck_assert_uint_eq(formats.of[SM_TIMER_TASK_EXIT].id, 369);
	ck_assert_str_eq(sm_timerformat_name(SM_TIMER_WHEEL_EXPIRE).system, "timer");
	ck_assert_str_eq(
		sm_timerformat_name(SM_TIMER_WHEEL_EXPIRE).event, "timer_expire_entry");
}
END_TEST

/* The page of test_tracepage.c: pid 7918 sleeps three times, pid 7965 exits. */
START_TEST(recorded_page)
{
	static const struct sm_tracepage_layout layout = {0, 8, 8, 16, 4096};
	static _Alignas(8) char text[4096];
	struct sm_timer_event e[6];
	struct sm_tracepage t;
	const void *raw;
	size_t len, n = 0;
	int fd = open(RECORDED "/page", O_RDONLY | O_CLOEXEC);
	ssize_t size = read(fd, text, sizeof(text));

	close(fd);
	ck_assert_int_gt(size, 0);
	if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
		return;
	ck_assert_int_eq(sm_tracepage_begin(&t, &layout, text, (size_t)size), 0);
	while (sm_tracepage_next(&t, &raw, &len) > 0 && n < SM_ARRAY_SIZE(e))
		ck_assert_int_eq(sm_timerformat_decode(&formats, raw, len, &e[n++]), 0);
	ck_assert_uint_eq(n, 5);
	ck_assert_int_eq(e[1].type, SM_TIMER_TASK_EXIT);
	ck_assert_int_eq(e[1].tid, 7965);
	e[1] = e[0];
	for (size_t i = 0; i < n; i++) {
		ck_assert_int_eq(e[i].type, SM_TIMER_HR_START);
		ck_assert_int_eq(e[i].tid, 7918);
		ck_assert_int_eq(e[i].tgid, 0);
		ck_assert_uint_eq(e[i].func, e[0].func);
		ck_assert_uint_eq(e[i].func >> 32, 0xffffffff);
	}
	ck_assert_uint_eq(e[3].timer, e[4].timer);
	ck_assert_uint_ne(e[0].timer, e[4].timer);
}
END_TEST

/* --- records ----------------------------------------------------------------------- */

static struct sm_timer_event decode(const void *raw, size_t n)
{
	struct sm_timer_event e;

	ck_assert_int_eq(sm_timerformat_decode(&formats, raw, n, &e), 0);
	for (size_t cut = 0; cut < n; cut++) {
		int err = sm_timerformat_decode(&formats, raw, cut, &e);

		ck_assert(err == -EBADMSG || err == -ENOENT);
	}
	ck_assert_int_eq(sm_timerformat_decode(&formats, raw, n, &e), 0);
	return e;
}

START_TEST(wheel)
{
	const struct {
		uint16_t type, flags;
		int32_t pid;
		uint64_t timer, func, expires, bucket, now;
		uint32_t wheel_flags;
	} __attribute__((packed))
	raw = {466, 0, 77, 0x1234567890, 0xffffffff81000000, 1, 2, 3, 0x80002};
	struct sm_timer_event e = decode(&raw, sizeof(raw));

	ck_assert_int_eq(e.type, SM_TIMER_WHEEL_START);
	ck_assert_int_eq(e.tid, 77);
	ck_assert_uint_eq(e.timer, 0x1234567890);
	ck_assert_uint_eq(e.func, 0xffffffff81000000);
	ck_assert_uint_eq(e.wheel_flags, 0x80002);
}
END_TEST

START_TEST(new_tasks)
{
	struct {
		uint16_t type, flags;
		int32_t current, pid;
		char comm[16];
		uint32_t hole;
		uint64_t clone_flags;
	} __attribute__((packed)) raw = {(uint16_t)formats.of[SM_TIMER_TASK_NEW].id, 0,
		10, 11, "a\x1b) b", 0, 0x11};
	struct sm_timer_event e = decode(&raw, sizeof(raw));

	ck_assert_int_eq(e.type, SM_TIMER_TASK_NEW);
	ck_assert_int_eq(e.tid, 11);
	ck_assert_int_eq(e.tgid, 11);
	ck_assert_int_eq(e.parent, 10);
	ck_assert_str_eq(e.comm, "a\x1b) b");
	raw.clone_flags |= 0x10000; /* CLONE_THREAD */
	ck_assert_int_eq(decode(&raw, sizeof(raw)).tgid, 0);
}
END_TEST

START_TEST(renamed_tasks)
{
	const struct {
		uint16_t type, flags;
		int32_t current, pid;
		char was[16], is[16];
	} raw = {(uint16_t)formats.of[SM_TIMER_TASK_NAME].id, 0, 10, 11, "old", "new"};
	struct sm_timer_event e = decode(&raw, sizeof(raw));

	ck_assert_int_eq(e.type, SM_TIMER_TASK_NAME);
	ck_assert_int_eq(e.tid, 11);
	ck_assert_str_eq(e.comm, "new");
}
END_TEST

START_TEST(others)
{
	const uint16_t raw[32] = {1};
	struct sm_timer_event e;

	ck_assert_int_eq(sm_timerformat_decode(&formats, raw, sizeof(raw), &e), -ENOENT);
}
END_TEST

/* --- other kernels ----------------------------------------------------------------- */

#define EVENTS "sys/kernel/tracing/events/"
#define COMMON                                                                 \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"

static void put_event(const char *name, const char *id, const char *fields)
{
	char path[128], text[1024];

	snprintf(path, sizeof(path), EVENTS "%s/id", name);
	fix_put(path, id);
	snprintf(path, sizeof(path), EVENTS "%s/format", name);
	snprintf(text, sizeof(text), COMMON "%s", fields);
	fix_put(path, text);
}

static void put_events(const char *wheel_fields)
{
	static const char hr[] =
		"\tfield:void * hrtimer;\toffset:8;\tsize:8;\tsigned:0;\n"
		"\tfield:void * function;\toffset:16;\tsize:8;\tsigned:0;\n";

	put_event("timer/hrtimer_start", "1\n", hr);
	put_event("timer/hrtimer_expire_entry", "2\n", hr);
	put_event("timer/timer_start", "3\n", wheel_fields);
	put_event("timer/timer_expire_entry", "4\n", wheel_fields);
}

START_TEST(without_flags_and_tasks)
{
	fix_open();
	put_events("\tfield:void * timer;\toffset:8;\tsize:8;\tsigned:0;\n"
		   "\tfield:void * function;\toffset:16;\tsize:8;\tsigned:0;\n");
	ck_assert_int_eq(read_formats(&fix), 0);
	ck_assert_uint_eq(formats.of[SM_TIMER_WHEEL_START].id, 3);
	ck_assert_uint_eq(formats.of[SM_TIMER_TASK_NEW].id, 0);
	fix_close();
}
END_TEST

START_TEST(unknown_shapes)
{
	static const char *const bad[] = {
		"\tfield:void * timer;\toffset:8;\tsize:8;\tsigned:0;\n",
		"\tfield:void * timer;\toffset:8;\tsize:8;\tsigned:0;\n"
		"\tfield:void * function;\toffset:16;\tsize:3;\tsigned:0;\n",
		"\tfield:void * timer;\toffset:8;\tsize:8;\tsigned:0;\n"
		"\tfield:__data_loc char[] function;\toffset:16;\tsize:4;\tsigned:0;\n",
	};

	fix_open();
	for (size_t i = 0; i < SM_ARRAY_SIZE(bad); i++) {
		put_events(bad[i]);
		ck_assert_int_eq(read_formats(&fix), -EBADMSG);
	}
	put_event("timer/timer_start", "none\n", "");
	ck_assert_int_eq(read_formats(&fix), -EINVAL);
	fix_close();
}
END_TEST

static TCase *tc_recorded(void)
{
	TCase *tc = tcase_create("recorded");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, recorded_formats);
	tcase_add_test(tc, recorded_page);
	tcase_add_test(tc, wheel);
	tcase_add_test(tc, new_tasks);
	tcase_add_test(tc, renamed_tasks);
	tcase_add_test(tc, others);
	return tc;
}

static TCase *tc_other_kernels(void)
{
	TCase *tc = tcase_create("other kernels");

	tcase_add_test(tc, without_flags_and_tasks);
	tcase_add_test(tc, unknown_shapes);
	return tc;
}

UNIT_MAIN("timerformat", tc_recorded, tc_other_kernels)
