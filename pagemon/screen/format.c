// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "format.h"

#define UNITS "BKMGTPE"

/* A value in units of 1024^unit, with tenths. */
struct scaled {
	uint64_t whole;
	unsigned int tenths, unit;
	bool exact;
};

/* Scales a value, rounded down, so that 1023.99K is not 1024K. */
static struct scaled scale(uint64_t bytes)
{
	struct scaled s = {.whole = bytes, .exact = true};
	uint64_t rest = 0;

	while (s.whole >= 1024) {
		s.exact &= !rest;
		rest = s.whole % 1024;
		s.whole /= 1024;
		s.unit++;
	}
	s.tenths = (unsigned int)(rest * 10 / 1024);
	s.exact &= !rest;
	return s;
}

static const char *put(
	struct scaled s, bool tenths, const char *unit, char out[FORMAT_SIZE])
{
	unsigned int whole = (unsigned int)s.whole;

	if (tenths)
		snprintf(out, FORMAT_SIZE, "%u.%u%s", whole, s.tenths, unit);
	else
		snprintf(out, FORMAT_SIZE, "%u%s", whole, unit);
	return out;
}

const char *format_size(uint64_t bytes, char out[FORMAT_SIZE])
{
	struct scaled s = scale(bytes);
	const char unit[] = {UNITS[s.unit], '\0'};

	return put(s, s.whole < 100 && !s.exact, bytes ? unit : "", out);
}

const char *format_iec(uint64_t bytes, char out[FORMAT_SIZE])
{
	static const char *const units[] = {
		" B", " KiB", " MiB", " GiB", " TiB", " PiB", " EiB"};
	struct scaled s = scale(bytes);

	return put(s, !s.exact, units[s.unit], out);
}

const char *format_number(double v, char out[FORMAT_SIZE])
{
	const char *unit = " kMGTPE";

	while (v >= 999.5 && unit[1]) {
		v /= 1000;
		unit++;
	}
	if (*unit == ' ')
		snprintf(out, FORMAT_SIZE, "%.0f", v);
	else
		snprintf(out, FORMAT_SIZE, v < 9.95 ? "%.1f%c" : "%.0f%c", v, *unit);
	return out;
}

size_t format_fit(const char *text, size_t n, int columns)
{
	size_t fit = columns > 0 ? (size_t)columns : 0;

	if (n <= fit)
		return n;
	while (fit && text[fit] != ' ')
		fit--;
	return fit;
}

/* Returns the longest end of the text with at most this number of columns that does not
 * begin with combining characters. */
static const char *tail(const char *p, const char *end, size_t columns)
{
	size_t width = sm_text_width(p, (size_t)(end - p));

	while (p < end) {
		uint32_t cp;
		int n = sm_text_decode(p, end, &cp);
		size_t w = n > 0 ? (size_t)sm_text_cp_width(cp) : 1;

		if (width <= columns && w)
			break;
		width -= w;
		p += n > 0 ? n : 1;
	}
	return p;
}

/* Shortens the name in the buffer at `from`, which is too wide. */
static void cut_middle(
	struct sm_buf *b, size_t from, unsigned int columns, unsigned int flags)
{
	size_t n = b->len - from, behind = columns > 2 ? (columns - 1) * 2 / 3 : 0, kept;
	const char *end;

	/* The text to be appended is in this buffer, which must not grow in between. */
	if (!sm_buf_room(b, 2 * n + 8))
		return;
	end = b->p + from + n;
	sm_text_fit(b, b->p + from, n, columns - behind, flags); /* with its ellipsis */
	kept = (size_t)(end - tail(b->p + from, end, behind));
	sm_buf_add(b, end - kept, kept);
	memmove(b->p + from, b->p + from + n, b->len - from - n);
	b->len -= n;
}

void format_name(struct sm_buf *b, struct sm_str name, unsigned int columns, bool utf8)
{
	unsigned int flags = utf8 ? SM_TEXT_UTF8 : 0;
	size_t from = b->len;

	sm_text_human(b, name.p, name.n, flags);
	if (!sm_buf_error(b) && sm_text_width(b->p + from, b->len - from) > columns)
		cut_middle(b, from, columns, flags);
}
