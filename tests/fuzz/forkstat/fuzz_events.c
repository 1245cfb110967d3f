// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fuzz_events: five bytes each: kind, pid, tgid, parent, status.  Any sequence of kernel
 * events on a recorded machine: every row has its task, and the table holds only tasks
 * that were in an event and have not exited.
 */
#include <stdlib.h>
#include <string.h>

#include "forkstat/track.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define EVENT_BYTES 5u
#define OP_LOSS	    15u

static const uint32_t kinds[] = {SM_PROC_FORK, SM_PROC_FORK, SM_PROC_EXEC, SM_PROC_EXEC,
	(uint32_t)SM_PROC_EXIT, (uint32_t)SM_PROC_EXIT, SM_PROC_COMM, SM_PROC_UID,
	SM_PROC_GID, SM_PROC_SID, SM_PROC_PTRACE, SM_PROC_COREDUMP, 0x10};

static void require(bool ok)
{
	if (!ok)
		abort();
}

struct model {
	bool live[256]; /* was in an event, and has not exited since */
};

static struct sm_proc_event event(const uint8_t *b, uint64_t time_ns)
{
	struct sm_proc_event ev = {.time_ns = time_ns,
		.what = kinds[(b[0] & 15u) % SM_ARRAY_SIZE(kinds)],
		.pid = b[1],
		.tgid = b[0] & 16 ? b[2] : b[1],
		.ppid = b[3],
		.ptgid = b[3],
		.rid = b[4],
		.eid = b[2],
		.exit_code = (uint32_t)b[4] << (b[0] & 32 ? 8 : 0)};

	memset(ev.comm, b[4], sizeof(ev.comm) - 1);
	return ev;
}

static void check_row(const struct row *row, const struct sm_proc_event *ev)
{
	require(row->p && row->ev == ev && row->kind < EVENT_LOST);
	if (row->kind == EVENT_EXIT) {
		require(row->exited && row->exited->pid == ev->pid);
		require(row->p->pid == (row->exit.process_end ? ev->tgid : ev->pid));
	} else {
		require(row->p->pid == ev->pid);
	}
	require(memchr(row->p->comm, '\0', sizeof(row->p->comm)) != NULL);
	require(!row->has_duration || row->duration_ns <= ev->time_ns);
	if (row->kind == EVENT_CLONE)
		require(ev->pid != ev->tgid && row->p->tgid == ev->tgid);
	if (row->kind == EVENT_FORK)
		require(row->p->ppid == ev->ptgid && row->p->start_ns == ev->time_ns);
}

static void check_table(const struct sm_tasktable *t, const struct model *m)
{
	const struct sm_task *p;
	size_t n = 0;

	for (size_t i = 0; (p = sm_map_next(&t->map, &i)); n++) {
		require(p->pid >= 0 && p->pid < 256);
		require(m->live[p->pid] || (p->flags & SM_TASK_DEAD));
		require(!p->cmd || (p->cmd->refs > 0 && !p->cmd->s[p->cmd->len]));
	}
	require(n == t->map.used && n <= 256);
}

static void one(struct track *t, struct model *m, const uint8_t *b, uint64_t time_ns)
{
	struct sm_proc_event ev = event(b, time_ns);
	struct row row;

	m->live[b[1]] = m->live[b[2]] = m->live[b[3]] = true;
	if (track_apply(t, &ev, b[0] & 64, &row)) {
		check_row(&row, &ev);
		track_done(t, &row);
	} else {
		require(ev.what == 0x10);
	}
	if (ev.what == (uint32_t)SM_PROC_EXIT)
		m->live[b[1]] = false;
	check_table(t->procs, m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct sm_root root = SM_ROOT_INIT;
	struct sm_tasktable procs;
	struct track t = {.procs = &procs, .want_tty = true};
	struct model m = {{false}};
	uint64_t now = 1;

	/* Also without the fixture's directory: then no task is known. */
	if (root.proc.fd < 0 && sm_root_open(&root, "tests/fixtures/small") < 0)
		root = (struct sm_root)SM_ROOT_INIT;
	require(sm_tasktable_init(&procs, &root, 4096, size & 1) == 0);
	procs.boot_offset_ns = 0;
	for (; size >= EVENT_BYTES;
		data += EVENT_BYTES, size -= EVENT_BYTES, now += 1000) {
		if ((data[0] & 15u) == OP_LOSS)
			sm_tasktable_suspect(&procs);
		else
			one(&t, &m, data, now);
	}
	sm_tasktable_fini(&procs);
	return 0;
}
