// SPDX-License-Identifier: GPL-2.0-or-later
/* The values of options. */
#include <errno.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "cli/opt_take.h"
#include "cli/opt_value.h"
#include "cli/tty.h"

/* A value from argv is shown up to this many bytes. */
#define SHOWN_MAX 1024

/* ---- messages ---- */

static unsigned int text_flags(void)
{
	return sm_tty_utf8() ? SM_TEXT_UTF8 : 0;
}

static void show(struct sm_opt_parser *p, const char *v)
{
	size_t n = strlen(v);
	bool cut = n > SHOWN_MAX;

	if (cut)
		n = SHOWN_MAX;
	/* Do not cut within a character.  (clang's analyzer does not know that strlen()
	 * bounds n.) */
	// NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult)
	while (cut && n > SHOWN_MAX - 4 && ((unsigned char)v[n] & 0xc0) == 0x80)
		n--;
	sm_text_human(&p->msg, v, n, text_flags());
	if (cut)
		sm_buf_str(&p->msg, "...");
}

int sm_opt_fail(
	struct sm_opt_parser *p, const char *before, const char *value, const char *after)
{
	sm_buf_str(&p->msg, before);
	sm_buf_chr(&p->msg, '\'');
	show(p, value);
	sm_buf_chr(&p->msg, '\'');
	sm_buf_str(&p->msg, after);
	return SM_OPT_FAILED;
}

/* Appends "option 'NAME': 'VALUE'", joint and reason; for a file of options only
 * reason. */
static int fail_value(struct sm_opt_parser *p, const struct sm_opt_use *u,
	const char *joint, const char *reason)
{
	if (!p->in_file) {
		sm_opt_fail(p, "option ", u->name, ": ");
		sm_opt_fail(p, "", u->value, joint);
	}
	sm_buf_str(&p->msg, reason);
	return SM_OPT_FAILED;
}

void sm_opt_add_why(struct sm_opt_parser *p)
{
	if (p->why.err)
		sm_buf_fail(&p->msg, p->why.err);
	else if (p->why.len)
		sm_text_human(&p->msg, p->why.p, p->why.len, text_flags());
	else
		sm_buf_str(&p->msg, "invalid value");
}

/* ---- values ---- */

static void store(
	struct sm_opt_parser *p, const struct sm_opt *o, const void *value, size_t n)
{
	memcpy((char *)p->cfg + o->offset, value, n);
}

/* Appends a limit in the largest unit that needs no fraction. */
static void add_scaled(struct sm_buf *b, uint64_t v, const char *const *units,
	const uint64_t *scale, size_t n)
{
	size_t i = 0;

	while (i + 1 < n && (v == 0 || v % scale[i] != 0))
		i++;
	sm_buf_u64(b, v / scale[i]);
	sm_buf_str(b, units[i]);
}

static void add_limit(struct sm_buf *b, const struct sm_opt *o, uint64_t v)
{
	static const char *const times[] = {"d", "h", "m", "s", "ms", "us", "ns"};
	static const uint64_t ns[] = {86400 * SM_NSEC_PER_SEC, 3600 * SM_NSEC_PER_SEC,
		60 * SM_NSEC_PER_SEC, SM_NSEC_PER_SEC, SM_NSEC_PER_MSEC, 1000, 1};
	static const char *const sizes[] = {"G", "M", "K", ""};
	static const uint64_t bytes[] = {1u << 30, 1u << 20, 1u << 10, 1};

	if (o->kind == SM_OPT_DURATION && v != 0)
		add_scaled(b, v, times, ns, SM_ARRAY_SIZE(times));
	else if (o->kind == SM_OPT_SIZE)
		add_scaled(b, v, sizes, bytes, SM_ARRAY_SIZE(sizes));
	else
		sm_buf_u64(b, v);
}

static int fail_range(struct sm_opt_parser *p, const struct sm_opt_use *u, bool overflow)
{
	const struct sm_opt *o = u->o;

	if (overflow && !o->max)
		return fail_value(p, u, " ", "is too large");
	fail_value(p, u, " ", o->max ? "must be from " : "must be at least ");
	add_limit(&p->msg, o, o->min);
	if (o->max) {
		sm_buf_str(&p->msg, " to ");
		add_limit(&p->msg, o, o->max);
	}
	return SM_OPT_FAILED;
}

static int parse_number(const struct sm_opt *o, const char *s, uint64_t *v)
{
	if (o->kind == SM_OPT_DURATION)
		return sm_units_time_ns(s, o->unit ? o->unit : "s", v);
	if (o->kind == SM_OPT_SIZE)
		return sm_units_size_bytes(s, v);
	return sm_units_u64(s, v);
}

static const char *not_a_number(enum sm_opt_kind kind)
{
	if (kind == SM_OPT_DURATION)
		return "must be a duration (5, 1.5s, 200ms, 2m)";
	if (kind == SM_OPT_SIZE)
		return "must be a size (4096, 64K, 1M)";
	return "must be a whole number";
}

static int take_number(struct sm_opt_parser *p, const struct sm_opt_use *u)
{
	const struct sm_opt *o = u->o;
	uint64_t v = 0;
	int r = parse_number(o, u->value, &v);

	if (r == -ERANGE || (r == 0 && (v < o->min || (o->max && v > o->max))))
		return fail_range(p, u, r < 0);
	if (r < 0)
		return fail_value(p, u, " ", not_a_number(o->kind));
	store(p, o, &v, sizeof(v));
	return SM_OPT_GO_ON;
}

static const char *former_choice(const struct sm_opt *o, const char *value)
{
	for (const char *const *f = o->former; f && *f; f += 2)
		if (strcmp(f[0], value) == 0)
			return f[1];
	return NULL;
}

static int take_choice(struct sm_opt_parser *p, const struct sm_opt_use *u)
{
	const char *removed = former_choice(u->o, u->value);
	const char *const *c = u->o->choices;

	for (int i = 0; c[i]; i++) {
		if (strcmp(c[i], u->value) != 0)
			continue;
		store(p, u->o, &i, sizeof(i));
		return SM_OPT_GO_ON;
	}
	if (removed)
		return fail_value(p, u, ": ", removed);
	fail_value(p, u, " ", "must be ");
	sm_opt_add_choices(&p->msg, c);
	return SM_OPT_FAILED;
}

static int call(struct sm_opt_parser *p, const struct sm_opt_use *u)
{
	void *list = (char *)p->cfg + u->o->offset;

	sm_buf_reset(&p->why);
	if (u->o->kind == SM_OPT_PIDS)
		return sm_opt_pids(u->value, list, &p->why);
	if (u->o->kind == SM_OPT_USERS)
		return sm_opt_users(u->value, list, &p->why);
	return u->o->call_row ? u->o->call_row(p->cfg, u->o, u->value, &p->why)
			      : u->o->call(p->cfg, u->value, &p->why);
}

static bool is_joint(char c)
{
	return c == ':' || c == ' ';
}

/* Removes the first quotation mark, the last one, the text between them, and the
 * characters that join it to the rest. */
static void remove_quotes(struct sm_buf *why)
{
	char *begin = why->p, *end = begin + why->len, *head, *tail;

	head = why->len ? memchr(begin, '\'', why->len) : NULL;
	if (!head)
		return;
	tail = (char *)memrchr(head, '\'', (size_t)(end - head)) + 1;
	while (head > begin && is_joint(head[-1]))
		head--;
	while (head == begin && tail < end && is_joint(*tail))
		tail++;
	memmove(head, tail, (size_t)(end - tail));
	why->len -= (size_t)(tail - head);
}

static int take_call(struct sm_opt_parser *p, const struct sm_opt_use *u)
{
	int err = call(p, u);

	if (!err)
		return SM_OPT_GO_ON;
	if (err == -ENOMEM && !p->why.len)
		sm_buf_str(&p->why, strerror(ENOMEM));
	if (p->in_file) {
		remove_quotes(&p->why);
	} else {
		sm_buf_str(&p->msg, "option '");
		sm_buf_str(&p->msg, u->name);
		sm_buf_str(&p->msg, "': ");
	}
	sm_opt_add_why(p);
	return SM_OPT_FAILED;
}

static int take_help(struct sm_opt_parser *p, const struct sm_opt_use *u)
{
	if (!u->value)
		return SM_OPT_DO_HELP;
	return take_call(p, u) == SM_OPT_GO_ON ? SM_OPT_DO_WHY : SM_OPT_FAILED;
}

static void take_to(struct sm_opt_parser *p, const struct sm_opt_use *u)
{
	struct sm_opt_to to;

	memcpy(&to, (char *)p->cfg + u->o->offset, sizeof(to));
	if (u->value)
		to.file = u->value;
	else
		to.here = true;
	store(p, u->o, &to, sizeof(to));
}

static enum sm_opt_outcome store_value(
	struct sm_opt_parser *p, const struct sm_opt_use *u)
{
	const bool yes = true;

	switch (u->o->kind) {
	case SM_OPT_FLAG:
		store(p, u->o, &yes, sizeof(yes));
		return SM_OPT_GO_ON;
	case SM_OPT_STR:
		store(p, u->o, &u->value, sizeof(u->value));
		return SM_OPT_GO_ON;
	case SM_OPT_TO:
		take_to(p, u);
		return SM_OPT_GO_ON;
	case SM_OPT_U64:
	case SM_OPT_DURATION:
	case SM_OPT_SIZE:
		return take_number(p, u);
	case SM_OPT_CHOICE:
		return take_choice(p, u);
	case SM_OPT_PIDS:
	case SM_OPT_USERS:
	case SM_OPT_CALL:
		return take_call(p, u);
	case SM_OPT_HELP:
		return take_help(p, u);
	case SM_OPT_VERSION:
		return SM_OPT_DO_VERSION;
	case SM_OPT_GROUP: /* has no name, so it is never found */
		break;
	}
	return SM_OPT_GO_ON;
}

enum sm_opt_outcome sm_opt_take(struct sm_opt_parser *p, const struct sm_opt_use *u)
{
	enum sm_opt_outcome outcome = store_value(p, u);

	if (outcome == SM_OPT_GO_ON && p->s->given)
		p->s->given[u->o - p->s->opts] |=
			p->in_file ? SM_OPT_IN_FILE : SM_OPT_IN_LINE;
	return outcome;
}
