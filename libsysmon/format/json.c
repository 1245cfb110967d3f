// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <time.h>

#include "format/json.h"
#include "base/text.h"

static uint32_t bit(const struct sm_json *j)
{
	return UINT32_C(1) << (j->depth & 31);
}

/* Writes the comma before a value, unless it is the first one at its depth, and the
 * key. */
static void begin(struct sm_json *j, const char *key)
{
	if (j->comma & bit(j))
		sm_buf_chr(j->b, ',');
	j->comma |= bit(j);
	if (!key)
		return;
	sm_buf_chr(j->b, '"');
	sm_buf_str(j->b, key);
	sm_buf_add(j->b, "\":", 2);
}

void sm_json_open(struct sm_json *j, struct sm_buf *b, const char *type)
{
	*j = (struct sm_json){.b = b};
	sm_buf_chr(b, '{');
	sm_json_str(j, "type", type);
}

void sm_json_u64(struct sm_json *j, const char *key, uint64_t v)
{
	begin(j, key);
	sm_buf_u64(j->b, v);
}

void sm_json_i64(struct sm_json *j, const char *key, int64_t v)
{
	begin(j, key);
	sm_buf_i64(j->b, v);
}

void sm_json_double(struct sm_json *j, const char *key, double v, int decimals)
{
	if (!isfinite(v) && key)
		return;
	begin(j, key);
	if (isfinite(v))
		sm_buf_double(j->b, v, decimals);
	else
		sm_buf_str(j->b, "null");
}

void sm_json_seconds(struct sm_json *j, const char *key, uint64_t ns)
{
	begin(j, key);
	sm_buf_fixed(j->b, ns, 9);
}

void sm_json_bool(struct sm_json *j, const char *key, bool v)
{
	begin(j, key);
	sm_buf_str(j->b, v ? "true" : "false");
}

void sm_json_text(struct sm_json *j, const char *key, const char *p, size_t n)
{
	bool lossy = false;

	begin(j, key);
	sm_text_json(j->b, p, n, &lossy);
}

void sm_json_str(struct sm_json *j, const char *key, const char *s)
{
	sm_json_text(j, key, s, strlen(s));
}

void sm_json_time(struct sm_json *j, const char *key, uint64_t wall_ns)
{
	time_t sec = (time_t)(wall_ns / SM_NSEC_PER_SEC);
	char text[sizeof("\"2026-11-21T13:05:59.")] = "";
	struct tm tm;

	memset(&tm, 0, sizeof(tm));
	gmtime_r(&sec, &tm);
	strftime(text, sizeof(text), "\"%Y-%m-%dT%H:%M:%S.", &tm);
	begin(j, key);
	sm_buf_str(j->b, text);
	sm_buf_u64_pad(j->b, wall_ns % SM_NSEC_PER_SEC, 9);
	sm_buf_add(j->b, "Z\"", 2);
}

static void descend(struct sm_json *j, const char *key, bool array)
{
	begin(j, key);
	sm_buf_chr(j->b, array ? '[' : '{');
	j->depth++;
	j->comma &= ~bit(j);
	j->is_array &= ~bit(j);
	if (array)
		j->is_array |= bit(j);
}

void sm_json_object(struct sm_json *j, const char *key)
{
	descend(j, key, false);
}

void sm_json_array(struct sm_json *j, const char *key)
{
	descend(j, key, true);
}

void sm_json_end(struct sm_json *j)
{
	if (j->depth == 0)
		return;
	sm_buf_chr(j->b, j->is_array & bit(j) ? ']' : '}');
	j->depth--;
}

void sm_json_close(struct sm_json *j)
{
	while (j->depth)
		sm_json_end(j);
	sm_buf_add(j->b, "}\n", 2);
}
