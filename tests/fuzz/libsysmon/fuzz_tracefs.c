// SPDX-License-Identifier: GPL-2.0-or-later
/* The text of an event's format file. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "events/tracefs.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool ok)
{
	if (!ok)
		abort();
}

static void check(const char *text, size_t size, const char *field)
{
	struct sm_tracefs_field f, again;
	int rc = sm_tracefs_format_parse(text, size, field, &f);

	require(rc == 0 || rc == -ENOENT || rc == -EBADMSG);
	if (rc == -ENOENT)
		return;
	require(memmem(text, size, "field:", 6) != NULL);
	require(memmem(text, size, field, strlen(field)) != NULL);
	if (rc < 0)
		return;
	require(sm_tracefs_format_parse(text, size, field, &again) == 0);
	require(f.offset == again.offset && f.size == again.size);
	require(!f.data_loc || memmem(text, size, "__data_loc ", 11) != NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;

	check(text, size, "pid");
	check(text, size, "filename");
	check(text, size, "comm");
	check(text, size, "common_pid");
	return 0;
}
