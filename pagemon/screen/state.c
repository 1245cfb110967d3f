// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "state.h"

bool state_has_pages(const struct screen *s)
{
	return s->in.space && s->in.space->pages;
}

struct rowlist *state_list(struct screen *s)
{
	return s->view == VIEW_MAPPINGS ? &s->mappings.list
	       : s->view == VIEW_PICKER ? &s->picker.list
					: NULL;
}

const struct mapping *state_mapping(const struct screen *s)
{
	if (!state_has_pages(s) || s->cursor >= s->in.space->pages)
		return NULL;
	return space_of_page(s->in.space, s->cursor);
}

void state_set_cursor(struct screen *s, uint64_t ordinal)
{
	if (!state_has_pages(s))
		return;
	if (ordinal >= s->in.space->pages)
		ordinal = s->in.space->pages - 1;
	s->cursor = ordinal;
	s->cursor_address = space_address(s->in.space, ordinal);
	s->hex_byte = 0;
	s->column = 0;
	if (s->layout.width)
		s->column = (unsigned int)(layout_cell_of(&s->layout, ordinal) %
					   s->layout.width);
}

void state_ask(struct screen *s, struct screen_ask ask)
{
	if (s->nasks < SCREEN_ASKS)
		s->asks[s->nasks++] = ask;
}

struct sm_str state_name(const struct mapping *m)
{
	if (!m->name_len)
		return SM_STR("[Anonymous]");
	return (struct sm_str){m->name, m->name_len};
}

/* --- styles and counts -------------------------------------------------------------- */

enum sm_tui_style state_style(char letter)
{
	static const char kinds[] = "PMSDH", parts[] = "pmsdh", dim[] = "ZzGgXx.?~";
	const char *kind = letter ? strchr(kinds, letter) : NULL;
	const char *part = letter ? strchr(parts, letter) : NULL;

	if (kind)
		return SM_TUI_MAP_1 + (enum sm_tui_style)(kind - kinds);
	if (part)
		return SM_TUI_MAP_1_PART + (enum sm_tui_style)(part - parts);
	return letter && strchr(dim, letter) ? SM_TUI_DIM : SM_TUI_NORMAL;
}

const struct counts *state_totals(const struct screen *s)
{
	const struct census *census = s->in.census;
	const struct counts *c = census ? census_total(census) : NULL;

	if (census && !c && census->total.present)
		c = &census->total;
	return c;
}

const struct counts *state_counts(const struct screen *s, size_t i)
{
	return s->in.census ? census_of(s->in.census, &s->in.space->mappings[i]) : NULL;
}
