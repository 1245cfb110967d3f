// SPDX-License-Identifier: GPL-2.0-or-later
/* The table on a terminal: lines that fit its width.  See view_rig.h. */
#include <sys/ioctl.h>

#include "cpustat_view_rig.h"

#define FIGURES " 25.24  24.27   0.97  1579 R    0  12.76s"

static void terminal(unsigned int columns)
{
	sm_table_terminal(&v.outputs->out[0], columns, 0, true);
}

START_TEST(lines_are_cut)
{
	struct row r = floor32();

	o.full_command = true;
	o.app.no_header = true;
	r.cmd = CMD("\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e\0\033x"); /* two columns each */
	begin();
	terminal(51);
	show_one(r);
	terminal(50);
	show_one(r);
	terminal(13);
	show_one(r);
	terminal(10);
	show_one(r);
	terminal(6); /* a number is never cut */
	show_one(r);
	ck_assert_str_eq(content(human_path),
		FIGURES " \xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e \\\xe2\x80\xa6\n" FIGURES
			" \xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e \xe2\x80\xa6\n"
			" 25.24 \xe6\x97\xa5\xe6\x9c\xac\xe2\x80\xa6\n"
			" 25.24 \xe6\x97\xa5\xe2\x80\xa6\n"
			" 25.24\n");
}
END_TEST

static void show_in(unsigned int columns, struct row r)
{
	char *end;
	size_t had = strlen(content(human_path));

	terminal(columns);
	rows.total = r;
	show_one(r);
	end = content_of + strlen(content(human_path));
	/* Only the newest sample. */
	memmove(content_of, content_of + had, (size_t)(end - content_of) - had + 1);
	for (char *p = content_of, *nl; (nl = strchr(p, '\n')); p = nl + 1) {
		ck_assert_uint_le((size_t)(nl - p), columns);
		ck_assert(nl == p || nl[-1] != ' ');
	}
}

/* On a narrow terminal the name has at least eight columns; others are dropped. */
START_TEST(narrow_terminals)
{
	static const struct {
		unsigned int columns;
		const char *want;
	} t[] = {
		{80, HEADING "\n 25.24  24.27   0.97  1579 R    0  12.76s ./floor32\n"
			     " 25.24  24.27   0.97 Total\n\n"},
		{50, HEADING "\n 25.24  24.27   0.97  1579 R    0  12.76s ./flo...\n"
			     " 25.24  24.27   0.97 Total\n\n"},
		{49, "  %CPU   %USR   %SYS   PID S  CPU Task\n"
		     " 25.24  24.27   0.97  1579 R    0 ./floor32\n"
		     " 25.24  24.27   0.97 Total\n\n"},
		{40, "  %CPU   %USR   %SYS   PID S Task\n"
		     " 25.24  24.27   0.97  1579 R ./floor32\n"
		     " 25.24  24.27   0.97 Total\n\n"},
		{36, "  %CPU   %USR   %SYS   PID Task\n"
		     " 25.24  24.27   0.97  1579 ./floor32\n"
		     " 25.24  24.27   0.97 Total\n\n"},
		{30, "  %CPU   %USR   PID Task\n"
		     " 25.24  24.27  1579 ./floor32\n"
		     " 25.24  24.27 Total\n\n"},
		{24, "  %CPU   PID Task\n 25.24  1579 ./floor32\n 25.24 Total\n\n"},
		{17, "  %CPU Task\n 25.24 ./floor32\n 25.24\n\n"},
	};

	o.total = true;
	begin();
	for (size_t i = 0; i < SM_ARRAY_SIZE(t); i++) {
		v.outputs->out[0].text_flags = 0; /* an ellipsis of one byte a column */
		show_in(t[i].columns, floor32());
		ck_assert_str_eq(content_of, t[i].want);
	}
	for (unsigned int columns = 10; columns < 80; columns++)
		show_in(columns, floor32());
	terminal(0); /* nothing stays away */
	show_one(floor32());
	ck_assert(
		has(human_path, HEADING "\n"
					" 25.24  24.27   0.97  1579 R    0  12.76s ./f"));
}
END_TEST

/* A wide number takes its room from blanks, then from the name: a line is never too long.
 */
START_TEST(cut_beside_wide_numbers)
{
	struct row r = floor32();

	o.app.no_header = true;
	r.used_ns = 12000 * PCT;
	r.usr_ns = 12000 * PCT;
	begin();
	terminal(51);
	show_one(r);
	terminal(50);
	show_one(r);
	ck_assert_str_eq(content(human_path),
		"12000.00 12000.00 0.97 1579 R   0  12.76s ./floor32\n"
		"12000.00 12000.00 0.97 1579 R   0  12.76s ./floor\xe2\x80\xa6\n");
}
END_TEST

START_TEST(text_is_cut)
{
	struct sm_buf b = {0};

	o.heading_time = true;
	begin();
	terminal(47);
	sm_buf_str(&b, "0123456789012345678901234567890123456789012345678\nshort\nlast");
	view_sample(&v, &sample, &rows, NULL, 0, &b);
	ck_assert_str_eq(content(human_path),
		"0123456789012345678901234567890123456789012345\xe2\x80\xa6\nshort\nlast"
		"\n"
		"  %CPU   %USR   %SYS   PID S  CPU Task  (13:05\xe2\x80\xa6\n\n");
	sm_buf_fini(&b);
}
END_TEST

START_TEST(the_size_of_a_terminal)
{
	struct winsize size = {.ws_col = 60, .ws_row = 20};
	int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	char slave[64];

	if (master < 0) /* a sandbox without terminals */
		return;
	ck_assert_int_eq(grantpt(master), 0);
	ck_assert_int_eq(unlockpt(master), 0);
	ck_assert_int_eq(ptsname_r(master, slave, sizeof(slave)), 0);
	ck_assert_int_eq(ioctl(master, TIOCSWINSZ, &size), 0);
	o.app.output = slave;
	begin();
	ck_assert_uint_eq(v.outputs->out[0].columns, 60);
	size.ws_col = 40;
	ck_assert_int_eq(ioctl(master, TIOCSWINSZ, &size), 0);
	view_resized(&v);
	ck_assert_uint_eq(v.outputs->out[0].columns, 40);
	o.no_cut = true;
	view_resized(&v);
	ck_assert_uint_eq(v.outputs->out[0].columns, 0);
	close(master);
}
END_TEST

START_TEST(a_file_has_no_width)
{
	begin();
	ck_assert_uint_eq(v.outputs->out[0].columns, 0);
}
END_TEST

static TCase *tc_width(void)
{
	TCase *tc = tcase_create("width");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, lines_are_cut);
	tcase_add_test(tc, narrow_terminals);
	tcase_add_test(tc, cut_beside_wide_numbers);
	tcase_add_test(tc, text_is_cut);
	tcase_add_test(tc, the_size_of_a_terminal);
	tcase_add_test(tc, a_file_has_no_width);
	return tc;
}

UNIT_MAIN("view_fit", tc_width)
