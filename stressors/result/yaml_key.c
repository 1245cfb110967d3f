// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "yaml_key.h"

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

/* Appends the words of s, with a dash before each except the first word of the key. */
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

static void add_known(
	struct sm_buf *b, const char *key, const char *stressor, const char *method)
{
	for (; *key; key++) {
		if (*key == '*')
			yaml_key_name(b, method, '-');
		else if (*key == '@')
			sm_buf_str(b, stressor);
		else
			sm_buf_chr(b, *key);
	}
}

void yaml_key_metric(struct sm_buf *b, const char *stressor, const char *method,
	const struct stressor_metric *m)
{
	size_t at = b->len;

	if (m->yaml) {
		add_known(b, m->yaml, stressor, method);
		return;
	}
	yaml_key_name(b, m->name, '-');
	add_unit(b, at, m->unit);
}

static bool is_taken(const struct sm_buf *keys, size_t at)
{
	for (size_t i = 0; i < at; i += strlen(keys->p + i) + 1)
		if (strcmp(keys->p + i, keys->p + at) == 0)
			return true;
	return false;
}

const char *yaml_keys_end(struct sm_buf *keys, size_t at)
{
	size_t n = keys->len;

	sm_buf_chr(keys, '\0');
	for (unsigned int i = 2; !sm_buf_error(keys) && is_taken(keys, at); i++) {
		keys->len = n;
		sm_buf_printf(keys, "-%u", i);
		sm_buf_chr(keys, '\0');
	}
	return sm_buf_error(keys) ? "" : keys->p + at;
}

void yaml_keys_fini(struct sm_buf *keys, struct sm_buf *b)
{
	if (sm_buf_error(keys))
		sm_buf_fail(b, sm_buf_error(keys));
	sm_buf_fini(keys);
}
