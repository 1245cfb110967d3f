// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "move.h"
#include "proc/taskname.h"

static bool has_prefix(const char *text)
{
	return text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
}

bool search_address(const char *text, uint64_t *out)
{
	size_t n;

	if (has_prefix(text))
		text += 2;
	n = strspn(text, "0123456789abcdefABCDEF");
	if (!n || n > 16 || text[n])
		return false;
	*out = strtoull(text, NULL, 16);
	return true;
}

/* --- names -------------------------------------------------------------------------- */

void search_next(struct screen *s, bool forward)
{
	const struct space *space = s->in.space;
	const struct mapping *from = state_mapping(s);
	size_t at, n;

	if (!from)
		return;
	n = space->n;
	at = (size_t)(from - space->mappings);
	for (size_t i = 1; i <= n; i++) {
		size_t k = (forward ? at + i : at + n - i) % n;

		if (!sm_taskname_has(
			    s->find, state_name(&space->mappings[k]), SM_STR("")))
			continue;
		if (i == n)
			(void)screen_say(s, "no other mapping has that name");
		else if (forward ? k < at : k > at)
			(void)screen_say(s, "the search wrapped around");
		state_set_cursor(s, space->mappings[k].first);
		return;
	}
	(void)screen_say(s, "no mapping has \"%s\" in its name", s->find);
}

/* --- addresses ---------------------------------------------------------------------- */

static bool is_mapped(const struct space *s, uint64_t address)
{
	const struct mapping *m = space_at_or_above(s, address);

	return m && m->start <= address;
}

static void to_address(struct screen *s, uint64_t address)
{
	const struct space *space = s->in.space;
	uint64_t ordinal = space_ordinal(space, address);

	if (ordinal >= space->pages) {
		(void)screen_say(s, "nothing is mapped there or above");
		return;
	}
	state_set_cursor(s, ordinal);
	if (is_mapped(space, address))
		s->hex_byte = address % space->page_bytes;
	else
		(void)screen_say(s, "not mapped; this is the next mapping above");
}

void search_goto(struct screen *s, const char *text)
{
	uint64_t address;

	if (search_address(text, &address))
		to_address(s, address);
	else
		(void)screen_say(s, "not a hexadecimal address: %s", text);
}

void search_find(struct screen *s, const char *text)
{
	uint64_t address;

	if (search_address(text, &address) &&
		(has_prefix(text) || is_mapped(s->in.space, address))) {
		to_address(s, address);
		return;
	}
	snprintf(s->find, sizeof(s->find), "%s", text);
	search_next(s, true);
}
