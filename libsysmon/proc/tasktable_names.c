// SPDX-License-Identifier: GPL-2.0-or-later
/* Command lines of tasktable.h. */
#include "proc/tasktable.h"

struct sm_poolstr *sm_tasktable_intern(
	struct sm_tasktable *t, const char *p, size_t n, uint32_t tag)
{
	if (n > SM_NAME_MAX_BYTES) {
		n = SM_NAME_MAX_BYTES;
		tag |= SM_NAME_TRUNCATED;
	}
	return sm_strpool_get(t->names, p, n, tag);
}

void sm_tasktable_keep(struct sm_tasktable *t, struct sm_task *p)
{
	struct sm_poolstr *whole = p->cmd;

	if (!whole || whole->len <= SM_NAME_KEPT_BYTES ||
		sm_strpool_bytes(t->names) <= t->names_max_bytes)
		return;
	p->cmd = sm_strpool_get(
		t->names, whole->s, SM_NAME_KEPT_BYTES, whole->tag | SM_NAME_TRUNCATED);
	t->names_lost += !p->cmd;
	sm_strpool_put(t->names, whole);
}

struct sm_poolstr *sm_tasktable_read_cmdline(
	struct sm_tasktable *t, pid_t pid, size_t expect_len)
{
	ssize_t n =
		sm_procpid_read_cmdline(t->root, pid, t->scratch, SM_NAME_MAX_BYTES + 1);
	struct sm_poolstr *name;

	if (n <= 0)
		return NULL;
	if (expect_len && expect_len != (size_t)n &&
		!(expect_len > (size_t)n && n == SM_NAME_MAX_BYTES + 1))
		return NULL;
	name = sm_tasktable_intern(t, t->scratch, (size_t)n, SM_NAME_PROC);
	t->names_lost += !name;
	return name;
}
