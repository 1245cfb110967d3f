// SPDX-License-Identifier: GPL-2.0-or-later
/* Names of a task: read once for each process and comm, and again after some seconds,
 * because a program can exec itself or change its arguments under the same comm. */
#include "cpu.h"
#include "sampler.h"
#include "task_names.h"

#define FRESH_S 5u

/* keep: the same program, so that what was read of it holds when there is nothing any
 * more (a zombie has no arguments). */
static void replace(
	struct sampler *s, struct sm_istr **at, ssize_t n, uint32_t tag, bool keep)
{
	struct sm_istr *new =
		n > 0 ? sm_intern_get(s->names, s->scratch, (size_t)n, tag) : NULL;

	if (keep && !new)
		return;
	sm_intern_put(s->names, *at);
	*at = new;
}

/* A line that fills the room may have had more: its last byte is given up, so that what
 * has the mark is shorter than it was. */
static void read_cmd(struct sampler *s, struct task *t, bool keep)
{
	ssize_t n = sm_pidcmdline_read(s->root, t->pid, s->scratch, SAMPLER_NAME_BYTES);
	bool cut = n >= (ssize_t)SAMPLER_NAME_BYTES;

	if (cut)
		n = SAMPLER_NAME_BYTES - 1;
	replace(s, &t->cmd, n, cut ? CS_CMD_CUT : 0, keep);
}

static void read_cgroup(struct sampler *s, struct task *t, bool keep)
{
	replace(s, &t->cgroup,
		sm_pidcgroup_read(s->root, t->pid, s->scratch, SAMPLER_NAME_BYTES), 0,
		keep);
}

void sampler_names(struct sampler *s, struct task *t)
{
	uint32_t now_s = (uint32_t)(s->now.t_ns / SM_NSEC_PER_SEC);
	bool named = t->flags & TASK_NAMED;
	bool fresh = named && now_s - t->named_s < FRESH_S;
	struct sm_pidcred cred;

	/* It was not wanted, perhaps, when the others were read (the screen's key G). */
	if (s->want_cgroup && (!fresh || !t->cgroup))
		read_cgroup(s, t, named);
	if (fresh)
		return;
	t->flags |= TASK_NAMED;
	t->named_s = now_s;
	if (s->want_cmd && !(t->flags & TASK_KTHREAD))
		read_cmd(s, t, named);
	if (s->want_uid && sm_pidcred_read(s->root, t->pid, &cred) == 0) {
		t->uid = cred.ruid;
		t->flags |= TASK_CREDS;
	}
}
