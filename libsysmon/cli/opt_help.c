// SPDX-License-Identifier: GPL-2.0-or-later
/* The --help text: two columns, the right one wrapped. */
#include "cli/opt.h"

#include <string.h>
#include "base/text.h"

/* A notation wider than this has its help on the next line. */
#define LEFT_MAX 30
#define MARGIN	 2

/* "-D, --duration=SECS", "    --prom=FILE", "-D SECS", "--csv[=FILE]" */
static void add_notation(struct sm_buf *b, const struct sm_opt *o)
{
	if (o->letter) {
		sm_buf_chr(b, '-');
		sm_buf_chr(b, o->letter);
	}
	if (o->name) {
		sm_buf_str(b, o->letter ? ", --" : "    --");
		sm_buf_str(b, o->name);
	}
	if (!o->arg)
		return;
	if (o->arg_optional)
		sm_buf_str(b, "[=");
	else
		sm_buf_chr(b, o->name ? '=' : ' ');
	sm_buf_str(b, o->arg);
	if (o->arg_optional)
		sm_buf_chr(b, ']');
}

/* Fills the last line of b with spaces up to a column. */
static void fill_to(struct sm_buf *b, size_t line, size_t column)
{
	size_t width = b->err ? column : sm_text_width(b->p + line, b->len - line);

	if (width < column)
		sm_buf_fill(b, ' ', column - width);
}

static void new_line(struct sm_buf *b, size_t *at, size_t indent)
{
	sm_buf_chr(b, '\n');
	sm_buf_fill(b, ' ', indent);
	*at = indent;
}

/* Appends the words of one paragraph, starting at column `at`; further lines start at
 * indent. */
static void add_words(struct sm_buf *b, const char *s, const char *end, size_t at,
	size_t indent, size_t columns)
{
	bool first = true;

	while (s < end) {
		const char *word = s;
		size_t width;

		while (s < end && *s != ' ')
			s++;
		width = sm_text_width(word, (size_t)(s - word));
		if (!first && at + 1 + width > columns) {
			new_line(b, &at, indent);
		} else if (!first) {
			sm_buf_chr(b, ' ');
			at++;
		}
		sm_buf_add(b, word, (size_t)(s - word));
		at += width;
		first = false;
		while (s < end && *s == ' ')
			s++;
	}
}

/* Appends text with hard line breaks; b ends at column indent. */
static void add_text(struct sm_buf *b, const char *text, size_t indent, size_t columns)
{
	for (;;) {
		const char *end = strchrnul(text, '\n');

		add_words(b, text, end, indent, indent, columns);
		sm_buf_chr(b, '\n');
		if (!*end || !end[1])
			return;
		sm_buf_fill(b, ' ', indent);
		text = end + 1;
	}
}

static void add_row(
	struct sm_buf *b, size_t line, const char *text, size_t left, size_t columns)
{
	if (b->len - line + MARGIN > left) {
		sm_buf_chr(b, '\n');
		line = b->len;
	}
	fill_to(b, line, left);
	add_text(b, text, left, columns);
}

static void add_option(
	struct sm_buf *b, const struct sm_opt *o, size_t left, size_t columns)
{
	size_t line = b->len;

	sm_buf_fill(b, ' ', MARGIN);
	add_notation(b, o);
	if (o->help)
		add_row(b, line, o->help, left, columns);
	else
		sm_buf_chr(b, '\n');
}

/* Returns the start of the right column: after the longest notation that is not too
 * long. */
static size_t left_width(const struct sm_opt_spec *s)
{
	SM_CLEANUP(sm_buf_fini) struct sm_buf b = {0};
	size_t left = 0;

	for (size_t i = 0; i < s->nopts; i++) {
		const struct sm_opt *o = &s->opts[i];

		if (o->hidden || o->detail || o->kind == SM_OPT_GROUP)
			continue;
		sm_buf_reset(&b);
		add_notation(&b, o);
		if (b.len > left && b.len <= LEFT_MAX)
			left = b.len;
	}
	return MARGIN + left + MARGIN;
}

static void add_options(struct sm_buf *b, const struct sm_opt_spec *s, size_t columns)
{
	size_t left = left_width(s);

	for (size_t i = 0; i < s->nopts; i++) {
		const struct sm_opt *o = &s->opts[i];

		if (o->hidden || o->detail)
			continue;
		if (o->kind == SM_OPT_GROUP)
			sm_buf_printf(b, "\n%s:\n", o->help);
		else
			add_option(b, o, left, columns);
	}
}

static void add_examples(struct sm_buf *b, const struct sm_opt_spec *s, size_t columns)
{
	size_t left = 0;

	sm_buf_str(b, "\nExamples:\n");
	for (size_t i = 0; s->examples[i] && s->examples[i + 1]; i += 2) {
		size_t n = strlen(s->examples[i]);

		left = n > left && n <= LEFT_MAX ? n : left;
	}
	left += 2 * MARGIN;
	for (size_t i = 0; s->examples[i] && s->examples[i + 1]; i += 2) {
		size_t line = b->len;

		sm_buf_fill(b, ' ', MARGIN);
		sm_buf_str(b, s->examples[i]);
		add_row(b, line, s->examples[i + 1], left, columns);
	}
}

void sm_opt_help(const struct sm_opt_spec *s, struct sm_buf *b, unsigned int columns)
{
	sm_buf_printf(
		b, "Usage: %s %s\n", s->tool, s->synopsis ? s->synopsis : "[OPTION]...");
	if (s->summary) {
		add_words(b, s->summary, s->summary + strlen(s->summary), 0, 0, columns);
		sm_buf_str(b, ".\n");
	}
	/* A table without groups starts with options. */
	if (s->nopts && s->opts[0].kind != SM_OPT_GROUP)
		sm_buf_chr(b, '\n');
	add_options(b, s, columns);
	if (s->examples && s->examples[0])
		add_examples(b, s, columns);
	if (s->exit_notes) {
		sm_buf_chr(b, '\n');
		add_text(b, s->exit_notes, 0, columns);
	}
}

void sm_opt_dump(const struct sm_opt_spec *s, struct sm_buf *b)
{
	for (size_t i = 0; i < s->nopts; i++) {
		const struct sm_opt *o = &s->opts[i];

		if (o->hidden || o->kind == SM_OPT_GROUP)
			continue;
		if (o->letter)
			sm_buf_printf(b, "-%c\t", o->letter);
		else
			sm_buf_str(b, "-\t");
		sm_buf_printf(b, "%s%s\t", o->name ? "--" : "-", o->name ? o->name : "");
		sm_buf_printf(b, o->arg && o->arg_optional ? "[%s]\n" : "%s\n",
			o->arg ? o->arg : "-");
	}
}
