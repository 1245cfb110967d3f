// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "clock.h"
#include "columns.h"
#include "sig.h"
#include "text.h"
#include "view.h"

/* --- values ------------------------------------------------------------------------ */

static struct sm_val num(uint64_t u)
{
	return (struct sm_val){.type = SM_VAL_U64, .u = u};
}

static struct sm_val str(const char *s)
{
	return (struct sm_val){.type = SM_VAL_STR, .s = {s, strlen(s)}};
}

static struct sm_val text(const char *s, size_t n)
{
	return (struct sm_val){.type = SM_VAL_TEXT, .s = {s, n}};
}

static struct sm_val boolean(bool b)
{
	return (struct sm_val){.type = SM_VAL_BOOL, .b = b};
}

/* First word of argv[0] without its directory, or what is left of the whole line. */
static struct sm_str shorten(const struct fs_opts *o, const char *s, size_t n)
{
	size_t word = strnlen(s, n);
	const char *blank = memchr(s, ' ', word), *slash;

	if (blank)
		word = (size_t)(blank - s);
	if (o->short_name)
		n = word;
	slash = o->strip_path ? memrchr(s, '/', word) : NULL;
	if (slash && slash + 1 < s + word) {
		n -= (size_t)(slash + 1 - s);
		s = slash + 1;
	}
	return (struct sm_str){s, n};
}

static struct sm_val name_of(
	const struct fs_opts *o, const struct sm_proc *p, char *kthread)
{
	struct sm_val v = {.type = SM_VAL_ARGV};
	size_t n;

	if (p && (p->flags & SM_TASK_KTHREAD)) {
		n = strnlen(p->comm, sizeof(p->comm));
		kthread[0] = '[';
		memcpy(kthread + 1, p->comm, n);
		kthread[n + 1] = ']';
		return text(kthread, n + 2);
	}
	if (p && o->comm && p->comm[0])
		return text(p->comm, strnlen(p->comm, sizeof(p->comm)));
	if (!p || !p->cmd)
		return str("?");
	v.s = shorten(o, p->cmd->s, p->cmd->len);
	if (sm_name_source(p->cmd) == SM_NAME_FILE)
		v.suffix = " [file]";
	else if (sm_name_source(p->cmd) == SM_NAME_COMM)
		v.suffix = " [comm]";
	else if (p->cmd->tag & SM_NAME_TRUNCATED)
		v.suffix = " [...]";
	return v;
}

void view_name(const struct fs_opts *o, const struct sm_proc *p, struct sm_buf *b)
{
	char kthread[SM_TASK_COMM_LEN + 2];
	struct sm_val v = name_of(o, p, kthread);
	size_t n;

	if (v.type == SM_VAL_STR) {
		sm_buf_add(b, v.s.p, v.s.n);
		return;
	}
	while (v.type == SM_VAL_ARGV && v.s.n) {
		n = strnlen(v.s.p, v.s.n);
		sm_text_human(b, v.s.p, n, SM_TEXT_UTF8);
		n = n < v.s.n ? n + 1 : n;
		v.s.p += n;
		v.s.n -= n;
		if (v.s.n)
			sm_buf_chr(b, ' ');
	}
	sm_text_human(b, v.s.p, v.s.n, SM_TEXT_UTF8);
	if (v.suffix)
		sm_buf_str(b, v.suffix);
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

/* --- rows for people ---------------------------------------------------------------- */

enum glyph { G_NONE, G_PARENT, G_CHILD, G_EXEC, G_EXIT, G_COMM, G_CORE };

static const char *const glyph_utf8[] = {" ", "┬", "└", "→", "⇥", "↻", "☠"};
static const char *const glyph_ascii[] = {" ", "+", "\\", ">", "|", "~", "!"};

struct line { /* what differs between the lines of one event */
	struct sm_proc *p;
	pid_t pid;
	enum glyph glyph;
	struct sm_val info;
};

static void fill_extra(struct view *v, const struct sm_proc *p, struct sm_val *val)
{
	bool known = p && (p->flags & SM_TASK_CREDS);

	val[C_USER] = known ? text(sm_user_name(&v->users, p->uid),
				      strlen(sm_user_name(&v->users, p->uid)))
			    : str("?");
	val[C_EUSER] = known ? text(sm_user_name(&v->users, p->euid),
				       strlen(sm_user_name(&v->users, p->euid)))
			     : str("?");
	val[C_TTY] = str(sm_tty_name(&v->users, p ? p->tty_nr : 0));
}

static void put_line(struct view *v, struct sm_out *out, const struct fs_row *row,
	const struct line *l, struct sm_val *process)
{
	struct sm_val val[C_N] = {0};
	char kthread[SM_TASK_COMM_LEN + 2];

	val[C_TIME] =
		(struct sm_val){.type = SM_VAL_TIME, .u = view_wall_ns(v, row->time_ns)};
	val[C_EVENT] = str(fs_event_name(row->kind));
	val[C_PID] = num((uint64_t)l->pid);
	if (l->p) {
		val[C_TGID] = num((uint64_t)l->p->tgid);
		if (l->p->ppid)
			val[C_PPID] = num((uint64_t)l->p->ppid);
	}
	if (v->opts->extra)
		fill_extra(v, l->p, val);
	val[C_GLYPH] = str(v->glyphs_utf8 ? glyph_utf8[l->glyph] : glyph_ascii[l->glyph]);
	val[C_INFO] = l->info;
	if (row->has_duration)
		val[C_DURATION] =
			(struct sm_val){.type = SM_VAL_DURATION, .u = row->duration_ns};
	val[C_PROCESS] = process ? *process : name_of(v->opts, l->p, kthread);
	if (row->kind == FS_LOST)
		val[C_PID] = str("-----");
	out->wall_offset_ns = v->wall_offset_ns;
	sm_out_row(out, val);
}

static struct sm_val exit_info(uint32_t status, char *buf)
{
	char name[SM_SIG_NAME_MAX];
	int signo = fs_exit_signal(status);

	if (!signo)
		return num(fs_exit_status(status));
	strcpy(buf, sm_sig_name(signo, name));
	if (fs_exit_core(status))
		strcat(buf, "+core");
	return (struct sm_val){.type = SM_VAL_STR, .s = {buf, strlen(buf)}};
}

/* "old -> new" */
static struct sm_val comm_change(const struct fs_row *row, char *buf)
{
	size_t a = strnlen(row->old_comm, SM_TASK_COMM_LEN);
	size_t b = strnlen(row->p->comm, SM_TASK_COMM_LEN);

	memcpy(buf, row->old_comm, a);
	memcpy(buf + a, " -> ", 4);
	memcpy(buf + a + 4, row->p->comm, b);
	return text(buf, a + b + 4);
}

static const char *const lost_names[] = {[FS_LOST_KERNEL] = "kernel",
	[FS_LOST_PERF] = "perf",
	[FS_LOST_OUTPUT] = "output"};

static void lost_line(struct view *v, struct sm_out *out, const struct fs_row *row)
{
	struct sm_buf b = {0};
	struct sm_val process;

	static const char *const words[] = {
		[FS_LOST_KERNEL] = "events lost (kernel buffer)",
		[FS_LOST_PERF] = "command lines lost (argument ring)",
		[FS_LOST_OUTPUT] = "rows lost (slow reader)",
	};

	sm_buf_u64(&b, row->lost);
	sm_buf_chr(&b, ' ');
	sm_buf_str(&b, words[row->lost_source]);
	process = (struct sm_val){.type = SM_VAL_STR, .s = {b.p, b.len}};
	put_line(v, out, row, &(struct line){0}, &process);
	sm_buf_fini(&b);
}

static void two_lines(struct view *v, struct sm_out *out, const struct fs_row *row)
{
	bool thread = row->kind == FS_CLONE;
	pid_t parent = thread ? row->ev->tgid : row->ev->ptgid;

	put_line(v, out, row,
		&(struct line){row->parent, parent, G_PARENT, str("parent")}, NULL);
	put_line(v, out, row,
		&(struct line){
			row->p, row->p->pid, G_CHILD, str(thread ? "thread" : "child")},
		NULL);
}

static void ptrace_lines(struct view *v, struct sm_out *out, const struct fs_row *row)
{
	bool attach = row->ev->ptgid != 0;
	struct line l = {row->p, row->p->pid, G_NONE, str(attach ? "attach" : "detach")};

	if (attach) /* who did it, then to whom */
		put_line(v, out, row,
			&(struct line){row->parent, row->ev->ptgid, G_NONE, l.info},
			NULL);
	put_line(v, out, row, &l, NULL);
}

static struct sm_val id_info(struct view *v, const struct fs_row *row)
{
	const char *name = row->kind == FS_UID ? sm_user_name(&v->users, row->ev->rid)
					       : sm_group_name(&v->users, row->ev->rid);

	return text(name, strlen(name));
}

/* Red for what went wrong, green for a new program; the rest is as the terminal has it.
 */
static const char *row_colour(const struct fs_row *row)
{
	switch (row->kind) {
	case FS_LOST:
		return "1;31";
	case FS_CORE:
		return "31";
	case FS_EXIT:
		return row->ev->exit_code ? "31" : NULL;
	case FS_EXEC:
		return "32";
	default:
		return NULL;
	}
}

static void human(struct view *v, struct sm_out *out, const struct fs_row *row)
{
	struct line l = {.p = row->p, .pid = row->p->pid};
	char buf[SM_TASK_COMM_LEN * 2 + 8];
	struct sm_val process = {0};

	switch (row->kind) {
	case FS_FORK:
	case FS_CLONE:
		two_lines(v, out, row);
		return;
	case FS_PTRCE:
		ptrace_lines(v, out, row);
		return;
	case FS_EXEC:
		l.glyph = G_EXEC;
		break;
	case FS_EXIT:
		l.glyph = G_EXIT;
		l.info = exit_info(row->ev->exit_code, buf);
		break;
	case FS_CORE:
		l.glyph = G_CORE;
		break;
	case FS_COMM:
		l.glyph = G_COMM;
		process = comm_change(row, buf);
		break;
	case FS_UID:
	case FS_GID:
		l.info = id_info(v, row);
		break;
	case FS_SID:
		l.info = num((uint64_t)row->ev->tgid);
		break;
	default:
		break;
	}
	put_line(v, out, row, &l, process.type ? &process : NULL);
}

/* --- records for machines ----------------------------------------------------------- */

static const char *const source_names[] = {[SM_NAME_NONE] = "none",
	[SM_NAME_EXEC] = "exec",
	[SM_NAME_PROC] = "proc",
	[SM_NAME_FILE] = "file",
	[SM_NAME_COMM] = "comm"};

static void fill_task(const struct fs_opts *o, const struct sm_proc *p,
	struct sm_val *val, char *kthread)
{
	val[C_PID] = num((uint64_t)p->pid);
	val[C_TGID] = num((uint64_t)p->tgid);
	if (p->ppid)
		val[C_PPID] = num((uint64_t)p->ppid);
	if (p->flags & SM_TASK_CREDS) {
		val[C_UID] = num(p->uid);
		val[C_EUID] = num(p->euid);
	}
	if (p->comm[0])
		val[C_COMM] = text(p->comm, strnlen(p->comm, sizeof(p->comm)));
	val[C_PROCESS] = name_of(o, p, kthread);
	val[C_NAME_SOURCE] = (p->flags & SM_TASK_INHERITED) && p->cmd
				     ? str("inherited")
				     : str(source_names[sm_name_source(p->cmd)]);
	if (!p->cmd)
		return;
	val[C_TRUNCATED] = boolean(p->cmd->tag & SM_NAME_TRUNCATED);
	val[C_ARGV] = (struct sm_val){.type = SM_VAL_ARGV, .s = {p->cmd->s, p->cmd->len}};
}

static void fill_exit(const struct fs_row *row, struct sm_val *val, char *buf)
{
	uint32_t code = row->ev->exit_code;
	int signo = fs_exit_signal(code);

	val[C_STATUS] = num(fs_exit_status(code));
	val[C_SIGNAL] = num((uint64_t)signo);
	if (signo)
		val[C_SIGNAME] = str(sm_sig_name(signo, buf));
	val[C_CORE] = boolean(fs_exit_core(code));
	if (row->has_duration)
		val[C_DURATION] =
			(struct sm_val){.type = SM_VAL_DURATION, .u = row->duration_ns};
}

static void machine(struct view *v, struct sm_out *out, const struct fs_row *row)
{
	struct sm_val val[C_N] = {0};
	char buf[SM_SIG_NAME_MAX], kthread[SM_TASK_COMM_LEN + 2];

	val[C_TIME] =
		(struct sm_val){.type = SM_VAL_TIME, .u = view_wall_ns(v, row->time_ns)};
	val[C_MONO] = num(row->time_ns);
	val[C_EVENT] = str(fs_event_name(row->kind));
	if (row->p)
		fill_task(v->opts, row->p, val, kthread);
	if (row->p && v->opts->extra)
		val[C_TTY] = str(sm_tty_name(&v->users, row->p->tty_nr));
	switch (row->kind) {
	case FS_EXIT:
		fill_exit(row, val, buf);
		break;
	case FS_CLONE: /* the parent of the event, as in a fork */
		val[C_PPID] = num((uint64_t)row->ev->tgid);
		break;
	case FS_COMM:
		val[C_OLD_COMM] = text(
			row->old_comm, strnlen(row->old_comm, sizeof(row->old_comm)));
		break;
	case FS_PTRCE:
		val[C_TRACER] = num((uint64_t)row->ev->ptgid);
		break;
	case FS_SID:
		val[C_SID] = num((uint64_t)row->ev->tgid);
		break;
	case FS_GID:
		val[C_RGID] = num(row->ev->rid);
		val[C_EGID] = num(row->ev->eid);
		break;
	case FS_LOST:
		val[C_COUNT] = num(row->lost);
		val[C_LOST_SOURCE] = str(lost_names[row->lost_source]);
		break;
	default:
		break;
	}
	sm_out_row(out, val);
}

void view_row(struct view *v, const struct fs_row *row)
{
	if (row->kind != FS_LOST)
		v->rows++;
	if (v->opts->quiet)
		return;
	for (unsigned int i = 0; i < v->faces.n; i++) {
		struct sm_out *out = &v->faces.out[i];

		out->sgr = v->color ? row_colour(row) : NULL;
		if (out->face != SM_FACE_HUMAN)
			machine(v, out, row);
		else if (row->kind == FS_LOST)
			lost_line(v, out, row);
		else
			human(v, out, row);
	}
}
