// SPDX-License-Identifier: GPL-2.0-or-later
#include "keys.h"

/* --- options -------------------------------------------------------------- */

static enum sm_screen_request flip(bool *option)
{
	*option = !*option;
	return SM_SCREEN_REARRANGE;
}

/* Selects one of two options; the same key again clears it. */
static enum sm_screen_request only(bool *option, bool *other)
{
	*other = false;
	return flip(option);
}

static enum sm_screen_request next_group(struct screen *s)
{
	s->opts->group = (s->opts->group + 1) % (GROUP_CGROUP + 1);
	state_page(s)->table.list.top = 0;
	return SM_SCREEN_REARRANGE;
}

static enum sm_screen_request option_key(struct screen *s, int key)
{
	struct opts *o = s->opts;

	switch (key) {
	case 'k':
		return only(&o->kernel, &o->user);
	case 'u':
		return only(&o->user, &o->kernel);
	case 't':
		return flip(&o->tick);
	case 'c':
		return flip(&o->cumulative);
	case 'l':
		return only(&o->full_command, &o->short_name);
	case 's':
		return only(&o->short_name, &o->full_command);
	case 'd':
		return flip(&o->strip_path);
	case 'G':
		return next_group(s);
	default:
		return SM_SCREEN_NOTHING;
	}
}

/* --- sort order ----------------------------------------------------------- */

static enum sm_screen_request sort_by(struct screen *s, int sort)
{
	s->opts->sort = sort;
	state_page(s)->table.list.top = 0;
	return SM_SCREEN_REARRANGE;
}

static enum sm_screen_request sort_key(struct screen *s, int key)
{
	static const struct {
		int key, sort;
	} keys[] = {{'E', SORT_EVENTS}, {'W', SORT_WAKE}, {'I', SORT_IDLE},
		{'P', SORT_CPU}, {'N', SORT_PID}, {'M', SORT_NAME}};
	const int n = SORT_NAME + 1;

	for (size_t i = 0; i < SM_ARRAY_SIZE(keys); i++)
		if (keys[i].key == key)
			return sort_by(s, keys[i].sort);
	if (key == '<' || key == '>')
		return sort_by(s, (s->opts->sort + (key == '<' ? n - 1 : 1)) % n);
	return SM_SCREEN_NOTHING;
}

/* --- other keys ----------------------------------------------------------- */

static enum sm_screen_request toggle_details(struct screen *s)
{
	s->details = !s->details;
	sm_list_select_any(&state_page(s)->table.list);
	return SM_SCREEN_REDRAW;
}

/* Hides the details first, then clears the selection, then removes the filters. */
static enum sm_screen_request escape(struct screen *s)
{
	if (s->details)
		s->details = false;
	else if (state_page(s)->table.list.selected)
		sm_list_unselect(&state_page(s)->table.list);
	else if (sm_filter_clear(&s->base.filter))
		return SM_SCREEN_REARRANGE;
	return SM_SCREEN_REDRAW;
}

/* Switches between wakeups and timers. */
static enum sm_screen_request turn_page(struct screen *s)
{
	if (!s->have_wakeups)
		return sm_screen_say(&s->base,
			"cannot count wakeups; run with --wakeups for the reason");
	s->on_wakeups = !s->on_wakeups;
	return SM_SCREEN_REDRAW;
}

/* Like Enter, a second click on a row shows its details. */
static enum sm_screen_request click(struct screen *s)
{
	struct page *p = state_page(s);
	unsigned int col;
	int sort;

	switch (sm_tui_table_click(&p->table, &s->base.tui, &col)) {
	case SM_TUI_HIT_SELECTED:
		return toggle_details(s);
	case SM_TUI_HIT_HEAD:
		sort = page_sort(p, col);
		return sort < 0 ? SM_SCREEN_REDRAW : sort_by(s, sort);
	default:
		return SM_SCREEN_REDRAW;
	}
}

static enum sm_screen_request view_key(struct screen *s, int key)
{
	switch (key) {
	case 'w':
	case SM_KEY_TAB:
		return turn_page(s);
	case 'U':
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

/* Handles a key.  Options come first: k does not move the selection. */
static enum sm_screen_request take(void *ctx, int key)
{
	struct screen *s = ctx;
	enum sm_screen_request request = option_key(s, key);

	if (request == SM_SCREEN_NOTHING && sm_list_key(&state_page(s)->table.list, key))
		return SM_SCREEN_REDRAW;
	if (request == SM_SCREEN_NOTHING)
		request = sort_key(s, key);
	return request == SM_SCREEN_NOTHING ? view_key(s, key) : request;
}

/* --- help ----------------------------------------------------------------- */

void keys_line(struct screen *s, int row)
{
	static const struct sm_items_key keys[] = {{"q", "quit"}, {"h", "help"},
		{"w", "wakeups"}, {"<>", "sort"}, {"/", "name"}, {"k", "kernel"},
		{"u", "user"}, {"p", "pause"}, {"G", "group"}, {"Enter", "details"},
		{"t", "tick"}, {"+-", "interval"}};

	sm_screen_draw_last(&s->base, row, keys, SM_ARRAY_SIZE(keys));
}

void keys_init(struct screen *s)
{
	static const struct sm_items_key keys[] = {{"q F10", "quit"},
		{"w Tab", "show wakeups, or timers"},
		{"E W I", "sort by events, expiries, idle expiries"},
		{"P N M", "sort by CPU, PID, name"}, {"< > F6", "sort by another column"},
		{"k u", "only kernel threads, only others; again: all"},
		{"/ f F3 F4", "only names that match"},
		{"U", "only tasks of these users"}, {"t", "rows of the tick"},
		{"G", "group by process, comm, ..."}, {"c", "events since the start"},
		{"l s d", "other forms of the name"}, {"space", "take a sample now"},
		{"p z", "pause"}, {"+ = -", "longer, shorter interval"},
		{"Up", "select a row"}, {"Down j", "select a row"},
		{"PgUp PgDn", "a page"}, {"Home End", "first, last row"},
		{"click", "select a row, sort by a column"},
		{"Enter", "details of the row"}, {"Esc", "close, unselect, no filter"},
		{"^L", "redraw"}, {"h ? F1", "this help"}};

	s->base.filter.glob = &s->opts->name_glob;
	s->base.filter.text = &s->opts->text;
	s->base.filter.uids = &s->opts->uids;
	s->base.interval_ns = &s->opts->app.interval_ns;
	s->base.interval_min_ns = INTERVAL_MIN_NS;
	s->base.help_title = "eventstat: keys";
	s->base.help_keys = keys;
	s->base.nhelp_keys = SM_ARRAY_SIZE(keys);
	s->base.key = take;
	s->base.ctx = s;
}
