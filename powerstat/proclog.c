// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "base/clock.h"
#include "proc/tasktable.h"
#include "proclog.h"
#include "base/text.h"

#define NAMES_BYTES (8u << 20)

struct proclog {
	struct sm_tasktable procs;
	struct sm_buf text;
	uint64_t lines, limit; /* limit 0: no limit */
	uint64_t dropped;      /* lines beyond either limit */
	uint64_t lines_lost;   /* lines beyond the limit of memory */
	uint64_t arguments_lost;
	uint64_t names_cut; /* truncated or unknown names in the text */
	int64_t wall_offset_ns;
};

int proclog_new(struct proclog **out, const struct sm_root *root)
{
	struct proclog *l = calloc(1, sizeof(*l));
	int err;

	if (!l)
		return -ENOMEM;
	l->wall_offset_ns = sm_clock_wall_offset_ns();
	err = sm_tasktable_init(&l->procs, root, NAMES_BYTES, false);
	if (err) {
		free(l);
		return err;
	}
	*out = l;
	return 0;
}

void proclog_limit(struct proclog *l, uint64_t lines)
{
	l->limit = lines;
}

int proclog_seed(struct proclog *l)
{
	ssize_t n = sm_tasktable_seed(&l->procs);

	return n < 0 ? (int)n : 0;
}

void proclog_free(struct proclog *l)
{
	if (!l)
		return;
	sm_tasktable_fini(&l->procs);
	sm_buf_fini(&l->text);
	free(l);
}

/* Appends HH:MM:SS, local time. */
static void put_time(struct proclog *l, uint64_t mono_ns)
{
	time_t t = (time_t)((mono_ns + (uint64_t)l->wall_offset_ns) / SM_NSEC_PER_SEC);
	char s[16];
	struct tm tm;

	if (localtime_r(&t, &tm) && strftime(s, sizeof(s), "%H:%M:%S", &tm))
		sm_buf_str(&l->text, s);
}

static void put_arguments(struct proclog *l, const char *s, size_t n)
{
	bool cut = n > PROCLOG_BRIEF && l->text.len > PROCLOG_BYTES / 2;

	if (cut)
		n = PROCLOG_BRIEF;
	for (size_t at = 0; at < n;) {
		size_t len = strnlen(s + at, n - at);

		if (at)
			sm_buf_chr(&l->text, ' ');
		sm_text_human(&l->text, s + at, len, SM_TEXT_UTF8);
		at += len + 1;
	}
	if (cut)
		sm_buf_str(&l->text, " [...]");
	l->names_cut += cut;
}

/* Returns false if the name is unknown. */
static bool put_name(struct proclog *l, const struct sm_task *p)
{
	const struct sm_poolstr *cmd = p ? p->cmd : NULL;
	bool known = true;
	size_t n = cmd ? cmd->len : 0;

	sm_buf_str(&l->text, " (");
	while (n > 0 && !cmd->s[n - 1])
		n--;
	if (n == 0 && p && p->comm[0])
		sm_text_human(&l->text, p->comm, strnlen(p->comm, sizeof(p->comm)),
			SM_TEXT_UTF8);
	else if (n == 0)
		known = false;
	else
		put_arguments(l, cmd->s, n);
	sm_buf_str(&l->text, known ? ")\n" : "<unknown>)\n");
	return known;
}

static void add_fork(struct proclog *l, const struct sm_proc_event *ev)
{
	struct sm_task *p =
		sm_tasktable_fork(&l->procs, ev->pid, ev->tgid, ev->ptgid, ev->time_ns);

	put_time(l, ev->time_ns);
	sm_buf_printf(&l->text, " %s: parent pid=%d -> %s pid=%d",
		ev->pid == ev->tgid ? "fork" : "clone", (int)ev->ptgid,
		ev->pid == ev->tgid ? "fork" : "thread", (int)ev->pid);
	l->names_cut += !put_name(l, p);
}

static void add_exec(struct proclog *l, const struct sm_proc_event *ev)
{
	struct sm_task *p = sm_tasktable_find(&l->procs, ev->pid, ev->tgid);
	char comm[SM_TASK_COMM_LEN];

	if (p) {
		struct sm_poolstr *name =
			sm_tasktable_read_cmdline(&l->procs, ev->pid, 0);

		l->arguments_lost += !name || (name->tag & SM_NAME_TRUNCATED);
		sm_tasktable_exec(&l->procs, p, name, SM_STR(""));
		if (!name && sm_procpid_read_comm(
				     l->procs.root, ev->pid, comm, sizeof(comm)) > 0)
			sm_tasktable_comm(p, comm);
	}
	put_time(l, ev->time_ns);
	sm_buf_printf(&l->text, " exec: pid=%d", (int)ev->pid);
	(void)put_name(l, p);
	if (p)
		sm_tasktable_keep(&l->procs, p);
}

/* A process exits with its last thread. */
static void add_exit(struct proclog *l, const struct sm_proc_event *ev)
{
	struct sm_task *p = sm_tasktable_find(&l->procs, ev->pid, ev->tgid);
	bool ends = !p || sm_tasktable_ends(&l->procs, p);
	int status = (int)ev->exit_code;

	put_time(l, ev->time_ns);
	sm_buf_printf(&l->text, " exit: %spid=%d ", ends ? "" : "thread ",
		(int)(ends ? ev->tgid : ev->pid));
	if (WIFSIGNALED(status))
		sm_buf_printf(&l->text, "signal=%d", WTERMSIG(status));
	else
		sm_buf_printf(&l->text, "exit_code=%d", WEXITSTATUS(status));
	l->names_cut += !put_name(l, p);
	if (p)
		sm_tasktable_exit(&l->procs, p);
}

void proclog_add(struct proclog *l, const struct sm_proc_event *ev)
{
	size_t before = l->text.len;
	bool full;

	if (ev->what == SM_PROC_FORK)
		add_fork(l, ev);
	else if (ev->what == SM_PROC_EXEC)
		add_exec(l, ev);
	else if (ev->what == (uint32_t)SM_PROC_EXIT)
		add_exit(l, ev);
	if (l->text.len == before)
		return;
	l->lines++;
	full = l->text.len > PROCLOG_BYTES || sm_buf_error(&l->text);
	l->lines_lost += full;
	if (full || (l->limit && l->lines > l->limit)) {
		l->text.len = before; /* the event has updated the names */
		l->text.err = 0;
		l->dropped++;
	}
}

void proclog_lost(struct proclog *l)
{
	sm_tasktable_suspect(&l->procs);
}

uint64_t proclog_missing(const struct proclog *l)
{
	return l->procs.names_lost + l->names_cut + l->arguments_lost + l->lines_lost;
}

void proclog_print(const struct proclog *l, uint64_t lost, struct sm_buf *b)
{
	uint64_t names = l->procs.names_lost + l->names_cut;

	sm_buf_str(b, "\nLog of fork()/exec()/exit() calls:\n");
	sm_buf_add(b, l->text.p ? l->text.p : "", l->text.len);
	if (l->dropped)
		sm_buf_printf(b, "%llu later events dropped: the log is full\n",
			(unsigned long long)l->dropped);
	if (names)
		sm_buf_printf(b, "%llu names truncated or unknown\n",
			(unsigned long long)names);
	if (l->arguments_lost)
		sm_buf_printf(b, "%llu execs with incomplete arguments\n",
			(unsigned long long)l->arguments_lost);
	if (lost)
		sm_buf_printf(b, "%llu events were lost in the kernel\n",
			(unsigned long long)lost);
}
