// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "loader.h"

int bad(const struct loader *l, const char *fmt, ...)
{
	va_list ap;

	fprintf(l->err, "%s:%u: ", l->path, l->line);
	va_start(ap, fmt);
	vfprintf(l->err, fmt, ap);
	va_end(ap);
	fputc('\n', l->err);
	return -1;
}

void *must(void *p)
{
	if (!p)
		abort();
	return p;
}

const char *word(const struct loader *l, unsigned int i)
{
	return i < l->n ? l->word[i].p : "";
}

bool get_double(const char *s, double *out)
{
	char *end;

	*out = strtod(s, &end);
	return end != s && !*end && isfinite(*out);
}

bool get_seconds(const char *s, int64_t *ns)
{
	double x;

	if (!get_double(s, &x) || fabs(x) > 9e9)
		return false;
	*ns = llround(x * 1e9);
	return true;
}

bool get_int(const char *s, int64_t *out)
{
	char *end;

	errno = 0;
	*out = strtoll(s, &end, 10);
	return end != s && !*end && !errno;
}

const struct power *get_power(const struct loader *l, const char *text)
{
	struct power *p;

	if (*text == '@')
		return spec_power(l->s, text + 1);
	p = must(calloc(1, sizeof(*p)));
	if (power_parse(p, text) < 0) {
		free(p);
		return NULL;
	}
	return p;
}

static const struct volts *get_volts(const struct loader *l, const char *name)
{
	for (unsigned int i = 0; i < l->s->nvolts; i++)
		if (!strcmp(l->s->volts[i]->name, name))
			return l->s->volts[i];
	return NULL;
}

/* "T:DELTA" */
static bool get_jump(struct value *v, const char *text)
{
	char *colon = strchr(text, ':'), *at;
	bool fine;

	if (!colon || v->njumps == LAB_STEPS)
		return false;
	at = must(strndup(text, (size_t)(colon - text)));
	fine = get_seconds(at, &v->jump_ns[v->njumps]) &&
	       get_int(colon + 1, &v->jump_by[v->njumps]);
	free(at);
	v->njumps++;
	return fine;
}

static bool get_range(struct value *v, const char *text)
{
	int64_t x;

	if (!get_int(text, &x) || x < 0 || x == INT64_MAX)
		return false;
	v->range = (uint64_t)x;
	return true;
}

static bool set_key(struct loader *l, struct value *v, const char *key, const char *arg)
{
	int64_t sign;

	if (!strcmp(key, "start"))
		return get_int(arg, &v->start);
	if (!strcmp(key, "range"))
		return get_range(v, arg);
	if (!strcmp(key, "unit"))
		return get_int(arg, &v->unit) && v->unit > 0;
	if (!strcmp(key, "step"))
		return get_int(arg, &v->step) && v->step > 0;
	if (!strcmp(key, "every"))
		return get_seconds(arg, &v->every_ns) && v->every_ns > 0;
	if (!strcmp(key, "avg"))
		return get_seconds(arg, &v->average_ns) && v->average_ns > 0;
	if (!strcmp(key, "volts"))
		return (v->volts = get_volts(l, arg)) != NULL;
	if (!strcmp(key, "jump"))
		return get_jump(v, arg);
	if (!strcmp(key, "reset"))
		return v->nresets < LAB_STEPS &&
		       get_seconds(arg, &v->reset_ns[v->nresets++]);
	if (!strcmp(key, "sign") && get_int(arg, &sign) && (sign == 1 || sign == -1)) {
		v->sign = (int)sign;
		return true;
	}
	return false;
}

/* KEY=VALUE from word `at` on. */
static int get_keys(struct loader *l, struct value *v, unsigned int at)
{
	for (; at < l->n; at++) {
		char *eq = strchr(l->word[at].p, '=');

		if (!eq)
			return bad(l, "no KEY=VALUE: %s", word(l, at));
		*eq = '\0';
		if (!set_key(l, v, word(l, at), eq + 1))
			return bad(l, "%s: bad key or value: %s", word(l, at), eq + 1);
	}
	return 0;
}

static int number_value(struct loader *l, struct value *v, unsigned int at)
{
	v->sign = 1;
	if (v->kind == V_VOLT) {
		v->volts = get_volts(l, word(l, at + 1));
		return v->volts ? get_keys(l, v, at + 2)
				: bad(l, "no volts of that name");
	}
	v->power = get_power(l, word(l, at + 1));
	if (!v->power)
		return bad(l, "not a power: %s", word(l, at + 1));
	if (get_keys(l, v, at + 2) < 0)
		return -1;
	if ((v->kind == V_CHARGE || v->kind == V_CURRENT) && !v->volts)
		return bad(l, "needs volts=");
	return 0;
}

/* Units in a second instead of watts. */
static int count_value(struct loader *l, struct value *v, unsigned int at)
{
	struct power *p = must(calloc(1, sizeof(*p)));

	v->kind = V_LIN;
	v->power = p;
	p->n = 1;
	if (!get_int(word(l, at + 1), &p->uw[0]))
		return bad(l, "count: not a rate: %s", word(l, at + 1));
	return get_keys(l, v, at + 2);
}

static int wave_value(struct loader *l, struct value *v, unsigned int at)
{
	if (!get_double(word(l, at + 1), &v->low) ||
		!get_double(word(l, at + 2), &v->high) ||
		!get_seconds(word(l, at + 3), &v->period_ns) || v->period_ns <= 0)
		return bad(l, "needs two levels and a period");
	return get_keys(l, v, at + 4);
}

/* Texts from word `at` on, with a time before each when `timed`. */
static int list_value(struct loader *l, struct value *v, unsigned int at, bool timed)
{
	unsigned int stride = timed ? 2 : 1;

	if (at >= l->n || (l->n - at) % stride)
		return bad(l, "needs %s", timed ? "times and texts" : "a text");
	v->list = must(calloc(l->n, sizeof(*v->list)));
	v->when_ns = must(calloc(l->n, sizeof(*v->when_ns)));
	for (; at < l->n; at += stride, v->nlist++) {
		if (timed && !get_seconds(word(l, at), &v->when_ns[v->nlist]))
			return bad(l, "not a time: %s", word(l, at));
		v->list[v->nlist] = l->word[at + stride - 1];
	}
	return 0;
}

static int same_value(struct loader *l, struct node *node, unsigned int at)
{
	node->to = *word(l, at + 1) == '/' ? spec_find(l->s, word(l, at + 1))
					   : node_child(node->parent, word(l, at + 1),
						     strlen(word(l, at + 1)));
	if (!node->to || node->to->type != N_FILE || node->to->value.kind == V_SAME)
		return bad(l, "same: no such file: %s", word(l, at + 1));
	return 0;
}

static int cycle_value(struct loader *l, struct value *v, unsigned int at)
{
	if (!get_seconds(word(l, at + 1), &v->every_ns) || v->every_ns < 0)
		return bad(l, "cycle: not a period: %s", word(l, at + 1));
	return list_value(l, v, at + 2, false);
}

static const struct {
	const char *name;
	enum kind kind;
} kinds[] = {
	{"text", V_TEXT},
	{"bytes", V_BYTES},
	{"at", V_AT},
	{"cycle", V_CYCLE},
	{"lin", V_LIN},
	{"level", V_LEVEL},
	{"charge", V_CHARGE},
	{"rate", V_RATE},
	{"current", V_CURRENT},
	{"volt", V_VOLT},
	{"sin", V_SIN},
	{"saw", V_SAW},
	{"random", V_RANDOM},
	{"same", V_SAME},
	{"uevent", V_UEVENT},
	{"template", V_TEMPLATE},
	{"host", V_HOST},
};

static int set_value(struct loader *l, struct node *node, unsigned int at)
{
	struct value *v = &node->value;

	switch (v->kind) {
	case V_AT:
		return list_value(l, v, at + 1, true);
	case V_CYCLE:
		return cycle_value(l, v, at);
	case V_SIN:
	case V_SAW:
		return wave_value(l, v, at);
	case V_RANDOM:
		return get_int(word(l, at + 1), &v->start) && v->start >= 0
			       ? 0
			       : bad(l, "random: not a size: %s", word(l, at + 1));
	case V_SAME:
		return same_value(l, node, at);
	default:
		if (value_is_number(v))
			return number_value(l, v, at);
		if (l->n != at + 2)
			return bad(l, "%s: needs one text, in quotes if it has blanks",
				word(l, at));
		return list_value(l, v, at + 1, false);
	}
}

int make_file(struct loader *l, struct node *node, unsigned int at)
{
	if (node->child)
		return bad(l, "%s is a directory", node->name);
	node->type = N_FILE;
	node->value = (struct value){0};
	if (!strcmp(word(l, at), "count"))
		return count_value(l, &node->value, at);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strcmp(word(l, at), kinds[i].name)) {
			node->value.kind = kinds[i].kind;
			return set_value(l, node, at);
		}
	return bad(l, "unknown kind: %s", word(l, at));
}

void make_text(struct node *node, struct bytes text)
{
	node->type = N_FILE;
	node->value = (struct value){.kind = V_TEXT, .nlist = 1};
	node->value.list = must(malloc(sizeof(text)));
	node->value.list[0] = text;
}
