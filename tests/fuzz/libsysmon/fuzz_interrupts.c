// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fuzz_interrupts: a line of /proc/interrupts.  What is not the line of the name leaves
 * the sum as it was; a count more at the end of the line changes nothing but the sum.
 */
#include <stdlib.h>
#include <string.h>

#include "proc/interrupts.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool ok)
{
	if (!ok)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	uint64_t sum = 17, longer = 17;
	char line[256];
	bool is;

	if (size > sizeof(line) - 2)
		return 0;
	is = sm_interrupts_parse(text, size, "TLB", &sum);
	require(is || sum == 17);
	memcpy(line, text, size);
	memcpy(line + size, " 1", 2);
	require(sm_interrupts_parse(line, size + 2, "TLB", &longer) == is);
	require(!is || longer == sum || longer == sum + 1);
	return 0;
}
