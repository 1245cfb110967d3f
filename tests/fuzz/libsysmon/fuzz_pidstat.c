// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fuzz_pidstat: /proc/PID/stat.  What is accepted must be within the documented ranges.
 */
#include <stdlib.h>
#include <string.h>

#include "proc/procpid.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sm_pidstat st;

	if (sm_procpid_parse_stat((const char *)data, size, &st) < 0)
		return 0;
	if (st.comm_len > SM_PIDSTAT_COMM_MAX || strlen(st.comm) != st.comm_len)
		abort();
	if (!memmem(data, size, st.comm, st.comm_len))
		abort();
	if (st.pid <= 0 || st.ppid < 0 || st.pgrp < -1 || st.session < -1)
		abort();
	if (st.num_threads < 0 || st.processor < 0)
		abort();
	if (!memchr(data, st.state, size) || st.state < 'A' || st.state > 'z')
		abort();
	return 0;
}
