// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fuzz_units: parsers take a whole number or fail with -EINVAL or -ERANGE and leave the
 * result alone; printers keep their width and alphabet.  The input serves as text and,
 * its first eight bytes, as a number to print.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define UNTOUCHED UINT64_C(0x5a5a5a5a5a5a5a5a)

static void require(bool ok)
{
	if (!ok)
		abort();
}

static void check_parser(int (*fn)(const char *, uint64_t *), const char *s)
{
	uint64_t v = UNTOUCHED;
	int ret = fn(s, &v);

	require(ret == 0 || ret == -EINVAL || ret == -ERANGE);
	require(ret == 0 || v == UNTOUCHED);
	if (ret == 0) /* no sign, blank, exponent or hexadecimal is accepted */
		require((*s == '.' || (*s >= '0' && *s <= '9')) &&
			!strpbrk(s, "+- \t\nexX,"));
}

static void check_percent(const char *s)
{
	uint32_t v = 0x5a5a5a5a;
	int ret = sm_units_percent(s, &v);

	require(ret == 0 || ret == -EINVAL || ret == -ERANGE);
	require(ret == 0 || v == 0x5a5a5a5a);
}

static void check_duration(uint64_t ns)
{
	struct sm_buf b = {0};

	sm_units_print_duration(&b, ns);
	require(b.len == 8 && b.p[3] == '.' && memchr("smhdwy", b.p[7], 6));
	require(memcmp(b.p, " 60.000", 7) != 0 && memcmp(b.p, "  0.000m", 8) != 0);
	for (int i = 0; i < 7; i++)
		require(i == 3 || (i < 2 && b.p[i] == ' ') ||
			(b.p[i] >= '0' && b.p[i] <= '9'));
	sm_buf_fini(&b);
}

static void check_printers(const uint8_t *data)
{
	struct sm_buf b = {0};
	uint64_t v;

	memcpy(&v, data, sizeof(v));
	check_duration(v);
	check_duration(v >> (v & 63));
	sm_units_print_iec(&b, v);
	require(b.len >= 3 && b.len <= 10 && b.p[b.len - 1] == 'B');
	sm_buf_fini(&b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *s = malloc(size + 1);

	if (!s)
		return 0;
	memcpy(s, data, size);
	s[size] = '\0';
	check_parser(sm_units_u64, s);
	check_parser(sm_units_duration_ns, s);
	check_parser(sm_units_size_bytes, s);
	check_percent(s);
	if (size >= 8)
		check_printers(data);
	free(s);
	return 0;
}
