// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <time.h>

#include "num.h"
#include "out_value.h"
#include "text.h"

/* Lengths of "2026-11-21T" and "2026-11-21T13:05:59": nanoseconds in 64 bits end in 2554.
 */
#define ISO_DATE    11u
#define ISO_SECONDS 19u

bool sm_out_missing(const struct sm_val *v)
{
	return v->type == SM_VAL_NONE || (v->type == SM_VAL_DOUBLE && !isfinite(v->d));
}

bool sm_out_is_number(const struct sm_out *o, const struct sm_val *v)
{
	switch (v->type) {
	case SM_VAL_U64:
	case SM_VAL_I64:
	case SM_VAL_FIXED:
	case SM_VAL_DOUBLE:
	case SM_VAL_DURATION:
		return true;
	case SM_VAL_TIME:
		return o->time_style >= SM_TIME_EPOCH;
	default:
		return false;
	}
}

/* MONO and DELTA are of no use in whole seconds. */
static unsigned int time_decimals(enum sm_time_style style, unsigned int decimals)
{
	unsigned int least = style == SM_TIME_MONO || style == SM_TIME_DELTA ? 6 : 0;

	decimals = decimals < 9 ? decimals : 9;
	return decimals > least ? decimals : least;
}

unsigned int sm_out_time_width(enum sm_time_style style, unsigned int decimals)
{
	/* MONO: seven digits are 115 days of uptime. */
	static const uint8_t whole[] = {
		[SM_TIME_CLOCK] = sizeof("13:05:59") - 1,
		[SM_TIME_ISO] = sizeof("2026-11-21T13:05:59+0100") - 1,
		[SM_TIME_EPOCH] = sizeof("1795266359") - 1,
		[SM_TIME_MONO] = sizeof("1234567") - 1,
		[SM_TIME_DELTA] = sizeof("123") - 1,
	};

	decimals = time_decimals(style, decimals);
	return whole[style] + decimals + (decimals > 0);
}

static uint64_t pow10_of(unsigned int n)
{
	uint64_t v = 1;

	while (n--)
		v *= 10;
	return v;
}

/* ".123" of the nanoseconds after the second; cut, not rounded: 59.9999 is not :60. */
static void add_decimals(struct sm_buf *b, uint64_t ns, unsigned int decimals)
{
	if (decimals == 0)
		return;
	decimals = decimals < 9 ? decimals : 9;
	sm_buf_chr(b, '.');
	sm_buf_u64_pad(b, ns / pow10_of(9 - decimals), (int)decimals);
}

static void add_seconds(struct sm_buf *b, int64_t ns, unsigned int decimals)
{
	uint64_t abs_ns = ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns;

	if (ns < 0)
		sm_buf_chr(b, '-');
	sm_buf_fixed(b, abs_ns / pow10_of(9 - decimals), (int)decimals);
}

/* The text of a second is made once: o->cached_clock. */
static void cache_local(struct sm_out *o, uint64_t sec)
{
	time_t t = (time_t)sec;
	struct tm tm;

	if (SM_LIKELY(o->cached_sec == sec))
		return;
	memset(&tm, 0, sizeof(tm));
	localtime_r(&t, &tm);
	o->cached_len = (uint8_t)strftime(
		o->cached_clock, sizeof(o->cached_clock), "%Y-%m-%dT%H:%M:%S%z", &tm);
	o->cached_sec = sec;
}

static void cache_utc(struct sm_out *o, uint64_t sec)
{
	time_t t = (time_t)sec;
	struct tm tm;

	if (SM_LIKELY(o->cached_sec == sec))
		return;
	memset(&tm, 0, sizeof(tm));
	gmtime_r(&t, &tm);
	o->cached_len = (uint8_t)strftime(
		o->cached_clock, sizeof(o->cached_clock), "%Y-%m-%dT%H:%M:%S", &tm);
	o->cached_sec = sec;
}

static void human_clock(struct sm_out *o, uint64_t wall_ns)
{
	cache_local(o, wall_ns / SM_NSEC_PER_SEC);
	sm_buf_add(&o->row, o->cached_clock + ISO_DATE, ISO_SECONDS - ISO_DATE);
	add_decimals(&o->row, wall_ns % SM_NSEC_PER_SEC, o->time_decimals);
}

static void human_iso(struct sm_out *o, uint64_t wall_ns)
{
	cache_local(o, wall_ns / SM_NSEC_PER_SEC);
	sm_buf_add(&o->row, o->cached_clock, ISO_SECONDS);
	add_decimals(&o->row, wall_ns % SM_NSEC_PER_SEC, o->time_decimals);
	sm_buf_add(&o->row, o->cached_clock + ISO_SECONDS, o->cached_len - ISO_SECONDS);
}

/* By the monotonic clock: nobody sets that one. */
static void human_delta(struct sm_out *o, uint64_t wall_ns, unsigned int decimals)
{
	uint64_t mono_ns = wall_ns - (uint64_t)o->wall_offset_ns;
	uint64_t before = o->prev_time_ns ? o->prev_time_ns : mono_ns;

	o->prev_time_ns = mono_ns;
	add_seconds(&o->row, (int64_t)(mono_ns - before), decimals);
}

static void human_time(struct sm_out *o, uint64_t wall_ns)
{
	unsigned int decimals = time_decimals(o->time_style, o->time_decimals);

	switch (o->time_style) {
	case SM_TIME_CLOCK:
		human_clock(o, wall_ns);
		break;
	case SM_TIME_ISO:
		human_iso(o, wall_ns);
		break;
	case SM_TIME_EPOCH:
		sm_buf_u64(&o->row, wall_ns / SM_NSEC_PER_SEC);
		add_decimals(&o->row, wall_ns % SM_NSEC_PER_SEC, decimals);
		break;
	case SM_TIME_MONO:
		add_seconds(&o->row, (int64_t)(wall_ns - (uint64_t)o->wall_offset_ns),
			decimals);
		break;
	case SM_TIME_DELTA:
		human_delta(o, wall_ns, decimals);
		break;
	}
}

static void machine_time(struct sm_out *o, uint64_t wall_ns)
{
	cache_utc(o, wall_ns / SM_NSEC_PER_SEC);
	sm_buf_add(&o->row, o->cached_clock, o->cached_len);
	add_decimals(&o->row, wall_ns % SM_NSEC_PER_SEC, 9);
	sm_buf_chr(&o->row, 'Z');
}

/* The length of the argument at p: up to its NUL or to the end. */
static size_t arg_len(const char *p, size_t n)
{
	const char *nul = memchr(p, '\0', n);

	return nul ? (size_t)(nul - p) : n;
}

static void human_argv(struct sm_out *o, const char *p, size_t n)
{
	while (n) {
		size_t len = arg_len(p, n);

		sm_text_human(&o->row, p, len, o->text_flags);
		if (n - len <= 1)
			return;
		sm_buf_chr(&o->row, ' ');
		p += len + 1;
		n -= len + 1;
	}
}

/* At most max - 3 bytes of the value, whole characters: the ellipsis has three bytes. */
static size_t cut_text(const char *p, size_t max)
{
	size_t n = max > 3 ? max - 3 : 0;
	size_t tail = 0;

	while (tail < 3 && tail < n && ((unsigned char)p[n - tail] & 0xC0) == 0x80)
		tail++;
	return ((unsigned char)p[n - tail] & 0xC0) == 0x80 ? n : n - tail;
}

static void human_text(struct sm_out *o, const struct sm_val *v, size_t max)
{
	bool cut = max && v->s.n > max;
	size_t n = cut ? cut_text(v->s.p, max) : v->s.n;

	if (v->type == SM_VAL_ARGV)
		human_argv(o, v->s.p, n);
	else
		sm_text_human(&o->row, v->s.p, n, o->text_flags);
	if (cut)
		sm_buf_str(
			&o->row, o->text_flags & SM_TEXT_UTF8 ? "\xE2\x80\xA6" : "...");
}

/* Eight columns with leading blanks; the column does the padding. */
static void human_duration(struct sm_buf *b, uint64_t ns)
{
	size_t at = b->len;
	size_t blanks = 0;

	sm_num_print_duration(b, ns);
	while (at + blanks < b->len && b->p[at + blanks] == ' ')
		blanks++;
	if (blanks == 0)
		return;
	memmove(b->p + at, b->p + at + blanks, b->len - at - blanks);
	b->len -= blanks;
}

/* The numbers, which look the same in every face. */
static void add_number(struct sm_buf *b, const struct sm_val *v)
{
	switch (v->type) {
	case SM_VAL_U64:
		sm_buf_u64(b, v->u);
		break;
	case SM_VAL_I64:
		sm_buf_i64(b, v->i);
		break;
	case SM_VAL_FIXED:
		sm_buf_fixed(b, v->u, v->scale);
		break;
	case SM_VAL_DOUBLE:
		sm_buf_double(b, v->d, v->scale);
		break;
	case SM_VAL_DURATION:
		sm_buf_fixed(b, v->u, 9);
		break;
	default:
		break;
	}
}

void sm_out_human_value(struct sm_out *o, const struct sm_val *v, size_t max_text)
{
	switch (v->type) {
	case SM_VAL_BOOL:
		sm_buf_str(&o->row, v->b ? "yes" : "no");
		break;
	case SM_VAL_DURATION:
		human_duration(&o->row, v->u);
		break;
	case SM_VAL_TIME:
		human_time(o, v->u);
		break;
	case SM_VAL_STR:
		sm_buf_add(&o->row, v->s.p, v->s.n);
		break;
	case SM_VAL_TEXT:
	case SM_VAL_ARGV:
		human_text(o, v, max_text);
		break;
	default:
		add_number(&o->row, v);
		break;
	}
	if (v->suffix)
		sm_buf_str(&o->row, v->suffix);
}

static void csv_argv(struct sm_out *o, const struct sm_str *s)
{
	struct sm_buf *joined = &o->scratch;
	size_t n = s->n;

	if (n && s->p[n - 1] == '\0')
		n--;
	if (n == 0)
		return;
	sm_buf_reset(joined);
	sm_buf_add(joined, s->p, n);
	if (sm_buf_error(joined)) {
		o->row.err = sm_buf_error(joined);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		if (joined->p[i] == '\0')
			joined->p[i] = ' ';
	}
	sm_text_csv(&o->row, joined->p, n);
}

void sm_out_csv_value(struct sm_out *o, const struct sm_val *v)
{
	switch (v->type) {
	case SM_VAL_BOOL:
		sm_buf_chr(&o->row, v->b ? '1' : '0');
		break;
	case SM_VAL_TIME:
		machine_time(o, v->u);
		break;
	case SM_VAL_STR:
	case SM_VAL_TEXT:
		sm_text_csv(&o->row, v->s.p, v->s.n);
		break;
	case SM_VAL_ARGV:
		csv_argv(o, &v->s);
		break;
	default:
		add_number(&o->row, v);
		break;
	}
}

static void json_key(struct sm_buf *b, const char *key, const char *end)
{
	sm_buf_add(b, ",\"", 2);
	sm_buf_str(b, key);
	sm_buf_str(b, end);
}

/* The bytes that U+FFFD stands for. */
static void json_bytes(struct sm_buf *b, const char *key, const struct sm_str *s)
{
	json_key(b, key, "_b64\":\"");
	sm_buf_base64(b, s->p, s->n);
	sm_buf_chr(b, '"');
}

static void json_argv(struct sm_buf *b, const char *key, const struct sm_str *s)
{
	const char *p = s->p;
	size_t n = s->n;
	bool lossy = false;

	sm_buf_chr(b, '[');
	while (n) {
		size_t len = arg_len(p, n);

		sm_text_json(b, p, len, &lossy);
		if (n - len <= 1)
			break;
		sm_buf_chr(b, ',');
		p += len + 1;
		n -= len + 1;
	}
	sm_buf_chr(b, ']');
	if (lossy)
		json_bytes(b, key, s);
}

void sm_out_json_value(struct sm_out *o, const char *key, const struct sm_val *v)
{
	struct sm_buf *b = &o->row;
	bool lossy = false;

	json_key(b, key, "\":");
	switch (v->type) {
	case SM_VAL_BOOL:
		sm_buf_str(b, v->b ? "true" : "false");
		break;
	case SM_VAL_TIME:
		sm_buf_chr(b, '"');
		machine_time(o, v->u);
		sm_buf_chr(b, '"');
		break;
	case SM_VAL_STR:
	case SM_VAL_TEXT:
		sm_text_json(b, v->s.p, v->s.n, &lossy);
		if (lossy)
			json_bytes(b, key, &v->s);
		break;
	case SM_VAL_ARGV:
		json_argv(b, key, &v->s);
		break;
	default:
		add_number(b, v);
		break;
	}
}
