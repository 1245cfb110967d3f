// SPDX-License-Identifier: GPL-2.0-or-later
/* A raw page of a trace buffer, of a 64-bit and of a 32-bit kernel; and the text of
 * events/header_page. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "kernel/tracepage.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool ok)
{
	if (!ok)
		abort();
}

/* All bytes, for the sanitizer. */
static unsigned int read_bytes(const unsigned char *p, size_t n)
{
	unsigned int bits = 0;

	for (size_t i = 0; i < n; i++)
		bits |= p[i];
	return bits;
}

static void check_records(struct sm_tracepage *t, const uint8_t *data, size_t size)
{
	const unsigned char *before = t->p;
	const void *record;
	size_t len;
	int got;

	require(t->p >= data && t->end >= t->p && t->end <= data + size);
	while ((got = sm_tracepage_next(t, &record, &len)) == 1) {
		require((const unsigned char *)record > before && t->p > before);
		require((const unsigned char *)record + len <= t->p && t->p <= t->end);
		require(read_bytes(record, len) < 256);
		before = t->p;
	}
	require(got == 0 || got == -EBADMSG);
	require(sm_tracepage_next(t, &record, &len) == 0);
}

static void check_page(
	const struct sm_tracepage_layout *l, const uint8_t *data, size_t size)
{
	struct sm_tracepage t;
	int err = sm_tracepage_begin(&t, l, data, size);
	const void *record;
	size_t len;

	require(err == 0 || err == -EBADMSG);
	if (err)
		require(sm_tracepage_next(&t, &record, &len) == 0);
	else
		check_records(&t, data, size);
}

static void check_text(const uint8_t *data, size_t size)
{
	struct sm_tracepage_layout l;

	if (sm_tracepage_layout_parse((const char *)data, size, &l) < 0)
		return;
	require(l.commit_bytes == 4 || l.commit_bytes == 8);
	require(l.time_offset + 8 <= l.data_offset);
	require(l.commit_offset + l.commit_bytes <= l.data_offset);
	require(l.data_offset <= l.page_bytes);
	check_page(&l, data, size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct sm_tracepage_layout wide = {0, 8, 8, 16, 4096};
	static const struct sm_tracepage_layout narrow = {0, 8, 4, 12, 4096};

	check_page(&wide, data, size);
	check_page(&narrow, data, size);
	check_text(data, size);
	return 0;
}
