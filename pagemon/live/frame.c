// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads the data of one frame of the screen and draws it. */
#include <errno.h>
#include <stdio.h>

#include "requests.h"
#include "frame.h"

#define ROLLUP_NS SM_NSEC_PER_SEC
/* Pauses, as multiples of the CPU time of the last, if the process changes: */
#define COUNT_REST   1000 /* count of pages */
#define LIST_REST    100  /* count of pages while the list of mappings is shown */
#define ROLLUP_REST  100  /* reading of smaps_rollup */
#define MAPS_REST    150  /* reading of the mappings */
#define WALK_REST    100  /* walk of the cells */
#define WALK_MAX_NS  (250 * SM_NSEC_PER_MSEC)  /* maximum pause between walks */
#define MARKED_NS    (1500 * SM_NSEC_PER_MSEC) /* the marks of changes end within this */
#define COUNT_MAX_NS (10 * SM_NSEC_PER_SEC)    /* maximum pause between counts */

bool frame_walking(const struct interactive *w)
{
	const struct screen_want *want = &w->screen->want;

	if (live_waits(w))
		return false;
	return (want->cells && cells_progress(&w->cells) < 1) || w->counting;
}

void frame_restart(struct run *r)
{
	struct interactive *w = r->screen;

	census_reset(&w->census);
	vmfacts_forget(&w->vm);
	w->refreshes = 0;
	w->counting = false;
	w->walk_rest = w->count_rest = (struct rest){0};
	w->rollup_ns = 0;
	screen_restart(w->screen);
}

/* --- a refresh; the mappings every `ticks` refreshes ---------------------------- */

/* Reads the mappings, less often if reading takes long. */
static void read_mappings(struct run *r, uint64_t now_ns)
{
	struct interactive *w = r->screen;
	struct snapshot *p = w->proc;
	uint64_t before_ns = run_cpu_ns();
	int err;

	if (now_ns < w->maps_ns)
		return;
	err = space_update(&p->space, p->target.fd[TARGET_MAPS]);
	w->maps_ns = now_ns + MAPS_REST * (run_cpu_ns() - before_ns);
	if (err < 0)
		live_failed(r, err);
}

/* Asks the kernel's counters whether pages may have changed. */
static void read_activity(struct run *r, uint64_t now_ns)
{
	struct interactive *w = r->screen;
	int err = vmfacts_read(&w->vm, &w->proc->target, now_ns);

	if (err == -ESRCH)
		live_failed(r, err);
	w->activity.unsure += err < 0;
	w->activity.mappings = w->proc->space.generation;
	vmfacts_activity(&w->vm, &w->activity);
}

static void begin_count(struct interactive *w, uint64_t now_ns)
{
	bool each = w->screen->want.mappings;

	if (w->counting ||
		(each <= w->listed && !rest_over(&w->count_rest, &w->activity, now_ns)))
		return;
	w->census.mappings = w->listed = each;
	w->counting = true;
}

static void refresh(struct run *r, uint64_t now_ns, bool ticks)
{
	/* Reading pages in refers to the mappings, so they must not change. */
	if (ticks && !r->screen->filling)
		read_mappings(r, now_ns);
	read_activity(r, now_ns);
	if (ticks)
		begin_count(r->screen, now_ns);
}

/* Clears soft-dirty bits.  Called after the cells were read, so that all writes are
 * shown. */
static void clear_dirty(struct run *r)
{
	struct interactive *w = r->screen;
	int err;

	if (!w->screen->set.dirty || !w->refreshes)
		return;
	err = target_clear_dirty(&w->proc->target);
	w->activity.unsure++;
	if (err == -ESRCH)
		live_failed(r, err);
	else if (err == -EBADF)
		requests_dirty(r);
	else if (err < 0 && err != -EINPROGRESS)
		w->screen->set.dirty = false;
}

/* --- the pages ------------------------------------------------------------------ */

/* Accounts for a step that began at CPU time before_ns. */
static void account(struct interactive *w, struct rest *rest, uint64_t before_ns,
	int more, uint64_t cost, uint64_t most_ns)
{
	uint64_t used_ns = run_cpu_ns() - before_ns;

	budget_spend(&w->budget, used_ns);
	rest_step(rest, &w->activity, used_ns, more, w->in.now_ns, cost, most_ns);
}

static int walk_cells(struct interactive *w)
{
	const struct snapshot *p = w->proc;
	uint64_t before_ns = run_cpu_ns();
	int more = cells_step(&w->cells, &p->reader, &p->space, budget_slice(&w->budget));

	account(w, &w->walk_rest, before_ns, more, WALK_REST, WALK_MAX_NS);
	return more;
}

static void read_cells(struct run *r, uint64_t now_ns, bool due)
{
	struct interactive *w = r->screen;
	const struct screen *s = w->screen;
	int err;

	if (!s->want.cells)
		return;
	err = cells_view(&w->cells, s->spans, s->nspans, s->ncells, s->set.zoom);
	if (!err && !live_waits(w) &&
		(cells_progress(&w->cells) < 1 ||
			(due && !s->frozen &&
				rest_over(&w->walk_rest, &w->activity, now_ns))))
		err = walk_cells(w);
	if (err < 0)
		live_failed(r, err);
}

static void count(struct run *r)
{
	struct interactive *w = r->screen;
	struct snapshot *p = w->proc;
	uint64_t before_ns = run_cpu_ns();
	int more =
		census_step(&w->census, &p->reader, &p->space, budget_slice(&w->budget));

	account(w, &w->count_rest, before_ns, more,
		w->screen->want.mappings ? LIST_REST : COUNT_REST, COUNT_MAX_NS);
	w->counting = more > 0;
	if (p->reader.hidden != w->census.hidden)
		w->activity.unsure++; /* the cells of these pages change */
	p->reader.hidden = w->census.hidden;
	if (more < 0)
		live_failed(r, more);
}

/* --- the windows ---------------------------------------------------------------- */

static void read_rollup(struct interactive *w, uint64_t now_ns)
{
	uint64_t before_ns = run_cpu_ns();

	if (now_ns < w->rollup_ns)
		return;
	(void)!vmfacts_read_rollup(&w->vm, &w->proc->target);
	w->rollup_ns = now_ns + ROLLUP_NS + ROLLUP_REST * (run_cpu_ns() - before_ns);
}

/* Reads smaps for the list of mappings. */
static void read_usages(struct run *r, uint64_t now_ns)
{
	struct interactive *w = r->screen;
	struct snapshot *p = w->proc;
	const int *fd = p->target.fd;
	uint64_t before_ns = run_cpu_ns();

	w->in.usages = p->smaps ? &p->usages : NULL;
	if (!p->smaps || !w->screen->want.mappings || now_ns < w->usages_ns)
		return;
	if (usages_read(&p->usages, fd[TARGET_SMAPS], fd[TARGET_MAPS], &p->space) ==
		-ESRCH)
		live_failed(r, -ESRCH);
	w->usages_ns = now_ns + ROLLUP_NS + LIST_REST * (run_cpu_ns() - before_ns);
}

/* Takes the counts that were requested at the last refresh, and requests the next. */
static void read_faults(struct interactive *w, bool due)
{
	const struct target *t = &w->proc->target;

	faults_take(&w->faults, t, &w->vm);
	if (due || !w->in.faults)
		faults_ask(&w->faults, t);
}

static const struct pagefacts *read_page(struct run *r)
{
	struct interactive *w = r->screen;
	struct snapshot *p = w->proc;
	uint64_t cursor = w->screen->want.cursor;
	int err;

	if (cursor >= p->space.pages)
		return NULL;
	err = pagefacts_read(&r->source, &p->target, &p->space,
		space_address(&p->space, cursor), &w->page);
	if (err == -ESRCH)
		live_failed(r, err);
	if (w->page.kind == SM_PAGE_HIDDEN)
		w->page.kind = p->reader.hidden;
	return err ? NULL : &w->page;
}

static const struct peek *read_bytes(struct run *r)
{
	struct interactive *w = r->screen;
	const struct screen_want *want = &w->screen->want;
	int err = peek_read(&r->peek, &w->proc->target, &w->proc->space,
		want->hex_address, want->hex_bytes);

	w->in.peek_err = err;
	if (err == -ESRCH)
		live_failed(r, err);
	return err ? NULL : &r->peek;
}

static void read_windows(struct run *r, uint64_t now_ns, bool due)
{
	struct interactive *w = r->screen;
	const struct screen_want *want = &w->screen->want;

	if (w->screen->frozen && !w->keyed)
		return;
	if (want->vm && (due || !w->in.vm))
		read_rollup(w, now_ns);
	read_usages(r, now_ns);
	if (want->perf)
		read_faults(w, due);
	w->in.vm = want->vm ? &w->vm : NULL;
	w->in.faults = want->perf ? &w->faults : NULL;
	w->in.page = want->page ? read_page(r) : NULL;
	w->in.peek = want->hex && want->hex_bytes ? read_bytes(r) : NULL;
}

/* --- the frame ------------------------------------------------------------------ */

/* Reports in the title a walk of the cells that takes longer than a refresh. */
static void put_note(struct interactive *w)
{
	double done = cells_progress(&w->cells);

	w->in.note = NULL;
	if (!w->screen->want.cells || done >= 1)
		return;
	snprintf(w->note, sizeof(w->note), "scanned %d %%", (int)(done * 100));
	w->in.note = w->note;
}

/* Returns whether open windows or running counts can make every frame different. */
static bool is_live(const struct interactive *w)
{
	const struct screen_want *want = &w->screen->want;

	return want->page || want->vm || want->perf || want->hex || want->mappings ||
	       frame_walking(w) || w->in.reading;
}

/* Draws the frame, unless nothing has changed. */
static void draw(struct interactive *w, bool other, uint64_t now_ns)
{
	bool changed = w->screen->want.cells && w->cells.any_changed;

	if (changed)
		w->marked_ns = now_ns + MARKED_NS;
	if (!other && !is_live(w) && now_ns >= w->marked_ns)
		return;
	put_note(w);
	screen_draw(w->screen, &w->in);
	if (changed)
		w->cells.any_changed = false;
}

static void arrange(struct run *r, uint64_t now_ns)
{
	struct interactive *w = r->screen;
	struct screen *s = w->screen;

	w->in.space = &w->proc->space;
	screen_arrange(s, &w->in);
	if (s->want.mappings > w->listed)
		begin_count(w, now_ns);
	if (!s->want.populated || w->census.populated.ranges || !w->counting ||
		live_waits(w))
		return;
	/* A flat map would only be seen until the populated ranges are known. */
	count(r);
	screen_arrange(s, &w->in);
}

static void read_others(struct run *r, uint64_t now_ns, bool due)
{
	struct interactive *w = r->screen;
	const struct screen *s = w->screen;

	/* Count the totals only after the cells. */
	if (w->counting && (!s->want.cells || cells_progress(&w->cells) >= 1))
		count(r);
	read_windows(r, now_ns, due);
}

void frame_show(struct run *r, uint64_t now_ns, bool due)
{
	struct interactive *w = r->screen;
	struct screen *s = w->screen;
	bool waiting = live_waits(w);
	bool ticks = due && !waiting && !s->frozen && w->refreshes % s->set.ticks == 0;
	bool other = ticks || w->keyed || is_live(w);

	budget_earn(&w->budget, now_ns);
	w->in.now_ns = now_ns;
	if (due && !waiting && !s->frozen)
		refresh(r, now_ns, ticks);
	if (ticks && !w->refreshes && r->opts.read_all && !w->proc->target.execs)
		requests_read_in(r);
	if (other || w->marked_ns > now_ns)
		arrange(r, now_ns);
	read_cells(r, now_ns, due);
	if (!waiting)
		read_others(r, now_ns, due);
	draw(w, other, now_ns);
	if (ticks)
		clear_dirty(r);
	w->refreshes += due;
	w->keyed = false;
}
