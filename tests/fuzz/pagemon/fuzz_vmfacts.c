// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fuzz_vmfacts: /proc/PID/status.  A value is known exactly when there is a line for it;
 * the word of the state is harmless on a terminal; nothing is left of the text before.
 */
#include <stdlib.h>
#include <string.h>

#include "facts/vmfacts.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool ok)
{
	if (!ok)
		abort();
}

static bool is_harmless(char c)
{
	return c == ' ' || c == '-' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static void check(const struct vmfacts *v, const char *text, size_t size)
{
	size_t n = strnlen(v->state_word, sizeof(v->state_word));

	require(n < sizeof(v->state_word));
	for (size_t i = 0; i < n; i++)
		require(is_harmless(v->state_word[i]));
	require(v->threads >= -1);
	require(v->known >> VM_PSS == 0);
	for (enum vm_key k = 0; k < VM_PSS; k++) {
		const char *name = vm_name(k);

		require(!vm_known(v, k) || memmem(text, size, name, strlen(name)));
		require(!vm_known(v, k) || v->bytes[k] % 1024 == 0);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char before[] = "State:\tS (sleeping)\nVmPeak:\t1 kB\nThreads:\t3\n";
	char *exact = malloc(size ? size : 1);
	struct vmfacts v;

	require(exact != NULL);
	memcpy(exact, data, size);
	vmfacts_init(&v);
	vmfacts_parse_status(&v, before, sizeof(before) - 1);
	vmfacts_parse_status(&v, exact, size);
	check(&v, exact, size);
	vmfacts_fini(&v);
	free(exact);
	return 0;
}
