// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "screen.h"

/* --- the machine ---------------------------------------------------------- */

static void rate_item(
	const struct screen *s, struct sm_items *l, const char *name, uint64_t n)
{
	sm_items_add(l, SM_TUI_NORMAL, "%s %.1f/s", name,
		values_per_second(n, s->timers.sample.dt_ns));
}

static void mode_items(struct screen *s, struct sm_items *l)
{
	static const char *const groups[] = {"", "process", "comm", "function", "cgroup"};
	const struct opts *o = s->opts;

	if (o->kernel || o->user)
		sm_items_add(l, SM_TUI_ACCENT, "%s", o->kernel ? "kernel" : "user");
	if (o->group != GROUP_THREAD)
		sm_items_add(l, SM_TUI_ACCENT, "by %s", groups[o->group]);
	sm_filter_items(&s->base.filter, s->users, l);
	sm_items_count(l, SM_TUI_ACCENT, o->pids.n, "pids");
	if (o->func_glob)
		sm_items_text(l, SM_TUI_ACCENT, "callback",
			(struct sm_str){o->func_glob, strlen(o->func_glob)});
	if (o->tick)
		sm_items_add(l, SM_TUI_ACCENT, "with the tick");
}

static void timer_items(struct screen *s, struct sm_items *l, bool modes)
{
	const struct sums *sums = &s->timers.sample.sums;

	rate_item(s, l, "events", sums->all.starts);
	if (modes)
		mode_items(s, l);
	rate_item(s, l, "expiries", sums->all.expiries);
	rate_item(s, l, "on an idle CPU", sums->all.idle);
}

static uint64_t of_cause(const struct screen *s, enum sm_wake_cause cause)
{
	return s->wakeups.sample.woken.by_cause[cause].wakeups;
}

static void wakeup_items(struct screen *s, struct sm_items *l, bool modes)
{
	rate_item(s, l, "wakeups", s->wakeups.sample.woken.all.sum.wakeups);
	sm_items_count(
		l, SM_TUI_WARN, s->wakeups.sample.woken.all.unknown, "of unknown cause");
	if (modes)
		mode_items(s, l);
	rate_item(s, l, "by timers",
		of_cause(s, SM_WAKE_HRTIMER) + of_cause(s, SM_WAKE_WHEEL));
	rate_item(s, l, "devices", of_cause(s, SM_WAKE_IRQ));
	rate_item(s, l, "other CPUs",
		of_cause(s, SM_WAKE_CALL) + of_cause(s, SM_WAKE_RESCHEDULE) +
			of_cause(s, SM_WAKE_FLAG));
}

/* modes: include filters and groups, because they have no line of their own. */
static void draw_rates(struct screen *s, int row, bool modes)
{
	const struct sample *p = &s->timers.sample;
	struct sm_items l =
		sm_screen_status(&s->base, row, p->wall_ns, p->partial ? p->dt_ns : 0);

	sm_items_count(&l, SM_TUI_WARN, p->lost.events, "events lost");
	sm_items_count(&l, SM_TUI_WARN, p->lost_cpus, "CPUs not counted");
	if (s->timers.samples && s->on_wakeups)
		wakeup_items(s, &l, modes);
	else if (s->timers.samples)
		timer_items(s, &l, modes);
	else if (modes)
		mode_items(s, &l);
	sm_screen_interval(&s->base, &l);
}

static void sleep_items(const struct screen *s, struct sm_items *l)
{
	const struct sm_wake_sum *sum = &s->wakeups.sample.woken.all.sum;

	if (sum->wakeups)
		sm_items_add(l, SM_TUI_NORMAL, "mean idle period %.3f ms",
			1e3 * values_mean_sleep_s(sum->slept_ns, sum->wakeups));
	rate_item(s, l, "timers armed", s->timers.sample.sums.all.starts);
}

static void draw_parts(struct screen *s, int row)
{
	struct sm_items l = sm_items_begin(&s->base.tui, row);
	const struct sums *sums = &s->timers.sample.sums;

	mode_items(s, &l);
	if (!s->timers.samples)
		return;
	if (s->on_wakeups) {
		sleep_items(s, &l);
		return;
	}
	rate_item(s, &l, "kernel", sums->kernel.starts);
	rate_item(s, &l, "user", sums->all.starts - sums->kernel.starts);
	rate_item(s, &l, "tick", sums->tick.expiries);
	rate_item(s, &l, "tick on an idle CPU", sums->tick.idle);
}

/* --- the selected row ----------------------------------------------------- */

static void identity_items(struct screen *s, struct sm_items *l, const struct event *e)
{
	if (e->tid >= 0)
		sm_items_add(l, SM_TUI_BOLD, "pid %d", e->tid);
	if (e->tgid >= 0 && e->tgid != e->tid)
		sm_items_add(l, SM_TUI_NORMAL, "of process %d", e->tgid);
	if (e->flags & EVENT_HAS_UID) {
		const char *name = sm_ids_user(s->users, e->uid);

		sm_items_text(
			l, SM_TUI_NORMAL, "user", (struct sm_str){name, strlen(name)});
	}
	sm_items_text(l, SM_TUI_NORMAL, "comm", e->comm);
	if (e->func_name[0])
		sm_items_add(l, SM_TUI_NORMAL, "%s %s",
			e->flags & EVENT_WORK ? "work" : "function", e->func_name);
	if (e->members > 1)
		sm_items_add(l, SM_TUI_NORMAL, "%u rows", e->members);
}

static void count_items(const struct screen *s, struct sm_items *l, const struct event *e)
{
	const struct counts *c = &e->total;

	sm_items_add(l, SM_TUI_NORMAL, "since the start: %s %llu",
		s->on_wakeups ? "woke CPUs" : "armed", (unsigned long long)c->starts);
	if (s->on_wakeups)
		return;
	sm_items_add(l, SM_TUI_NORMAL, "expired %llu", (unsigned long long)c->expiries);
	sm_items_add(
		l, SM_TUI_NORMAL, "on an idle CPU %llu", (unsigned long long)c->idle);
}

void draw_details(void *screen, size_t i, int row, int lines)
{
	struct screen *s = screen;
	struct sm_items l = sm_items_begin(&s->base.tui, row);
	const struct event *e = page_row(screen_page(s), i);

	identity_items(s, &l, e);
	sm_items_line(&s->base.tui, row + 1, "command",
		sm_items_pooled(e->cmd, SM_VALUE_ARGV), &s->text);
	if (lines < 4)
		return;
	sm_items_line(&s->base.tui, row + 2, "cgroup",
		sm_items_pooled(e->cgroup, SM_VALUE_TEXT), &s->text);
	l = sm_items_begin(&s->base.tui, row + 3);
	count_items(s, &l, e);
}

/* --- the whole screen ----------------------------------------------------- */

void draw_screen(void *screen)
{
	struct screen *s = screen;
	int rows = s->base.tui.rows, top = 0;
	bool parts = rows >= 12;

	if (rows >= 3)
		draw_rates(s, top++, !parts);
	if (parts)
		draw_parts(s, top++);
	sm_screen_draw_samples(&s->base, top,
		s->on_wakeups ? SM_STR("all wakeups") : SM_STR("all events"), "/s", 1);
}
