// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "columns.h"
#include "table.h"
#include "text.h"

#define DYNAMIC_WIDTH 6 /* the original's, of domains and zones */
#define KHZ_TO_GHZ    1e-6

static char *copy(const char *p, size_t n)
{
	char *s = malloc(n + 1);

	if (!s)
		return NULL;
	memcpy(s, p, n);
	s[n] = '\0';
	return s;
}

/* Takes what was built in b; NULL: no memory. */
static char *take(struct sm_buf *b, size_t *n)
{
	char *s = sm_buf_error(b) ? NULL : copy(b->p ? b->p : "", b->len);

	*n = s ? b->len : 0;
	return s;
}

/* --- unique names ------------------------------------------------------------------ */

enum name { KEY, HEAD, MEMBER };

static const char *name_of(const struct ps_col *c, enum name which, size_t *n)
{
	switch (which) {
	case KEY:
		*n = c->key_len;
		return c->key;
	case HEAD:
		*n = c->head_len;
		return c->head;
	default:
		*n = c->member_len;
		return c->member;
	}
}

/* Has a column before c that name?  Keys: any; others: of the same group. */
static bool taken(const struct ps_table *t, const struct ps_col *c, enum name which,
	const struct sm_buf *b)
{
	for (const struct ps_col *other = t->col; other < c; other++) {
		size_t n;
		const char *p = name_of(other, which, &n);

		if (which != KEY && other->group != c->group)
			continue;
		if (p && b->p && n == b->len && memcmp(p, b->p, n) == 0)
			return true;
	}
	return false;
}

struct naming {
	const char *before, *after; /* of the name and its number */
	void (*put)(struct sm_buf *b, const char *p, size_t n);
};

/* before LABEL [-N] after, with the least N from 2 on that makes it unique. */
static char *unique(const struct ps_table *t, const struct ps_col *c, enum name which,
	const struct naming *how, size_t *n)
{
	struct sm_buf b = {0};
	char *s;

	for (unsigned int number = 1;; number++) {
		sm_buf_reset(&b);
		sm_buf_str(&b, how->before);
		how->put(&b, c->name, c->name_len);
		if (number > 1) {
			sm_buf_chr(&b, which == KEY ? '_' : '-');
			sm_buf_u64(&b, number);
		}
		sm_buf_str(&b, how->after);
		if (sm_buf_error(&b) || !taken(t, c, which, &b))
			break;
	}
	s = take(&b, n);
	sm_buf_fini(&b);
	return s;
}

static void put_key(struct sm_buf *b, const char *p, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		char ch = p[i];

		if (ch >= 'A' && ch <= 'Z')
			ch = (char)(ch - 'A' + 'a');
		if (!((ch >= 'a' && ch <= 'z') || (ch >= '0' && ch <= '9')))
			ch = '_';
		sm_buf_chr(b, ch);
	}
	if (n == 0)
		sm_buf_chr(b, '_');
}

static void put_head(struct sm_buf *b, const char *p, size_t n)
{
	sm_text_human(b, p, n, SM_TEXT_UTF8);
	if (n == 0) /* a column without a heading would shift the others' */
		sm_buf_chr(b, '-');
}

/* Without the quotes: unique() puts them around name and number. */
static void put_member(struct sm_buf *b, const char *p, size_t n)
{
	size_t at = b->len;
	bool lossy = false;

	sm_text_json(b, p, n, &lossy);
	if (sm_buf_error(b))
		return;
	b->len -= 2;
	memmove(b->p + at, b->p + at + 1, b->len - at);
}

/* --- columns ----------------------------------------------------------------------- */

/* name is set; the rest of the names from it. */
static int make_names(const struct ps_table *t, struct ps_col *c, const char *unit)
{
	const struct naming key = {"", unit, put_key};
	const struct naming head = {"", "", put_head};
	const struct naming member = {"\"", "\":", put_member};

	c->key = unique(t, c, KEY, &key, &c->key_len);
	if (!c->head)
		c->head = unique(t, c, HEAD, &head, &c->head_len);
	c->member = unique(t, c, MEMBER, &member, &c->member_len);
	if (!c->key || !c->head || !c->member)
		return -ENOMEM;
	c->head_width = (uint16_t)sm_text_width(c->head, c->head_len);
	if (c->width < c->head_width)
		c->width = c->head_width;
	return 0;
}

static void set_frequency(struct ps_col *c)
{
	if (c->group != PS_G_FREQ)
		return;
	c->unit = " GHz";
	c->scale = KHZ_TO_GHZ;
}

static int add_fixed(struct ps_table *t, enum ps_column which, bool human, bool shown)
{
	const struct ps_coldef *def = &ps_columns[which];
	struct ps_col *c = &t->col[t->n];

	*c = (struct ps_col){.width = def->width,
		.group = def->group,
		.decimals = def->decimals,
		.stat_decimals = def->stat_decimals,
		.machine_decimals = def->machine_decimals,
		.gap = 1,
		.human = human && def->head,
		.shown = shown,
		.mark = which == C_WATTS,
		.unit = "",
		.scale = 1};
	set_frequency(c);
	c->name_len = strlen(def->key);
	c->name = copy(def->key, c->name_len);
	c->head_len = def->head ? strlen(def->head) : 0;
	c->head = copy(def->head ? def->head : "", c->head_len);
	t->n++;
	return c->name && c->head ? make_names(t, c, "") : -ENOMEM;
}

static int add_label(
	struct ps_table *t, enum ps_group group, const char *label, const char *unit)
{
	bool watts = group == PS_G_DOMAIN;
	struct ps_col *c = &t->col[t->n];

	*c = (struct ps_col){.width = DYNAMIC_WIDTH,
		.group = (uint8_t)group,
		.decimals = 2,
		.stat_decimals = 2,
		.machine_decimals = watts ? 6 : 3,
		.gap = 1,
		.human = true,
		.shown = true,
		.unit = "",
		.scale = 1};
	c->name_len = strlen(label);
	c->name = copy(label, c->name_len);
	t->n++;
	return c->name ? make_names(t, c, unit) : -ENOMEM;
}

static int add_fixed_ones(struct ps_table *t, const struct ps_opts *o, bool events)
{
	int err = 0;

	for (unsigned int i = 0; i < PS_FIXED && !err; i++) {
		bool counts = i == PS_FORK || i == PS_EXEC || i == PS_EXIT;
		bool asked = i != PS_JOULES || o->joules;

		err = add_fixed(t, (enum ps_column)(C_USER + i),
			asked && (events || !counts), asked);
	}
	return err;
}

static int add_frequencies(struct ps_table *t, bool freq, bool gpu)
{
	int err = 0;

	t->freq0 = t->n;
	for (unsigned int i = C_FREQ; freq && i <= C_FREQ_MAX && !err; i++)
		err = add_fixed(t, (enum ps_column)i, true, true);
	t->nfreq = t->n - t->freq0;
	if (gpu && !err) {
		t->gpu = t->n;
		err = add_fixed(t, C_GPU, true, true);
	}
	return err;
}

static int add_all(struct ps_table *t, const struct ps_opts *o,
	const struct power_domain *domain, const struct sm_thermal *thermal, bool events)
{
	int err = add_fixed_ones(t, o, events);

	t->domain0 = t->n;
	for (unsigned int i = 0; i < t->ndomains && !err; i++)
		err = add_label(t, PS_G_DOMAIN, domain[i].label, "_w");
	t->thermal0 = t->n;
	for (unsigned int i = 0; thermal && i < t->nthermal && !err; i++)
		err = add_label(t, PS_G_THERMAL, thermal->zone[i].label, "_c");
	return err;
}

int ps_table_init(struct ps_table *t, const struct ps_opts *o,
	const struct power_domain *domain, unsigned int ndomains,
	const struct sm_thermal *thermal, bool have_freq, bool have_gpu, bool events)
{
	int err;

	memset(t, 0, sizeof(*t));
	t->ndomains = o->domains ? ndomains : 0;
	t->nthermal = o->thermal && thermal ? thermal->n : 0;
	t->col = calloc((size_t)PS_FIXED + t->ndomains + t->nthermal + C_N - C_FREQ,
		sizeof(*t->col));
	if (!t->col)
		return -ENOMEM;
	err = add_all(t, o, domain, thermal, events);
	if (!err)
		err = add_frequencies(t, o->freq && have_freq, o->gpu && have_gpu);
	if (err)
		ps_table_fini(t);
	return err;
}

void ps_table_fini(struct ps_table *t)
{
	for (unsigned int i = 0; i < t->n; i++) {
		free(t->col[i].key);
		free(t->col[i].head);
		free(t->col[i].name);
		free(t->col[i].member);
	}
	free(t->col);
	memset(t, 0, sizeof(*t));
}
