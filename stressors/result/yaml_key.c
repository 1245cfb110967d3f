// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "yaml_key.h"

/* Metrics for which stress-ng has a key; name NULL: any.  A '*' in the key stands for the
 * method that was used. */
static const struct {
	const char *stressor, *name, *unit, *key;
	double factor;
} known[] = {
	{"stream", "read", "MB/s", "mb-per-sec-memory-read-rate", 1},
	{"stream", "write", "MB/s", "mb-per-sec-memory-write-rate", 1},
	{"stream", NULL, "Mflop/s", "mflop-per-sec-double-precision-compute-rate", 1},
	{"pipe", NULL, "MB/s", "mb-per-sec-pipe-write-rate", 1},
	{"switch", "time per switch", "ns", "nanosecs-per-context-switch-*-method", 1},
	{"fork", "time per fork", "ns", "microsecs-per-fork", 1e-3},
};

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

/* A word after others has a dash before it. */
static void add(struct sm_buf *b, size_t at, const char *s, size_t n, char dash)
{
	bool gap = b->len > at;

	for (size_t i = 0; i < n; i++) {
		char c = lower(s[i]);

		if (c == '%') { /* "99 %" is not a share */
			add(b, at, "percentile", strlen("percentile"), dash);
			continue;
		}
		if (!is_word(c)) {
			gap = b->len > at;
			continue;
		}
		if (gap)
			sm_buf_chr(b, dash);
		sm_buf_chr(b, c);
		gap = false;
	}
}

void yaml_key_name(struct sm_buf *b, const char *name, char dash)
{
	size_t at = b->len;

	add(b, at, name, strlen(name), dash);
	if (b->len == at)
		sm_buf_str(b, "unnamed");
}

/* "MB/s" -> mb-per-sec, "%" -> percent */
static void add_unit(struct sm_buf *b, size_t at, const char *unit)
{
	const char *per = strchr(unit, '/');
	size_t n = per ? (size_t)(per - unit) : strlen(unit);

	if (n == 1 && *unit == '1')
		n = 0;
	if (n == 1 && *unit == '%')
		add(b, at, "percent", strlen("percent"), '-');
	else
		add(b, at, unit, n, '-');
	if (!per)
		return;
	add(b, at, "per", strlen("per"), '-');
	if (strcmp(per, "/s") == 0)
		add(b, at, "sec", strlen("sec"), '-');
	else
		add(b, at, per + 1, strlen(per + 1), '-');
}

static bool same(const char *want, const char *s)
{
	return !want || strcmp(want, s) == 0;
}

/* matrix: "prod" in ops/s is prod-matrix-ops-per-sec. */
static bool is_method_of_matrix(const char *stressor, const char *unit)
{
	return strcmp(stressor, "matrix") == 0 && strcmp(unit, "ops/s") == 0;
}

/* qsort-comparisons-per-sec, qsort-comparisons-per-item */
static bool is_comparisons(const char *name)
{
	return strncmp(name, "comparisons", strlen("comparisons")) == 0;
}

static void add_known(struct sm_buf *b, const char *key, const char *method)
{
	for (; *key; key++) {
		if (*key == '*')
			yaml_key_name(b, method, '-');
		else
			sm_buf_chr(b, *key);
	}
}

double yaml_key_metric(struct sm_buf *b, const char *stressor, const char *method,
	const char *name, const char *unit)
{
	size_t at = b->len;

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (same(known[i].stressor, stressor) && same(known[i].name, name) &&
			same(known[i].unit, unit)) {
			add_known(b, known[i].key, method);
			return known[i].factor;
		}
	}
	if (is_comparisons(name)) {
		yaml_key_name(b, stressor, '-');
		sm_buf_chr(b, '-');
	}
	yaml_key_name(b, name, '-');
	if (is_method_of_matrix(stressor, unit))
		sm_buf_str(b, "-matrix");
	add_unit(b, at, unit);
	return 1;
}

static bool is_taken(const struct yaml_keys *k, const char *key, size_t n)
{
	const char *p = k->b.p, *end = p ? p + k->b.len : p;

	for (; p < end; p += strlen(p) + 1)
		if (strlen(p) == n && memcmp(p, key, n) == 0)
			return true;
	return false;
}

void yaml_keys_unique(struct yaml_keys *k, struct sm_buf *b, size_t at)
{
	size_t n = b->len;

	for (unsigned int i = 2; !sm_buf_error(b) && is_taken(k, b->p + at, b->len - at);
		i++) {
		b->len = n;
		sm_buf_chr(b, '-');
		sm_buf_u64(b, i);
	}
	if (sm_buf_error(b))
		return;
	sm_buf_add(&k->b, b->p + at, b->len - at);
	sm_buf_chr(&k->b, '\0');
	if (sm_buf_error(&k->b))
		sm_buf_fail(b, sm_buf_error(&k->b));
}

void yaml_keys_fini(struct yaml_keys *k)
{
	sm_buf_fini(&k->b);
}
