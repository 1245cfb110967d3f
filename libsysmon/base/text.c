// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "base/text_width.h"

// clang-format off
/* Code points above U+009F, sorted, that a terminal may interpret or cannot show. */
static const struct sm_text_range unprintable[] = {
	{ 0xad, 0xad },         /* soft hyphen */
	{ 0x61c, 0x61c },       /* Arabic letter mark (bidi) */
	{ 0x180e, 0x180e },     /* Mongolian vowel separator */
	{ 0x200b, 0x200f },     /* zero-width space and joiners, LRM, RLM */
	{ 0x2028, 0x202e },     /* line and paragraph separators, bidi embeddings */
	{ 0x2060, 0x206f },     /* word joiner, invisible operators, bidi isolates */
	{ 0xd800, 0xf8ff },     /* surrogates, private use */
	{ 0xfdd0, 0xfdef },     /* noncharacters */
	{ 0xfeff, 0xfeff },     /* byte order mark */
	{ 0xfff0, 0xfffb },     /* interlinear annotation */
	{ 0xfffe, 0xffff },     /* noncharacters; other planes: see below */
	{ 0x1bca0, 0x1bca3 },   /* shorthand format controls */
	{ 0x1d173, 0x1d17a },   /* musical format controls */
	{ 0xe0000, 0xe00ff },   /* tags */
	{ 0xf0000, UINT32_MAX } /* private use, beyond Unicode */
};
// clang-format on

#define SWAR(byte) (UINT64_C(0x0101010101010101) * (byte))

static bool in_ranges(const struct sm_text_range *r, size_t n, uint32_t cp)
{
	size_t lo = 0;

	while (lo < n) {
		size_t mid = lo + (n - lo) / 2;

		if (cp > r[mid].last)
			lo = mid + 1;
		else if (cp < r[mid].first)
			n = mid;
		else
			return true;
	}
	return false;
}

static inline bool is_tail(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

int sm_text_decode(const char *p, const char *end, uint32_t *cp)
{
	/* The smallest code point of each length: anything below is overlong. */
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	unsigned char lead;
	uint32_t v;
	int len;

	if (p >= end)
		return 0;
	lead = (unsigned char)*p;
	if (lead < 0x80) {
		*cp = lead;
		return 1;
	}
	len = lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
	if (len == 0 || end - p < len)
		return 0;
	v = lead & (0x7fu >> len);
	for (int i = 1; i < len; i++) {
		if (!is_tail(p[i]))
			return 0;
		v = v << 6 | ((unsigned char)p[i] & 0x3f);
	}
	if (v < least[len] || v > 0x10ffff || (v >= 0xd800 && v <= 0xdfff))
		return 0;
	*cp = v;
	return len;
}

bool sm_text_printable(uint32_t cp)
{
	if (cp < 0xa0)
		return cp >= 0x20 && cp < 0x7f;
	if ((cp & 0xfffe) == 0xfffe)
		return false;
	return !in_ranges(unprintable, SM_ARRAY_SIZE(unprintable), cp);
}

int sm_text_cp_width(uint32_t cp)
{
	if (cp < sm_text_zero_width[0].first)
		return 1;
	if (in_ranges(sm_text_zero_width, SM_ARRAY_SIZE(sm_text_zero_width), cp))
		return 0;
	return in_ranges(sm_text_wide, SM_ARRAY_SIZE(sm_text_wide), cp) ? 2 : 1;
}

/* Returns a value with a high bit set if any of the eight bytes is not in 0x20..0x7e.
 * Carries and borrows between bytes only arise above a byte that is itself flagged, so
 * "any" is exact. */
static inline uint64_t dirty_bytes(uint64_t v)
{
	return (v | (v - SWAR(0x20)) | (v + SWAR(0x01))) & SWAR(0x80);
}

/* Likewise if any byte is c; all bytes must be below 0x80. */
static inline uint64_t bytes_equal(uint64_t v, unsigned char c)
{
	return ((v ^ SWAR(c)) - SWAR(0x01)) & SWAR(0x80);
}

/* Returns 0x80 in each byte that is zero, for any values of the others. */
static inline uint64_t zero_bytes(uint64_t v)
{
	return ~(((v & SWAR(0x7f)) + SWAR(0x7f)) | v | SWAR(0x7f));
}

static inline uint64_t load64(const char *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static inline bool is_clean(char c)
{
	return c >= 0x20 && c < 0x7f;
}

size_t sm_text_clean_run(const char *p, size_t n)
{
	size_t i = 0;

	while (n - i >= 8 && !dirty_bytes(load64(p + i)))
		i += 8;
	while (i < n && is_clean(p[i]))
		i++;
	return i;
}

/* Like sm_text_clean_run(), but also stops at characters that a quoted string must
 * escape. */
static size_t quotable_run(const char *p, size_t n)
{
	size_t i = 0;

	for (; n - i >= 8; i += 8) {
		uint64_t v = load64(p + i);

		if (dirty_bytes(v) | bytes_equal(v, '"') | bytes_equal(v, '\\'))
			break;
	}
	while (i < n && is_clean(p[i]) && p[i] != '"' && p[i] != '\\')
		i++;
	return i;
}

/* Appends v in lower-case hexadecimal, with at least `digits` digits (at most 8). */
static void add_hex(struct sm_buf *b, uint32_t v, int digits)
{
	while (digits < 8 && v >> (4 * digits))
		digits++;
	while (digits-- > 0)
		sm_buf_chr(b, "0123456789abcdef"[v >> (4 * digits) & 0xf]);
}

/* Appends one character other than printable ASCII in the human form; `backslash` is the
 * enclosing syntax's notation of a backslash.  Returns the length of the character in
 * bytes. */
static size_t add_special(struct sm_buf *b, const char *p, const char *end,
	unsigned int flags, const char *backslash)
{
	uint32_t cp;
	int len = flags & SM_TEXT_UTF8 ? sm_text_decode(p, end, &cp) : 0;

	if (len > 1 && sm_text_printable(cp)) {
		sm_buf_add(b, p, (size_t)len);
		return (size_t)len;
	}
	sm_buf_str(b, backslash);
	if (len > 1) {
		sm_buf_str(b, "u{");
		add_hex(b, cp, 4);
		sm_buf_chr(b, '}');
		return (size_t)len;
	}
	sm_buf_chr(b, 'x');
	add_hex(b, (unsigned char)*p, 2);
	return 1;
}

void sm_text_human(struct sm_buf *b, const char *p, size_t n, unsigned int flags)
{
	size_t i = 0;

	while (i < n) {
		size_t run = sm_text_clean_run(p + i, n - i);

		sm_buf_add(b, p + i, run);
		i += run;
		if (i < n)
			i += add_special(b, p + i, p + n, flags, "\\");
	}
}

/* Appends the bytes up to the first one that is neither printable ASCII nor NUL; each NUL
 * becomes a space. */
static size_t copy_args(struct sm_buf *b, const char *p, size_t n)
{
	char *to = sm_buf_room(b, n);
	size_t i = 0;

	if (!to)
		return n;
	for (; n - i >= 8; i += 8) {
		uint64_t v = load64(p + i);

		v |= zero_bytes(v) >> 2; /* 0x80 >> 2 is a space */
		if (dirty_bytes(v))
			break;
		memcpy(to + i, &v, sizeof(v));
	}
	for (; i < n && (is_clean(p[i]) || !p[i]); i++)
		to[i] = p[i] ? p[i] : ' ';
	b->len += i;
	return i;
}

void sm_text_args(struct sm_buf *b, const char *p, size_t n, unsigned int flags)
{
	size_t len;

	n -= n && !p[n - 1];
	while (n) {
		len = copy_args(b, p, n);
		p += len;
		n -= len;
		len = strnlen(p, n);
		sm_text_human(b, p, len, flags);
		p += len;
		n -= len;
	}
}

static bool is_bare(const char *p, size_t n)
{
	static const char safe[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				   "0123456789_@%+:,./-";
	size_t i = 0;

	/* "=" makes the first word a variable assignment, but not an option. */
	while (i < n &&
		(memchr(safe, p[i], sizeof(safe) - 1) || (p[i] == '=' && *p == '-')))
		i++;
	return n > 0 && i == n;
}

/* Returns the length of the character at p if it can be quoted unchanged, otherwise 0. */
static size_t as_it_is(const char *p, const char *end, unsigned int flags)
{
	uint32_t cp;
	int len = flags & SM_TEXT_UTF8 ? sm_text_decode(p, end, &cp) : 0;

	if (is_clean(*p))
		return 1;
	return len > 1 && sm_text_printable(cp) ? (size_t)len : 0;
}

/* Quotes text that is printed unchanged: '...' with '\'' for a quote. */
static void in_quotes(struct sm_buf *b, const char *p, const char *end)
{
	const char *quote;

	sm_buf_chr(b, '\'');
	for (; (quote = memchr(p, '\'', (size_t)(end - p))); p = quote + 1) {
		sm_buf_add(b, p, (size_t)(quote - p));
		sm_buf_str(b, "'\\''");
	}
	sm_buf_add(b, p, (size_t)(end - p));
	sm_buf_chr(b, '\'');
}

/* "!" is a history expansion in an interactive shell. */
static void with_escapes(
	struct sm_buf *b, const char *p, const char *end, unsigned int flags)
{
	static const char plain[] = "\\\\''\nn\tt\rr";
	const char *c;
	size_t len;

	sm_buf_str(b, "$'");
	for (; p < end; p += len) {
		len = *p == '!' || *p == '\\' || *p == '\'' ? 0 : as_it_is(p, end, flags);
		if (len) {
			sm_buf_add(b, p, len);
			continue;
		}
		for (c = plain; *c && *c != *p;)
			c += 2;
		if (*c)
			sm_buf_printf(b, "\\%c", c[1]);
		else
			sm_buf_printf(b, "\\%03o", (unsigned char)*p);
		len = 1;
	}
	sm_buf_chr(b, '\'');
}

static void shell_word(
	struct sm_buf *b, const char *p, const char *end, unsigned int flags)
{
	const char *at = p;
	size_t len;

	if (is_bare(p, (size_t)(end - p))) {
		sm_buf_add(b, p, (size_t)(end - p));
		return;
	}
	while (at < end && (len = as_it_is(at, end, flags)))
		at += len;
	if (at == end)
		in_quotes(b, p, end);
	else
		with_escapes(b, p, end, flags);
}

void sm_text_shell(struct sm_buf *b, const char *p, size_t n, unsigned int flags)
{
	const char *end = p + n;

	while (p < end) {
		size_t len = strnlen(p, (size_t)(end - p));

		shell_word(b, p, p + len, flags);
		p += len + 1;
		if (p < end)
			sm_buf_chr(b, ' ');
	}
}

/* Returns the length of the next character of sanitised text in bytes, and its columns in
 * *width. */
static size_t next_char(const char *p, const char *end, size_t *width)
{
	uint32_t cp;
	int len = sm_text_decode(p, end, &cp);

	*width = len > 1 ? (size_t)sm_text_cp_width(cp) : 1;
	return len > 0 ? (size_t)len : 1;
}

size_t sm_text_width(const char *p, size_t n)
{
	size_t columns = 0, i = 0, width;

	while (i < n) {
		size_t run = sm_text_clean_run(p + i, n - i);

		columns += run;
		i += run;
		if (i < n) {
			i += next_char(p + i, p + n, &width);
			columns += width;
		}
	}
	return columns;
}

void sm_text_fit(
	struct sm_buf *b, const char *p, size_t n, size_t columns, unsigned int flags)
{
	const char *ellipsis = flags & SM_TEXT_UTF8 ? "\xe2\x80\xa6" : "...";
	size_t ellipsis_width = flags & SM_TEXT_UTF8 ? 1 : 3;
	size_t used = 0, i = 0, cut = 0, width;

	while (i < n &&
		n - i > columns - used) { /* no character is wider than its bytes */
		size_t len = next_char(p + i, p + n, &width);

		if (width > columns - used)
			break;
		used += width;
		i += len;
		if (used + ellipsis_width <= columns)
			cut = i;
	}
	if (n - i <= columns - used) {
		sm_buf_add(b, p, n);
		return;
	}
	sm_buf_add(b, p, cut);
	if (ellipsis_width <= columns)
		sm_buf_str(b, ellipsis);
	else
		sm_buf_fill(b, '.', columns);
}

static void add_json_unit(struct sm_buf *b, uint32_t unit)
{
	sm_buf_str(b, "\\u");
	add_hex(b, unit, 4);
}

static void add_json_escape(struct sm_buf *b, uint32_t cp)
{
	if (cp >= 0x10000) {
		add_json_unit(b, 0xd800 + ((cp - 0x10000) >> 10));
		add_json_unit(b, 0xdc00 + (cp & 0x3ff));
		return;
	}
	add_json_unit(b, cp);
}

/* Appends one character that a JSON string cannot contain unchanged; returns its length
 * in bytes. */
static size_t add_json_special(
	struct sm_buf *b, const char *p, const char *end, bool *lossy)
{
	uint32_t cp;
	int len = sm_text_decode(p, end, &cp);

	if (len == 0) {
		sm_buf_str(b, "\xef\xbf\xbd");
		if (lossy)
			*lossy = true;
		return 1;
	}
	if (cp == '"' || cp == '\\')
		sm_buf_chr(b, '\\');
	if (sm_text_printable(cp))
		sm_buf_add(b, p, (size_t)len);
	else
		add_json_escape(b, cp);
	return (size_t)len;
}

void sm_text_json(struct sm_buf *b, const char *p, size_t n, bool *lossy)
{
	size_t i = 0;

	sm_buf_chr(b, '"');
	while (i < n) {
		size_t run = quotable_run(p + i, n - i);

		sm_buf_add(b, p + i, run);
		i += run;
		if (i < n)
			i += add_json_special(b, p + i, p + n, lossy);
	}
	sm_buf_chr(b, '"');
}

/* RFC 4180 requires quotes for commas and quotes; outer spaces are trimmed by some
 * readers. */
static bool csv_needs_quotes(const char *p, size_t n)
{
	return n > 0 &&
	       (p[0] == ' ' || p[n - 1] == ' ' || memchr(p, ',', n) || memchr(p, '"', n));
}

static void add_csv(struct sm_buf *b, const char *p, size_t n, char doubled)
{
	bool quoted = csv_needs_quotes(p, n);

	if (quoted)
		sm_buf_chr(b, '"');
	for (size_t i = 0; n > 0; i = 0) {
		while (i < n && p[i] != '"' && p[i] != doubled)
			i++;
		sm_text_human(b, p, i, SM_TEXT_UTF8);
		if (i < n) {
			sm_buf_chr(b, p[i]);
			sm_buf_chr(b, p[i++]);
		}
		p += i;
		n -= i;
	}
	if (quoted)
		sm_buf_chr(b, '"');
}

void sm_text_csv(struct sm_buf *b, const char *p, size_t n)
{
	add_csv(b, p, n, '\\');
}

void sm_text_csv_shown(struct sm_buf *b, const char *p, size_t n)
{
	add_csv(b, p, n, '"');
}

/* Appends one character that a label value cannot contain unchanged; returns its length
 * in bytes. */
static size_t add_label_special(struct sm_buf *b, const char *p, const char *end)
{
	switch (*p) {
	case '\n':
		sm_buf_str(b, "\\n");
		return 1;
	case '"':
	case '\\':
		sm_buf_chr(b, '\\');
		sm_buf_chr(b, *p);
		return 1;
	default:
		return add_special(b, p, end, SM_TEXT_UTF8, "\\\\");
	}
}

int sm_text_compare(struct sm_str a, struct sm_str b)
{
	size_t n = a.n < b.n ? a.n : b.n;
	int c = n ? memcmp(a.p, b.p, n) : 0;

	return c ? c : SM_COMPARE(a.n, b.n);
}

void sm_text_label(struct sm_buf *b, const char *p, size_t n)
{
	size_t i = 0;

	sm_buf_chr(b, '"');
	while (i < n) {
		size_t run = quotable_run(p + i, n - i);

		sm_buf_add(b, p + i, run);
		i += run;
		if (i < n)
			i += add_label_special(b, p + i, p + n);
	}
	sm_buf_chr(b, '"');
}
