// SPDX-License-Identifier: GPL-2.0-or-later
/* The command line, and lines of a file of options. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/distance.h"
#include "base/file.h"
#include "cli/err.h"
#include "cli/opt.h"
#include "cli/opt_take.h"
#include "cli/tty.h"

static void report(struct sm_opt_parser *p)
{
	const char *msg = "out of memory";

	sm_buf_chr(&p->msg, '\0');
	if (!p->msg.err)
		msg = p->msg.p;
	sm_err("%s\nTry '%s --help' for more information.", msg, p->s->tool);
}

/* Prints help or version as soon as the option is parsed: only errors before it are
 * reported. */
static int print(struct sm_opt_parser *p, int what)
{
	SM_CLEANUP(sm_buf_fini) struct sm_buf b = {0};

	if (what == SM_OPT_DO_WHY)
		sm_buf_add(&b, p->why.p, p->why.len);
	else if (what == SM_OPT_DO_VERSION)
		sm_buf_printf(&b, "%s (sysmon-tools) %s\n", p->s->tool, p->s->version);
	else
		sm_opt_help(p->s, &b, sm_tty_help_columns(STDOUT_FILENO));
	if (p->why.err)
		return p->why.err;
	return b.err ? b.err : sm_file_write(STDOUT_FILENO, b.p, b.len);
}

/* --- the option that was probably meant ------------------------------------------ */

static struct sm_str first_word(struct sm_str name)
{
	const char *end = memchr(name.p, '-', name.n);

	return (struct sm_str){name.p, end ? (size_t)(end - name.p) : 0};
}

/* Returns false if the first words differ in more than a third of their letters:
 * --no-madvise must not match --vm-madvise. */
static bool similar_word(struct sm_str a, struct sm_str b)
{
	struct sm_str word_a = first_word(a), word_b = first_word(b);

	return !word_a.n || !word_b.n || sm_distance(word_a, word_b) <= word_a.n / 3;
}

/* Returns the visible long option that is most similar to a name (without --); NULL if
 * more than a third of it, or more than a third of the word before its first '-',
 * differs. */
static const struct sm_opt *nearest_option(
	const struct sm_opt_spec *s, struct sm_str name)
{
	const struct sm_opt *found = NULL;
	unsigned int nearest = (unsigned int)(name.n / 3) + 1;

	for (size_t i = 0; i < s->nopts; i++) {
		const struct sm_opt *o = &s->opts[i];
		struct sm_str own = {o->name, o->name ? strlen(o->name) : 0};
		unsigned int d;

		if (!o->name || o->hidden || !similar_word(name, own))
			continue;
		d = sm_distance(name, own);
		if (d >= nearest)
			continue;
		nearest = d;
		found = o;
	}
	return found;
}

/* ---- finding options ---- */

static bool wants_value(const struct sm_opt *o)
{
	return o->arg && !o->arg_optional;
}

static int fail_option(struct sm_opt_parser *p, const char *name, const char *what)
{
	return sm_opt_fail(p, "option ", name, what);
}

static int need_value(struct sm_opt_parser *p, const struct sm_opt_use *u)
{
	fail_option(p, u->name, " needs a value (");
	sm_buf_str(&p->msg, u->o->arg);
	sm_buf_chr(&p->msg, ')');
	return SM_OPT_FAILED;
}

/* Takes the value from this element or, whatever it looks like, from the next one. */
static int take_use(struct sm_opt_parser *p, struct sm_opt_use *u)
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
	return sm_opt_take(p, u);
}

static bool has_prefix(const struct sm_opt *o, const char *name, size_t n, bool hidden)
{
	return o->name && o->hidden == hidden && strncmp(o->name, name, n) == 0;
}

/* Returns the number of options that a name abbreviates; *found is the last one. */
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
	struct sm_opt_parser *p, const char *arg, const char *name, size_t n, bool hidden)
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
	return SM_OPT_FAILED;
}

/* Returns true if the tool knows why there is no such option. */
static bool explain(struct sm_opt_parser *p, struct sm_str name)
{
	sm_buf_reset(&p->why);
	return p->s->unknown && p->s->unknown(name, &p->why);
}

static int fail_explained(struct sm_opt_parser *p, const char *arg)
{
	sm_opt_fail(p, "unknown option ", arg, ": ");
	sm_opt_add_why(p);
	return SM_OPT_FAILED;
}

static int fail_unknown(struct sm_opt_parser *p, const char *arg, size_t n)
{
	const struct sm_opt *o;

	sm_opt_fail(p, "unknown option ", arg, "");
	o = nearest_option(p->s, (struct sm_str){arg + 2, n});
	if (o) {
		sm_buf_str(&p->msg, ": the nearest is --");
		sm_buf_str(&p->msg, o->name);
	}
	return SM_OPT_FAILED;
}

/* Aliases are abbreviated only when no visible option has the prefix. */
static int find_long(struct sm_opt_parser *p, const char *arg, const struct sm_opt **o)
{
	const char *name = arg + 2;
	size_t n = strcspn(name, "=");

	*o = n ? find_exact(p->s, name, n) : NULL;
	if (*o)
		return SM_OPT_GO_ON;
	if (n && explain(p, (struct sm_str){name, n}))
		return fail_explained(p, arg);
	for (int hidden = 0; n && hidden <= 1; hidden++) {
		unsigned int matches = count_prefix(p->s, name, n, hidden, o);

		if (matches == 1)
			return SM_OPT_GO_ON;
		if (matches > 1)
			return fail_ambiguous(p, arg, name, n, hidden);
	}
	return fail_unknown(p, arg, n);
}

static int parse_long(struct sm_opt_parser *p, const char *arg)
{
	struct sm_opt_use u = {0};
	const char *eq = strchr(arg, '=');
	int r = find_long(p, arg, &u.o);

	if (r != SM_OPT_GO_ON)
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

/* "-j=FILE" and "-b=1": a letter takes its value from the next element or without '='. */
static int fail_equals(struct sm_opt_parser *p, const struct sm_opt_use *u)
{
	if (!u->o->arg)
		return fail_option(p, u->name, " takes no value");
	fail_option(p, u->name, " takes no value after '='");
	if (u->o->name)
		sm_buf_printf(&p->msg, ": use --%s=%s", u->o->name, u->o->arg);
	return SM_OPT_FAILED;
}

static int parse_cluster(struct sm_opt_parser *p, const char *arg)
{
	for (const char *c = arg + 1; *c; c++) {
		struct sm_opt_use u = {.o = find_letter(p->s, *c)};
		const char name[3] = {'-', *c, '\0'};
		int r;

		if (!u.o && explain(p, (struct sm_str){c, 1}))
			return fail_explained(p, name);
		if (!u.o)
			return sm_opt_fail(p, "unknown option ", name, "");
		memcpy(u.name, name, sizeof(name));
		if (wants_value(u.o) && c[1])
			u.value = c + 1;
		r = take_use(p, &u);
		if (r != SM_OPT_GO_ON || u.value)
			return r;
		if (c[1] == '=' && !find_letter(p->s, '='))
			return fail_equals(p, &u);
	}
	return SM_OPT_GO_ON;
}

/* ---- operands, and the whole line ---- */

static int take_operand(struct sm_opt_parser *p, const char *arg)
{
	if (p->s->rest != SM_REST_OPERANDS && p->s->rest != SM_REST_BOTH)
		return sm_opt_fail(p, "extra operand ", arg, "");
	sm_buf_reset(&p->why);
	if (p->s->operand(p->cfg, p->operands++, arg, &p->why) == 0)
		return SM_OPT_GO_ON;
	sm_opt_fail(p, "operand ", arg, ": ");
	sm_opt_add_why(p);
	return SM_OPT_FAILED;
}

/* Handles the arguments after "--": a command stays in place, operands are passed on. */
static int take_rest(struct sm_opt_parser *p)
{
	int r = SM_OPT_GO_ON;

	if (p->s->rest == SM_REST_COMMAND || p->s->rest == SM_REST_BOTH) {
		if (p->at < p->argc && *p->argv[p->at])
			return SM_OPT_GO_ON;
		return sm_opt_fail(p, "", "--", " must be followed by a command");
	}
	while (r == SM_OPT_GO_ON && p->at < p->argc)
		r = take_operand(p, p->argv[p->at++]);
	return r;
}

static int parse_line(struct sm_opt_parser *p)
{
	int r = SM_OPT_GO_ON;

	while (r == SM_OPT_GO_ON && p->at < p->argc) {
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

static int finish(struct sm_opt_parser *p)
{
	sm_buf_reset(&p->why);
	if (!p->s->finish || p->s->finish(p->cfg, &p->why) == 0)
		return SM_OPT_GO_ON;
	sm_opt_add_why(p);
	return SM_OPT_FAILED;
}

static int exit_status(struct sm_opt_parser *p, int outcome)
{
	int r;

	if (outcome == SM_OPT_FAILED) {
		report(p);
		return p->s->usage_status ? p->s->usage_status : SM_EXIT_USAGE;
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
	struct sm_opt_parser p = {
		.s = s, .cfg = cfg, .argc = argc, .argv = argv, .at = 1};
	int r = parse_line(&p);

	if (r == SM_OPT_GO_ON)
		r = finish(&p);
	*status = r == SM_OPT_GO_ON ? SM_EXIT_OK : exit_status(&p, r);
	*command = p.at < argc ? p.at : argc;
	sm_buf_fini(&p.msg);
	sm_buf_fini(&p.why);
	return r != SM_OPT_GO_ON;
}

/* ---- a file of options ---- */

unsigned int sm_opt_given(const struct sm_opt_spec *s, const char *name)
{
	const struct sm_opt *o = find_exact(s, name, strlen(name));

	return o && s->given ? s->given[o - s->opts] : 0;
}

/* Returns true if both options store one value.  Functions that store nothing there have
 * no offset. */
static bool is_alias(const struct sm_opt *a, const struct sm_opt *b)
{
	return a->kind == b->kind && a->offset == b->offset &&
	       (a->kind != SM_OPT_CALL || a->offset);
}

/* Returns true if this option was given on the command line. */
static bool is_settled(const struct sm_opt_spec *s, const struct sm_opt *o)
{
	for (size_t i = 0; s->given && !o->repeats && i < s->nopts; i++)
		if (s->given[i] & SM_OPT_IN_LINE &&
			(&s->opts[i] == o || is_alias(&s->opts[i], o)))
			return true;
	return false;
}

static int fail_line(struct sm_opt_parser *p, const char *reason)
{
	sm_buf_str(&p->msg, reason);
	return SM_OPT_FAILED;
}

static int fail_unknown_line(struct sm_opt_parser *p, struct sm_str name)
{
	const struct sm_opt *o = nearest_option(p->s, name);

	sm_buf_str(&p->msg, "unknown option");
	if (explain(p, name)) {
		sm_buf_str(&p->msg, ": ");
		sm_opt_add_why(p);
	} else if (o) {
		sm_buf_printf(&p->msg, ": the nearest is %s", o->name);
	}
	return SM_OPT_FAILED;
}

static int need_line_value(struct sm_opt_parser *p, const struct sm_opt *o)
{
	sm_buf_printf(&p->msg, "needs a value (%s)", o->arg);
	return SM_OPT_FAILED;
}

static int take_line(struct sm_opt_parser *p, const char *name, const char *value)
{
	struct sm_opt_use u = {.o = find_exact(p->s, name, strlen(name)), .value = value};

	if (!u.o)
		return fail_unknown_line(p, (struct sm_str){name, strlen(name)});
	sm_buf_printf(&p->msg, "%s: ", u.o->name);
	if (u.o->not_in_file || u.o->kind == SM_OPT_HELP || u.o->kind == SM_OPT_VERSION)
		return fail_line(p, "allowed only on the command line");
	if (!value && wants_value(u.o))
		return need_line_value(p, u.o);
	if (value && !u.o->arg)
		return fail_line(p, "takes no value");
	if (!is_settled(p->s, u.o))
		return sm_opt_take(p, &u);
	p->s->given[u.o - p->s->opts] |= SM_OPT_IN_FILE;
	return SM_OPT_GO_ON;
}

int sm_opt_take_line(const struct sm_opt_spec *s, void *cfg, const char *name,
	const char *value, struct sm_buf *why)
{
	struct sm_opt_parser p = {.s = s, .cfg = cfg, .in_file = true};
	int r = take_line(&p, name, value);

	if (r != SM_OPT_GO_ON)
		sm_buf_add(why, p.msg.p, p.msg.len);
	if (p.msg.err)
		sm_buf_fail(why, p.msg.err);
	sm_buf_fini(&p.msg);
	sm_buf_fini(&p.why);
	return r == SM_OPT_GO_ON ? 0 : -EINVAL;
}
