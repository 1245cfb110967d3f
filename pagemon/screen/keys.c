// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>

#include "map.h"
#include "move.h"
#include "windows.h"
#include "format.h"

/* Views, for struct sm_key. */
#define MAP   (1U << VIEW_MAP)
#define HEX   (1U << VIEW_HEX)
#define LIST  (1U << VIEW_MAPPINGS)
#define PICK  (1U << VIEW_PICKER)
#define PAGES (MAP | HEX)

/* --- questions ---------------------------------------------------------------------- */

static enum sm_screen_request ask_read_in(void *screen, int key)
{
	struct screen *s = screen;
	const struct counts *c = state_totals(s);
	uint64_t n = c ? c->swapped - c->shared : 0;
	char size[FORMAT_SIZE];

	(void)key;
	if (!c)
		return screen_say(s, "the pages have not been counted yet");
	if (!n)
		return screen_say(s, "no page is swapped out");
	s->question = (struct screen_ask){.kind = ASK_READ_IN};
	snprintf(s->question_text, sizeof(s->question_text),
		"read in %llu swapped-out pages (%s)? y/N", (unsigned long long)n,
		format_iec(n * s->in.space->page_bytes, size));
	return SM_SCREEN_REDRAW;
}

static enum sm_screen_request ask_fault_in(void *screen, int key)
{
	struct screen *s = screen;
	unsigned char byte;

	(void)key;
	if (!state_has_pages(s) || !s->in.peek)
		return screen_say(s, "there is no page");
	if (peek_at(s->in.peek, s->cursor_address, &byte) == PEEK_BYTES)
		return screen_say(s, "this page is present");
	s->question = (struct screen_ask){.kind = ASK_FAULT_IN, .ordinal = s->cursor};
	snprintf(s->question_text, sizeof(s->question_text),
		"read in the page 0x%llx? y/N", (unsigned long long)s->cursor_address);
	return SM_SCREEN_REDRAW;
}

static enum sm_screen_request answer(struct screen *s, int key)
{
	s->question_text[0] = '\0';
	if (key == 'y' || key == 'Y')
		state_ask(s, s->question);
	return SM_SCREEN_REARRANGE;
}

/* --- prompts ------------------------------------------------------------------------ */

static void set_filter(struct screen *s, const char *text)
{
	snprintf(s->filter, sizeof(s->filter), "%s", text);
	picker_arrange(s);
}

/* Handles a key of the prompt.  The filter takes effect while it is typed. */
static enum sm_screen_request prompt_key(struct screen *s, int key)
{
	enum sm_prompt_state state = sm_prompt_key(&s->prompt, key);

	s->base.message[0] = '\0';
	if (!s->typed)
		set_filter(s, state == SM_PROMPT_CANCELLED ? "" : s->prompt.text);
	else if (state == SM_PROMPT_ENTERED && s->prompt.text[0] && state_has_pages(s))
		s->typed(s, s->prompt.text);
	if (state == SM_PROMPT_ENTERED && s->view == VIEW_MAPPINGS)
		mappings_open(s);
	return SM_SCREEN_REARRANGE;
}

/* Opens the prompt for one of these keys. */
static enum sm_screen_request ask_text(void *screen, int key)
{
	struct screen *s = screen;

	s->typed = key == 'g' ? search_goto : s->view == VIEW_PICKER ? NULL : search_find;
	if (key == 'g')
		sm_prompt_open(&s->prompt, "Go to: ", "a hexadecimal address");
	else if (s->view == VIEW_PICKER)
		sm_prompt_open(&s->prompt,
			"Filter: ", "a part of the name or arguments, or a PID");
	else
		sm_prompt_open(&s->prompt, "Find: ", "a name or an address");
	return SM_SCREEN_REDRAW;
}

static enum sm_screen_request find_again(void *screen, int key)
{
	struct screen *s = screen;

	if (!s->find[0])
		return screen_say(s, "no previous search; press / to search");
	search_next(s, key == 'n');
	return SM_SCREEN_REARRANGE;
}

/* --- the target --------------------------------------------------------------------- */

static enum sm_screen_request change_ticks(void *screen, int key)
{
	struct screen *s = screen;
	unsigned int *ticks = &s->set.ticks;

	if (key == 't' && *ticks < SCREEN_TICKS_MAX)
		++*ticks;
	else if (key == 'T' && *ticks > 1)
		--*ticks;
	return screen_say(s, "the mappings are read every %u refreshes (%.1f s)%s",
		*ticks,
		(double)*ticks * (double)s->set.interval_ns / (double)SM_NSEC_PER_SEC,
		s->set.dirty ? ", and soft-dirty bits cleared" : "");
}

static enum sm_screen_request toggle_dirty(void *screen, int key)
{
	struct screen *s = screen;

	(void)key;
	if (!s->in.dirty_known)
		return screen_say(s, "this kernel has no soft-dirty bits");
	s->set.dirty = !s->set.dirty;
	state_ask(s, (struct screen_ask){.kind = ASK_DIRTY});
	(void)screen_say(
		s, s->set.dirty
			   ? "dirty tracking is on: soft-dirty bits are cleared regularly"
			   : "dirty tracking is off");
	return SM_SCREEN_REARRANGE;
}

/* --- views and windows -------------------------------------------------------------- */

static enum sm_screen_request toggle_window(void *screen, int window)
{
	((struct screen *)screen)->windows ^= (unsigned int)window;
	return SM_SCREEN_REARRANGE;
}

static enum sm_screen_request toggle_hex(void *screen, int key)
{
	struct screen *s = screen;

	(void)key;
	if (s->set.no_hex)
		return screen_say(s, "the hex view is disabled by -H");
	s->view = s->view == VIEW_HEX ? VIEW_MAP : VIEW_HEX;
	return SM_SCREEN_REARRANGE;
}

/* The short actions.  action: the first key of the entry. */
static enum sm_screen_request simple(void *screen, int action)
{
	struct screen *s = screen;

	if (action == 'c')
		s->windows = 0;
	else if (action == ' ')
		s->frozen = !s->frozen;
	else if (action != 'm')
		state_ask(s,
			(struct screen_ask){.kind = action == '.' ? ASK_NEXT_RESIDENT
								  : ASK_PREVIOUS_RESIDENT,
				.ordinal = s->cursor});
	else if (s->view == VIEW_MAPPINGS)
		s->view = VIEW_MAP;
	else
		mappings_open(s);
	return SM_SCREEN_REARRANGE;
}

static enum sm_screen_request toggle_follow(void *screen, int key)
{
	struct screen *s = screen;

	(void)key;
	s->follow.looked_ns = 0;
	s->set.follow = !s->set.follow;
	(void)screen_say(s, s->set.follow ? "the cursor follows changes"
					  : "the cursor no longer follows changes");
	return SM_SCREEN_REARRANGE;
}

/* Moves to the first page of this mapping, or of the previous or next one. */
static enum sm_screen_request to_mapping(void *screen, int key)
{
	struct screen *s = screen;
	const struct mapping *m = state_mapping(s);

	if (!m)
		return SM_SCREEN_REDRAW;
	if (key == '}' && ++m >= s->in.space->mappings + s->in.space->n)
		return screen_say(s, "this is the last mapping");
	if (key == '{' && s->cursor == m->first && m > s->in.space->mappings)
		m--;
	state_set_cursor(s, m->first);
	return SM_SCREEN_REARRANGE;
}

/* Like Enter, a second click on a row of a list opens it. */
static enum sm_screen_request click(void *screen, int key)
{
	struct screen *s = screen;
	int row = s->base.tui.mouse_row, column = s->base.tui.mouse_column;
	struct rowlist *list = state_list(s);

	(void)key;
	if (row < 1 || row >= s->base.tui.rows - 1)
		return SM_SCREEN_REDRAW;
	if (list) {
		if (rowlist_click(list, &s->base.tui))
			list->enter(s);
	} else if (s->view == VIEW_MAP && !windows_cover(s, row, column) &&
		   column >= SCREEN_ADDRESS)
		move_click(s, row - 1, column - SCREEN_ADDRESS);
	return SM_SCREEN_REARRANGE;
}

/* Stops reading in, removes the filter, closes the view or quits: the first that applies.
 */
static enum sm_screen_request escape(void *screen, int key)
{
	struct screen *s = screen;

	(void)key;
	if (s->in.reading)
		state_ask(s, (struct screen_ask){.kind = ASK_STOP});
	else if (s->view == VIEW_PICKER && s->filter[0])
		set_filter(s, "");
	else if (s->view == VIEW_HEX || s->view == VIEW_MAPPINGS)
		s->view = VIEW_MAP;
	else
		return SM_SCREEN_QUIT;
	return SM_SCREEN_REARRANGE;
}

/* Handles the keys that move and zoom in pages, and that select and sort in lists. */
static bool view_key(struct screen *s, int key)
{
	struct rowlist *list = state_list(s);

	if (list)
		return rowlist_key(list, key);
	return (s->view == VIEW_HEX ? hexview_key(s, key) : move_key(s, key)) ||
	       move_zoom_key(s, key);
}

static enum sm_screen_request first(void *screen, int key)
{
	struct screen *s = screen;

	if (s->question_text[0])
		return answer(s, key);
	if (s->prompt.title)
		return prompt_key(s, key);
	s->base.view = 1U << s->view;
	return view_key(s, key) ? SM_SCREEN_REARRANGE : SM_SCREEN_NOTHING;
}

/* first() handles the keys without an action here. */
static const struct sm_key keys[] = {
	{{'q', 'Q', SM_KEY_F(10)}, "quit", "quit", 10, .act = sm_screen_quit},
	{{SM_KEY_ESC}, "close, or quit", .act = escape},
	{{SM_KEY_LEFT, SM_KEY_RIGHT}, "move the cursor", .act = NULL},
	{{SM_KEY_UP, SM_KEY_DOWN}, "move the cursor", .act = NULL},
	{{SM_KEY_PGUP, SM_KEY_PGDN}, "half a screen", .act = NULL},
	{{SM_KEY_HOME, SM_KEY_END}, "first page, last page", .act = NULL},
	{{SM_KEY_CLICK}, "move, select, sort a list", .act = click},
	{{SM_KEY_ENTER}, "hex view, map", "map", 30, .views = PAGES, .act = toggle_hex},
	{{SM_KEY_ENTER}, "list: go there, or monitor it", "open", 30,
		.views = LIST | PICK},
	{{SM_KEY_TAB}, "window: the page", .views = PAGES, .act = toggle_window,
		.value = 1 << WINDOW_PAGE},
	{{'v', 'V'}, "window: the process's memory", .views = PAGES, .act = toggle_window,
		.value = 1 << WINDOW_VM},
	{{'p', 'P'}, "window: page faults", .views = PAGES, .act = toggle_window,
		.value = 1 << WINDOW_PERF},
	{{'c', 'C'}, "close all windows", .views = PAGES, .act = simple, .value = 'c'},
	{{'+', 'z'}, "zoom: more pages in a cell", .act = NULL},
	{{'-', 'Z'}, "zoom: fewer pages in a cell", .act = NULL},
	{{'[', ']'}, "smallest, largest zoom", .act = NULL},
	{{'a', 'A'}, "all that is there, on and off", .act = NULL},
	{{'e'}, "gaps, or all pages", .act = NULL},
	{{'m'}, "list of mappings", .views = PAGES, .act = simple},
	{{'m'}, .brief = "map", .rank = 40, .views = LIST, .act = simple},
	{{'s', 'r', 'w', 'a'}, "sort: size, RAM, swap, address", .views = LIST},
	{{'r', 'p', 'n'}, "sort: Rss, PID, name", .views = PICK},
	{{'s'}, .brief = "size", .rank = 60, .views = LIST},
	{{'r'}, .brief = "RAM", .rank = 70, .views = LIST},
	{{'w'}, .brief = "swap", .rank = 80, .views = LIST},
	{{'a'}, .brief = "address", .rank = 90, .views = LIST},
	{{'r'}, .brief = "Rss", .rank = 60, .views = PICK},
	{{'p'}, .brief = "PID", .rank = 70, .views = PICK},
	{{'n'}, .brief = "name", .rank = 100, .views = LIST | PICK},
	{{'{', '}'}, "previous, next mapping", .views = PAGES, .act = to_mapping},
	{{',', '.'}, "previous, next page in memory", "page in memory", 40, true, PAGES,
		.act = simple},
	{{'/', SM_KEY_F(3), SM_KEY_F(4)}, "find a name or an address", "find", 50,
		.act = ask_text},
	{{'n', 'N'}, "next, previous match", .views = PAGES | LIST, .act = find_again},
	{{'g'}, "go to an address", .views = PAGES | LIST, .act = ask_text},
	{{'f'}, "follow changes", .views = PAGES, .act = toggle_follow},
	{{' '}, "freeze the display", .views = PAGES, .act = simple},
	{{'d'}, "dirty tracking on and off", .views = PAGES, .act = toggle_dirty},
	{{'t', 'T'}, "ticks: +1, -1", .views = PAGES, .act = change_ticks},
	{{'r', 'R'}, "read in swapped-out pages", .views = PAGES, .act = ask_read_in},
	{{'F'}, "hex view: read in a page", "read in", 60, .views = HEX,
		.act = ask_fault_in},
};

void keys_init(struct screen *s)
{
	s->base.name = "pagemon";
	s->base.own = keys;
	s->base.nown = SM_ARRAY_SIZE(keys);
	s->base.first = first;
}
