// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "proc/interrupts.h"
#include "unit.h"

static char dir[UNIT_DIR];
static struct sm_root root;

static void path_of(char *path, size_t size, const char *what)
{
	ck_assert_int_lt(snprintf(path, size, "%s/%s", dir, what), (int)size);
}

static void make_file(const char *text)
{
	char path[96];
	FILE *f;

	path_of(path, sizeof(path), "proc/interrupts");
	f = fopen(path, "w");
	ck_assert_ptr_nonnull(f);
	fputs(text, f);
	ck_assert_int_eq(fclose(f), 0);
}

static void setup(void)
{
	char path[96];

	unit_mkdtemp(dir);
	path_of(path, sizeof(path), "proc");
	ck_assert_int_eq(mkdir(path, 0755), 0);
	ck_assert_int_eq(sm_root_open(&root, dir), 0);
}

static void teardown(void)
{
	char command[64];

	sm_root_close(&root);
	snprintf(command, sizeof(command), "rm -r '%s'", dir);
	ck_assert_int_eq(system(command), 0);
}

static void has(const char *name, uint64_t want)
{
	uint64_t sum = 0;

	ck_assert_int_eq(sm_interrupts_read(&root, name, &sum), 0);
	ck_assert_uint_eq(sum, want);
}

static void has_not(const char *name)
{
	uint64_t sum;

	ck_assert_int_eq(sm_interrupts_read(&root, name, &sum), -ENOENT);
}

/* Linux 6.18 on x86, two CPUs. */
START_TEST(x86)
{
	make_file("           CPU0       CPU1       \n"
		  "   8:          0          7  IO-APIC   8-edge      rtc0\n"
		  " LOC:    1000001         20   Local timer interrupts\n"
		  " TLB:     409134     385870   TLB shootdowns\n"
		  " ERR:          3\n"
		  " PIW:          0          0   Posted-interrupt wakeup event\n");
	has("TLB", 795004);
	has("8", 7);
	has("ERR", 3);
	has_not("TL");
	has_not("LB");
	has_not("TLBS");
	has_not("");
}
END_TEST

/* Of many CPUs: longer than the first reading. */
START_TEST(large)
{
	const size_t devices = 2000, bytes = devices * 64;
	char *text = malloc(bytes), *p = text;

	for (size_t i = 0; i < devices; i++)
		p += snprintf(p, bytes - (size_t)(p - text), "%zu: %050d x\n", i, 3);
	snprintf(p, bytes - (size_t)(p - text), "TLB: 4 5\n");
	make_file(text);
	free(text);
	has("1999", 3);
	has("TLB", 9);
}
END_TEST

/* An architecture that needs no interrupts for that. */
START_TEST(none)
{
	has_not("TLB");
	make_file("");
	has_not("TLB");
	make_file("TLB");
	has_not("TLB");
}
END_TEST

START_TEST(hostile)
{
	make_file("TLB:");
	has("TLB", 0);
	make_file("TLB: 1 99999999999999999999 2\nTLB: 5\n");
	has("TLB", 1);
	make_file("\0TLB: 1\n");
	has_not("TLB");
}
END_TEST

static TCase *tc_interrupts(void)
{
	TCase *tc = tcase_create("interrupts");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, x86);
	tcase_add_test(tc, large);
	tcase_add_test(tc, none);
	tcase_add_test(tc, hostile);
	return tc;
}

UNIT_MAIN("interrupts", tc_interrupts)
