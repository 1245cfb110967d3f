// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <strings.h>

#include "format/yaml.h"
#include "base/text.h"

#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

void sm_yaml_open(struct sm_yaml *y, struct sm_buf *b, unsigned int step,
	void (*number)(struct sm_buf *b, double v))
{
	*y = (struct sm_yaml){.b = b, .number = number, .step = step};
	sm_buf_str(b, "---\n");
}

static void put_key(struct sm_yaml *y, const char *key, const char *end)
{
	sm_buf_fill(y->b, ' ', (size_t)y->step * y->depth - (*key == '-' ? 2 : 0));
	sm_buf_str(y->b, key);
	sm_buf_str(y->b, end);
}

void sm_yaml_key(struct sm_yaml *y, const char *key)
{
	put_key(y, key, ": ");
}

void sm_yaml_u64(struct sm_yaml *y, const char *key, uint64_t v)
{
	sm_yaml_key(y, key);
	sm_buf_u64(y->b, v);
	sm_buf_chr(y->b, '\n');
}

void sm_yaml_bool(struct sm_yaml *y, const char *key, bool v)
{
	put_key(y, key, v ? ": true\n" : ": false\n");
}

void sm_yaml_number(struct sm_yaml *y, const char *key, double v)
{
	if (!isfinite(v))
		return;
	sm_yaml_key(y, key);
	y->number(y->b, v);
	sm_buf_chr(y->b, '\n');
}

void sm_yaml_pair(struct sm_yaml *y, const char *key, double a, double b)
{
	if (!isfinite(a) || !isfinite(b))
		return;
	sm_yaml_key(y, key);
	sm_buf_chr(y->b, '[');
	y->number(y->b, a);
	sm_buf_str(y->b, ", ");
	y->number(y->b, b);
	sm_buf_str(y->b, "]\n");
}

void sm_yaml_string(struct sm_yaml *y, const char *key, const char *s)
{
	bool lossy = false;

	sm_yaml_key(y, key);
	sm_text_json(y->b, s, strlen(s), &lossy);
	sm_buf_chr(y->b, '\n');
}

/* Returns true for a word that is text in YAML 1.1 too.  Other text is quoted, as many
 * readers do not parse YAML completely. */
static bool is_plain(const char *s)
{
	static const char *const special[] = {
		"true", "false", "yes", "no", "on", "off", "y", "n", "null"};

	for (size_t i = 0; i < SM_ARRAY_SIZE(special); i++)
		if (strcasecmp(s, special[i]) == 0)
			return false;
	return strspn(s, LETTERS) && !s[strspn(s, LETTERS "_-0123456789")];
}

void sm_yaml_word(struct sm_yaml *y, const char *key, const char *s)
{
	struct sm_buf clean = {0};

	/* JSON has pairs of surrogates for some invisible characters, YAML has not. */
	sm_text_human(&clean, s, strlen(s), SM_TEXT_UTF8);
	sm_buf_chr(&clean, '\0');
	if (sm_buf_error(&clean)) {
		sm_buf_fail(y->b, sm_buf_error(&clean));
	} else if (is_plain(clean.p)) {
		sm_yaml_key(y, key);
		sm_buf_str(y->b, clean.p);
		sm_buf_chr(y->b, '\n');
	} else {
		sm_yaml_string(y, key, clean.p);
	}
	sm_buf_fini(&clean);
}

void sm_yaml_time(struct sm_yaml *y, const char *date, const char *clock, time_t t)
{
	char d[16], c[16];
	struct tm tm;

	if (!localtime_r(&t, &tm) || !strftime(d, sizeof(d), "%Y-%m-%d", &tm) ||
		!strftime(c, sizeof(c), "%H:%M:%S", &tm))
		return;
	sm_yaml_string(y, date, d);
	sm_yaml_string(y, clock, c);
}

void sm_yaml_begin(struct sm_yaml *y, const char *key)
{
	y->key[y->depth] = y->b->len;
	put_key(y, key, ":\n");
	y->body[y->depth++] = y->b->len;
}

void sm_yaml_end(struct sm_yaml *y, const char *empty)
{
	size_t column = (size_t)y->step * y->depth--;

	if (y->b->len > y->body[y->depth])
		return;
	if (!empty) {
		y->b->len = y->key[y->depth];
		return;
	}
	/* Below an item's dash, but to the right of the key. */
	sm_buf_fill(y->b, ' ', y->step > 2 ? column - 2 : column);
	sm_buf_str(y->b, empty);
	sm_buf_chr(y->b, '\n');
}
