// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "map.h"
#include "pages/sign.h"
#include "proc/maps.h"
#include "format.h"

/* --- the first line ----------------------------------------------------------------- */

#define NAME_MIN \
	12 /* minimum columns of a mapping's name; with less room it is omitted */
#define NAME_MAX 80
#define ITEM_MAX 48

/* Items, in the order of the line. */
enum item {
	I_ADDRESS,
	I_GAP,
	I_ZOOM,
	I_PROT,
	I_DEV,
	I_NAME,
	I_PID,
	I_TWINS,
	I_PRESENT,
	I_SWAP,
	I_FILE,
	I_DIRTY,
	I_PERCENT,
	I_NOTE,
	I_FOLLOW,
	I_STATE,
	ITEMS
};

/* Items that are omitted if there is no room, the first ones first. */
static const uint8_t going[] = {I_PERCENT, I_DEV, I_NOTE, I_TWINS, I_FOLLOW, I_FILE,
	I_DIRTY, I_SWAP, I_NAME, I_PROT, I_PRESENT, I_GAP, I_PID, I_ZOOM, I_STATE};

struct line {
	char text[ITEMS][ITEM_MAX];
	int width[ITEMS]; /* columns, including the space before the item; 0: omitted */
};

static SM_PRINTF(3, 4) void put(struct line *l, enum item i, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(l->text[i], sizeof(l->text[i]), fmt, ap);
	va_end(ap);
	l->width[i] = (int)strlen(l->text[i]) + (i != I_ADDRESS);
}

static void put_size(struct line *l, enum item i, char letter, uint64_t bytes)
{
	char size[FORMAT_SIZE];

	put(l, i, "%c %s", letter, format_size(bytes, size));
}

/* Puts the size of the gap under the cursor, or before the cell under the cursor. */
static void put_gap(const struct screen *s, struct line *l)
{
	const struct layout *map = &s->layout;
	uint64_t cell = layout_cell_of(map, s->cursor);
	const struct layout_part *p;
	struct space_range gap;
	char size[FORMAT_SIZE];

	if (s->view != VIEW_MAP || cell >= map->cells)
		return;
	p = layout_part(map, cell);
	if (!p->gap && (cell != p->cell || p == map->parts))
		return;
	gap = layout_gap(map, p->gap ? p : p - 1);
	put(l, I_GAP, "%s %s", p->gap ? "gap" : "after gap",
		format_size(gap.end - gap.first, size));
}

static void put_page(const struct screen *s, struct line *l)
{
	const struct mapping *m = state_mapping(s);
	uint64_t at;
	char perms[5];

	if (!m) {
		put(l, I_ADDRESS, "Pagemon");
		return;
	}
	at = space_address(s->in.space, s->cursor) +
	     (s->view == VIEW_HEX ? s->hex_byte : 0);
	put(l, I_ADDRESS, "%s0x%016llx", s->base.tui.columns < 30 ? "" : "Pagemon ",
		(unsigned long long)at);
	sm_maps_perms(m->perms, perms);
	put(l, I_PROT, "%s", perms);
	put(l, I_DEV, "%02x:%02x", m->dev_major, m->dev_minor);
	l->width[I_NAME] = NAME_MIN + 1;
	put(l, I_PERCENT, "%5.1f%%",
		100 * (double)s->cursor / (double)s->in.space->pages);
}

static void put_totals(const struct screen *s, struct line *l)
{
	const struct counts *c = state_totals(s);
	uint64_t page = s->in.space ? s->in.space->page_bytes : 0;

	if (!c)
		return;
	put_size(l, I_PRESENT, 'P', c->present * page);
	put_size(l, I_FILE, 'M', c->file * page);
	if (c->swapped)
		put_size(l, I_SWAP, 'S', c->swapped * page);
	if (s->in.dirty_known)
		put_size(l, I_DIRTY, 'D', c->dirty * page);
}

static void put_state(const struct screen *s, struct line *l)
{
	static const char *const states[] = {
		[TARGET_ZOMBIE] = "zombie",
		[TARGET_EXITED] = "exited",
		[TARGET_WAITING] = "waiting for the new program",
		[TARGET_LOST] = "another program",
		[TARGET_KTHREAD] = "kernel thread",
		[TARGET_DENIED] = "not permitted",
	};
	const char *state = s->in.target ? states[s->in.target->state] : NULL;

	if (state || s->frozen)
		put(l, I_STATE, "%s", state ? state : "FROZEN");
	if (s->set.follow)
		put(l, I_FOLLOW, "follow");
	if (s->in.note)
		put(l, I_NOTE, "%s", s->in.note);
	if (s->in.twins > 1)
		put(l, I_TWINS, "1 of %u", s->in.twins);
	if (s->in.target)
		put(l, I_PID, "PID %d", (int)s->in.target->pid);
}

static void put_all(const struct screen *s, struct line *l)
{
	if (s->view == VIEW_PICKER) {
		put(l, I_ADDRESS, "Pagemon: which process?");
		return;
	}
	put_page(s, l);
	put_gap(s, l);
	put(l, I_ZOOM, "Zoom x %-3llu%s", (unsigned long long)s->set.zoom,
		s->set.auto_zoom ? " Auto" : "");
	put_totals(s, l);
	put_state(s, l);
}

/* Omits items that do not fit.  Returns the remaining columns, which the name gets. */
static int fit(struct line *l, int columns)
{
	for (size_t i = 0; i < ITEMS; i++)
		columns -= l->width[i];
	for (size_t i = 0; i < SM_ARRAY_SIZE(going) && columns < 0; i++) {
		columns += l->width[going[i]];
		l->width[going[i]] = 0;
	}
	return columns;
}

static int draw_name(struct screen *s, int at, int width)
{
	const struct mapping *m = state_mapping(s);

	sm_buf_reset(&s->name);
	format_name(&s->name, state_name(m), (unsigned int)width, s->base.tui.utf8);
	sm_tui_put(&s->base.tui, 0, at, width, SM_TUI_HEAD, s->name.p, s->name.len);
	return (int)sm_text_width(s->name.p, s->name.len);
}

void title_draw(struct screen *s)
{
	int columns = s->base.tui.columns, at = 0, spare;
	struct line l = {0};

	put_all(s, &l);
	spare = fit(&l, columns);
	if (spare > NAME_MAX - NAME_MIN)
		spare = NAME_MAX - NAME_MIN;
	sm_tui_fill(&s->base.tui, 0, 0, columns, SM_TUI_HEAD);
	for (int i = 0; i < ITEMS; i++) {
		if (!l.width[i])
			continue;
		at += i != I_ADDRESS;
		if (i == I_NAME)
			at += draw_name(s, at, NAME_MIN + spare);
		else
			sm_tui_put(&s->base.tui, 0, at, columns,
				i == I_STATE || i == I_NOTE ? SM_TUI_WARN : SM_TUI_HEAD,
				l.text[i], strlen(l.text[i]));
		at += i == I_NAME ? 0 : (int)strlen(l.text[i]);
	}
}

/* --- the last line ------------------------------------------------------------------ */

static int last_row(const struct screen *s)
{
	return s->base.tui.rows - 1;
}

/* An item of the legend; text "": it is omitted. */
struct letter {
	const char *sign, *text;
};

static void draw_letters(struct screen *s, int at, const struct letter *list, size_t n)
{
	struct sm_tui *t = &s->base.tui;

	for (size_t i = 0; i < n; i++) {
		const char *sign = list[i].sign, *text = list[i].text;
		int width = (int)sm_text_width(sign, strlen(sign));

		if (!*text)
			continue;
		if (at + width + 1 + (int)strlen(text) > t->columns)
			return;
		at += sm_tui_put(t, last_row(s), at, width, state_style(sign[0]), sign,
			strlen(sign));
		at += sm_tui_printf(t, last_row(s), at, SM_TUI_NORMAL, " %s ", text);
	}
}

/* Returns the explanation of dirty pages; "": the kernel does not track them. */
static const char *dirty_text(const struct screen *s, char *text, size_t cap)
{
	double period = (double)s->set.ticks * (double)s->set.interval_ns /
			(double)SM_NSEC_PER_SEC;

	if (!s->in.dirty_known)
		return "";
	if (!s->set.dirty)
		return "Dirty";
	snprintf(text, cap, "in %.1fs", period);
	return text;
}

/* Draws the size of a cell, and the progress of reading the cells.  Returns the column
 * after them. */
static int draw_zoom(struct screen *s)
{
	uint64_t bytes = s->in.space ? s->in.space->page_bytes * s->set.zoom : 0;
	struct sm_tui *t = &s->base.tui;
	char size[FORMAT_SIZE];
	int at;

	at = t->columns < 60 ? sm_tui_printf(t, last_row(s), 0, SM_TUI_NORMAL, "%s ",
				       format_size(bytes, size))
			     : sm_tui_printf(t, last_row(s), 0, SM_TUI_NORMAL,
				       "1 cell = %s  ", format_iec(bytes, size));
	if (s->marks.unknown && s->in.cells)
		at += sm_tui_printf(t, last_row(s), at, SM_TUI_WARN, "scanned %d %%  ",
			(int)(100 * cells_progress(s->in.cells)));
	return at;
}

static void draw_legend(struct screen *s)
{
	char dirty[40], steps[8];
	bool part = s->set.zoom > 1;
	const struct counts *c = state_totals(s);
	const struct letter letters[] = {{steps, part ? "part" : ""},
		{map_gap(s), s->layout.n > 1 ? "gap" : ""}, {".", part ? "" : "none"},
		{"P", "RAM"}, {"M", "File"}, {"S", "Swap"},
		{"D", dirty_text(s, dirty, sizeof(dirty))}, {"H", "Huge"}, {"Z", "Zero"},
		{"G", "Guard"}, {"X", c && (c->other || c->hidden) ? "Other" : ""},
		{".", part ? "none" : ""}, {"?", "unknown"}};

	snprintf(
		steps, sizeof(steps), "%s%s", map_step(s, 1), map_step(s, SIGN_FULL - 1));
	draw_letters(s, draw_zoom(s), letters, SM_ARRAY_SIZE(letters));
}

void title_draw_last(struct screen *s)
{
	const char *text = s->question_text[0] ? s->question_text : s->base.message;
	int row = last_row(s), columns = s->base.tui.columns;

	if (*text)
		sm_tui_text(&s->base.tui, row, 0, columns, SM_TUI_WARN, text,
			format_fit(text, strlen(text), columns));
	else if (s->in.reading)
		sm_tui_printf(&s->base.tui, row, 0, SM_TUI_WARN,
			"reading in: %llu of %llu pages, Esc stops",
			(unsigned long long)s->in.read_pages,
			(unsigned long long)s->in.read_all);
	else if (s->view == VIEW_MAP)
		draw_legend(s);
	else
		sm_keys_line(&s->base.keys, &s->base.tui, row, 1U << s->view);
}
