// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>

#include "turnover.h"

int turnover_open(struct turnover *t, const struct sm_root *root)
{
	int err = sm_forkcount_open(&t->forks, root, NULL);

	t->open = err == 0;
	return err == -ENOMEM ? err : 0;
}

void turnover_close(struct turnover *t)
{
	if (t->open)
		sm_forkcount_close(&t->forks);
	t->open = false;
}

void turnover_begin(struct turnover *t)
{
	if (t->open)
		t->forks_now = sm_forkcount_read(&t->forks);
}

void turnover_end(struct turnover *t, uint64_t existing, bool first, struct sample *s)
{
	uint64_t created, ever;

	if (!t->open)
		return;
	if (first) {
		t->forks_first = t->forks_now;
		t->existed = existing;
	}
	created = t->forks_now - t->forks_first;
	ever = t->existed + created;
	s->counted = true;
	s->created = created - t->created;
	t->created = created;
	s->exited = 0;
	if (ever > existing + t->exited)
		s->exited = ever - existing - t->exited;
	t->exited += s->exited;
}
