// SPDX-License-Identifier: GPL-2.0-or-later
/* The layout, the system's figures, the CPUs' bars, the key line. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "screen_priv.h"
#include "text.h"

#define BAR_CELL     20 /* columns for a CPU: label, bar, percentage */
#define BAR_CELL_MIN 10 /* label and bar */
#define PCT_WIDTH    5

void screen_item(struct screen_line *l, enum sm_tui_style style, const char *fmt, ...)
{
	char text[256];
	va_list ap;
	int n, gap = l->at ? 2 : 0;
	size_t width;

	va_start(ap, fmt);
	n = vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (n <= 0 || l->full)
		return;
	if ((size_t)n >= sizeof(text))
		n = (int)sizeof(text) - 1;
	width = sm_text_width(text, (size_t)n);
	if (l->at + gap + (int)width > l->limit) {
		l->full = true;
		return;
	}
	l->at += gap;
	l->at +=
		sm_tui_put(&l->s->tui, l->row, l->at, (int)width, style, text, (size_t)n);
}

/* --- the system's lines
 * -------------------------------------------------------------------- */

static int draw_clock(struct screen *s, int row)
{
	time_t t = (time_t)(s->sample.wall_ns / SM_NSEC_PER_SEC);
	struct tm tm;
	int at = s->tui.columns - 8;

	if (!s->samples || s->tui.columns < 30 || !localtime_r(&t, &tm))
		return s->tui.columns;
	(void)sm_tui_printf(&s->tui, row, at, SM_TUI_NORMAL, "%02d:%02d:%02d", tm.tm_hour,
		tm.tm_min, tm.tm_sec);
	return at - 1;
}

static void filter_item(struct screen_line *l, const char *name, const char *text)
{
	struct screen *s = l->s;

	sm_buf_reset(&s->scratch);
	sm_text_human(&s->scratch, text, strlen(text), s->tui.utf8 ? SM_TEXT_UTF8 : 0);
	screen_item(l, SM_TUI_ACCENT, "%s %.*s", name, (int)s->scratch.len,
		s->scratch.p ? s->scratch.p : "");
}

/* What makes this table another one than the usual. */
static void mode_items(struct screen_line *l)
{
	static const char *const groups[] = {"", "comm", "user", "cgroup", "parent"};
	const struct cs_opts *o = l->s->opts;

	if (o->threads)
		screen_item(l, SM_TUI_ACCENT, "threads");
	if (o->group != CS_GROUP_NONE)
		screen_item(l, SM_TUI_ACCENT, "by %s", groups[o->group]);
	if (o->name_glob)
		filter_item(l, "name", o->name_glob);
	if (o->uids.n == 1)
		filter_item(l, "user", sm_user_name(l->s->users, o->uids.v[0]));
	else if (o->uids.n)
		screen_item(l, SM_TUI_ACCENT, "%u users", o->uids.n);
	if (o->pids.n)
		screen_item(l, SM_TUI_ACCENT, "%u pids", o->pids.n);
	if (o->cgroup)
		filter_item(l, "cgroup", o->cgroup);
	if (o->all_cpus)
		screen_item(l, SM_TUI_ACCENT, "%% of all CPUs");
}

static void state_items(struct screen_line *l)
{
	const struct screen *s = l->s;

	if (s->paused)
		screen_item(l, SM_TUI_WARN, "PAUSED");
	if (s->since_start)
		screen_item(l, SM_TUI_ACCENT, "since start");
	else if (s->sample.partial)
		screen_item(l, SM_TUI_ACCENT, "partial %.2f s",
			(double)s->sample.dt_ns / (double)SM_NSEC_PER_SEC);
}

static void draw_system(struct screen *s, int row, bool modes)
{
	struct screen_line l = {.s = s, .row = row, .limit = draw_clock(s, row)};
	double busy = screen_busy_pct(&s->sample);

	state_items(&l);
	if (busy >= 0)
		screen_item(&l, sm_tui_load_style(busy), "CPU %.1f%%", busy);
	else
		screen_item(&l, SM_TUI_NORMAL, "CPU --");
	if (modes)
		mode_items(&l);
	if (s->sample.online)
		screen_item(&l, SM_TUI_NORMAL, "of %u", s->sample.online);
	screen_item(&l, SM_TUI_NORMAL, "%llu tasks", (unsigned long long)s->sample.live);
	screen_item(&l, SM_TUI_DIM, "every %g s",
		(double)s->opts->interval_ns / (double)SM_NSEC_PER_SEC);
	if (s->have_running)
		screen_item(&l, SM_TUI_NORMAL, "%llu running, %llu blocked",
			(unsigned long long)s->running, (unsigned long long)s->blocked);
}

/* Percent of one CPU, as the table's rows. */
static void share_item(struct screen_line *l, const char *name, double ns)
{
	double dt = (double)l->s->sample.dt_ns;
	double pct = dt > 0 ? 100 * ns / dt : 0;

	if (pct >= 0.05)
		screen_item(l, SM_TUI_NORMAL, "%s %.1f%%", name, pct);
}

static void count_item(
	struct screen_line *l, enum sm_tui_style style, uint64_t n, const char *name)
{
	if (n)
		screen_item(l, style, "%llu %s", (unsigned long long)n, name);
}

static void draw_accounts(struct screen *s, int row)
{
	struct screen_line l = {.s = s, .row = row, .limit = s->tui.columns};
	const struct cs_sample *p = &s->sample;

	mode_items(&l);
	share_item(&l, "tasks", (double)p->tasks_ns);
	share_item(&l, "exited", (double)p->exited_ns);
	if (p->machine) {
		share_item(&l, "irq", (double)p->irq_ns);
		share_item(&l, "softirq", (double)p->softirq_ns);
		share_item(&l, "unaccounted", (double)p->unaccounted_ns);
	}
	count_item(&l, SM_TUI_NORMAL, p->births, "born");
	count_item(&l, SM_TUI_NORMAL, p->deaths, "gone");
	count_item(&l, SM_TUI_WARN, p->unreadable, "unreadable");
	share_item(&l, "cpustat", (double)p->self_ns);
}

/* --- the CPUs' bars
 * -------------------------------------------------------------------------- */

static unsigned int present_cpus(const struct screen *s, double *mean)
{
	unsigned int n = 0;
	double sum = 0;

	for (unsigned int i = 0; i < s->ncpu; i++) {
		if (s->cpu_pct[i] < 0)
			continue;
		sum += (double)s->cpu_pct[i];
		n++;
	}
	*mean = n ? sum / n : 0;
	return n;
}

static void draw_bar(
	struct screen *s, int row, int at, int width, const char *label, double pct)
{
	enum sm_tui_style style = sm_tui_load_style(pct);
	int used = sm_tui_printf(&s->tui, row, at, SM_TUI_NORMAL, "%s ", label);
	int number = width >= BAR_CELL - 4 ? PCT_WIDTH + 1 : 0;
	int room = width - used - number - 2; /* a frame's second half, a blank */

	if (room < 1)
		return;
	sm_tui_bar(&s->tui, row, at + used, room, pct / 100, style);
	(void)sm_tui_put(&s->tui, row, at + used + room, 1, SM_TUI_DIM, "|", 1);
	if (number)
		(void)sm_tui_printf(
			&s->tui, row, at + used + room + 1, style, "%5.1f", pct);
}

static int digits(unsigned int v)
{
	int n = 1;

	while (v >= 10) {
		v /= 10;
		n++;
	}
	return n;
}

static void draw_bars(struct screen *s, int row, int per_line)
{
	int width = s->tui.columns / per_line, i = 0;
	int label = digits(s->ncpu - 1);

	for (unsigned int cpu = 0; cpu < s->ncpu; cpu++) {
		char name[24];

		if (s->cpu_pct[cpu] < 0)
			continue;
		snprintf(name, sizeof(name), "%*u", label < 10 ? label : 10, cpu);
		draw_bar(s, row + i / per_line, i % per_line * width, width, name,
			(double)s->cpu_pct[cpu]);
		i++;
	}
}

int screen_bars(struct screen *s, int row, int max_lines)
{
	double mean;
	int n = (int)present_cpus(s, &mean);
	int per_line = s->tui.columns / BAR_CELL;
	char name[32];

	if (!n || max_lines < 1)
		return 0;
	if (per_line > n)
		per_line = n;
	if (per_line < 1)
		per_line = 1;
	if ((n + per_line - 1) / per_line > max_lines)
		per_line = (n + max_lines - 1) / max_lines;
	if (s->tui.columns / per_line >= BAR_CELL_MIN) {
		draw_bars(s, row, per_line);
		return (n + per_line - 1) / per_line;
	}
	snprintf(name, sizeof(name), "%d CPUs", n);
	draw_bar(s, row, 0, s->tui.columns, name, mean);
	return 1;
}

/* --- the last line
 * --------------------------------------------------------------------------- */

static void draw_keys(struct screen *s, int row)
{
	static const char *const keys[][2] = {{"q", "quit"}, {"h", "help"},
		{"<>", "sort"}, {"/", "name"}, {"u", "user"}, {"p", "pause"},
		{"H", "threads"}, {"G", "group"}, {"Enter", "details"}, {"1", "CPUs"},
		{"+-", "interval"}};
	struct sm_tui *t = &s->tui;
	int at = 0;

	for (size_t i = 0; i < SM_ARRAY_SIZE(keys); i++) {
		size_t k = strlen(keys[i][0]), w = strlen(keys[i][1]);

		if (at + (int)(k + 1 + w) > t->columns)
			return;
		at += sm_tui_put(t, row, at, t->columns, SM_TUI_ACCENT, keys[i][0], k);
		at += 1 + sm_tui_put(t, row, at + 1, t->columns, SM_TUI_NORMAL,
				  keys[i][1], w);
		at += 2;
	}
}

static void draw_last(struct screen *s, int row)
{
	if (s->prompt.kind != PROMPT_NONE)
		prompt_draw(s, row);
	else if (s->message[0])
		(void)sm_tui_text(&s->tui, row, 0, s->tui.columns, SM_TUI_WARN,
			s->message, strlen(s->message));
	else
		draw_keys(s, row);
}

/* --- the layout
 * ------------------------------------------------------------------------------ */

/* Where a screen is so low that not all of it fits, the table is what stays. */
static void draw_all(struct screen *s)
{
	int rows = s->tui.rows, top = 0, bottom = rows, history, details;
	bool accounts = rows >= 14;

	if (rows >= 4)
		draw_last(s, --bottom);
	if (rows >= 3)
		draw_system(s, top++, !accounts);
	if (accounts)
		draw_accounts(s, top++);
	if (rows >= 7 && !s->no_bars)
		top += screen_bars(s, top, rows / 3);
	history = rows >= 24 && s->selected ? 2 : rows >= 8 ? 1 : 0;
	bottom -= history;
	screen_history_lines(s, bottom, history);
	details = !s->details ? 0 : rows >= 16 ? 4 : rows >= 8 ? 2 : 0;
	bottom -= details;
	screen_details(s, bottom, details);
	screen_table(s, top, bottom - top);
}

void screen_draw(struct screen *s)
{
	sm_tui_clear(&s->tui);
	if (s->help)
		screen_help(s);
	else
		draw_all(s);
	sm_tui_show(&s->tui);
}
