// SPDX-License-Identifier: GPL-2.0-or-later
/* Programs that are loaded while signals come. */
#include <errno.h>
#include <unistd.h>

#include "bpf/bpf.h"
#include "syscall_rig.h"
#include "unit.h"

/* r0 = 0; exit: Documentation/bpf/instruction-set.rst */
static const struct bpf_insn nothing[] = {{.code = 0xb7}, {.code = 0x95}};

static unsigned int interruptions, loads; /* signals to come; calls */

/* Returns EAGAIN as the verifier does if a signal comes. */
static int syscall_called(long nr, const long a[6])
{
	if (nr != SYS_bpf || a[0] != BPF_PROG_LOAD)
		return 0;
	loads++;
	if (!interruptions)
		return 0;
	interruptions--;
	return EAGAIN;
}

START_TEST(signals_end_the_verifier)
{
	int fd;

	interruptions = 4;
	fd = sm_bpf_prog_load("test_again", SM_BPF_PROG_SOCKET_FILTER, nothing, 2, NULL);
	ck_assert_uint_ge(loads, 5);
	ck_assert(fd >= 0 || fd == -EPERM || fd == -EACCES || fd == -ENOSYS);
	if (fd >= 0)
		close(fd);
	/* At most five attempts are made. */
	interruptions = 1000;
	fd = sm_bpf_prog_load("test_again", SM_BPF_PROG_SOCKET_FILTER, nothing, 2, NULL);
	ck_assert_int_eq(fd, -EAGAIN);
	ck_assert_uint_eq(interruptions, 995);
}
END_TEST

static TCase *tc_signals(void)
{
	TCase *tc = tcase_create("signals");

	tcase_add_test(tc, signals_end_the_verifier);
	return tc;
}

UNIT_MAIN("bpf_signals", tc_signals)
