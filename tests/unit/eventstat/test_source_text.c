// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>

#include "cli/err.h"
#include "fixroot_rig.h"
#include "source.h"

static struct source s;
static struct sm_buf text;

static void setup(void)
{
	fix_open();
	s = (struct source){.root = &fix, .wait_fd = -1};
}

static void teardown(void)
{
	sm_buf_fini(&text);
	fix_close();
}

static const char *reasons(void)
{
	sm_buf_reset(&text);
	source_reasons(&s, &text);
	sm_buf_chr(&text, '\0');
	return text.p;
}

START_TEST(nothing_refused)
{
	ck_assert_str_eq(reasons(), "");
}
END_TEST

START_TEST(no_rights)
{
	s.refused[METHOD_BPF] = -EPERM;
	s.refused[METHOD_PERF] = -EACCES;
	ck_assert_str_eq(reasons(), "bpf: Operation not permitted (needs root on the "
				    "host, or CAP_BPF and CAP_PERFMON); "
				    "perf: Permission denied (needs root on the host, or "
				    "CAP_PERFMON and read access to "
				    "tracefs)");
	ck_assert_int_eq(source_exit(&s), SM_EXIT_PERMISSION);
}
END_TEST

START_TEST(old_kernel)
{
	s.refused[METHOD_BPF] = -EINVAL;
	s.refused[METHOD_PERF] = -ENOENT;
	ck_assert_str_eq(reasons(),
		"bpf: Invalid argument (needs 64-bit Linux 5.8 or later); "
		"perf: No such file or directory (mount -t tracefs nodev "
		"/sys/kernel/tracing)");
	ck_assert_int_eq(source_exit(&s), SM_EXIT_FEATURE);
}
END_TEST

START_TEST(one_right_would_help)
{
	s.refused[METHOD_BPF] = -ENOSYS;
	s.refused[METHOD_PERF] = -EPERM;
	ck_assert_int_eq(source_exit(&s), SM_EXIT_PERMISSION);
	s.refused[METHOD_PERF] = -EMFILE;
	ck_assert_ptr_nonnull(strstr(reasons(),
		"perf: Too many open files (needs five file descriptors per "
		"CPU; raise ulimit -n)"));
	ck_assert_int_eq(source_exit(&s), SM_EXIT_FEATURE);
	s.refused[METHOD_PERF] = -ENOMEM;
	ck_assert_int_eq(source_exit(&s), SM_EXIT_RUNTIME);
}
END_TEST

START_TEST(lockdown)
{
	fix_put("sys/kernel/security/lockdown", "none integrity [confidentiality]\n");
	s.refused[METHOD_BPF] = -EINVAL;
	s.refused[METHOD_PERF] = -EPERM;
	ck_assert_str_eq(reasons(),
		"bpf: Invalid argument (kernel lockdown: confidentiality); "
		"perf: Operation not permitted (kernel lockdown: confidentiality)");
	fix_put("sys/kernel/security/lockdown", "none [integrity] confidentiality\n");
	ck_assert_ptr_null(strstr(reasons(), "lockdown"));
}
END_TEST

static TCase *tc_text(void)
{
	TCase *tc = tcase_create("text");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, nothing_refused);
	tcase_add_test(tc, no_rights);
	tcase_add_test(tc, old_kernel);
	tcase_add_test(tc, one_right_would_help);
	tcase_add_test(tc, lockdown);
	return tc;
}

UNIT_MAIN("source_text", tc_text)
