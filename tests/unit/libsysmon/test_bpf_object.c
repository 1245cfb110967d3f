// SPDX-License-Identifier: GPL-2.0-or-later
/* An object made by hand: its programs return what the loader has put into them.  struct
 * list_head of include/linux/types.h has two pointers, next and prev. */
#include <fcntl.h>
#include <sys/syscall.h>

#include "bpf/bpf_object.h"
#include "bpf/vmlinux.h"
#include "fixroot_rig.h"

enum { OFFSET, EXISTS, LACKS, SETTING, LOAD, COUNT };
enum { MAP_SETTING, MAP_VARIABLE, MAP_HASH };
enum { PREV, NEXT, NO_SUCH };
enum { DECLARED = 77 };

#define R0_IS(value)                         \
	{                                    \
		.code = 0xb7, .imm = (value) \
	}
#define EXIT                 \
	{                    \
		.code = 0x95 \
	}
#define R1_IS_MAP(offset)             \
	{.code = 0x18, .dst_reg = 1}, \
	{                             \
		.imm = (offset)       \
	}
#define R0_IS_AT_R1(size, at)                             \
	{                                                 \
		.code = (size), .src_reg = 1, .off = (at) \
	}
#define LDX_W  0x61
#define LDX_DW 0x79

static const struct bpf_insn insn[] = {
	R0_IS(DECLARED),
	EXIT, /* 0: offset */
	R0_IS(DECLARED),
	EXIT, /* 2: exists */
	R0_IS(DECLARED),
	EXIT, /* 4: lacks */
	R1_IS_MAP(4),
	R0_IS_AT_R1(LDX_W, 0),
	EXIT, /* 6: setting */
	R1_IS_MAP(0),
	R0_IS_AT_R1(LDX_DW, 0),
	EXIT, /* 10: load */
	R1_IS_MAP(8),
	{.code = 0xb7, .dst_reg = 2, .imm = 5},
	{.code = 0xdb, .dst_reg = 1, .src_reg = 2}, /* 14: count: lock *(u64 *)r1 += 5 */
	R0_IS(0),
	EXIT,
};
static const struct sm_bpf_fixup fixup[] = {
	{0, SM_BPF_OFFSET, PREV},
	{2, SM_BPF_EXISTS, NEXT},
	{4, SM_BPF_EXISTS, NO_SUCH},
	{6, SM_BPF_VALUE, MAP_SETTING},
	{10, SM_BPF_VALUE, MAP_VARIABLE},
	{12, SM_BPF_OFFSET, PREV},
	{14, SM_BPF_VALUE, MAP_VARIABLE},
};
static const char names[] = "list_head\0next\0prev\0none\0a_program\0a_map";
#define AT_NEXT	   10
#define AT_PREV	   15
#define AT_NONE	   20
#define AT_PROGRAM 25
#define AT_MAP	   35

static const struct sm_bpf_member member[] = {
	[PREV] = {0, AT_PREV, 0}, [NEXT] = {0, AT_NEXT, 0}, [NO_SUCH] = {0, AT_NONE, 4}};
static const struct sm_bpf_map map[] = {
	[MAP_SETTING] = {AT_MAP, SM_BPF_MAP_ARRAY, 4, 8, 1, 1 << 7},
	[MAP_VARIABLE] = {AT_MAP, SM_BPF_MAP_ARRAY, 4, 16, 1, 1 << 10},
	[MAP_HASH] = {AT_MAP, SM_BPF_MAP_HASH, 4, 4, 2, 0},
};
#define PROGRAM(first, n)                                                \
	{                                                                \
		AT_PROGRAM, AT_NONE, SM_BPF_PROG_SOCKET_FILTER, first, n \
	}
static const struct sm_bpf_program program[] = {[OFFSET] = PROGRAM(0, 2),
	[EXISTS] = PROGRAM(2, 2),
	[LACKS] = PROGRAM(4, 2),
	[SETTING] = PROGRAM(6, 4),
	[LOAD] = PROGRAM(10, 4),
	[COUNT] = PROGRAM(14, 6)};

static const struct sm_bpf_object object = {.names = names,
	.insn = insn,
	.insns = SM_ARRAY_SIZE(insn),
	.fixup = fixup,
	.fixups = SM_ARRAY_SIZE(fixup),
	.member = member,
	.members = SM_ARRAY_SIZE(member),
	.map = map,
	.maps = SM_ARRAY_SIZE(map),
	.program = program,
	.programs = SM_ARRAY_SIZE(program)};

static struct sm_root root;
static struct sm_bpf_loader loader;
static bool permitted;

static void setup(void)
{
	int fd;

	fix_open();
	ck_assert_int_eq(sm_root_open(&root, NULL), 0);
	(void)!sm_bpf_loader_open(&loader, &object, &fix, NULL);
	fd = sm_bpf_loader_load(&loader, OFFSET);
	permitted = fd >= 0;
	ck_assert(permitted || fd == -EPERM || fd == -EACCES || fd == -ENOSYS);
	sm_base_close_fd(&fd);
	sm_bpf_loader_close(&loader);
	if (!permitted)
		unit_skip("no permission to load programs");
}

static void teardown(void)
{
	sm_bpf_loader_close(&loader);
	sm_root_close(&root);
	fix_close();
}

/* False, and the test is skipped, where the kernel has no BTF. */
static bool open_live(void)
{
	int err;

	if (!permitted)
		return false;
	err = sm_bpf_loader_open(&loader, &object, &root, NULL);
	if (!loader.btf) {
		ck_assert_int_eq(err, -ENOENT);
		unit_skip("the kernel has no type information");
		return false;
	}
	ck_assert_int_eq(err, 0);
	return true;
}

static uint32_t result_of(unsigned int which)
{
	SM_CLOSE_FD int fd = sm_bpf_loader_load(&loader, which);
	union bpf_attr attr = {0};
	char frame[64] = {0};

	ck_assert_int_ge(fd, 0);
	attr.test.prog_fd = (uint32_t)fd;
	attr.test.data_in = (uintptr_t)frame;
	attr.test.data_size_in = sizeof(frame);
	ck_assert_int_eq(
		(int)syscall(SYS_bpf, BPF_PROG_TEST_RUN, &attr, sizeof(attr)), 0);
	return attr.test.retval;
}

/* --- members ----------------------------------------------------------------------- */

START_TEST(members_of_the_kernel)
{
	if (!open_live())
		return;
	ck_assert_uint_eq(result_of(OFFSET), sizeof(void *));
	ck_assert_uint_eq(result_of(EXISTS), 1);
	ck_assert_uint_eq(result_of(LACKS), 0);
}
END_TEST

START_TEST(without_btf_as_declared)
{
	ck_assert_int_eq(sm_bpf_loader_open(&loader, &object, &fix, NULL), -ENOENT);
	ck_assert(!loader.btf);
	if (!permitted)
		return;
	ck_assert_uint_eq(result_of(OFFSET), DECLARED);
	ck_assert_uint_eq(result_of(EXISTS), 0);
	ck_assert_uint_eq(result_of(LACKS), 0);
}
END_TEST

/* A symbol that the kernel lacks is 0, and its program is no other than that.  A type or
 * a function to be called must be there: struct list_head is no function. */
START_TEST(no_such_symbol)
{
	static const struct bpf_insn code[] = {
		{.code = 0x18, .imm = DECLARED}, {.imm = 0}, EXIT};
	static const struct sm_bpf_fixup fix_up[] = {{0, SM_BPF_SYMBOL, 0}};
	struct sm_bpf_symbol symbol[] = {{0, SM_BPF_SYMBOL}};
	static const struct sm_bpf_program only[] = {
		{15, 15, SM_BPF_PROG_SOCKET_FILTER, 0, 3}};
	struct sm_bpf_object o = {.names = "no_such_symbol\0zero",
		.insn = code,
		.insns = 3,
		.fixup = fix_up,
		.fixups = 1,
		.symbol = symbol,
		.symbols = 1,
		.program = only,
		.programs = 1};

	if (!open_live())
		return;
	sm_bpf_loader_close(&loader);
	ck_assert_int_eq(sm_bpf_loader_open(&loader, &o, &root, NULL), 0);
	ck_assert_uint_eq(loader.symbol[0], 0);
	ck_assert_uint_eq(result_of(0), 0);
	symbol[0].kind = SM_BPF_CALL;
	ck_assert_int_eq(sm_bpf_loader_open(&loader, &o, &root, NULL), -ENOENT);
	symbol[0].kind = SM_BPF_TYPE;
	ck_assert_int_eq(sm_bpf_loader_open(&loader, &o, &root, NULL), -ENOENT);
	o.names = "list_head\0zero";
	symbol[0].kind = SM_BPF_CALL;
	ck_assert_int_eq(sm_bpf_loader_open(&loader, &o, &root, NULL), -ENOENT);
}
END_TEST

static int id_of_list_head(const struct sm_btf *b, void *ctx)
{
	struct sm_btf_name v = {.name = "list_head", .kinds = SM_BTF_STRUCT};
	int err = sm_btf_ids(b, &v, 1);

	*(uint32_t *)ctx = v.id;
	return err;
}

START_TEST(number_of_a_type)
{
	static const struct bpf_insn code[] = {
		{.code = 0x18, .imm = DECLARED}, {.imm = 0}, EXIT};
	static const struct sm_bpf_fixup fix_up[] = {{0, SM_BPF_TYPE, 0}};
	static const struct sm_bpf_symbol symbol[] = {{0, SM_BPF_TYPE}};
	static const struct sm_bpf_program only[] = {
		{AT_PROGRAM, AT_NONE, SM_BPF_PROG_SOCKET_FILTER, 0, 3}};
	static const struct sm_bpf_object o = {.names = names,
		.insn = code,
		.insns = 3,
		.fixup = fix_up,
		.fixups = 1,
		.symbol = symbol,
		.symbols = 1,
		.program = only,
		.programs = 1};
	uint32_t id;

	if (!open_live())
		return;
	sm_bpf_loader_close(&loader);
	ck_assert_int_eq(sm_vmlinux_read(&root, id_of_list_head, &id), 0);
	ck_assert_int_eq(sm_bpf_loader_open(&loader, &o, &root, NULL), 0);
	ck_assert_uint_gt(id, 0);
	ck_assert_uint_eq(result_of(0), id);
}
END_TEST

static int open_with(struct sm_bpf_member m, enum sm_bpf_fixup_kind kind)
{
	struct sm_bpf_fixup f = {0, (uint8_t)kind, 0};
	struct sm_bpf_object o = object;

	o.member = &m;
	o.members = 1;
	o.fixup = &f;
	o.fixups = 1;
	return sm_bpf_loader_open(&loader, &o, &root, NULL);
}

/* A member that is missing is an error unless the program asks; one of another size or
 * kind is always. */
START_TEST(other_members_than_expected)
{
	if (!open_live())
		return;
	ck_assert_int_eq(
		open_with((struct sm_bpf_member){0, AT_NONE, 4}, SM_BPF_OFFSET), -ENOENT);
	ck_assert(loader.btf);
	ck_assert_int_eq(
		open_with((struct sm_bpf_member){0, AT_NONE, 4}, SM_BPF_EXISTS), 0);
	ck_assert_int_eq(
		open_with((struct sm_bpf_member){0, AT_PREV, 4}, SM_BPF_OFFSET), -EINVAL);
	ck_assert_int_eq(
		open_with((struct sm_bpf_member){0, AT_PREV, 4}, SM_BPF_EXISTS), -EINVAL);
	ck_assert_int_eq(
		open_with((struct sm_bpf_member){0, AT_PREV, 0}, SM_BPF_OFFSET), 0);
}
END_TEST

/* --- maps -------------------------------------------------------------------------- */

START_TEST(a_setting_is_read_only)
{
	const uint32_t value[2] = {11, 22}, other[2] = {33, 44}, zero = 0;
	union bpf_attr attr = {0};

	if (!open_live())
		return;
	ck_assert_int_eq(sm_bpf_loader_set(&loader, MAP_SETTING, value), 0);
	ck_assert_uint_eq(result_of(SETTING), 22);
	attr.map_fd = (uint32_t)loader.map_fd[MAP_SETTING];
	attr.key = (uintptr_t)&zero;
	attr.value = (uintptr_t)other;
	ck_assert_int_eq(
		(int)syscall(SYS_bpf, BPF_MAP_UPDATE_ELEM, &attr, sizeof(attr)), -1);
	ck_assert_int_eq(errno, EPERM);
	ck_assert_uint_eq(result_of(SETTING), 22);
}
END_TEST

/* Programs and the reader see the same memory; a load has the offset of its member. */
START_TEST(a_variable_is_shared)
{
	struct sm_bpf_array a = {0};
	uint64_t *value;

	if (!open_live())
		return;
	ck_assert_int_eq(sm_bpf_loader_array(&loader, MAP_VARIABLE, &a), 0);
	value = a.values;
	value[0] = 1000;
	value[1] = 2000;
	ck_assert_uint_eq(result_of(LOAD), 2000);
	ck_assert_uint_eq(result_of(COUNT), 0);
	ck_assert_uint_eq(result_of(COUNT), 0);
	ck_assert_uint_eq(value[0], 1000);
	ck_assert_uint_eq(value[1], 2010);
	sm_bpf_array_close(&a);
}
END_TEST

static bool is_open(int fd)
{
	return fcntl(fd, F_GETFD) >= 0;
}

/* The loader closes the maps that it has made, but for those that were handed over. */
START_TEST(owners_of_maps)
{
	int lent, kept, made;

	if (!open_live())
		return;
	lent = sm_bpf_map_create("test", SM_BPF_MAP_ARRAY, 4, 8, 1, 0);
	ck_assert_int_ge(lent, 0);
	sm_bpf_loader_lend(&loader, MAP_SETTING, lent);
	ck_assert_int_eq(sm_bpf_loader_map(&loader, MAP_SETTING), lent);
	kept = sm_bpf_loader_map(&loader, MAP_VARIABLE);
	ck_assert_int_eq(sm_bpf_loader_keep(&loader, MAP_VARIABLE), kept);
	made = sm_bpf_loader_map(&loader, MAP_HASH);
	ck_assert_int_ge(made, 0);
	ck_assert_int_eq(sm_bpf_loader_map(&loader, MAP_HASH), made);
	sm_bpf_loader_close(&loader);
	ck_assert(is_open(lent) && is_open(kept) && !is_open(made));
	close(lent);
	close(kept);
}
END_TEST

static uint32_t entries_of(int fd)
{
	struct bpf_map_info info = {0};
	union bpf_attr attr = {0};

	attr.info.bpf_fd = (uint32_t)fd;
	attr.info.info_len = sizeof(info);
	attr.info.info = (uintptr_t)&info;
	ck_assert_int_eq(
		(int)syscall(SYS_bpf, BPF_OBJ_GET_INFO_BY_FD, &attr, sizeof(attr)), 0);
	return info.max_entries;
}

START_TEST(entries_of_the_caller)
{
	if (!open_live())
		return;
	loader.entries[MAP_HASH] = 9;
	ck_assert_uint_eq(entries_of(sm_bpf_loader_map(&loader, MAP_HASH)), 9);
	sm_bpf_loader_close(&loader);
	ck_assert(open_live());
	ck_assert_uint_eq(entries_of(sm_bpf_loader_map(&loader, MAP_HASH)), 2);
}
END_TEST

static TCase *tc_live(void)
{
	TCase *tc = tcase_create("live");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, members_of_the_kernel);
	tcase_add_test(tc, no_such_symbol);
	tcase_add_test(tc, number_of_a_type);
	tcase_add_test(tc, without_btf_as_declared);
	tcase_add_test(tc, other_members_than_expected);
	tcase_add_test(tc, a_setting_is_read_only);
	tcase_add_test(tc, a_variable_is_shared);
	tcase_add_test(tc, owners_of_maps);
	tcase_add_test(tc, entries_of_the_caller);
	return tc;
}

UNIT_MAIN("bpf_object", tc_live)
