// SPDX-License-Identifier: GPL-2.0-or-later
/* Text and names as mdoc, and the lines of remarks.  t/stressors/man.sh looks at the page
 * that is made of them. */
#include "base/buf.h"
#include "stressors/man/mdoc.h"
#include "stressors/man/remarks.h"
#include "unit.h"

static struct sm_buf b;

static struct sm_str str(const char *s)
{
	return (struct sm_str){s, strlen(s)};
}

static void tear_down(void)
{
	sm_buf_fini(&b);
}

static void is(const char *want)
{
	sm_buf_chr(&b, '\0');
	ck_assert_str_eq(b.p, want);
	sm_buf_reset(&b);
}

static void text_is(const char *text, const char *want)
{
	mdoc_text(&b, str(text), "");
	is(want);
}

static void sentence_is(const char *text, const char *want)
{
	mdoc_sentence(&b, str(text));
	is(want);
}

START_TEST(plain_text)
{
	text_is("", "");
	text_is("  one\n two ", "one two\n");
	text_is("One. Two (2.5). Three", "One.\nTwo (2.5).\nThree\n");
	text_is(".dot 'quote a\\b", "\\&.dot 'quote a\\eb\n");
	text_is("'q", "\\&'q\n");
}
END_TEST

START_TEST(lines_of_80_columns)
{
	char words[200], want[200];

	/* The 81st column would be the last letter. */
	snprintf(words, sizeof(words), "%078d x", 0);
	snprintf(want, sizeof(want), "%078d x\n", 0);
	text_is(words, want);
	snprintf(words, sizeof(words), "%078d xy", 0);
	snprintf(want, sizeof(want), "%078d\nxy\n", 0);
	text_is(words, want);
	snprintf(words, sizeof(words), "%078d x", 0);
	snprintf(want, sizeof(want), "%078d\nx.\n", 0);
	sentence_is(words, want);
}
END_TEST

START_TEST(macros)
{
	text_is("see --cpu-load, if", "see\n.Fl -cpu-load ,\nif\n");
	text_is("by fork(2).", "by\n.Xr fork 2 .\n");
	text_is("/dev/x holds", ".Pa /dev/x\nholds\n");
	text_is("fork(2), --x), then", ".Xr fork 2 ,\n.Fl -x ) ,\nthen\n");
	text_is("posix_spawn(3)", ".Xr posix_spawn 3\n");
	text_is("a -- b -x / (1) f(x) (of --x)", "a -- b -x / (1) f(x) (of\n.Fl -x )\n");
}
END_TEST

START_TEST(sentences)
{
	sentence_is("sort by qsort(3)", "Sort by\n.Xr qsort 3 .\n");
	sentence_is("one. Two.", "One.\nTwo.\n");
	sentence_is("one of:", "One of:\n");
	sentence_is("32 bits", "32 bits.\n");
	sentence_is("--x is", ".Fl -x\nis.\n");
	sentence_is("", "");
}
END_TEST

START_TEST(lines_of_names)
{
	struct mdoc_names names = {.b = &b, .macro = "Va"};

	mdoc_names_end(&names, ".");
	is("");
	mdoc_name(&names, str("time per op"));
	mdoc_names_end(&names, "");
	is(".Va time per op\n");
	names = (struct mdoc_names){.b = &b, .macro = "It Cm"};
	for (int i = 0; i < 3; i++)
		mdoc_name(&names, str("a-name-of-thirty-letters-and-4"));
	mdoc_names_end(&names, ".");
	is(".It Cm a-name-of-thirty-letters-and-4 , a-name-of-thirty-letters-and-4 ,\n"
	   ".It Cm a-name-of-thirty-letters-and-4 .\n");
}
END_TEST

static bool is_str(struct sm_str s, const char *want)
{
	return s.n == strlen(want) && (!s.n || memcmp(s.p, want, s.n) == 0);
}

static void remark_reads(const char **at, const char *key, const char *text)
{
	struct remark r;

	ck_assert(remark_next(at, &r));
	ck_assert(is_str(r.key, key) && is_str(r.text, text));
}

START_TEST(remarks)
{
	const char *at = "metric 99 %: a: b\nNote: --x: y.\n--size: Large.\n"
			 "--way one, two: both\n--size of it.\nend";
	struct remark r;

	remark_reads(&at, "metric 99 %", "a: b");
	remark_reads(&at, "", "Note: --x: y.");
	remark_reads(&at, "--size", "Large.");
	remark_reads(&at, "--way one, two", "both");
	remark_reads(&at, "", "--size of it.");
	remark_reads(&at, "", "end");
	ck_assert(!remark_next(&at, &r));
}
END_TEST

START_TEST(keys)
{
	const char *at = "metric op: x\n", *of_option = "--size: x\n";
	struct sm_str rest;
	struct remark r;

	ck_assert(remark_next(&at, &r));
	ck_assert(remark_is(&r, "metric ", "op"));
	ck_assert(!remark_is(&r, "metric ", "o") && !remark_is(&r, "metric ", "ops"));
	ck_assert(!remark_is(&r, "--", "op"));
	ck_assert(!remark_is_choice(&r, "op", &rest));
	ck_assert(remark_next(&of_option, &r));
	ck_assert(remark_is(&r, "--", "size") && !remark_is_choice(&r, "size", &rest));
}
END_TEST

START_TEST(choices)
{
	const char *at = "--way one, two-b: x\n";
	struct sm_str rest, choice;
	struct remark r;

	ck_assert(remark_next(&at, &r));
	ck_assert(!remark_is(&r, "--", "way"));
	ck_assert(!remark_is_choice(&r, "wa", &rest));
	ck_assert(!remark_is_choice(&r, "way one", &rest));
	ck_assert(remark_is_choice(&r, "way", &rest));
	ck_assert(remark_choice(&rest, &choice));
	ck_assert(choice.n == 3 && memcmp(choice.p, "one", 3) == 0);
	ck_assert(remark_choice(&rest, &choice));
	ck_assert(choice.n == 5 && memcmp(choice.p, "two-b", 5) == 0);
	ck_assert(!remark_choice(&rest, &choice));
}
END_TEST

static TCase *tc_man(void)
{
	TCase *t = tcase_create("man");

	tcase_add_checked_fixture(t, NULL, tear_down);
	tcase_add_test(t, plain_text);
	tcase_add_test(t, lines_of_80_columns);
	tcase_add_test(t, macros);
	tcase_add_test(t, sentences);
	tcase_add_test(t, lines_of_names);
	tcase_add_test(t, remarks);
	tcase_add_test(t, keys);
	tcase_add_test(t, choices);
	return t;
}

UNIT_MAIN("man", tc_man)
