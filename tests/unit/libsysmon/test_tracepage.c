// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <string.h>

#include "kernel/tracepage.h"
#include "unit.h"

/* As a 64-bit Linux 6.18 prints it. */
static const char header_page[] =
	"\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
	"\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
	"\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
	"\tfield: char data;\toffset:16;\tsize:4080;\tsigned:0;\n";

static const struct sm_tracepage_layout wide = {0, 8, 8, 16, 4096};
static const struct sm_tracepage_layout narrow = {0, 8, 4, 12, 4096};

/* --- a page, as the kernel writes it ----------------------------------------------- */

static struct {
	uint64_t time, commit;
	unsigned char data[256];
} page;
static size_t used;

static void setup(void)
{
	memset(&page, 0xee, sizeof(page));
	page.time = 1000;
	page.commit = 0;
	used = 0;
}

static void put_u32(uint32_t v)
{
	memcpy(page.data + used, &v, sizeof(v));
	used += sizeof(v);
	page.commit = used;
}

static void put_word(uint32_t type, uint32_t delta)
{
	if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
		put_u32(type << 27 | delta);
	else
		put_u32(delta << 5 | type);
}

static void put_record(uint32_t delta, uint32_t value)
{
	put_word(1, delta);
	put_u32(value);
}

static size_t bytes(void)
{
	return 16 + used;
}

static struct sm_tracepage begin(void)
{
	struct sm_tracepage t;

	ck_assert_int_eq(sm_tracepage_begin(&t, &wide, &page, bytes()), 0);
	return t;
}

static void check_next(struct sm_tracepage *t, uint64_t time, uint32_t value, size_t n)
{
	const void *data;
	uint32_t got;
	size_t len;

	ck_assert_int_eq(sm_tracepage_next(t, &data, &len), 1);
	ck_assert_uint_eq(len, n);
	memcpy(&got, data, sizeof(got));
	ck_assert_uint_eq(got, value);
	ck_assert_uint_eq(t->time, time);
}

static void check_end(struct sm_tracepage *t, int rc)
{
	const void *data;
	size_t len;

	ck_assert_int_eq(sm_tracepage_next(t, &data, &len), rc);
	ck_assert_int_eq(sm_tracepage_next(t, &data, &len), 0);
}

START_TEST(records)
{
	struct sm_tracepage t;

	put_record(0, 11);
	put_record(7, 12);
	put_word(3, 5);
	put_u32(13);
	put_u32(0);
	put_u32(0);
	put_record((1u << 27) - 1, 14);
	t = begin();
	ck_assert(!t.missed);
	check_next(&t, 1000, 11, 4);
	check_next(&t, 1007, 12, 4);
	check_next(&t, 1012, 13, 12);
	check_next(&t, 1012 + (1u << 27) - 1, 14, 4);
	check_end(&t, 0);
}
END_TEST

/* Longer than 28 words: the length is in the next word, which it includes. */
START_TEST(long_records)
{
	struct sm_tracepage t;

	put_word(0, 3);
	put_u32(4 + 120);
	put_u32(21);
	for (int i = 1; i < 30; i++)
		put_u32(0);
	put_word(0, 3);
	put_u32(4 + 6); /* the end is aligned */
	put_u32(22);
	put_u32(0);
	put_record(1, 23);
	t = begin();
	check_next(&t, 1003, 21, 120);
	check_next(&t, 1006, 22, 6);
	check_next(&t, 1007, 23, 4);
	check_end(&t, 0);
}
END_TEST

START_TEST(times)
{
	const uint64_t high = UINT64_C(0x9) << 60;
	struct sm_tracepage t;

	page.time = high + 1000;
	put_word(30, 5);
	put_u32(2); /* 2 << 27 */
	put_record(1, 31);
	put_word(31, 9);
	put_u32(4); /* absolute, but for the highest bits */
	put_record(0, 32);
	put_word(31, 8);
	put_u32(4); /* earlier: these bits overflowed */
	put_record(0, 33);
	t = begin();
	check_next(&t, high + 1000 + (2u << 27) + 5 + 1, 31, 4);
	check_next(&t, high + (4u << 27) + 9, 32, 4);
	check_next(&t, high + (UINT64_C(1) << 59) + (4u << 27) + 8, 33, 4);
	check_end(&t, 0);
}
END_TEST

START_TEST(paddings)
{
	struct sm_tracepage t;

	put_word(29, 1); /* a discarded record */
	put_u32(8);
	put_u32(99);
	put_record(4, 41);
	put_word(29, 0); /* the rest of the page */
	put_record(4, 42);
	t = begin();
	check_next(&t, 1004, 41, 4);
	check_end(&t, 0);
}
END_TEST

START_TEST(missed)
{
	struct sm_tracepage t;
	uint64_t n = 123;

	put_record(1, 51);
	page.commit |= UINT64_C(1) << 31;
	t = begin();
	ck_assert(t.missed);
	ck_assert_uint_eq(t.n_missed, 0);
	page.commit |= UINT64_C(1) << 30;
	memcpy(page.data + used, &n, sizeof(n));
	ck_assert_int_eq(sm_tracepage_begin(&t, &wide, &page, bytes() + 8), 0);
	ck_assert_uint_eq(t.n_missed, 123);
	check_next(&t, 1001, 51, 4);
	check_end(&t, 0);
	ck_assert_int_eq(sm_tracepage_begin(&t, &wide, &page, bytes() + 7), 0);
	ck_assert_uint_eq(t.n_missed, 0);
}
END_TEST

/* Of a 32-bit kernel: a long has 4 bytes. */
START_TEST(narrow_kernel)
{
	unsigned char b[12 + 8 + 4];
	struct sm_tracepage t;
	uint32_t commit = 8 | 3u << 30, n = 9;

	put_record(2, 61);
	memcpy(b, &page.time, 8);
	memcpy(b + 8, &commit, 4);
	memcpy(b + 12, page.data, 8);
	memcpy(b + 20, &n, 4);
	ck_assert_int_eq(sm_tracepage_begin(&t, &narrow, b, sizeof(b)), 0);
	ck_assert(t.missed);
	ck_assert_uint_eq(t.n_missed, 9);
	check_next(&t, 1002, 61, 4);
	check_end(&t, 0);
}
END_TEST

START_TEST(nonsense)
{
	static const uint32_t bad[][3] = {{1, 0}, {28, 0}, {0, 3}, {0, 5},
		{0, 0xffffffff}, {29, 0}, {29, 9}, {29, 0xfffffffd}};
	struct sm_tracepage t;

	for (size_t i = 0; i < SM_ARRAY_SIZE(bad); i++) {
		setup();
		put_record(1, 71);
		put_word(bad[i][0], 1);
		if (bad[i][1])
			put_u32(bad[i][1]);
		else if (bad[i][0] == 29)
			put_u32(0);
		t = begin();
		check_next(&t, 1001, 71, 4);
		check_end(&t, -EBADMSG);
	}
	t = SM_TRACEPAGE_NONE;
	check_end(&t, 0);
}
END_TEST

START_TEST(cut_off)
{
	struct sm_tracepage t;

	put_record(1, 81);
	for (size_t n = 0; n < bytes(); n++) {
		char *copy = malloc(n ? n : 1); /* the sanitizer watches its end */

		memcpy(copy, &page, n);
		ck_assert_int_eq(sm_tracepage_begin(&t, &wide, copy, n), -EBADMSG);
		check_end(&t, 0);
		free(copy);
	}
	for (page.commit = 1; page.commit < used; page.commit++) {
		t = begin();
		check_end(&t, -EBADMSG);
	}
}
END_TEST

/* --- the kernel's own -------------------------------------------------------------- */

/* Linux 6.18, x86-64; what its `trace` file shows of the same page: three timers are
 * armed by a task, another task exits, 298 ms after the first one. */
START_TEST(recorded_page)
{
	static const struct {
		uint64_t us;
		uint16_t id;
	} shown[] = {{16375185965, 460}, {16375484345, 369}, {16375486104, 460},
		{16375487179, 460}, {16375488264, 460}};
	static _Alignas(8) char text[4096];
	int fd = open("tests/fixtures/linux-6.18-tracefs/page", O_RDONLY | O_CLOEXEC);
	ssize_t n = read(fd, text, sizeof(text));
	struct sm_tracepage t;
	const void *data;
	uint16_t id;
	size_t len;

	ck_assert_int_gt(n, 16);
	close(fd);
	if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
		return;
	ck_assert_int_eq(sm_tracepage_begin(&t, &wide, text, (size_t)n), 0);
	for (size_t i = 0; i < SM_ARRAY_SIZE(shown); i++) {
		ck_assert_int_eq(sm_tracepage_next(&t, &data, &len), 1);
		memcpy(&id, data, sizeof(id));
		ck_assert_uint_eq(id, shown[i].id);
		ck_assert_uint_eq((t.time + 500) / 1000, shown[i].us);
	}
	check_end(&t, 0);
}
END_TEST

static int parse(const char *text, struct sm_tracepage_layout *l)
{
	return sm_tracepage_layout_parse(text, strlen(text), l);
}

START_TEST(layouts)
{
	struct sm_tracepage_layout l;

	ck_assert_int_eq(parse(header_page, &l), 0);
	ck_assert_int_eq(memcmp(&l, &wide, sizeof(l)), 0);
	ck_assert_int_eq(parse("\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
			       "\tfield: local_t commit;\toffset:8;\tsize:4;\tsigned:1;\n"
			       "\tfield: char data;\toffset:12;\tsize:4084;\tsigned:1;\n",
				 &l),
		0);
	ck_assert_int_eq(memcmp(&l, &narrow, sizeof(l)), 0);
}
END_TEST

START_TEST(bad_layouts)
{
	static const char *const bad[] = {
		"",
		"\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n",
		"field: u64 timestamp;offset:0;size:4;signed:0;\n"
		"field: local_t commit;offset:8;size:8;signed:1;\n"
		"field: char data;offset:16;size:4080;signed:0;\n",
		"field: u64 timestamp;offset:0;size:8;signed:0;\n"
		"field: local_t commit;offset:8;size:2;signed:1;\n"
		"field: char data;offset:16;size:4080;signed:0;\n",
		"field: u64 timestamp;offset:9;size:8;signed:0;\n"
		"field: local_t commit;offset:8;size:8;signed:1;\n"
		"field: char data;offset:16;size:4080;signed:0;\n",
		"field: u64 timestamp;offset:0;size:8;signed:0;\n"
		"field: local_t commit;offset:4294967295;size:8;signed:1;\n"
		"field: char data;offset:16;size:4080;signed:0;\n",
		"field: u64 timestamp;offset:0;size:8;signed:0;\n"
		"field: local_t commit;offset:8;size:8;signed:1;\n"
		"field: char data;offset:16;size:4294967295;signed:0;\n",
	};
	struct sm_tracepage_layout l;

	for (size_t i = 0; i < SM_ARRAY_SIZE(bad); i++)
		ck_assert_int_eq(parse(bad[i], &l), -EBADMSG);
}
END_TEST

static TCase *tc_pages(void)
{
	TCase *tc = tcase_create("pages");

	tcase_add_checked_fixture(tc, setup, NULL);
	tcase_add_test(tc, records);
	tcase_add_test(tc, long_records);
	tcase_add_test(tc, times);
	tcase_add_test(tc, paddings);
	tcase_add_test(tc, missed);
	tcase_add_test(tc, narrow_kernel);
	tcase_add_test(tc, nonsense);
	tcase_add_test(tc, cut_off);
	return tc;
}

static TCase *tc_kernel(void)
{
	TCase *tc = tcase_create("kernel");

	tcase_add_test(tc, recorded_page);
	tcase_add_test(tc, layouts);
	tcase_add_test(tc, bad_layouts);
	return tc;
}

UNIT_MAIN("tracepage", tc_pages, tc_kernel)
