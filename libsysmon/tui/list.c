// SPDX-License-Identifier: GPL-2.0-or-later
#include "tui/list.h"
#include "tui/tui.h"

void sm_list_set(struct sm_list *l, const uint64_t *keys, size_t n)
{
	l->keys = keys;
	l->n = n;
	l->present = false;
	for (size_t i = 0; l->selected && i < n && !l->present; i++)
		if (keys[i] == l->selected) {
			l->present = true;
			l->at = i;
		}
}

void sm_list_fit(struct sm_list *l, size_t lines)
{
	l->lines = lines;
	if (l->present && l->at < l->top)
		l->top = l->at;
	else if (l->present && l->at >= l->top + lines)
		l->top = l->at - lines + 1;
	if (l->n <= lines)
		l->top = 0;
	else if (l->top > l->n - lines)
		l->top = l->n - lines;
}

void sm_list_select(struct sm_list *l, size_t at)
{
	if (!l->n)
		return;
	l->at = at < l->n ? at : l->n - 1;
	l->selected = l->keys[l->at];
	l->present = true;
}

void sm_list_select_any(struct sm_list *l)
{
	if (!l->selected)
		sm_list_select(l, l->top < l->n ? l->top : 0);
}

void sm_list_unselect(struct sm_list *l)
{
	l->selected = 0;
	l->present = false;
}

static size_t back(size_t at, size_t by)
{
	return at > by ? at - by : 0;
}

/* The first step without a selection selects the first item shown. */
static void step(struct sm_list *l, bool down)
{
	if (!l->selected)
		sm_list_select_any(l);
	else
		sm_list_select(l, down ? l->at + 1 : back(l->at, 1));
}

/* One line of the previous page stays visible. */
static void turn_page(struct sm_list *l, bool down)
{
	size_t from = l->selected ? l->at : l->top, by = l->lines > 1 ? l->lines - 1 : 1;

	sm_list_select(l, down ? from + by : back(from, by));
}

#define WHEEL_LINES 3

/* A selected item at the edge moves along, because it must stay visible. */
static void scroll(struct sm_list *l, bool down)
{
	size_t end = l->n > l->lines ? l->n - l->lines : 0;

	l->top = down ? l->top + WHEEL_LINES : back(l->top, WHEEL_LINES);
	if (l->top > end)
		l->top = end;
	if (l->present && l->at < l->top)
		sm_list_select(l, l->top);
	else if (l->present && l->at >= l->top + l->lines)
		sm_list_select(l, l->top + l->lines - 1);
}

bool sm_list_key(struct sm_list *l, int key)
{
	switch (key) {
	case SM_KEY_WHEEL_UP:
	case SM_KEY_WHEEL_DOWN:
		scroll(l, key == SM_KEY_WHEEL_DOWN);
		return true;
	case SM_KEY_UP:
	case 'k':
		step(l, false);
		return true;
	case SM_KEY_DOWN:
	case 'j':
		step(l, true);
		return true;
	case SM_KEY_PGUP:
	case SM_KEY_PGDN:
		turn_page(l, key == SM_KEY_PGDN);
		return true;
	case SM_KEY_HOME:
		sm_list_select(l, 0);
		return true;
	case SM_KEY_END:
		sm_list_select(l, SIZE_MAX);
		return true;
	default:
		return false;
	}
}
