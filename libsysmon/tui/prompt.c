// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "base/text.h"
#include "tui/prompt.h"

#define CTRL_U 0x15

void sm_prompt_open(struct sm_prompt *p, const char *title, const char *hint)
{
	*p = (struct sm_prompt){.title = title, .hint = hint};
}

/* --- editing ----------------------------------------------------------------------- */

static bool continues(const struct sm_prompt *p, size_t at)
{
	return ((unsigned char)p->text[at] & 0xc0) == 0x80;
}

static size_t char_before(const struct sm_prompt *p)
{
	size_t at = p->cursor;

	if (at > 0)
		at--;
	while (at > 0 && continues(p, at))
		at--;
	return at;
}

static size_t char_after(const struct sm_prompt *p)
{
	size_t at = p->cursor;

	if (at < p->n)
		at++;
	while (at < p->n && continues(p, at))
		at++;
	return at;
}

/* Removes [from, to) and moves the cursor there. */
static void cut(struct sm_prompt *p, size_t from, size_t to)
{
	memmove(p->text + from, p->text + to, p->n - to + 1);
	p->n -= to - from;
	p->cursor = from;
}

static size_t encode(uint32_t cp, char out[4])
{
	size_t n = cp < 0x80 ? 1 : cp < 0x800 ? 2 : cp < 0x10000 ? 3 : 4;
	static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};

	for (size_t i = n - 1; i > 0; i--, cp >>= 6)
		out[i] = (char)(0x80 | (cp & 0x3f));
	out[0] = (char)(lead[n] | cp);
	return n;
}

static void insert(struct sm_prompt *p, int key)
{
	char c[4];
	size_t n;

	if (key <= 0 || key > 0x10ffff || !sm_text_printable((uint32_t)key))
		return;
	n = encode((uint32_t)key, c);
	if (p->n + n > SM_PROMPT_MAX)
		return;
	memmove(p->text + p->cursor + n, p->text + p->cursor, p->n - p->cursor + 1);
	memcpy(p->text + p->cursor, c, n);
	p->n += n;
	p->cursor += n;
}

static void edit(struct sm_prompt *p, int key)
{
	switch (key) {
	case SM_KEY_LEFT:
		p->cursor = char_before(p);
		break;
	case SM_KEY_RIGHT:
		p->cursor = char_after(p);
		break;
	case SM_KEY_HOME:
		p->cursor = 0;
		break;
	case SM_KEY_END:
		p->cursor = p->n;
		break;
	case SM_KEY_BACKSPACE:
		cut(p, char_before(p), p->cursor);
		break;
	case SM_KEY_DELETE:
		cut(p, p->cursor, char_after(p));
		break;
	case CTRL_U:
		cut(p, 0, p->n);
		break;
	default:
		insert(p, key);
	}
}

enum sm_prompt_state sm_prompt_key(struct sm_prompt *p, int key)
{
	if (key != SM_KEY_ENTER && key != SM_KEY_ESC) {
		edit(p, key);
		return SM_PROMPT_EDITING;
	}
	p->title = NULL;
	return key == SM_KEY_ENTER ? SM_PROMPT_ENTERED : SM_PROMPT_CANCELLED;
}

/* --- drawing ----------------------------------------------------------------------- */

void sm_prompt_draw(const struct sm_prompt *p, struct sm_tui *t, int row)
{
	int at = sm_tui_printf(t, row, 0, SM_TUI_BOLD, "%s", p->title);
	int room = t->columns - at - 1;
	size_t from = 0, next = char_after(p);
	bool at_end = next == p->cursor;
	uint32_t cp;

	while (from < p->cursor &&
		(int)sm_text_width(p->text + from, p->cursor - from) > room) {
		int len = sm_text_decode(p->text + from, p->text + p->cursor, &cp);

		from += len > 0 ? (size_t)len : 1;
	}
	at += sm_tui_put(
		t, row, at, room, SM_TUI_NORMAL, p->text + from, p->cursor - from);
	at += sm_tui_put(t, row, at, 2, SM_TUI_SELECTED,
		at_end ? " " : p->text + p->cursor, at_end ? 1 : next - p->cursor);
	(void)sm_tui_put(
		t, row, at, t->columns, SM_TUI_NORMAL, p->text + next, p->n - next);
	if (!p->n)
		(void)sm_tui_text(t, row, at + 1, t->columns - at - 1, SM_TUI_DIM,
			p->hint, strlen(p->hint));
}
