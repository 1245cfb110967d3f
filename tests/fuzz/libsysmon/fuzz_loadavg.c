// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fuzz_loadavg: /proc/loadavg.  What is accepted must be, leading zeros aside, what the
 * kernel's format makes of the numbers; nothing else is.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proc/procstat.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool ok)
{
	if (!ok)
		abort();
}

/* Without zeros that have a digit behind and none before. */
static size_t without_leading_zeros(const uint8_t *data, size_t size, char *to)
{
	size_t n = 0;
	bool inside = false;

	for (size_t i = 0; i < size; i++) {
		bool digit = data[i] >= '0' && data[i] <= '9';
		bool more = i + 1 < size && data[i + 1] >= '0' && data[i + 1] <= '9';

		if (data[i] == '0' && !inside && more)
			continue;
		inside = digit || data[i] == '.';
		to[n++] = (char)data[i];
	}
	return n;
}

static void check_round_trip(const struct sm_loadavg *l, const char *text, size_t n)
{
	char want[256];
	int len = snprintf(want, sizeof(want), "%u.%02u %u.%02u %u.%02u %u/%u %d\n",
		l->centi[0] / 100, l->centi[0] % 100, l->centi[1] / 100,
		l->centi[1] % 100, l->centi[2] / 100, l->centi[2] % 100, l->running,
		l->tasks, (int)l->last_pid);

	if (n == 0 || text[n - 1] != '\n')
		len--;
	require(n == (size_t)len && memcmp(text, want, n) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sm_loadavg l;
	int ret = sm_procstat_parse_loadavg((const char *)data, size, &l);
	char *text;

	require(ret == 0 || ret == -EBADMSG);
	if (ret < 0)
		return 0;
	require(l.last_pid >= 0);
	text = malloc(size + 1);
	if (!text)
		return 0;
	check_round_trip(&l, text, without_leading_zeros(data, size, text));
	free(text);
	return 0;
}
