// SPDX-License-Identifier: GPL-2.0-or-later
#include "proc/ksyms.h"
#include "fixroot_rig.h"

static struct sm_ksyms k;

/* Opens /proc/kallsyms with this text. */
static void kallsyms(const char *text)
{
	fix_put("proc/kallsyms", text);
	ck_assert_int_eq(sm_ksyms_open(&k, &fix), 0);
}

static void add(uint64_t address)
{
	ck_assert_int_eq(sm_ksyms_add(&k, address), 0);
}

#define name_is(address, want) ck_assert_str_eq(sm_ksyms_name(&k, address), want)

static void close_all(void)
{
	sm_ksyms_close(&k);
	fix_close();
}

START_TEST(names)
{
	kallsyms("0000000000000000 A fixed_percpu_data\n"
		 "ffffffff81000000 T _stext\n"
		 "ffffffff81000010 t hrtimer_wakeup\n"
		 "ffffffff81000010 t an_alias\n"
		 "ffffffff81000020 D data_of_that_address\n"
		 "ffffffff81000020 W weak_one\n"
		 "ffffffffc0001000 t of_a_module\t[module]\n"
		 "ffffffffc0002000 t last_line_without_newline");
	add(0xffffffffc0001000);
	add(0xffffffff81000020);
	add(0xffffffff81000010);
	add(0xffffffff81000010);
	add(0xffffffff81000011);
	add(0xffffffffc0002000);
	ck_assert_uint_eq(k.n, 5);
	name_is(0xffffffff81000010, "");
	ck_assert_int_eq(sm_ksyms_read(&k), 0);
	name_is(0xffffffff81000010, "hrtimer_wakeup");
	name_is(0xffffffff81000020, "weak_one");
	name_is(0xffffffffc0001000, "of_a_module");
	name_is(0xffffffff81000011, "");
	name_is(0xffffffffc0002000, "");
	name_is(0, "");
}
END_TEST

/* Expected names are stored by the first reading: the file is not read again for them,
 * but for others. */
START_TEST(expected)
{
	static const char *const usual[] = {"tick", "no_such_symbol", "it_real_fn"};
	uint64_t before;

	if (!fix_reads_counted())
		return;
	kallsyms("ffffffff81000000 T _stext\nffffffff81000010 t tick\n"
		 "ffffffff81000020 D it_real_fn\nffffffff81000030 t it_real_fn\n"
		 "ffffffff81000040 t ticks\nffffffff81000050 t other\n");
	sm_ksyms_expect(&k, usual, SM_ARRAY_SIZE(usual));
	add(0xffffffff81000050);
	ck_assert_int_eq(sm_ksyms_read(&k), 0);
	name_is(0xffffffff81000050, "other");
	add(0xffffffff81000010);
	add(0xffffffff81000030);
	before = fix_reads();
	ck_assert_int_eq(sm_ksyms_read(&k), 0);
	ck_assert_uint_eq(fix_reads_between(before, fix_reads()), 0);
	name_is(0xffffffff81000010, "tick");
	name_is(0xffffffff81000030, "it_real_fn");
	ck_assert_uint_eq(k.n, 3);
	add(0xffffffff81000040);
	ck_assert_int_eq(sm_ksyms_read(&k), 0);
	name_is(0xffffffff81000040, "ticks");
}
END_TEST

/* The first symbols may be those of CPUs, whose addresses begin at 0. */
START_TEST(are_shown)
{
	kallsyms("0000000000000000 A fixed_percpu_data\n0000000000001000 A debug\n");
	ck_assert(sm_ksyms_shown(&k));
	sm_ksyms_close(&k);
	kallsyms("0000000000000000 A fixed_percpu_data\n0000000000000000 T _stext\n");
	ck_assert(!sm_ksyms_shown(&k));
	sm_ksyms_close(&k);
	ck_assert(!sm_ksyms_shown(&k));
}
END_TEST

/* Rows keep the pointer while addresses of other rows are added. */
START_TEST(names_stay)
{
	const char *first;

	kallsyms("ffffffff81000010 t lower\nffffffff82000000 t first\n");
	add(0xffffffff82000000);
	ck_assert_int_eq(sm_ksyms_read(&k), 0);
	first = sm_ksyms_name(&k, 0xffffffff82000000);
	for (uint64_t i = 0; i < 1000; i++)
		add(0xffffffff81000010 + 16 * i);
	ck_assert_int_eq(sm_ksyms_read(&k), 0);
	ck_assert_ptr_eq(sm_ksyms_name(&k, 0xffffffff82000000), first);
	ck_assert_str_eq(first, "first");
}
END_TEST

/* Once for all addresses; again only for new ones. */
START_TEST(read_once)
{
	uint64_t before;

	kallsyms("ffffffff81000010 t first\nffffffff81000020 t second\n");
	add(0xffffffff81000010);
	ck_assert_int_eq(sm_ksyms_read(&k), 0);
	if (!fix_reads_counted())
		return;
	before = fix_reads();
	add(0xffffffff81000010);
	ck_assert_int_eq(sm_ksyms_read(&k), 0);
	ck_assert_uint_eq(fix_reads_between(before, fix_reads()), 0);
	add(0xffffffff81000030);
	ck_assert_int_eq(sm_ksyms_read(&k), 0);
	ck_assert_uint_ge(fix_reads_between(before, fix_reads()), 1);
	fix_put("proc/kallsyms", "ffffffff81000010 t first\nffffffff81000030 t loaded\n");
	before = fix_reads();
	ck_assert_int_eq(sm_ksyms_read(&k), 0);
	ck_assert_uint_eq(fix_reads_between(before, fix_reads()), 0);
	name_is(0xffffffff81000030, "");
	name_is(0xffffffff81000010, "first");
}
END_TEST

/* As an ordinary user sees it. */
START_TEST(hidden_addresses)
{
	kallsyms("0000000000000000 T _stext\n0000000000000000 t hrtimer_wakeup\n");
	add(0xffffffff81000010);
	ck_assert_int_eq(sm_ksyms_read(&k), -ENODATA);
	name_is(0xffffffff81000010, "");
}
END_TEST

START_TEST(no_file)
{
	ck_assert_int_eq(sm_ksyms_open(&k, &fix), -ENOENT);
	add(0xffffffff81000010);
	ck_assert_int_eq(sm_ksyms_read(&k), -ENOENT);
	ck_assert_int_eq(sm_ksyms_read(&k), 0);
	name_is(0xffffffff81000010, "");
}
END_TEST

START_TEST(hostile)
{
	char text[70100];

	memset(text, 'x', sizeof(text));
	memcpy(text, "ffffffff81000010 t ", 19);
	text[70000] = '\n';
	text[70001] = '\0';
	kallsyms(text); /* a line longer than the chunk */
	add(0xffffffff81000010);
	ck_assert_int_eq(sm_ksyms_read(&k), -EBADMSG);
	sm_ksyms_close(&k);

	kallsyms("\n\n t\nffffffff81000010\nffffffff81000010 \nffffffff81000010 tt two\n"
		 "ffffffff81000010 t\nffffffff81000010 t \n1ffffffff81000010 t too_long\n"
		 "ffffffff8100001g t no_hex\n"
		 "ffffffff81000010 t "
		 "a_name_of_seventy_bytes_that_does_not_fit_into_the_array_of_sixty_"
		 "four\n");
	add(0xffffffff81000010);
	ck_assert_int_eq(sm_ksyms_read(&k), 0);
	name_is(0xffffffff81000010,
		"a_name_of_seventy_bytes_that_does_not_fit_into_the_array_of_six");
}
END_TEST

/* More than one chunk, in which lines are cut anywhere. */
START_TEST(long_file)
{
	size_t cap = 40 * 10000;
	char *text = malloc(cap), name[32];
	size_t n = 0;

	for (unsigned int i = 0; i < 10000; i++)
		n += (size_t)snprintf(text + n, cap - n, "ffffffff81%06x t f%.*s%u\n",
			i * 16, (int)(i % 7), "______", i);
	kallsyms(text);
	free(text);
	for (unsigned int i = 0; i < 10000; i += 101)
		add(0xffffffff81000000 + i * 16);
	ck_assert_int_eq(sm_ksyms_read(&k), 0);
	for (unsigned int i = 0; i < 10000; i += 101) {
		snprintf(name, sizeof(name), "f%.*s%u", (int)(i % 7), "______", i);
		name_is(0xffffffff81000000 + i * 16, name);
	}
}
END_TEST

static TCase *tc_ksyms(void)
{
	TCase *tc = tcase_create("ksyms");

	tcase_add_checked_fixture(tc, fix_open, close_all);
	tcase_add_test(tc, names);
	tcase_add_test(tc, are_shown);
	tcase_add_test(tc, expected);
	tcase_add_test(tc, names_stay);
	tcase_add_test(tc, read_once);
	tcase_add_test(tc, hidden_addresses);
	tcase_add_test(tc, no_file);
	tcase_add_test(tc, hostile);
	tcase_add_test(tc, long_file);
	return tc;
}

/* The addresses of this kernel, if it shows them. */
START_TEST(live)
{
	struct sm_root root;
	char line[256] = "", want[64];
	unsigned long address;
	FILE *f;

	ck_assert_int_eq(sm_root_open(&root, NULL), 0);
	f = fopen("/proc/kallsyms", "re");
	while (f && fgets(line, sizeof(line), f) && !strstr(line, " t hrtimer_wakeup\n"))
		line[0] = '\0';
	if (f)
		fclose(f);
	if (sscanf(line, "%lx t %63s", &address, want) == 2 && address) {
		ck_assert_int_eq(sm_ksyms_open(&k, &root), 0);
		add(address);
		ck_assert_int_eq(sm_ksyms_read(&k), 0);
		name_is(address, "hrtimer_wakeup");
		sm_ksyms_close(&k);
	}
	sm_root_close(&root);
}
END_TEST

static TCase *tc_live(void)
{
	TCase *tc = tcase_create("live");

	tcase_add_test(tc, live);
	return tc;
}

UNIT_MAIN("ksyms", tc_ksyms, tc_live)
