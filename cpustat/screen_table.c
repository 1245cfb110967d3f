// SPDX-License-Identifier: GPL-2.0-or-later
/* The table, the selected task's history and details, the help. */
#include <stdio.h>
#include <string.h>

#include "num.h"
#include "screen_priv.h"
#include "text.h"

#define NAME_MIN      8
#define SPARK_COLUMN  20
#define HISTORY_RIGHT 12 /* " max 1234.5%" */

/* --- columns
 * ------------------------------------------------------------------------------- */

enum column {
	COL_CPU,
	COL_USR,
	COL_SYS,
	COL_WAIT,
	COL_PID,
	COL_USER,
	COL_STATE,
	COL_ON,
	COL_TIME,
	COL_SPARK,
	COL_NAME,
	NCOLUMNS
};

/* Screens from so many columns show it; widths hold every digit of any value. */
static const struct {
	const char *head;
	int width, from, sort; /* sort: enum cs_sort, -1: none */
	bool left;
} columns[NCOLUMNS] = {
	[COL_CPU] = {"%CPU", 7, 0, CS_SORT_CPU, false},
	[COL_USR] = {"%USR", 7, 60, CS_SORT_USR, false},
	[COL_SYS] = {"%SYS", 7, 60, CS_SORT_SYS, false},
	[COL_WAIT] = {"%WAIT", 7, 54, CS_SORT_WAIT, false},
	[COL_PID] = {"PID", 7, 0, CS_SORT_PID, false},
	[COL_USER] = {"USER", 9, 86, -1, true},
	[COL_STATE] = {"S", 1, 48, -1, false},
	[COL_ON] = {"CPU", 4, 78, -1, false},
	[COL_TIME] = {"Time", 8, 68, CS_SORT_TIME, false},
	[COL_SPARK] = {"History", SPARK_COLUMN, 120, -1, true},
	[COL_NAME] = {"Task", NAME_MIN, 0, CS_SORT_NAME, true},
};

static bool shown(const struct screen *s, enum column c)
{
	return s->tui.columns >= columns[c].from && (c != COL_WAIT || s->opts->wait);
}

static const char *heading(const struct screen *s, enum column c)
{
	if (c != COL_PID)
		return columns[c].head;
	return s->opts->group ? "Tasks" : s->opts->threads ? "TID" : "PID";
}

/* Seven columns with as many decimals as there is room for, never fewer digits. */
static void format_pct(double v, char *out, size_t cap)
{
	int decimals = v < 9999.995 ? 2 : v < 99999.95 ? 1 : 0;

	snprintf(out, cap, "%.*f", decimals, v);
}

static uint64_t column_ns(const struct cs_row *r, enum column c)
{
	switch (c) {
	case COL_CPU:
		return r->used_ns;
	case COL_USR:
		return r->usr_ns;
	case COL_SYS:
		return r->sys_ns;
	default:
		return r->wait_ns;
	}
}

static void format_time(struct screen *s, const struct cs_row *r, char *out, size_t cap)
{
	sm_buf_reset(&s->scratch);
	sm_num_print_duration(&s->scratch, r->total_ns);
	if (r->total_ns)
		snprintf(out, cap, "%.*s", (int)s->scratch.len, s->scratch.p);
}

/* Ours: numbers and letters. */
static void format(
	struct screen *s, const struct cs_row *r, enum column c, char *out, size_t cap)
{
	out[0] = '\0';
	switch (c) {
	case COL_WAIT:
		if (!(r->flags & CS_HAS_WAIT))
			return;
		/* fallthrough */
	case COL_CPU:
	case COL_USR:
	case COL_SYS:
		format_pct(screen_pct(s, r, column_ns(r, c)), out, cap);
		return;
	case COL_PID:
		if (r->kind == CS_GROUP)
			snprintf(out, cap, "%u", r->members);
		else if (r->pid)
			snprintf(out, cap, "%d", r->pid);
		return;
	case COL_STATE:
		if (r->state)
			snprintf(out, cap, "%c", r->state);
		return;
	case COL_ON:
		if (r->cpu >= 0)
			snprintf(out, cap, "%d", r->cpu);
		return;
	case COL_TIME:
		format_time(s, r, out, cap);
		return;
	default:
		return;
	}
}

static void draw_spark(struct screen *s, const struct screen_row *row, int line, int at)
{
	double v[SCREEN_HISTORY];
	size_t n = history_get(&s->history, row->id, v);

	sm_tui_spark(&s->tui, line, at, SPARK_COLUMN, v, n, 100, SM_TUI_ACCENT);
}

/* The selected row is one colour all over. */
static enum sm_tui_style cell_style(
	const struct screen_row *row, enum column c, bool selected)
{
	if (selected)
		return SM_TUI_SELECTED;
	if (c == COL_CPU)
		return sm_tui_load_style(cs_pct(&row->r, row->r.used_ns));
	if (c == COL_NAME && row->r.kind != CS_PROCESS && row->r.kind != CS_THREAD &&
		row->r.kind != CS_GROUP)
		return SM_TUI_DIM;
	return SM_TUI_NORMAL;
}

/* Without what a view says of exited children. */
static size_t own_length(const char *name, size_t n)
{
	static const char said[] = " (exited children)";
	const size_t said_n = sizeof(said) - 1;

	if (n >= said_n && memcmp(name + n - said_n, said, said_n) == 0)
		return n - said_n;
	return n;
}

/* A long name does not push out what the row is about. */
static void draw_name(struct screen *s, const struct screen_row *row, int line, int at,
	enum sm_tui_style style)
{
	static const char mark[] = " (exited)";
	const int mark_n = sizeof(mark) - 1;
	const char *name = screen_bytes(s, row->name);
	int room = s->tui.columns - at;

	if (row->r.kind == CS_EXITED && room > 2 * mark_n &&
		sm_text_width(name, row->name.n) > (size_t)room) {
		at += sm_tui_text(&s->tui, line, at, room - mark_n, style, name,
			own_length(name, row->name.n));
		(void)sm_tui_put(&s->tui, line, at, mark_n, style, mark, (size_t)mark_n);
		return;
	}
	(void)sm_tui_text(&s->tui, line, at, room, style, name, row->name.n);
}

static void draw_user(struct screen *s, const struct screen_row *row, int line, int at,
	enum sm_tui_style style)
{
	const char *name;

	if (!(row->r.flags & CS_HAS_UID))
		return;
	name = sm_user_name(s->users, row->r.uid);
	(void)sm_tui_text(
		&s->tui, line, at, columns[COL_USER].width, style, name, strlen(name));
}

static void draw_cell(struct screen *s, const struct screen_row *row, enum column c,
	int line, int at, bool selected)
{
	enum sm_tui_style style = cell_style(row, c, selected);
	char text[40];
	int n;

	if (c == COL_NAME) {
		draw_name(s, row, line, at, style);
	} else if (c == COL_USER) {
		draw_user(s, row, line, at, style);
	} else if (c == COL_SPARK) {
		draw_spark(s, row, line, at);
	} else {
		format(s, &row->r, c, text, sizeof(text));
		n = (int)strlen(text);
		(void)sm_tui_put(&s->tui, line, at + columns[c].width - n, n, style, text,
			(size_t)n);
	}
}

static void draw_row(struct screen *s, const struct screen_row *row, int line)
{
	bool selected = row->id == s->selected;
	int at = 0;

	if (selected)
		sm_tui_fill(&s->tui, line, 0, s->tui.columns, SM_TUI_SELECTED);
	for (enum column c = 0; c < NCOLUMNS; c++) {
		if (!shown(s, c))
			continue;
		draw_cell(s, row, c, line, at, selected);
		at += columns[c].width + 1;
	}
}

/* --- the table
 * ----------------------------------------------------------------------------- */

static void draw_range(struct screen *s, int line, int lines)
{
	char text[64];
	int n;

	if (s->n <= (size_t)lines && s->matched <= s->n)
		return;
	n = snprintf(text, sizeof(text), " %zu-%zu/%zu", s->top + 1,
		s->top + (size_t)lines < s->n ? s->top + (size_t)lines : s->n,
		s->matched);
	(void)sm_tui_put(
		&s->tui, line, s->tui.columns - n, n, SM_TUI_HEAD, text, (size_t)n);
}

static void draw_heading(struct screen *s, int line)
{
	int at = 0;

	sm_tui_fill(&s->tui, line, 0, s->tui.columns, SM_TUI_HEAD);
	for (enum column c = 0; c < NCOLUMNS; c++) {
		const char *head = heading(s, c);
		int n = (int)strlen(head);
		bool sorted = columns[c].sort == s->opts->sort;

		if (!shown(s, c))
			continue;
		(void)sm_tui_put(&s->tui, line,
			columns[c].left ? at : at + columns[c].width - n, n,
			sorted ? SM_TUI_SELECTED : SM_TUI_HEAD, head, (size_t)n);
		at += columns[c].width + 1;
	}
}

/* The selected row stays in sight when the order changes, or it is moved. */
static void scroll(struct screen *s, size_t lines)
{
	size_t at;

	if (screen_find_selected(s, &at)) {
		s->selected_at = at;
		if (at < s->top)
			s->top = at;
		else if (at >= s->top + lines)
			s->top = at - lines + 1;
	}
	if (s->n <= lines)
		s->top = 0;
	else if (s->top > s->n - lines)
		s->top = s->n - lines;
}

static void draw_none(struct screen *s, int line)
{
	const char *text = s->samples ? "no task used the CPU" : "the first sample comes";

	if (s->opts->name_glob || s->opts->uids.n)
		text = "no task that passes the filter used the CPU";
	(void)sm_tui_text(
		&s->tui, line, 0, s->tui.columns, SM_TUI_DIM, text, strlen(text));
}

void screen_table(struct screen *s, int row, int lines)
{
	if (lines > 1) {
		draw_heading(s, row);
		row++;
		lines--;
	}
	if (lines < 1)
		return;
	s->page = lines;
	scroll(s, (size_t)lines);
	if (!s->n)
		draw_none(s, row);
	for (int i = 0; i < lines && s->top + (size_t)i < s->n; i++)
		draw_row(s, &s->rows[s->top + (size_t)i], row + i);
	if (row > 0)
		draw_range(s, row - 1, lines);
}

/* --- history
 * --------------------------------------------------------------------------------- */

/* The machine's history is percent of all CPUs already. */
static void scale_history(const struct screen *s, uint64_t id, double *v, size_t n)
{
	double cpus = s->sample.capacity_cpus;

	for (size_t i = 0; id && s->opts->all_cpus && cpus > 0 && i < n; i++)
		v[i] /= cpus;
}

static double largest(const double *v, size_t n)
{
	double max = 0;

	for (size_t i = 0; i < n; i++)
		if (v[i] > max)
			max = v[i];
	return max;
}

static void draw_history(
	struct screen *s, int row, uint64_t id, const char *name, size_t name_n)
{
	double v[SCREEN_HISTORY], max;
	size_t n = history_get(&s->history, id, v);
	int width = s->tui.columns / 3 < 24 ? s->tui.columns / 3 : 24;
	int room = s->tui.columns - width - 1 - HISTORY_RIGHT;

	(void)sm_tui_text(&s->tui, row, 0, width, SM_TUI_BOLD, name, name_n);
	if (!n || room < 1)
		return;
	if (n > (size_t)room) {
		memmove(v, v + n - (size_t)room, (size_t)room * sizeof(*v));
		n = (size_t)room;
	}
	scale_history(s, id, v, n);
	max = largest(v, n);
	sm_tui_spark(&s->tui, row, width + 1, room, v, n, max, SM_TUI_ACCENT);
	(void)sm_tui_printf(&s->tui, row, s->tui.columns - HISTORY_RIGHT, SM_TUI_DIM,
		" max %.1f%%", max);
}

void screen_history_lines(struct screen *s, int row, int lines)
{
	static const char machine[] = "all CPUs";

	if (lines > 1 || (lines == 1 && !s->selected))
		draw_history(s, row++, 0, machine, sizeof(machine) - 1);
	if (lines && s->selected)
		draw_history(s, row, s->selected,
			s->selected_name.len ? s->selected_name.p : "",
			s->selected_name.len);
}

/* --- details
 * --------------------------------------------------------------------------------- */

static void detail_items(struct screen_line *l, const struct screen_row *row)
{
	const struct cs_row *r = &row->r;
	char text[40];

	if (r->pid)
		screen_item(l, SM_TUI_BOLD, "pid %d", r->pid);
	if (r->tgid && r->tgid != r->pid)
		screen_item(l, SM_TUI_NORMAL, "of process %d", r->tgid);
	if (r->ppid)
		screen_item(l, SM_TUI_NORMAL, "parent %d", r->ppid);
	if (r->flags & CS_HAS_UID)
		screen_item(l, SM_TUI_NORMAL, "uid %u", r->uid);
	if (r->state)
		screen_item(l, SM_TUI_NORMAL, "state %c", r->state);
	if (r->cpu >= 0)
		screen_item(l, SM_TUI_NORMAL, "on CPU %d", r->cpu);
	if (r->members > 1)
		screen_item(l, SM_TUI_NORMAL, "%u tasks", r->members);
	format_time(l->s, r, text, sizeof(text));
	if (r->total_ns)
		screen_item(l, SM_TUI_NORMAL, "time %s", text + strspn(text, " "));
	if (r->flags & CS_NEW)
		screen_item(l, SM_TUI_ACCENT, "new");
}

static void detail_text(
	struct screen *s, int row, const char *title, struct screen_span text)
{
	int at = sm_tui_printf(&s->tui, row, 0, SM_TUI_BOLD, "%s ", title);

	(void)sm_tui_text(&s->tui, row, at, s->tui.columns - at, SM_TUI_NORMAL,
		text.n ? screen_bytes(s, text) : "-", text.n ? text.n : 1);
}

static void draw_shares(struct screen *s, int row, const struct cs_row *r)
{
	struct screen_line l = {.s = s, .row = row, .limit = s->tui.columns};

	screen_item(&l, SM_TUI_NORMAL, "CPU %.3f%%", screen_pct(s, r, r->used_ns));
	screen_item(&l, SM_TUI_NORMAL, "user %.3f%%", screen_pct(s, r, r->usr_ns));
	screen_item(&l, SM_TUI_NORMAL, "system %.3f%%", screen_pct(s, r, r->sys_ns));
	if (r->flags & CS_HAS_WAIT)
		screen_item(
			&l, SM_TUI_NORMAL, "wait %.3f%%", screen_pct(s, r, r->wait_ns));
}

void screen_details(struct screen *s, int row, int lines)
{
	struct screen_line l = {.s = s, .row = row, .limit = s->tui.columns};
	const struct screen_row *r;
	size_t at;

	if (!lines)
		return;
	if (!screen_find_selected(s, &at)) {
		screen_item(&l, SM_TUI_DIM,
			s->selected ? "not active in this sample"
				    : "nothing is selected");
		return;
	}
	r = &s->rows[at];
	detail_items(&l, r);
	detail_text(s, row + 1, "command", r->command.n ? r->command : r->name);
	if (lines < 4)
		return;
	detail_text(s, row + 2, "cgroup", r->cgroup);
	draw_shares(s, row + 3, &r->r);
}

/* --- help
 * ------------------------------------------------------------------------------------ */

void screen_help(struct screen *s)
{
	static const char *const keys[][2] = {{"q", "quit"},
		{"P T N M", "sort by CPU, time, PID, name"},
		{"U S W", "sort by user, system, waiting"},
		{"< >", "sort by another column"}, {"/ f", "only names that match"},
		{"u", "only tasks of these users"}, {"H", "threads"},
		{"G", "group by comm, user, ..."}, {"a", "percent of all CPUs"},
		{"c l s d", "forms of the name"}, {"1", "bars of the CPUs"},
		{"space", "take a sample now"}, {"p z", "pause"},
		{"+ -", "longer, shorter interval"}, {"arrows", "select a task"},
		{"PgUp PgDn", "a page"}, {"Home End", "first, last task"},
		{"Enter", "details of the task"}, {"Esc", "close, select nothing"},
		{"^L", "draw anew"}, {"h ? F1", "this help"}};
	const int wide = 40;
	struct sm_tui *t = &s->tui;
	int lines = t->rows > 2 ? t->rows - 2 : 1;
	int across = t->columns > wide ? t->columns / wide : 1;
	int page = lines * across, first = (s->help - 1) * page;

	sm_tui_fill(t, 0, 0, t->columns, SM_TUI_HEAD);
	(void)sm_tui_printf(t, 0, 0, SM_TUI_HEAD, "cpustat: keys");
	s->help_more = first + page < (int)SM_ARRAY_SIZE(keys);
	for (int i = 0; i < page && first + i < (int)SM_ARRAY_SIZE(keys); i++) {
		const char *const *key = keys[first + i];
		int row = 1 + i % lines, at = i / lines * wide;

		(void)sm_tui_printf(t, row, at, SM_TUI_ACCENT, "%9s", key[0]);
		(void)sm_tui_printf(t, row, at + 10, SM_TUI_NORMAL, "%s", key[1]);
	}
	(void)sm_tui_printf(t, t->rows - 1, 0, SM_TUI_DIM, "%s",
		s->help_more ? "any key: more, Esc: close" : "any key closes");
}
