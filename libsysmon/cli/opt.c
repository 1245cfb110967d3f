// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/opt.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>
#include "cli/err.h"
#include "base/file.h"
#include "base/units.h"
#include "base/text.h"
#include "cli/tty.h"

/* A value from argv is shown up to this many bytes. */
#define SHOWN_MAX 1024

#define HELP_COLUMNS_MIN 40
#define HELP_COLUMNS_MAX 120

struct parser {
	const struct sm_opt_spec *s;
	void *cfg;
	int argc;
	char **argv;
	int at; /* the next element of argv */
	unsigned int operands;
	struct sm_buf msg; /* the error message */
	struct sm_buf why; /* a callback's reason */
};

/* An option as the user wrote it, "-D" or "--duration", and its value. */
struct use {
	const struct sm_opt *o;
	char name[64];
	const char *value; /* NULL: none yet */
};

/* FAILED: p->msg has the reason; DO_WHY: p->why is to be printed. */
enum { FAILED = -1, GO_ON, DO_HELP, DO_VERSION, DO_WHY };

/* ---- messages ---- */

static unsigned int text_flags(void)
{
	return sm_tty_utf8() ? SM_TEXT_UTF8 : 0;
}

static void show(struct parser *p, const char *v)
{
	size_t n = strlen(v);
	bool cut = n > SHOWN_MAX;

	if (cut)
		n = SHOWN_MAX;
	/* Not in the middle of a character.  (clang's analyzer does not see that strlen()
	 * bounds n.) */
	// NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult)
	while (cut && n > SHOWN_MAX - 4 && ((unsigned char)v[n] & 0xc0) == 0x80)
		n--;
	sm_text_human(&p->msg, v, n, text_flags());
	if (cut)
		sm_buf_str(&p->msg, "...");
}

/* "BEFORE'value'AFTER" */
static int fail(
	struct parser *p, const char *before, const char *value, const char *after)
{
	sm_buf_str(&p->msg, before);
	sm_buf_chr(&p->msg, '\'');
	show(p, value);
	sm_buf_chr(&p->msg, '\'');
	sm_buf_str(&p->msg, after);
	return FAILED;
}

static int fail_value(struct parser *p, const struct use *u)
{
	fail(p, "invalid value ", u->value, " for option '");
	sm_buf_str(&p->msg, u->name);
	sm_buf_str(&p->msg, "': ");
	return FAILED;
}

/* The reason may quote what the user typed, so it is sanitised here once for all. */
static void add_why(struct parser *p)
{
	if (p->why.len)
		sm_text_human(&p->msg, p->why.p, p->why.len, text_flags());
	else
		sm_buf_str(&p->msg, "invalid value");
}

static void report(struct parser *p)
{
	const char *msg = "out of memory";

	sm_buf_chr(&p->msg, '\0');
	if (!p->msg.err)
		msg = p->msg.p;
	sm_err("%s\nTry '%s --help' for more information.", msg, p->s->tool);
}

/* ---- values ---- */

static void store(struct parser *p, const struct sm_opt *o, const void *value, size_t n)
{
	memcpy((char *)p->cfg + o->offset, value, n);
}

/* A limit in the largest unit that needs no fraction. */
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

static int fail_range(struct parser *p, const struct use *u, bool overflow)
{
	const struct sm_opt *o = u->o;

	fail_value(p, u);
	if (overflow && !o->max) {
		sm_buf_str(&p->msg, "too large");
		return FAILED;
	}
	sm_buf_str(&p->msg, o->max ? "must be from " : "must be at least ");
	add_limit(&p->msg, o, o->min);
	if (o->max) {
		sm_buf_str(&p->msg, " to ");
		add_limit(&p->msg, o, o->max);
	}
	return FAILED;
}

static int parse_number(const struct sm_opt *o, const char *s, uint64_t *v)
{
	if (o->kind == SM_OPT_DURATION)
		return sm_units_duration_ns(s, v);
	if (o->kind == SM_OPT_SIZE)
		return sm_units_size_bytes(s, v);
	return sm_units_u64(s, v);
}

static const char *not_a_number(enum sm_opt_kind kind)
{
	if (kind == SM_OPT_DURATION)
		return "not a duration (5, 1.5s, 200ms, 2m)";
	if (kind == SM_OPT_SIZE)
		return "not a size (4096, 64K, 1M)";
	return "not a whole number";
}

static int take_number(struct parser *p, const struct use *u)
{
	const struct sm_opt *o = u->o;
	uint64_t v = 0;
	int r = parse_number(o, u->value, &v);

	if (r == -ERANGE || (r == 0 && (v < o->min || (o->max && v > o->max))))
		return fail_range(p, u, r < 0);
	if (r < 0) {
		fail_value(p, u);
		sm_buf_str(&p->msg, not_a_number(o->kind));
		return FAILED;
	}
	store(p, o, &v, sizeof(v));
	return GO_ON;
}

static const char *former_choice(const struct sm_opt *o, const char *value)
{
	for (const char *const *f = o->former; f && *f; f += 2)
		if (strcmp(f[0], value) == 0)
			return f[1];
	return NULL;
}

static void add_choices(struct parser *p, const char *const *c)
{
	sm_buf_str(&p->msg, "must be one of ");
	for (int i = 0; c[i]; i++) {
		sm_buf_str(&p->msg, i ? ", " : "");
		sm_buf_str(&p->msg, c[i]);
	}
}

static int take_choice(struct parser *p, const struct use *u)
{
	const char *removed = former_choice(u->o, u->value);
	const char *const *c = u->o->choices;

	for (int i = 0; c[i]; i++) {
		if (strcmp(c[i], u->value) != 0)
			continue;
		store(p, u->o, &i, sizeof(i));
		return GO_ON;
	}
	fail_value(p, u);
	if (removed)
		sm_buf_str(&p->msg, removed);
	else
		add_choices(p, c);
	return FAILED;
}

static int call(struct parser *p, const struct use *u)
{
	sm_buf_reset(&p->why);
	return u->o->call_row ? u->o->call_row(p->cfg, u->o, u->value, &p->why)
			      : u->o->call(p->cfg, u->value, &p->why);
}

static int take_call(struct parser *p, const struct use *u)
{
	if (call(p, u) == 0)
		return GO_ON;
	sm_buf_str(&p->msg, "option '");
	sm_buf_str(&p->msg, u->name);
	sm_buf_str(&p->msg, "': ");
	add_why(p);
	return FAILED;
}

static int take_help(struct parser *p, const struct use *u)
{
	if (!u->value)
		return DO_HELP;
	return take_call(p, u) == GO_ON ? DO_WHY : FAILED;
}

static unsigned int help_columns(void)
{
	unsigned int columns, rows;

	if (sm_tty_size(STDOUT_FILENO, &columns, &rows) < 0)
		return 80;
	columns = columns < HELP_COLUMNS_MIN ? HELP_COLUMNS_MIN : columns;
	return columns > HELP_COLUMNS_MAX ? HELP_COLUMNS_MAX : columns;
}

/* Help and version, as soon as they are parsed: only errors before them are reported. */
static int print(struct parser *p, int what)
{
	SM_CLEANUP(sm_buf_fini) struct sm_buf b = {0};

	if (what == DO_WHY)
		sm_buf_add(&b, p->why.p, p->why.len);
	else if (what == DO_VERSION)
		sm_buf_printf(&b, "%s (sysmon-tools) %s\n", p->s->tool, p->s->version);
	else
		sm_opt_help(p->s, &b, help_columns());
	if (p->why.err)
		return p->why.err;
	return b.err ? b.err : sm_file_write(STDOUT_FILENO, b.p, b.len);
}

static void take_to(struct parser *p, const struct use *u)
{
	struct sm_opt_to to;

	memcpy(&to, (char *)p->cfg + u->o->offset, sizeof(to));
	if (u->value)
		to.file = u->value;
	else
		to.here = true;
	store(p, u->o, &to, sizeof(to));
}

static int take(struct parser *p, const struct use *u)
{
	const bool yes = true;

	switch (u->o->kind) {
	case SM_OPT_FLAG:
		store(p, u->o, &yes, sizeof(yes));
		return GO_ON;
	case SM_OPT_STR:
		store(p, u->o, &u->value, sizeof(u->value));
		return GO_ON;
	case SM_OPT_TO:
		take_to(p, u);
		return GO_ON;
	case SM_OPT_U64:
	case SM_OPT_DURATION:
	case SM_OPT_SIZE:
		return take_number(p, u);
	case SM_OPT_CHOICE:
		return take_choice(p, u);
	case SM_OPT_CALL:
		return take_call(p, u);
	case SM_OPT_HELP:
		return take_help(p, u);
	case SM_OPT_VERSION:
		return DO_VERSION;
	case SM_OPT_GROUP: /* has no name to be found by */
		break;
	}
	return GO_ON;
}

/* ---- finding options ---- */

static bool wants_value(const struct sm_opt *o)
{
	return o->arg && !o->arg_optional;
}

static int fail_option(struct parser *p, const char *name, const char *what)
{
	return fail(p, "option ", name, what);
}

static int need_value(struct parser *p, const struct use *u)
{
	fail_option(p, u->name, " needs a value (");
	sm_buf_str(&p->msg, u->o->arg);
	sm_buf_chr(&p->msg, ')');
	return FAILED;
}

/* The value is in the same element, or is the next one, whatever it looks like. */
static int take_use(struct parser *p, struct use *u)
{
	if (!u->value && wants_value(u->o)) {
		if (p->at >= p->argc)
			return need_value(p, u);
		u->value = p->argv[p->at++];
	}
	if (!u->value && u->o->apart && p->at < p->argc && p->argv[p->at][0] != '-')
		u->value = p->argv[p->at++];
	if (u->value && !u->o->arg)
		return fail_option(p, u->name, " takes no value");
	if (u->value && !*u->value)
		return fail_option(p, u->name, " has an empty value");
	return take(p, u);
}

static bool has_prefix(const struct sm_opt *o, const char *name, size_t n, bool hidden)
{
	return o->name && o->hidden == hidden && strncmp(o->name, name, n) == 0;
}

/* The options that a name abbreviates; *found is the last one. */
static unsigned int count_prefix(const struct sm_opt_spec *s, const char *name, size_t n,
	bool hidden, const struct sm_opt **found)
{
	unsigned int matches = 0;

	for (size_t i = 0; i < s->nopts; i++) {
		if (!has_prefix(&s->opts[i], name, n, hidden))
			continue;
		*found = &s->opts[i];
		matches++;
	}
	return matches;
}

static const struct sm_opt *find_exact(
	const struct sm_opt_spec *s, const char *name, size_t n)
{
	for (size_t i = 0; i < s->nopts; i++) {
		const char *own = s->opts[i].name;

		if (own && strlen(own) == n && memcmp(own, name, n) == 0)
			return &s->opts[i];
	}
	return NULL;
}

static int fail_ambiguous(
	struct parser *p, const char *arg, const char *name, size_t n, bool hidden)
{
	const char *before = " is ambiguous: ";

	fail_option(p, arg, "");
	for (size_t i = 0; i < p->s->nopts; i++) {
		if (!has_prefix(&p->s->opts[i], name, n, hidden))
			continue;
		sm_buf_str(&p->msg, before);
		sm_buf_str(&p->msg, "--");
		sm_buf_str(&p->msg, p->s->opts[i].name);
		before = ", ";
	}
	return FAILED;
}

/* Does the tool know why there is no such option? */
static bool explain(struct parser *p, struct sm_str name)
{
	sm_buf_reset(&p->why);
	return p->s->unknown && p->s->unknown(name, &p->why);
}

static int fail_explained(struct parser *p, const char *arg)
{
	fail(p, "unknown option ", arg, ": ");
	add_why(p);
	return FAILED;
}

static int fail_unknown(struct parser *p, const char *arg, size_t n)
{
	const struct sm_opt *o;

	fail(p, "unknown option ", arg, "");
	o = p->s->nearest ? sm_opt_nearest(p->s, (struct sm_str){arg + 2, n}) : NULL;
	if (o) {
		sm_buf_str(&p->msg, ": the nearest is --");
		sm_buf_str(&p->msg, o->name);
	}
	return FAILED;
}

/* Aliases are abbreviated only when no visible option has the prefix. */
static int find_long(struct parser *p, const char *arg, const struct sm_opt **o)
{
	const char *name = arg + 2;
	size_t n = strcspn(name, "=");

	*o = n ? find_exact(p->s, name, n) : NULL;
	if (*o)
		return GO_ON;
	if (n && explain(p, (struct sm_str){name, n}))
		return fail_explained(p, arg);
	for (int hidden = 0; n && hidden <= 1; hidden++) {
		unsigned int matches = count_prefix(p->s, name, n, hidden, o);

		if (matches == 1)
			return GO_ON;
		if (matches > 1)
			return fail_ambiguous(p, arg, name, n, hidden);
	}
	return fail_unknown(p, arg, n);
}

static int parse_long(struct parser *p, const char *arg)
{
	struct use u = {0};
	const char *eq = strchr(arg, '=');
	int r = find_long(p, arg, &u.o);

	if (r != GO_ON)
		return r;
	snprintf(u.name, sizeof(u.name), "--%s", u.o->name);
	u.value = eq ? eq + 1 : NULL;
	return take_use(p, &u);
}

static const struct sm_opt *find_letter(const struct sm_opt_spec *s, char letter)
{
	for (size_t i = 0; i < s->nopts; i++)
		if (s->opts[i].letter && s->opts[i].letter == letter)
			return &s->opts[i];
	return NULL;
}

static int parse_cluster(struct parser *p, const char *arg)
{
	for (const char *c = arg + 1; *c; c++) {
		struct use u = {.o = find_letter(p->s, *c)};
		const char name[3] = {'-', *c, '\0'};
		int r;

		if (!u.o && explain(p, (struct sm_str){c, 1}))
			return fail_explained(p, name);
		if (!u.o)
			return fail(p, "unknown option ", name, "");
		memcpy(u.name, name, sizeof(name));
		if (wants_value(u.o) && c[1])
			u.value = c + 1;
		r = take_use(p, &u);
		if (r != GO_ON || u.value)
			return r;
	}
	return GO_ON;
}

/* ---- operands, and the whole line ---- */

static int take_operand(struct parser *p, const char *arg)
{
	if (p->s->rest != SM_REST_OPERANDS && p->s->rest != SM_REST_BOTH)
		return fail(p, "extra operand ", arg, "");
	sm_buf_reset(&p->why);
	if (p->s->operand(p->cfg, p->operands++, arg, &p->why) == 0)
		return GO_ON;
	fail(p, "operand ", arg, ": ");
	add_why(p);
	return FAILED;
}

/* After "--": the command stays where it is, operands are handed over. */
static int take_rest(struct parser *p)
{
	int r = GO_ON;

	if (p->s->rest == SM_REST_COMMAND || p->s->rest == SM_REST_BOTH) {
		if (p->at < p->argc && *p->argv[p->at])
			return GO_ON;
		return fail(p, "", "--", " must be followed by a command");
	}
	while (r == GO_ON && p->at < p->argc)
		r = take_operand(p, p->argv[p->at++]);
	return r;
}

static int parse_line(struct parser *p)
{
	int r = GO_ON;

	while (r == GO_ON && p->at < p->argc) {
		const char *arg = p->argv[p->at++];

		if (strcmp(arg, "--") == 0)
			return take_rest(p);
		if (arg[0] != '-' || !arg[1])
			r = take_operand(p, arg);
		else if (arg[1] == '-')
			r = parse_long(p, arg);
		else
			r = parse_cluster(p, arg);
	}
	return r;
}

static int finish(struct parser *p)
{
	sm_buf_reset(&p->why);
	if (!p->s->finish || p->s->finish(p->cfg, &p->why) == 0)
		return GO_ON;
	add_why(p);
	return FAILED;
}

static int exit_status(struct parser *p, int outcome)
{
	int r;

	if (outcome == FAILED) {
		report(p);
		return SM_EXIT_USAGE;
	}
	r = print(p, outcome);
	if (r == 0)
		return SM_EXIT_OK;
	sm_err("cannot write to standard output: %s", strerror(-r));
	return SM_EXIT_RUNTIME;
}

int sm_opt_parse(const struct sm_opt_spec *s, void *cfg, int argc, char **argv,
	int *command, int *status)
{
	struct parser p = {.s = s, .cfg = cfg, .argc = argc, .argv = argv, .at = 1};
	int r = parse_line(&p);

	if (r == GO_ON)
		r = finish(&p);
	*status = r == GO_ON ? SM_EXIT_OK : exit_status(&p, r);
	*command = p.at < argc ? p.at : argc;
	sm_buf_fini(&p.msg);
	sm_buf_fini(&p.why);
	return r != GO_ON;
}
