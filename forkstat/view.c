// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "columns.h"
#include "facts.h"
#include "base/parse.h"
#include "base/signame.h"
#include "base/text.h"
#include "proc/taskname.h"
#include "format/value.h"
#include "view.h"

/* --- values ------------------------------------------------------------------------ */

static struct sm_str shorten(const struct opts *o, const struct sm_poolstr *cmd)
{
	return sm_taskname_command(sm_strpool_str(cmd),
		SM_TASKNAME_FULL | (o->short_name ? SM_TASKNAME_SHORT : 0u) |
			(o->strip_path ? SM_TASKNAME_STRIP : 0u));
}

/* With --quote, a mark is a shell comment. */
#define MARK(o, mark) ((o)->quote ? " # " mark : " " mark)

static struct sm_value plain_name(
	const struct opts *o, const struct sm_task *p, char *kthread)
{
	struct sm_value v = {.type = SM_VALUE_ARGV};
	struct sm_str comm = sm_tasktable_comm_of(p);

	if (p && (p->flags & SM_TASK_KTHREAD)) {
		comm = sm_taskname_kthread(comm, kthread);
		return sm_value_text(comm.p, comm.n);
	}
	if (o->comm && comm.n)
		return sm_value_text(comm.p, comm.n);
	if (!p || sm_tasktable_source(p) == SM_NAME_NONE)
		return sm_value_str("?");
	if (!p->cmd) {
		v = sm_value_text(comm.p, comm.n);
		v.suffix = MARK(o, "[comm]");
		return v;
	}
	v.s = shorten(o, p->cmd);
	if (sm_tasktable_source(p) == SM_NAME_FILE)
		v.suffix = MARK(o, "[file]");
	else if (p->cmd->tag & SM_NAME_TRUNCATED)
		v.suffix = MARK(o, "[...]");
	return v;
}

static struct sm_value quoted(const struct opts *o, struct sm_value v)
{
	if (o->quote && v.type != SM_VALUE_STR)
		v.type = SM_VALUE_SHELL;
	return v;
}

static struct sm_value name_of(
	const struct opts *o, const struct sm_task *p, char *kthread)
{
	return quoted(o, plain_name(o, p, kthread));
}

void view_name(const struct opts *o, const struct sm_task *p, struct sm_buf *b)
{
	char kthread[SM_TASK_COMM_LEN + 2];
	struct sm_value v = name_of(o, p, kthread);

	sm_value_put(&v, SM_TEXT_UTF8, b);
}

void view_program(const struct opts *o, const struct sm_task *p, struct sm_buf *b)
{
	struct sm_str s;

	if (o->comm || !p || !p->cmd || p->flags & SM_TASK_KTHREAD) {
		view_name(o, p, b);
		return;
	}
	s = sm_taskname_script(sm_strpool_str(p->cmd), sm_tasktable_comm_of(p));
	sm_text_human(b, s.p, s.n, SM_TEXT_UTF8);
}

uint64_t view_wall_ns(struct view *v, uint64_t mono_ns)
{
	/* The clock can be set; once per second is enough. */
	if (mono_ns > v->offset_read_ns + SM_NSEC_PER_SEC) {
		v->wall_offset_ns = sm_clock_wall_offset_ns();
		v->offset_read_ns = mono_ns;
	}
	return mono_ns + (uint64_t)v->wall_offset_ns;
}

static struct sm_value time_of(struct view *v, struct sm_table *out, uint64_t mono_ns)
{
	struct sm_value t = sm_value_time(view_wall_ns(v, mono_ns));

	out->time.wall_offset_ns = v->wall_offset_ns;
	return t;
}

/* --- rows of the table -------------------------------------------------------------- */

enum symbol { G_NONE, G_PARENT, G_CHILD, G_EXEC, G_EXIT, G_COMM, G_CORE };

static const char *const symbol_utf8[] = {" ", "┬", "└", "→", "⇥", "↻", "☠"};
static const char *const symbol_ascii[] = {" ", "+", "\\", ">", "|", "~", "!"};

static const enum symbol symbols[EVENT_KINDS] = {[EVENT_EXEC] = G_EXEC,
	[EVENT_EXIT] = G_EXIT,
	[EVENT_CORE] = G_CORE,
	[EVENT_COMM] = G_COMM};

struct line { /* the data that differ between the lines of an event */
	struct sm_task *p;
	pid_t pid;
	enum symbol symbol;
	struct sm_value info;
};

static struct sm_value name_text(const char *name)
{
	return sm_value_text(name, strlen(name));
}

static void fill_extra(struct view *v, const struct sm_task *p, struct sm_value *val)
{
	bool known = p && (p->flags & SM_TASK_CREDS);

	val[C_USER] = val[C_EUSER] = sm_value_str("?");
	if (known) {
		val[C_USER] = name_text(sm_ids_user(&v->users, p->uid));
		val[C_EUSER] = name_text(sm_ids_user(&v->users, p->euid));
	}
	val[C_TTY] = sm_value_str(sm_ids_tty(&v->users, p ? p->tty_nr : 0));
}

static struct sm_value fact_value(
	struct view *v, enum fact fact, struct sm_str s, bool human)
{
	uint64_t id;

	if (!facts_columns[fact].is_user || !sm_parse_whole_u64(s, &id))
		return sm_value_text(s.p, s.n);
	return human ? name_text(sm_ids_user(&v->users, (uid_t)id)) : sm_value_u64(id);
}

static void fill_facts(
	struct view *v, const struct sm_task *p, struct sm_value *val, bool human)
{
	struct sm_str s;

	if (!p || !(v->opts->facts || v->opts->parent))
		return;
	s = sm_tasktable_comm_of(
		v->opts->parent ? sm_tasktable_get(v->procs, p->ppid) : NULL);
	if (s.n)
		val[C_PARENT] = sm_value_text(s.p, s.n);
	for (enum fact i = 0; i < FACTS; i++) {
		if (!(v->opts->facts & 1u << i))
			continue;
		if (facts_get(p, i, &s) && s.n)
			val[facts_columns[i].column] = fact_value(v, i, s, human);
		else if (human && !facts_get(p, i, &s))
			val[facts_columns[i].column] = sm_value_str("?");
	}
}

static void put_line(struct view *v, struct sm_table *out, const struct row *row,
	const struct line *l, struct sm_value *process)
{
	struct sm_value val[C_N] = {0};
	char kthread[SM_TASK_COMM_LEN + 2];

	val[C_TIME] = time_of(v, out, row->time_ns);
	val[C_EVENT] = sm_value_str(event_name(row->kind));
	val[C_PID] = sm_value_u64((uint64_t)l->pid);
	if (l->p) {
		val[C_TGID] = sm_value_u64((uint64_t)l->p->tgid);
		if (l->p->ppid)
			val[C_PPID] = sm_value_u64((uint64_t)l->p->ppid);
	}
	if (v->opts->extra)
		fill_extra(v, l->p, val);
	fill_facts(v, l->p, val, true);
	val[C_SYMBOL] = sm_value_str(
		v->glyphs_utf8 ? symbol_utf8[l->symbol] : symbol_ascii[l->symbol]);
	val[C_INFO] = l->info;
	if (row->has_duration)
		val[C_DURATION] = sm_value_duration(row->duration_ns);
	val[C_PROCESS] = process ? *process : name_of(v->opts, l->p, kthread);
	if (row->kind == EVENT_LOST)
		val[C_PID] = sm_value_str("-----");
	sm_table_row(out, val);
}

static struct sm_value exit_info(const struct exits_status *s, char *buf)
{
	char name[SM_SIGNAME_MAX];
	int signo = row_exit_signal(s->code);

	if (!s->process_end)
		return sm_value_str("thread");
	if (!s->known)
		return sm_value_str("?");
	if (!signo)
		return sm_value_u64(row_exit_status(s->code));
	strcpy(buf, sm_signame(signo, name));
	if (row_exit_core(s->code))
		strcat(buf, "+core");
	return sm_value_str(buf);
}

/* Returns "old -> new". */
static struct sm_value comm_change(const struct row *row, char *buf)
{
	int n = sprintf(buf, "%.16s -> %.16s", row->old_comm, row->p->comm);

	return sm_value_text(buf, (size_t)n);
}

static void lost_line(struct view *v, struct sm_table *out, const struct row *row)
{
	struct sm_buf b = {0};
	static const char *const words[] = {
		[LOST_KERNEL] = "events lost (kernel buffer)",
		[LOST_OUTPUT] = "rows lost (slow reader or no memory)",
		[LOST_ARGUMENTS] = "argument lists truncated or unknown",
		[LOST_NAMES] = "names unknown",
		[LOST_FACTS] = "rows with an unknown cgroup, login or variable",
		[LOST_STATUS] = "exit statuses unknown",
		[LOST_TRUNCATED] = "names truncated",
	};

	sm_buf_u64(&b, row->lost);
	sm_buf_chr(&b, ' ');
	sm_buf_str(&b, words[row->lost_source]);
	put_line(v, out, row, &(struct line){0},
		&(struct sm_value){.type = SM_VALUE_STR, .s = {b.p, b.len}});
	sm_buf_fini(&b);
}

static void two_lines(struct view *v, struct sm_table *out, const struct row *row)
{
	bool thread = row->kind == EVENT_CLONE;
	pid_t parent = thread ? row->ev->tgid : row->ev->ptgid;

	put_line(v, out, row,
		&(struct line){row->parent, parent, G_PARENT, sm_value_str("parent")},
		NULL);
	put_line(v, out, row,
		&(struct line){row->p, row->p->pid, G_CHILD,
			sm_value_str(thread ? "thread" : "child")},
		NULL);
}

static void ptrace_lines(struct view *v, struct sm_table *out, const struct row *row)
{
	bool attach = row->ev->ptgid != 0;
	struct line l = {
		row->p, row->p->pid, G_NONE, sm_value_str(attach ? "attach" : "detach")};

	if (attach) /* the tracer, then the traced process */
		put_line(v, out, row,
			&(struct line){row->parent, row->ev->ptgid, G_NONE, l.info},
			NULL);
	put_line(v, out, row, &l, NULL);
}

static struct sm_value id_info(struct view *v, const struct row *row)
{
	const char *name = row->kind == EVENT_UID ? sm_ids_user(&v->users, row->ev->rid)
						  : sm_ids_group(&v->users, row->ev->rid);

	return name_text(name);
}

/* Returns red for failures and losses, green for a new program, NULL for no colour. */
static const char *row_colour(const struct row *row)
{
	switch (row->kind) {
	case EVENT_LOST:
		return "1;31";
	case EVENT_CORE:
		return "31";
	case EVENT_EXIT:
		return row->exit.process_end && row->exit.known && row->exit.code ? "31"
										  : NULL;
	case EVENT_EXEC:
		return row->error ? "31" : "32";
	default:
		return NULL;
	}
}

/* Returns the file of a failed exec. */
static struct sm_value failed_file(const struct row *row)
{
	return row->file ? sm_value_text(row->file->s, row->file->len)
			 : sm_value_str("?");
}

static void human(struct view *v, struct sm_table *out, const struct row *row)
{
	struct line l = {.p = row->p, .pid = row->p->pid, .symbol = symbols[row->kind]};
	char buf[SM_TASK_COMM_LEN * 2 + 8];
	struct sm_value process = {0};

	switch (row->kind) {
	case EVENT_FORK:
	case EVENT_CLONE:
		two_lines(v, out, row);
		return;
	case EVENT_PTRCE:
		ptrace_lines(v, out, row);
		return;
	case EVENT_EXEC:
		if (row->error) {
			l.info = sm_value_str(execfail_name(row->error, buf));
			process = quoted(v->opts, failed_file(row));
		}
		break;
	case EVENT_EXIT:
		l.info = exit_info(&row->exit, buf);
		break;
	case EVENT_COMM:
		process = comm_change(row, buf);
		break;
	case EVENT_UID:
	case EVENT_GID:
		l.info = id_info(v, row);
		break;
	case EVENT_SID:
		l.info = sm_value_u64((uint64_t)row->ev->tgid);
		break;
	default:
		break;
	}
	put_line(v, out, row, &l, process.type ? &process : NULL);
}

/* --- records of JSON and CSV -------------------------------------------------------- */

static const char *const source_names[] = {[SM_NAME_NONE] = "none",
	[SM_NAME_EXEC] = "exec",
	[SM_NAME_PROC] = "proc",
	[SM_NAME_FILE] = "file",
	[SM_NAME_COMM] = "comm"};

static void fill_task(const struct opts *o, const struct sm_task *p, struct sm_value *val,
	char *kthread)
{
	val[C_PID] = sm_value_u64((uint64_t)p->pid);
	val[C_TGID] = sm_value_u64((uint64_t)p->tgid);
	if (p->ppid)
		val[C_PPID] = sm_value_u64((uint64_t)p->ppid);
	if (p->flags & SM_TASK_CREDS) {
		val[C_UID] = sm_value_u64(p->uid);
		val[C_EUID] = sm_value_u64(p->euid);
	}
	if (p->comm[0])
		val[C_COMM] = sm_value_text(p->comm, strnlen(p->comm, sizeof(p->comm)));
	val[C_PROCESS] = name_of(o, p, kthread);
	val[C_NAME_SOURCE] =
		(p->flags & SM_TASK_INHERITED) && sm_tasktable_source(p) != SM_NAME_NONE
			? sm_value_str("inherited")
			: sm_value_str(source_names[sm_tasktable_source(p)]);
	if (!p->cmd || sm_tasktable_source(p) == SM_NAME_COMM)
		return;
	if (sm_tasktable_source(p) == SM_NAME_FILE) {
		val[C_FILE] = sm_value_text(p->cmd->s, p->cmd->len);
		return;
	}
	val[C_TRUNCATED] = sm_value_bool(p->cmd->tag & SM_NAME_TRUNCATED);
	val[C_ARGV] = sm_value_bytes(SM_VALUE_ARGV, p->cmd->s, p->cmd->len);
}

static void fill_exit(const struct row *row, struct sm_value *val, char *buf)
{
	uint32_t code = row->exit.code;
	int signo = row_exit_signal(code);

	val[C_PROCESS_END] = sm_value_bool(row->exit.process_end);
	if (row->has_duration)
		val[C_DURATION] = sm_value_duration(row->duration_ns);
	if (!row->exit.known)
		return;
	val[C_STATUS] = sm_value_u64(row_exit_status(code));
	val[C_SIGNAL] = sm_value_u64((uint64_t)signo);
	if (signo)
		val[C_SIGNAME] = sm_value_str(sm_signame(signo, buf));
	val[C_CORE] = sm_value_bool(row_exit_core(code));
}

/* The row of a failed exec shows only the comm of the program that continues to run. */
static void fill_failed(
	const struct opts *o, const struct row *row, struct sm_value *val, char *buf)
{
	val[C_ERROR] = sm_value_str(execfail_name(row->error, buf));
	val[C_FILE] = row->file ? failed_file(row) : (struct sm_value){0};
	val[C_PROCESS] = quoted(o, failed_file(row));
	val[C_NAME_SOURCE] = val[C_TRUNCATED] = val[C_ARGV] = (struct sm_value){0};
}

static void machine(struct view *v, struct sm_table *out, const struct row *row)
{
	struct sm_value val[C_N] = {0};
	char buf[SM_SIGNAME_MAX], kthread[SM_TASK_COMM_LEN + 2];

	val[C_TIME] = time_of(v, out, row->time_ns);
	val[C_MONO] = sm_value_u64(row->time_ns);
	val[C_EVENT] = sm_value_str(event_name(row->kind));
	if (row->p)
		fill_task(v->opts, row->p, val, kthread);
	fill_facts(v, row->p, val, false);
	if (row->p && v->opts->extra)
		val[C_TTY] = sm_value_str(sm_ids_tty(&v->users, row->p->tty_nr));
	switch (row->kind) {
	case EVENT_EXEC:
		if (row->error)
			fill_failed(v->opts, row, val, buf);
		break;
	case EVENT_EXIT:
		fill_exit(row, val, buf);
		break;
	case EVENT_CLONE: /* the process itself, as the parent of the thread */
		val[C_PPID] = sm_value_u64((uint64_t)row->ev->tgid);
		break;
	case EVENT_COMM:
		val[C_OLD_COMM] = name_text(row->old_comm);
		break;
	case EVENT_PTRCE:
		val[C_TRACER] = sm_value_u64((uint64_t)row->ev->ptgid);
		break;
	case EVENT_SID:
		val[C_SID] = sm_value_u64((uint64_t)row->ev->tgid);
		break;
	case EVENT_GID:
		val[C_RGID] = sm_value_u64(row->ev->rid);
		val[C_EGID] = sm_value_u64(row->ev->eid);
		break;
	case EVENT_LOST:
		val[C_COUNT] = sm_value_u64(row->lost);
		val[C_LOST_SOURCE] = sm_value_str(track_lost_name(row->lost_source));
		break;
	default:
		break;
	}
	sm_table_row(out, val);
}

void view_row(struct view *v, const struct row *row)
{
	if (row->kind != EVENT_LOST)
		v->rows++;
	for (unsigned int i = 0; i < v->outputs->n; i++) {
		struct sm_table *out = &v->outputs->out[i];

		if (v->opts->app.quiet && out->format == SM_FORMAT_TABLE)
			continue;
		out->sgr = v->color ? row_colour(row) : NULL;
		if (out->format != SM_FORMAT_TABLE)
			machine(v, out, row);
		else if (row->kind == EVENT_LOST)
			lost_line(v, out, row);
		else
			human(v, out, row);
	}
}

/* --- start and end ------------------------------------------------------------------ */

int view_init(struct view *v, const struct opts *o, struct sm_outputs *outputs)
{
	*v = (struct view){.opts = o,
		.outputs = outputs,
		.color = sm_outputs_color(outputs, (enum sm_color)o->app.color),
		.wall_offset_ns = sm_clock_wall_offset_ns(),
		.offset_read_ns = sm_clock_mono_ns(),
		.glyphs_utf8 = sm_tty_utf8()};
	return sm_ids_init(&v->users);
}

void view_resized(struct view *v)
{
	for (unsigned int i = 0; i < v->outputs->n; i++)
		columns_fit(&v->outputs->out[i], v->opts);
}

void view_fini(struct view *v)
{
	sm_ids_fini(&v->users);
}
