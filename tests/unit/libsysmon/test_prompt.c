// SPDX-License-Identifier: GPL-2.0-or-later
#include "tui/prompt.h"
#include "cli/tty.h"
#include "tui_rig.h"

static struct sm_prompt prompt;

static void open_with(const char *text)
{
	sm_prompt_open(&prompt, "Name: ", "any");
	for (; *text; text++)
		ck_assert_int_eq(
			sm_prompt_key(&prompt, (unsigned char)*text), SM_PROMPT_EDITING);
}

static void keys(const int *key)
{
	for (; *key; key++)
		ck_assert_int_eq(sm_prompt_key(&prompt, *key), SM_PROMPT_EDITING);
}

static void type(const char *ascii)
{
	for (; *ascii; ascii++)
		ck_assert_int_eq(sm_prompt_key(&prompt, *ascii), SM_PROMPT_EDITING);
}

START_TEST(editing)
{
	open_with("stress");
	ck_assert_str_eq(prompt.text, "stress");
	keys((const int[]){SM_KEY_HOME, SM_KEY_DELETE, SM_KEY_RIGHT, '?', SM_KEY_LEFT,
		SM_KEY_BACKSPACE, 'X', SM_KEY_END, '*', 0});
	ck_assert_str_eq(prompt.text, "X?ress*");
	keys((const int[]){SM_KEY_RIGHT, SM_KEY_DELETE, SM_KEY_HOME, SM_KEY_LEFT,
		SM_KEY_BACKSPACE, SM_KEY_TAB, SM_KEY_F1, '\x01', 0x202e, 0});
	ck_assert_str_eq(prompt.text, "X?ress*");
	keys((const int[]){0x15, 0});
	ck_assert_str_eq(prompt.text, "");
	ck_assert_uint_eq(prompt.n, 0);
}
END_TEST

START_TEST(utf8)
{
	open_with("");
	keys((const int[]){0xe9, 0x65e5, 0x1f600, 'a', 0});
	ck_assert_str_eq(prompt.text, "\xc3\xa9\xe6\x97\xa5\xf0\x9f\x98\x80"
				      "a");
	keys((const int[]){SM_KEY_LEFT, SM_KEY_BACKSPACE, SM_KEY_HOME, SM_KEY_DELETE, 0});
	ck_assert_str_eq(prompt.text, "\xe6\x97\xa5"
				      "a");
	keys((const int[]){SM_KEY_RIGHT, 0x7ff, 0});
	ck_assert_str_eq(prompt.text, "\xe6\x97\xa5\xdf\xbf"
				      "a");
}
END_TEST

START_TEST(ends)
{
	open_with("text");
	ck_assert_int_eq(sm_prompt_key(&prompt, SM_KEY_ENTER), SM_PROMPT_ENTERED);
	ck_assert_ptr_null(prompt.title);
	ck_assert_str_eq(prompt.text, "text");
	open_with("text");
	ck_assert_ptr_nonnull(prompt.title);
	ck_assert_int_eq(sm_prompt_key(&prompt, SM_KEY_ESC), SM_PROMPT_CANCELLED);
	ck_assert_ptr_null(prompt.title);
}
END_TEST

START_TEST(length)
{
	char text[SM_PROMPT_MAX + 2];

	memset(text, 'x', sizeof(text));
	text[SM_PROMPT_MAX] = '\0';
	open_with("");
	type(text);
	ck_assert_str_eq(prompt.text, text);
	type("yy");
	ck_assert_str_eq(prompt.text, text);
	/* A character of two bytes where one is left. */
	keys((const int[]){SM_KEY_BACKSPACE, 0xe9, 0});
	ck_assert_uint_eq(prompt.n, SM_PROMPT_MAX - 1);
	sm_prompt_open(&prompt, "", "");
	ck_assert_uint_eq(prompt.n, 0);
}
END_TEST

/* On a screen of 20 columns. */
START_TEST(drawing)
{
	struct sm_tui tui;
	const char *why = NULL;

	rig_open(20, 2);
	ck_assert_int_eq(sm_tui_open(&tui, SM_COLOR_AUTO, &why), 0);
	open_with("0123456789");
	sm_prompt_draw(&prompt, &tui, 0);
	ck_assert_str_eq(rig_row(0), "Name: 0123456789");
	keys((const int[]){'a', 'b', 'c', 'd', 'e', 'f', 0});
	sm_prompt_draw(&prompt, &tui, 1);
	ck_assert_str_eq(rig_row(1), "Name: 3456789abcdef");
	keys((const int[]){SM_KEY_HOME, 0});
	sm_prompt_draw(&prompt, &tui, 1);
	ck_assert_str_eq(rig_row(1), "Name: 0123456789abcd");
	sm_tui_clear(&tui);
	sm_prompt_open(&prompt, "Name: ", "empty: all names");
	sm_prompt_draw(&prompt, &tui, 0);
	ck_assert_str_eq(rig_row(0), "Name:   empty: all \xe2\x80\xa6");
	sm_tui_close(&tui);
	rig_drain();
	rig_close();
}
END_TEST

static TCase *tc_prompt(void)
{
	TCase *tc = tcase_create("prompt");

	tcase_add_test(tc, editing);
	tcase_add_test(tc, utf8);
	tcase_add_test(tc, ends);
	tcase_add_test(tc, length);
	tcase_add_test(tc, drawing);
	return tc;
}

UNIT_MAIN("prompt", tc_prompt)
