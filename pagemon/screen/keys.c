// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <string.h>

#include "hexview.h"
#include "keys.h"
#include "move.h"
#include "search.h"
#include "windows.h"
#include "words.h"

#define CTRL_L 0x0c

static enum sm_screen_request say(struct screen *s, const char *text)
{
	return sm_screen_say(&s->base, "%s", text);
}

/* --- questions ---------------------------------------------------------------------- */

static enum sm_screen_request ask_read_in(struct screen *s)
{
	const struct counts *c = state_totals(s);
	uint64_t n = c ? c->swapped - c->shared : 0;
	char size[WORDS_SIZE];

	if (!c)
		return say(s, "the pages have not been counted yet");
	if (!n)
		return say(s, "no page is swapped out");
	s->question = (struct screen_ask){.kind = ASK_READ_IN};
	snprintf(s->question_text, sizeof(s->question_text),
		"read in %llu swapped-out pages (%s)? y/N", (unsigned long long)n,
		words_iec(n * s->in.space->page_bytes, size));
	return SM_SCREEN_REDRAW;
}

static enum sm_screen_request ask_fault_in(struct screen *s)
{
	unsigned char byte;

	if (!state_has_pages(s) || !s->in.peek)
		return say(s, "there is no page");
	if (peek_at(s->in.peek, s->cursor_address, &byte) == PEEK_BYTES)
		return say(s, "this page is present");
	s->question = (struct screen_ask){.kind = ASK_FAULT_IN, .ordinal = s->cursor};
	snprintf(s->question_text, sizeof(s->question_text),
		"read in the page 0x%llx? y/N", (unsigned long long)s->cursor_address);
	return SM_SCREEN_REDRAW;
}

static enum sm_screen_request answer(struct screen *s, int key)
{
	s->question_text[0] = '\0';
	if (key == 'y' || key == 'Y')
		state_ask(s, s->question.kind, s->question.ordinal);
	return SM_SCREEN_REARRANGE;
}

/* --- prompts ------------------------------------------------------------------------ */

static enum sm_screen_request open_prompt(
	struct screen *s, enum prompt_kind kind, const char *title, const char *hint)
{
	s->prompt_kind = kind;
	sm_prompt_open(&s->prompt, title, hint);
	return SM_SCREEN_REDRAW;
}

static void set_filter(struct screen *s, const char *text)
{
	snprintf(s->filter, sizeof(s->filter), "%s", text);
	picker_arrange(s);
}

static void entered(struct screen *s)
{
	switch (s->prompt_kind) {
	case PROMPT_FIND:
		search_find(s, s->prompt.text);
		break;
	case PROMPT_GOTO:
		search_goto(s, s->prompt.text);
		break;
	case PROMPT_FILTER:
		set_filter(s, s->prompt.text);
		break;
	}
	if (s->view == VIEW_MAPPINGS)
		mappings_open(s);
}

/* Handles a key of the prompt.  The filter takes effect while it is typed. */
static enum sm_screen_request prompt_key(struct screen *s, int key)
{
	enum sm_prompt_state state = sm_prompt_key(&s->prompt, key);
	bool filter = s->prompt_kind == PROMPT_FILTER;

	s->base.message[0] = '\0';
	if (state == SM_PROMPT_ENTERED)
		entered(s);
	else if (filter)
		set_filter(s, state == SM_PROMPT_CANCELLED ? "" : s->prompt.text);
	return SM_SCREEN_REARRANGE;
}

static enum sm_screen_request search_key(struct screen *s, int key)
{
	switch (key) {
	case '/':
		return open_prompt(s, PROMPT_FIND, "Find: ", "a name or an address");
	case 'g':
		return open_prompt(s, PROMPT_GOTO, "Go to: ", "a hexadecimal address");
	case 'n':
	case 'N':
		if (!s->find[0])
			return say(s, "no previous search; press / to search");
		search_next(s, key == 'n');
		return SM_SCREEN_REARRANGE;
	default:
		return SM_SCREEN_NOTHING;
	}
}

/* --- the target --------------------------------------------------------------------- */

static enum sm_screen_request change_ticks(struct screen *s, bool more)
{
	unsigned int *ticks = &s->set.ticks;

	if (more && *ticks < SCREEN_TICKS_MAX)
		++*ticks;
	else if (!more && *ticks > 1)
		--*ticks;
	return sm_screen_say(&s->base,
		"the mappings are read every %u refreshes (%.1f s)%s", *ticks,
		(double)*ticks * (double)s->set.interval_ns / (double)SM_NSEC_PER_SEC,
		s->set.dirty ? ", and soft-dirty bits cleared" : "");
}

static enum sm_screen_request toggle_dirty(struct screen *s)
{
	if (!s->in.dirty_known)
		return say(s, "this kernel has no soft-dirty bits");
	s->set.dirty = !s->set.dirty;
	state_ask(s, ASK_DIRTY, 0);
	(void)say(
		s, s->set.dirty
			   ? "dirty tracking is on: soft-dirty bits are cleared regularly"
			   : "dirty tracking is off");
	return SM_SCREEN_REARRANGE;
}

static enum sm_screen_request target_key(struct screen *s, int key)
{
	switch (key) {
	case 'r':
	case 'R':
		return ask_read_in(s);
	case 'd':
		return toggle_dirty(s);
	case 't':
	case 'T':
		return change_ticks(s, key == 't');
	case '.':
	case ',':
		state_ask(s, key == '.' ? ASK_NEXT_RESIDENT : ASK_PREVIOUS_RESIDENT,
			s->cursor);
		return SM_SCREEN_REARRANGE;
	default:
		return SM_SCREEN_NOTHING;
	}
}

/* --- views and windows -------------------------------------------------------------- */

static enum sm_screen_request toggle_window(struct screen *s, unsigned int window)
{
	s->windows ^= window;
	return SM_SCREEN_REARRANGE;
}

static enum sm_screen_request window_key(struct screen *s, int key)
{
	switch (key) {
	case SM_KEY_TAB:
		return toggle_window(s, WINDOW_PAGE);
	case 'v':
	case 'V':
		return toggle_window(s, WINDOW_VM);
	case 'p':
	case 'P':
		return toggle_window(s, WINDOW_PERF);
	case 'c':
	case 'C':
		s->windows = 0;
		return SM_SCREEN_REARRANGE;
	default:
		return SM_SCREEN_NOTHING;
	}
}

static enum sm_screen_request show(struct screen *s, enum screen_view view)
{
	s->view = view;
	return SM_SCREEN_REARRANGE;
}

static enum sm_screen_request toggle_hex(struct screen *s)
{
	if (s->set.no_hex)
		return say(s, "the hex view is disabled by -H");
	return show(s, s->view == VIEW_HEX ? VIEW_MAP : VIEW_HEX);
}

static enum sm_screen_request flip(bool *setting)
{
	*setting = !*setting;
	return SM_SCREEN_REARRANGE;
}

static enum sm_screen_request toggle_follow(struct screen *s)
{
	s->follow.looked_ns = 0;
	s->set.follow = !s->set.follow;
	(void)say(s, s->set.follow ? "the cursor follows changes"
				   : "the cursor no longer follows changes");
	return SM_SCREEN_REARRANGE;
}

/* Moves to the first page of this mapping, or of the previous or next one. */
static enum sm_screen_request to_mapping(struct screen *s, bool next)
{
	const struct mapping *m = state_mapping(s), *end;

	if (!m)
		return SM_SCREEN_REDRAW;
	end = s->in.space->mappings + s->in.space->n;
	if (next && m + 1 < end)
		m++;
	else if (!next && s->cursor == m->first && m > s->in.space->mappings)
		m--;
	else if (next)
		return say(s, "this is the last mapping");
	state_set_cursor(s, m->first);
	return SM_SCREEN_REARRANGE;
}

static enum sm_screen_request view_key(struct screen *s, int key)
{
	switch (key) {
	case SM_KEY_ENTER:
		return toggle_hex(s);
	case 'm':
		mappings_open(s);
		return SM_SCREEN_REARRANGE;
	case 'f':
		return toggle_follow(s);
	case ' ':
		return flip(&s->frozen);
	case '{':
	case '}':
		return to_mapping(s, key == '}');
	default:
		return SM_SCREEN_NOTHING;
	}
}

/* --- each view ---------------------------------------------------------------------- */

static enum sm_screen_request click(struct screen *s)
{
	int row = s->base.tui.mouse_row, column = s->base.tui.mouse_column;

	if (row < 1 || row >= s->base.tui.rows - 1)
		return SM_SCREEN_REDRAW;
	switch (s->view) {
	case VIEW_MAP:
		if (!windows_cover(s, row, column) && column >= SCREEN_ADDRESS)
			move_click(s, row - 1, column - SCREEN_ADDRESS);
		break;
	case VIEW_HEX:
		break;
	case VIEW_MAPPINGS:
		mappings_click(s);
		break;
	case VIEW_PICKER:
		picker_click(s);
		break;
	}
	s->redraw = true;
	return SM_SCREEN_REARRANGE;
}

static enum sm_screen_request page_key(struct screen *s, int key)
{
	static enum sm_screen_request (*const fns[])(struct screen *, int) = {
		target_key, search_key, window_key, view_key};
	enum sm_screen_request request = SM_SCREEN_NOTHING;
	bool hex = s->view == VIEW_HEX;

	if (hex && key == 'F')
		return ask_fault_in(s);
	if (hex ? hexview_key(s, key) : move_key(s, key))
		return SM_SCREEN_REARRANGE;
	if (move_zoom_key(s, key))
		return SM_SCREEN_REARRANGE;
	for (size_t i = 0; !request && i < SM_ARRAY_SIZE(fns); i++)
		request = fns[i](s, key);
	return request;
}

static enum sm_screen_request mappings_view_key(struct screen *s, int key)
{
	s->redraw = true;
	if (mappings_key(s, key))
		return SM_SCREEN_REARRANGE;
	if (key == 'm')
		return show(s, VIEW_MAP);
	return key == '/' || key == 'g' || key == 'N' ? search_key(s, key)
						      : SM_SCREEN_NOTHING;
}

static enum sm_screen_request picker_view_key(struct screen *s, int key)
{
	s->redraw = true;
	if (key == '/')
		return open_prompt(s, PROMPT_FILTER,
			"Filter: ", "a part of the name or arguments, or a PID");
	return picker_key(s, key) ? SM_SCREEN_REARRANGE : SM_SCREEN_NOTHING;
}

/* Stops reading in, removes the filter, closes the view or quits: the first that applies.
 */
static enum sm_screen_request escape(struct screen *s)
{
	if (s->in.reading) {
		state_ask(s, ASK_STOP, 0);
		return SM_SCREEN_REARRANGE;
	}
	if (s->view == VIEW_PICKER && s->filter[0]) {
		set_filter(s, "");
		return SM_SCREEN_REARRANGE;
	}
	if (s->view == VIEW_HEX || s->view == VIEW_MAPPINGS)
		return show(s, VIEW_MAP);
	return SM_SCREEN_QUIT;
}

/* Returns whether sm_screen handles the key: help, redraw, and F keys. */
static bool is_common(int key)
{
	return key == 'h' || key == '?' || key == CTRL_L ||
	       (key >= SM_KEY_F1 && key <= SM_KEY_F12);
}

static enum sm_screen_request take(void *ctx, int key)
{
	struct screen *s = ctx;
	enum sm_screen_request request;

	if (s->question_text[0])
		return answer(s, key);
	if (s->prompt.title)
		return prompt_key(s, key);
	if (key == 'q' || key == 'Q')
		return SM_SCREEN_QUIT;
	if (key == SM_KEY_ESC)
		return escape(s);
	if (is_common(key))
		return SM_SCREEN_NOTHING;
	if (key == SM_KEY_CLICK)
		return click(s);
	request = s->view == VIEW_MAPPINGS ? mappings_view_key(s, key)
		  : s->view == VIEW_PICKER ? picker_view_key(s, key)
					   : page_key(s, key);
	return request ? request : say(s, "unknown key; press ? for help");
}

/* --- help --------------------------------------------------------------------------- */

void keys_init(struct screen *s)
{
	static const struct sm_key keys[] = {
		{{'q', 'Q', SM_KEY_ESC, SM_KEY_F1 + 9}, "quit; Esc closes first",
			.act = sm_screen_quit},
		{{SM_KEY_LEFT, SM_KEY_RIGHT}, "move the cursor", .act = NULL},
		{{SM_KEY_UP, SM_KEY_DOWN}, "move the cursor", .act = NULL},
		{{SM_KEY_PGUP, SM_KEY_PGDN}, "half a screen", .act = NULL},
		{{SM_KEY_HOME, SM_KEY_END}, "first page, last page", .act = NULL},
		{{SM_KEY_ENTER}, "hex view, map", .act = NULL},
		{{SM_KEY_TAB}, "window: the page", .act = NULL},
		{{'v', 'V'}, "window: the process's memory", .act = NULL},
		{{'p', 'P'}, "window: page faults", .act = NULL},
		{{'c', 'C'}, "close all windows", .act = NULL},
		{{'+', 'z'}, "zoom: more pages in a cell", .act = NULL},
		{{'-', 'Z'}, "zoom: fewer pages in a cell", .act = NULL},
		{{'[', ']'}, "smallest, largest zoom", .act = NULL},
		{{'a', 'A'}, "zoom so that all fits, or not", .act = NULL},
		{{'e'}, "fold empty ranges", .act = NULL},
		{{'m'}, "list of mappings", .act = NULL},
		{{'{', '}'}, "previous, next mapping", .act = NULL},
		{{',', '.'}, "previous, next page in memory", .act = NULL},
		{{'/'}, "find a name or an address", .act = NULL},
		{{'n', 'N'}, "next, previous match", .act = NULL},
		{{'g'}, "go to an address", .act = NULL},
		{{'f'}, "follow changes", .act = NULL},
		{{' '}, "freeze the display", .act = NULL},
		{{'d'}, "dirty tracking on and off", .act = NULL},
		{{'t', 'T'}, "ticks: +1, -1", .act = NULL},
		{{'r', 'R'}, "read in swapped-out pages", .act = NULL},
		{{'F'}, "hex view: read in a page", .act = NULL}};

	s->base.name = "pagemon";
	s->base.own = keys;
	s->base.nown = SM_ARRAY_SIZE(keys);
	s->base.first = take;
}
