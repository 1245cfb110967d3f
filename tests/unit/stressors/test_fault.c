// SPDX-License-Identifier: GPL-2.0-or-later
/* The report of a fault in memory. */
#include <fcntl.h>

#include "stressors/memory/fault.h"
#include "unit.h"

static struct stress_slot slot;
static struct stress s = {.slot = &slot};
static _Alignas(4096) uint64_t page[512];

static void set_up(void)
{
	if (!s.pagemap_fd)
		s.pagemap_fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	memset(&slot, 0, sizeof(slot));
	memset(page, 0, sizeof(page));
	page[7] = 0x1e8;
}

static void has(const char *part)
{
	ck_assert_msg(
		strstr(slot.reason, part) != NULL, "no \"%s\" in: %s", part, slot.reason);
}

/* The address is the one of the word; the physical one, if it is known, has the same
 * place in its page. */
static void place_is(const void *p)
{
	const char *physical = strstr(slot.reason, "physical address ");
	char address[32];
	unsigned int cpu;
	int end = 0;

	ck_assert_ptr_nonnull(strstr(slot.reason, "(CPU "));
	ck_assert_int_eq(
		sscanf(strstr(slot.reason, "(CPU "), "(CPU %u, %n", &cpu, &end), 1);
	ck_assert_int_gt(end, 0);
	snprintf(address, sizeof(address), ", address 0x%llx, ",
		(unsigned long long)(uintptr_t)p);
	has(address);
	if (physical)
		ck_assert_uint_eq(
			strtoull(physical + strlen("physical address "), NULL, 16) % 4096,
			(uintptr_t)p % 4096);
	ck_assert_uint_lt(strlen(slot.reason), STRESS_REASON - 1);
}

START_TEST(a_word)
{
	ck_assert_int_eq(fault_word(&s, "array a: ", 56, &page[7], 0x1e8, 0x3e8), -1);
	ck_assert_int_eq(slot.outcome, STRESS_FAIL);
	ck_assert(strncmp(slot.reason,
			  "array a: byte 56: 00000000000001e8 instead of "
			  "00000000000003e8 (CPU ",
			  68) == 0);
	place_is(&page[7]);
	has("second reading: the same)");
}
END_TEST

START_TEST(a_word_that_is_right_now)
{
	ck_assert_int_eq(fault_word(&s, "", 56, &page[7], 0x3e8, 0x1e8), -1);
	has("byte 56: 00000000000003e8 instead of 00000000000001e8 (");
	has("second reading: right)");
}
END_TEST

START_TEST(a_word_that_changes)
{
	ck_assert_int_eq(
		fault_word(&s, "", UINT64_C(1) << 41, &page[7], UINT64_MAX, 0), -1);
	place_is(&page[7]);
	has("second reading: another value)");
}
END_TEST

/* A block differed, and none of its words does. */
START_TEST(a_block_that_was_wrong_once)
{
	ck_assert_int_eq(fault_word(&s, "", 0, &page[0], 0, 0), -1);
	has("byte 0 or a later one of its page: wrong at the first reading (");
	place_is(&page[0]);
	has("second reading: right)");
}
END_TEST

START_TEST(a_page)
{
	ck_assert_int_eq(fault_page(&s, UINT64_C(1) << 41, page, 8, UINT64_MAX,
				 UINT64_MAX - 1, UINT64_MAX),
		-1);
	has("page at byte 2199023255552: sum of units of 8 bytes is 18446744073709551615 "
	    "instead of ");
	has("second reading: ");
}
END_TEST

static TCase *tc_fault(void)
{
	TCase *tc = tcase_create("fault");

	tcase_add_checked_fixture(tc, set_up, NULL);
	tcase_add_test(tc, a_word);
	tcase_add_test(tc, a_word_that_is_right_now);
	tcase_add_test(tc, a_word_that_changes);
	tcase_add_test(tc, a_block_that_was_wrong_once);
	tcase_add_test(tc, a_page);
	return tc;
}

UNIT_MAIN("fault", tc_fault)
