// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>

#include "keys.h"
#include "tui/items.h"

#define CTRL_L 0x0c

/* --- options -------------------------------------------------------------------- */

static enum screen_request sort_by(struct screen *s, int sort)
{
	s->opts->sort = sort;
	s->table.list.top = 0;
	return SCREEN_REARRANGE;
}

/* Sorts by the waiting time, which costs time to read; again: no longer reads it. */
static enum screen_request sort_by_wait(struct screen *s)
{
	struct opts *o = s->opts;

	o->wait = !o->wait || o->sort != SORT_WAIT;
	if (o->wait)
		snprintf(s->message, sizeof(s->message),
			"sorted by the time waiting for a CPU; W: off");
	return sort_by(s, o->wait ? SORT_WAIT : SORT_CPU);
}

static enum screen_request step_sort(struct screen *s, int by)
{
	const int n = SORT_NAME + 1;
	int sort = s->opts->sort;

	do
		sort = (sort + by + n) % n;
	while (sort == SORT_WAIT && !s->opts->wait);
	return sort_by(s, sort);
}

static enum screen_request step_interval(struct screen *s, int by)
{
	static const uint64_t steps_ms[] = {
		100, 200, 500, 1000, 2000, 5000, 10000, 30000, 60000};
	const size_t n = SM_ARRAY_SIZE(steps_ms);
	uint64_t now = s->opts->app.interval_ns, best = now;
	uint64_t min = INTERVAL_MIN_NS * (s->opts->subsamples ? s->opts->subsamples : 1);

	for (size_t i = 0; i < n; i++) {
		uint64_t ns = steps_ms[by > 0 ? i : n - 1 - i] * SM_NSEC_PER_MSEC;

		if (ns >= min && (by > 0 ? ns > now : ns < now)) {
			best = ns;
			break;
		}
	}
	s->opts->app.interval_ns = best;
	snprintf(s->message, sizeof(s->message), "a sample every %g s",
		(double)best / (double)SM_NSEC_PER_SEC);
	return best == now ? SCREEN_REDRAW : SCREEN_REARRANGE;
}

/* One of three forms of the name; the same key again restores the default. */
static enum screen_request name_form(struct screen *s, bool *form)
{
	bool on = !*form;

	s->opts->comm = false;
	s->opts->full_command = false;
	s->opts->short_name = false;
	*form = on;
	return SCREEN_REARRANGE;
}

static enum screen_request flip(bool *option)
{
	*option = !*option;
	return SCREEN_REARRANGE;
}

static enum screen_request next_group(struct screen *s)
{
	s->opts->group = (s->opts->group + 1) % (GROUP_PARENT + 1);
	s->table.list.top = 0;
	return SCREEN_REARRANGE;
}

static enum screen_request option_key(struct screen *s, int key)
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
	case '+':
		return step_interval(s, 1);
	case '-':
		return step_interval(s, -1);
	default:
		return SCREEN_NOTHING;
	}
}

static enum screen_request sort_key(struct screen *s, int key)
{
	static const struct {
		int key, sort;
	} keys[] = {{'P', SORT_CPU}, {'T', SORT_TIME}, {'N', SORT_PID}, {'U', SORT_USR},
		{'S', SORT_SYS}, {'M', SORT_NAME}};

	for (size_t i = 0; i < SM_ARRAY_SIZE(keys); i++)
		if (keys[i].key == key)
			return sort_by(s, keys[i].sort);
	return key == 'W' ? sort_by_wait(s) : SCREEN_NOTHING;
}

/* --- the rest --------------------------------------------------------------------- */

static enum screen_request toggle_details(struct screen *s)
{
	s->details = !s->details;
	sm_list_select_any(&s->table.list);
	return SCREEN_REDRAW;
}

/* Closes the details first, then removes the selection, then the filters. */
static enum screen_request escape(struct screen *s)
{
	if (s->details)
		s->details = false;
	else if (s->table.list.selected)
		sm_list_unselect(&s->table.list);
	else if (filter_clear(&s->filter))
		return SCREEN_REARRANGE;
	return SCREEN_REDRAW;
}

static enum screen_request view_key(struct screen *s, int key)
{
	switch (key) {
	case 'p':
		s->paused = !s->paused;
		return SCREEN_REDRAW;
	case '1':
		s->no_bars = !s->no_bars;
		return SCREEN_REDRAW;
	case 'u':
		filter_open_users(&s->filter);
		return SCREEN_REDRAW;
	case '/':
		filter_open_name(&s->filter);
		return SCREEN_REDRAW;
	case 'h':
		s->help = 1;
		return SCREEN_REDRAW;
	case SM_KEY_ENTER:
		return toggle_details(s);
	case SM_KEY_ESC:
		return escape(s);
	case CTRL_L:
		sm_tui_resized(&s->tui);
		return SCREEN_REDRAW;
	default:
		return SCREEN_NOTHING;
	}
}

/* Further keys for the same, some of them those of other tools. */
static int main_key(int key)
{
	static const struct {
		int key, same;
	} keys[] = {{'z', 'p'}, {'f', '/'}, {'=', '+'}, {'?', 'h'}, {SM_KEY_F1, 'h'},
		{SM_KEY_F1 + 2, '/'}, {SM_KEY_F1 + 3, '/'}, {SM_KEY_F1 + 5, '>'},
		{SM_KEY_F1 + 9, 'q'}};

	for (size_t i = 0; i < SM_ARRAY_SIZE(keys); i++)
		if (keys[i].key == key)
			return keys[i].same;
	return key;
}

/* Users of other tools expect something of these keys.  k moves the selection, too. */
static enum screen_request answer(struct screen *s, int key)
{
	const char *text = "no such key; h shows them";

	if (key == SM_KEY_NONE || key == SM_KEY_RESIZE)
		return SCREEN_NOTHING;
	if (key == 'k' || key == SM_KEY_F1 + 8)
		text = "cpustat sends no signals (k and j select): use kill(1)";
	else if (key == 't' || key == SM_KEY_F1 + 4)
		text = "there is no tree; G adds up by comm, user, cgroup or parent";
	snprintf(s->message, sizeof(s->message), "%s", text);
	return SCREEN_REDRAW;
}

static enum screen_request plain_key(struct screen *s, int key)
{
	enum screen_request request;

	if (key == 'q')
		return SCREEN_QUIT;
	if (key == ' ')
		return SCREEN_SAMPLE;
	if (sm_list_key(&s->table.list, key))
		return key == 'k' ? answer(s, key) : SCREEN_REDRAW;
	request = view_key(s, key);
	if (request == SCREEN_NOTHING)
		request = sort_key(s, key);
	if (request == SCREEN_NOTHING)
		request = option_key(s, key);
	return request == SCREEN_NOTHING ? answer(s, key) : request;
}

/* Any key shows the next page, or closes the last one. */
static enum screen_request help_key(struct screen *s, int key)
{
	bool on = s->help_more && key != SM_KEY_ESC && key != 'q' && key != 'h';

	s->help = on ? s->help + 1 : 0;
	return SCREEN_REDRAW;
}

static enum screen_request prompt_key(struct screen *s, int key)
{
	const struct sm_buf *why = &s->filter.text;
	int changed = filter_key(&s->filter, key);

	if (changed < 0)
		snprintf(s->message, sizeof(s->message), "%.*s", (int)why->len,
			why->p ? why->p : "");
	return changed > 0 ? SCREEN_REARRANGE : SCREEN_REDRAW;
}

enum screen_request keys_take(struct screen *s, int key)
{
	if (key == SM_KEY_GONE)
		return SCREEN_QUIT;
	if (s->filter.prompt.title)
		return prompt_key(s, key);
	if (s->help)
		return help_key(s, key);
	s->message[0] = '\0';
	return plain_key(s, main_key(key));
}

/* --- help -------------------------------------------------------------------------- */

void keys_line(struct screen *s, int row)
{
	static const struct sm_items_key keys[] = {{"q", "quit"}, {"h", "help"},
		{"<>", "sort"}, {"/", "name"}, {"u", "user"}, {"p", "pause"},
		{"H", "threads"}, {"G", "group"}, {"Enter", "details"}, {"1", "CPUs"},
		{"+-", "interval"}};

	sm_items_keys(&s->tui, row, keys, SM_ARRAY_SIZE(keys));
}

void keys_help(struct screen *s)
{
	static const struct sm_items_key keys[] = {{"q F10", "quit"},
		{"P T N M", "sort by CPU, time, PID, name"},
		{"U S", "sort by user, system time"},
		{"W", "sort by waiting time; again: off"},
		{"< > F6", "sort by another column"},
		{"/ f F3 F4", "only names that match"},
		{"u", "only tasks of these users"}, {"H", "threads"},
		{"G", "group by comm, user, ..."}, {"a", "percent of all CPUs"},
		{"c l s d", "other forms of the name"}, {"1", "bars of the CPUs"},
		{"space", "take a sample now"}, {"p z", "pause"},
		{"+ = -", "longer, shorter interval"}, {"Up k", "select a task"},
		{"Down j", "select a task"}, {"PgUp PgDn", "a page"},
		{"Home End", "first, last task"}, {"Enter", "details of the task"},
		{"Esc", "close, unselect, no filter"}, {"^L", "redraw"},
		{"h ? F1", "this help"}};

	s->help_more = sm_items_help(
		&s->tui, "cpustat: keys", keys, SM_ARRAY_SIZE(keys), s->help);
}
