// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <string.h>

#include "format/columns.h"
#include "unit.h"

static const struct sm_column watts = {.width = 6, .group = "domains", .decimals = 2};
static const struct sm_column celsius = {.width = 6, .group = "temps", .decimals = 2};
static struct sm_columns list;

static void teardown(void)
{
	sm_columns_fini(&list);
}

static const struct sm_column *domain(const char *label)
{
	ck_assert_int_eq(sm_columns_label(&list, &watts, label, "_w"), 0);
	return &list.col[list.n - 1];
}

static const struct sm_column *zone(const char *label)
{
	ck_assert_int_eq(sm_columns_label(&list, &celsius, label, "_c"), 0);
	return &list.col[list.n - 1];
}

static void expect(
	const struct sm_column *c, const char *key, const char *head, const char *member)
{
	ck_assert_str_eq(c->key, key);
	ck_assert_str_eq(c->head, head);
	ck_assert_str_eq(c->member, member);
}

START_TEST(constant_ones)
{
	static const struct sm_column cols[] = {{.key = "a"}, {.key = "b", .head = "B"}};

	ck_assert_int_eq(sm_columns_add(&list, cols, 2), 0);
	ck_assert_uint_eq(list.n, 2);
	ck_assert_ptr_eq(list.col[1].head, cols[1].head);
	expect(domain("b"), "b_w", "b", "b");
	ck_assert_uint_eq(list.col[2].decimals, 2);
}
END_TEST

START_TEST(own_heading)
{
	struct sm_column like = watts;

	like.head = "Pkg";
	ck_assert_int_eq(sm_columns_label(&list, &like, "package-0", "_w"), 0);
	expect(&list.col[0], "package_0_w", "Pkg", "package-0");
	ck_assert_uint_eq(list.col[0].width, 6);
}
END_TEST

START_TEST(whole_labels_widen)
{
	ck_assert_uint_eq(domain("core")->width, 6);
	ck_assert_uint_eq(domain("package-0-die-1")->width, 15);
}
END_TEST

/* Different labels with the same key, and labels that are the same. */
START_TEST(unique_names)
{
	expect(domain("a-b"), "a_b_w", "a-b", "a-b");
	expect(domain("A_B"), "a_b_2_w", "A_B", "A_B");
	expect(domain("a-b"), "a_b_3_w", "a-b-2", "a-b-2");
	expect(domain("a-b-2"), "a_b_2_2_w", "a-b-2-2", "a-b-2-2");
}
END_TEST

/* A zone called as a domain is another column. */
START_TEST(groups_have_their_own_names)
{
	expect(domain("x"), "x_w", "x", "x");
	expect(zone("x"), "x_c", "x", "x");
}
END_TEST

/* What looks the same after sanitising must not be the same. */
START_TEST(hostile_labels)
{
	expect(zone("\033[31m"), "__31m_c", "\\x1b[31m", "\\u001b[31m");
	expect(zone("\\x1b[31m"), "_x1b_31m_c", "\\x1b[31m-2", "\\\\x1b[31m");
	/* Both are U+FFFD in JSON. */
	expect(zone("\xff\""), "___c", "\\xff\"", "\xEF\xBF\xBD\\\"");
	expect(zone("\xfe\""), "___2_c", "\\xfe\"", "\xEF\xBF\xBD\\\"-2");
}
END_TEST

/* A blank separates columns of the table. */
START_TEST(label_with_blanks)
{
	expect(zone("iwl wifi 1"), "iwl_wifi_1_c", "iwl_wifi_1", "iwl wifi 1");
	expect(zone("iwl_wifi_1"), "iwl_wifi_1_2_c", "iwl_wifi_1-2", "iwl_wifi_1");
}
END_TEST

START_TEST(no_label)
{
	expect(domain(""), "__w", "-", "");
	expect(domain(""), "__2_w", "--2", "-2");
}
END_TEST

/* More columns than a bit mask has bits, all alike. */
START_TEST(very_many)
{
	char key[24];

	for (unsigned int i = 0; i < 300; i++) {
		snprintf(key, sizeof(key), i ? "z_%u_w" : "z_w", i + 1);
		ck_assert_str_eq(domain("z")->key, key);
	}
}
END_TEST

static TCase *tc_columns(void)
{
	TCase *tc = tcase_create("columns");

	tcase_add_checked_fixture(tc, NULL, teardown);
	tcase_add_test(tc, constant_ones);
	tcase_add_test(tc, own_heading);
	tcase_add_test(tc, label_with_blanks);
	tcase_add_test(tc, whole_labels_widen);
	tcase_add_test(tc, unique_names);
	tcase_add_test(tc, groups_have_their_own_names);
	tcase_add_test(tc, hostile_labels);
	tcase_add_test(tc, no_label);
	tcase_add_test(tc, very_many);
	return tc;
}

UNIT_MAIN("columns", tc_columns)
