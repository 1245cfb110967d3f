// SPDX-License-Identifier: GPL-2.0-or-later
#include <locale.h>
#include <string.h>

#include "tui/input.h"
#include "tui/tui.h"
#include "unit.h"

static struct sm_input in;
static uint64_t now_ns;

/* Passes the bytes.  The keys end with SM_KEY_NONE. */
static size_t feed(const char *bytes, size_t n, int *keys, size_t cap)
{
	size_t found = 0;

	for (size_t i = 0; i < n; i++) {
		int key = sm_input_byte(&in, (unsigned char)bytes[i], now_ns);

		if (key != SM_KEY_NONE && found < cap)
			keys[found++] = key;
	}
	return found;
}

static void reset(bool utf8)
{
	in = (struct sm_input){.utf8 = utf8};
	now_ns = 1;
}

/* The bytes are one key, and the next key is read as itself; also if a pause follows any
 * byte but a first ESC. */
static void is_key(bool utf8, const char *bytes, int want)
{
	size_t n = strlen(bytes);

	for (size_t split = 0; split <= n; split++) {
		int keys[4];

		reset(utf8);
		ck_assert_msg(feed(bytes, split, keys, 4) == (split == n), "%s", bytes);
		if (in.state != SM_INPUT_ESC)
			ck_assert_int_eq(sm_input_idle(&in), SM_KEY_NONE);
		now_ns += SM_INPUT_MAX_NS / 2;
		if (split < n)
			ck_assert_msg(feed(bytes + split, n - split, keys, 4) == 1, "%s",
				bytes);
		ck_assert_msg(keys[0] == want, "%s: %x", bytes, (unsigned int)keys[0]);
		ck_assert_uint_eq(feed("q", 1, keys, 4), 1);
		ck_assert_int_eq(keys[0], 'q');
	}
}

START_TEST(known)
{
	static const struct {
		const char *bytes;
		int key;
	} cases[] = {{"q", 'q'}, {"\r", SM_KEY_ENTER}, {"\t", SM_KEY_TAB},
		{"\x7f", SM_KEY_BACKSPACE}, {"\xc3\xa9", 0xe9}, {"\xe6\x97\xa5", 0x65e5},
		{"\xf0\x9f\x98\x80", 0x1f600}, {"\x1b[A", SM_KEY_UP},
		{"\x1bOA", SM_KEY_UP}, {"\x1b[H", SM_KEY_HOME}, {"\x1b[1~", SM_KEY_HOME},
		{"\x1b[7~", SM_KEY_HOME}, {"\x1b[F", SM_KEY_END}, {"\x1b[4~", SM_KEY_END},
		{"\x1b[8~", SM_KEY_END}, {"\x1b[3~", SM_KEY_DELETE},
		{"\x1bOP", SM_KEY_F1}, {"\x1b[11~", SM_KEY_F1}, {"\x1b[[A", SM_KEY_F1},
		{"\x1b[[E", SM_KEY_F1 + 4}, {"\x1b[15~", SM_KEY_F1 + 4},
		{"\x1b[17~", SM_KEY_F1 + 5}, {"\x1b[21~", SM_KEY_F1 + 9},
		{"\x1b[24~", SM_KEY_F12}, {"\x1bOM", SM_KEY_ENTER}, {"\x1bOk", '+'},
		{"\x1bOm", '-'}, {"\x1bOq", '1'}, {"\x1b[<0;6;4M", SM_KEY_CLICK},
		{"\x1b[<4;6;4M", SM_KEY_CLICK}, {"\x1b[<64;1;1M", SM_KEY_WHEEL_UP},
		{"\x1b[Ma$!", SM_KEY_WHEEL_DOWN},
		{"\x9b"
		 "5~",
			SM_KEY_PGUP},
		{"\xc2\x9b"
		 "6~",
			SM_KEY_PGDN}};

	for (size_t i = 0; i < SM_ARRAY_SIZE(cases); i++)
		is_key(true, cases[i].bytes, cases[i].key);
}
END_TEST

START_TEST(unknown)
{
	static const char *const cases[] = {/* Alt */
		"\x1bx", "\x1bq", "\x1b\r", "\x1b ", "\x1b\xc3\xa9", "\x1b\x1b[A",
		"\x1b\x1bOP", "\x1b\x1bq",
		/* focus, modified keys, Insert, back tab */
		"\x1b[I", "\x1b[O", "\x1b[1;5C", "\x1b[3;2~", "\x1b[2~", "\x1b[Z",
		"\x1bO5P", "\x1bOz",
		/* kitty's keys, answers to DA, DSR and DECRQM */
		"\x1b[97;5u", "\x1b[97:65;1:3u", "\x1b[?1u", "\x1b[?64;1;2c",
		"\x1b[>41;354;0c", "\x1b[12;40R", "\x1b[?2026;2$y", "\x1b[99~",
		"\x1b[=1;2;3;4;5;6;7;8;9;10;11;12;13;14;15;16;17;18z",
		/* strings */
		"\x1b]11;rgb:ffff/ffff/ffff\x07", "\x1b]0;q\xc3\x9c\x1b\\",
		"\x1bP>|XTerm(390)\x1b\\", "\x1b_Gi=31;OK\x1b\\", "\x1b^q\x1b\\",
		"\x1bXq\x1b\\",
		"\x9d"
		"11;q\x1b\\",
		"\xc2\x90"
		"1$r\x1b\\",
		/* paste, mouse */
		"\x1b[200~quit\rq\x1b[20\x1b[201~", "\x1b[<0;6;4m", "\x1b[<32;6;4M",
		"\x1b[<99999999;6;4M", "\x1b[<0;0;1M", "\x1b[<;M", "\x1b[[z",
		"\x9b"
		"I",
		"\x8f"
		"z"};

	for (size_t i = 0; i < SM_ARRAY_SIZE(cases); i++)
		is_key(true, cases[i], SM_KEY_OTHER);
	for (int utf8 = 0; utf8 < 2; utf8++)
		is_key(utf8,
			"\x9d"
			"0;title\x9c",
			SM_KEY_OTHER);
	is_key(true, "\xc2\x9d\xc3\x9ct\xc2\x9c", SM_KEY_OTHER);
	is_key(false, "\xe9", SM_KEY_OTHER);
}
END_TEST

/* Nothing that is not UTF-8 becomes a key, and the byte that ends it is not lost. */
START_TEST(invalid_utf8)
{
	int keys[8];

	reset(true);
	ck_assert_uint_eq(feed("\xc3q\xf5\xc0\xed\xa0\x80w", 8, keys, 8), 5);
	ck_assert(keys[0] == 'q' && keys[1] == SM_KEY_OTHER && keys[2] == SM_KEY_OTHER);
	ck_assert(keys[3] == SM_KEY_OTHER && keys[4] == 'w');
}
END_TEST

START_TEST(clicks)
{
	int keys[4];

	reset(true);
	ck_assert_uint_eq(feed("\x1b[<16;6;4M", 10, keys, 4), 1);
	ck_assert_int_eq(keys[0], SM_KEY_CLICK);
	ck_assert(in.column == 5 && in.row == 3);
	ck_assert_uint_eq(feed("\x1b[M *+", 6, keys, 4), 1);
	ck_assert_int_eq(keys[0], SM_KEY_CLICK);
	ck_assert(in.column == 9 && in.row == 10);
	ck_assert_uint_eq(feed("\x1b[M#*+", 6, keys, 4), 1); /* released */
	ck_assert_int_eq(keys[0], SM_KEY_OTHER);
	ck_assert_uint_eq(feed("\x1b[Ma*+", 6, keys, 4), 1);
	ck_assert_int_eq(keys[0], SM_KEY_WHEEL_DOWN);
}
END_TEST

START_TEST(escapes)
{
	int keys[4];

	reset(true);
	ck_assert_uint_eq(feed("\x1b\x1b", 2, keys, 4), 0);
	ck_assert(in.state == SM_INPUT_ESC);
	ck_assert_int_eq(sm_input_idle(&in), SM_KEY_ESC);
	ck_assert_int_eq(sm_input_idle(&in), SM_KEY_ESC);
	ck_assert_int_eq(sm_input_idle(&in), SM_KEY_NONE);
	/* In a sequence it begins another one. */
	ck_assert_uint_eq(feed("\x1b[1;\x1b[A", 7, keys, 4), 1);
	ck_assert_int_eq(keys[0], SM_KEY_UP);
	ck_assert_uint_eq(feed("\x1b]0;\x1b[B", 7, keys, 4), 1);
	ck_assert_int_eq(keys[0], SM_KEY_DOWN);
	ck_assert_uint_eq(feed("\x1b]0;\x1b\x1b", 6, keys, 4), 0);
	ck_assert_int_eq(sm_input_idle(&in), SM_KEY_ESC);
	while (sm_input_idle(&in) != SM_KEY_NONE)
		;
	ck_assert_uint_eq(feed("x", 1, keys, 4), 1);
	ck_assert_int_eq(keys[0], 'x');
}
END_TEST

/* Alt with a character that begins a sequence does not lock the keyboard. */
START_TEST(time_ends)
{
	static const char *const cases[] = {
		"\x1b]", "\x1b[", "\x1bO", "\x1bP", "\x1b[200~", "\xe6"};
	int keys[4];

	for (size_t i = 0; i < SM_ARRAY_SIZE(cases); i++) {
		reset(true);
		ck_assert_uint_eq(feed(cases[i], strlen(cases[i]), keys, 4), 0);
		now_ns += SM_INPUT_MAX_NS + 1;
		ck_assert_uint_eq(feed("q", 1, keys, 4), 1);
		ck_assert_int_eq(keys[0], 'q');
	}
	/* Typing on does not prolong it. */
	reset(true);
	ck_assert_uint_eq(feed("\x1b]", 2, keys, 4), 0);
	now_ns += SM_INPUT_MAX_NS * 2 / 3;
	ck_assert_uint_eq(feed("j", 1, keys, 4), 0);
	now_ns += SM_INPUT_MAX_NS * 2 / 3;
	ck_assert_uint_eq(feed("j", 1, keys, 4), 1);
}
END_TEST

/* Any three bytes after ESC: at most one sequence, and q is a key at its end or after its
 * time. */
START_TEST(any_bytes)
{
	for (unsigned int v = 0; v < 1U << 21; v += 3) {
		char bytes[4] = {'\x1b', (char)(v & 0xff), (char)(v >> 8 & 0xff),
			(char)(v >> 13 & 0xff)};
		int keys[8];

		reset(v & 1);
		(void)feed(bytes, 4, keys, 8);
		while (sm_input_idle(&in) != SM_KEY_NONE)
			;
		now_ns += SM_INPUT_MAX_NS + 1;
		ck_assert_uint_eq(feed("q", 1, keys, 8), 1);
		ck_assert_int_eq(keys[0], 'q');
	}
}
END_TEST

static TCase *tc_input(void)
{
	TCase *tc = tcase_create("input");

	tcase_add_test(tc, known);
	tcase_add_test(tc, unknown);
	tcase_add_test(tc, invalid_utf8);
	tcase_add_test(tc, clicks);
	tcase_add_test(tc, escapes);
	tcase_add_test(tc, time_ends);
	tcase_add_test(tc, any_bytes);
	return tc;
}

UNIT_MAIN("input", tc_input)
