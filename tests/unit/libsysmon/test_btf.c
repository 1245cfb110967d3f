// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>

#include "bpf/btf.h"
#include "bpf/vmlinux.h"
#include "fixroot_rig.h"

/* --- type information made by hand -------------------------------------------------- */

enum { INT = 1, PTR, ARRAY, STRUCT, UNION, ENUM, FWD, TYPEDEF, VOLATILE, CONST };
enum { FUNC = 12, FUNC_PROTO, VAR };
#define KIND_FLAG (UINT32_C(1) << 31)

static uint32_t type_words[4096];
static size_t nwords;
static char strings[4096];
static size_t nstrings;
static uint32_t kinds; /* of the names that are searched */

static void setup(void)
{
	nwords = 0;
	nstrings = 1;
	strings[0] = '\0';
	kinds = UINT32_C(1) << TYPEDEF;
}

static uint32_t str(const char *s)
{
	size_t at = nstrings;

	if (!*s)
		return 0;
	memcpy(strings + at, s, strlen(s) + 1);
	nstrings += strlen(s) + 1;
	return (uint32_t)at;
}

static void word(uint32_t w)
{
	ck_assert_uint_lt(nwords, SM_ARRAY_SIZE(type_words));
	type_words[nwords++] = w;
}

static void type(
	const char *name, uint32_t kind, uint32_t flag, uint32_t vlen, uint32_t size)
{
	word(str(name));
	word(flag | kind << 24 | vlen);
	word(size);
}

static void member(const char *name, uint32_t id, uint32_t offset)
{
	word(str(name));
	word(id);
	word(offset);
}

static int find_id(const struct sm_btf *b, const char *name, uint32_t *id)
{
	struct sm_btf_name v = {.name = name, .kinds = kinds};
	int err = sm_btf_ids(b, &v, 1);

	*id = v.id;
	return !err && !v.id ? -ENOENT : err;
}

/* In a block of exactly its size, from which `cut` bytes are missing: a member, or an
 * ID. */
static int look_up(struct sm_btf_member *m, const char *name, uint32_t *id, size_t cut)
{
	uint32_t len = (uint32_t)nwords * 4, strs = (uint32_t)nstrings;
	uint32_t header[6] = {1u << 16 | 0xeb9f, 24, 0, len, len, strs};
	size_t n = sizeof(header) + len + strs;
	char *block = malloc(n);
	struct sm_btf b;
	int err;

	ck_assert_ptr_nonnull(block);
	memcpy(block, header, sizeof(header));
	memcpy(block + sizeof(header), type_words, len);
	memcpy(block + sizeof(header) + len, strings, strs);
	block = realloc(block, n - cut ? n - cut : 1);
	err = sm_btf_init(&b, block, n - cut);
	if (!err)
		err = m ? sm_btf_find(&b, m) : find_id(&b, name, id);
	free(block);
	return err;
}

static int find_cut(struct sm_btf_member *m, size_t cut)
{
	return look_up(m, NULL, NULL, cut);
}

static int find(const char *structure, const char *name, size_t size, uint32_t *offset)
{
	struct sm_btf_member m = {.structure = structure, .name = name, .size = size};
	int err = find_cut(&m, 0);

	*offset = err ? UINT32_MAX : m.offset;
	return err;
}

static void check(const char *structure, const char *name, size_t size, uint32_t want)
{
	uint32_t offset;

	ck_assert_int_eq(find(structure, name, size, &offset), 0);
	ck_assert_uint_eq(offset, want);
}

static void check_fails(const char *structure, const char *name, size_t size, int err)
{
	uint32_t offset;

	ck_assert_int_eq(find(structure, name, size, &offset), err);
}

/* 1: unsigned long, 2: pointer to it, 3: a name for it, 4: const 3 */
static void put_basics(void)
{
	type("unsigned long", INT, 0, 0, 8);
	word(64);
	type("", PTR, 0, 0, 1);
	type("ulong", TYPEDEF, 0, 0, 1);
	type("", CONST, 0, 0, 3);
}

START_TEST(typedefs)
{
	uint32_t id = 0;

	put_basics();
	type("a_type", STRUCT, 0, 1, 8);
	member("ulong", 1, 0);
	type("a_type", TYPEDEF, 0, 0, 2);
	ck_assert_int_eq(look_up(NULL, "ulong", &id, 0), 0);
	ck_assert_uint_eq(id, 3);
	ck_assert_int_eq(look_up(NULL, "a_type", &id, 0), 0);
	ck_assert_uint_eq(id, 6);
	ck_assert_int_eq(look_up(NULL, "unsigned long", &id, 0), -ENOENT);
	ck_assert_int_eq(look_up(NULL, "a_typ", &id, 0), -ENOENT);
	ck_assert_int_eq(look_up(NULL, "ulong", &id, 1), -EBADMSG);
	word(0); /* half a type */
	ck_assert_int_eq(look_up(NULL, "ulong", &id, 0), 0);
	ck_assert_int_eq(look_up(NULL, "none", &id, 0), -EBADMSG);
}
END_TEST

/* Variables and functions, not types of the same name. */
START_TEST(symbols)
{
	uint32_t id = 0;

	kinds = SM_BTF_FUNCTION | SM_BTF_VARIABLE;
	put_basics();
	type("x", STRUCT, 0, 1, 8);
	member("ulong", 1, 0);
	type("", FUNC_PROTO, 0, 0, 0);
	type("x", FUNC, 0, 0, 6);
	type("y", VAR, 0, 0, 1);
	word(1);
	ck_assert_int_eq(look_up(NULL, "x", &id, 0), 0);
	ck_assert_uint_eq(id, 7);
	ck_assert_int_eq(look_up(NULL, "y", &id, 0), 0);
	ck_assert_uint_eq(id, 8);
	ck_assert_int_eq(look_up(NULL, "ulong", &id, 0), -ENOENT);
	ck_assert_int_eq(look_up(NULL, "", &id, 0), -ENOENT);
}
END_TEST

/* The first of each, in one pass. */
START_TEST(several_names)
{
	struct sm_btf_name v[] = {{"y", SM_BTF_FUNCTION, 77, 0},
		{"x", SM_BTF_STRUCT, 0, 0}, {"y", SM_BTF_VARIABLE, 0, 0},
		{"ulong", UINT32_C(1) << TYPEDEF, 77, 0}};
	static const uint32_t want[] = {6, 8, 0, 3};
	struct sm_btf b;
	uint32_t block[256], header[6] = {1u << 16 | 0xeb9f, 24, 0};

	put_basics();
	type("", FUNC_PROTO, 0, 0, 0);
	type("y", FUNC, 0, 0, 5);
	type("y", FUNC, 0, 0, 5);
	type("x", STRUCT, 0, 0, 0);
	type("x", STRUCT, 0, 0, 0);
	header[3] = header[4] = (uint32_t)nwords * 4;
	header[5] = (uint32_t)nstrings;
	memcpy(block, header, sizeof(header));
	memcpy(block + 6, type_words, nwords * 4);
	memcpy(block + 6 + nwords, strings, nstrings);
	ck_assert_int_eq(
		sm_btf_init(&b, block, sizeof(header) + nwords * 4 + nstrings), 0);
	ck_assert_int_eq(sm_btf_ids(&b, v, SM_ARRAY_SIZE(v)), 0);
	for (size_t i = 0; i < SM_ARRAY_SIZE(v); i++)
		ck_assert_uint_eq(v[i].id, want[i]);
}
END_TEST

START_TEST(plain_members)
{
	put_basics();
	type("other", STRUCT, 0, 1, 8);
	member("b", 1, 0);
	type("s", STRUCT, 0, 0, 0); /* without members: no definition */
	type("s", STRUCT, 0, 4, 32);
	member("a", 1, 0);
	member("b", 2, 64);
	member("c", 4, 128);
	member("d", 3, 192);
	check("s", "a", 8, 0);
	check("s", "b", 0, 8);
	check("s", "c", 8, 16);
	check("s", "d", 8, 24);
	check_fails("s", "e", 8, -ENOENT);
	check_fails("t", "a", 8, -ENOENT);
	check_fails("s", "", 8, -ENOENT);
	check_fails("s", "a", 4, -EINVAL);
	check_fails("s", "a", 0, -EINVAL);
	check_fails("s", "b", 8, -EINVAL);
}
END_TEST

/* struct s { long a; struct { long b; union { long c; void *d; }; }; } */
START_TEST(anonymous_members)
{
	put_basics();
	type("", UNION, 0, 2, 8); /* 5 */
	member("c", 1, 0);
	member("d", 2, 0);
	type("", STRUCT, 0, 2, 16); /* 6 */
	member("b", 1, 0);
	member("", 5, 64);
	type("s", STRUCT, 0, 2, 24);
	member("a", 1, 0);
	member("", 6, 64);
	check("s", "b", 8, 8);
	check("s", "c", 8, 16);
	check("s", "d", 0, 16);
	check_fails("s", "e", 0, -ENOENT);
}
END_TEST

/* typedef struct { long x; struct { long y; }; } inner; struct s { long a; inner in; };
 */
START_TEST(embedded_members)
{
	put_basics();
	type("", STRUCT, 0, 1, 8); /* 5 */
	member("y", 1, 0);
	type("", STRUCT, 0, 2, 16); /* 6 */
	member("x", 1, 0);
	member("", 5, 64);
	type("inner", TYPEDEF, 0, 0, 6); /* 7 */
	type("s", STRUCT, 0, 2, 24);
	member("a", 1, 0);
	member("in", 7, 64);
	check("s", "in.x", 8, 8);
	check("s", "in.y", 8, 16);
	check_fails("s", "in", 8, -EINVAL);
	check_fails("s", "in.", 8, -EINVAL);
	check_fails("s", "in.z", 8, -ENOENT);
	check_fails("s", "in.x.x", 8, -ENOENT);
	check_fails("s", "a.x", 8, -ENOENT);
	check_fails("s", "i", 8, -ENOENT);
	check_fails("s", "inn.x", 8, -ENOENT);
}
END_TEST

START_TEST(arrays_of_bytes)
{
	put_basics();
	type("char", INT, 0, 0, 1); /* 5 */
	word(8);
	type("", ARRAY, 0, 0, 0); /* 6: char[16] */
	word(5);
	word(1);
	word(16);
	type("", ARRAY, 0, 0, 0); /* 7: long[16] */
	word(1);
	word(1);
	word(16);
	type("s", STRUCT, 0, 2, 144);
	member("comm", 6, 0);
	member("longs", 7, 128);
	check("s", "comm", 16, 0);
	check_fails("s", "comm", 15, -EINVAL);
	check_fails("s", "comm", 0, -EINVAL);
	check_fails("s", "longs", 16, -EINVAL);
}
END_TEST

START_TEST(bit_fields)
{
	put_basics();
	type("", STRUCT, KIND_FLAG, 1, 8); /* 5 */
	member("inner", 1, 0);
	type("s", STRUCT, KIND_FLAG, 6, 32);
	member("a", 1, 0);
	member("bits", 1, 3u << 24 | 64);
	member("odd", 1, 67);
	member("", 1, 5u << 24 | 70); /* padding */
	member("", 5, 128);
	member("b", 1, 192);
	type("old", STRUCT, 0, 1, 8); /* before the flag */
	member("odd", 1, 3);
	check("s", "a", 8, 0);
	check("s", "b", 8, 24);
	check("s", "inner", 8, 16);
	check_fails("s", "bits", 8, -EINVAL);
	check_fails("s", "odd", 8, -EINVAL);
	check_fails("old", "odd", 8, -EINVAL);
}
END_TEST

START_TEST(hostile)
{
	uint32_t offset;

	put_basics();
	type("loop", STRUCT, 0, 3, 8); /* 5: within itself, three times over */
	member("", 5, 0);
	member("", 5, 0);
	member("", 5, 0);
	type("alias", TYPEDEF, 0, 0, 6); /* 6: of itself */
	type("s", STRUCT, 0, 3, 8);
	member("a", 6, 0);
	member("b", 99, 0);
	member("big", 1, UINT32_MAX);
	check_fails("loop", "x", 8, -EBADMSG);
	check_fails("s", "a", 8, -EBADMSG);
	check_fails("s", "b", 8, -EBADMSG);
	check_fails("s", "big", 8, -EINVAL);
	word(1u << 20); /* a name beyond the strings */
	word(STRUCT << 24 | 1);
	word(8);
	member("x", 1, 0);
	check_fails("x", "x", 8, -ENOENT);
	word(0); /* a type that is cut off */
	check_fails("x", "x", 8, -EBADMSG);
	word(STRUCT << 24 | 0xffff);
	word(8);
	check_fails("x", "x", 8, -EBADMSG);
	type_words[nwords - 2] = 0x1fu << 24; /* an unknown kind */
	check_fails("x", "x", 8, -EBADMSG);
	ck_assert_int_eq(find("s", "nothing", 8, &offset), -ENOENT);
}
END_TEST

START_TEST(cut_anywhere)
{
	struct sm_btf_member m = {.structure = "s", .name = "a", .size = 8};

	put_basics();
	type("s", STRUCT, 0, 1, 8);
	member("a", 1, 0);
	ck_assert_int_eq(find_cut(&m, 0), 0);
	for (size_t cut = 1; cut <= 24 + nwords * 4 + nstrings; cut++)
		ck_assert_int_eq(find_cut(&m, cut), -EBADMSG);
}
END_TEST

START_TEST(bad_headers)
{
	static const uint32_t bad[][6] = {
		{1u << 16 | 0x9feb, 24, 0, 0, 0, 1},
		{2u << 16 | 0xeb9f, 24, 0, 0, 0, 1},
		{1u << 16 | 0xeb9f, 20, 0, 0, 0, 1},
		{1u << 16 | 0xeb9f, 25, 0, 0, 0, 1},
		{1u << 16 | 0xeb9f, 24, 0, 2, 0, 1},
		{1u << 16 | 0xeb9f, 24, UINT32_MAX, 2, 0, 1},
		{1u << 16 | 0xeb9f, 24, 0, UINT32_MAX, 0, 1},
		{1u << 16 | 0xeb9f, 24, 0, 0, 2, 1},
		{1u << 16 | 0xeb9f, 24, 0, 0, 0, 0},
		{1u << 16 | 0xeb9f, UINT32_MAX, 0, 0, 0, 1},
	};
	struct sm_btf b;
	char block[25];

	memset(block, 0, sizeof(block));
	for (size_t i = 0; i < SM_ARRAY_SIZE(bad); i++) {
		memcpy(block, bad[i], sizeof(bad[i]));
		ck_assert_int_eq(sm_btf_init(&b, block, sizeof(block)), -EBADMSG);
	}
	memcpy(block, (uint32_t[]){1u << 16 | 0xeb9f, 24, 0, 0, 0, 1}, 24);
	ck_assert_int_eq(sm_btf_init(&b, block, sizeof(block)), 0);
	block[24] = 'x'; /* strings without an end */
	ck_assert_int_eq(sm_btf_init(&b, block, sizeof(block)), -EBADMSG);
}
END_TEST

/* --- the kernel's ------------------------------------------------------------------- */

struct members {
	struct sm_btf_member *m;
	size_t n;
};

static int find_each(const struct sm_btf *b, void *ctx)
{
	const struct members *all = ctx;
	int err = 0;

	for (size_t i = 0; i < all->n && !err; i++)
		err = sm_btf_find(b, &all->m[i]);
	return err;
}

static int members_of(const struct sm_root *root, struct sm_btf_member *m, size_t n)
{
	return sm_vmlinux_read(root, find_each, &(struct members){m, n});
}

/* The order of the declarations in include/linux/sched.h and mm_types.h. */
START_TEST(live_neighbours)
{
	struct sm_btf_member m[] = {
		{.structure = "task_struct", .name = "pid", .size = 4},
		{.structure = "task_struct", .name = "tgid", .size = 4},
		{.structure = "task_struct", .name = "mm"},
		{.structure = "mm_struct", .name = "arg_start", .size = sizeof(long)},
		{.structure = "mm_struct", .name = "arg_end", .size = sizeof(long)},
		{.structure = "mm_struct", .name = "env_start", .size = sizeof(long)},
		{.structure = "linux_binprm", .name = "filename"},
		{.structure = "linux_binprm", .name = "interp"},
	};
	struct sm_root root;
	int err;

	ck_assert_int_eq(sm_root_open(&root, NULL), 0);
	err = members_of(&root, m, SM_ARRAY_SIZE(m));
	sm_root_close(&root);
	if (err == -ENOENT)
		return; /* a kernel without */
	ck_assert_int_eq(err, 0);
	ck_assert_uint_eq(m[1].offset, m[0].offset + 4);
	ck_assert_uint_eq(m[4].offset, m[3].offset + sizeof(long));
	ck_assert_uint_eq(m[5].offset, m[4].offset + sizeof(long));
	ck_assert_uint_eq(m[7].offset, m[6].offset + sizeof(long));
	ck_assert_uint_gt(m[2].offset, 0);
}
END_TEST

START_TEST(prepared_root)
{
	static const char file[] = "sys/kernel/btf/vmlinux";
	struct sm_btf_member m = {.structure = "s", .name = "a", .size = 8};
	struct sm_root none = SM_ROOT_INIT;

	ck_assert_int_eq(members_of(&none, &m, 1), -ENOENT);
	ck_assert_int_eq(members_of(&fix, &m, 1), -ENOENT);
	fix_put(file, "");
	ck_assert_int_eq(members_of(&fix, &m, 1), -EBADMSG);
	fix_put(file, "not BTF");
	ck_assert_int_eq(members_of(&fix, &m, 1), -EBADMSG);
	ck_assert_int_eq(unlink(fix_path(file)), 0);
	ck_assert_int_eq(mkfifo(fix_path(file), 0644), 0);
	ck_assert_int_eq(members_of(&fix, &m, 1), -EBADMSG);
	ck_assert_int_eq(unlink(fix_path(file)), 0);
	fix_put(file, "");
	ck_assert_int_eq(truncate(fix_path(file), 1l << 30), 0);
	ck_assert_int_eq(members_of(&fix, &m, 1), -EBADMSG);
}
END_TEST

/* Writes a structure s with a member a. */
static void put_structure(const char *path)
{
	uint32_t header[6] = {1u << 16 | 0xeb9f, 24, 0};
	FILE *f;

	setup();
	put_basics();
	type("s", STRUCT, 0, 1, 8);
	member("a", 1, 0);
	header[3] = header[4] = (uint32_t)nwords * 4;
	header[5] = (uint32_t)nstrings;
	fix_put(path, "");
	f = fopen(fix_path(path), "w");
	ck_assert_ptr_nonnull(f);
	fwrite(header, sizeof(header), 1, f);
	fwrite(type_words, 4, nwords, f);
	fwrite(strings, 1, nstrings, f);
	ck_assert_int_eq(fclose(f), 0);
}

START_TEST(kept_for_further_readers)
{
	static const char file[] = "sys/kernel/btf/vmlinux";
	struct sm_btf_member m = {.structure = "s", .name = "a", .size = 8};
	struct sm_vmlinux v;

	put_structure(file);
	sm_vmlinux_keep(&fix, &v);
	ck_assert_int_eq(members_of(&fix, &m, 1), 0);
	ck_assert_int_eq(unlink(fix_path(file)), 0);
	ck_assert_int_eq(members_of(&fix, &m, 1), 0);
	sm_vmlinux_release(&fix);
	ck_assert_int_eq(members_of(&fix, &m, 1), -ENOENT);
}
END_TEST

static TCase *tc_crafted(void)
{
	TCase *tc = tcase_create("crafted");

	tcase_add_checked_fixture(tc, setup, NULL);
	tcase_add_test(tc, typedefs);
	tcase_add_test(tc, symbols);
	tcase_add_test(tc, several_names);
	tcase_add_test(tc, plain_members);
	tcase_add_test(tc, anonymous_members);
	tcase_add_test(tc, embedded_members);
	tcase_add_test(tc, arrays_of_bytes);
	tcase_add_test(tc, bit_fields);
	tcase_add_test(tc, hostile);
	tcase_add_test(tc, cut_anywhere);
	tcase_add_test(tc, bad_headers);
	return tc;
}

static TCase *tc_file(void)
{
	TCase *tc = tcase_create("file");

	tcase_add_checked_fixture(tc, fix_open, fix_close);
	tcase_add_test(tc, live_neighbours);
	tcase_add_test(tc, prepared_root);
	tcase_add_test(tc, kept_for_further_readers);
	return tc;
}

UNIT_MAIN("btf", tc_crafted, tc_file)
