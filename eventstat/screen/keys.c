// SPDX-License-Identifier: GPL-2.0-or-later
#include <stddef.h>

#include "screen.h"

#define FLIP(member) .act = sm_screen_flip, .value = (int)offsetof(struct opts, member)

/* Shows only kernel threads, then only other tasks, then all. */
static enum sm_screen_request next_kind(void *screen, int arg)
{
	struct opts *o = ((struct screen *)screen)->opts;
	bool all = !o->kernel && !o->user;

	(void)arg;
	o->user = o->kernel;
	o->kernel = all;
	return SM_SCREEN_REARRANGE;
}

static enum sm_screen_request toggle_threads(void *screen, int arg)
{
	struct screen *s = screen;

	(void)arg;
	s->opts->group = s->opts->group == GROUP_THREAD ? GROUP_PROCESS : GROUP_THREAD;
	return SM_SCREEN_REARRANGE;
}

/* Selects a form of the name or, if it is already selected, the default, comm. */
static enum sm_screen_request name_form(void *screen, int key)
{
	struct opts *o = ((struct screen *)screen)->opts;
	bool full = key == 'l' && !o->full_command,
	     short_name = key == 's' && !o->short_name;

	o->full_command = full;
	o->short_name = short_name;
	return SM_SCREEN_REARRANGE;
}

/* Switches between wakeups and timers. */
static enum sm_screen_request turn_page(void *screen, int arg)
{
	struct screen *s = screen;

	(void)arg;
	if (!s->have_wakeups)
		return sm_screen_say(&s->base,
			"cannot count wakeups; run with --wakeups for the reason");
	s->on_wakeups = !s->on_wakeups;
	s->base.table = &screen_page(s)->table;
	return SM_SCREEN_REDRAW;
}

static const struct sm_key keys[] = {
	{{'q', SM_KEY_F(10)}, "quit", "quit", 10, .act = sm_screen_quit},
	{{'w', SM_KEY_TAB}, "show wakeups, or timers", "wakeups", 25, .act = turn_page},
	{{'E', 'P'}, "sort by events", .act = sm_screen_sort_key, .value = 'E'},
	{{'W', 'I'}, "sort by expiries, idle ones", .act = sm_screen_sort_key},
	{{'N', 'M'}, "sort by PID, name", .act = sm_screen_sort_key},
	{{'K'}, "kernel threads, others, or all", "kernel", 45, .act = next_kind},
	{{'H'}, "show threads, or processes", "threads", 65, .act = toggle_threads},
	{{'t'}, "show or hide the tick", "tick", 90, FLIP(tick)},
	{{'C'}, "show events since the start", FLIP(cumulative)},
	{{'c', 'l', 's'}, "change the form of names", .act = name_form},
	{{'d'}, "strip directories from names", FLIP(strip_path)},
};

void keys_init(struct screen *s)
{
	struct sm_screen *b = &s->base;
	struct opts *o = s->opts;

	b->name = "eventstat";
	b->own = keys;
	b->nown = SM_ARRAY_SIZE(keys);
	b->table = &screen_page(s)->table;
	b->filter.glob = &o->name_glob;
	b->filter.text = &o->text;
	b->filter.uids = &o->uids;
	b->options = o;
	b->interval_ns = &o->app.interval_ns;
	b->interval_min_ns = SM_APP_SHORTEST_NS;
	b->group = &o->group;
	b->groups = GROUP_CGROUP + 1;
	b->sort = &o->sort;
	b->sort_keys = "EWI NM"; /* in the order of enum sort */
}
