// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"

#define U64_DIGITS 20u
#define MIN_CAP	   256u

static const uint64_t pow10_u64[U64_DIGITS] = {1, 10, 100, 1000, 10000, 100000, 1000000,
	10000000, 100000000, 1000000000, UINT64_C(10000000000), UINT64_C(100000000000),
	UINT64_C(1000000000000), UINT64_C(10000000000000), UINT64_C(100000000000000),
	UINT64_C(1000000000000000), UINT64_C(10000000000000000),
	UINT64_C(100000000000000000), UINT64_C(1000000000000000000),
	UINT64_C(10000000000000000000)};

static const char digit_pairs[] = "00010203040506070809"
				  "10111213141516171819"
				  "20212223242526272829"
				  "30313233343536373839"
				  "40414243444546474849"
				  "50515253545556575859"
				  "60616263646566676869"
				  "70717273747576777879"
				  "80818283848586878889"
				  "90919293949596979899";

void sm_buf_fini(struct sm_buf *b)
{
	free(b->p);
	*b = (struct sm_buf){0};
}

/* Leaves no spare capacity, so that every later append fails here and sm_buf_room() need
 * not test err.  The memory is not lost: after a reset realloc() gets it back. */
static int grow_failed(struct sm_buf *b)
{
	b->err = -ENOMEM;
	b->cap = b->len;
	return -ENOMEM;
}

int sm_buf_grow(struct sm_buf *b, size_t need)
{
	size_t cap = b->cap < MIN_CAP ? MIN_CAP : b->cap;
	char *p;

	if (b->err || need > (size_t)PTRDIFF_MAX - b->len)
		return grow_failed(b);
	while (cap < b->len + need)
		cap *= 2; /* <= PTRDIFF_MAX before, so it cannot wrap */
	p = realloc(b->p, cap);
	if (!p)
		return grow_failed(b);
	b->p = p;
	b->cap = cap;
	return 0;
}

void sm_buf_fill(struct sm_buf *b, char c, size_t n)
{
	char *to;

	if (!n)
		return;
	to = sm_buf_room(b, n);
	if (!to)
		return;
	memset(to, c, n);
	b->len += n;
}

/* log10(2) is about 1233/4096: an estimate from the bit length, corrected by one
 * comparison. */
static unsigned int count_digits(uint64_t v)
{
	unsigned int bits = 64u - (unsigned int)__builtin_clzll(v | 1);
	unsigned int guess = bits * 1233u >> 12;

	return guess + (v >= pow10_u64[guess]) + (v == 0);
}

/* Writes the lowest n digits of v, zero-padded. */
static void put_digits(char *to, uint64_t v, unsigned int n)
{
	while (n >= 2) {
		n -= 2;
		memcpy(to + n, digit_pairs + v % 100 * 2, 2);
		v /= 100;
	}
	if (n)
		to[0] = (char)('0' + v % 10);
}

static void add_digits(struct sm_buf *b, uint64_t v, unsigned int n)
{
	char *to = sm_buf_room(b, n);

	if (!to)
		return;
	put_digits(to, v, n);
	b->len += n;
}

void sm_buf_u64(struct sm_buf *b, uint64_t v)
{
	add_digits(b, v, count_digits(v));
}

void sm_buf_i64(struct sm_buf *b, int64_t v)
{
	if (v < 0)
		sm_buf_chr(b, '-');
	sm_buf_u64(b, v < 0 ? 0 - (uint64_t)v : (uint64_t)v);
}

static unsigned int clamp_digits(int n, unsigned int max)
{
	if (n < 0)
		return 0;
	return (unsigned int)n > max ? max : (unsigned int)n;
}

void sm_buf_u64_pad(struct sm_buf *b, uint64_t v, int digits)
{
	unsigned int n = count_digits(v), want = clamp_digits(digits, U64_DIGITS);

	add_digits(b, v, n > want ? n : want);
}

/* Appends whole.frac, with that many digits of frac, in one step, because tables consist
 * of such numbers. */
static void add_decimal(struct sm_buf *b, bool minus, uint64_t whole, uint64_t frac,
	unsigned int decimals)
{
	unsigned int n = count_digits(whole), rest = decimals ? decimals + 1 : 0;
	char *to = sm_buf_room(b, minus + n + rest);

	if (!to)
		return;
	b->len += minus + n + rest;
	if (minus)
		*to++ = '-';
	put_digits(to, whole, n);
	if (!rest)
		return;
	to[n] = '.';
	put_digits(to + n + 1, frac, decimals);
}

void sm_buf_fixed(struct sm_buf *b, uint64_t v, int scale)
{
	unsigned int decimals = clamp_digits(scale, U64_DIGITS - 1);
	uint64_t unit = pow10_u64[decimals];

	add_decimal(b, false, v / unit, v % unit, decimals);
}

/* A double of 2^63 or more is an integer: "%.0f" is exact and has no decimal point to
 * localise. */
static void add_huge_double(struct sm_buf *b, double v, unsigned int decimals)
{
	if (!isfinite(v)) {
		sm_buf_chr(b, '-');
		return;
	}
	sm_buf_printf(b, "%.0f", v);
	if (!decimals)
		return;
	sm_buf_chr(b, '.');
	sm_buf_fill(b, '0', decimals);
}

/* Uses signed integers, which processors convert to and from double in one
 * instruction. */
void sm_buf_double(struct sm_buf *b, double v, int decimals)
{
	unsigned int d = clamp_digits(decimals, 9);
	int64_t unit = (int64_t)pow10_u64[d], whole, frac;
	double abs_v = fabs(v);

	if (SM_UNLIKELY(!(abs_v < 0x1p63))) {
		add_huge_double(b, v, d);
		return;
	}
	whole = (int64_t)abs_v;
	/* The subtraction is exact, so only the fraction is ever rounded. */
	frac = (int64_t)((abs_v - (double)whole) * (double)unit + 0.5);
	if (frac >= unit) {
		frac -= unit;
		whole++;
	}
	add_decimal(b, v < 0 && (whole || frac), (uint64_t)whole, (uint64_t)frac, d);
}

void sm_buf_double_right(struct sm_buf *b, double v, int decimals, size_t width)
{
	size_t from = b->len, n;

	sm_buf_double(b, v, decimals);
	n = b->len - from;
	if (n >= width || !sm_buf_room(b, width - n))
		return;
	memmove(b->p + from + width - n, b->p + from, n);
	memset(b->p + from, ' ', width - n);
	b->len = from + width;
}

static SM_PRINTF(3, 0) void add_vprintf(
	struct sm_buf *b, size_t n, const char *fmt, va_list ap)
{
	char *to = sm_buf_room(b, n + 1); /* vsnprintf writes a NUL after it */

	if (!to)
		return;
	vsnprintf(to, n + 1, fmt, ap);
	b->len += n;
}

void sm_buf_printf(struct sm_buf *b, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (n <= 0)
		return;
	va_start(ap, fmt);
	add_vprintf(b, (size_t)n, fmt, ap);
	va_end(ap);
}

static void put_base64(char *to, uint32_t bits24)
{
	static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				       "abcdefghijklmnopqrstuvwxyz"
				       "0123456789+/";

	for (unsigned int i = 0; i < 4; i++)
		to[i] = alphabet[bits24 >> (18 - 6 * i) & 63];
}

static uint32_t bits24(const char *s, size_t n)
{
	uint32_t v = 0;

	for (size_t i = 0; i < 3; i++)
		v = v << 8 | (i < n ? (unsigned char)s[i] : 0u);
	return v;
}

void sm_buf_base64(struct sm_buf *b, const char *s, size_t n)
{
	size_t groups = n / 3, rest = n % 3;
	char *to = n ? sm_buf_room(b, (groups + (rest != 0)) * 4) : NULL;

	if (!to)
		return;
	b->len += (groups + (rest != 0)) * 4;
	for (; groups; groups--, s += 3, to += 4)
		put_base64(to, bits24(s, 3));
	if (!rest)
		return;
	put_base64(to, bits24(s, rest));
	memset(to + rest + 1, '=', 3 - rest);
}
