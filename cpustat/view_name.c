// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "task_names.h"
#include "text.h"
#include "view.h"
#include "view_name.h"

static struct sm_val str(const char *s)
{
	return (struct sm_val){.type = SM_VAL_STR, .s = {s, strlen(s)}};
}

static struct sm_val text(const char *s, size_t n)
{
	return (struct sm_val){.type = SM_VAL_TEXT, .s = {s, n}};
}

/* Rows that are no task have a name of their own. */
static const char *const own_names[] = {[CS_SOFTIRQ] = "[softirq]",
	[CS_IRQ] = "[irq]",
	[CS_UNACCOUNTED] = "[unaccounted]",
	[CS_OTHERS] = "(other tasks)"};

static struct sm_val kthread_name(const struct cs_row *row, char *brackets)
{
	size_t n = row->comm.n < SM_PIDSTAT_COMM_MAX ? row->comm.n : SM_PIDSTAT_COMM_MAX;

	brackets[0] = '[';
	if (n)
		memcpy(brackets + 1, row->comm.p, n);
	brackets[n + 1] = ']';
	return text(brackets, n + 2);
}

/* Does what ends there want the mark of what was too long to be kept? */
static bool is_cut(const struct sm_istr *cmd, const char *end)
{
	return cmd->tag & CS_CMD_CUT && end == cmd->s + cmd->len;
}

/* argv[0], or with -l all of it; -d and -s speak of the first word of argv[0]. */
static struct sm_val command_name(const struct cs_opts *o, const struct sm_istr *cmd)
{
	size_t argv0 = strnlen(cmd->s, cmd->len), word = argv0;
	size_t n = o->full_command ? cmd->len : argv0;
	const char *s = cmd->s, *slash;
	const char *blank = memchr(s, ' ', argv0);

	if (blank)
		word = (size_t)(blank - s);
	if (o->short_name)
		n = word;
	slash = o->strip_path ? memrchr(s, '/', word) : NULL;
	if (slash && slash + 1 < s + word) {
		n -= (size_t)(slash + 1 - s);
		s = slash + 1;
	}
	return (struct sm_val){.type = o->full_command ? SM_VAL_ARGV : SM_VAL_TEXT,
		.s = {s, n},
		.suffix = is_cut(cmd, s + n) ? " [...]" : NULL};
}

static bool is_blank(const struct sm_val *v)
{
	for (size_t i = 0; i < v->s.n; i++)
		if (v->s.p[i] && v->s.p[i] != ' ')
			return false;
	return true;
}

struct sm_val view_name_value(const struct cs_opts *o, const struct cs_row *row,
	char brackets[VIEW_BRACKETS_MAX])
{
	struct sm_val v = text(row->comm.p, row->comm.n);

	if (row->kind >= CS_SOFTIRQ)
		return str(own_names[row->kind]);
	if (row->flags & CS_KTHREAD)
		v = kthread_name(row, brackets);
	else if (row->kind != CS_GROUP && !o->comm && row->cmd && row->cmd->len &&
		 row->cmd->s[0])
		v = command_name(o, row->cmd);
	if (is_blank(&v)) /* an argv[0] of blanks says nothing */
		v = text(row->comm.p, row->comm.n);
	if (is_blank(&v))
		v = str("-");
	if (row->kind == CS_EXITED)
		v.suffix = v.suffix ? " [...] (exited children)" : " (exited children)";
	return v;
}

void view_name_put(const struct sm_val *v, unsigned int text_flags, struct sm_buf *b)
{
	struct sm_str rest = v->s;

	if (v->type == SM_VAL_STR)
		sm_buf_add(b, rest.p, rest.n);
	while (v->type != SM_VAL_STR && rest.n) {
		size_t n = v->type == SM_VAL_ARGV ? strnlen(rest.p, rest.n) : rest.n;

		sm_text_human(b, rest.p, n, text_flags);
		if (rest.n - n <= 1)
			break;
		sm_buf_chr(b, ' ');
		rest.p += n + 1;
		rest.n -= n + 1;
	}
	if (v->suffix)
		sm_buf_str(b, v->suffix);
}

void view_name(const struct cs_opts *o, const struct cs_row *row, struct sm_buf *b)
{
	char brackets[VIEW_BRACKETS_MAX];
	struct sm_val v = view_name_value(o, row, brackets);

	view_name_put(&v, SM_TEXT_UTF8, b);
}
