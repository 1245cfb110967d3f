// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fuzz_pidcred: /proc/PID/status.  Accepted text must be complete, and further text must
 * not change the result.
 */
#include <stdlib.h>
#include <string.h>

#include "proc/procpid.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char tail[] = "\nTgid:\t1\nPPid:\t1\nUid:\tx\nGid:\t-1\n";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sm_pidcred c = {0}, again = {0};
	char *longer;

	if (sm_procpid_parse_cred((const char *)data, size, &c) < 0)
		return 0;
	if (c.tgid < 0 || c.ppid < 0)
		abort();
	if (!memmem(data, size, "Tgid:", 5) || !memmem(data, size, "Gid:", 4))
		abort();
	longer = malloc(size + sizeof(tail));
	if (!longer)
		return 0;
	memcpy(longer, data, size);
	memcpy(longer + size, tail, sizeof(tail));
	if (sm_procpid_parse_cred(longer, size + sizeof(tail), &again) < 0)
		abort();
	if (memcmp(&c, &again, sizeof(c)) != 0)
		abort();
	free(longer);
	return 0;
}
