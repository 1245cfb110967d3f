// SPDX-License-Identifier: GPL-2.0-or-later
/* Keys become changes of the options, of what is looked at, and wishes. */
#include <stdio.h>

#include "screen_priv.h"

#define CTRL_L 0x0c

/* --- options
 * ------------------------------------------------------------------------------- */

static enum screen_wish sort_by(struct screen *s, int sort)
{
	if (sort == CS_SORT_WAIT && !s->opts->wait) {
		snprintf(s->message, sizeof(s->message),
			"waiting times are only read with option -W");
		return SCREEN_REDRAW;
	}
	s->opts->sort = sort;
	s->top = 0;
	return SCREEN_REARRANGE;
}

static enum screen_wish step_sort(struct screen *s, int by)
{
	const int n = CS_SORT_NAME + 1;
	int sort = s->opts->sort;

	do
		sort = (sort + by + n) % n;
	while (sort == CS_SORT_WAIT && !s->opts->wait);
	return sort_by(s, sort);
}

static enum screen_wish step_interval(struct screen *s, int by)
{
	static const uint64_t steps_ms[] = {
		100, 200, 500, 1000, 2000, 5000, 10000, 30000, 60000};
	const size_t n = SM_ARRAY_SIZE(steps_ms);
	uint64_t now = s->opts->interval_ns, best = now;
	uint64_t least =
		CS_INTERVAL_MIN_NS * (s->opts->subsamples ? s->opts->subsamples : 1);

	for (size_t i = 0; i < n; i++) {
		uint64_t ns = steps_ms[by > 0 ? i : n - 1 - i] * SM_NSEC_PER_MSEC;

		if (ns >= least && (by > 0 ? ns > now : ns < now)) {
			best = ns;
			break;
		}
	}
	s->opts->interval_ns = best;
	snprintf(s->message, sizeof(s->message), "a sample every %g s",
		(double)best / (double)SM_NSEC_PER_SEC);
	return best == now ? SCREEN_REDRAW : SCREEN_REARRANGE;
}

/* One of three forms of the name; the same key again: the usual one. */
static enum screen_wish name_form(struct screen *s, bool *form)
{
	bool on = !*form;

	s->opts->comm = false;
	s->opts->full_command = false;
	s->opts->short_name = false;
	*form = on;
	return SCREEN_REARRANGE;
}

static enum screen_wish flip(bool *option)
{
	*option = !*option;
	return SCREEN_REARRANGE;
}

static enum screen_wish next_group(struct screen *s)
{
	s->opts->group = (s->opts->group + 1) % (CS_GROUP_PARENT + 1);
	s->top = 0;
	return SCREEN_REARRANGE;
}

static enum screen_wish option_key(struct screen *s, int key)
{
	struct cs_opts *o = s->opts;

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
	case '=':
		return step_interval(s, 1);
	case '-':
		return step_interval(s, -1);
	default:
		return SCREEN_NOTHING;
	}
}

static enum screen_wish sort_key(struct screen *s, int key)
{
	static const struct {
		int key, sort;
	} keys[] = {{'P', CS_SORT_CPU}, {'T', CS_SORT_TIME}, {'N', CS_SORT_PID},
		{'U', CS_SORT_USR}, {'S', CS_SORT_SYS}, {'W', CS_SORT_WAIT},
		{'M', CS_SORT_NAME}};

	for (size_t i = 0; i < SM_ARRAY_SIZE(keys); i++)
		if (keys[i].key == key)
			return sort_by(s, keys[i].sort);
	return SCREEN_NOTHING;
}

/* --- moving
 * -------------------------------------------------------------------------------- */

/* Without a selection the first step goes to the first row shown. */
static enum screen_wish move(struct screen *s, int64_t by)
{
	size_t at = s->selected_at;
	int64_t to;

	if (!s->n)
		return SCREEN_REDRAW;
	if (!s->selected) {
		at = s->top;
		by = by == 1 || by == -1 ? 0 : by;
	} else {
		(void)screen_find_selected(s, &at);
	}
	to = (int64_t)at + by;
	if (to >= (int64_t)s->n)
		to = (int64_t)s->n - 1;
	screen_select(s, to > 0 ? (size_t)to : 0);
	return SCREEN_REDRAW;
}

static enum screen_wish move_key(struct screen *s, int key)
{
	int64_t page = s->page > 1 ? s->page - 1 : 1;

	switch (key) {
	case SM_KEY_UP:
	case 'k':
		return move(s, -1);
	case SM_KEY_DOWN:
	case 'j':
		return move(s, 1);
	case SM_KEY_PGUP:
		return move(s, -page);
	case SM_KEY_PGDN:
		return move(s, page);
	case SM_KEY_HOME:
		return move(s, -SCREEN_ROWS_MAX);
	case SM_KEY_END:
		return move(s, SCREEN_ROWS_MAX);
	default:
		return SCREEN_NOTHING;
	}
}

static enum screen_wish toggle_details(struct screen *s)
{
	s->details = !s->details;
	if (!s->selected && s->n)
		screen_select(s, s->top < s->n ? s->top : 0);
	return SCREEN_REDRAW;
}

/* Closes one thing after the other. */
static enum screen_wish escape(struct screen *s)
{
	if (s->details)
		s->details = false;
	else
		s->selected = 0;
	return SCREEN_REDRAW;
}

/* --- the rest
 * ------------------------------------------------------------------------------- */

static enum screen_wish screen_key(struct screen *s, int key)
{
	switch (key) {
	case 'z':
	case 'p':
		s->paused = !s->paused;
		return SCREEN_REDRAW;
	case '1':
		s->no_bars = !s->no_bars;
		return SCREEN_REDRAW;
	case 'u':
		prompt_open(s, PROMPT_USER);
		return SCREEN_REDRAW;
	case '/':
	case 'f':
		prompt_open(s, PROMPT_NAME);
		return SCREEN_REDRAW;
	case 'h':
	case '?':
	case SM_KEY_F1:
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

static enum screen_wish plain_key(struct screen *s, int key)
{
	enum screen_wish wish;

	if (key == 'q')
		return SCREEN_QUIT;
	if (key == ' ')
		return SCREEN_SAMPLE;
	wish = screen_key(s, key);
	if (wish == SCREEN_NOTHING)
		wish = move_key(s, key);
	if (wish == SCREEN_NOTHING)
		wish = sort_key(s, key);
	if (wish == SCREEN_NOTHING)
		wish = option_key(s, key);
	return wish;
}

/* Any key goes to the next page, or closes. */
static enum screen_wish help_key(struct screen *s, int key)
{
	bool on = s->help_more && key != SM_KEY_ESC && key != 'q' && key != 'h';

	s->help = on ? s->help + 1 : 0;
	return SCREEN_REDRAW;
}

static enum screen_wish one_key(struct screen *s, int key)
{
	bool said = s->message[0] != '\0';
	enum screen_wish wish;

	if (key == SM_KEY_GONE)
		return SCREEN_QUIT;
	if (s->prompt.kind != PROMPT_NONE)
		return prompt_key(s, key);
	if (s->help)
		return help_key(s, key);
	s->message[0] = '\0';
	wish = plain_key(s, key);
	return wish == SCREEN_NOTHING && said ? SCREEN_REDRAW : wish;
}

static enum screen_wish stronger(enum screen_wish a, enum screen_wish b)
{
	return a > b ? a : b;
}

enum screen_wish screen_keys(struct screen *s)
{
	enum screen_wish wish = SCREEN_NOTHING;
	int key;

	while (wish != SCREEN_QUIT && (key = sm_tui_key(&s->tui)) != SM_KEY_NONE)
		wish = stronger(wish, one_key(s, key));
	return wish;
}
