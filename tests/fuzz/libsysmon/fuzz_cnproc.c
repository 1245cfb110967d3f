// SPDX-License-Identifier: GPL-2.0-or-later
/* One datagram of the process events connector. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "events/cnproc.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool ok)
{
	if (!ok)
		abort();
}

/* Bytes after the message's length must not matter. */
static void same_without_the_rest(
	const uint8_t *data, size_t size, const struct sm_proc_event *ev)
{
	struct sm_proc_event again;
	uint32_t len, ack;

	memcpy(&len, data, sizeof(len));
	require(len <= size);
	require(sm_cnproc_parse(data, len, &again, &ack) == 0);
	require(memcmp(ev, &again, sizeof(again)) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sm_proc_event ev;
	uint32_t ack = 1;
	int rc = sm_cnproc_parse(data, size, &ev, &ack);

	require(rc == 0 || rc == -EBADMSG);
	if (rc < 0) {
		require(ack == 0);
		return 0;
	}
	require((ev.what & ~SM_PROC_ALL) == 0);
	require((ev.what & (ev.what - 1)) == 0); /* one kind */
	require(ack == 0 || ev.what == SM_PROC_NONE);
	require(memchr(ev.comm, '\0', sizeof(ev.comm)) != NULL);
	require(ev.comm[0] == '\0' || ev.what == SM_PROC_COMM);
	require(ev.exit_code == 0 || ev.what == (uint32_t)SM_PROC_EXIT);
	same_without_the_rest(data, size, &ev);
	return 0;
}
