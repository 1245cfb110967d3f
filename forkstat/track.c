// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>
#include <unistd.h>

#include "facts.h"
#include "track.h"

const char *track_lost_name(enum lost_source s)
{
	static const char *const names[] = {[LOST_KERNEL] = "kernel",
		[LOST_OUTPUT] = "output",
		[LOST_ARGUMENTS] = "arguments",
		[LOST_NAMES] = "names",
		[LOST_FACTS] = "facts",
		[LOST_STATUS] = "status",
		[LOST_TRUNCATED] = "truncated"};

	return names[s];
}

uint32_t track_kernel_mask(uint32_t events, bool stateless, bool want_creds)
{
	uint32_t mask = 0;

	if (stateless)
		return SM_PROC_EXEC;
	/* Names, parents and lifetimes depend on these events. */
	mask |= SM_PROC_FORK | SM_PROC_EXEC | SM_PROC_COMM | (uint32_t)SM_PROC_EXIT;
	if (want_creds || (events & EVENT_BIT(EVENT_UID)))
		mask |= SM_PROC_UID;
	if (events & EVENT_BIT(EVENT_GID))
		mask |= SM_PROC_GID;
	if (events & EVENT_BIT(EVENT_SID))
		mask |= SM_PROC_SID;
	if (events & EVENT_BIT(EVENT_PTRCE))
		mask |= SM_PROC_PTRACE;
	if (events & EVENT_BIT(EVENT_CORE))
		mask |= SM_PROC_COREDUMP;
	return mask;
}

/* setpgid(2) sends no event, so the group is read while the task exists. */
static void follow_pgrp(const struct track *t, struct sm_task *p)
{
	pid_t pgrp = t->want_pgrp ? getpgid(p->pid) : -1;

	if (pgrp > 0)
		p->pgrp = pgrp;
}

/* A kernel thread gets its own name soon after the fork, without an event. */
static void name_kernel_thread(struct track *t, struct sm_task *p)
{
	char comm[SM_TASK_COMM_LEN];

	if (!(p->flags & SM_TASK_KCHILD))
		return;
	if (sm_procpid_read_comm(t->procs->root, p->pid, comm, sizeof(comm)) <= 0 ||
		strcmp(comm, p->comm) == 0)
		return;
	sm_tasktable_comm(p, comm);
	p->flags &= (uint16_t)~SM_TASK_KCHILD;
}

/* Sets the cgroup of all tasks of the process. */
static void set_group(
	struct track *t, struct sm_task *leader, const struct sm_poolstr *path)
{
	struct sm_task *p;

	facts_cgroup(t->facts, leader, path);
	for (size_t i = 0; leader->threads && (p = sm_map_next(&t->procs->map, &i));)
		if (p->tgid == leader->tgid && p != leader)
			facts_cgroup(t->facts, p, path);
}

/* The process may have joined another group before this event. */
static void follow_group(struct track *t, pid_t tgid, uint64_t time_ns)
{
	struct sm_poolstr *path;
	struct sm_task *p;

	if (!t->facts || !t->capture ||
		!groups_moved(&t->capture->groups, tgid, time_ns, &path))
		return;
	p = sm_tasktable_get(t->procs, tgid);
	if (p)
		set_group(t, p, path);
	sm_strpool_put(t->procs->names, path);
}

/* Sets the initial cgroup of a new task.  Returns false if it is unknown. */
static bool set_birth_group(
	struct track *t, const struct sm_proc_event *ev, struct sm_task *p)
{
	struct sm_poolstr *path = NULL;

	if (!t->facts || !t->capture || !t->capture->groups.followed)
		return true;
	(void)!groups_born(&t->capture->groups, ev->pid, ev->time_ns, &path);
	facts_cgroup(t->facts, p, path);
	sm_strpool_put(t->procs->names, path);
	return path != NULL;
}

static bool apply_fork(struct track *t, const struct sm_proc_event *ev, struct row *row)
{
	bool thread = ev->pid != ev->tgid;

	row->kind = thread ? EVENT_CLONE : EVENT_FORK;
	follow_group(t, thread ? ev->tgid : ev->ptgid, ev->time_ns);
	row->p = sm_tasktable_fork(t->procs, ev->pid, ev->tgid, ev->ptgid, ev->time_ns);
	row->parent = sm_tasktable_get(t->procs, thread ? ev->tgid : ev->ptgid);
	if (!row->p)
		return false;
	row->lacks_facts = !set_birth_group(t, ev, row->p);
	/* For a new thread the kernel reports the parent of its process, and so does
	 * ppid. */
	follow_pgrp(t, row->p);
	name_kernel_thread(t, row->p);
	return true;
}

static bool is_whole(const struct sm_poolstr *name)
{
	enum sm_name_source s;

	if (!name || (name->tag & SM_NAME_TRUNCATED))
		return false;
	/* A single empty argument is not a name, but the list is complete. */
	if (name->tag & SM_NAME_EMPTY)
		return true;
	s = (enum sm_name_source)(name->tag & SM_NAME_SOURCE_MASK);
	return s == SM_NAME_EXEC || s == SM_NAME_PROC;
}

static bool is_overtaken(const struct track *t, const struct sm_proc_event *ev)
{
	return t->overtaken && t->overtaken(t->overtaken_ctx, ev);
}

/* Reads the command line from /proc.  Returns a new reference, or NULL.  If the process
 * has executed another program since, sets *later and returns NULL.  Without a record it
 * also reads comm. */
static struct sm_poolstr *ask_proc(struct track *t, const struct sm_proc_event *ev,
	const struct exec_record *r, bool *later, char comm[SM_TASK_COMM_LEN])
{
	struct sm_poolstr *name;

	/* The kernel replaces the memory before comm.  If the arguments still belong to
	 * this program, comm did so when it was read. */
	if (!r &&
		sm_procpid_read_comm(t->procs->root, ev->pid, comm, SM_TASK_COMM_LEN) < 0)
		comm[0] = '\0';
	name = sm_tasktable_read_cmdline(t->procs, ev->pid, r ? r->expect_len : 0);
	*later = is_overtaken(t, ev);
	if (!*later)
		return name;
	sm_strpool_put(t->procs->names, name);
	return NULL;
}

/* Returns a new reference to the name in the record, or NULL. */
static struct sm_poolstr *recorded_name(const struct exec_record *r)
{
	if (!r)
		return NULL;
	return sm_strpool_ref(r->cmd ? r->cmd : r->file);
}

bool track_asks_proc(const struct track *t, const struct sm_proc_event *ev)
{
	return ev->what == SM_PROC_EXEC &&
	       (!t->capture || capture_lacks(t->capture, ev->pid));
}

/* The kernel derives comm from the file name, except for a descriptor (fexecve(3)), where
 * it uses the name of the file itself (Linux 6.14).  The record of BPF has comm;
 * otherwise it is read from /proc. */
static void name_exec(struct track *t, const struct sm_proc_event *ev, struct sm_task *p,
	const struct exec_record *r, bool later)
{
	static const char by_fd[] = "/dev/fd/";
	char comm[SM_TASK_COMM_LEN];

	if (r->comm[0]) {
		sm_tasktable_comm(p, r->comm);
		return;
	}
	if (!r->file || strncmp(r->file->s, by_fd, strlen(by_fd)) != 0)
		return;
	if (later ||
		sm_procpid_read_comm(t->procs->root, ev->pid, comm, sizeof(comm)) < 0 ||
		is_overtaken(t, ev))
		comm[0] = '\0';
	sm_tasktable_comm(p, comm);
}

static void apply_exec(
	struct track *t, const struct sm_proc_event *ev, bool later, struct row *row)
{
	struct exec_record *r =
		t->capture ? capture_take(t->capture, ev->pid, ev->time_ns) : NULL;
	struct sm_str file = {"", 0};
	char comm[SM_TASK_COMM_LEN] = "";
	struct sm_poolstr *name = NULL;

	if (!later && !(r && is_whole(r->cmd)))
		name = ask_proc(t, ev, r, &later, comm);
	if (!name)
		name = recorded_name(r);
	if (r && r->file)
		file = sm_strpool_str(r->file);
	row->kind = EVENT_EXEC;
	row->lacks_arguments = !is_whole(name);
	sm_tasktable_exec(t->procs, row->p, name, file);
	if (t->facts)
		row->lacks_facts = !facts_exec(t->facts, row->p, r ? &r->facts : NULL);
	if (r) {
		name_exec(t, ev, row->p, r, later);
		capture_done(t->capture, r);
	} else if (name) {
		sm_tasktable_comm(row->p, comm);
	}
	if (t->want_tty)
		(void)!sm_tasktable_refresh(t->procs, row->p);
	follow_pgrp(t, row->p);
}

static void apply_exit(struct track *t, const struct sm_proc_event *ev, struct row *row)
{
	row->kind = EVENT_EXIT;
	row->end_ns = ev->time_ns + (uint64_t)t->procs->boot_offset_ns;
	row->exited = row->p;
	row->exit = exits_apply(t->exits, t->procs, row->p, ev);
	if (row->exit.process_end)
		row->p = sm_tasktable_get(t->procs, ev->tgid);
	name_kernel_thread(t, row->p);
	follow_pgrp(t, row->p);
	if (row->p->start_ns && row->end_ns >= row->p->start_ns) {
		row->duration_ns = row->end_ns - row->p->start_ns;
		row->has_duration = true;
	}
}

static void apply_ids(const struct sm_proc_event *ev, struct row *row)
{
	row->kind = ev->what == SM_PROC_UID ? EVENT_UID : EVENT_GID;
	if (row->kind == EVENT_GID)
		return;
	row->p->uid = ev->rid;
	row->p->euid = ev->eid;
	row->p->flags |= SM_TASK_CREDS;
}

static void apply_ptrace(struct track *t, const struct sm_proc_event *ev, struct row *row)
{
	row->kind = EVENT_PTRCE;
	if (ev->ptgid)
		row->parent = sm_tasktable_find(t->procs, ev->ptgid, ev->ptgid);
}

bool track_apply(
	struct track *t, const struct sm_proc_event *ev, bool later, struct row *row)
{
	memset(row, 0, sizeof(*row));
	row->ev = ev;
	row->time_ns = ev->time_ns;
	if (ev->what == SM_PROC_FORK)
		return apply_fork(t, ev, row);
	follow_group(t, ev->tgid ? ev->tgid : ev->pid, ev->time_ns);
	row->p = t->stateless ? sm_tasktable_fresh(t->procs, ev->pid, ev->tgid)
			      : sm_tasktable_find(t->procs, ev->pid, ev->tgid);
	if (!row->p) {
		if (ev->what == PROC_EXECFAIL)
			sm_strpool_put(t->procs->names, ev->data);
		return false;
	}
	switch (ev->what) {
	case SM_PROC_EXEC:
		apply_exec(t, ev, later, row);
		return true;
	case PROC_EXECFAIL:
		row->kind = EVENT_EXEC; /* the task continues to run its program */
		row->error = ev->exit_code;
		row->file = ev->data;
		return true;
	case (uint32_t)SM_PROC_EXIT:
		apply_exit(t, ev, row);
		return true;
	case SM_PROC_COMM:
		row->kind = EVENT_COMM;
		memcpy(row->old_comm, row->p->comm, sizeof(row->old_comm));
		sm_tasktable_comm(row->p, ev->comm);
		return true;
	case SM_PROC_UID:
	case SM_PROC_GID:
		apply_ids(ev, row);
		return true;
	case SM_PROC_SID:
		row->kind = EVENT_SID;
		row->p->pgrp =
			ev->tgid; /* setsid(2): leader of a new session and group */
		row->p->tty_nr = 0;
		return true;
	case SM_PROC_PTRACE:
		apply_ptrace(t, ev, row);
		return true;
	case SM_PROC_COREDUMP:
		row->kind = EVENT_CORE;
		return true;
	default:
		return false;
	}
}

void track_done(struct track *t, struct row *row)
{
	if (row->kind == EVENT_EXIT)
		sm_tasktable_exit(t->procs, row->exited);
	else if (t->stateless && row->p)
		sm_tasktable_exit(t->procs, row->p);
	else if (row->error)
		sm_strpool_put(t->procs->names, row->file);
	else if (row->kind == EVENT_EXEC)
		sm_tasktable_keep(t->procs, row->p);
}
