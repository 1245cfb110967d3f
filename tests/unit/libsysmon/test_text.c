// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "base/text.h"
#include "unit.h"

/* The bytes of a literal and how many they are (NULs inside count). */
#define LIT(s) (s), sizeof(s) - 1

static struct sm_buf buf;

static void start(void)
{
	sm_buf_reset(&buf);
}

static const char *result(void)
{
	ck_assert_int_eq(buf.err, 0);
	sm_buf_chr(&buf, '\0');
	buf.len--;
	return buf.p;
}

static const char *human(const char *p, size_t n, unsigned int flags)
{
	start();
	sm_text_human(&buf, p, n, flags);
	return result();
}

static const char *fit(const char *p, size_t n, size_t columns, unsigned int flags)
{
	start();
	sm_text_fit(&buf, p, n, columns, flags);
	return result();
}

static const char *json(const char *p, size_t n, bool *lossy)
{
	start();
	sm_text_json(&buf, p, n, lossy);
	return result();
}

static const char *csv(const char *p, size_t n)
{
	start();
	sm_text_csv(&buf, p, n);
	return result();
}

static const char *label(const char *p, size_t n)
{
	start();
	sm_text_label(&buf, p, n);
	return result();
}

static const char *args(const char *p, size_t n, unsigned int flags)
{
	start();
	sm_text_args(&buf, p, n, flags);
	return result();
}

static void free_buf(void)
{
	sm_buf_fini(&buf);
}

static void check_decode(const char *p, size_t n, int len, uint32_t want)
{
	char *exact = malloc(n ? n : 1); /* ASan sees any byte too many */
	uint32_t cp = 0xdead;

	memcpy(exact, p, n);
	ck_assert_msg(sm_text_decode(exact, exact + n, &cp) == len, "length of %s", p);
	if (len)
		ck_assert_uint_eq(cp, want);
	free(exact);
}

START_TEST(decode_valid)
{
	check_decode(LIT("\0"), 1, 0);
	check_decode(LIT("A"), 1, 'A');
	check_decode(LIT("\x7f"), 1, 0x7f);
	check_decode(LIT("\xc2\x80"), 2, 0x80);
	check_decode(LIT("\xc3\xa9z"), 2, 0xe9);
	check_decode(LIT("\xdf\xbf"), 2, 0x7ff);
	check_decode(LIT("\xe0\xa0\x80"), 3, 0x800);
	check_decode(LIT("\xe2\x82\xac"), 3, 0x20ac);
	check_decode(LIT("\xed\x9f\xbf"), 3, 0xd7ff);
	check_decode(LIT("\xee\x80\x80"), 3, 0xe000);
	check_decode(LIT("\xef\xbf\xbf"), 3, 0xffff);
	check_decode(LIT("\xf0\x90\x80\x80"), 4, 0x10000);
	check_decode(LIT("\xf0\x9f\x98\x80"), 4, 0x1f600);
	check_decode(LIT("\xf4\x8f\xbf\xbf"), 4, 0x10ffff);
}
END_TEST

START_TEST(decode_invalid)
{
	check_decode(LIT(""), 0, 0);
	check_decode(LIT("\x80"), 0, 0);
	check_decode(LIT("\xbf"), 0, 0);
	check_decode(LIT("\xc0\x80"), 0, 0); /* overlong NUL */
	check_decode(LIT("\xc1\xbf"), 0, 0);
	check_decode(LIT("\xe0\x80\xaf"), 0, 0);
	check_decode(LIT("\xe0\x9f\xbf"), 0, 0);
	check_decode(LIT("\xf0\x80\x80\xaf"), 0, 0);
	check_decode(LIT("\xf0\x8f\xbf\xbf"), 0, 0);
	check_decode(LIT("\xed\xa0\x80"), 0, 0); /* surrogates */
	check_decode(LIT("\xed\xbf\xbf"), 0, 0);
	check_decode(LIT("\xf4\x90\x80\x80"), 0, 0); /* > U+10FFFF */
	check_decode(LIT("\xf5\x80\x80\x80"), 0, 0);
	check_decode(LIT("\xff"), 0, 0);
	check_decode(LIT("\xc3"), 0, 0); /* cut off */
	check_decode(LIT("\xe2\x82"), 0, 0);
	check_decode(LIT("\xf0\x9f\x98"), 0, 0);
	check_decode(LIT("\xc3\x28"), 0, 0); /* no tail byte */
	check_decode(LIT("\xe2\x28\xa1"), 0, 0);
	check_decode(LIT("\xe2\x82\x28"), 0, 0);
	check_decode(LIT("\xf0\x9f\x98\xc0"), 0, 0);
}
END_TEST

START_TEST(printable)
{
	static const uint32_t yes[] = {0x20, 'A', 0x7e, 0xa0, 0xac, 0xae, 0xe9, 0x301,
		0x61b, 0x61d, 0x200a, 0x2010, 0x2027, 0x202f, 0x205f, 0x2070, 0x20ac,
		0x4e2d, 0xd7ff, 0xf900, 0xfdcf, 0xfdf0, 0xfe0f, 0xfefe, 0xff00, 0xfffc,
		0xfffd, 0x10000, 0x1f600, 0x20000, 0xe0100};
	static const uint32_t no[] = {0, 1, '\n', 0x1b, 0x1f, 0x7f, 0x80, 0x9b, 0x9f,
		0xad, 0x61c, 0x180e, 0x200b, 0x200c, 0x200d, 0x200e, 0x200f, 0x2028,
		0x2029, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2060, 0x2061, 0x2064,
		0x2066, 0x2067, 0x2068, 0x2069, 0xd800, 0xdfff, 0xe000, 0xf8ff, 0xfdd0,
		0xfdef, 0xfeff, 0xfff9, 0xfffa, 0xfffb, 0xfffe, 0xffff, 0x1fffe, 0x2ffff,
		0xe0001, 0xe0020, 0xe007f, 0xf0000, 0x10fffd, 0x10ffff, 0x110000,
		UINT32_MAX};

	for (size_t i = 0; i < SM_ARRAY_SIZE(yes); i++)
		ck_assert_msg(sm_text_printable(yes[i]), "U+%04X", yes[i]);
	for (size_t i = 0; i < SM_ARRAY_SIZE(no); i++)
		ck_assert_msg(!sm_text_printable(no[i]), "U+%04X", no[i]);
}
END_TEST

START_TEST(cp_width)
{
	static const uint32_t none[] = {0x300, 0x36f, 0x483, 0x5bf, 0x64b, 0x93c, 0xe31,
		0x1160, 0x11ff, 0x20d0, 0x302a, 0x3099, 0xfe0f, 0xfe20, 0x1d167, 0xe0100,
		0xe01ef};
	static const uint32_t one[] = {'A', ' ', 0xe9, 0x2ff, 0x370, 0x3b1, 0x416, 0x5d0,
		0x20ac, 0x2192, 0x2500, 0x2620, 0x303f, 0xff61, 0xffee, 0xfffd, 0x1d400,
		0x10000};
	static const uint32_t two[] = {0x1100, 0x115f, 0x231a, 0x2e80, 0x3000, 0x3042,
		0x4e00, 0x9fff, 0xac00, 0xd7a3, 0xf900, 0xff01, 0xff60, 0xffe6, 0x1f300,
		0x1f600, 0x1f680, 0x1f9ff, 0x1fa70, 0x20000, 0x3fffd};

	for (size_t i = 0; i < SM_ARRAY_SIZE(none); i++)
		ck_assert_msg(sm_text_cp_width(none[i]) == 0, "U+%04X", none[i]);
	for (size_t i = 0; i < SM_ARRAY_SIZE(one); i++)
		ck_assert_msg(sm_text_cp_width(one[i]) == 1, "U+%04X", one[i]);
	for (size_t i = 0; i < SM_ARRAY_SIZE(two); i++)
		ck_assert_msg(sm_text_cp_width(two[i]) == 2, "U+%04X", two[i]);
}
END_TEST

/* Every byte value at every place of blocks of every length up to three words. */
START_TEST(clean_run_all_bytes_and_places)
{
	for (size_t n = 0; n <= 24; n++) {
		char *p = malloc(n ? n : 1);

		memset(p, '~', n ? n : 1);
		ck_assert_uint_eq(sm_text_clean_run(p, n), n);
		for (size_t at = 0; at < n; at++) {
			for (int c = 0; c < 256; c++) {
				bool clean = c >= 0x20 && c <= 0x7e;

				memset(p, c & 1 ? ' ' : '~', n);
				p[at] = (char)c;
				ck_assert_uint_eq(
					sm_text_clean_run(p, n), clean ? n : at);
			}
		}
		free(p);
	}
}
END_TEST

START_TEST(compare_bytes)
{
	static const char same[] = "same";

	ck_assert_int_lt(sm_text_compare(SM_STR("abc"), SM_STR("abd")), 0);
	ck_assert_int_gt(sm_text_compare(SM_STR("b"), SM_STR("abd")), 0);
	ck_assert_int_lt(sm_text_compare(SM_STR("ab"), SM_STR("abc")), 0);
	ck_assert_int_lt(sm_text_compare(SM_STR("a"), SM_STR("\xff")), 0);
	ck_assert_int_lt(sm_text_compare(SM_STR("a\0b"), SM_STR("a\0c")), 0);
	ck_assert_int_eq(sm_text_compare((struct sm_str){same, 4}, SM_STR("same")), 0);
	ck_assert_int_lt(sm_text_compare((struct sm_str){0}, SM_STR("a")), 0);
	ck_assert_int_eq(sm_text_compare((struct sm_str){0}, SM_STR("")), 0);
}
END_TEST

START_TEST(human_clean_is_unchanged)
{
	ck_assert_str_eq(human(LIT(""), SM_TEXT_UTF8), "");
	ck_assert_str_eq(human(NULL, 0, SM_TEXT_UTF8), "");
	ck_assert_str_eq(human(LIT("/bin/sh -c 'a \\ b' ~"), 0), "/bin/sh -c 'a \\ b' ~");
	ck_assert_str_eq(human(LIT("caf\xc3\xa9 \xe4\xb8\xad"), SM_TEXT_UTF8),
		"caf\xc3\xa9 \xe4\xb8\xad");
}
END_TEST

START_TEST(human_escapes)
{
	const unsigned int u = SM_TEXT_UTF8;

	ck_assert_str_eq(
		human(LIT("\x1b]0;pwned\x07\x1b[2J"), u), "\\x1b]0;pwned\\x07\\x1b[2J");
	ck_assert_str_eq(
		human(LIT("a\0b\tc\nd\re\x7f"), u), "a\\x00b\\x09c\\x0ad\\x0de\\x7f");
	ck_assert_str_eq(human(LIT("\xc2\x9b"), u), "\\u{009b}");
	ck_assert_str_eq(human(LIT("\x9b"), u), "\\x9b");
	ck_assert_str_eq(human(LIT("\xe2\x80\xae"
				   "abc"),
				 u),
		"\\u{202e}abc");
	ck_assert_str_eq(human(LIT("\xe2\x80\xa8\xe2\x80\xa9"), u), "\\u{2028}\\u{2029}");
	ck_assert_str_eq(human(LIT("\xe2\x81\xa6\xd8\x9c\xe2\x80\x8b"), u),
		"\\u{2066}\\u{061c}\\u{200b}");
	ck_assert_str_eq(human(LIT("\xf3\xa0\x81\x81"), u), "\\u{e0041}");
	ck_assert_str_eq(human(LIT("\xf4\x8f\xbf\xbf"), u), "\\u{10ffff}");
	ck_assert_str_eq(human(LIT("\xee\x80\x80"), u), "\\u{e000}");
	ck_assert_str_eq(human(LIT("\xff\xc3"), u), "\\xff\\xc3");
	ck_assert_str_eq(human(LIT("\xed\xa0\x80"), u), "\\xed\\xa0\\x80");
	ck_assert_str_eq(human(LIT("\xc0\xaf"), u), "\\xc0\\xaf");
	ck_assert_str_eq(human(LIT("x\xe2\x82y"), u), "x\\xe2\\x82y");
}
END_TEST

START_TEST(human_ascii_only)
{
	ck_assert_str_eq(human(LIT("caf\xc3\xa9\x1b"), 0), "caf\\xc3\\xa9\\x1b");
	ck_assert_str_eq(human(LIT("\xc2\x9b"), 0), "\\xc2\\x9b");
}
END_TEST

START_TEST(human_appends)
{
	start();
	sm_buf_str(&buf, "> ");
	sm_text_human(&buf, LIT("a\nb"), 0);
	ck_assert_str_eq(result(), "> a\\x0ab");
}
END_TEST

static const char *shell(const char *p, size_t n, unsigned int flags)
{
	start();
	sm_text_shell(&buf, p, n, flags);
	return result();
}

START_TEST(args_quoted)
{
	ck_assert_str_eq(shell(LIT(""), 0), "");
	ck_assert_str_eq(shell(LIT("make\0-j4\0--opt=a,b\0CC=gcc\0"), 0),
		"make -j4 --opt=a,b 'CC=gcc'");
	ck_assert_str_eq(shell(LIT("sh\0-c\0echo $x; ls *"), 0), "sh -c 'echo $x; ls *'");
	ck_assert_str_eq(shell(LIT("a\0\0b\0\0"), 0), "a '' b ''");
	ck_assert_str_eq(shell(LIT("it's"), 0), "'it'\\''s'");
	ck_assert_str_eq(shell(LIT("\x1b]0;!\x07\n\t'\\7"), 0),
		"$'\\033]0;\\041\\007\\n\\t\\'\\\\7'");
	ck_assert_str_eq(shell(LIT("\xc3\xa9 \xe2\x80\xae\xff"), SM_TEXT_UTF8),
		"$'\xc3\xa9 \\342\\200\\256\\377'");
	ck_assert_str_eq(shell(LIT("\xc3\xa9"), SM_TEXT_UTF8), "'\xc3\xa9'");
	ck_assert_str_eq(shell(LIT("\xc3\xa9"), 0), "$'\\303\\251'");
}
END_TEST

START_TEST(args_joined)
{
	ck_assert_str_eq(args(LIT(""), 0), "");
	ck_assert_str_eq(args(LIT("\0"), 0), "");
	ck_assert_str_eq(args(LIT("sh\0-c\0exit 3\0"), 0), "sh -c exit 3");
	ck_assert_str_eq(args(LIT("sh\0-c"), 0), "sh -c");
	ck_assert_str_eq(args(LIT("a\0\0b\0\0"), 0), "a  b ");
	ck_assert_str_eq(args(LIT("\0x\0"), 0), " x");
	ck_assert_str_eq(args(LIT("0123456\00089abcdef\n\0g\x7f\0h\0"), 0),
		"0123456 89abcdef\\x0a g\\x7f h");
	ck_assert_str_eq(args(LIT("caf\xc3\xa9 long\0\xff\xc3\0\xa9\0"), SM_TEXT_UTF8),
		"caf\xc3\xa9 long \\xff\\xc3 \\xa9");
}
END_TEST

START_TEST(width)
{
	ck_assert_uint_eq(sm_text_width(LIT("")), 0);
	ck_assert_uint_eq(sm_text_width(LIT("forkstat rows")), 13);
	ck_assert_uint_eq(sm_text_width(LIT("caf\xc3\xa9")), 4);
	ck_assert_uint_eq(
		sm_text_width(LIT("cafe\xcc\x81!")), 5); /* e + combining acute */
	ck_assert_uint_eq(sm_text_width(LIT("\xe4\xb8\xad\xe6\x96\x87 ok")), 7);
	ck_assert_uint_eq(sm_text_width(LIT("\xf0\x9f\x98\x80")), 2);
	ck_assert_uint_eq(sm_text_width(LIT("\xe2\x94\x9c\xe2\x94\x80")), 2);
}
END_TEST

START_TEST(fit_ascii)
{
	ck_assert_str_eq(fit(LIT("abcdef"), 6, 0), "abcdef");
	ck_assert_str_eq(fit(LIT("abcdef"), 60, 0), "abcdef");
	ck_assert_str_eq(fit(LIT("abcdefg"), 6, 0), "abc...");
	ck_assert_str_eq(fit(LIT("abcdefg"), 3, 0), "...");
	ck_assert_str_eq(fit(LIT("abcdefg"), 2, 0), "..");
	ck_assert_str_eq(fit(LIT("abcdefg"), 0, 0), "");
	ck_assert_str_eq(fit(LIT(""), 0, 0), "");
}
END_TEST

START_TEST(fit_utf8)
{
	const unsigned int u = SM_TEXT_UTF8;

	ck_assert_str_eq(fit(LIT("abcdefg"), 6, u), "abcde\xe2\x80\xa6");
	ck_assert_str_eq(fit(LIT("abcdefg"), 1, u), "\xe2\x80\xa6");
	ck_assert_str_eq(fit(LIT("abcdefg"), 0, u), "");
	/* More bytes than columns, yet it fits. */
	ck_assert_str_eq(
		fit(LIT("\xc3\xa9\xc3\xa9\xc3\xa9"), 3, u), "\xc3\xa9\xc3\xa9\xc3\xa9");
	ck_assert_str_eq(
		fit(LIT("\xe4\xb8\xad\xe4\xb8\xad"), 4, u), "\xe4\xb8\xad\xe4\xb8\xad");
	ck_assert_str_eq(
		fit(LIT("\xe4\xb8\xad\xe4\xb8\xad"), 3, u), "\xe4\xb8\xad\xe2\x80\xa6");
	/* A wide character is not cut in halves. */
	ck_assert_str_eq(fit(LIT("\xe4\xb8\xad\xe4\xb8\xad"), 2, u), "\xe2\x80\xa6");
	ck_assert_str_eq(fit(LIT("a\xe4\xb8\xad\xe4\xb8\xad"), 3, u), "a\xe2\x80\xa6");
	/* A mark stays with its letter, at the cut and at the end. */
	ck_assert_str_eq(fit(LIT("ae\xcc\x81zz"), 3, u), "ae\xcc\x81\xe2\x80\xa6");
	ck_assert_str_eq(fit(LIT("abe\xcc\x81"), 3, u), "abe\xcc\x81");
}
END_TEST

START_TEST(json_strings)
{
	bool lossy = false;

	ck_assert_str_eq(json(LIT(""), &lossy), "\"\"");
	ck_assert_str_eq(json(LIT("/bin/sh -c true"), &lossy), "\"/bin/sh -c true\"");
	ck_assert_str_eq(json(LIT("a\"b\\c/"), &lossy), "\"a\\\"b\\\\c/\"");
	ck_assert_str_eq(json(LIT("12345678\"2345678\\234567890\""), &lossy),
		"\"12345678\\\"2345678\\\\234567890\\\"\"");
	ck_assert_str_eq(json(LIT("\0\t\n\x1b\x7f"), &lossy),
		"\"\\u0000\\u0009\\u000a\\u001b\\u007f\"");
	ck_assert_str_eq(json(LIT("\xc2\x9b\xe2\x80\xae\xe2\x80\xa8"), &lossy),
		"\"\\u009b\\u202e\\u2028\"");
	ck_assert_str_eq(json(LIT("\xf3\xa0\x81\x81\xf4\x8f\xbf\xbf"), &lossy),
		"\"\\udb40\\udc41\\udbff\\udfff\"");
	ck_assert_str_eq(json(LIT("caf\xc3\xa9 \xf0\x9f\x98\x80"), &lossy),
		"\"caf\xc3\xa9 \xf0\x9f\x98\x80\"");
	ck_assert(!lossy);
}
END_TEST

START_TEST(json_lossy)
{
	bool lossy = false;

	ck_assert_str_eq(json(LIT("a\xff"
				  "b"),
				 &lossy),
		"\"a\xef\xbf\xbd"
		"b\"");
	ck_assert(lossy);
	ck_assert_str_eq(json(LIT("clean"), &lossy), "\"clean\"");
	ck_assert(lossy); /* it gathers over several strings */
	ck_assert_str_eq(json(LIT("\xe2\x82"), NULL), "\"\xef\xbf\xbd\xef\xbf\xbd\"");
}
END_TEST

START_TEST(csv_fields)
{
	ck_assert_str_eq(csv(LIT("")), "");
	ck_assert_str_eq(csv(NULL, 0), "");
	ck_assert_str_eq(csv(LIT("plain words")), "plain words");
	ck_assert_str_eq(csv(LIT("a,b")), "\"a,b\"");
	ck_assert_str_eq(csv(LIT("say \"hi\"")), "\"say \"\"hi\"\"\"");
	ck_assert_str_eq(csv(LIT("\"")), "\"\"\"\"");
	ck_assert_str_eq(csv(LIT("\"a\"b")), "\"\"\"a\"\"b\"");
	ck_assert_str_eq(csv(LIT(" x")), "\" x\"");
	ck_assert_str_eq(csv(LIT("x ")), "\"x \"");
	ck_assert_str_eq(csv(LIT("a\nb\r\n")), "a\\x0ab\\x0d\\x0a");
	ck_assert_str_eq(csv(LIT("a\n,\xc3\xa9\xff")), "\"a\\x0a,\xc3\xa9\\xff\"");
}
END_TEST

START_TEST(label_values)
{
	ck_assert_str_eq(label(LIT("")), "\"\"");
	ck_assert_str_eq(label(LIT("sh -c")), "\"sh -c\"");
	ck_assert_str_eq(label(LIT("a\"b\\c\nd")), "\"a\\\"b\\\\c\\nd\"");
	/* The sanitiser's own backslash is escaped for the label. */
	ck_assert_str_eq(label(LIT("\x1b[2J\xff")), "\"\\\\x1b[2J\\\\xff\"");
	ck_assert_str_eq(label(LIT("\xe2\x80\xae\xc3\xa9")), "\"\\\\u{202e}\xc3\xa9\"");
}
END_TEST

/* ---- reading a CSV field back, as RFC 4180 and sysmon(7) describe it ---- */

static size_t put_utf8(char *to, unsigned long cp)
{
	if (cp < 0x80)
		return (size_t)sprintf(to, "%c", (int)cp);
	if (cp < 0x800)
		return (size_t)sprintf(
			to, "%c%c", (int)(0xc0 | cp >> 6), (int)(0x80 | (cp & 63)));
	if (cp < 0x10000)
		return (size_t)sprintf(to, "%c%c%c", (int)(0xe0 | cp >> 12),
			(int)(0x80 | (cp >> 6 & 63)), (int)(0x80 | (cp & 63)));
	return (size_t)sprintf(to, "%c%c%c%c", (int)(0xf0 | cp >> 18),
		(int)(0x80 | (cp >> 12 & 63)), (int)(0x80 | (cp >> 6 & 63)),
		(int)(0x80 | (cp & 63)));
}

/* Decodes an escape after its backslash; returns its end. */
static const char *unescape(const char *p, char *to, size_t *n)
{
	char hex[3] = {0};
	char *end;

	if (*p == '\\') {
		to[(*n)++] = '\\';
		return p + 1;
	}
	if (*p == 'x') {
		memcpy(hex, p + 1, 2);
		to[(*n)++] = (char)strtoul(hex, &end, 16);
		ck_assert_ptr_eq(end, hex + 2);
		return p + 3;
	}
	ck_assert(p[0] == 'u' && p[1] == '{');
	*n += put_utf8(to + *n, strtoul(p + 2, &end, 16));
	ck_assert_int_eq(*end, '}');
	return end + 1;
}

static size_t read_csv(const char *p, char *to)
{
	bool quoted = *p == '"';
	size_t n = 0;

	for (p += quoted; *p && !(quoted && p[0] == '"' && !p[1]);) {
		ck_assert(quoted || (*p != ',' && *p != '"'));
		if (*p == '"')
			ck_assert_int_eq(*++p, '"');
		if (*p == '\\')
			p = unescape(p + 1, to, &n);
		else
			to[n++] = *p++;
	}
	return n;
}

static void restores(const char *p, size_t n)
{
	char back[256];

	ck_assert_uint_eq(read_csv(csv(p, n), back), n);
	ck_assert_mem_eq(back, p, n);
}

START_TEST(csv_is_read_back)
{
	static const char *const begin[] = {
		"", "\\", "\"", ",", "\xc3", "\xe2\x80", "\\x4", " "};
	static const char *const end[] = {
		"", "\\", "\"", "1", "\xa9", "\xae", "x41", "u{41}", " "};
	char text[32];

	for (size_t i = 0; i < SM_ARRAY_SIZE(begin); i++)
		for (size_t j = 0; j < SM_ARRAY_SIZE(end); j++)
			for (int byte = 0; byte < 256; byte++) {
				size_t n = strlen(begin[i]);

				memcpy(text, begin[i], n);
				text[n++] = (char)byte;
				memcpy(text + n, end[j], strlen(end[j]));
				restores(text, n + strlen(end[j]));
			}
	restores(LIT("\\x41\\\\u{e9}\xc3\xa9\xe2\x80\xae\xf3\xa0\x80\x81"));
}
END_TEST

static TCase *tc_text(void)
{
	TCase *tc = tcase_create("text");

	tcase_add_checked_fixture(tc, NULL, free_buf);
	tcase_add_test(tc, decode_valid);
	tcase_add_test(tc, decode_invalid);
	tcase_add_test(tc, printable);
	tcase_add_test(tc, cp_width);
	tcase_add_test(tc, clean_run_all_bytes_and_places);
	tcase_add_test(tc, compare_bytes);
	tcase_add_test(tc, human_clean_is_unchanged);
	tcase_add_test(tc, human_escapes);
	tcase_add_test(tc, human_ascii_only);
	tcase_add_test(tc, human_appends);
	tcase_add_test(tc, args_joined);
	tcase_add_test(tc, args_quoted);
	tcase_add_test(tc, width);
	tcase_add_test(tc, fit_ascii);
	tcase_add_test(tc, fit_utf8);
	tcase_add_test(tc, json_strings);
	tcase_add_test(tc, json_lossy);
	tcase_add_test(tc, csv_fields);
	tcase_add_test(tc, csv_is_read_back);
	tcase_add_test(tc, label_values);
	return tc;
}

UNIT_MAIN("text", tc_text)
