// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * text: for any bytes, no appender passes bytes that drive a terminal or break the
 * enclosing format, and clean_run and fit fulfil their contracts.
 */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool ok)
{
	if (!ok)
		abort();
}

/* No control characters, no invisible ones, valid UTF-8 (or plain ASCII). */
static void require_harmless(const struct sm_buf *b, bool utf8)
{
	const char *p = b->p, *end;

	if (b->len == 0)
		return;
	for (end = p + b->len; p < end;) {
		uint32_t cp;
		int len = sm_text_decode(p, end, &cp);

		require(len > 0);
		require(cp >= 0x20 && !(cp >= 0x7f && cp < 0xa0));
		require(cp != 0x2028 && cp != 0x2029 && cp != 0x61c);
		require(!(cp >= 0x200b && cp <= 0x200f) &&
			!(cp >= 0x202a && cp <= 0x202e));
		require(!(cp >= 0x2066 && cp <= 0x2069) && cp != 0xfeff);
		require(utf8 || cp < 0x80);
		p += len;
	}
}

static size_t hex_digits(const char *p, const char *end)
{
	size_t n = 0;

	while (p + n < end && n < 4 && p[n] && strchr("0123456789abcdef", p[n]))
		n++;
	return n;
}

/* A string of RFC 8259 with only the escapes that the contract allows. */
static void require_json(const struct sm_buf *b)
{
	const char *p = b->p + 1, *end = b->p + b->len - 1;

	require(b->len >= 2 && b->p[0] == '"' && *end == '"');
	while (p < end) {
		require(*p != '"');
		if (*p++ != '\\')
			continue;
		require(p < end);
		if (*p == 'u')
			require(hex_digits(p + 1, end) == 4);
		else
			require(*p == '"' || *p == '\\');
		p += *p == 'u' ? 5 : 1;
	}
	require(p == end);
}

/* A field of RFC 4180: bare, or quoted with every inner quote doubled. */
static void require_csv(const struct sm_buf *b)
{
	const char *p = b->p, *end = b->p + b->len;

	if (b->len == 0 || *p != '"') {
		require(b->len == 0 ||
			(!memchr(p, '"', b->len) && !memchr(p, ',', b->len)));
		return;
	}
	require(b->len >= 2 && end[-1] == '"');
	for (p++, end--; p < end; p++) {
		if (*p == '"') {
			require(p + 1 < end && p[1] == '"');
			p++;
		}
	}
}

/* A label value of the Prometheus text format. */
static void require_label(const struct sm_buf *b)
{
	const char *p = b->p + 1, *end = b->p + b->len - 1;

	require(b->len >= 2 && b->p[0] == '"' && *end == '"');
	while (p < end) {
		require(*p != '"');
		if (*p++ != '\\')
			continue;
		require(p < end && (*p == '"' || *p == '\\' || *p == 'n'));
		p++;
	}
	require(p == end);
}

static void check_clean_run(const char *p, size_t n)
{
	size_t want = 0;

	while (want < n && p[want] >= 0x20 && p[want] <= 0x7e)
		want++;
	require(sm_text_clean_run(p, n) == want);
}

static void check_human(const char *p, size_t n, size_t columns, unsigned int flags)
{
	struct sm_buf human = {0}, fit = {0};
	size_t width;

	sm_text_human(&human, p, n, flags);
	require(human.len >= n);
	require_harmless(&human, flags & SM_TEXT_UTF8);
	width = sm_text_width(human.p, human.len);
	require(width <= human.len);
	sm_text_fit(&fit, human.p, human.len, columns, flags);
	require_harmless(&fit, flags & SM_TEXT_UTF8);
	require(sm_text_width(fit.p, fit.len) <= columns);
	if (width <= columns && n > 0)
		require(fit.len == human.len && memcmp(fit.p, human.p, fit.len) == 0);
	sm_buf_fini(&human);
	sm_buf_fini(&fit);
}

/* Each argument as sm_text_human() has it. */
static void check_args(const char *p, size_t n, unsigned int flags)
{
	struct sm_buf all = {0}, want = {0};
	const char *end = p + (n && !p[n - 1] ? n - 1 : n);

	sm_text_shell(&all, p, n, flags);
	require_harmless(&all, flags & SM_TEXT_UTF8);
	sm_buf_reset(&all);
	sm_text_args(&all, p, n, flags);
	for (const char *nul; n > 0 && p <= end; p = nul + 1) {
		nul = p + strnlen(p, (size_t)(end - p));
		sm_text_human(&want, p, (size_t)(nul - p), flags);
		if (nul < end)
			sm_buf_chr(&want, ' ');
	}
	require(all.len == want.len && (!all.len || !memcmp(all.p, want.p, all.len)));
	sm_buf_fini(&all);
	sm_buf_fini(&want);
}

static void check_quoted(const char *p, size_t n)
{
	struct sm_buf b = {0};
	bool lossy = false, valid = true;
	uint32_t cp;

	for (int len, i = 0; (size_t)i < n && valid; i += len) {
		len = sm_text_decode(p + i, p + n, &cp);
		valid = len > 0;
	}
	sm_text_json(&b, p, n, &lossy);
	require(lossy == !valid);
	require_harmless(&b, true);
	require_json(&b);
	sm_buf_reset(&b);
	sm_text_csv(&b, p, n);
	require_harmless(&b, true);
	require_csv(&b);
	sm_buf_reset(&b);
	sm_text_label(&b, p, n);
	require_harmless(&b, true);
	require_label(&b);
	sm_buf_fini(&b);
}

/* The first byte is the number of columns. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *p = (const char *)data + 1;

	if (size == 0)
		return 0;
	check_clean_run(p, size - 1);
	check_human(p, size - 1, data[0], 0);
	check_human(p, size - 1, data[0], SM_TEXT_UTF8);
	check_args(p, size - 1, 0);
	check_args(p, size - 1, SM_TEXT_UTF8);
	check_quoted(p, size - 1);
	return 0;
}
