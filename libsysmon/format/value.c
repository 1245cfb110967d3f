// SPDX-License-Identifier: GPL-2.0-or-later
#include <time.h>

#include "base/units.h"
#include "format/value.h"
#include "base/text.h"

/* Lengths of "2026-11-21T" and "2026-11-21T13:05:59" (64-bit nanoseconds end in 2554). */
#define ISO_DATE    11u
#define ISO_SECONDS 19u

bool sm_value_is_number(const struct sm_table *t, const struct sm_value *v)
{
	switch (v->type) {
	case SM_VALUE_U64:
	case SM_VALUE_I64:
	case SM_VALUE_FIXED:
	case SM_VALUE_DOUBLE:
	case SM_VALUE_DURATION:
	case SM_VALUE_CPU_TIME:
		return true;
	case SM_VALUE_TIME:
		return t->time.style >= SM_TIME_EPOCH;
	default:
		return false;
	}
}

/* Whole seconds are too coarse for MONO and DELTA. */
static unsigned int time_decimals(enum sm_time_style style, unsigned int decimals)
{
	unsigned int min = style == SM_TIME_MONO || style == SM_TIME_DELTA ? 6 : 0;

	decimals = decimals < 9 ? decimals : 9;
	return decimals > min ? decimals : min;
}

unsigned int sm_value_time_width(enum sm_time_style style, unsigned int decimals)
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

/* Appends the fraction, such as ".123"; truncated, because 59.9999 must not become
 * :60. */
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

/* Formats each second only once, in local time or UTC. */
static void cache_clock(struct sm_table_time *time, uint64_t sec, bool local)
{
	time_t t = (time_t)sec;
	struct tm tm;

	if (SM_LIKELY(time->cached_sec == sec))
		return;
	memset(&tm, 0, sizeof(tm));
	if (local)
		localtime_r(&t, &tm);
	else
		gmtime_r(&t, &tm);
	time->cached_len =
		(uint8_t)strftime(time->cached_clock, sizeof(time->cached_clock),
			local ? "%Y-%m-%dT%H:%M:%S%z" : "%Y-%m-%dT%H:%M:%S", &tm);
	time->cached_sec = sec;
}

static void human_clock(struct sm_table_time *time, uint64_t wall_ns, struct sm_buf *b)
{
	cache_clock(time, wall_ns / SM_NSEC_PER_SEC, true);
	sm_buf_add(b, time->cached_clock + ISO_DATE, ISO_SECONDS - ISO_DATE);
	add_decimals(b, wall_ns % SM_NSEC_PER_SEC, time->decimals);
}

static void human_iso(struct sm_table_time *time, uint64_t wall_ns, struct sm_buf *b)
{
	cache_clock(time, wall_ns / SM_NSEC_PER_SEC, true);
	sm_buf_add(b, time->cached_clock, ISO_SECONDS);
	add_decimals(b, wall_ns % SM_NSEC_PER_SEC, time->decimals);
	sm_buf_add(b, time->cached_clock + ISO_SECONDS, time->cached_len - ISO_SECONDS);
}

/* Uses the monotonic clock, which cannot be set. */
static void add_delta(struct sm_table_time *time, uint64_t wall_ns, unsigned int decimals,
	struct sm_buf *b)
{
	uint64_t mono_ns = wall_ns - (uint64_t)time->wall_offset_ns;
	uint64_t before = time->prev_ns ? time->prev_ns : mono_ns;

	time->prev_ns = mono_ns;
	add_seconds(b, (int64_t)(mono_ns - before), decimals);
}

/* Appends a time in a style that is a number of seconds. */
static void time_number(struct sm_table_time *time, uint64_t wall_ns,
	unsigned int decimals, struct sm_buf *b)
{
	if (time->style == SM_TIME_EPOCH) {
		sm_buf_u64(b, wall_ns / SM_NSEC_PER_SEC);
		add_decimals(b, wall_ns % SM_NSEC_PER_SEC, decimals);
	} else if (time->style == SM_TIME_MONO) {
		add_seconds(
			b, (int64_t)(wall_ns - (uint64_t)time->wall_offset_ns), decimals);
	} else {
		add_delta(time, wall_ns, decimals, b);
	}
}

static void human_time(struct sm_table_time *time, uint64_t wall_ns, struct sm_buf *b)
{
	if (time->style == SM_TIME_CLOCK)
		human_clock(time, wall_ns, b);
	else if (time->style == SM_TIME_ISO)
		human_iso(time, wall_ns, b);
	else
		time_number(time, wall_ns, time_decimals(time->style, time->decimals), b);
}

void sm_table_time_text(struct sm_table *t, uint64_t wall_ns, struct sm_buf *b)
{
	human_time(&t->time, wall_ns, b);
}

/* In CSV and JSON, the style CLOCK includes the date. */
static void machine_time(
	struct sm_table_time *time, uint64_t wall_ns, const char *quote, struct sm_buf *b)
{
	if (time->style >= SM_TIME_EPOCH) {
		time_number(time, wall_ns, 9, b);
		return;
	}
	cache_clock(time, wall_ns / SM_NSEC_PER_SEC, false);
	sm_buf_str(b, quote);
	sm_buf_add(b, time->cached_clock, time->cached_len);
	add_decimals(b, wall_ns % SM_NSEC_PER_SEC, 9);
	sm_buf_chr(b, 'Z');
	sm_buf_str(b, quote);
}

/* Returns the length of the argument at p: up to its NUL or to the end. */
static size_t arg_len(const char *p, size_t n)
{
	const char *nul = memchr(p, '\0', n);

	return nul ? (size_t)(nul - p) : n;
}

static void human_text(
	const struct sm_value *v, unsigned int text_flags, struct sm_buf *b)
{
	if (v->type == SM_VALUE_ARGV)
		sm_text_args(b, v->s.p, v->s.n, text_flags);
	else if (v->type == SM_VALUE_SHELL)
		sm_text_shell(b, v->s.p, v->s.n, text_flags);
	else
		sm_text_human(b, v->s.p, v->s.n, text_flags);
}

void sm_value_put(const struct sm_value *v, unsigned int text_flags, struct sm_buf *b)
{
	if (v->type == SM_VALUE_STR)
		sm_buf_add(b, v->s.p, v->s.n);
	else
		human_text(v, text_flags, b);
	if (v->suffix)
		sm_buf_str(b, v->suffix);
}

/* Omits the leading spaces, because the column pads. */
static void human_duration(struct sm_buf *b, uint64_t ns)
{
	size_t at = b->len;
	size_t blanks = 0;

	sm_units_print_duration(b, ns);
	while (at + blanks < b->len && b->p[at + blanks] == ' ')
		blanks++;
	if (blanks == 0)
		return;
	memmove(b->p + at, b->p + at + blanks, b->len - at - blanks);
	b->len -= blanks;
}

static uint64_t nearest(uint64_t ns, uint64_t unit_ns)
{
	return ns / unit_ns + (ns % unit_ns >= (unit_ns + 1) / 2);
}

static void with_unit(struct sm_buf *b, uint64_t centi, char unit)
{
	sm_buf_fixed(b, centi, 2);
	sm_buf_chr(b, unit);
}

/* Appends 59.99s, then minutes.seconds (1.30m is 90 seconds), hours.minutes, and
 * hundredths of days, weeks and years of 365 days. */
static void human_cpu_time(struct sm_buf *b, uint64_t ns)
{
	const uint64_t minute_ns = 60 * SM_NSEC_PER_SEC, day_ns = 1440 * minute_ns;
	uint64_t centi = nearest(ns, SM_NSEC_PER_SEC / 100);
	uint64_t seconds = nearest(ns, SM_NSEC_PER_SEC);
	uint64_t minutes = nearest(ns, minute_ns);

	if (centi < 6000)
		with_unit(b, centi, 's');
	else if (seconds < 3600)
		with_unit(b, seconds / 60 * 100 + seconds % 60, 'm');
	else if (minutes < 1440)
		with_unit(b, minutes / 60 * 100 + minutes % 60, 'h');
	else if (ns < 7 * day_ns)
		with_unit(b, nearest(ns, day_ns / 100), 'd');
	else if (ns < 365 * day_ns)
		with_unit(b, nearest(ns, 7 * day_ns / 100), 'w');
	else
		with_unit(b, nearest(ns, 365 * day_ns / 100), 'y');
}

/* Appends one of the other numbers, which are equal in every format. */
static void add_number(struct sm_buf *b, const struct sm_value *v)
{
	switch (v->type) {
	case SM_VALUE_U64:
		sm_buf_u64(b, v->u);
		break;
	case SM_VALUE_I64:
		sm_buf_i64(b, v->i);
		break;
	case SM_VALUE_FIXED:
		sm_buf_fixed(b, v->u, v->scale);
		break;
	case SM_VALUE_DURATION:
	case SM_VALUE_CPU_TIME:
		sm_buf_fixed(b, v->u, 9);
		break;
	default:
		break;
	}
}

void sm_value_human_other(struct sm_table *t, const struct sm_column *c,
	const struct sm_value *v, struct sm_buf *b)
{
	switch (v->type) {
	case SM_VALUE_BOOL:
		sm_buf_str(b, v->b ? "yes" : "no");
		break;
	case SM_VALUE_DURATION:
		human_duration(b, v->u);
		break;
	case SM_VALUE_CPU_TIME:
		human_cpu_time(b, v->u);
		break;
	case SM_VALUE_TIME:
		human_time(&t->time, v->u, b);
		break;
	case SM_VALUE_STR:
		sm_buf_add(b, v->s.p, v->s.n);
		break;
	case SM_VALUE_TEXT:
	case SM_VALUE_ARGV:
	case SM_VALUE_SHELL:
		human_text(v, t->text_flags, b);
		break;
	default:
		add_number(b, v);
		if (c->unit)
			sm_buf_str(b, c->unit);
		break;
	}
}

static void csv_argv(struct sm_table *t, const struct sm_str *s)
{
	struct sm_buf *joined = &t->scratch;
	size_t n = s->n;

	if (n && s->p[n - 1] == '\0')
		n--;
	if (n == 0)
		return;
	sm_buf_reset(joined);
	sm_buf_add(joined, s->p, n);
	if (sm_buf_error(joined)) {
		t->row.err = sm_buf_error(joined);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		if (joined->p[i] == '\0')
			joined->p[i] = ' ';
	}
	sm_text_csv(&t->row, joined->p, n);
}

static void csv_shell(struct sm_table *t, const struct sm_str *s)
{
	sm_buf_reset(&t->scratch);
	sm_text_shell(&t->scratch, s->p, s->n, SM_TEXT_UTF8);
	if (sm_buf_error(&t->scratch))
		t->row.err = sm_buf_error(&t->scratch);
	else
		sm_text_csv_shown(&t->row, t->scratch.p, t->scratch.len);
}

void sm_value_csv_other(struct sm_table *t, const struct sm_value *v)
{
	switch (v->type) {
	case SM_VALUE_BOOL:
		sm_buf_chr(&t->row, v->b ? '1' : '0');
		break;
	case SM_VALUE_TIME:
		machine_time(&t->time, v->u, "", &t->row);
		break;
	case SM_VALUE_STR:
	case SM_VALUE_TEXT:
		sm_text_csv(&t->row, v->s.p, v->s.n);
		break;
	case SM_VALUE_ARGV:
		csv_argv(t, &v->s);
		break;
	case SM_VALUE_SHELL:
		csv_shell(t, &v->s);
		break;
	default:
		add_number(&t->row, v);
		break;
	}
}

/* Appends ,"NAME_b64": with the bytes that were replaced by U+FFFD. */
static void json_bytes(struct sm_buf *b, struct sm_str name, const struct sm_str *s)
{
	sm_buf_add(b, ",\"", 2);
	sm_buf_add(b, name.p, name.n);
	sm_buf_str(b, "_b64\":\"");
	sm_buf_base64(b, s->p, s->n);
	sm_buf_chr(b, '"');
}

static void json_argv(struct sm_buf *b, struct sm_str name, const struct sm_str *s)
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
		json_bytes(b, name, s);
}

void sm_value_json_other(struct sm_table *t, struct sm_str name, const struct sm_value *v)
{
	struct sm_buf *b = &t->row;
	bool lossy = false;

	switch (v->type) {
	case SM_VALUE_BOOL:
		sm_buf_str(b, v->b ? "true" : "false");
		break;
	case SM_VALUE_TIME:
		machine_time(&t->time, v->u, "\"", b);
		break;
	case SM_VALUE_STR:
	case SM_VALUE_TEXT:
		sm_text_json(b, v->s.p, v->s.n, &lossy);
		if (lossy)
			json_bytes(b, name, &v->s);
		break;
	case SM_VALUE_ARGV:
		json_argv(b, name, &v->s);
		break;
	case SM_VALUE_JSON:
		sm_buf_add(b, v->s.p, v->s.n);
		break;
	default:
		add_number(b, v);
		break;
	}
}
