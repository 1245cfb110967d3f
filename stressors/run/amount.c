// SPDX-License-Identifier: GPL-2.0-or-later
#include "amount.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/parse.h"
#include "base/units.h"
#include "proc/cpucache.h"

#define WHOLE 10000u /* hundredths of a percent */

int amount_count(const char *s, uint64_t *n)
{
	/* Only a size may have a suffix for bytes. */
	return strpbrk(s, "bB") ? -EINVAL : sm_units_size_bytes(s, n);
}

static bool is_cache(const char *s)
{
	return (s[0] == 'l' || s[0] == 'L') && s[1] >= '1' &&
	       s[1] < '1' + AMOUNT_CACHES && !s[2];
}

static int percent(const char *s, struct amount *a)
{
	uint32_t centi = 0;
	int err = sm_units_percent(s, &centi);

	if (err == 0 && centi > WHOLE)
		err = -ERANGE;
	*a = (struct amount){AMOUNT_PERCENT, centi};
	return err;
}

#define FRACTION_DIGITS 9

/* Parses "1.5g": a whole number, a point, a fraction and a unit. */
static int with_fraction(const char *s, const char *point, uint64_t *n)
{
	size_t digits = strspn(point + 1, "0123456789");
	struct sm_str before = {s, (size_t)(point - s)}, after = {point + 1, digits};
	uint64_t whole, part, unit, scale = 1;
	char one[16];

	if (!digits || digits > FRACTION_DIGITS || !sm_parse_whole_u64(before, &whole) ||
		!sm_parse_whole_u64(after, &part) || strlen(after.p + digits) > 4)
		return -EINVAL;
	snprintf(one, sizeof(one), "1%s", after.p + digits);
	if (sm_units_size_bytes(one, &unit) < 0 || unit == 1)
		return -EINVAL;
	for (size_t i = 0; i < digits; i++)
		scale *= 10;
	if (__builtin_mul_overflow(whole, unit, n))
		return -ERANGE;
	/* part < scale <= 10^9: the product of the remainder fits. */
	part = unit / scale * part + unit % scale * part / scale;
	return __builtin_add_overflow(*n, part, n) ? -ERANGE : 0;
}

/* Parses "4096b" in addition to the suffixes of units.h, which has only the capital
 * letter. */
static int bytes(const char *s, uint64_t *n)
{
	size_t len = strlen(s);
	struct sm_str digits = {s, len ? len - 1 : 0};
	const char *point = strchr(s, '.');

	if (len && s[len - 1] == 'b')
		return sm_parse_whole_u64(digits, n) ? 0 : -EINVAL;
	if (point)
		return with_fraction(s, point, n);
	return sm_units_size_bytes(s, n);
}

int amount_size(const char *s, struct amount *a)
{
	size_t len = strlen(s);

	if (is_cache(s)) {
		*a = (struct amount){AMOUNT_CACHE, (uint64_t)(s[1] - '0')};
		return 0;
	}
	if (len && s[len - 1] == '%')
		return percent(s, a);
	*a = (struct amount){0};
	return bytes(s, &a->n);
}

void amount_caches(struct amount_base *b, const struct sm_root *root)
{
	for (unsigned int i = 0; i < AMOUNT_CACHES; i++)
		if (sm_cpucache_bytes(root, 0, i + 1, &b->cache[i]) < 0)
			b->cache[i] = 0;
}

int amount_resolve(const struct amount *a, const struct amount_base *b, uint64_t *n)
{
	*n = a->n;
	if (a->kind == AMOUNT_PERCENT)
		*n = b->free / WHOLE * a->n + b->free % WHOLE * a->n / WHOLE;
	if (a->kind == AMOUNT_CACHE)
		*n = b->cache[a->n - 1];
	if ((a->kind == AMOUNT_CACHE && !*n) || (a->kind == AMOUNT_PERCENT && !b->free))
		return -ENODATA;
	return 0;
}

static void put(struct sm_buf *b, uint64_t v, const char *const *unit,
	const uint64_t *scale, size_t n)
{
	size_t i = 0;

	while (i + 1 < n && (v < scale[i] || v % scale[i] != 0))
		i++;
	sm_buf_u64(b, v / scale[i]);
	sm_buf_str(b, unit[i]);
}

void amount_put_size(struct sm_buf *b, uint64_t v)
{
	static const char *const unit[] = {"T", "G", "M", "K", ""};
	static const uint64_t scale[] = {
		UINT64_C(1) << 40, 1u << 30, 1u << 20, 1u << 10, 1};

	put(b, v, unit, scale, SM_ARRAY_SIZE(unit));
}

void amount_put_time(struct sm_buf *b, uint64_t ns)
{
	static const char *const unit[] = {"d", "h", "m", "s", "ms", "us", "ns"};
	static const uint64_t scale[] = {86400 * SM_NSEC_PER_SEC, 3600 * SM_NSEC_PER_SEC,
		60 * SM_NSEC_PER_SEC, SM_NSEC_PER_SEC, SM_NSEC_PER_MSEC, 1000, 1};

	put(b, ns, unit, scale, SM_ARRAY_SIZE(unit));
}
