// SPDX-License-Identifier: GPL-2.0-or-later
/* Every number on the screen is whole, or a correct short form, at each width. */
#include <ctype.h>
#include <math.h>

#include "pagemon/screen/windows.h"
#include "pagemon/screen/format.h"
#include "pagemon_screen_rig.h"

#define START	UINT64_C(0x01ab000000000000)
#define BYTES	(UINT64_C(1) << 56)
#define MINIMUM 40
#define MAXIMUM 200

START_TEST(numbers_in_words)
{
	static const struct {
		double v;
		const char *want;
	} cases[] = {{0, "0"}, {999.4, "999"}, {999.6, "1.0k"}, {1250, "1.2k"},
		{9949, "9.9k"}, {9951, "10k"}, {253257, "253k"}, {999499, "999k"},
		{999501, "1.0M"}, {1e9, "1.0G"}, {18446744073709551615.0, "18E"}};
	char text[FORMAT_SIZE];

	for (size_t i = 0; i < SM_ARRAY_SIZE(cases); i++)
		ck_assert_str_eq(format_number(cases[i].v, text), cases[i].want);
}
END_TEST

START_TEST(whole_words)
{
	ck_assert_uint_eq(format_fit("12 345", 6, 6), 6);
	ck_assert_uint_eq(format_fit("12 345", 6, 5), 2);
	ck_assert_uint_eq(format_fit("12 345", 6, 2), 2);
	ck_assert_uint_eq(format_fit("12 345", 6, 1), 0);
	ck_assert_uint_eq(format_fit("12 345", 6, -1), 0);
	ck_assert_uint_eq(format_fit("", 0, 0), 0);
}
END_TEST

/* --- a process with large values ---------------------------------------------------- */

static struct pagefacts page;
static struct vmfacts vm;
static struct faults faults;
static struct peek peek;
static unsigned char contents[2 * PAGE];
static enum peek_state states[2] = {PEEK_BYTES, PEEK_BYTES};

/* All numbers of this process but addresses; short forms behind the long ones. */
static const char *const known[] = {"4194303", "8589934591", "70368744177664", "64",
	"64P", "0x00001000", "0x8100123456789abc", "0x000123456789a000",
	"0x123456789a000", "18446744073709551615", "18E", "253257", "253k", "24595",
	"1000000000", "1.0G", "9876543210", "3740", "4194304", "1000", "0xfedcba98765000",
	"0xab", "0xcd", "0.0", "0", "1", "4", "4K", "5a", "1f"};

static void fill_in(void)
{
	page = (struct pagefacts){.entry = 0x8100123456789abc,
		.place = PAGE_IN_RAM,
		.pfn_known = true,
		.physical = 0x123456789a000,
		.map_count = UINT64_MAX,
		.vma_flags = "rd wr mr mw me ac",
		.cgroup_inode = UINT64_MAX,
		.vma_page_bytes = 4096};
	vmfacts_init(&vm);
	vm.known = (UINT64_C(1) << VM_KEYS) - 1;
	for (int i = 0; i < VM_KEYS; i++)
		vm.bytes[i] = i % 2 ? BYTES : 3740 * 1024;
	vm.faults_known = vm.minor.known = vm.major.known = true;
	vm.faults = (struct vm_faults){UINT64_MAX, 24595};
	vm.minor.per_s = 253257;
	vm.major.per_s = 1e9;
	vm.threads = 4194304;
	vm.oom_score = 1000;
	faults_init(&faults);
	for (int i = 0; i < FAULT_KEYS; i++)
		faults.count[i] = (struct fault_count){
			.since_start = i % 2 ? 9876543210 : UINT64_MAX,
			.rate = {.known = i % 3, .per_s = i % 2 ? 253257 : 1e9}};
	peek = (struct peek){.start = START,
		.page_bytes = PAGE,
		.pages = 2,
		.bytes = contents,
		.state = states};
	memset(contents, 0x5a, sizeof(contents));
	add_map(START, BYTES / PAGE, "name")->inode = 8589934591;
	maps[0].dev_major = 0xfd;
	maps[0].dev_minor = 0x1f;
	maps[0].offset_bytes = 0xfedcba98765000;
	target.pid = 4194303;
	in.cells = NULL; /* the kernel of the test may not have these addresses */
	in.page = &page;
	in.vm = &vm;
	in.faults = &faults;
	in.peek = &peek;
}

/* --- what is drawn ------------------------------------------------------------------ */

/* 16 digits, or 15 without the leading zero. */
static bool is_address(const char *token)
{
	token += strncmp(token, "0x", 2) == 0 ? 2 : 0;
	if (strlen(token) == 16 && *token == '0')
		token++;
	return strlen(token) == 15 && (strncmp(token, "1ab000", 6) == 0 ||
					      strcmp(token, "2aaffffffffffff") == 0);
}

static bool is_known(const char *token)
{
	for (size_t i = 0; i < SM_ARRAY_SIZE(known); i++)
		if (strcmp(token, known[i]) == 0)
			return true;
	return is_address(token);
}

static int is_part(char c)
{
	return isalnum((unsigned char)c) || c == '.';
}

static void check_numbers(const char *row, int columns, unsigned int windows)
{
	char token[256];

	for (const char *p = row; *p;) {
		size_t n = 0;

		while (is_part(p[n]) && n < sizeof(token) - 1)
			n++;
		memcpy(token, p, n);
		token[n] = '\0';
		p += n ? n : 1;
		if (strpbrk(token, "0123456789"))
			ck_assert_msg(is_known(token),
				"%d columns, windows %u, view %d: '%s' in: %s", columns,
				windows, scr->view, token, row);
	}
}

/* All windows, and in turn each other set of them. */
static void check_screen(int columns)
{
	const unsigned int windows[] = {7, (unsigned int)columns % 7};

	for (size_t i = 0; i < SM_ARRAY_SIZE(windows); i++) {
		scr->windows = windows[i];
		rig_forget();
		draw();
		for (int row = 0; row < scr->base.tui.rows; row++)
			check_numbers(rig_row(row), columns, windows[i]);
	}
}

static void check_widths(void)
{
	for (int columns = MINIMUM; columns <= MAXIMUM; columns++) {
		/* A pty holds 4 KiB: a full map is low. */
		rig_resize(columns, scr->view != VIEW_MAP ? 40 : columns < 100 ? 24 : 13);
		sm_tui_resized(&scr->base.tui);
		check_screen(columns);
	}
}

START_TEST(map)
{
	fill_in();
	draw();
	check_widths();
	vmfacts_fini(&vm);
}
END_TEST

START_TEST(bytes)
{
	fill_in();
	draw();
	type("\r");
	ck_assert_int_eq(scr->view, VIEW_HEX);
	check_widths();
	vmfacts_fini(&vm);
}
END_TEST

START_TEST(list)
{
	fill_in();
	draw();
	type("m");
	ck_assert_int_eq(scr->view, VIEW_MAPPINGS);
	check_widths();
	vmfacts_fini(&vm);
}
END_TEST

START_TEST(processes)
{
	static const char text[] = "program";
	struct find_item item[] = {{.pid = 4194303, .rss_bytes = BYTES},
		{.pid = 1000, .rss_bytes = 4096}, {.pid = 4194304, .rss_bytes = 0}};
	struct find_list all = {.items = item,
		.n = SM_ARRAY_SIZE(item),
		.text = {.p = (char *)(uintptr_t)text, .len = sizeof(text)}};

	for (size_t i = 0; i < SM_ARRAY_SIZE(item); i++)
		item[i].name_n = item[i].comm_n = sizeof(text) - 1;
	in.space = NULL;
	in.processes = &all;
	draw();
	ck_assert_int_eq(scr->view, VIEW_PICKER);
	ck_assert_int_ge(row_with("4194303   64P program"), 0);
	check_widths();
}
END_TEST

/* A rate that has room is not shortened; one that has none is. */
START_TEST(rates)
{
	fill_in();
	draw();
	scr->windows = 1 << WINDOW_VM;
	draw();
	ck_assert_int_ge(row_with("Minor:          18E 253k/s"), 0);
	ck_assert_int_ge(row_with("Major:        24595 1.0G/s"), 0);
	vm.faults.minor = 242;
	vm.minor.per_s = 16;
	draw();
	ck_assert_int_ge(row_with("Minor:           242 16/s"), 0);
	vmfacts_fini(&vm);
}
END_TEST

static TCase *tc_words(void)
{
	TCase *tc = tcase_create("words");

	tcase_add_test(tc, numbers_in_words);
	tcase_add_test(tc, whole_words);
	return tc;
}

static TCase *tc_numbers(void)
{
	TCase *tc = tcase_create("numbers");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, map);
	tcase_add_test(tc, bytes);
	tcase_add_test(tc, list);
	tcase_add_test(tc, processes);
	tcase_add_test(tc, rates);
	return tc;
}

UNIT_MAIN("screen_numbers", tc_words, tc_numbers)
