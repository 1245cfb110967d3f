// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "cli/err.h"
#include "tui/screen.h"

#define CTRL_L		  0x0c
#define CLOCK_WIDTH	  8
#define CLOCK_MIN_COLUMNS 30

enum sm_screen_request sm_screen_say(struct sm_screen *s, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(s->message, sizeof(s->message), fmt, ap);
	va_end(ap);
	return SM_SCREEN_REDRAW;
}

/* --- actions ------------------------------------------------------------------------ */

enum sm_screen_request sm_screen_quit(void *screen, int arg)
{
	(void)screen, (void)arg;
	return SM_SCREEN_QUIT;
}

static enum sm_screen_request any_key(void *screen, int action)
{
	struct sm_screen *s = screen;

	if (action == CTRL_L)
		sm_tui_resized(&s->tui);
	else
		s->help = 1;
	return SM_SCREEN_REDRAW;
}

static const struct sm_key any_screen[] = {
	{{CTRL_L}, "redraw", .act = any_key},
	{{'h', '?', SM_KEY_F(1)}, "this help", "help", 20, .act = any_key},
};

/* --- actions on samples in a table -------------------------------------------------- */

enum sm_screen_request sm_screen_flip(void *screen, int offset)
{
	struct sm_screen *s = screen;
	bool *option = (bool *)((char *)s->options + offset);

	*option = !*option;
	return SM_SCREEN_REARRANGE;
}

enum sm_screen_request sm_screen_sort(struct sm_screen *s, int sort)
{
	*s->sort = sort;
	s->table->list.top = 0;
	return SM_SCREEN_REARRANGE;
}

enum sm_screen_request sm_screen_sort_key(void *screen, int key)
{
	struct sm_screen *s = screen;

	return sm_screen_sort(s, (int)(strchr(s->sort_keys, key) - s->sort_keys));
}

static enum sm_screen_request step_sort(void *screen, int key)
{
	struct sm_screen *s = screen;
	int n = (int)strlen(s->sort_keys), sort = *s->sort;

	do
		sort = (sort + (key == '<' ? n - 1 : 1)) % n;
	while (s->sortable && !s->sortable(s, sort));
	return sm_screen_sort(s, sort);
}

static uint64_t next_interval(uint64_t now, uint64_t min, int by)
{
	static const uint64_t steps_ms[] = {
		100, 200, 500, 1000, 2000, 5000, 10000, 30000, 60000};
	const size_t n = SM_ARRAY_SIZE(steps_ms);

	for (size_t i = 0; i < n; i++) {
		uint64_t ns = steps_ms[by > 0 ? i : n - 1 - i] * SM_NSEC_PER_MSEC;

		if (ns >= min && (by > 0 ? ns > now : ns < now))
			return ns;
	}
	return now;
}

static enum sm_screen_request step_interval(void *screen, int key)
{
	struct sm_screen *s = screen;
	uint64_t now = *s->interval_ns;
	uint64_t next = next_interval(now, s->interval_min_ns, key == '-' ? -1 : 1);

	*s->interval_ns = next;
	(void)sm_screen_say(
		s, "one sample every %g s", (double)next / (double)SM_NSEC_PER_SEC);
	return next == now ? SM_SCREEN_REDRAW : SM_SCREEN_REARRANGE;
}

static enum sm_screen_request move(void *screen, int key)
{
	(void)sm_list_key(&((struct sm_screen *)screen)->table->list, key);
	return SM_SCREEN_REDRAW;
}

static enum sm_screen_request toggle_details(struct sm_screen *s)
{
	s->details = !s->details;
	sm_list_select_any(&s->table->list);
	return SM_SCREEN_REDRAW;
}

/* Like Enter, a second click on a row shows its details. */
static enum sm_screen_request click(struct sm_screen *s)
{
	int sort;

	switch (sm_tui_table_click(s->table, &s->tui, &sort)) {
	case SM_TUI_HIT_SELECTED:
		return toggle_details(s);
	case SM_TUI_HIT_HEAD:
		return sm_screen_sort(s, sort);
	default:
		return SM_SCREEN_REDRAW;
	}
}

/* Hides the details first, then clears the selection, then removes the filters. */
static enum sm_screen_request escape(struct sm_screen *s)
{
	if (s->details)
		s->details = false;
	else if (s->table->list.selected)
		sm_list_unselect(&s->table->list);
	else if (sm_filter_clear(&s->filter))
		return SM_SCREEN_REARRANGE;
	return SM_SCREEN_REDRAW;
}

static enum sm_screen_request next_group(struct sm_screen *s)
{
	*s->group = (*s->group + 1) % s->groups;
	s->table->list.top = 0;
	return SM_SCREEN_REARRANGE;
}

/* action: the first key of the entry. */
static enum sm_screen_request table_key(void *screen, int action)
{
	struct sm_screen *s = screen;

	switch (action) {
	case ' ':
		return SM_SCREEN_SAMPLE;
	case '/':
	case 'u':
		sm_filter_open(&s->filter, action == 'u');
		return SM_SCREEN_REDRAW;
	case 'p':
		s->paused = !s->paused;
		return SM_SCREEN_REDRAW;
	case 'G':
		return next_group(s);
	case SM_KEY_CLICK:
		return click(s);
	case SM_KEY_ENTER:
		return toggle_details(s);
	case SM_KEY_ESC:
		return escape(s);
	default:
		return sm_screen_say(s, "%s does not send signals; use kill(1)", s->name);
	}
}

/* The letters are htop's and top's where these have the function. */
static const struct sm_key table_screen[] = {
	{{'<', '>', SM_KEY_F(6)}, "sort by another column", "sort", 30, true,
		.act = step_sort},
	{{'/', 'f', SM_KEY_F(3), SM_KEY_F(4)}, "show only matching tasks", "name", 40,
		.act = table_key, .value = '/'},
	{{'u'}, "show only these users", "user", 50, .act = table_key},
	{{'G'}, "group by another key", "group", 70, .act = table_key},
	{{' '}, "take a sample now", .act = table_key},
	{{'p', 'z', 'Z'}, "pause or resume", "pause", 60, .act = table_key, .value = 'p'},
	{{'+', '-', '='}, "longer, shorter interval", "interval", 110, true,
		.act = step_interval},
	{{SM_KEY_UP, 'k'}, "select the previous row", .act = move},
	{{SM_KEY_DOWN, 'j'}, "select the next row", .act = move},
	{{SM_KEY_PGUP, SM_KEY_PGDN}, "move by a page", .act = move},
	{{SM_KEY_HOME, SM_KEY_END}, "select the first, last row", .act = move},
	{{SM_KEY_CLICK}, "select a row, sort by a column", .act = table_key},
	{{SM_KEY_WHEEL_UP, SM_KEY_WHEEL_DOWN}, .act = move},
	{{SM_KEY_ENTER}, "show or hide details", "details", 80, .act = table_key},
	{{SM_KEY_ESC}, "close, unselect, unfilter", .act = table_key},
	{{SM_KEY_F(9)}, .act = table_key},
};

/* --- open and close ----------------------------------------------------------------- */

int sm_screen_open(struct sm_screen *s, int color, const char **why)
{
	int err = sm_tui_open(&s->tui, color, why);

	if (err)
		return err;
	sm_keys_add(&s->keys, s->own, s->nown);
	if (s->table)
		sm_keys_add(&s->keys, table_screen, SM_ARRAY_SIZE(table_screen));
	sm_keys_add(&s->keys, any_screen, SM_ARRAY_SIZE(any_screen));
	return 0;
}

void sm_screen_close(struct sm_screen *s)
{
	sm_tui_close(&s->tui);
	sm_filter_fini(&s->filter);
}

int sm_screen_attach(struct sm_screen *s, struct sm_app *a, const char *why)
{
	if (s && sm_loop_add(&a->loop, s->tui.key_fd, POLLIN, NULL, NULL) >= 0)
		return 0;
	sm_err("--tui: %s", why);
	return SM_EXIT_RUNTIME;
}

/* --- keys --------------------------------------------------------------------------- */

/* Any key shows the next page, or closes the last one. */
static enum sm_screen_request help_key(struct sm_screen *s, int key)
{
	bool on = s->help_more && key != SM_KEY_ESC && key != 'q' && key != 'h';

	s->help = on ? s->help + 1 : 0;
	return SM_SCREEN_REDRAW;
}

static enum sm_screen_request prompt_key(struct sm_screen *s, int key)
{
	const struct sm_buf *why = &s->filter.why;
	int changed = sm_filter_key(&s->filter, key);

	if (changed < 0)
		(void)sm_screen_say(s, "%.*s", (int)why->len, why->p ? why->p : "");
	return changed > 0 ? SM_SCREEN_REARRANGE : SM_SCREEN_REDRAW;
}

static enum sm_screen_request act(struct sm_screen *s, int key)
{
	const struct sm_key *e = sm_keys_find(&s->keys, key, s->view);

	if (e)
		return e->act(s, e->value ? e->value : key);
	if (key >= SM_KEY_CLICK && key <= SM_KEY_WHEEL_DOWN)
		return SM_SCREEN_NOTHING;
	return sm_screen_say(s, "unknown key; press h for help");
}

static enum sm_screen_request take(struct sm_screen *s, int key)
{
	enum sm_screen_request request = SM_SCREEN_NOTHING;

	if (key == SM_KEY_GONE)
		return SM_SCREEN_QUIT;
	if (key == SM_KEY_OTHER)
		return SM_SCREEN_NOTHING;
	if (s->filter.prompt.title)
		return prompt_key(s, key);
	if (s->help)
		return help_key(s, key);
	s->message[0] = '\0';
	if (s->first)
		request = s->first(s, key);
	return request ? request : act(s, key);
}

enum sm_screen_request sm_screen_keys(struct sm_screen *s)
{
	enum sm_screen_request request = SM_SCREEN_NOTHING;
	int key;

	while (request != SM_SCREEN_QUIT && (key = sm_tui_key(&s->tui)) != SM_KEY_NONE) {
		enum sm_screen_request next = take(s, key);

		if (next > request)
			request = next;
	}
	return request;
}

void sm_screen_serve(struct sm_screen *s, struct sm_app *a, void (*rearrange)(void *ctx),
	uint64_t now_ns)
{
	uint64_t interval_ns = s ? *s->interval_ns : 0;
	enum sm_screen_request request = s ? sm_screen_keys(s) : SM_SCREEN_NOTHING;

	if (request == SM_SCREEN_QUIT)
		a->stop = true;
	else if (request == SM_SCREEN_REARRANGE)
		rearrange(a->ctx);
	else if (request == SM_SCREEN_REDRAW)
		sm_screen_draw(s);
	if (request == SM_SCREEN_SAMPLE) {
		s->asked = true;
		a->tool->sample(a->ctx, now_ns);
		s->asked = false;
	}
	if (request == SM_SCREEN_SAMPLE || (s && interval_ns != *s->interval_ns))
		sm_ticker_start(
			&a->ticker, now_ns, *s->interval_ns / (s->parts ? s->parts : 1));
}

bool sm_screen_is_live(const struct sm_screen *s)
{
	return !s->paused || s->asked;
}

/* --- drawing ------------------------------------------------------------------------ */

void sm_screen_draw(struct sm_screen *s)
{
	sm_tui_clear(&s->tui);
	if (s->help)
		s->help_more = sm_keys_help(&s->keys, &s->tui, s->name, s->help);
	else
		s->draw(s);
	sm_tui_show(&s->tui);
}

void sm_screen_resized(struct sm_screen *s)
{
	sm_tui_resized(&s->tui);
	sm_screen_draw(s);
}

/* Draws the last line: the prompt, the message, or the most important keys. */
static void draw_last(struct sm_screen *s, int row)
{
	if (s->filter.prompt.title)
		sm_prompt_draw(&s->filter.prompt, &s->tui, row);
	else if (s->message[0])
		(void)sm_tui_text(&s->tui, row, 0, s->tui.columns, SM_TUI_WARN,
			s->message, strlen(s->message));
	else
		sm_keys_line(&s->keys, &s->tui, row, s->view);
}

/* Draws the local time at the end of a line, if there is room.  Returns the number of
 * columns before it. */
static int draw_clock(struct sm_screen *s, int row, uint64_t wall_ns)
{
	time_t t = (time_t)(wall_ns / SM_NSEC_PER_SEC);
	struct tm tm;
	int at = s->tui.columns - CLOCK_WIDTH;

	if (s->tui.columns < CLOCK_MIN_COLUMNS || !localtime_r(&t, &tm))
		return s->tui.columns;
	(void)sm_tui_printf(&s->tui, row, at, SM_TUI_NORMAL, "%02d:%02d:%02d", tm.tm_hour,
		tm.tm_min, tm.tm_sec);
	return at - 1;
}

struct sm_items sm_screen_status(
	struct sm_screen *s, int row, uint64_t wall_ns, uint64_t partial_ns)
{
	struct sm_items l = sm_items_begin(&s->tui, row);

	if (wall_ns)
		l.limit = draw_clock(s, row, wall_ns);
	if (s->paused)
		sm_items_add(&l, SM_TUI_WARN, "PAUSED");
	if (partial_ns)
		sm_items_add(&l, SM_TUI_ACCENT, "partial %.2f s",
			(double)partial_ns / (double)SM_NSEC_PER_SEC);
	return l;
}

void sm_screen_interval(const struct sm_screen *s, struct sm_items *l)
{
	sm_items_add(l, SM_TUI_DIM, "every %g s",
		(double)*s->interval_ns / (double)SM_NSEC_PER_SEC);
}

/* --- drawing of samples in a table -------------------------------------------------- */

static void keep_name(struct sm_tui_table *w)
{
	if (!w->list.present)
		return;
	sm_buf_reset(&w->selected_name);
	w->name(w->ctx, w->list.at, &w->selected_name);
}

/* Draws the total and the selected row or, on a single line, only one of them. */
static void draw_histories(struct sm_screen *s, int row, int lines, struct sm_str name,
	const char *unit, double scale)
{
	const struct sm_tui_table *w = s->table;
	const struct sm_str selected = {w->selected_name.p, w->selected_name.len};

	if (lines > 1 || (lines == 1 && !w->list.selected))
		sm_history_line(&w->values, &s->tui, row++, 0, scale, name, unit);
	if (lines && w->list.selected)
		sm_history_line(&w->values, &s->tui, row, w->list.selected, scale,
			selected, unit);
}

static void draw_details(struct sm_screen *s, int row, int lines)
{
	const struct sm_list *l = &s->table->list;

	if (lines && l->present)
		s->draw_details(s, l->at, row, lines);
	else if (lines)
		(void)sm_tui_printf(&s->tui, row, 0, SM_TUI_DIM, "%s",
			l->selected ? s->absent : "nothing is selected");
}

void sm_screen_draw_samples(
	struct sm_screen *s, int top, struct sm_str name, const char *unit, double scale)
{
	int rows = s->tui.rows, bottom = rows, history, details;

	keep_name(s->table);
	if (rows >= 4)
		draw_last(s, --bottom);
	history = rows >= 24 && s->table->list.selected ? 2 : rows >= 8 ? 1 : 0;
	bottom -= history;
	draw_histories(s, bottom, history, name, unit, scale);
	details = !s->details ? 0 : rows >= 16 ? 4 : rows >= 8 ? 2 : 0;
	bottom -= details;
	draw_details(s, bottom, details);
	s->table->order = *s->sort;
	sm_tui_table_draw(s->table, &s->tui, top, bottom - top);
}
