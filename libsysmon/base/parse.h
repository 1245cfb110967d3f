/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * parse: overflow-checked scanners on (cursor, end).  They allocate no memory, need no NUL and never
 * read past end.  Each returns true and moves the cursor past the parsed text, or returns false and
 * leaves the cursor unchanged.
 */
#ifndef SM_PARSE_H
#define SM_PARSE_H

#include <string.h>
#include "base/base.h"

static inline bool sm_parse_is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static inline bool sm_parse_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static inline void sm_parse_skip_blanks(const char **p, const char *end)
{
	while (*p < end && sm_parse_is_blank(**p))
		(*p)++;
}

/* Decimal digits; false without digits or if the value does not fit. */
static inline bool sm_parse_u64(const char **p, const char *end, uint64_t *out)
{
	const char *s = *p;
	uint64_t v = 0;

	if (s >= end || !sm_parse_is_digit(*s))
		return false;
	for (; s < end && sm_parse_is_digit(*s); s++)
		if (__builtin_mul_overflow(v, (uint64_t)10, &v) ||
			__builtin_add_overflow(v, (uint64_t)(*s - '0'), &v))
			return false;
	*out = v;
	*p = s;
	return true;
}

/* Decimal digits with an optional minus sign. */
static inline bool sm_parse_i64(const char **p, const char *end, int64_t *out)
{
	const char *s = *p;
	bool neg = s < end && *s == '-';
	uint64_t v;

	s += neg;
	if (!sm_parse_u64(&s, end, &v))
		return false;
	if (v > (uint64_t)INT64_MAX + neg)
		return false;
	*out = neg ? (int64_t)(0 - v) : (int64_t)v;
	*p = s;
	return true;
}

/* Skips blanks, then takes the bytes up to the next blank or newline; false at the end of the line. */
static inline bool sm_parse_token(const char **p, const char *end, struct sm_str *out)
{
	const char *s = *p, *start;

	sm_parse_skip_blanks(&s, end);
	start = s;
	while (s < end && !sm_parse_is_blank(*s) && *s != '\n')
		s++;
	if (s == start)
		return false;
	*out = (struct sm_str){ start, (size_t)(s - start) };
	*p = s;
	return true;
}

/* Takes one line without its newline, which the last line may lack; false at the end of the input. */
static inline bool sm_parse_line(const char **p, const char *end, struct sm_str *out)
{
	const char *nl;

	if (*p >= end)
		return false;
	nl = (const char *)memchr(*p, '\n', (size_t)(end - *p));
	*out = (struct sm_str){ *p, (size_t)((nl ? nl : end) - *p) };
	*p = nl ? nl + 1 : end;
	return true;
}

static inline bool sm_parse_eq(struct sm_str s, const char *lit)
{
	return strlen(lit) == s.n && memcmp(s.p, lit, s.n) == 0;
}

static inline bool sm_parse_starts(struct sm_str s, const char *prefix)
{
	size_t n = strlen(prefix);

	return s.n >= n && memcmp(s.p, prefix, n) == 0;
}

/* Parses a string that must be one decimal number. */
static inline bool sm_parse_whole_u64(struct sm_str s, uint64_t *out)
{
	const char *p = s.p;
	uint64_t v = 0; /* gcc 14 does not see that sm_parse_u64() sets it */

	if (!sm_parse_u64(&p, s.p + s.n, &v) || p != s.p + s.n)
		return false;
	*out = v;
	return true;
}

static inline bool sm_parse_whole_i64(struct sm_str s, int64_t *out)
{
	const char *p = s.p;
	int64_t v;

	if (!sm_parse_i64(&p, s.p + s.n, &v) || p != s.p + s.n)
		return false;
	*out = v;
	return true;
}

#endif
