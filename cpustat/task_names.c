// SPDX-License-Identifier: GPL-2.0-or-later
/* Names of a task: read once for each process and comm, and again after some seconds,
 * because a program can exec itself or change its arguments under the same comm. */
#include "cpu.h"
#include "sampler.h"

#define FRESH_S 5u

/* keep: the same program, so that what was read of it holds when there is nothing any
 * more (a zombie has no arguments). */
static void replace(struct sampler *s, struct sm_istr **at, ssize_t n, bool keep)
{
	struct sm_istr *new =
		n > 0 ? sm_intern_get(s->names, s->scratch, (size_t)n, 0) : NULL;

	if (keep && !new)
		return;
	sm_intern_put(s->names, *at);
	*at = new;
}

void sampler_names(struct sampler *s, struct task *t)
{
	uint32_t now_s = (uint32_t)(s->now.t_ns / SM_NSEC_PER_SEC);
	bool named = t->flags & TASK_NAMED;
	struct sm_pidcred cred;

	if (named && now_s - t->named_s < FRESH_S)
		return;
	t->flags |= TASK_NAMED;
	t->named_s = now_s;
	if (s->want_cmd && !(t->flags & TASK_KTHREAD))
		replace(s, &t->cmd,
			sm_pidcmdline_read(
				s->root, t->pid, s->scratch, SAMPLER_NAME_BYTES),
			named);
	if (s->want_uid && sm_pidcred_read(s->root, t->pid, &cred) == 0) {
		t->uid = cred.ruid;
		t->flags |= TASK_CREDS;
	}
	if (s->want_cgroup)
		replace(s, &t->cgroup,
			sm_pidcgroup_read(
				s->root, t->pid, s->scratch, SAMPLER_NAME_BYTES),
			named);
}
