// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fuzz_ksyms: only whole lines are taken, names are terminated and belong to addresses
 * that were asked for.
 */
#include <stdlib.h>
#include <string.h>

#include "proc/ksyms.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool ok)
{
	if (!ok)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const uint64_t address[] = {0, 1, 0xf, 0xffffffff81000000, UINT64_MAX};
	struct sm_ksyms k = SM_KSYMS_INIT;
	size_t n = SM_ARRAY_SIZE(address), missing = n, used, named = 0;

	for (size_t i = 0; i < n; i++)
		require(sm_ksyms_add(&k, address[n - 1 - i]) == 0);
	used = sm_ksyms_parse(&k, (const char *)data, size, &missing);
	require(used <= size && (used == 0 || data[used - 1] == '\n'));
	require(missing == 0 || !memchr(data + used, '\n', size - used));
	for (size_t i = 0; i < n; i++)
		named += sm_ksyms_name(&k, address[i])[0] != '\0';
	require(named == n - missing);
	sm_ksyms_close(&k);
	return 0;
}
