// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fuzz_pidstatus: /proc/PID/status.  A value is known exactly when there is a line for
 * it; the word of the state is harmless on a terminal; nothing is left of the text
 * before.
 */
#include <stdlib.h>
#include <string.h>

#include "proc/pidstatus.h"

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

static void check(const struct sm_pidstatus *v, const char *text, size_t size)
{
	size_t n = strnlen(v->state_word, sizeof(v->state_word));

	require(n < sizeof(v->state_word));
	for (size_t i = 0; i < n; i++)
		require(is_harmless(v->state_word[i]));
	require(v->threads >= -1);
	require(v->known >> SM_PIDSTATUS_KEYS == 0);
	for (enum sm_pidstatus_key k = 0; k < SM_PIDSTATUS_KEYS; k++) {
		const char *name = sm_pidstatus_name(k);
		bool known = v->known >> k & 1;

		require(!known || memmem(text, size, name, strlen(name)));
		require(known ? v->bytes[k] % 1024 == 0 : v->bytes[k] == 0);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char before[] = "State:\tS (sleeping)\nVmPeak:\t1 kB\nThreads:\t3\n";
	char *exact = malloc(size ? size : 1);
	struct sm_pidstatus v;

	require(exact != NULL);
	memcpy(exact, data, size);
	sm_pidstatus_parse(&v, before, sizeof(before) - 1);
	sm_pidstatus_parse(&v, exact, size);
	check(&v, exact, size);
	free(exact);
	return 0;
}
