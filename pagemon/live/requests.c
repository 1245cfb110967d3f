// SPDX-License-Identifier: GPL-2.0-or-later
/* Requests of the screen: finding pages, reading pages in, and clearing soft-dirty bits.
 */
#include <errno.h>
#include <string.h>

#include "requests.h"

#define FILL_NS (5 * SM_NSEC_PER_MSEC)

/* --- finding pages -------------------------------------------------------------- */

static void step_seek(struct run *r)
{
	struct interactive *w = r->screen;
	uint64_t found;
	int more = seek_step(&w->seek, BUDGET_SLICE_NS, &found);

	if (more > 0)
		return;
	w->keyed = true;
	if (more == -EAGAIN)
		(void)screen_say(
			w->screen, "the mappings have changed; press the key again");
	else if (more < 0)
		live_failed(r, more);
	else if (found == UINT64_MAX)
		(void)screen_say(w->screen, "no such page");
	else
		state_set_cursor(w->screen, found);
}

/* --- reading in ----------------------------------------------------------------- */

static void say_error(struct interactive *w, const char *what, int err)
{
	(void)screen_say(w->screen, "%s: %s", what, strerror(-err));
}

/* Shows why a file of the process is not open. */
static void say_refusal(struct interactive *w, enum target_file f)
{
	struct sm_buf why = {0};

	target_explain_file(&w->proc->target, f, &why);
	sm_buf_chr(&why, '\0');
	(void)screen_say(w->screen, "%s", sm_buf_error(&why) ? "" : why.p);
	sm_buf_fini(&why);
}

static void end_fill(struct interactive *w)
{
	(void)screen_say(w->screen, "%llu pages were read in, %llu could not be read",
		(unsigned long long)w->fill.pages, (unsigned long long)w->fill.failed);
	peek_fill_end(&w->fill);
	w->filling = w->in.reading = false;
	w->keyed = true;
}

static void step_fill(struct run *r)
{
	struct interactive *w = r->screen;
	int more = peek_fill_step(&w->fill, FILL_NS);

	w->in.read_pages = w->fill.pages;
	if (more > 0)
		return;
	end_fill(w);
	if (more < 0)
		live_failed(r, more);
}

void requests_read_in(struct run *r)
{
	struct interactive *w = r->screen;
	const struct counts *all = census_total(&w->census);
	struct snapshot *p = w->proc;
	int err;

	if (w->filling)
		return;
	err = peek_fill_begin(
		&w->fill, &r->peek, &p->target, &p->reader, &p->space, 0, p->space.pages);
	w->fill_later = err == -EINPROGRESS;
	if (err == -EBADF)
		say_refusal(w, TARGET_MEM);
	else if (err && !w->fill_later)
		say_error(w, "reading in", err);
	if (err)
		return;
	w->filling = w->in.reading = true;
	w->in.read_pages = 0;
	w->in.read_all = all ? all->swapped - all->shared : 0;
}

static void touch(struct run *r, uint64_t ordinal)
{
	struct interactive *w = r->screen;
	struct snapshot *p = w->proc;
	int err;

	if (ordinal >= p->space.pages)
		return;
	err = peek_touch(
		&r->peek, &p->target, &p->space, space_address(&p->space, ordinal));
	w->activity.unsure++; /* the fault is not one of the process */
	if (err == -ESRCH)
		live_failed(r, err);
	else if (err == -EBADF)
		say_refusal(w, TARGET_MEM);
	else if (err < 0)
		say_error(w, "the page cannot be read in", err);
}

/* --- soft-dirty ----------------------------------------------------------------- */

void requests_dirty(struct run *r)
{
	struct interactive *w = r->screen;
	bool *on = &w->screen->set.dirty;

	if (!*on)
		return;
	if (!r->dirty_known) {
		*on = false;
		(void)screen_say(w->screen, "this kernel does not keep soft-dirty bits");
	} else if (target_need(&w->proc->target, TARGET_CLEAR_REFS) == -EBADF) {
		*on = false;
		say_refusal(w, TARGET_CLEAR_REFS);
	}
}

/* --- all requests --------------------------------------------------------------- */

static void carry_out(struct run *r, const struct screen_ask *ask)
{
	struct interactive *w = r->screen;
	struct snapshot *p = w->proc;

	switch (ask->kind) {
	case ASK_NEXT_RESIDENT:
	case ASK_PREVIOUS_RESIDENT:
		seek_begin(&w->seek, &p->reader, &p->space, ask->ordinal,
			ask->kind == ASK_NEXT_RESIDENT);
		break;
	case ASK_READ_IN:
		requests_read_in(r);
		break;
	case ASK_STOP:
		w->seek.active = w->fill_later = false;
		if (w->filling)
			end_fill(w);
		break;
	case ASK_FAULT_IN:
		touch(r, ask->ordinal);
		break;
	case ASK_DIRTY:
		requests_dirty(r);
		break;
	case ASK_WATCH: /* only the picker, another process, handles this */
		break;
	}
}

void requests_take(struct run *r)
{
	struct screen_ask ask;

	while (screen_take_ask(r->screen->screen, &ask))
		carry_out(r, &ask);
}

void requests_step(struct run *r)
{
	if (r->screen->seek.active)
		step_seek(r);
	if (r->screen->filling)
		step_fill(r);
}

void requests_opened(struct run *r)
{
	requests_dirty(r);
	if (r->screen->fill_later)
		requests_read_in(r);
}

void requests_end(struct interactive *w)
{
	if (w->filling)
		peek_fill_end(&w->fill);
	w->filling = w->fill_later = w->in.reading = w->seek.active = false;
}
