// SPDX-License-Identifier: GPL-2.0-or-later
/* Records of the BPF programs, from bytes. */
#include <errno.h>
#include <string.h>

#include "forkstat/execbpf.h"
#include "unit.h"

static unsigned char raw_bytes[sizeof(struct execbpf_raw) + 256];

static const struct execbpf_raw sample = {
	.kind = EXECBPF_EXEC,
	.time_ns = 123456789012345,
	.expect_len = 6,
	.comm = "busybox",
	.pid = 4321,
	.file_len = 8,
	.args_len = 6,
};

/* tail: the strings, n bytes of them. */
static int parse(
	const struct execbpf_raw *h, const char *tail, size_t n, struct execbpf_record *r)
{
	memcpy(raw_bytes, h, sizeof(*h));
	memcpy(raw_bytes + sizeof(*h), tail, n);
	return execbpf_parse(raw_bytes, sizeof(*h) + n, r);
}

START_TEST(record_is_decoded)
{
	struct execbpf_record r;

	ck_assert_int_eq(parse(&sample, "/bin/ls\0ls\0-l\0", 14, &r), 0);
	ck_assert_int_eq(r.pid, 4321);
	ck_assert_uint_eq(r.time_ns, 123456789012345);
	ck_assert_uint_eq(r.file_len, 7);
	ck_assert_mem_eq(r.file, "/bin/ls", 7);
	ck_assert_uint_eq(r.args_len, 6);
	ck_assert_mem_eq(r.args, "ls\0-l\0", 6);
	ck_assert_str_eq(r.comm, "busybox");
	ck_assert_uint_eq(r.expect_len, 6);
	ck_assert(!r.truncated);
}
END_TEST

START_TEST(cut_arguments_are_truncated)
{
	struct execbpf_raw h = sample;
	struct execbpf_record r;

	h.expect_len = 60000;
	h.args_len = 5; /* within the second string */
	ck_assert_int_eq(parse(&h, "/bin/ls\0ls\0-l", 13, &r), 0);
	ck_assert_uint_eq(r.args_len, 5);
	ck_assert_mem_eq(r.args, "ls\0-l", 5);
	ck_assert(r.truncated);
	ck_assert_uint_eq(r.expect_len, 60000);
	h.args_len = 3; /* just behind the first */
	ck_assert_int_eq(parse(&h, "/bin/ls\0ls", 11, &r), 0);
	ck_assert_uint_eq(r.args_len, 3);
	ck_assert(r.truncated);
}
END_TEST

START_TEST(comm_ends_whatever_the_record_says)
{
	struct execbpf_raw h = sample;
	struct execbpf_record r;

	memset(h.comm, 'x', sizeof(h.comm));
	ck_assert_int_eq(parse(&h, "/bin/ls\0ls\0-l\0", 14, &r), 0);
	ck_assert_str_eq(r.comm, "xxxxxxxxxxxxxxx");
}
END_TEST

START_TEST(unread_arguments_are_absent)
{
	struct execbpf_raw h = sample;
	struct execbpf_record r;

	h.args_len = 0;
	ck_assert_int_eq(parse(&h, "/bin/ls\0", 8, &r), 0);
	ck_assert_ptr_null(r.args);
	ck_assert_uint_eq(r.args_len, 0);
	ck_assert(!r.truncated);
	ck_assert_uint_eq(r.expect_len, 6);
	ck_assert_mem_eq(r.file, "/bin/ls", 7);
}
END_TEST

START_TEST(file_name_may_be_absent_or_cut)
{
	struct execbpf_raw h = sample;
	struct execbpf_record r;

	h.file_len = 0;
	ck_assert_int_eq(parse(&h, "ls\0-l\0", 6, &r), 0);
	ck_assert_ptr_null(r.file);
	ck_assert_mem_eq(r.args, "ls\0-l\0", 6);
	h.file_len = 4;
	ck_assert_int_eq(parse(&h, "/binls\0-l\0", 10, &r), 0);
	ck_assert_uint_eq(r.file_len, 4);
	ck_assert_mem_eq(r.file, "/bin", 4);
}
END_TEST

START_TEST(what_does_not_fit_is_no_record)
{
	struct execbpf_raw h = sample;
	struct execbpf_record r;

	ck_assert_int_eq(parse(&h, "/bin/ls\0ls\0-l", 13, &r), -EBADMSG);
	ck_assert_ptr_null(r.args);
	h.file_len = UINT32_MAX;
	ck_assert_int_eq(parse(&h, "/bin/ls\0ls\0-l\0", 14, &r), -EBADMSG);
	h.file_len = 8;
	h.args_len = UINT32_MAX;
	ck_assert_int_eq(parse(&h, "/bin/ls\0ls\0-l\0", 14, &r), -EBADMSG);
	h = sample;
	h.env_len = 1;
	ck_assert_int_eq(parse(&h, "/bin/ls\0ls\0-l\0", 14, &r), -EBADMSG);
	h = sample;
	h.kind = SM_CGROUP_RAW;
	ck_assert_int_eq(parse(&h, "/bin/ls\0ls\0-l\0", 14, &r), -EBADMSG);
	ck_assert_int_eq(execbpf_parse(raw_bytes, sizeof(h) - 1, &r), -EBADMSG);
	ck_assert_int_eq(execbpf_parse(raw_bytes, 0, &r), -EBADMSG);
}
END_TEST

START_TEST(facts_are_decoded)
{
	struct execbpf_raw h = sample;
	struct execbpf_record r;

	ck_assert_int_eq(parse(&h, "/bin/ls\0ls\0-l\0", 14, &r), 0);
	ck_assert_uint_eq(r.cgroup, 0);
	ck_assert(!r.has_loginuid);
	ck_assert_int_eq(r.env_state, EXECBPF_ENV_UNKNOWN);
	ck_assert_ptr_null(r.env);
	h.cgroup = 0x0100000000000039;
	h.loginuid = 1000;
	h.has_loginuid = 1;
	h.env = EXECBPF_ENV_SET;
	h.env_len = 6;
	ck_assert_int_eq(parse(&h, "AB=cd\0/bin/ls\0ls\0-l\0", 20, &r), 0);
	ck_assert_uint_eq(r.cgroup, 0x0100000000000039);
	ck_assert(r.has_loginuid);
	ck_assert_uint_eq(r.loginuid, 1000);
	ck_assert_int_eq(r.env_state, EXECBPF_ENV_SET);
	ck_assert_uint_eq(r.env_len, 5);
	ck_assert_mem_eq(r.env, "AB=cd", 5);
	ck_assert_mem_eq(r.file, "/bin/ls", 7);
	ck_assert_mem_eq(r.args, "ls\0-l\0", 6);
	h.env_len = 0; /* found, and not readable any more */
	ck_assert_int_eq(parse(&h, "/bin/ls\0ls\0-l\0", 14, &r), 0);
	ck_assert_int_eq(r.env_state, EXECBPF_ENV_UNKNOWN);
	h.env = 99;
	ck_assert_int_eq(parse(&h, "/bin/ls\0ls\0-l\0", 14, &r), 0);
	ck_assert_int_eq(r.env_state, EXECBPF_ENV_UNKNOWN);
}
END_TEST

START_TEST(name_of_the_variable)
{
	struct execbpf_facts f = {0};
	char name[200];

	ck_assert(execbpf_env_name(&f, "A"));
	ck_assert_mem_eq(f.env_name, "A=\0\0\0\0\0\0", 8);
	ck_assert_mem_eq(f.env_mask, "\xff\xff\0\0\0\0\0\0", 8);
	ck_assert_uint_eq(f.env_mask[1], 0);
	memset(name, 'N', sizeof(name));
	name[sizeof(f.env_name) - 1] = '\0';
	ck_assert(execbpf_env_name(&f, name));
	name[sizeof(f.env_name) - 1] = 'N';
	name[sizeof(name) - 1] = '\0';
	ck_assert(!execbpf_env_name(&f, name));
	ck_assert_mem_eq(f.env_name, name, sizeof(f.env_name));
}
END_TEST

static TCase *tc_decode(void)
{
	TCase *tc = tcase_create("decode");

	tcase_add_test(tc, record_is_decoded);
	tcase_add_test(tc, cut_arguments_are_truncated);
	tcase_add_test(tc, comm_ends_whatever_the_record_says);
	tcase_add_test(tc, unread_arguments_are_absent);
	tcase_add_test(tc, file_name_may_be_absent_or_cut);
	tcase_add_test(tc, what_does_not_fit_is_no_record);
	tcase_add_test(tc, facts_are_decoded);
	tcase_add_test(tc, name_of_the_variable);
	return tc;
}

UNIT_MAIN("execbpf_decode", tc_decode)
