// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>

#include "names.h"
#include "proc/cgroup.h"

#define FRESH_S 5u

static struct sm_poolstr *store(struct sampler *s, size_t n, uint32_t tag)
{
	if (n > NAMES_KEPT && sm_strpool_bytes(s->names) + n > s->names_budget) {
		n = NAMES_KEPT;
		tag = ROW_CMD_CUT;
	}
	return sm_strpool_get(s->names, s->scratch, n, tag);
}

/* Replaces a string. keep: the program has not changed, so its old string stays if the
 * new one is empty (as for a zombie).  Returns false if memory is short. */
static bool replace(
	struct sampler *s, struct sm_poolstr **at, ssize_t n, uint32_t tag, bool keep)
{
	struct sm_poolstr *new = n > 0 ? store(s, (size_t)n, tag) : NULL;

	if (!keep || new) {
		sm_strpool_put(s->names, *at);
		*at = new;
	}
	return new || (n <= 0 && n != -ENOMEM);
}

/* Reads the command line.  One that fills the buffer may be longer: it loses its last
 * byte and gets the tag, so that a tagged line is always shorter than the original. */
static bool read_cmd(struct sampler *s, struct task *t, bool keep)
{
	ssize_t n = sm_procpid_read_thread_cmdline(
		s->root, t->pid, t->living, s->scratch, NAMES_BYTES);
	bool cut = n >= (ssize_t)NAMES_BYTES;

	if (cut)
		n = NAMES_BYTES - 1;
	return replace(s, &t->cmd, n, cut ? ROW_CMD_CUT : 0, keep);
}

/* Reads the cgroup.  A recorded tree need not have the directory of a thread. */
static bool read_cgroup(struct sampler *s, struct task *t, bool keep)
{
	ssize_t n = sm_cgroup_read(s->root, t->living, s->scratch, NAMES_BYTES);

	if (n < 0)
		n = sm_cgroup_read(s->root, t->pid, s->scratch, NAMES_BYTES);
	return replace(s, &t->cgroup, n, 0, keep);
}

/* Returns false if memory is short. */
static bool read_command_and_user(struct sampler *s, struct task *t, bool keep)
{
	struct sm_pidcred cred;
	bool read = true;

	if (s->want_cmd && !(t->flags & TASK_KTHREAD))
		read = read_cmd(s, t, keep);
	if (s->want_uid && sm_procpid_read_cred(s->root, t->pid, &cred) == 0) {
		t->uid = cred.ruid;
		t->flags |= TASK_CREDS;
	}
	return read;
}

void names_read(struct sampler *s, struct task *t)
{
	uint32_t now_s = (uint32_t)(s->now.t_ns / SM_NSEC_PER_SEC);
	bool named = t->flags & TASK_NAMED;
	bool fresh = named && now_s - t->named_s < FRESH_S;
	bool read = !s->want_cgroup || read_cgroup(s, t, named);

	if (!fresh) {
		t->flags |= TASK_NAMED;
		t->named_s = now_s;
		read &= read_command_and_user(s, t, named);
	}
	if (read)
		return;
	/* If memory is short, the next sample tries again. */
	t->named_s = now_s - FRESH_S;
	s->names_lost++;
}
