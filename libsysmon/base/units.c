// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/units.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

#include "base/parse.h"

#define DAY_NS		(86400 * SM_NSEC_PER_SEC)
#define FRACTION_DIGITS 12
#define FRACTION_ONE	UINT64_C(1000000000000) /* 10^FRACTION_DIGITS */

/* A decimal number as it was written: whole + fraction / FRACTION_ONE. */
struct decimal {
	uint64_t whole;
	uint64_t fraction; /* digits after the twelfth are dropped */
	bool too_big;	   /* whole does not fit */
};

static bool scan_digits(const char **s, uint64_t *v, bool *too_big)
{
	const char *p = *s;

	*v = 0;
	for (; sm_parse_is_digit(*p); p++)
		if (__builtin_mul_overflow(*v, (uint64_t)10, v) ||
			__builtin_add_overflow(*v, (uint64_t)(*p - '0'), v))
			*too_big = true;
	if (p == *s)
		return false;
	*s = p;
	return true;
}

static bool scan_fraction(const char **s, uint64_t *fraction)
{
	const char *p = *s;
	uint64_t one = FRACTION_ONE;

	*fraction = 0;
	for (; sm_parse_is_digit(*p); p++) {
		one /= 10;
		*fraction += (uint64_t)(*p - '0') * one;
	}
	if (p == *s)
		return false;
	*s = p;
	return true;
}

/* Scans 12, 12.5 or .5 and moves *s past it. */
static bool scan_decimal(const char **s, struct decimal *d)
{
	bool whole;

	*d = (struct decimal){0};
	whole = scan_digits(s, &d->whole, &d->too_big);
	if (**s != '.')
		return whole;
	(*s)++;
	return scan_fraction(s, &d->fraction);
}

int sm_units_u64(const char *s, uint64_t *out)
{
	bool too_big = false;
	uint64_t v;

	if (!scan_digits(&s, &v, &too_big) || *s)
		return -EINVAL;
	if (too_big)
		return -ERANGE;
	*out = v;
	return 0;
}

/* Returns 0 if this is not a unit. */
static uint64_t duration_unit_ns(const char *unit, size_t n)
{
	static const struct {
		char name[4];
		uint64_t ns;
	} units[] = {
		{"s", SM_NSEC_PER_SEC},
		{"ms", SM_NSEC_PER_MSEC},
		{"us", 1000},
		{"ns", 1},
		{"m", 60 * SM_NSEC_PER_SEC},
		{"h", 3600 * SM_NSEC_PER_SEC},
		{"d", DAY_NS},
		{"w", 7 * DAY_NS},
		{"y", 365 * DAY_NS},
	};

	for (size_t i = 0; i < SM_ARRAY_SIZE(units); i++)
		if (strlen(units[i].name) == n && memcmp(unit, units[i].name, n) == 0)
			return units[i].ns;
	return 0;
}

/* Returns fraction / FRACTION_ONE * unit_ns in 64-bit arithmetic: units of a second or
 * more are multiples of 10^9 (a tenth of a year gives 3e18), smaller ones are at most
 * 10^6. */
static uint64_t fraction_ns(uint64_t fraction, uint64_t unit_ns)
{
	uint64_t s = unit_ns / SM_NSEC_PER_SEC;

	if (!s)
		return fraction * unit_ns / FRACTION_ONE;
	return (fraction / 10 * s + fraction % 10 * s / 10) /
	       (FRACTION_ONE / SM_NSEC_PER_SEC / 10);
}

/* Scans a number and its unit; *s is then after it.  bare_ns: unit of a number without
 * one at the end; 0: a unit is required. */
static int scan_duration(const char **s, uint64_t bare_ns, uint64_t *ns)
{
	struct decimal d;
	uint64_t unit_ns;
	size_t n;

	if (!scan_decimal(s, &d))
		return -EINVAL;
	n = strcspn(*s, "0123456789.");
	unit_ns = n ? duration_unit_ns(*s, n) : **s ? 0 : bare_ns;
	*s += n;
	if (unit_ns == 0)
		return -EINVAL;
	return d.too_big || __builtin_mul_overflow(d.whole, unit_ns, ns) ||
			       __builtin_add_overflow(
				       *ns, fraction_ns(d.fraction, unit_ns), ns)
		       ? -ERANGE
		       : 0;
}

int sm_units_time_ns(const char *s, const char *unit, uint64_t *out)
{
	uint64_t sum, more, bare_ns = duration_unit_ns(unit, strlen(unit));
	int err = scan_duration(&s, bare_ns, &sum);
	bool too_big = err == -ERANGE;

	/* Text after a number that is too big is still checked. */
	while ((!err || err == -ERANGE) && *s) {
		err = scan_duration(&s, 0, &more);
		too_big |= err == -ERANGE ||
			   (!err && __builtin_add_overflow(sum, more, &sum));
	}
	if (!err && !too_big)
		*out = sum;
	return err ? err : too_big ? -ERANGE : 0;
}

int sm_units_duration_ns(const char *s, uint64_t *out)
{
	return sm_units_time_ns(s, "s", out);
}

/* Returns the power of the multiplier of a size letter: k 1, M 2 ...; 0: not such a
 * letter.  There is no lower-case e, because 1e would be half of 1e3. */
static int size_power(char c)
{
	static const char letters[] = "KMGTPEkmgt";
	const char *at = c ? strchr(letters, c) : NULL;

	return at ? (int)((at - letters) % 6) + 1 : 0;
}

/* "", B; K, KiB: powers of 1024; kB: powers of 1000.  Returns 0 if this is not a unit. */
static uint64_t size_unit_bytes(const char *unit)
{
	int power = size_power(*unit);
	uint64_t base = 1024, bytes = 1;

	if (power == 0)
		return *unit == '\0' || strcmp(unit, "B") == 0;
	unit++;
	if (strcmp(unit, "B") == 0)
		base = 1000;
	else if (*unit && strcmp(unit, "iB") != 0)
		return 0;
	while (power-- > 0)
		bytes *= base;
	return bytes;
}

int sm_units_size_bytes(const char *s, uint64_t *out)
{
	bool too_big = false;
	uint64_t v, unit;

	if (!scan_digits(&s, &v, &too_big))
		return -EINVAL;
	unit = size_unit_bytes(s);
	if (unit == 0)
		return -EINVAL;
	if (too_big || __builtin_mul_overflow(v, unit, &v))
		return -ERANGE;
	*out = v;
	return 0;
}

int sm_units_percent(const char *s, uint32_t *centi)
{
	const uint64_t step = FRACTION_ONE / 100;
	struct decimal d;
	uint64_t v;

	if (!scan_decimal(&s, &d))
		return -EINVAL;
	s += *s == '%';
	if (*s)
		return -EINVAL;
	if (d.too_big || d.whole > UINT32_MAX)
		return -ERANGE;
	v = d.whole * 100 + (d.fraction + step / 2) / step;
	if (v > UINT32_MAX)
		return -ERANGE;
	*centi = (uint32_t)v;
	return 0;
}

/* Writes v < 1000 right-aligned in three columns. */
static void put_3_blank(char *to, unsigned int v)
{
	to[0] = v >= 100 ? (char)('0' + v / 100) : ' ';
	to[1] = v >= 10 ? (char)('0' + v / 10 % 10) : ' ';
	to[2] = (char)('0' + v % 10);
}

void sm_units_print_duration(struct sm_buf *b, uint64_t ns)
{
	/* below_ns is half a thousandth below the next unit: a value that would be
	 * rounded up to 60.000s is 1.000m.  A year has 365.25 days, 52.1786 weeks. */
	static const struct {
		uint64_t below_ns, milli_ns;
		char unit;
	} units[] = {
		{UINT64_C(59999500000), UINT64_C(1000000), 's'},
		{UINT64_C(3599970000000), UINT64_C(60000000), 'm'},
		{UINT64_C(86398200000000), UINT64_C(3600000000), 'h'},
		{UINT64_C(604756800000000), UINT64_C(86400000000), 'd'},
		{UINT64_C(31557556800000000), UINT64_C(604800000000), 'w'},
		{UINT64_MAX, UINT64_C(31557600000000), 'y'},
	};
	char *to = sm_buf_room(b, 8);
	unsigned int i = 0, milli;
	uint64_t half;

	if (!to)
		return;
	while (ns >= units[i].below_ns && i + 1 < SM_ARRAY_SIZE(units))
		i++;
	half = units[i].milli_ns / 2;
	milli = (unsigned int)(ns / units[i].milli_ns + (ns % units[i].milli_ns >= half));
	put_3_blank(to, milli / 1000);
	to[3] = '.';
	to[4] = (char)('0' + milli / 100 % 10);
	to[5] = (char)('0' + milli / 10 % 10);
	to[6] = (char)('0' + milli % 10);
	to[7] = units[i].unit;
	b->len += 8;
}

void sm_units_print_iec(struct sm_buf *b, uint64_t bytes)
{
	static const char prefixes[] = "KMGTPE";
	uint64_t whole, tenths;
	int power = 0;

	if (bytes < 1024) {
		sm_buf_u64(b, bytes);
		sm_buf_str(b, " B");
		return;
	}
	while (power < 6 && bytes >> (10 * power) >= 1024)
		power++;
	whole = bytes >> (10 * power);
	tenths = bytes & ((UINT64_C(1) << (10 * power)) - 1);
	tenths = (tenths * 10 + (UINT64_C(1) << (10 * power - 1))) >> (10 * power);
	whole = whole * 10 + tenths;
	if (whole == 10240 && power < 6) {
		whole = 10;
		power++;
	}
	sm_buf_fixed(b, whole, 1);
	sm_buf_chr(b, ' ');
	sm_buf_chr(b, prefixes[power - 1]);
	sm_buf_str(b, "iB");
}
