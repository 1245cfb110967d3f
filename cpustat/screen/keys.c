// SPDX-License-Identifier: GPL-2.0-or-later
#include <stddef.h>

#include "screen.h"

#define FLIP(member) .act = sm_screen_flip, .value = (int)offsetof(struct opts, member)

/* Sorts by the waiting time, which is expensive to read; pressed again, stops reading
 * it. */
static enum sm_screen_request sort_by_wait(void *screen, int arg)
{
	struct screen *s = screen;
	struct opts *o = s->opts;

	(void)arg;
	o->wait = !o->wait || o->sort != SORT_WAIT;
	if (o->wait)
		(void)sm_screen_say(&s->base, "sorted by the time spent waiting for a "
					      "CPU; press W to turn off");
	return sm_screen_sort(&s->base, o->wait ? SORT_WAIT : SORT_CPU);
}

/* Selects one of three forms of the name or, if it is already selected, the default. */
static enum sm_screen_request name_form(void *screen, int key)
{
	struct opts *o = ((struct screen *)screen)->opts;
	bool *form = key == 'c'	  ? &o->comm
		     : key == 'l' ? &o->full_command
				  : &o->short_name;
	bool on = !*form;

	o->comm = o->full_command = o->short_name = false;
	*form = on;
	return SM_SCREEN_REARRANGE;
}

static enum sm_screen_request toggle_bars(void *screen, int arg)
{
	struct screen *s = screen;

	(void)arg;
	s->no_bars = !s->no_bars;
	return SM_SCREEN_REDRAW;
}

/* Answers keys of other tools. */
static enum sm_screen_request no_tree(void *screen, int arg)
{
	struct screen *s = screen;

	(void)arg;
	return sm_screen_say(&s->base, "cpustat shows no tree; press G to group by "
				       "comm, user, cgroup or parent");
}

static const struct sm_key keys[] = {
	{{'q', SM_KEY_F(10)}, "quit", "quit", 10, .act = sm_screen_quit},
	{{'P', 'T', 'N', 'M'}, "sort by CPU, time, PID, name", .act = sm_screen_sort_key},
	{{'U', 'S'}, "sort by user, system time", .act = sm_screen_sort_key},
	{{'W'}, "sort by waiting time, or stop", .act = sort_by_wait},
	{{'H'}, "show threads", "threads", 65, FLIP(threads)},
	{{'a'}, "show percent of all CPUs", FLIP(all_cpus)},
	{{'c', 'l', 's'}, "change the form of names", .act = name_form},
	{{'d'}, "strip directories from names", FLIP(strip_path)},
	{{'1'}, "show or hide CPU bars", "CPUs", 90, .act = toggle_bars},
	{{'t', SM_KEY_F(5)}, .act = no_tree},
};

static bool sortable(const void *screen, int sort)
{
	return sort != SORT_WAIT || ((const struct screen *)screen)->opts->wait;
}

void keys_init(struct screen *s)
{
	struct sm_screen *b = &s->base;
	struct opts *o = s->opts;

	b->name = "cpustat";
	b->own = keys;
	b->nown = SM_ARRAY_SIZE(keys);
	b->table = &s->table;
	b->filter.glob = &o->name_glob;
	b->filter.text = &o->text;
	b->filter.uids = &o->uids;
	b->options = o;
	b->interval_ns = &o->app.interval_ns;
	b->parts = o->subsamples ? (unsigned int)o->subsamples : 1;
	b->interval_min_ns = INTERVAL_MIN_NS * b->parts;
	b->group = &o->group;
	b->groups = GROUP_PARENT + 1;
	b->sort = &o->sort;
	b->sort_keys = "PUSWTNM"; /* in the order of enum sort */
	b->sortable = sortable;
}
