// SPDX-License-Identifier: GPL-2.0-or-later
#include "keys.h"
#include "table.h"
#include "tui/items.h"

/* --- options ---------------------------------------------------------------------- */

static enum sm_screen_request sort_by(struct screen *s, int sort)
{
	s->opts->sort = sort;
	s->table.list.top = 0;
	return SM_SCREEN_REARRANGE;
}

/* Sorts by the waiting time, which is expensive to read; pressed again, stops reading
 * it. */
static enum sm_screen_request sort_by_wait(struct screen *s)
{
	struct opts *o = s->opts;

	o->wait = !o->wait || o->sort != SORT_WAIT;
	if (o->wait)
		(void)sm_screen_say(&s->base, "sorted by the time spent waiting for a "
					      "CPU; press W to turn off");
	return sort_by(s, o->wait ? SORT_WAIT : SORT_CPU);
}

static enum sm_screen_request step_sort(struct screen *s, int by)
{
	const int n = SORT_NAME + 1;
	int sort = s->opts->sort;

	do
		sort = (sort + by + n) % n;
	while (sort == SORT_WAIT && !s->opts->wait);
	return sort_by(s, sort);
}

/* Selects one of three forms of the name or, if it is already selected, the default. */
static enum sm_screen_request name_form(struct screen *s, bool *form)
{
	bool on = !*form;

	s->opts->comm = false;
	s->opts->full_command = false;
	s->opts->short_name = false;
	*form = on;
	return SM_SCREEN_REARRANGE;
}

static enum sm_screen_request flip(bool *option)
{
	*option = !*option;
	return SM_SCREEN_REARRANGE;
}

static enum sm_screen_request next_group(struct screen *s)
{
	s->opts->group = (s->opts->group + 1) % (GROUP_PARENT + 1);
	s->table.list.top = 0;
	return SM_SCREEN_REARRANGE;
}

static enum sm_screen_request option_key(struct screen *s, int key)
{
	struct opts *o = s->opts;

	switch (key) {
	case 'H':
		return flip(&o->threads);
	case 'G':
		return next_group(s);
	case 'a':
		return flip(&o->all_cpus);
	case 'c':
		return name_form(s, &o->comm);
	case 'l':
		return name_form(s, &o->full_command);
	case 's':
		return name_form(s, &o->short_name);
	case 'd':
		return flip(&o->strip_path);
	case '<':
	case '>':
		return step_sort(s, key == '<' ? -1 : 1);
	default:
		return SM_SCREEN_NOTHING;
	}
}

static enum sm_screen_request sort_key(struct screen *s, int key)
{
	static const struct {
		int key, sort;
	} keys[] = {{'P', SORT_CPU}, {'T', SORT_TIME}, {'N', SORT_PID}, {'U', SORT_USR},
		{'S', SORT_SYS}, {'M', SORT_NAME}};

	for (size_t i = 0; i < SM_ARRAY_SIZE(keys); i++)
		if (keys[i].key == key)
			return sort_by(s, keys[i].sort);
	return key == 'W' ? sort_by_wait(s) : SM_SCREEN_NOTHING;
}

/* --- other keys ------------------------------------------------------------------- */

static enum sm_screen_request toggle_details(struct screen *s)
{
	s->details = !s->details;
	sm_list_select_any(&s->table.list);
	return SM_SCREEN_REDRAW;
}

/* Closes the details first, then removes the selection, then the filters. */
static enum sm_screen_request escape(struct screen *s)
{
	if (s->details)
		s->details = false;
	else if (s->table.list.selected)
		sm_list_unselect(&s->table.list);
	else if (sm_filter_clear(&s->base.filter))
		return SM_SCREEN_REARRANGE;
	return SM_SCREEN_REDRAW;
}

/* Like Enter, a second click on a row shows its details. */
static enum sm_screen_request click(struct screen *s)
{
	unsigned int col;
	int sort;

	switch (sm_tui_table_click(&s->table, &s->base.tui, &col)) {
	case SM_TUI_HIT_SELECTED:
		return toggle_details(s);
	case SM_TUI_HIT_HEAD:
		sort = table_sort(col);
		return sort < 0 ? SM_SCREEN_REDRAW : sort_by(s, sort);
	default:
		return SM_SCREEN_REDRAW;
	}
}

static enum sm_screen_request view_key(struct screen *s, int key)
{
	switch (key) {
	case '1':
		s->no_bars = !s->no_bars;
		return SM_SCREEN_REDRAW;
	case 'u':
		sm_filter_open_users(&s->base.filter);
		return SM_SCREEN_REDRAW;
	case SM_KEY_CLICK:
		return click(s);
	case SM_KEY_ENTER:
		return toggle_details(s);
	case SM_KEY_ESC:
		return escape(s);
	default:
		return SM_SCREEN_NOTHING;
	}
}

/* Answers keys that have a function in other tools. k also moves the selection. */
static enum sm_screen_request answer(struct screen *s, int key)
{
	if (key == 'k' || key == SM_KEY_F1 + 8)
		return sm_screen_say(&s->base,
			"cpustat does not send signals (k and j select); use kill(1)");
	if (key == 't' || key == SM_KEY_F1 + 4)
		return sm_screen_say(&s->base, "cpustat shows no tree; press G to group "
					       "by comm, user, cgroup or parent");
	return SM_SCREEN_NOTHING;
}

static enum sm_screen_request take(void *ctx, int key)
{
	struct screen *s = ctx;
	enum sm_screen_request request;

	if (sm_list_key(&s->table.list, key))
		return key == 'k' ? answer(s, key) : SM_SCREEN_REDRAW;
	request = view_key(s, key);
	if (request == SM_SCREEN_NOTHING)
		request = sort_key(s, key);
	if (request == SM_SCREEN_NOTHING)
		request = option_key(s, key);
	return request == SM_SCREEN_NOTHING ? answer(s, key) : request;
}

/* --- help ------------------------------------------------------------------------- */

void keys_line(struct screen *s, int row)
{
	static const struct sm_items_key keys[] = {{"q", "quit"}, {"h", "help"},
		{"<>", "sort"}, {"/", "name"}, {"u", "user"}, {"p", "pause"},
		{"H", "threads"}, {"G", "group"}, {"Enter", "details"}, {"1", "CPUs"},
		{"+-", "interval"}};

	sm_screen_draw_last(&s->base, row, keys, SM_ARRAY_SIZE(keys));
}

void keys_init(struct screen *s)
{
	static const struct sm_items_key keys[] = {{"q F10", "quit"},
		{"P T N M", "sort by CPU, time, PID, name"},
		{"U S", "sort by user, system time"},
		{"W", "sort by waiting time, or stop"},
		{"< > F6", "sort by another column"},
		{"/ f F3 F4", "show only matching tasks"}, {"u", "show only these users"},
		{"H", "show threads"}, {"G", "group by comm, user, ..."},
		{"a", "show percent of all CPUs"},
		{"c l s d", "change the form of names"}, {"1", "show or hide CPU bars"},
		{"space", "take a sample now"}, {"p z", "pause or resume"},
		{"+ = -", "longer, shorter interval"}, {"Up k", "select a task"},
		{"Down j", "select a task"}, {"PgUp PgDn", "move by a page"},
		{"Home End", "select first, last task"},
		{"click", "select a task, sort by a column"},
		{"Enter", "show or hide details"}, {"Esc", "close, unselect, unfilter"},
		{"^L", "redraw"}, {"h ? F1", "this help"}};

	s->base.filter.glob = &s->opts->name_glob;
	s->base.filter.text = &s->opts->text;
	s->base.filter.uids = &s->opts->uids;
	s->base.interval_ns = &s->opts->app.interval_ns;
	s->base.interval_min_ns =
		INTERVAL_MIN_NS * (s->opts->subsamples ? s->opts->subsamples : 1);
	s->base.help_title = "cpustat: keys";
	s->base.help_keys = keys;
	s->base.nhelp_keys = SM_ARRAY_SIZE(keys);
	s->base.key = take;
	s->base.ctx = s;
}
