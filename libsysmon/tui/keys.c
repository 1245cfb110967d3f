// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <string.h>

#include "tui/keys.h"

#define HELP_WIDTH 40 /* columns of an entry of the help */
#define NAME_SIZE  8
#define NAMES_SIZE (4 * NAME_SIZE)

void sm_keys_add(struct sm_keys *k, const struct sm_key *table, size_t n)
{
	for (size_t i = 0; i < n && k->n < SM_KEYS_MAX; i++)
		k->entry[k->n++] = &table[i];
}

static bool has_key(const struct sm_key *e, int key)
{
	for (size_t i = 0; i < SM_ARRAY_SIZE(e->key) && e->key[i]; i++)
		if (e->key[i] == key)
			return true;
	return false;
}

static bool is_in(const struct sm_key *e, unsigned int view)
{
	return !e->views || !view || e->views & view;
}

const struct sm_key *sm_keys_find(const struct sm_keys *k, int key, unsigned int view)
{
	for (size_t i = 0; i < k->n; i++) {
		const struct sm_key *e = k->entry[i];

		if (e->act && is_in(e, view) && has_key(e, key))
			return e;
	}
	return NULL;
}

/* --- drawing ------------------------------------------------------------------------ */

static const char *name_of(int key, char out[NAME_SIZE])
{
	static const char *const names[] = {"Up", "Down", "Left", "Right", "PgUp", "PgDn",
		"Home", "End", "Enter", "Esc", "Backsp", "Delete", "Tab"};

	if (key >= SM_KEY_UP && key <= SM_KEY_TAB)
		return names[key - SM_KEY_UP];
	if (key >= SM_KEY_F1 && key <= SM_KEY_F12)
		snprintf(out, NAME_SIZE, "F%d", key - SM_KEY_F1 + 1);
	else if (key == SM_KEY_CLICK)
		return "click";
	else if (key == ' ')
		return "space";
	else if (key < ' ')
		snprintf(out, NAME_SIZE, "^%c", key + '@');
	else
		snprintf(out, NAME_SIZE, "%c", key);
	return out;
}

/* Writes the first n keys of an entry with a separator. */
static void names_of(
	const struct sm_key *e, size_t n, const char *separator, char out[NAMES_SIZE])
{
	char name[NAME_SIZE];
	int at = 0;

	for (size_t i = 0; i < n && e->key[i]; i++)
		at += snprintf(out + at, NAMES_SIZE - (size_t)at, "%s%s",
			i ? separator : "", name_of(e->key[i], name));
}

/* Returns the entry with the lowest rank above `rank` that has a text, or NULL. */
static const struct sm_key *next_brief(
	const struct sm_keys *k, unsigned int view, int rank)
{
	const struct sm_key *next = NULL;

	for (size_t i = 0; i < k->n; i++) {
		const struct sm_key *e = k->entry[i];

		if (e->brief && is_in(e, view) && e->rank > rank &&
			(!next || e->rank < next->rank))
			next = e;
	}
	return next;
}

void sm_keys_line(const struct sm_keys *k, struct sm_tui *t, int row, unsigned int view)
{
	const struct sm_key *e = NULL;
	int at = 0;

	while ((e = next_brief(k, view, e ? e->rank : 0))) {
		char names[NAMES_SIZE] = "";

		names_of(e, e->both ? 2 : 1, "", names);
		if (at + (int)(strlen(names) + 1 + strlen(e->brief)) > t->columns)
			return;
		at += sm_tui_printf(t, row, at, SM_TUI_ACCENT, "%s", names) + 1;
		at += sm_tui_printf(t, row, at, SM_TUI_NORMAL, "%s", e->brief) + 2;
	}
}

bool sm_keys_help(const struct sm_keys *k, struct sm_tui *t, const char *tool, int page)
{
	size_t lines = t->rows > 2 ? (size_t)t->rows - 2 : 1;
	size_t across = t->columns > HELP_WIDTH ? (size_t)t->columns / HELP_WIDTH : 1;
	size_t first = (size_t)(page - 1) * lines * across, end = first + lines * across,
	       n = 0;

	sm_tui_fill(t, 0, 0, t->columns, SM_TUI_HEAD);
	(void)sm_tui_printf(t, 0, 0, SM_TUI_HEAD, "%s: keys", tool);
	for (size_t i = 0; i < k->n; i++) {
		const struct sm_key *e = k->entry[i];
		char names[NAMES_SIZE] = "";
		int row, at;

		if (!e->help || n++ < first || n > end)
			continue;
		row = 1 + (int)((n - 1 - first) % lines);
		at = (int)((n - 1 - first) / lines) * HELP_WIDTH;
		names_of(e, SM_ARRAY_SIZE(e->key), " ", names);
		at += sm_tui_printf(t, row, at, SM_TUI_ACCENT, "%9s", names);
		(void)sm_tui_printf(t, row, at + 1, SM_TUI_NORMAL, "%s", e->help);
	}
	(void)sm_tui_printf(t, t->rows - 1, 0, SM_TUI_DIM, "%s",
		end < n ? "any key: more, Esc: close" : "any key closes");
	return end < n;
}
