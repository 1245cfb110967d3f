// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <string.h>

#include "forkstat/execargs.h"
#include "unit.h"

#define SP UINT64_C(0x7ffc00001000)

/* An initial stack, written by hand as the System V ABI has it. */
struct stack {
	unsigned char b[512];
	size_t n, word;
	uint64_t sp;
};

static struct stack stack_64(void)
{
	return (struct stack){.word = 8, .sp = SP};
}

static struct stack stack_32(void)
{
	return (struct stack){.word = 4, .sp = 0xffbf1000};
}

static void push(struct stack *s, uint64_t v)
{
	uint32_t narrow = (uint32_t)v;

	memcpy(s->b + s->n, s->word == 8 ? (const void *)&v : (const void *)&narrow,
		s->word);
	s->n += s->word;
}

static void set(struct stack *s, size_t index, uint64_t v)
{
	size_t n = s->n;

	s->n = index * s->word;
	push(s, v);
	s->n = n;
}

/* argc, pointers, an auxiliary vector's end, a gap of 24 bytes, the strings. */
static void build(struct stack *s, const char *const *argv, const char *const *envp)
{
	size_t argc = 0, envc = 0, at;

	while (argv[argc])
		argc++;
	while (envp[envc])
		envc++;
	at = (argc + envc + 3 + 4) * s->word + 24;
	push(s, argc);
	for (size_t i = 0; i < argc; i++) {
		push(s, s->sp + at);
		strcpy((char *)s->b + at, argv[i]);
		at += strlen(argv[i]) + 1;
	}
	push(s, 0);
	for (size_t i = 0; i < envc; i++) {
		push(s, s->sp + at);
		strcpy((char *)s->b + at, envp[i]);
		at += strlen(envp[i]) + 1;
	}
	push(s, 0);
	for (int i = 0; i < 4; i++)
		push(s, 0);
	s->n = at;
}

/* From a block of exactly n bytes, so that a sanitizer sees one too many. */
static unsigned char *block;

static int parse_n(const struct stack *s, size_t n, struct execargs *out)
{
	free(block);
	block = malloc(n ? n : 1);
	ck_assert_ptr_nonnull(block);
	memcpy(block, s->b, n);
	memset(out, 0x5a, sizeof(*out));
	return execargs_parse(block, n, s->sp, s->word == 8, out);
}

static int parse(const struct stack *s, struct execargs *out)
{
	return parse_n(s, s->n, out);
}

#define ARGS(...) ((const char *const[]){__VA_ARGS__, NULL})
static const char *const no_env[] = {NULL};

static void check(const struct execargs *a, const char *want, size_t n, uint64_t argc)
{
	ck_assert_uint_eq(a->argc, argc);
	ck_assert_uint_eq(a->len, n);
	ck_assert_ptr_nonnull(a->args);
	ck_assert_mem_eq(a->args, want, n);
}

static void whole_stack(struct stack s)
{
	struct execargs a;

	build(&s, ARGS("/bin/echo", "a b", "", "end"), ARGS("HOME=/", "X=1"));
	ck_assert_int_eq(parse(&s, &a), 0);
	check(&a, "/bin/echo\0a b\0\0end", 19, 4);
	ck_assert_uint_eq(a.expect_len, 19);
	ck_assert(!a.truncated);
}

START_TEST(all_there)
{
	whole_stack(stack_64());
	whole_stack(stack_32());
}
END_TEST

START_TEST(no_environment)
{
	struct stack s = stack_64();
	struct execargs a;

	build(&s, ARGS("true"), no_env);
	ck_assert_int_eq(parse(&s, &a), 0);
	check(&a, "true", 5, 1);
	ck_assert_uint_eq(a.expect_len, 0); /* envp[0] is NULL: nothing tells the end */
	ck_assert(!a.truncated);
}
END_TEST

START_TEST(cut_within_the_strings)
{
	struct stack s = stack_64();
	struct execargs a;
	size_t env_len = sizeof("E=1");

	build(&s, ARGS("one", "two", "three"), ARGS("E=1"));
	/* The last argument's NUL is missing. */
	ck_assert_int_eq(parse_n(&s, s.n - env_len - 1, &a), 0);
	check(&a, "one\0two", 8, 3);
	ck_assert(a.truncated);
	ck_assert_uint_eq(a.expect_len, 14);
	/* Just the first one, cut: nothing whole. */
	ck_assert_int_eq(parse_n(&s, s.n - env_len - 14 + 3, &a), 0);
	ck_assert_ptr_null(a.args);
	ck_assert_uint_eq(a.len, 0);
	ck_assert(!a.truncated);
	ck_assert_uint_eq(a.expect_len, 14);
	/* Cut exactly after the arguments. */
	ck_assert_int_eq(parse_n(&s, s.n - env_len, &a), 0);
	check(&a, "one\0two\0three", 14, 3);
	ck_assert(!a.truncated);
}
END_TEST

static void pointers_only(struct stack s)
{
	struct execargs a;

	build(&s, ARGS("/usr/bin/make", "-j4"), ARGS("E=1"));
	/* argc, 2 pointers, NULL, envp[0]: the kernel's dump ended at an untouched page.
	 */
	ck_assert_int_eq(parse_n(&s, 5 * s.word, &a), 0);
	ck_assert_uint_eq(a.argc, 2);
	ck_assert_ptr_null(a.args);
	ck_assert_uint_eq(a.expect_len, 18);
	/* envp[0] is cut off too. */
	ck_assert_int_eq(parse_n(&s, 5 * s.word - 1, &a), 0);
	ck_assert_uint_eq(a.expect_len, 0);
	/* Only the first pointer. */
	ck_assert_int_eq(parse_n(&s, 2 * s.word, &a), 0);
	ck_assert_ptr_null(a.args);
	ck_assert_int_eq(parse_n(&s, 2 * s.word - 1, &a), -ENODATA);
	ck_assert_int_eq(parse_n(&s, s.word - 1, &a), -ENODATA);
	ck_assert_int_eq(parse_n(&s, 0, &a), -ENODATA);
}

START_TEST(cut_within_the_pointers)
{
	pointers_only(stack_64());
	pointers_only(stack_32());
}
END_TEST

START_TEST(argc_that_makes_no_sense)
{
	struct stack s = stack_64();
	struct execargs a;

	build(&s, ARGS("a", "b"), ARGS("E=1"));
	set(&s, 0, 0);
	ck_assert_int_eq(parse(&s, &a), -ENODATA);
	set(&s, 0, 65537);
	ck_assert_int_eq(parse(&s, &a), -ENODATA);
	set(&s, 0, UINT64_MAX);
	ck_assert_int_eq(parse(&s, &a), -ENODATA);
	set(&s, 0, UINT64_MAX / 8);
	ck_assert_int_eq(parse(&s, &a), -ENODATA);
	set(&s, 0, 1); /* argv[1] is no NULL */
	ck_assert_int_eq(parse(&s, &a), -ENODATA);
	/* As many as pages of pointers may be, more than the dump holds: still plausible.
	 */
	set(&s, 0, 65536);
	ck_assert_int_eq(parse(&s, &a), 0);
	ck_assert_uint_eq(a.expect_len, 0);
	ck_assert(a.truncated);
}
END_TEST

START_TEST(pointers_that_make_no_sense)
{
	struct stack s = stack_64();
	struct execargs a;

	build(&s, ARGS("a"), ARGS("E=1"));
	set(&s, 1, SP); /* argv[0] at the stack pointer itself */
	ck_assert_int_eq(parse(&s, &a), -ENODATA);
	set(&s, 1, SP - 8);
	ck_assert_int_eq(parse(&s, &a), -ENODATA);
	set(&s, 1, 0);
	ck_assert_int_eq(parse(&s, &a), -ENODATA);
	set(&s, 1, UINT64_MAX);
	ck_assert_int_eq(parse(&s, &a), 0);
	ck_assert_ptr_null(a.args);
	ck_assert_uint_eq(a.expect_len, 0);
	set(&s, 1, SP + s.n); /* one behind the dump */
	ck_assert_int_eq(parse(&s, &a), 0);
	ck_assert_ptr_null(a.args);
}
END_TEST

START_TEST(expected_length_that_makes_no_sense)
{
	struct stack s = stack_64();
	struct execargs a;
	uint64_t first;

	build(&s, ARGS("a"), ARGS("E=1"));
	memcpy(&first, s.b + 8, 8);
	set(&s, 3, first); /* the environment where the arguments begin */
	ck_assert_int_eq(parse(&s, &a), 0);
	ck_assert_uint_eq(a.expect_len, 0);
	set(&s, 3, first - 1);
	ck_assert_int_eq(parse(&s, &a), 0);
	ck_assert_uint_eq(a.expect_len, 0);
	set(&s, 3, first + (UINT64_C(1) << 32));
	ck_assert_int_eq(parse(&s, &a), 0);
	ck_assert_uint_eq(a.expect_len, 0);
	set(&s, 3, first + UINT32_MAX);
	ck_assert_int_eq(parse(&s, &a), 0);
	ck_assert_uint_eq(a.expect_len, UINT32_MAX);
	check(&a, "a", 2, 1);
}
END_TEST

/* The same bytes mean nothing to the other word size. */
START_TEST(word_size_matters)
{
	struct stack s = stack_32();
	struct execargs a;

	build(&s, ARGS("true", "x"), ARGS("E=1"));
	s.word = 8;
	ck_assert_int_eq(parse(&s, &a), -ENODATA);
}
END_TEST

static void teardown(void)
{
	free(block);
	block = NULL;
}

static TCase *tc_execargs(void)
{
	TCase *tc = tcase_create("execargs");

	tcase_add_checked_fixture(tc, NULL, teardown);
	tcase_add_test(tc, all_there);
	tcase_add_test(tc, no_environment);
	tcase_add_test(tc, cut_within_the_strings);
	tcase_add_test(tc, cut_within_the_pointers);
	tcase_add_test(tc, argc_that_makes_no_sense);
	tcase_add_test(tc, pointers_that_make_no_sense);
	tcase_add_test(tc, expected_length_that_makes_no_sense);
	tcase_add_test(tc, word_size_matters);
	return tc;
}

UNIT_MAIN("execargs", tc_execargs)
