// SPDX-License-Identifier: GPL-2.0-or-later
#include <malloc.h>
#include <stdio.h>
#include <string.h>

#include "base/strpool.h"
#include "unit.h"

#ifdef __GLIBC_PREREQ
#if __GLIBC_PREREQ(2, 33)
#define HAVE_MALLINFO2
#endif
#endif

#define NO_BOUND ((size_t)1 << 30)

static struct sm_strpool *new_table(size_t max_bytes)
{
	struct sm_strpool *t = NULL;

	ck_assert_int_eq(sm_strpool_new(&t, max_bytes), 0);
	ck_assert_ptr_nonnull(t);
	return t;
}

static struct sm_poolstr *get(struct sm_strpool *t, const char *s, uint32_t tag)
{
	return sm_strpool_get(t, s, strlen(s), tag);
}

START_TEST(same_bytes_and_tag_are_one_string)
{
	struct sm_strpool *t = new_table(NO_BOUND);
	struct sm_poolstr *a = get(t, "/bin/sh -c true", 1),
			  *b = get(t, "/bin/sh -c true", 1);

	ck_assert_ptr_nonnull(a);
	ck_assert_ptr_eq(a, b);
	ck_assert_uint_eq(a->refs, 2);
	ck_assert_uint_eq(a->len, 15);
	ck_assert_uint_eq(a->tag, 1);
	ck_assert_str_eq(a->s, "/bin/sh -c true");
	ck_assert_ptr_eq(sm_strpool_str(a).p, a->s);
	ck_assert_uint_eq(sm_strpool_str(a).n, 15);
	ck_assert_uint_eq(sm_strpool_count(t), 1);
	ck_assert_uint_eq(sm_strpool_bytes(t), 15);
	sm_strpool_put(t, a);
	ck_assert_uint_eq(sm_strpool_count(t), 1);
	ck_assert_str_eq(b->s, "/bin/sh -c true");
	sm_strpool_put(t, b);
	ck_assert_uint_eq(sm_strpool_count(t), 0);
	ck_assert_uint_eq(sm_strpool_bytes(t), 0);
	sm_strpool_free(t);
}
END_TEST

START_TEST(other_tag_or_bytes_is_another_string)
{
	struct sm_strpool *t = new_table(NO_BOUND);
	struct sm_poolstr *a = get(t, "make", 0), *b = get(t, "make", 1),
			  *c = get(t, "makf", 0);
	struct sm_poolstr *d = sm_strpool_get(t, "make\0", 5, 0),
			  *e = sm_strpool_get(t, "mak", 3, 0);

	ck_assert(a != b && a != c && b != c && d != a && e != a);
	ck_assert_uint_eq(sm_strpool_count(t), 5);
	ck_assert_uint_eq(sm_strpool_bytes(t), 20);
	ck_assert_uint_eq(b->tag, 1);
	ck_assert_int_eq(memcmp(d->s, "make\0", 6), 0);
	sm_strpool_free(t);
}
END_TEST

START_TEST(empty_string_and_null)
{
	struct sm_strpool *t =
		new_table(0); /* nothing to store: fits even into no bytes */
	struct sm_poolstr *a = sm_strpool_get(t, NULL, 0, 3),
			  *b = sm_strpool_get(t, "", 0, 3);

	ck_assert_ptr_nonnull(a);
	ck_assert_ptr_eq(a, b);
	ck_assert_str_eq(a->s, "");
	ck_assert_ptr_null(sm_strpool_ref(NULL));
	ck_assert_uint_eq(sm_strpool_str(NULL).n, 0);
	sm_strpool_put(t, NULL);
	ck_assert_ptr_eq(sm_strpool_ref(a), a);
	ck_assert_uint_eq(a->refs, 3);
	sm_strpool_free(t);
	sm_strpool_free(NULL);
}
END_TEST

START_TEST(bound_on_live_bytes)
{
	struct sm_strpool *t = new_table(10);
	struct sm_poolstr *a = get(t, "123456", 0), *b;

	ck_assert_ptr_nonnull(a);
	ck_assert_ptr_null(get(t, "abcde", 0));
	ck_assert_uint_eq(sm_strpool_bytes(t), 6);
	b = get(t, "abcd", 0);
	ck_assert_ptr_nonnull(b);
	ck_assert_uint_eq(sm_strpool_bytes(t), 10);
	ck_assert_ptr_null(get(t, "x", 0));
	ck_assert_ptr_eq(get(t, "123456", 0), a); /* what is there costs nothing more */
	sm_strpool_put(t, b);
	ck_assert_ptr_nonnull(get(t, "x", 0));
	sm_strpool_free(t);
}
END_TEST

/* Lengths around the edges of every size class, and large ones from malloc(). */
START_TEST(every_size_class)
{
	struct sm_strpool *t = new_table(NO_BOUND);
	static const size_t sizes[] = {64, 128, 256, 512, 1024, 2048, 4096, 65536};
	const size_t header = offsetof(struct sm_poolstr, s);
	static struct sm_poolstr *held[8][4];
	char text[65536 + 2];
	size_t bytes = 0;

	for (size_t i = 0; i < SM_ARRAY_SIZE(sizes); i++) {
		for (size_t d = 0; d < 4; d++) { /* d = 1: string and NUL just fit */
			size_t n = sizes[i] - header - 2 + d;

			memset(text, (int)('0' + 4 * i + d), n);
			held[i][d] = sm_strpool_get(t, text, n, 9);
			ck_assert_ptr_nonnull(held[i][d]);
			ck_assert_uint_eq(
				(uintptr_t)held[i][d] % _Alignof(struct sm_poolstr), 0);
			bytes += n;
		}
	}
	ck_assert_uint_eq(sm_strpool_bytes(t), bytes);
	for (size_t i = 0; i < SM_ARRAY_SIZE(sizes); i++) {
		for (size_t d = 0; d < 4; d++) { /* not overwritten */
			struct sm_poolstr *s = held[i][d];

			ck_assert_uint_eq(s->len, sizes[i] - header - 2 + d);
			ck_assert_uint_eq(strlen(s->s), s->len);
			ck_assert_uint_eq(strspn(s->s, (char[2]){s->s[0], '\0'}), s->len);
			ck_assert_int_eq(s->s[0], (int)('0' + 4 * i + d));
			if (d % 2)
				sm_strpool_put(t, s);
		}
	}
	ck_assert_uint_eq(sm_strpool_count(t), 16);
	sm_strpool_free(t); /* with live strings of both kinds: LeakSanitizer looks */
}
END_TEST

#define STRINGS 5000

static struct sm_poolstr *held_strings[STRINGS];

static size_t make_name(char *text, size_t size, size_t i)
{
	size_t n = (size_t)snprintf(text, size, "/usr/bin/program-%zu ", i);
	size_t total = n + i * 7 % 3900;

	memset(text + n, 'x', total - n);
	return total;
}

static void get_all(struct sm_strpool *t)
{
	char text[4096];

	for (size_t i = 0; i < STRINGS; i++) {
		size_t n = make_name(text, sizeof(text), i);

		held_strings[i] = sm_strpool_get(t, text, n, (uint32_t)i % 3);
		ck_assert_ptr_nonnull(held_strings[i]);
	}
}

static void put_all(struct sm_strpool *t, size_t step)
{
	for (size_t i = 0; i < STRINGS; i++)
		sm_strpool_put(t, held_strings[i * step % STRINGS]);
}

START_TEST(many_strings_are_found_again)
{
	struct sm_strpool *t = new_table(NO_BOUND);
	char text[4096];

	get_all(t);
	ck_assert_uint_eq(sm_strpool_count(t), STRINGS);
	for (size_t i = 0; i < STRINGS; i++) {
		size_t n = make_name(text, sizeof(text), i);
		struct sm_poolstr *s = sm_strpool_get(t, text, n, (uint32_t)i % 3);

		ck_assert_ptr_eq(s, held_strings[i]);
		ck_assert_uint_eq(s->len, n);
		ck_assert_int_eq(memcmp(s->s, text, n), 0);
		sm_strpool_put(t, s);
	}
	put_all(t, 3);
	ck_assert_uint_eq(sm_strpool_count(t), 0);
	ck_assert_uint_eq(sm_strpool_bytes(t), 0);
	sm_strpool_free(t);
}
END_TEST

static int by_address(const void *a, const void *b)
{
	uintptr_t x = (uintptr_t) * (struct sm_poolstr *const *)a;
	uintptr_t y = (uintptr_t) * (struct sm_poolstr *const *)b;

	return (x > y) - (x < y);
}

/* Bytes that malloc() has given out, where the C library can tell. */
static size_t allocated(void)
{
#ifdef HAVE_MALLINFO2
	return mallinfo2().uordblks + mallinfo2().hblkhd;
#else
	return 0;
#endif
}

START_TEST(no_allocation_after_warm_up)
{
	struct sm_strpool *t = new_table(NO_BOUND);
	static struct sm_poolstr *before[STRINGS], *after[STRINGS];
	size_t warm;

	get_all(t);
	memcpy(before, held_strings, sizeof(before));
	warm = allocated();
	for (int round = 0; round < 5; round++) {
		put_all(t, 7);
		ck_assert_uint_eq(allocated(), warm); /* nothing goes back, either */
		get_all(t);
		ck_assert_uint_eq(allocated(), warm);
	}
	/* The same working set sits in the same blocks, in another order. */
	memcpy(after, held_strings, sizeof(after));
	qsort(before, STRINGS, sizeof(before[0]), by_address);
	qsort(after, STRINGS, sizeof(after[0]), by_address);
	ck_assert_int_eq(memcmp(before, after, sizeof(before)), 0);
	sm_strpool_free(t);
}
END_TEST

/* References are counted right whatever the order of gets and puts. */
START_TEST(random_references)
{
	struct sm_strpool *t = new_table(NO_BOUND);
	unsigned int refs[64] = {0}, live, state = 1;
	struct sm_poolstr *str[64] = {NULL};
	char text[32];

	for (int step = 0; step < 50000; step++) {
		unsigned int k;

		state = state * 1103515245 + 12345;
		k = state >> 16 & 63;
		if (state >> 28 & 1 && refs[k] > 0) {
			refs[k]--;
			sm_strpool_put(t, str[k]);
		} else {
			struct sm_poolstr *s;

			snprintf(text, sizeof(text), "name %u", k);
			s = get(t, text, k % 4);
			ck_assert_str_eq(s->s, text);
			ck_assert(refs[k] == 0 || s == str[k]);
			str[k] = s;
			ck_assert_uint_eq(s->refs, ++refs[k]);
		}
		live = 0;
		for (int i = 0; i < 64; i++)
			live += refs[i] > 0;
		ck_assert_uint_eq(sm_strpool_count(t), live);
	}
	sm_strpool_free(t);
}
END_TEST

static TCase *tc_intern(void)
{
	TCase *tc = tcase_create("intern");

	tcase_add_test(tc, same_bytes_and_tag_are_one_string);
	tcase_add_test(tc, other_tag_or_bytes_is_another_string);
	tcase_add_test(tc, empty_string_and_null);
	tcase_add_test(tc, bound_on_live_bytes);
	tcase_add_test(tc, every_size_class);
	tcase_add_test(tc, many_strings_are_found_again);
	tcase_add_test(tc, no_allocation_after_warm_up);
	tcase_add_test(tc, random_references);
	return tc;
}

UNIT_MAIN("intern", tc_intern)
