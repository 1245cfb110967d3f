// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>
#include <unistd.h>

#include "track.h"

uint32_t track_kernel_mask(uint32_t events, bool stateless, bool want_creds)
{
	uint32_t mask = 0;

	if (stateless)
		return SM_PROC_EXEC;
	/* Names, parents and lifetimes hang on these. */
	mask |= SM_PROC_FORK | SM_PROC_EXEC | SM_PROC_COMM | (uint32_t)SM_PROC_EXIT;
	if (want_creds || (events & FS_BIT(FS_UID)))
		mask |= SM_PROC_UID;
	if (events & FS_BIT(FS_GID))
		mask |= SM_PROC_GID;
	if (events & FS_BIT(FS_SID))
		mask |= SM_PROC_SID;
	if (events & FS_BIT(FS_PTRCE))
		mask |= SM_PROC_PTRACE;
	if (events & FS_BIT(FS_CORE))
		mask |= SM_PROC_COREDUMP;
	return mask;
}

/* setpgid(2) sends no event: ask, while there is somebody to ask about. */
static void follow_pgrp(const struct track *t, struct sm_proc *p)
{
	pid_t pgrp = t->want_pgrp ? getpgid(p->pid) : -1;

	if (pgrp > 0)
		p->pgrp = pgrp;
}

static bool apply_fork(
	struct track *t, const struct sm_proc_event *ev, struct fs_row *row)
{
	bool thread = ev->pid != ev->tgid;

	row->kind = thread ? FS_CLONE : FS_FORK;
	row->p = sm_procs_fork(t->procs, ev->pid, ev->tgid, ev->ptgid, ev->time_ns);
	row->parent = sm_procs_get(t->procs, thread ? ev->tgid : ev->ptgid);
	if (!row->p)
		return false;
	/* For a new thread the kernel tells the parent of its process, so does ppid. */
	follow_pgrp(t, row->p);
	return true;
}

/* The best name there is for a program that was just exec'd; a new reference or NULL. */
static struct sm_istr *exec_name(
	struct track *t, pid_t pid, struct exec_record *r, bool later)
{
	struct sm_istr *name;

	if (r && r->cmd && !(r->cmd->tag & SM_NAME_TRUNCATED))
		return sm_istr_ref(r->cmd);
	/* Without a record there is no length to check /proc against: believe it only
	 * when no other exec has followed. */
	if (r ? r->expect_len != 0 || !later : !later) {
		name = sm_procs_read_cmdline(t->procs, pid, r ? r->expect_len : 0);
		if (name)
			return name;
	}
	if (r && r->cmd)
		return sm_istr_ref(r->cmd);
	return r ? sm_istr_ref(r->file) : NULL;
}

bool track_asks_proc(const struct track *t, const struct sm_proc_event *ev)
{
	return ev->what == SM_PROC_EXEC &&
	       !(t->capture && capture_has(t->capture, ev->pid));
}

static void apply_exec(
	struct track *t, const struct sm_proc_event *ev, bool later, struct fs_row *row)
{
	struct exec_record *r =
		t->capture ? capture_take(t->capture, ev->pid, ev->time_ns) : NULL;
	struct sm_istr *name = exec_name(t, ev->pid, r, later);
	struct sm_str file = {"", 0};

	if (r && r->file)
		file = (struct sm_str){r->file->s, r->file->len};
	row->kind = FS_EXEC;
	sm_procs_exec(t->procs, row->p, name, file);
	if (!name && row->p->comm[0])
		row->p->cmd = sm_procs_intern(
			t->procs, row->p->comm, strlen(row->p->comm), SM_NAME_COMM);
	if (r)
		capture_done(t->capture, r);
	if (t->want_tty)
		(void)!sm_procs_refresh(t->procs, row->p);
	follow_pgrp(t, row->p);
}

/* A kernel thread gets its own name after the fork, without an event. */
static void name_kernel_thread(struct track *t, struct sm_proc *p)
{
	char comm[SM_TASK_COMM_LEN];

	if (!(p->flags & SM_TASK_KCHILD))
		return;
	if (sm_pidcomm_read(t->procs->root, p->pid, comm, sizeof(comm)) > 0)
		sm_procs_comm(p, comm);
	p->flags &= (uint16_t)~SM_TASK_KCHILD;
}

static void apply_exit(
	struct track *t, const struct sm_proc_event *ev, struct fs_row *row)
{
	row->kind = FS_EXIT;
	name_kernel_thread(t, row->p);
	follow_pgrp(t, row->p);
	if (row->p->start_ns && ev->time_ns >= row->p->start_ns) {
		row->duration_ns = ev->time_ns - row->p->start_ns;
		row->has_duration = true;
	}
}

static void apply_ids(const struct sm_proc_event *ev, struct fs_row *row)
{
	row->kind = ev->what == SM_PROC_UID ? FS_UID : FS_GID;
	if (row->kind == FS_GID)
		return;
	row->p->uid = ev->rid;
	row->p->euid = ev->eid;
	row->p->flags |= SM_TASK_CREDS;
}

static void apply_sid(const struct sm_proc_event *ev, struct fs_row *row)
{
	row->kind = FS_SID;
	row->p->pgrp = ev->tgid; /* setsid(2): leader of a new session and group */
	row->p->tty_nr = 0;
}

static void apply_ptrace(
	struct track *t, const struct sm_proc_event *ev, struct fs_row *row)
{
	row->kind = FS_PTRCE;
	if (ev->ptgid)
		row->parent = sm_procs_find(t->procs, ev->ptgid, ev->ptgid);
}

bool track_apply(
	struct track *t, const struct sm_proc_event *ev, bool later, struct fs_row *row)
{
	memset(row, 0, sizeof(*row));
	row->ev = ev;
	row->time_ns = ev->time_ns;
	if (ev->what == SM_PROC_FORK)
		return apply_fork(t, ev, row);
	row->p = t->stateless ? sm_procs_fresh(t->procs, ev->pid, ev->tgid)
			      : sm_procs_find(t->procs, ev->pid, ev->tgid);
	if (!row->p)
		return false;
	switch (ev->what) {
	case SM_PROC_EXEC:
		apply_exec(t, ev, later, row);
		return true;
	case (uint32_t)SM_PROC_EXIT:
		apply_exit(t, ev, row);
		return true;
	case SM_PROC_COMM:
		row->kind = FS_COMM;
		memcpy(row->old_comm, row->p->comm, sizeof(row->old_comm));
		sm_procs_comm(row->p, ev->comm);
		return true;
	case SM_PROC_UID:
	case SM_PROC_GID:
		apply_ids(ev, row);
		return true;
	case SM_PROC_SID:
		apply_sid(ev, row);
		return true;
	case SM_PROC_PTRACE:
		apply_ptrace(t, ev, row);
		return true;
	case SM_PROC_COREDUMP:
		row->kind = FS_CORE;
		return true;
	default:
		return false;
	}
}

void track_done(struct track *t, struct fs_row *row)
{
	if (row->kind == FS_EXIT || (t->stateless && row->p))
		sm_procs_exit(t->procs, row->p);
}
