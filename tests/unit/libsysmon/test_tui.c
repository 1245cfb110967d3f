// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>

#include "cli/tty.h"
#include "tui/tui.h"
#include "tui/tui_curses.h"
#include "tui_rig.h"

#define LIT(s) (s), sizeof(s) - 1

static struct sm_tui tui;
static const char *why;

static void open_size(int columns, int rows)
{
	rig_open(columns, rows);
	ck_assert_int_eq(sm_tui_open(&tui, SM_COLOR_AUTO, &why), 0);
	rig_drain();
}

static void setup(void)
{
	open_size(80, 24);
}

static void teardown(void)
{
	sm_tui_close(&tui);
	rig_drain();
	rig_close();
	setlocale(LC_CTYPE, "C");
}

static void reopen(void)
{
	sm_tui_close(&tui);
	ck_assert_int_eq(sm_tui_open(&tui, SM_COLOR_AUTO, &why), 0);
	rig_drain();
}

/* --- opening ------------------------------------------------------------------------ */

START_TEST(what_it_is_like)
{
	ck_assert(tui.open && tui.utf8 && tui.color);
	ck_assert_int_eq(tui.columns, 80);
	ck_assert_int_eq(tui.rows, 24);
	ck_assert_ptr_nonnull(strstr(rig.out, "\x1b[?1049h"));
	ck_assert_ptr_nonnull(strstr(rig.out, "\x1b[?25l"));
}
END_TEST

/* Linked with it, there is nothing to miss. */
#ifdef SM_TUI_LINKED
#define MISSING 0
#else
#define MISSING -ELIBACC
#endif

static void library_refused(const char *library, const char *text)
{
	struct sm_curses api;

	why = NULL;
	ck_assert_int_eq(sm_tui_curses_load(&api, library, &why), MISSING);
	ck_assert(!MISSING || strcmp(why, text) == 0);
}

START_TEST(libraries)
{
	struct sm_curses api;

	library_refused("libsysmon-nosuch.so.6", "libncursesw is not installed");
	library_refused("/dev/null", "libncursesw is not installed");
	library_refused("libm.so.6", "libncursesw lacks functions that the screen needs");
	memset(&api, 0xff, sizeof(api));
	ck_assert_int_eq(sm_tui_curses_load(&api, SM_CURSES_LIBRARY, &why), 0);
	ck_assert(api.COLOR_PAIR == COLOR_PAIR && api.attr_set == attr_set);
	ck_assert(api.newterm == newterm && api.tigetstr == tigetstr);
	ck_assert(api.wnoutrefresh == wnoutrefresh);
	/* The copy of the variable that this program has. */
	ck_assert_ptr_eq(api.whole, &stdscr);
	ck_assert_ptr_nonnull(stdscr);
}
END_TEST

START_TEST(one_screen_only)
{
	struct sm_tui second;

	ck_assert_int_eq(sm_tui_open(&second, SM_COLOR_AUTO, &why), -EBUSY);
	ck_assert(!second.open);
	sm_tui_close(&second);
	ck_assert(tui.open);
}
END_TEST

START_TEST(colour_policies)
{
	static const struct {
		const char *no_color;
		int policy;
		bool want;
	} cases[] = {{"1", SM_COLOR_AUTO, false}, {"", SM_COLOR_AUTO, true},
		{"1", SM_COLOR_ALWAYS, true}, {"", SM_COLOR_NEVER, false}};

	for (size_t i = 0; i < SM_ARRAY_SIZE(cases); i++) {
		sm_tui_close(&tui);
		ck_assert_int_eq(setenv("NO_COLOR", cases[i].no_color, 1), 0);
		ck_assert_int_eq(sm_tui_open(&tui, cases[i].policy, &why), 0);
		ck_assert_int_eq(tui.color, cases[i].want);
		rig_drain();
	}
	/* A terminal without colours has none, whatever is wanted. */
	sm_tui_close(&tui);
	ck_assert_int_eq(setenv("TERM", "vt100", 1), 0);
	ck_assert_int_eq(sm_tui_open(&tui, SM_COLOR_ALWAYS, &why), 0);
	ck_assert(!tui.color);
}
END_TEST

static void refused(int err, const char *text)
{
	struct sm_tui t;

	why = NULL;
	ck_assert_int_eq(sm_tui_open(&t, SM_COLOR_AUTO, &why), err);
	ck_assert_str_eq(why, text);
	ck_assert(!t.open);
	/* It can be called all the same. */
	sm_tui_clear(&t);
	ck_assert_int_eq(sm_tui_put(&t, 0, 0, 9, SM_TUI_BOLD, LIT("text")), 0);
	sm_tui_show(&t);
	sm_tui_close(&t);
}

START_TEST(unknown_terminals)
{
	const int no = -EOPNOTSUPP;

	sm_tui_close(&tui);
	rig_drain();
	rig_forget();
	ck_assert_int_eq(unsetenv("TERM"), 0);
	refused(no, "the environment variable TERM is not set");
	ck_assert_int_eq(setenv("TERM", "", 1), 0);
	refused(no, "the environment variable TERM is not set");
	ck_assert_int_eq(setenv("TERM", "no-such-terminal", 1), 0);
	refused(no, "the terminal type in TERM is not known on this system");
	ck_assert_int_eq(setenv("TERM", "dumb", 1), 0);
	refused(no, "the terminal type in TERM cannot place its cursor");
	rig_drain();
	ck_assert_uint_eq(rig.out_n, 0);
}
END_TEST

static void instead(int fd, const char *path, const char *text)
{
	int saved = dup(fd), other = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC);

	ck_assert_int_ge(other, 0);
	ck_assert_int_ge(dup2(other, fd), 0);
	refused(-ENOTTY, text);
	ck_assert_int_ge(dup2(saved, fd), 0);
	close(saved);
	close(other);
}

START_TEST(no_terminals)
{
	int master, slave;
	char name[64];

	sm_tui_close(&tui);
	instead(STDOUT_FILENO, "/dev/null", "standard output is not a terminal");
	instead(STDIN_FILENO, "/dev/null",
		"standard input is not a terminal: keys could not be read");
	ck_assert_int_eq(openpty(&master, &slave, name, NULL, NULL), 0);
	instead(STDIN_FILENO, name, "standard input and output are different terminals");
	close(master);
	close(slave);
}
END_TEST

START_TEST(takes_sizes)
{
	static const int sizes[][4] = {{0, 0, 80, 24}, {40, 10, 40, 10}, {1, 1, 1, 1},
		{200, 60, 200, 60}, {65535, 65535, 1000, 500}, {0, 50, 80, 50}};

	for (size_t i = 0; i < SM_ARRAY_SIZE(sizes); i++) {
		rig_resize(sizes[i][0], sizes[i][1]);
		sm_tui_resized(&tui);
		ck_assert_int_eq(tui.columns, sizes[i][2]);
		ck_assert_int_eq(tui.rows, sizes[i][3]);
		ck_assert_int_eq(getmaxx(stdscr), sizes[i][2]);
		ck_assert_int_eq(getmaxy(stdscr), sizes[i][3]);
	}
	/* From the start as well, and against the variables of another window. */
	ck_assert_int_eq(setenv("COLUMNS", "33", 1), 0);
	ck_assert_int_eq(setenv("LINES", "11", 1), 0);
	rig_resize(0, 0);
	reopen();
	ck_assert_int_eq(tui.columns, 80);
	ck_assert_int_eq(tui.rows, 24);
	rig_resize(132, 43);
	reopen();
	ck_assert_int_eq(tui.columns, 132);
	ck_assert_int_eq(getmaxy(stdscr), 43);
	unsetenv("COLUMNS");
	unsetenv("LINES");
}
END_TEST

START_TEST(size_zero_shows)
{
	rig_resize(0, 0);
	reopen();
	rig_forget();
	ck_assert_int_eq(
		sm_tui_put(&tui, 23, 70, 10, SM_TUI_NORMAL, LIT("the corner")), 10);
	sm_tui_show(&tui);
	rig_drain();
	ck_assert_ptr_nonnull(strstr(rig.out, "the corne"));
}
END_TEST

/* --- text --------------------------------------------------------------------------- */

static int put(const char *p, int width)
{
	return sm_tui_put(&tui, 1, 2, width, SM_TUI_NORMAL, p, strlen(p));
}

START_TEST(put_counts_columns)
{
	static const struct {
		const char *text;
		int width, used;
		const char *row;
	} cases[] = {{"plain", 80, 5, "  plain"}, {"plain", 3, 3, "  pla"},
		{"", 9, 0, ""}, {"plain", 0, 0, ""}, {"plain", -3, 0, ""},
		{"caf\xc3\xa9!", 80, 5, "  caf\xc3\xa9!"},
		{"cafe\xcc\x81!", 80, 5, "  cafe\xcc\x81!"},
		{"cafe\xcc\x81!", 4, 4, "  cafe\xcc\x81"},
		{"\xe6\x97\xa5\xe6\x9c\xac", 80, 4, "  \xe6\x97\xa5\xe6\x9c\xac"},
		/* A wide character is not cut in halves. */
		{"\xe6\x97\xa5\xe6\x9c\xac", 3, 2, "  \xe6\x97\xa5"},
		{"\xf0\x9f\x98\x80x", 80, 3, "  \xf0\x9f\x98\x80x"},
		/* A mark without a letter, and more marks than a cell holds. */
		{"\xcc\x81x", 80, 1, "  x"},
		{"a\xcc\x81\xcc\x82\xcc\x83\xcc\x84\xcc\x85\xcc\x86z", 80, 2,
			"  a\xcc\x81\xcc\x82\xcc\x83\xcc\x84z"},
		/* What should have been sanitised does no harm either. */
		{"\x1b[31m\xff\xc2\x9b\xe2\x80\xae|", 80, 9, "  ?[31m???|"}};

	for (size_t i = 0; i < SM_ARRAY_SIZE(cases); i++) {
		sm_tui_clear(&tui);
		ck_assert_int_eq(put(cases[i].text, cases[i].width), cases[i].used);
		ck_assert_str_eq(rig_row(1), cases[i].row);
	}
}
END_TEST

START_TEST(nothing_outside)
{
	static const int places[][2] = {{-1, 0}, {24, 0}, {0, -1}, {0, 80}, {24, 80},
		{1 << 30, 1 << 30}, {-(1 << 30), 5}};

	for (size_t i = 0; i < SM_ARRAY_SIZE(places); i++) {
		int row = places[i][0], column = places[i][1];

		ck_assert_int_eq(
			sm_tui_put(&tui, row, column, 9, SM_TUI_HEAD, LIT("text")), 0);
		ck_assert_int_eq(
			sm_tui_text(&tui, row, column, 9, SM_TUI_HEAD, LIT("text")), 0);
		ck_assert_int_eq(sm_tui_printf(&tui, row, column, SM_TUI_HEAD, "x"), 0);
		sm_tui_fill(&tui, row, column, 9, SM_TUI_HEAD);
		sm_tui_bar(&tui, row, column, 9, 1, SM_TUI_HEAD);
		sm_tui_spark(
			&tui, row, column, 9, (const double[]){1}, 1, 1, SM_TUI_HEAD);
	}
	for (int row = 0; row < 24; row++)
		ck_assert_str_eq(rig_row(row), "");
	ck_assert_int_eq(sm_tui_put(&tui, 0, 78, 9, SM_TUI_NORMAL, LIT("text")), 2);
	ck_assert_int_eq(
		sm_tui_put(&tui, 1, 79, 9, SM_TUI_NORMAL, LIT("\xe6\x97\xa5")), 0);
}
END_TEST

START_TEST(hostile_text)
{
	const char evil[] = "\x1b]0;pwned\x07\r\n\x9b"
			    "31m\xe2\x80\xae"
			    "x";

	rig_forget();
	ck_assert_int_eq(sm_tui_text(&tui, 0, 0, 80, SM_TUI_NORMAL, LIT(evil)), 40);
	ck_assert_str_eq(rig_row(0), "\\x1b]0;pwned\\x07\\x0d\\x0a\\x9b31m\\u{202e}x");
	sm_tui_show(&tui);
	rig_drain();
	ck_assert_ptr_nonnull(strstr(rig.out, "\\x1b]0;pwned\\x07"));
	ck_assert_ptr_null(strstr(rig.out, "\x1b]0"));
	ck_assert_ptr_null(strchr(rig.out, '\x07'));
	ck_assert_ptr_null(strstr(rig.out, "\xe2\x80\xae"));
}
END_TEST

START_TEST(text_is_fitted)
{
	ck_assert_int_eq(sm_tui_text(&tui, 0, 0, 6, SM_TUI_NORMAL, LIT("abcdefgh")), 6);
	ck_assert_str_eq(rig_row(0), "abcde\xe2\x80\xa6");
	ck_assert_int_eq(sm_tui_text(&tui, 1, 76, 99, SM_TUI_NORMAL, LIT("abcdefgh")), 4);
	ck_assert_str_eq(rig_row(1) + 76, "abc\xe2\x80\xa6");
	ck_assert_int_eq(sm_tui_text(&tui, 2, 0, 0, SM_TUI_NORMAL, LIT("abc")), 0);
	ck_assert_int_eq(sm_tui_text(&tui, 2, 0, 9, SM_TUI_NORMAL, NULL, 0), 0);
}
END_TEST

START_TEST(without_utf8)
{
	const double v[] = {0, 1, 2, 3, 4, 5, 6, 7};

	ck_assert_int_eq(setenv("LC_ALL", "C", 1), 0);
	reopen();
	ck_assert(!tui.utf8);
	ck_assert_int_eq(sm_tui_text(&tui, 0, 0, 80, SM_TUI_NORMAL, LIT("\xc3\xa9")), 8);
	ck_assert_str_eq(rig_row(0), "\\xc3\\xa9");
	ck_assert_int_eq(sm_tui_text(&tui, 1, 0, 5, SM_TUI_NORMAL, LIT("abcdefgh")), 5);
	ck_assert_str_eq(rig_row(1), "ab...");
	ck_assert_int_eq(put("\xe6\x97\xa5", 9), 1);
	sm_tui_bar(&tui, 2, 0, 8, 0.3, SM_TUI_LOW);
	ck_assert_str_eq(rig_row(2), "##");
	sm_tui_spark(&tui, 3, 0, 8, v, 8, 7, SM_TUI_LOW);
	ck_assert_str_eq(rig_row(3), "_.-:=+*#");
	rig_forget();
	sm_tui_show(&tui);
	rig_drain();
	for (size_t i = 0; i < rig.out_n; i++)
		ck_assert_int_ge(rig.out[i], 0);
}
END_TEST

START_TEST(locale_that_is_not_installed)
{
	ck_assert_int_eq(setenv("LC_ALL", "xx_XX.UTF-8", 1), 0);
	reopen();
	ck_assert(tui.utf8);
	ck_assert_int_eq(put("\xe6\x97\xa5", 9), 2);
}
END_TEST

START_TEST(printf_and_fill)
{
	ck_assert_int_eq(sm_tui_printf(&tui, 0, 0, SM_TUI_HEAD, "%d%%", 42), 3);
	sm_tui_fill(&tui, 0, 3, 1000, SM_TUI_HEAD);
	ck_assert_str_eq(rig_row(0), "42%");
	for (int i = 0; i < 80; i++)
		ck_assert(rig_attr(0, i) & A_REVERSE);
	ck_assert(!(rig_attr(1, 0) & A_REVERSE));
}
END_TEST

/* --- pictures ----------------------------------------------------------------------- */

#define FULL "\xe2\x96\x88"

START_TEST(bars)
{
	static const struct {
		double fraction;
		const char *row;
	} cases[] = {{0, ""}, {1, FULL FULL FULL FULL}, {7, FULL FULL FULL FULL},
		{-1, ""}, {0.5, FULL FULL}, {1.0 / 32, "\xe2\x96\x8f"},
		{7.0 / 32, "\xe2\x96\x89"}, {0.001, ""},
		{12.0 / 32, FULL "\xe2\x96\x8c"}};

	for (size_t i = 0; i < SM_ARRAY_SIZE(cases); i++) {
		sm_tui_bar(&tui, 0, 0, 4, cases[i].fraction, SM_TUI_LOW);
		ck_assert_str_eq(rig_row(0), cases[i].row);
	}
	sm_tui_bar(&tui, 0, 0, 4, (double)NAN, SM_TUI_LOW);
	ck_assert_str_eq(rig_row(0), "");
	sm_tui_bar(&tui, 0, 0, 4, (double)INFINITY, SM_TUI_LOW);
	ck_assert_str_eq(rig_row(0), FULL FULL FULL FULL);
}
END_TEST

/* The fonts of the Linux console have no eighths of a block. */
START_TEST(bars_of_the_linux_console)
{
	const double v[] = {0, 7};

	sm_tui_close(&tui);
	ck_assert_int_eq(setenv("TERM", "linux", 1), 0);
	reopen();
	ck_assert(tui.utf8);
	sm_tui_bar(&tui, 0, 0, 4, 0.5, SM_TUI_LOW);
	ck_assert_str_eq(rig_row(0), "##");
	sm_tui_spark(&tui, 1, 0, 2, v, 2, 7, SM_TUI_LOW);
	ck_assert_str_eq(rig_row(1), "_#");
}
END_TEST

START_TEST(sparks)
{
	const double v[] = {9, 0, 1, 3.5, 7, 99, (double)NAN, -1};

	sm_tui_spark(&tui, 0, 0, 7, v, 8, 7, SM_TUI_LOW);
	ck_assert_str_eq(rig_row(0), "\xe2\x96\x81\xe2\x96\x82\xe2\x96\x85" FULL FULL
				     "\xe2\x96\x81\xe2\x96\x81");
	sm_tui_spark(&tui, 1, 0, 3, v, 2, 0, SM_TUI_LOW);
	ck_assert_str_eq(rig_row(1), "\xe2\x96\x81\xe2\x96\x81");
	sm_tui_spark(&tui, 2, 0, 3, v, 0, 1, SM_TUI_LOW);
	ck_assert_str_eq(rig_row(2), "");
}
END_TEST

START_TEST(load_styles)
{
	ck_assert_int_eq(sm_tui_load_style(0), SM_TUI_LOW);
	ck_assert_int_eq(sm_tui_load_style(49.9), SM_TUI_LOW);
	ck_assert_int_eq(sm_tui_load_style(50), SM_TUI_MIDDLE);
	ck_assert_int_eq(sm_tui_load_style(79.9), SM_TUI_MIDDLE);
	ck_assert_int_eq(sm_tui_load_style(80), SM_TUI_HIGH);
	ck_assert_int_eq(sm_tui_load_style(1e9), SM_TUI_HIGH);
	ck_assert_int_eq(sm_tui_load_style((double)NAN), SM_TUI_LOW);
}
END_TEST

START_TEST(added_to_a_style)
{
	(void)sm_tui_put(&tui, 0, 0, 1, SM_TUI_MAP_1, LIT("a"));
	(void)sm_tui_put(&tui, 0, 1, 1, SM_TUI_MAP_1 | SM_TUI_STRONG, LIT("b"));
	(void)sm_tui_put(&tui, 0, 2, 1, SM_TUI_MAP_1 | SM_TUI_REVERSED, LIT("c"));
	sm_tui_fill(&tui, 0, 3, 1, SM_TUI_MAP_4_PART | SM_TUI_REVERSED | SM_TUI_STRONG);
	ck_assert_uint_eq(rig_attr(0, 0) & (A_BOLD | A_REVERSE), A_NORMAL);
	ck_assert_uint_eq(rig_attr(0, 1) & (A_BOLD | A_REVERSE), A_BOLD);
	ck_assert_uint_eq(rig_attr(0, 2) & (A_BOLD | A_REVERSE), A_REVERSE);
	ck_assert_uint_eq(rig_attr(0, 3) & (A_BOLD | A_REVERSE), A_BOLD | A_REVERSE);
	ck_assert_int_eq(PAIR_NUMBER(rig_attr(0, 1)), SM_TUI_MAP_1);
	ck_assert_int_eq(PAIR_NUMBER(rig_attr(0, 2)), SM_TUI_MAP_1);
	ck_assert_int_eq(PAIR_NUMBER(rig_attr(0, 3)), SM_TUI_MAP_4_PART);
}
END_TEST

/* Only what changed is sent; after a resize all of it. */
START_TEST(show_sends_changes)
{
	put("first", 80);
	sm_tui_show(&tui);
	rig_drain();
	rig_forget();
	sm_tui_clear(&tui);
	put("first", 80);
	sm_tui_show(&tui);
	rig_drain();
	ck_assert_ptr_null(strstr(rig.out, "first"));
	sm_tui_resized(&tui);
	sm_tui_show(&tui);
	rig_drain();
	ck_assert_ptr_nonnull(strstr(rig.out, "first"));
}
END_TEST

/* --- keys --------------------------------------------------------------------------- */

START_TEST(keys)
{
	static const struct {
		const char *bytes;
		int key;
	} cases[] = {{"q", 'q'}, {" ", ' '}, {"\xc3\xa9", 0xe9}, {"\xe6\x97\xa5", 0x65e5},
		{"\x1bOA", SM_KEY_UP}, {"\x1bOB", SM_KEY_DOWN}, {"\x1bOC", SM_KEY_RIGHT},
		{"\x1bOD", SM_KEY_LEFT}, {"\x1b[5~", SM_KEY_PGUP},
		{"\x1b[6~", SM_KEY_PGDN}, {"\x1bOH", SM_KEY_HOME}, {"\x1bOF", SM_KEY_END},
		{"\x1b[3~", SM_KEY_DELETE}, {"\x1bOP", SM_KEY_F1}, {"\r", SM_KEY_ENTER},
		{"\n", SM_KEY_ENTER}, {"\t", SM_KEY_TAB}, {"\x7f", SM_KEY_BACKSPACE},
		{"\x08", SM_KEY_BACKSPACE}, {"\x1b", SM_KEY_ESC}, {"\x0c", 0x0c},
		{"\x1b[2~", SM_KEY_OTHER}, {"\x1b[I", SM_KEY_OTHER},
		{"\x1bx", SM_KEY_OTHER}};

	ck_assert_int_eq(sm_tui_key(&tui), SM_KEY_NONE);
	for (size_t i = 0; i < SM_ARRAY_SIZE(cases); i++) {
		rig_type(cases[i].bytes);
		ck_assert_int_eq(sm_tui_key(&tui), cases[i].key);
		ck_assert_int_eq(sm_tui_key(&tui), SM_KEY_NONE);
	}
}
END_TEST

/* Bytes that follow an ESC within the time of a sequence are never keys, also if they are
 * read later. */
START_TEST(split_sequences)
{
	static const char *const parts[] = {
		"\x1b", "[", "1;5", "C", "\x1b]", "11;rgb:1/2/3", "\a"};
	int others = 0;

	for (size_t i = 1; i < SM_ARRAY_SIZE(parts); i++) {
		char bytes[32];
		int key;

		snprintf(bytes, sizeof(bytes), "%s%s", i == 1 ? parts[0] : "", parts[i]);
		rig_type(bytes);
		while ((key = sm_tui_key(&tui)) != SM_KEY_NONE) {
			ck_assert_int_eq(key, SM_KEY_OTHER);
			others++;
		}
	}
	ck_assert_int_eq(others, 2);
	rig_type("\x1b\x1bq");
	ck_assert_int_eq(sm_tui_key(&tui), SM_KEY_OTHER);
	rig_type("\x1b\x1b");
	ck_assert_int_eq(sm_tui_key(&tui), SM_KEY_ESC);
	ck_assert_int_eq(sm_tui_key(&tui), SM_KEY_ESC);
	ck_assert_int_eq(sm_tui_key(&tui), SM_KEY_NONE);
}
END_TEST

/* Nothing typed on the screen is left to the shell. */
START_TEST(typed_ahead)
{
	int waiting = -1;

	rig_type("qls\n\x1b[<64;1;1M");
	ck_assert_int_eq(sm_tui_key(&tui), 'q');
	rig_type("rest");
	sm_tui_close(&tui);
	ck_assert_int_eq(ioctl(rig.slave, FIONREAD, &waiting), 0);
	ck_assert_int_eq(waiting, 0);
}
END_TEST

/* The reports begin with the screen, continue after a stop, and end with the screen. */
START_TEST(mouse)
{
	rig_drain();
	ck_assert_ptr_nonnull(strstr(rig.out, "1000h"));
	rig_type("\x1b[<0;6;4M\x1b[<0;6;4m"); /* pressed, released */
	ck_assert_int_eq(sm_tui_key(&tui), SM_KEY_CLICK);
	ck_assert_int_eq(tui.mouse_row, 3);
	ck_assert_int_eq(tui.mouse_column, 5);
	while (sm_tui_key(&tui) == SM_KEY_OTHER)
		;
	rig_type("\x1b[<64;1;1M\x1b[<65;1;1M\x1b[<65;1;1Mx\x1b[<65;1;1M");
	ck_assert_int_eq(sm_tui_key(&tui), SM_KEY_WHEEL_UP);
	ck_assert_int_eq(sm_tui_key(&tui), SM_KEY_WHEEL_DOWN);
	ck_assert_int_eq(sm_tui_key(&tui), SM_KEY_WHEEL_DOWN);
	ck_assert_int_eq(sm_tui_key(&tui), 'x');
	ck_assert_int_eq(sm_tui_key(&tui), SM_KEY_WHEEL_DOWN);
	ck_assert_int_eq(sm_tui_key(&tui), SM_KEY_NONE);
	rig_forget();
	sm_tui_resized(&tui);
	rig_drain();
	ck_assert_ptr_nonnull(strstr(rig.out, "1000h"));
	rig_forget();
	sm_tui_close(&tui);
	rig_drain();
	ck_assert_ptr_nonnull(strstr(rig.out, "\x1b[?1006;1000l"));
}
END_TEST

START_TEST(keys_do_not_draw)
{
	put("unseen", 80);
	rig_forget();
	rig_type("x");
	ck_assert_int_eq(sm_tui_key(&tui), 'x');
	rig_drain();
	ck_assert_ptr_null(strstr(rig.out, "unseen"));
}
END_TEST

START_TEST(hang_up)
{
	rig_hang_up();
	ck_assert_int_eq(sm_tui_key(&tui), SM_KEY_GONE);
}
END_TEST

static TCase *tc_open(void)
{
	TCase *tc = tcase_create("open");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, what_it_is_like);
	tcase_add_test(tc, libraries);
	tcase_add_test(tc, one_screen_only);
	tcase_add_test(tc, colour_policies);
	tcase_add_test(tc, unknown_terminals);
	tcase_add_test(tc, no_terminals);
	tcase_add_test(tc, takes_sizes);
	tcase_add_test(tc, size_zero_shows);
	return tc;
}

static TCase *tc_draw(void)
{
	TCase *tc = tcase_create("draw");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, put_counts_columns);
	tcase_add_test(tc, nothing_outside);
	tcase_add_test(tc, hostile_text);
	tcase_add_test(tc, text_is_fitted);
	tcase_add_test(tc, without_utf8);
	tcase_add_test(tc, locale_that_is_not_installed);
	tcase_add_test(tc, printf_and_fill);
	tcase_add_test(tc, bars);
	tcase_add_test(tc, sparks);
	tcase_add_test(tc, bars_of_the_linux_console);
	tcase_add_test(tc, load_styles);
	tcase_add_test(tc, added_to_a_style);
	tcase_add_test(tc, show_sends_changes);
	return tc;
}

static TCase *tc_keys(void)
{
	TCase *tc = tcase_create("keys");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, keys);
	tcase_add_test(tc, split_sequences);
	tcase_add_test(tc, typed_ahead);
	tcase_add_test(tc, mouse);
	tcase_add_test(tc, keys_do_not_draw);
	tcase_add_test(tc, hang_up);
	return tc;
}

UNIT_MAIN("tui", tc_open, tc_draw, tc_keys)
