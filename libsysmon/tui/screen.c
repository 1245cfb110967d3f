// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "tui/screen.h"

#define CTRL_L		  0x0c
#define CLOCK_WIDTH	  8
#define CLOCK_MIN_COLUMNS 30

int sm_screen_open(struct sm_screen *s, int color, const char **why)
{
	int err = sm_tui_open(&s->tui, color, why);

	if (!err)
		sm_tui_mouse(&s->tui);
	return err;
}

void sm_screen_close(struct sm_screen *s)
{
	sm_tui_close(&s->tui);
	sm_filter_fini(&s->filter);
}

enum sm_screen_request sm_screen_say(struct sm_screen *s, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(s->message, sizeof(s->message), fmt, ap);
	va_end(ap);
	return SM_SCREEN_REDRAW;
}

/* --- keys --------------------------------------------------------------------------- */

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

static enum sm_screen_request step_interval(struct sm_screen *s, int by)
{
	uint64_t now = *s->interval_ns;
	uint64_t next = next_interval(now, s->interval_min_ns, by);

	*s->interval_ns = next;
	(void)sm_screen_say(
		s, "one sample every %g s", (double)next / (double)SM_NSEC_PER_SEC);
	return next == now ? SM_SCREEN_REDRAW : SM_SCREEN_REARRANGE;
}

/* Maps further keys, some of them from other tools, to their equivalents. */
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

static enum sm_screen_request common_key(struct sm_screen *s, int key)
{
	switch (key) {
	case 'q':
		return SM_SCREEN_QUIT;
	case ' ':
		return SM_SCREEN_SAMPLE;
	case 'p':
		s->paused = !s->paused;
		return SM_SCREEN_REDRAW;
	case '/':
		sm_filter_open_name(&s->filter);
		return SM_SCREEN_REDRAW;
	case 'h':
		s->help = 1;
		return SM_SCREEN_REDRAW;
	case '+':
		return step_interval(s, 1);
	case '-':
		return step_interval(s, -1);
	case CTRL_L:
		sm_tui_resized(&s->tui);
		return SM_SCREEN_REDRAW;
	case SM_KEY_CLICK: /* outside of everything that reacts to it */
	case SM_KEY_WHEEL_UP:
	case SM_KEY_WHEEL_DOWN:
		return SM_SCREEN_NOTHING;
	default:
		return sm_screen_say(s, "unknown key; press h for help");
	}
}

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

static enum sm_screen_request take(struct sm_screen *s, int key)
{
	enum sm_screen_request request;

	if (key == SM_KEY_GONE)
		return SM_SCREEN_QUIT;
	if (key == SM_KEY_OTHER)
		return SM_SCREEN_NOTHING;
	if (s->filter.prompt.title)
		return prompt_key(s, key);
	if (s->help)
		return help_key(s, key);
	s->message[0] = '\0';
	request = s->key(s->ctx, key);
	if (!request && main_key(key) != key)
		request = s->key(s->ctx, main_key(key));
	return request ? request : common_key(s, main_key(key));
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

/* --- drawing ------------------------------------------------------------------------ */

bool sm_screen_draw_help(struct sm_screen *s)
{
	if (s->help)
		s->help_more = sm_items_help(
			&s->tui, s->help_title, s->help_keys, s->nhelp_keys, s->help);
	return s->help;
}

void sm_screen_draw_last(
	struct sm_screen *s, int row, const struct sm_items_key *keys, size_t n)
{
	if (s->filter.prompt.title)
		sm_prompt_draw(&s->filter.prompt, &s->tui, row);
	else if (s->message[0])
		(void)sm_tui_text(&s->tui, row, 0, s->tui.columns, SM_TUI_WARN,
			s->message, strlen(s->message));
	else
		sm_items_keys(&s->tui, row, keys, n);
}

int sm_screen_draw_clock(struct sm_screen *s, int row, uint64_t wall_ns)
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
