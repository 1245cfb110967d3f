// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Arbitrary bytes as TEXT and ARGV in all formats: a row is one line without control
 * bytes; JSON is valid, CSV has as many fields as its header.  The first bytes choose
 * flags, numbers and where the text is split; the rest is the text.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "format/table.h"
#include "base/text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define HEAD_BYTES 12u
#define NCOLS	   7u

#define COL(k, h, w, a, f)                                              \
	{                                                               \
		.key = k, .head = h, .width = w, .align = a, .flags = f \
	}

static const struct sm_column cols[NCOLS] = {
	COL("time", "Time", 8, 0, 0),
	COL("text", "Text", 9, SM_ALIGN_RIGHT, SM_COLUMN_HEAD_LEFT),
	COL("n", "N", 5, 0, SM_COLUMN_BLANK),
	COL("glyph", "", 1, 0, SM_COLUMN_GLUED),
	COL("duration_s", "Duration", 8, 0, 0),
	COL("comm", "Comm", 15, SM_ALIGN_LEFT, 0),
	COL("argv", "Process", 0, 0, SM_COLUMN_LAST),
};

static void must(bool ok)
{
	if (!ok)
		abort();
}

/* A strict validator: p after the value, or NULL. */
static const char *json_value(const char *p, const char *end, int depth);

static const char *json_string(const char *p, const char *end)
{
	uint32_t cp;

	for (p++; p < end && *p != '"';) {
		int n = sm_text_decode(p, end, &cp);

		if (n == 0 || cp < 0x20 || (cp >= 0x7F && cp < 0xA0))
			return NULL;
		if (cp == '\\' && (end - p < 2 || !strchr("\"\\/bfnrtu", p[1])))
			return NULL;
		if (cp == '\\' && p[1] == 'u' &&
			(end - p < 6 || strspn(p + 2, "0123456789abcdefABCDEF") < 4))
			return NULL;
		p += cp == '\\' ? 2 : n;
	}
	return p < end ? p + 1 : NULL;
}

static const char *json_number(const char *p, const char *end)
{
	const char *digits;

	if (p < end && *p == '-')
		p++;
	digits = p;
	while (p < end && *p >= '0' && *p <= '9')
		p++;
	if (p == digits || (*digits == '0' && p - digits > 1))
		return NULL;
	if (p == end || *p != '.')
		return p;
	digits = ++p;
	while (p < end && *p >= '0' && *p <= '9')
		p++;
	return p == digits ? NULL : p;
}

static const char *json_members(const char *p, const char *end, int depth)
{
	char close = *p == '{' ? '}' : ']';

	if (++p < end && *p == close)
		return p + 1;
	while (p && p < end) {
		if (close == '}') {
			p = *p == '"' ? json_string(p, end) : NULL;
			if (!p || p == end || *p++ != ':')
				return NULL;
		}
		p = json_value(p, end, depth + 1);
		if (!p || p == end)
			return NULL;
		if (*p == close)
			return p + 1;
		if (*p++ != ',')
			return NULL;
	}
	return NULL;
}

static const char *json_value(const char *p, const char *end, int depth)
{
	if (p >= end || depth > 4)
		return NULL;
	if (*p == '{' || *p == '[')
		return json_members(p, end, depth);
	if (*p == '"')
		return json_string(p, end);
	if (end - p >= 4 && memcmp(p, "true", 4) == 0)
		return p + 4;
	if (end - p >= 5 && memcmp(p, "false", 5) == 0)
		return p + 5;
	return json_number(p, end);
}

/* Number of fields of an RFC 4180 record without its newline; 0: not a record. */
static unsigned int csv_fields(const char *p, const char *end)
{
	unsigned int n = 1;

	while (p < end) {
		if (*p == '"') {
			for (p++; p < end && (*p != '"' || (p + 1 < end && p[1] == '"'));
				p++)
				p += *p == '"';
			if (p++ >= end || (p < end && *p != ','))
				return 0;
		}
		while (p < end && *p != ',') {
			if (*p++ == '"')
				return 0;
		}
		if (p < end) {
			n++;
			p++;
		}
	}
	return n;
}

static void check_line(const char *p, size_t n, bool utf8)
{
	const char *end = p + n - 1;

	must(n > 0 && *end == '\n');
	while (p < end) {
		uint32_t cp;
		int len = sm_text_decode(p, end, &cp);

		must(len > 0 && sm_text_printable(cp) && (utf8 || cp < 0x80));
		p += len;
	}
}

static void check_row(const struct sm_table *o)
{
	const char *p = o->row.p;
	size_t n = o->row.len;

	check_line(p, n, o->format != SM_FORMAT_TABLE || o->text_flags & SM_TEXT_UTF8);
	if (o->format == SM_FORMAT_TABLE)
		must(n == 1 || p[n - 2] != ' ');
	else if (o->format == SM_FORMAT_CSV)
		must(csv_fields(p, p + n - 1) == o->nshown);
	else
		must(json_value(p, p + n - 1, 0) == p + n - 1);
}

static struct sm_value bytes(enum sm_value_type type, const uint8_t *p, size_t n)
{
	struct sm_value v = {.type = (uint8_t)type};

	v.s.p = (const char *)p;
	v.s.n = n;
	return v;
}

/* Numbers of all types and missing values, chosen by the bytes. */
static struct sm_value number(uint8_t how, uint64_t u)
{
	static const uint8_t types[] = {SM_VALUE_NONE, SM_VALUE_U64, SM_VALUE_I64,
		SM_VALUE_FIXED, SM_VALUE_DOUBLE, SM_VALUE_BOOL, SM_VALUE_DURATION,
		SM_VALUE_TIME};
	struct sm_value v = {
		.type = types[how % 8], .scale = (uint8_t)(how / 8 % 10), .u = u};

	if (v.type == SM_VALUE_BOOL)
		v.b = u & 1;
	if (how & 128)
		v.suffix = "+";
	return v;
}

/* The sink is reset for each row, so that its bound is never reached. */
static void row_in_format(struct sm_sink *sink, enum sm_format format,
	const uint8_t *head, const struct sm_value *vals)
{
	struct sm_table o;

	sm_table_init(&o, format, cols, NCOLS, "fuzz", sink);
	for (unsigned int i = 0; i < NCOLS && head[0] & 127; i++)
		sm_table_show(&o, i, head[0] & 1u << i);
	o.text_flags = head[0] & 128 ? SM_TEXT_UTF8 : 0;
	o.time.style = (enum sm_time_style)(head[1] % 5);
	o.time.decimals = head[1] / 8u % 10u;
	must(sm_table_row(&o, vals));
	check_row(&o);
	sm_table_fini(&o);
}

static void one(struct sm_sink *sink, const uint8_t *head, const uint8_t *p, size_t n)
{
	size_t a = n * head[3] / 256, b = a + (n - a) * head[3] / 256;
	struct sm_value vals[NCOLS];
	uint64_t u = 0;

	memcpy(&u, head + 4, 6);
	u *= (uint64_t)head[10] * head[10];
	vals[0] = number(head[11], u);
	vals[1] = bytes(SM_VALUE_TEXT, p, a);
	vals[2] = number((uint8_t)(head[11] * 5u), ~u);
	vals[3] = bytes(SM_VALUE_TEXT, p, n ? 1 : 0);
	vals[4] = number((uint8_t)(head[11] * 11u), u);
	vals[5] = bytes(SM_VALUE_ARGV, p + a, b - a);
	vals[6] = bytes(head[11] & 64 ? SM_VALUE_TEXT : SM_VALUE_ARGV, p + b, n - b);
	row_in_format(sink, SM_FORMAT_TABLE, head, vals);
	row_in_format(sink, SM_FORMAT_CSV, head, vals);
	row_in_format(sink, SM_FORMAT_JSON, head, vals);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sm_sink sink;
	int fd;

	if (size < HEAD_BYTES)
		return 0;
	fd = memfd_create("fuzz", MFD_CLOEXEC);
	must(fd >= 0);
	must(sm_sink_init(&sink, fd, SM_SINK_DEFAULT_MAX) == 0);
	one(&sink, data, data + HEAD_BYTES, size - HEAD_BYTES);
	must(sink.dropped == 0 && sm_sink_flush(&sink) == 0);
	sm_sink_close(&sink);
	close(fd);
	return 0;
}
