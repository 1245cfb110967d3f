// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fuzz_smaps: /proc/PID/smaps and smaps_rollup.  Mappings are in order and apart; a
 * figure is known exactly when it has a bit; flags are printable, in pairs.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "proc/smaps.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool ok)
{
	if (!ok)
		abort();
}

static void check_flags(const struct sm_smaps *s)
{
	size_t n = strnlen(s->flags, sizeof(s->flags));

	require(n < sizeof(s->flags) && (n == 0 || (s->flags_known && n % 3 == 2)));
	for (size_t i = 0; i < n; i++) {
		if (i % 3 == 2)
			require(s->flags[i] == ' ');
		else
			require(s->flags[i] > ' ' && s->flags[i] < '\x7f');
	}
	require(sm_smaps_flag(s, "rd") == -ENODATA || s->flags_known);
	if (n)
		require(sm_smaps_flag(s, s->flags) == 1);
}

static void check_figures(const struct sm_smaps *s)
{
	uint64_t kb;

	require(s->known >> SM_SMAPS_N == 0);
	for (enum sm_smaps_figure i = 0; i < SM_SMAPS_N; i++)
		require((sm_smaps_get(s, i, &kb) == 0) == (s->known >> i & 1));
}

static int in_order(void *ctx, uint64_t start, uint64_t end, const struct sm_smaps *s)
{
	uint64_t *last_end = ctx;

	require(start >= *last_end && end > start);
	*last_end = end;
	check_figures(s);
	check_flags(s);
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int fd = -1;
	struct sm_buf scratch = {.len = 0};
	struct sm_smaps sums;
	uint64_t last_end = 0;
	int ret;

	if (fd < 0)
		fd = memfd_create("smaps", MFD_CLOEXEC);
	require(fd >= 0 && ftruncate(fd, 0) == 0);
	require(pwrite(fd, data, size, 0) == (ssize_t)size);
	ret = sm_smaps_read(fd, fd, &scratch, in_order, &last_end);
	require(ret == 0 || ret == -EBADMSG || (ret == -ESRCH && size == 0));
	ret = sm_smaps_read_rollup(fd, &scratch, &sums);
	require(ret == 0 || ret == -EBADMSG || (ret == -ESRCH && size == 0));
	if (ret == 0) {
		check_figures(&sums);
		check_flags(&sums);
	}
	sm_buf_fini(&scratch);
	return 0;
}
