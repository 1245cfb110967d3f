// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "bpf/bpf.h"
#include "unit.h"

/* r0 = 0; exit: Documentation/bpf/instruction-set.rst */
static const struct bpf_insn nothing[] = {{.code = 0xb7}, {.code = 0x95}};

/* --- the kernel -------------------------------------------------------------------- */

static bool forbidden(int err)
{
	return err == -EPERM || err == -EACCES || err == -ENOSYS;
}

START_TEST(live_program_loads)
{
	int fd;

	fd = sm_bpf_prog_load("test_filter", SM_BPF_PROG_SOCKET_FILTER, nothing, 2, NULL);
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
	int prog, fd;

	prog = sm_bpf_prog_load("test_raw", SM_BPF_PROG_RAW_TRACEPOINT, nothing, 2, NULL);
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
	int fd;

	fd = sm_bpf_prog_load("a_name", SM_BPF_PROG_SOCKET_FILTER, nothing, 2, NULL);
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
	struct bpf_insn insn[301];
	struct sm_bpf_log log;
	int fd;

	for (int i = 0; i < 300; i++) /* a long log: its end counts */
		insn[i] = (struct bpf_insn){.code = 0xbf, .dst_reg = 2, .src_reg = 1};
	insn[300] = nothing[1]; /* without a result */
	memset(&log, 'x', sizeof(log));
	fd = sm_bpf_prog_load("test", SM_BPF_PROG_SOCKET_FILTER, insn, 301, &log);
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

UNIT_MAIN("bpf", tc_live)
