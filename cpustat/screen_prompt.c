// SPDX-License-Identifier: GPL-2.0-or-later
/* The line where filters are typed. */
#include <stdio.h>
#include <string.h>

#include "opt_value.h"
#include "screen_priv.h"
#include "text.h"

#define CTRL_U 0x15

/* --- what it begins with, and what becomes of it
 * ----------------------------------------- */

/* The users of the filter, as the option takes them. */
static void list_users(struct screen *s)
{
	const struct sm_opt_list *l = &s->opts->uids;

	sm_buf_reset(&s->scratch);
	for (unsigned int i = 0; i < l->n; i++) {
		if (i)
			sm_buf_chr(&s->scratch, ',');
		sm_buf_str(&s->scratch, sm_user_name(s->users, l->v[i]));
	}
}

void prompt_open(struct screen *s, enum screen_prompt_kind kind)
{
	struct screen_prompt *p = &s->prompt;

	sm_buf_reset(&s->scratch);
	if (kind == PROMPT_USER)
		list_users(s);
	else
		sm_buf_str(&s->scratch, s->name_text);
	p->kind = kind;
	p->n = s->scratch.len <= SCREEN_PROMPT_MAX ? s->scratch.len : 0;
	if (p->n)
		memcpy(p->text, s->scratch.p, p->n);
	p->text[p->n] = '\0';
	p->cursor = p->n;
}

/* A plain word is looked for anywhere in the name. */
static void accept_name(struct screen *s)
{
	const struct screen_prompt *p = &s->prompt;
	bool plain = !strpbrk(p->text, "*?[");

	memcpy(s->name_text, p->text, p->n + 1);
	snprintf(s->glob, sizeof(s->glob), plain ? "*%s*" : "%s", p->text);
	s->opts->name_glob = p->n ? s->glob : NULL;
}

static bool accept_users(struct screen *s)
{
	const struct screen_prompt *p = &s->prompt;
	struct sm_opt_list list = {0};
	int err = 0;

	sm_buf_reset(&s->scratch);
	if (p->n)
		err = sm_opt_users(p->text, &list, &s->scratch);
	if (err) {
		snprintf(s->message, sizeof(s->message), "%.*s", (int)s->scratch.len,
			s->scratch.p ? s->scratch.p : "");
		return false;
	}
	s->opts->uids = list;
	return true;
}

static enum screen_wish accept(struct screen *s)
{
	bool taken = true;

	if (s->prompt.kind == PROMPT_NAME)
		accept_name(s);
	else
		taken = accept_users(s);
	s->prompt.kind = PROMPT_NONE;
	return taken ? SCREEN_REARRANGE : SCREEN_REDRAW;
}

/* --- editing
 * ----------------------------------------------------------------------------- */

static size_t char_before(const struct screen_prompt *p)
{
	size_t at = p->cursor;

	if (at > 0)
		at--;
	while (at > 0 && ((unsigned char)p->text[at] & 0xc0) == 0x80)
		at--;
	return at;
}

static size_t char_after(const struct screen_prompt *p)
{
	size_t at = p->cursor;

	if (at < p->n)
		at++;
	while (at < p->n && ((unsigned char)p->text[at] & 0xc0) == 0x80)
		at++;
	return at;
}

/* [from, to) goes, the cursor stands there. */
static void cut(struct screen_prompt *p, size_t from, size_t to)
{
	memmove(p->text + from, p->text + to, p->n - to + 1);
	p->n -= to - from;
	p->cursor = from;
}

static size_t encode(uint32_t cp, char *out)
{
	if (cp < 0x80) {
		out[0] = (char)cp;
		return 1;
	}
	if (cp < 0x800) {
		out[0] = (char)(0xc0 | cp >> 6);
		out[1] = (char)(0x80 | (cp & 0x3f));
		return 2;
	}
	if (cp < 0x10000) {
		out[0] = (char)(0xe0 | cp >> 12);
		out[1] = (char)(0x80 | (cp >> 6 & 0x3f));
		out[2] = (char)(0x80 | (cp & 0x3f));
		return 3;
	}
	out[0] = (char)(0xf0 | cp >> 18);
	out[1] = (char)(0x80 | (cp >> 12 & 0x3f));
	out[2] = (char)(0x80 | (cp >> 6 & 0x3f));
	out[3] = (char)(0x80 | (cp & 0x3f));
	return 4;
}

static void insert(struct screen_prompt *p, int key)
{
	char c[4];
	size_t n;

	if (key <= 0 || key > 0x10ffff || !sm_text_printable((uint32_t)key))
		return;
	n = encode((uint32_t)key, c);
	if (p->n + n > SCREEN_PROMPT_MAX)
		return;
	memmove(p->text + p->cursor + n, p->text + p->cursor, p->n - p->cursor + 1);
	memcpy(p->text + p->cursor, c, n);
	p->n += n;
	p->cursor += n;
}

static void edit(struct screen_prompt *p, int key)
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

enum screen_wish prompt_key(struct screen *s, int key)
{
	if (key == SM_KEY_ENTER)
		return accept(s);
	if (key == SM_KEY_ESC)
		s->prompt.kind = PROMPT_NONE;
	else
		edit(&s->prompt, key);
	return SCREEN_REDRAW;
}

/* --- drawing
 * ----------------------------------------------------------------------------- */

/* The part around the cursor, where all of it is too long. */
void prompt_draw(struct screen *s, int row)
{
	const struct screen_prompt *p = &s->prompt;
	const char *title = p->kind == PROMPT_NAME ? "Name: " : "User: ";
	int at = sm_tui_printf(&s->tui, row, 0, SM_TUI_BOLD, "%s", title);
	int room = s->tui.columns - at - 1;
	size_t from = 0, next = char_after(p);
	const char *under = next > p->cursor ? p->text + p->cursor : " ";

	while (from < p->cursor &&
		(int)sm_text_width(p->text + from, p->cursor - from) > room) {
		uint32_t cp;
		int len = sm_utf8_decode(p->text + from, p->text + p->cursor, &cp);

		from += len > 0 ? (size_t)len : 1;
	}
	at += sm_tui_put(
		&s->tui, row, at, room, SM_TUI_NORMAL, p->text + from, p->cursor - from);
	at += sm_tui_put(&s->tui, row, at, 2, SM_TUI_SELECTED, under,
		next > p->cursor ? next - p->cursor : 1);
	(void)sm_tui_put(&s->tui, row, at, s->tui.columns, SM_TUI_NORMAL, p->text + next,
		p->n - next);
}
