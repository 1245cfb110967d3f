// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "kernel/bpf.h"
#include "unit.h"

/* --- assembler --------------------------------------------------------------------- */

START_TEST(instructions_have_the_kernels_layout)
{
	/* r1 = r6; *(u32 *)(r10 - 4) = r1; if r1 == 7 goto +1; r0 = -2; exit */
	static const struct bpf_insn want[] = {
		{.code = 0xbf, .dst_reg = 1, .src_reg = 6},
		{.code = 0x63, .dst_reg = 10, .src_reg = 1, .off = -4},
		{.code = 0x15, .dst_reg = 1, .off = 1, .imm = 7},
		{.code = 0xb7, .dst_reg = 0, .imm = -2},
		{.code = 0x95},
	};
	struct bpf_insn insn[8];
	struct sm_bpf_asm a = {insn, 0, 8};
	size_t jump;

	sm_bpf_mov(&a, 1, 6);
	sm_bpf_store(&a, BPF_W, 10, -4, 1);
	jump = sm_bpf_jump(&a, BPF_JEQ, 1, 7);
	ck_assert_uint_eq(jump, 2);
	sm_bpf_set(&a, 0, -2);
	sm_bpf_land(&a, jump);
	sm_bpf_emit(&a, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
	ck_assert_uint_eq(a.n, SM_ARRAY_SIZE(want));
	ck_assert_mem_eq(insn, want, sizeof(want));
}
END_TEST

/* Against the opcodes of Documentation/bpf/instruction-set.rst. */
START_TEST(each_emitter)
{
	static const struct bpf_insn want[] = {
		{.code = 0x1f, .dst_reg = 1, .src_reg = 2},	  /* r1 -= r2 */
		{.code = 0x77, .dst_reg = 3, .imm = 32},	  /* r3 >>= 32 */
		{.code = 0xbf, .dst_reg = 2, .src_reg = 10},	  /* r2 = r10 */
		{.code = 0x07, .dst_reg = 2, .imm = -8},	  /* r2 += -8 */
		{.code = 0xb5, .dst_reg = 4, .off = 1, .imm = 9}, /* if r4 <= 9 goto +1 */
		{.code = 0xb7, .dst_reg = 4, .imm = 9},		  /* r4 = 9 */
		{.code = 0x79,
			.dst_reg = 5,
			.src_reg = 1,
			.off = 16},			  /* r5 = *(u64 *)(r1 + 16) */
		{.code = 0x7a, .dst_reg = 10, .off = -8}, /* *(u64 *)(r10 - 8) = 0 */
		{.code = 0x85, .imm = 113},		  /* call 113 */
		{.code = 0x18, .dst_reg = 3, .src_reg = 1, .imm = 77}, /* r3 = map */
		{.code = 0},
		{.code = 0x18,
			.dst_reg = 1,
			.src_reg = 2,
			.imm = 78}, /* r1 = map's value */
		{.code = 0}, {.code = 0xb7, .dst_reg = 2, .imm = 1}, /* r2 = 1 */
		{.code = 0xdb,
			.dst_reg = 1,
			.src_reg = 2,
			.off = 24},			/* lock *(r1 + 24) += r2 */
		{.code = 0xb7, .dst_reg = 0, .imm = 1}, /* r0 = 1 */
		{.code = 0x95},				/* exit */
		{.code = 0x5d,
			.dst_reg = 6,
			.src_reg = 7,
			.off = 0}, /* if r6 != r7 goto +0 */
		{.code = 0x18, .dst_reg = 1, .src_reg = 1, .imm = 79}, {.code = 0},
		{.code = 0xbf, .dst_reg = 2, .src_reg = 10},
		{.code = 0x07, .dst_reg = 2, .imm = -8},
		{.code = 0x85, .imm = 1}, /* call map_lookup_elem */
		{.code = 0x18, .dst_reg = 1, .src_reg = 1, .imm = 80}, {.code = 0},
		{.code = 0xbf, .dst_reg = 2, .src_reg = 10},
		{.code = 0x07, .dst_reg = 2, .imm = -8},
		{.code = 0xbf, .dst_reg = 3, .src_reg = 10},
		{.code = 0x07, .dst_reg = 3, .imm = -24},
		{.code = 0xb7, .dst_reg = 4, .imm = 1},
		{.code = 0x85, .imm = 2}, /* call map_update_elem */
		{.code = 0xb7, .dst_reg = 1, .imm = 1},
		{.code = 0xdb,
			.dst_reg = 8,
			.src_reg = 1,
			.off = 16}, /* lock *(r8 + 16) += r1 */
	};
	struct bpf_insn insn[64];
	struct sm_bpf_asm a = {insn, 0, 64};

	sm_bpf_alu(&a, BPF_SUB, 1, 2);
	sm_bpf_alu_imm(&a, BPF_RSH, 3, 32);
	sm_bpf_address(&a, 2, 10, -8);
	sm_bpf_at_most(&a, 4, 9);
	sm_bpf_load(&a, BPF_DW, 5, 1, 16);
	sm_bpf_clear(&a, BPF_DW, 10, -8);
	sm_bpf_call(&a, SM_BPF_PROBE_READ_KERNEL);
	sm_bpf_map(&a, 3, 77);
	sm_bpf_count(&a, 78, 24);
	sm_bpf_return(&a, 1);
	sm_bpf_land(&a, sm_bpf_jump_reg(&a, BPF_JNE, 6, 7));
	sm_bpf_map_lookup(&a, 79, -8);
	sm_bpf_map_update(&a, 80, -8, -24, BPF_NOEXIST);
	sm_bpf_add_one(&a, 8, 16);
	ck_assert_uint_eq(a.n, SM_ARRAY_SIZE(want));
	ck_assert_mem_eq(insn, want, sizeof(want));
}
END_TEST

/* --- the kernel -------------------------------------------------------------------- */

static bool forbidden(int err)
{
	return err == -EPERM || err == -EACCES || err == -ENOSYS;
}

START_TEST(live_program_loads)
{
	struct bpf_insn insn[2];
	struct sm_bpf_asm a = {insn, 0, 2};
	int fd;

	sm_bpf_return(&a, 0);
	fd = sm_bpf_prog_load(
		"test_filter", SM_BPF_PROG_SOCKET_FILTER, a.insn, a.n, NULL);
	if (fd < 0) {
		ck_assert(forbidden(fd));
		return;
	}
	ck_assert_int_eq(fcntl(fd, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
	/* That is no program for a tracepoint. */
	ck_assert_int_lt(sm_bpf_attach_raw_tracepoint("sched_process_exec", fd), 0);
	close(fd);
}
END_TEST

START_TEST(live_raw_tracepoint)
{
	struct bpf_insn insn[2];
	struct sm_bpf_asm a = {insn, 0, 2};
	int prog, fd;

	sm_bpf_return(&a, 0);
	prog = sm_bpf_prog_load(
		"test_raw", SM_BPF_PROG_RAW_TRACEPOINT, a.insn, a.n, NULL);
	if (prog < 0) {
		ck_assert(forbidden(prog));
		return;
	}
	ck_assert_int_eq(
		sm_bpf_attach_raw_tracepoint("there_is_no_such_event", prog), -ENOENT);
	fd = sm_bpf_attach_raw_tracepoint("sched_process_exec", prog);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(fcntl(fd, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
	close(fd);
	close(prog);
}
END_TEST

/* The names are what bpftool(8) shows. */
START_TEST(live_names)
{
	struct bpf_prog_info info = {0};
	union bpf_attr attr;
	struct bpf_insn insn[2];
	struct sm_bpf_asm a = {insn, 0, 2};
	int fd;

	sm_bpf_return(&a, 0);
	fd = sm_bpf_prog_load("a_name", SM_BPF_PROG_SOCKET_FILTER, a.insn, a.n, NULL);
	if (fd < 0)
		return;
	memset(&attr, 0, sizeof(attr));
	attr.info.bpf_fd = (uint32_t)fd;
	attr.info.info_len = sizeof(info);
	attr.info.info = (uintptr_t)&info;
	ck_assert_int_eq(
		(int)syscall(SYS_bpf, BPF_OBJ_GET_INFO_BY_FD, &attr, sizeof(attr)), 0);
	ck_assert_str_eq(info.name, "a_name");
	close(fd);
}
END_TEST

START_TEST(live_verifier_says_why)
{
	struct bpf_insn insn[400];
	struct sm_bpf_asm a = {insn, 0, 400};
	struct sm_bpf_log log;
	int fd;

	for (int i = 0; i < 300; i++) /* a long log: its end counts */
		sm_bpf_mov(&a, 2, 1);
	sm_bpf_emit(&a, BPF_JMP | BPF_EXIT, 0, 0, 0, 0); /* without a result */
	memset(&log, 'x', sizeof(log));
	fd = sm_bpf_prog_load("test", SM_BPF_PROG_SOCKET_FILTER, a.insn, a.n, &log);
	if (fd == -EPERM && log.text[0] == '\0')
		return;
	ck_assert_int_eq(fd, -EACCES);
	ck_assert_uint_lt(strlen(log.text), sizeof(log.text));
	ck_assert_ptr_nonnull(strstr(log.text, "R0 !read_ok"));
	ck_assert_ptr_null(strchr(log.text, '\n'));
	ck_assert_ptr_null(strstr(log.text, "processed"));
}
END_TEST

START_TEST(map_create_reports_errno)
{
	int fd = sm_bpf_map_create("test", 0x7ffffff0, 4, 4, 1, 0);

	ck_assert(fd == -EINVAL || forbidden(fd));
}
END_TEST

static int set_element(int map_fd, uint32_t key, uint64_t value)
{
	union bpf_attr a = {.map_fd = (uint32_t)map_fd};

	a.key = (uintptr_t)&key;
	a.value = (uintptr_t)&value;
	return (int)syscall(SYS_bpf, BPF_MAP_UPDATE_ELEM, &a, sizeof(a));
}

START_TEST(live_elements_are_taken)
{
	SM_CLOSE_FD int fd =
		sm_bpf_map_create("test", SM_BPF_MAP_HASH, 4, sizeof(uint64_t), 8, 0);
	const uint32_t one = 1, two = 2;
	uint64_t value = 0;

	if (forbidden(fd))
		return;
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(set_element(fd, one, 111), 0);
	ck_assert_int_eq(set_element(fd, two, 222), 0);
	ck_assert_int_eq(sm_bpf_map_take(fd, &one, &value), 0);
	ck_assert_uint_eq(value, 111);
	ck_assert_int_eq(sm_bpf_map_take(fd, &one, &value), -ENOENT);
	ck_assert_int_eq(sm_bpf_map_take(fd, &two, &value), 0);
	ck_assert_uint_eq(value, 222);
}
END_TEST

/* As the kernel answers for a hash map before 5.14, it does for an array map, of which
 * nothing can be deleted. */
START_TEST(live_elements_are_read_before_they_are_deleted)
{
	SM_CLOSE_FD int fd =
		sm_bpf_map_create("test", SM_BPF_MAP_ARRAY, 4, sizeof(uint64_t), 8, 0);
	const uint32_t one = 1;
	uint64_t value = 0;

	if (forbidden(fd))
		return;
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(set_element(fd, one, 111), 0);
	ck_assert_int_eq(sm_bpf_map_take(fd, &one, &value), -EINVAL);
	ck_assert_uint_eq(value, 111);
}
END_TEST

static TCase *tc_asm(void)
{
	TCase *tc = tcase_create("asm");

	tcase_add_test(tc, instructions_have_the_kernels_layout);
	tcase_add_test(tc, each_emitter);
	return tc;
}

static TCase *tc_live(void)
{
	TCase *tc = tcase_create("live");

	tcase_add_test(tc, live_program_loads);
	tcase_add_test(tc, live_raw_tracepoint);
	tcase_add_test(tc, live_names);
	tcase_add_test(tc, live_verifier_says_why);
	tcase_add_test(tc, map_create_reports_errno);
	tcase_add_test(tc, live_elements_are_taken);
	tcase_add_test(tc, live_elements_are_read_before_they_are_deleted);
	return tc;
}

UNIT_MAIN("bpf", tc_asm, tc_live)
