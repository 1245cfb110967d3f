// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <string.h>

#include "search.h"

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool begins(const char *p, struct sm_str part)
{
	for (size_t i = 0; i < part.n; i++)
		if (lower(p[i]) != lower(part.p[i]))
			return false;
	return true;
}

bool search_in(struct sm_str text, struct sm_str part)
{
	for (size_t i = 0; i + part.n <= text.n; i++)
		if (begins(text.p + i, part))
			return true;
	return false;
}

static int digit(char c)
{
	c = lower(c);
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool search_address(const char *text, uint64_t *out)
{
	uint64_t v = 0;

	if (text[0] == '0' && lower(text[1]) == 'x')
		text += 2;
	if (!*text || strlen(text) > 16)
		return false;
	for (; *text; text++) {
		if (digit(*text) < 0)
			return false;
		v = v << 4 | (unsigned int)digit(*text);
	}
	*out = v;
	return true;
}

/* --- names -------------------------------------------------------------------------- */

void search_next(struct screen *s, bool forward)
{
	const struct space *space = s->in.space;
	const struct mapping *from = state_mapping(s);
	struct sm_str part = {s->find, strlen(s->find)};
	size_t at, n;

	if (!from)
		return;
	n = space->n;
	at = (size_t)(from - space->mappings);
	for (size_t i = 1; i <= n; i++) {
		size_t k = (forward ? at + i : at + n - i) % n;

		if (!search_in(state_name(&space->mappings[k]), part))
			continue;
		if (i == n)
			(void)sm_screen_say(&s->base, "no other mapping has that name");
		else if (forward ? k < at : k > at)
			(void)sm_screen_say(&s->base, "the search wrapped around");
		state_set_cursor(s, space->mappings[k].first);
		return;
	}
	(void)sm_screen_say(&s->base, "no mapping has \"%s\" in its name", s->find);
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
		(void)sm_screen_say(&s->base, "nothing is mapped there or above");
		return;
	}
	if (!is_mapped(space, address))
		(void)sm_screen_say(
			&s->base, "not mapped; this is the next mapping above");
	state_set_cursor(s, ordinal);
	if (is_mapped(space, address))
		s->hex_byte = address % space->page_bytes;
}

void search_goto(struct screen *s, const char *text)
{
	uint64_t address;

	if (!*text || !state_has_pages(s))
		return;
	if (search_address(text, &address))
		to_address(s, address);
	else
		(void)sm_screen_say(&s->base, "not a hexadecimal address: %s", text);
}

void search_find(struct screen *s, const char *text)
{
	bool prefixed = text[0] == '0' && lower(text[1]) == 'x';
	uint64_t address;

	if (!*text || !state_has_pages(s))
		return;
	if (search_address(text, &address) &&
		(prefixed || is_mapped(s->in.space, address))) {
		to_address(s, address);
		return;
	}
	snprintf(s->find, sizeof(s->find), "%s", text);
	search_next(s, true);
}
