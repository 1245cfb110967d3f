// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "base/text.h"
#include "format/value.h"
#include "view.h"
#include "view_name.h"

static const char *const own_names[] = {[ROW_SOFTIRQ] = "[softirq]",
	[ROW_IRQ] = "[irq]",
	[ROW_UNACCOUNTED] = "[unaccounted]",
	[ROW_OTHERS] = "(other tasks)"};

static struct sm_value text_of(struct sm_str s)
{
	return sm_value_text(s.p, s.n);
}

static struct sm_value kthread_name(const struct row *row, char *brackets)
{
	struct sm_str comm = row->comm;

	if (comm.n > SM_PIDSTAT_COMM_MAX)
		comm.n = SM_PIDSTAT_COMM_MAX;
	return text_of(sm_taskname_kthread(comm, brackets));
}

/* Returns whether a name that ends at end needs the mark of a truncated command line. */
static bool is_cut(const struct sm_poolstr *cmd, const char *end)
{
	return cmd->tag & ROW_CMD_CUT && end == cmd->s + cmd->len;
}

/* Returns argv[0] or, with -l, the whole line.  -d and -s apply to the first word of
 * argv[0]. */
static struct sm_value command_name(unsigned int form, const struct sm_poolstr *cmd)
{
	struct sm_str s = sm_taskname_command(sm_strpool_str(cmd), form);

	return (struct sm_value){
		.type = form & SM_TASKNAME_FULL ? SM_VALUE_ARGV : SM_VALUE_TEXT,
		.s = s,
		.suffix = is_cut(cmd, s.p + s.n) ? " [...]" : NULL};
}

static bool is_blank(const struct sm_value *v)
{
	for (size_t i = 0; i < v->s.n; i++)
		if (v->s.p[i] && v->s.p[i] != ' ')
			return false;
	return true;
}

unsigned int view_name_form(const struct opts *o)
{
	return (o->comm ? VIEW_NAME_COMM : 0u) |
	       (o->full_command ? SM_TASKNAME_FULL : 0u) |
	       (o->short_name ? SM_TASKNAME_SHORT : 0u) |
	       (o->strip_path ? SM_TASKNAME_STRIP : 0u);
}

/* --- exited children -------------------------------------------------------------- */

static void put_time(struct sm_buf *b, uint64_t ns)
{
	if (ns < 10 * SM_NSEC_PER_MSEC)
		sm_buf_fixed(b, (ns + 50000) / 100000, 1);
	else
		sm_buf_u64(b, (ns + SM_NSEC_PER_MSEC / 2) / SM_NSEC_PER_MSEC);
	sm_buf_str(b, " ms");
}

/* Appends a program, such as "cc1 ×10 1106 ms". */
static void put_program(struct sm_buf *b, const struct row_name *name, unsigned int flags)
{
	sm_text_human(b, name->comm, strlen(name->comm), flags);
	sm_buf_str(b, flags & SM_TEXT_UTF8 ? " ×" : " x");
	sm_buf_u64(b, name->count);
	sm_buf_chr(b, ' ');
	put_time(b, name->ns);
}

static const char *exited_suffix(
	const struct row_names *l, bool cut, struct view_scratch *scratch)
{
	struct sm_buf *b = &scratch->exited;

	if (!l)
		return cut ? " [...] (exited children)" : " (exited children)";
	sm_buf_reset(b);
	sm_buf_str(b, cut ? " [...] (exited: " : " (exited: ");
	for (size_t i = 0; i < l->n; i++) {
		if (i)
			sm_buf_str(b, ", ");
		put_program(b, &l->v[i], scratch->text_flags);
	}
	if (l->others.count) {
		sm_buf_str(b, ", ");
		put_program(b, &l->others, scratch->text_flags);
	}
	sm_buf_add(b, ")", 2); /* including the NUL */
	return sm_buf_error(b) ? " (exited)" : b->p;
}

static void json_program(struct sm_json *j, const struct row_name *name)
{
	sm_json_object(j, NULL);
	sm_json_text(j, "comm", name->comm, strlen(name->comm));
	sm_json_u64(j, "count", name->count);
	sm_json_u64(j, "cpu_ns", name->ns);
	sm_json_end(j);
}

struct sm_value view_name_exited(const struct row *row, struct sm_buf *b)
{
	const struct row_names *l = row->exited;
	struct sm_json j = {.b = b};

	if (!l)
		return (struct sm_value){0};
	sm_buf_reset(b);
	sm_json_array(&j, NULL);
	for (size_t i = 0; i < l->n; i++)
		json_program(&j, &l->v[i]);
	if (l->others.count)
		json_program(&j, &l->others);
	sm_json_end(&j);
	if (sm_buf_error(b))
		return (struct sm_value){0};
	return sm_value_bytes(SM_VALUE_JSON, b->p, b->len);
}

/* --- all names -------------------------------------------------------------------- */

struct sm_value view_name_value(
	unsigned int form, const struct row *row, struct view_scratch *scratch)
{
	struct sm_value v = sm_value_text(row->comm.p, row->comm.n);

	if (row->kind >= ROW_SOFTIRQ)
		return sm_value_str(own_names[row->kind]);
	if (row->flags & ROW_KTHREAD)
		v = kthread_name(row, scratch->brackets);
	else if (row->kind != ROW_GROUP && !(form & VIEW_NAME_COMM) && row->cmd &&
		 row->cmd->len && row->cmd->s[0])
		v = command_name(form, row->cmd);
	if (is_blank(&v))
		v = sm_value_text(row->comm.p, row->comm.n);
	if (is_blank(&v))
		v = sm_value_str("-");
	if (row->kind == ROW_EXITED)
		v.suffix = exited_suffix(row->exited, v.suffix != NULL, scratch);
	return v;
}
