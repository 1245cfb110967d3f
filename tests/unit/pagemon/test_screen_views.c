// SPDX-License-Identifier: GPL-2.0-or-later
/* The parts of the screen that are not the map: windows, bytes, lists, words. */
#include "pagemon/screen/map.h"
#include "proc/taskname.h"
#include "pagemon/screen/move.h"
#include "pagemon/screen/windows.h"
#include "pagemon/screen/format.h"
#include "pagemon_screen_rig.h"

/* --- words -------------------------------------------------------------------------- */

START_TEST(sizes)
{
	static const struct {
		uint64_t bytes;
		const char *size, *iec;
	} cases[] = {{0, "0", "0 B"}, {1, "1B", "1 B"}, {4096, "4K", "4 KiB"},
		{1536, "1.5K", "1.5 KiB"}, {1023 * 1024, "1023K", "1023 KiB"},
		{(1 << 20) - 1, "1023K", "1023.9 KiB"}, {1 << 20, "1M", "1 MiB"},
		{UINT64_C(17492737884160), "15.9T", "15.9 TiB"},
		{UINT64_C(1) << 60, "1E", "1 EiB"}, {UINT64_MAX, "15.9E", "15.9 EiB"}};
	char text[FORMAT_SIZE];

	for (size_t i = 0; i < SM_ARRAY_SIZE(cases); i++) {
		ck_assert_str_eq(format_size(cases[i].bytes, text), cases[i].size);
		ck_assert_str_eq(format_iec(cases[i].bytes, text), cases[i].iec);
	}
}
END_TEST

static void check_name(
	const char *name, unsigned int columns, bool utf8, const char *want)
{
	struct sm_buf b = {0};

	format_name(&b, (struct sm_str){name, strlen(name)}, columns, utf8);
	sm_buf_chr(&b, '\0');
	ck_assert_str_eq(b.p, want);
	sm_buf_fini(&b);
}

START_TEST(names)
{
	check_name("/usr/lib/libc.so", 20, true, "/usr/lib/libc.so");
	check_name("/usr/lib/libc.so", 16, true, "/usr/lib/libc.so");
	check_name("/usr/lib/libc.so", 13, true, "/usr\xe2\x80\xa6/libc.so");
	check_name("/usr/lib/libc.so", 13, false, "/u.../libc.so");
	check_name("a\x1b[2Jb", 20, true, "a\\x1b[2Jb");
	check_name("\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e\xe6\x97\xa5\xe6\x9c\xac", 7,
		true, "\xe6\x97\xa5\xe2\x80\xa6\xe6\x97\xa5\xe6\x9c\xac");
	check_name("abcdef", 1, true, "\xe2\x80\xa6");
	check_name("abcdef", 0, true, "");
}
END_TEST

START_TEST(texts_that_match)
{
	uint64_t address;

	ck_assert(sm_taskname_has("libc", SM_STR("/usr/lib/LibC.so"), SM_STR("")));
	ck_assert(sm_taskname_has("", SM_STR("abc"), SM_STR("")));
	ck_assert(!sm_taskname_has("abcd", SM_STR("abc"), SM_STR("")));
	ck_assert(search_address("0xfFff", &address));
	ck_assert_uint_eq(address, 0xffff);
	ck_assert(search_address("ffffffffffffffff", &address));
	ck_assert_uint_eq(address, UINT64_MAX);
	ck_assert(!search_address("10000000000000000", &address));
	ck_assert(!search_address("0x", &address));
	ck_assert(!search_address("", &address));
	ck_assert(!search_address("12 ", &address));
}
END_TEST

/* --- places of windows -------------------------------------------------------------- */

static struct windows_place place[WINDOWS];
static const int all_lines[WINDOWS] = {23, 25, 7};

/* No window leaves the screen, or covers its first or last line. */
static int place_windows(int columns, int rows, unsigned int open)
{
	int lines[WINDOWS], left;

	for (int i = 0; i < WINDOWS; i++)
		lines[i] = open >> i & 1 ? all_lines[i] : 0;
	left = windows_place(columns, rows, lines, place);
	for (int i = 0; i < WINDOWS; i++) {
		if (!place[i].lines)
			continue;
		ck_assert(open >> i & 1);
		ck_assert_int_ge(place[i].row, 1);
		ck_assert_int_le(place[i].row + place[i].lines, rows - 1);
		ck_assert_int_ge(place[i].column, 0);
		ck_assert_int_le(place[i].column + place[i].width, columns);
		ck_assert(left == columns || place[i].column >= left);
	}
	return left;
}

static void check_place(int i, int row, int column, int lines)
{
	ck_assert_int_eq(place[i].row, row);
	ck_assert_int_eq(place[i].column, column);
	ck_assert_int_eq(place[i].lines, lines);
}

START_TEST(windows_over_the_map)
{
	ck_assert_int_eq(place_windows(80, 24, 7), 80);
	check_place(0, 1, 0, 22);
	check_place(1, 1, 52, 22);
	check_place(2, 16, 0, 7);
	ck_assert_int_eq(place_windows(40, 6, 7), 40);
	check_place(0, 1, 0, 4);
	check_place(1, 3, 0, 2); /* without room on the right, below the first */
	check_place(2, 1, 0, 4);
	ck_assert_int_eq(place_windows(80, 2, 7), 80);
	ck_assert_int_eq(place[0].lines + place[1].lines + place[2].lines, 0);
	ck_assert_int_eq(place_windows(10, 3, 7), 10);
}
END_TEST

START_TEST(windows_beside_the_map)
{
	ck_assert_int_eq(place_windows(132, 43, 0), 132);
	ck_assert_int_eq(place_windows(132, 43, 1), 81);
	ck_assert_int_eq(place_windows(132, 43, 2), 104);
	ck_assert_int_eq(place_windows(132, 43, 4), 81);
	check_place(2, 1, 81, 7);
	ck_assert_int_eq(place_windows(132, 43, 7), 53);
	check_place(0, 1, 53, 23);
	check_place(1, 1, 104, 25);
	check_place(2, 24, 53, 7);
	ck_assert_int_eq(place_windows(250, 60, 7), 171);
	ck_assert_int_eq(place_windows(132, 20, 7), 53); /* page gives way to faults */
	check_place(0, 1, 53, 11);
	check_place(2, 12, 53, 7);
}
END_TEST

/* --- the page window ---------------------------------------------------------------- */

START_TEST(page_window)
{
	struct pagefacts page = {.entry = 0x8100000000181f33,
		.place = PAGE_IN_RAM,
		.exclusive = true,
		.pfn_known = true,
		.pfn = 0x181f33,
		.physical = 0x181f33000,
		.map_count = 3,
		.flags_err = -EACCES,
		.cgroup_path = SM_STR("/a\x1b[2J"),
		.vma_flags = "rd wr mr mw me ac",
		.vma_page_bytes = 4096};

	add_map(EMPTY, 100, "/a/name");
	in.page = &page;
	draw();
	type("\t");
	ck_assert_int_ge(row_with("Page:      0x0000200000000000"), 0);
	ck_assert_int_ge(row_with("Page Size: 0x00001000 bytes"), 0);
	ck_assert_int_ge(row_with("Map Size:  400 K"), 0);
	ck_assert_int_ge(row_with("Map Name:  /a/name"), 0);
	ck_assert_int_ge(row_with("Flag:      0x8100000000181f33"), 0);
	ck_assert_int_ge(row_with("Physical Address:    0x0000000181f33000"), 0);
	ck_assert_int_ge(row_with("Exclusively Mapped:  Yes"), 0);
	ck_assert_int_ge(row_with("Present in Swap:     No"), 0);
	ck_assert_int_ge(row_with("KPageCount:          3"), 0);
	ck_assert_int_ge(row_with("KPageFlags: n/a: Permission denied"), 0);
	ck_assert_int_ge(row_with("Cgroup:     /a\\x1b[2J"), 0);
	ck_assert_int_ge(row_with("VmFlags:    rd wr mr mw me ac"), 0);
	page.place = PAGE_IN_SWAP;
	page.kind = SM_PAGE_SWAPPED;
	page.swap_known = true;
	page.swap_type = 1;
	page.swap_offset = 0x4000;
	page.vma_flags = NULL; /* a kernel that does not report them */
	draw();
	ck_assert_int_ge(row_with("VmFlags:    n/a: none"), 0);
	ck_assert_int_ge(row_with("Swap Type:           1"), 0);
	ck_assert_int_ge(row_with("Swap Offset:         0x4000"), 0);
	ck_assert_int_ge(row_with("Present in Swap:     Yes"), 0);
	ck_assert_int_lt(row_with("Physical"), 0);
	page.kind = SM_PAGE_HIDDEN;
	draw();
	ck_assert_int_ge(row_with("Present in Swap:     n/a: needs CAP_SYS_ADMIN"), 0);
	page.place = PAGE_OTHER;
	page.kind = SM_PAGE_POISON;
	draw();
	ck_assert_int_ge(row_with("Physical Address:    none: poisoned"), 0);
	ck_assert_int_ge(row_with("Present in Swap:     No"), 0);
}
END_TEST

START_TEST(vm_window)
{
	struct vmfacts vm;

	vmfacts_init(&vm);
	vm.known = UINT64_C(1) << VM_RSS;
	vm.bytes[VM_RSS] = 3740 * 1024;
	strcpy(vm.state_word, "sleeping");
	vm.faults_known = vm.minor.known = vm.major.known = true;
	vm.faults.minor = 242;
	vm.minor.per_s = 16;
	add_map(EMPTY, 100, "");
	in.vm = &vm;
	draw();
	type("v");
	ck_assert_int_ge(row_with("State:   (sleeping)"), 0);
	ck_assert_int_ge(row_with("VmRSS:            3740 kB"), 0);
	ck_assert_int_ge(row_with("VmPeak:               n/a"), 0);
	ck_assert_int_ge(row_with("Minor:           242 16/s"), 0);
	vmfacts_fini(&vm);
}
END_TEST

START_TEST(perf_window)
{
	struct faults faults;

	faults_init(&faults);
	faults.count[FAULT_MINOR] = (struct fault_count){
		.since_start = 139426, .rate = {.known = true, .per_s = 25}};
	faults.count[FAULT_ALLOC].err = -EACCES;
	add_map(EMPTY, 100, "");
	in.faults = &faults;
	draw();
	type("p");
	ck_assert_int_ge(row_with("Page Faults (Minor):             139426 25/s"), 0);
	ck_assert_int_ge(row_with("Kernel Page Allocate:       n/a: "), 0);
}
END_TEST

/* --- bytes -------------------------------------------------------------------------- */

/* In the narrowest window the number itself is there. */
START_TEST(perf_window_of_40_columns)
{
	struct faults faults;

	teardown();
	open_screen(40, 12);
	faults_init(&faults);
	faults.count[FAULT_KERNEL] = (struct fault_count){
		.since_start = 1394267890, .rate = {.known = true, .per_s = 25}};
	add_map(EMPTY, 100, "");
	in.faults = &faults;
	draw();
	type("p");
	ck_assert_int_ge(row_with("Page Faults (Kernel Space): 1394267890"), 0);
}
END_TEST

START_TEST(bytes_of_a_row)
{
	static const struct {
		int columns;
		unsigned int bytes;
	} cases[] = {{40, 4}, {49, 8}, {79, 8}, {80, 16}, {132, 16}, {144, 32}, {250, 32},
		{272, 64}, {1000, 64}, {10, 4}};

	for (size_t i = 0; i < SM_ARRAY_SIZE(cases); i++)
		ck_assert_uint_eq(
			hexview_row_bytes(cases[i].columns, EMPTY), cases[i].bytes);
}
END_TEST

static unsigned char contents[4 * PAGE];
static enum peek_state states[4] = {PEEK_BYTES, PEEK_ABSENT, PEEK_SWAPPED, PEEK_BYTES};

static void open_hex(struct peek *p)
{
	*p = (struct peek){.start = EMPTY,
		.page_bytes = PAGE,
		.pages = 4,
		.bytes = contents,
		.state = states};
	memcpy(contents,
		"\x7f"
		"ELF\xa1\x1b~ ",
		8);
	add_map(EMPTY, 4, "");
	add_map(2 * EMPTY, 10, "");
	in.peek = p;
	draw();
	type("\r");
}

START_TEST(hex_rows)
{
	struct peek p;

	open_hex(&p);
	ck_assert(scr->want.hex && !scr->want.cells);
	ck_assert_uint_eq(scr->want.hex_address, EMPTY);
	ck_assert_uint_eq(scr->want.hex_bytes, 22 * 16);
	check_row(1, "000200000000000 7f 45 4c 46 a1 1b 7e 20 00 00 00 00 00 00 00 00 "
		     ".ELF..~ ........");
	check_row(2, "000200000000010 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 "
		     "................");
	ck_assert_uint_eq(rig_attr(1, 16) & A_REVERSE, A_REVERSE);
	ck_assert_uint_eq(rig_attr(1, 64) & A_REVERSE, A_REVERSE);
	ck_assert_uint_eq(rig_attr(1, 65) & A_REVERSE, 0);
	type(RIGHT DOWN);
	ck_assert_int_eq(strncmp(rig_row(0), "Pagemon 0x0000200000000011", 26), 0);
	ck_assert_uint_eq(rig_attr(2, 19) & A_REVERSE, A_REVERSE);
	type(END);
	ck_assert_int_eq(strncmp(rig_row(0), "Pagemon 0x0000200000000fff", 26), 0);
	type(DOWN);
	check_row(22, "000200000001000 not present");
	ck_assert_uint_eq(scr->cursor, 1);
	type("F");
	check_last("read in the page 0x200000001000? y/N");
	type("n");
	ck_assert(nothing_asked());
	type("Fy");
	ck_assert_uint_eq(asked().ordinal, 1);
	type(END DOWN);
	check_row(22, "000200000002000 not present: swapped out");
	type(HOME UP HOME UP "F");
	check_last("this page is present");
}
END_TEST

/* A space is between an address of any length and the bytes. */
START_TEST(addresses_and_a_space)
{
	static const int columns[] = {40, 80, 81, 100, 200};
	struct peek p = {.start = UINT64_C(0xffffffffff600000),
		.page_bytes = PAGE,
		.pages = 1,
		.bytes = contents,
		.state = states};

	memset(contents, 0, sizeof(contents));
	add_map(EMPTY, 1, "");
	add_map(p.start, 1, "[vsyscall]");
	in.peek = &p;
	draw();
	type("\r}");
	for (size_t i = 0; i < SM_ARRAY_SIZE(columns); i++) {
		rig_resize(columns[i], 24);
		sm_tui_resized(&scr->base.tui);
		type("");
		ck_assert_int_ge(row_with("ffffffffff600000 00 00 00 00 "), 1);
	}
	in.peek = NULL;
}
END_TEST

/* Rows end with the mapping; the next one begins in the first line. */
START_TEST(hex_of_the_next_mapping)
{
	struct peek p;

	open_hex(&p);
	type("}");
	ck_assert_uint_eq(scr->want.hex_address, 2 * EMPTY);
	type(UP);
	ck_assert_uint_eq(scr->cursor, 3);
	ck_assert_uint_eq(scr->want.hex_address + scr->want.hex_bytes, EMPTY + 4 * PAGE);
	type(PGDN);
	ck_assert_uint_eq(scr->cursor, 4);
	ck_assert_uint_eq(scr->want.hex_address, 2 * EMPTY);
	type("\r");
	ck_assert_int_eq(scr->view, VIEW_MAP);
	ck_assert_uint_eq(scr->cursor, 4);
	in.peek = NULL;
	in.peek_err = -EIO;
	type("\r");
	check_row(1, "the bytes cannot be read: Input/output error");
}
END_TEST

/* --- the list of mappings ----------------------------------------------------------- */

static void check_order(const char *a, const char *b, const char *c)
{
	ck_assert_ptr_nonnull(strstr(rig_row(2), a));
	ck_assert_ptr_nonnull(strstr(rig_row(3), b));
	ck_assert_ptr_nonnull(strstr(rig_row(4), c));
}

START_TEST(list_of_mappings)
{
	char *at = own_pages(10);

	for (unsigned int i = 0; i < 5; i++)
		touch(at, i);
	add_map(EMPTY - 0x1000000, 100, "/b");
	add_map(EMPTY, 200, "/a\n");
	add_map((uintptr_t)at, 10, "");
	count();
	draw();
	type(DOWN DOWN "m");
	ck_assert(scr->want.mappings && !scr->want.cells);
	check_order("/b", "/a\\x0a", "[Anonymous]");
	ck_assert_int_eq(selected_row(), 3);
	ck_assert_ptr_nonnull(strstr(rig_row(4), "  40K   20K     0 rw-p "
						 "\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88"
						 "\xe2\x96\x88\xe2\x96\x88\xc2\xb7"));
	type("s");
	check_order("/a", "/b", "[Anonymous]");
	type("r");
	check_order("[Anonymous]", "/b", "/a");
	type("n");
	check_order("/a", "/b", "[Anonymous]");
	ck_assert_int_eq(selected_row(), 2); /* the same mapping */
	type("a/anon\r");
	ck_assert_int_eq(selected_row(), 4);
	type("\r");
	ck_assert_int_eq(scr->view, VIEW_MAP);
	ck_assert_uint_eq(scr->cursor, 300);
	check_row(1, rig_row(1));
	ck_assert_int_eq(strncmp(rig_row(1), "00001fffff000000 ....", 21), 0);
}
END_TEST

/* Returns Rss of the mapping, from smaps. */
static unsigned long rss_kb(const void *at)
{
	char line[512];
	unsigned long start, kb = 1;
	FILE *f = fopen("/proc/self/smaps", "r");
	bool here = false;

	while (fgets(line, sizeof(line), f) &&
		(!here || sscanf(line, "Rss: %lu", &kb) != 1))
		if (sscanf(line, "%lx-%*x %*4s", &start) == 1)
			here |= start == (uintptr_t)at;
	fclose(f);
	return kb;
}

/* The zero page uses no memory. */
START_TEST(list_of_zero_pages)
{
	char *at = own_pages(10);

	for (size_t i = 0; i < 10; i++)
		(void)((volatile char *)at)[i * PAGE];
	ck_assert_uint_eq(rss_kb(at), 0);
	add_map((uintptr_t)at, 10, "");
	count();
	draw();
	type("m");
	ck_assert_int_ge(row_with("Size   RAM  Swap"), 0);
	if (reader.known & SM_PAGE_ZERO)
		ck_assert_int_ge(row_with("  40K     0     0 rw-p \xc2\xb7"), 0);
}
END_TEST

/* Columns of --smaps; values of mappings that have changed since are not shown. */
START_TEST(list_with_smaps)
{
	struct usage each = {.known = 1 << USAGE_PSS | 1 << USAGE_LAZY_FREE,
		.kb = {[USAGE_PSS] = 12, [USAGE_LAZY_FREE] = 9000}};
	struct usages u = {.each = &each, .space = &space};

	add_map(EMPTY, 5000, "/a");
	count();
	draw();
	type("m");
	ck_assert_ptr_null(strstr(rig_row(1), "Pss"));
	u.generation = space.generation;
	in.usages = &u;
	in.now_ns += SM_NSEC_PER_SEC;
	draw();
	ck_assert_ptr_nonnull(strstr(rig_row(1), "  Swap   Pss  Lazy   Del Perm"));
	ck_assert_ptr_nonnull(strstr(rig_row(2), "   12K  8.7M       rw-p"));
	u.generation++;
	in.now_ns += SM_NSEC_PER_SEC;
	draw();
	ck_assert_ptr_null(strstr(rig_row(2), "12K"));
	in.usages = NULL;
}
END_TEST

/* --- the picker --------------------------------------------------------------------- */

static char process_text[] = "/bin/alpha\0-x\0beta\0gam\x1bma";
static struct find_item processes[] = {{.pid = 10,
					       .rss_bytes = 4096,
					       .name_at = 0,
					       .name_n = 14,
					       .comm_at = 5,
					       .comm_n = 5},
	{.pid = 20,
		.rss_bytes = 8192,
		.name_at = 14,
		.name_n = 5,
		.comm_at = 14,
		.comm_n = 4},
	{.pid = 30,
		.rss_bytes = 1024,
		.name_at = 19,
		.name_n = 6,
		.comm_at = 19,
		.comm_n = 6},
	{.pid = 2, .kthread = true, .name_at = 14, .name_n = 4}};

START_TEST(picking_a_process)
{
	struct find_list list = {.items = processes,
		.n = SM_ARRAY_SIZE(processes),
		.text = {.p = process_text, .len = sizeof(process_text)}};
	struct screen_ask ask;

	in.space = NULL;
	in.processes = &list;
	draw();
	ck_assert(scr->view == VIEW_PICKER && !scr->want.cells);
	check_order("     20    8K beta", "     10    4K alpha           /bin/alpha -x",
		"     30    1K gam\\x1bma");
	ck_assert_int_eq(row_with("      2 "), -1);
	ck_assert_int_eq(selected_row(), 2);
	type("p" DOWN);
	check_order("     10", "     20", "     30");
	type("/BIN");
	ck_assert_int_eq(row_with("beta"), -1);
	type("\r");
	type("\r");
	ask = asked();
	ck_assert_int_eq(ask.kind, ASK_WATCH);
	ck_assert_int_eq(ask.pid, 10);
	ck_assert_int_ne(type("\x1b"), SM_SCREEN_QUIT); /* no filter */
	ck_assert_int_ge(row_with("beta"), 0);
	ck_assert_int_eq(type("\x1b"), SM_SCREEN_QUIT);
	in.space = &space;
	add_map(EMPTY, 10, "");
	screen_restart(scr);
	draw();
	ck_assert_int_eq(scr->view, VIEW_MAP);
	ck_assert_int_eq(strncmp(rig_row(1), "0000200000000000 ..........~~", 29), 0);
}
END_TEST

/* --- ranges that are there ---------------------------------------------------------- */

START_TEST(ranges_are_joined)
{
	const struct space_range *next;

	populated_begin(&ranges.populated);
	next = ranges.populated.store[ranges.populated.at];
	for (uint64_t i = 0; i < 10; i++)
		populated_add(&ranges.populated, 1000 * i, 1000 * i + 1000);
	populated_settle(&ranges.populated);
	ck_assert_uint_eq(ranges.populated.next_n, 1);
	ck_assert_uint_eq(next[0].end, 10000);
	populated_add(&ranges.populated, 30000, 31000);
	populated_add(&ranges.populated, 20000, 21000);
	populated_add(&ranges.populated, 20500, 20600);
	populated_settle(&ranges.populated);
	ck_assert_uint_eq(ranges.populated.next_n, 3);
	ck_assert_uint_eq(next[1].first, 20000);
	ck_assert_uint_eq(next[2].first, 30000);
}
END_TEST

/* A bounded number, and no page is outside. */
START_TEST(ranges_are_bounded)
{
	const uint64_t n = 100000, step = 1 << 24;
	const struct space_range *next;

	populated_begin(&ranges.populated);
	next = ranges.populated.store[ranges.populated.at];
	for (uint64_t i = 0; i < n; i++)
		populated_add(&ranges.populated, (i * 7919 % n) * step,
			(i * 7919 % n) * step + PAGE);
	populated_settle(&ranges.populated);
	ck_assert_uint_le(ranges.populated.next_n, POPULATED_MAX);
	for (uint64_t i = 0, k = 0; i < n; i++) {
		while (k < ranges.populated.next_n && next[k].end <= i * step)
			k++;
		ck_assert_uint_lt(k, ranges.populated.next_n);
		ck_assert_uint_le(next[k].first, i * step);
		ck_assert_uint_ge(next[k].end, i * step + PAGE);
	}
}
END_TEST

static TCase *tc_words(void)
{
	TCase *tc = tcase_create("words");

	tcase_add_test(tc, sizes);
	tcase_add_test(tc, names);
	tcase_add_test(tc, texts_that_match);
	tcase_add_test(tc, windows_over_the_map);
	tcase_add_test(tc, windows_beside_the_map);
	tcase_add_test(tc, bytes_of_a_row);
	return tc;
}

static TCase *tc_views(void)
{
	TCase *tc = tcase_create("views");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, page_window);
	tcase_add_test(tc, vm_window);
	tcase_add_test(tc, perf_window);
	tcase_add_test(tc, perf_window_of_40_columns);
	tcase_add_test(tc, hex_rows);
	tcase_add_test(tc, addresses_and_a_space);
	tcase_add_test(tc, hex_of_the_next_mapping);
	tcase_add_test(tc, list_of_mappings);
	tcase_add_test(tc, list_of_zero_pages);
	tcase_add_test(tc, list_with_smaps);
	tcase_add_test(tc, picking_a_process);
	tcase_add_test(tc, ranges_are_joined);
	tcase_add_test(tc, ranges_are_bounded);
	return tc;
}

UNIT_MAIN("pagemon screen views", tc_words, tc_views)
