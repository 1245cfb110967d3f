// SPDX-License-Identifier: GPL-2.0-or-later
/* The screen's life and what it keeps of a sample. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "screen_priv.h"
#include "view.h"

int screen_open(
	struct screen **out, struct cs_opts *o, struct sm_user *users, const char **why)
{
	struct screen *s = calloc(1, sizeof(*s));
	int err;

	*why = "out of memory";
	if (!s)
		return -ENOMEM;
	s->opts = o;
	s->users = users;
	s->seed = sm_hash_seed();
	s->first_glob = o->name_glob;
	if (o->name_glob && strlen(o->name_glob) <= SCREEN_PROMPT_MAX)
		memcpy(s->name_text, o->name_glob, strlen(o->name_glob) + 1);
	err = history_init(&s->history);
	if (!err)
		err = sm_tui_open(&s->tui, o->color, why);
	if (err) {
		screen_close(s);
		return err;
	}
	*out = s;
	return 0;
}

void screen_close(struct screen *s)
{
	if (!s)
		return;
	sm_tui_close(&s->tui);
	if (s->opts->name_glob == s->glob)
		s->opts->name_glob = s->first_glob;
	history_fini(&s->history);
	screen_release(s);
	sm_buf_fini(&s->held_comms);
	free(s->held);
	sm_buf_fini(&s->names);
	sm_buf_fini(&s->selected_name);
	sm_buf_fini(&s->scratch);
	free(s->rows);
	free(s->cpu_pct);
	free(s);
}

int screen_key_fd(const struct screen *s)
{
	return s->tui.key_fd;
}

bool screen_paused(const struct screen *s)
{
	return s->paused;
}

void screen_resized(struct screen *s)
{
	sm_tui_resized(&s->tui);
}

/* --- figures -------------------------------------------------------------------------
 */

double screen_pct(const struct screen *s, const struct cs_row *r, uint64_t ns)
{
	double cpus = s->sample.capacity_cpus;

	return s->opts->all_cpus && cpus > 0 ? cs_pct(r, ns) / cpus : cs_pct(r, ns);
}

double screen_busy_pct(const struct cs_sample *sample)
{
	double all = (double)sample->dt_ns * sample->online;
	uint64_t busy = sample->busy_ns;

	if (!(all > 0))
		return -1;
	if (!sample->now) /* no /proc/stat: at least what the tasks used */
		busy = sample->tasks_ns + sample->exited_ns;
	return 100.0 * (double)busy / all;
}

static float one_cpu_pct(
	const struct sm_procstat *now, const struct sm_procstat *before, unsigned int i)
{
	struct sm_cpu_ticks d;
	uint64_t sum;

	if (!now->cpu[i].present)
		return -1;
	if (!before || i >= before->ncpu || !before->cpu[i].present)
		return 0;
	sm_cpu_ticks_delta(&now->cpu[i].t, &before->cpu[i].t, &d);
	sum = sm_cpu_ticks_sum(&d);
	return sum ? 100.0f * (float)sm_cpu_ticks_busy(&d) / (float)sum : 0;
}

static void take_cpus(struct screen *s, const struct cs_sample *sample)
{
	const struct sm_procstat *now = sample->now;
	float *grown;

	s->ncpu = 0;
	if (!now)
		return;
	if (now->ncpu > s->cpu_cap) {
		grown = realloc(s->cpu_pct, now->ncpu * sizeof(*grown));
		if (!grown)
			return;
		s->cpu_pct = grown;
		s->cpu_cap = now->ncpu;
	}
	s->ncpu = now->ncpu;
	for (unsigned int i = 0; i < s->ncpu; i++)
		s->cpu_pct[i] = one_cpu_pct(now, sample->before, i);
}

static void take_machine(struct screen *s, const struct cs_sample *sample)
{
	s->have_running = sample->now != NULL;
	s->running = sample->now ? sample->now->running : 0;
	s->blocked = sample->now ? sample->now->blocked : 0;
	take_cpus(s, sample);
}

/* --- rows ------------------------------------------------------------------------------
 */

/* A task stays itself over an exec; a group is its name. */
static uint64_t identity(const struct screen *s, const struct cs_row *r)
{
	uint64_t h = sm_hash_u64((uint64_t)r->kind << 32 | (uint32_t)r->pid, s->seed);

	h = sm_hash_u64(h ^ r->start_ticks, s->seed);
	if (r->kind == CS_GROUP)
		h ^= sm_hash_bytes(r->comm.p, r->comm.n, s->seed);
	return h ? h : 1;
}

/* Closes what was appended to the arena since `at`: not too long, no character in halves.
 */
static struct screen_span end_span(struct screen *s, size_t at, size_t max)
{
	size_t n = s->names.len - at;

	if (n > max) {
		n = max;
		while (n > 0 && ((unsigned char)s->names.p[at + n] & 0xc0) == 0x80)
			n--;
		s->names.len = at + n;
	}
	return (struct screen_span){(uint32_t)at, (uint32_t)n};
}

static struct screen_span keep_string(
	struct screen *s, const struct sm_istr *str, size_t max)
{
	size_t at = s->names.len, n = str ? str->len : 0;

	if (n > max)
		n = max;
	while (n > 0 && !str->s[n - 1])
		n--;
	sm_buf_add(&s->names, n ? str->s : "", n);
	for (size_t i = at; i < s->names.len; i++)
		if (!s->names.p[i])
			s->names.p[i] = ' ';
	return end_span(s, at, max);
}

static void keep_row(struct screen *s, struct screen_row *to, const struct cs_row *row)
{
	size_t at = s->names.len;

	to->r = *row;
	to->id = identity(s, row);
	view_name(s->opts, row, &s->names);
	to->name = end_span(s, at, SCREEN_NAME_MAX);
	to->command = keep_string(s, row->cmd, SCREEN_COMMAND_MAX);
	to->cgroup = keep_string(s, row->cgroup, SCREEN_COMMAND_MAX);
	to->r.comm = (struct sm_str){NULL, 0};
	to->r.cmd = NULL;
	to->r.cgroup = NULL;
}

static bool have_room(struct screen *s, size_t n)
{
	size_t cap = s->cap ? s->cap : 64;
	struct screen_row *grown;

	if (n <= s->cap)
		return true;
	while (cap < n)
		cap *= 2;
	grown = realloc(s->rows, cap * sizeof(*grown));
	if (!grown)
		return false;
	s->rows = grown;
	s->cap = cap;
	return true;
}

static void take_rows(struct screen *s, const struct cs_row *rows, size_t n)
{
	if (n > SCREEN_ROWS_MAX)
		n = SCREEN_ROWS_MAX;
	if (!have_room(s, n))
		n = s->cap;
	sm_buf_reset(&s->names);
	s->n = 0;
	for (size_t i = 0; i < n; i++) {
		keep_row(s, &s->rows[i], &rows[i]);
		if (sm_buf_error(&s->names))
			return;
		s->n++;
	}
}

static void take_history(struct screen *s, bool again)
{
	double busy = screen_busy_pct(&s->sample);

	if (s->since_start)
		return;
	if (!again || !s->history.now)
		history_begin(&s->history, busy > 0 ? busy : 0);
	for (size_t i = 0; i < s->n; i++) {
		const struct screen_row *row = &s->rows[i];

		history_add(&s->history, row->id, cs_pct(&row->r, row->r.used_ns),
			s->selected);
	}
}

void screen_sample(struct screen *s, const struct cs_sample *sample, const struct rows *r,
	const struct cs_row *rows, size_t n)
{
	bool again = s->samples && s->sample.t_ns == sample->t_ns;
	size_t at;

	s->sample = *sample;
	if (!again)
		s->samples++;
	s->since_start =
		n > 0 && (!sample->dt_ns || (s->samples == 1 && !sample->births));
	s->matched = r ? r->matched : n;
	if (!again) /* by now its counters may be those of a later one */
		take_machine(s, sample);
	take_rows(s, rows, n);
	take_history(s, again);
	if (screen_find_selected(s, &at))
		screen_select(s, at);
}

/* --- the selection
 * ---------------------------------------------------------------------- */

bool screen_find_selected(const struct screen *s, size_t *at)
{
	for (size_t i = 0; s->selected && i < s->n; i++) {
		if (s->rows[i].id != s->selected)
			continue;
		*at = i;
		return true;
	}
	return false;
}

void screen_select(struct screen *s, size_t at)
{
	const struct screen_row *row = &s->rows[at];

	s->selected = row->id;
	s->selected_at = at;
	sm_buf_reset(&s->selected_name);
	sm_buf_add(&s->selected_name, screen_bytes(s, row->name), row->name.n);
}
