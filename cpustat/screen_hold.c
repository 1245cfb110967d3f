// SPDX-License-Identifier: GPL-2.0-or-later
/* The sample under the word PAUSED: a copy of its rows that keys can arrange anew, since
 * those of the sampler go with the next sample. */
#include <stdlib.h>
#include <string.h>

#include "screen_priv.h"

/* To count references does not change the string. */
static const struct sm_istr *hold_name(const struct sm_istr *name)
{
	return sm_istr_ref((struct sm_istr *)(uintptr_t)name);
}

static void drop_name(struct screen *s, const struct sm_istr *name)
{
	sm_intern_put(s->held_names, (struct sm_istr *)(uintptr_t)name);
}

void screen_release(struct screen *s)
{
	for (size_t i = 0; i < s->nheld; i++) {
		drop_name(s, s->held[i].cmd);
		drop_name(s, s->held[i].cgroup);
	}
	s->nheld = 0;
	s->holding = false;
}

/* What they point to has its place only when all of it is there. */
static bool hold_comms(struct screen *s, size_t n)
{
	size_t at = 0;

	sm_buf_reset(&s->held_comms);
	for (size_t i = 0; i < n; i++)
		sm_buf_add(&s->held_comms, s->held[i].comm.p, s->held[i].comm.n);
	if (sm_buf_error(&s->held_comms))
		return false;
	for (size_t i = 0; i < n; at += s->held[i++].comm.n)
		if (s->held[i].comm.n)
			s->held[i].comm.p = s->held_comms.p + at;
		else
			s->held[i].comm.p = "";
	return true;
}

static bool hold_rows(struct screen *s, const struct cs_row *rows, size_t n)
{
	struct cs_row *v = reallocarray(s->held, n ? n : 1, sizeof(*v));

	if (!v)
		return false;
	s->held = v;
	if (n)
		memcpy(v, rows, n * sizeof(*v));
	if (!hold_comms(s, n))
		return false;
	for (size_t i = 0; i < n; i++) {
		v[i].cmd = hold_name(v[i].cmd);
		v[i].cgroup = hold_name(v[i].cgroup);
	}
	s->nheld = n;
	return true;
}

void screen_hold(struct screen *s, struct cs_sample *sample, struct sm_intern *names)
{
	if (!s->paused || s->holding)
		return;
	s->held_names = names;
	s->holding = hold_rows(s, sample->rows, sample->nrows);
	if (!s->holding) { /* no memory */
		s->paused = false;
		return;
	}
	sample->rows = s->held;
}
