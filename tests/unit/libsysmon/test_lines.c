// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/lines.h"
#include "base/parse.h"
#include "fixroot_rig.h"

#define STOP_AT 7 /* what a callback returns that ends the reading */

struct seen {
	struct sm_buf text; /* the lines, with a newline behind each */
	size_t lines, longest, stop_after;
};

static int see(void *ctx, const char *s, size_t n)
{
	struct seen *seen = ctx;

	sm_buf_add(&seen->text, s, n);
	sm_buf_chr(&seen->text, '\n');
	seen->lines++;
	seen->longest = n > seen->longest ? n : seen->longest;
	return seen->lines == seen->stop_after ? STOP_AT : 0;
}

static struct sm_buf carry;

static int read_text(const char *s, size_t n, struct seen *seen)
{
	int fd, ret;

	fix_put_bytes("proc/text", s, n);
	fd = open(fix_path("proc/text"), O_RDONLY | O_CLOEXEC);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(lseek(fd, 3, SEEK_SET), 3); /* the offset does not matter */
	ret = sm_lines_read(fd, &carry, see, seen);
	close(fd);
	return ret;
}

static void check_text(const char *s, size_t n, size_t lines)
{
	struct seen seen = {.lines = 0};
	size_t whole = n && s[n - 1] != '\n' ? n + 1 : n;

	ck_assert_int_eq(read_text(s, n, &seen), 0);
	ck_assert_uint_eq(seen.lines, lines);
	ck_assert_uint_eq(seen.text.len, whole);
	if (n)
		ck_assert_mem_eq(seen.text.p, s, n);
	sm_buf_fini(&seen.text);
}

START_TEST(small_texts)
{
	check_text("", 0, 0);
	check_text("\n", 1, 1);
	check_text("\n\n", 2, 2);
	check_text("a", 1, 1);
	check_text("a\nb", 3, 2);
	check_text("a\0b\n\n\x1b\xff\n", 8, 3);
}
END_TEST

/* Lines of 1, 2, 3 ... bytes: newlines at every place of a chunk of 64 KiB, and lines
 * longer than two. */
START_TEST(long_texts)
{
	enum { BYTES = 1 << 20 };
	char *text = malloc(BYTES);
	size_t lines = 0, at = 0;

	ck_assert_ptr_nonnull(text);
	for (size_t i = 0; i < BYTES; i++)
		text[i] = (char)('a' + i % 26);
	for (size_t n = 1; at + n < BYTES; n++, lines++)
		text[at += n] = '\n';
	check_text(text, BYTES, lines + (text[BYTES - 1] != '\n'));
	memset(text, 'x', BYTES);
	check_text(text, BYTES, 1);
	text[BYTES - 1] = text[0] = '\n';
	check_text(text, BYTES, 2);
	for (size_t cut = 65534; cut < 65539; cut++) {
		text[cut] = '\n';
		check_text(text, BYTES, 3);
		text[cut] = 'x';
	}
	free(text);
}
END_TEST

START_TEST(ends_when_told)
{
	struct seen seen = {.stop_after = 2};
	char text[70000];

	ck_assert_int_eq(read_text("a\nb\nc\n", 6, &seen), STOP_AT);
	ck_assert_uint_eq(seen.lines, 2);
	/* in the joined line and in the last one without a newline */
	memset(text, 'x', sizeof(text));
	text[1] = text[69000] = '\n';
	seen.lines = 0;
	ck_assert_int_eq(read_text(text, sizeof(text), &seen), STOP_AT);
	ck_assert_uint_eq(seen.lines, 2);
	seen.lines = 0;
	seen.stop_after = 3;
	ck_assert_int_eq(read_text(text, sizeof(text), &seen), STOP_AT);
	ck_assert_uint_eq(seen.lines, 3);
	sm_buf_fini(&seen.text);
	/* what an ended reading left does not come back */
	check_text("y\n", 2, 1);
}
END_TEST

START_TEST(errors_of_read)
{
	struct seen seen = {.lines = 0};
	int fd = open(fix_dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	ck_assert_int_eq(sm_lines_read(fd, &carry, see, &seen), -EISDIR);
	close(fd);
	ck_assert_int_eq(sm_lines_read(-1, &carry, see, &seen), -EBADF);
	ck_assert_uint_eq(seen.lines, 0);
}
END_TEST

static void teardown(void)
{
	sm_buf_fini(&carry);
	fix_close();
}

static TCase *tc_lines(void)
{
	TCase *tc = tcase_create("lines");

	tcase_add_checked_fixture(tc, fix_open, teardown);
	tcase_add_test(tc, small_texts);
	tcase_add_test(tc, long_texts);
	tcase_add_test(tc, ends_when_told);
	tcase_add_test(tc, errors_of_read);
	return tc;
}

UNIT_MAIN("lines", tc_lines)
