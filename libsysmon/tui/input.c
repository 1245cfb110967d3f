// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "base/text.h"
#include "tui/input.h"
#include "tui/tui.h"

#define ESC 0x1b
#define BEL 0x07
#define ST8 0x9c /* string terminator as one byte */

static int finish(struct sm_input *in, int key)
{
	bool alt = in->alt;

	in->state = SM_INPUT_GROUND;
	in->alt = false;
	in->escapes = 0;
	return alt ? SM_KEY_OTHER : key;
}

static int enter(struct sm_input *in, enum sm_input_state state)
{
	in->state = state;
	in->n = 0;
	in->before = 0;
	return SM_KEY_NONE;
}

/* Drops the end of a long sequence, which then equals no known one. */
static void collect(struct sm_input *in, unsigned char c)
{
	if (in->n < sizeof(in->seq) - 1)
		in->seq[in->n++] = (char)c;
	in->seq[in->n] = '\0';
}

/* --- characters --------------------------------------------------------------------- */

static int control_key(unsigned char c)
{
	switch (c) {
	case '\r':
	case '\n':
		return SM_KEY_ENTER;
	case '\t':
		return SM_KEY_TAB;
	case 0x08:
	case 0x7f:
		return SM_KEY_BACKSPACE;
	default:
		return c ? c : SM_KEY_OTHER;
	}
}

/* Maps a byte of a locale with one byte per character. */
static int locale_key(unsigned char c)
{
	wint_t wide = btowc(c);

	return wide == WEOF ? SM_KEY_OTHER : (int)wide;
}

/* --- sequences ---------------------------------------------------------------------- */

/* Returns the key of a complete sequence after ESC [ or ESC O.  Those that begin with [
 * are the Linux console's. */
static int known_key(const struct sm_input *in)
{
	static const struct {
		char seq[4];
		int key;
	} known[] = {{"A", SM_KEY_UP}, {"B", SM_KEY_DOWN}, {"C", SM_KEY_RIGHT},
		{"D", SM_KEY_LEFT}, {"H", SM_KEY_HOME}, {"F", SM_KEY_END},
		{"M", SM_KEY_ENTER}, {"1~", SM_KEY_HOME}, {"3~", SM_KEY_DELETE},
		{"4~", SM_KEY_END}, {"5~", SM_KEY_PGUP}, {"6~", SM_KEY_PGDN},
		{"7~", SM_KEY_HOME}, {"8~", SM_KEY_END}, {"P", SM_KEY_F(1)},
		{"Q", SM_KEY_F(2)}, {"R", SM_KEY_F(3)}, {"S", SM_KEY_F(4)},
		{"[A", SM_KEY_F(1)}, {"[B", SM_KEY_F(2)}, {"[C", SM_KEY_F(3)},
		{"[D", SM_KEY_F(4)}, {"[E", SM_KEY_F(5)}, {"11~", SM_KEY_F(1)},
		{"12~", SM_KEY_F(2)}, {"13~", SM_KEY_F(3)}, {"14~", SM_KEY_F(4)},
		{"15~", SM_KEY_F(5)}, {"17~", SM_KEY_F(6)}, {"18~", SM_KEY_F(7)},
		{"19~", SM_KEY_F(8)}, {"20~", SM_KEY_F(9)}, {"21~", SM_KEY_F(10)},
		{"23~", SM_KEY_F(11)}, {"24~", SM_KEY_F(12)}};

	for (size_t i = 0; i < SM_ARRAY_SIZE(known); i++)
		if (strcmp(in->seq, known[i].seq) == 0)
			return known[i].key;
	return SM_KEY_OTHER;
}

static int mouse_key(struct sm_input *in, unsigned long button, unsigned long column,
	unsigned long row)
{
	button &= ~0x1cUL; /* Shift, Alt and Ctrl */
	if (!column || !row)
		return SM_KEY_OTHER;
	if (button == 64)
		return SM_KEY_WHEEL_UP;
	if (button == 65)
		return SM_KEY_WHEEL_DOWN;
	if (button)
		return SM_KEY_OTHER;
	in->row = (int)row - 1;
	in->column = (int)column - 1;
	return SM_KEY_CLICK;
}

/* Parses the report "<BUTTON;COLUMN;ROWM" of a pressed button. */
static int sgr_mouse_key(struct sm_input *in)
{
	unsigned long v[3] = {0};
	char *p = in->seq;

	for (int i = 0; i < 3; i++) {
		v[i] = strtoul(p + 1, &p, 10);
		if (*p != (i < 2 ? ';' : 'M') || v[i] > 0xffff)
			return SM_KEY_OTHER;
	}
	return mouse_key(in, v[0], v[1], v[2]);
}

static int csi(struct sm_input *in, unsigned char c)
{
	bool first = !in->n;

	if (first && c == 'M' && !in->alt)
		return enter(in, SM_INPUT_MOUSE);
	collect(in, c);
	if (c < 0x40 || (first && c == '['))
		return SM_KEY_NONE;
	if (strcmp(in->seq, "200~") == 0)
		return enter(in, SM_INPUT_PASTE);
	return finish(in, in->seq[0] == '<' ? sgr_mouse_key(in) : known_key(in));
}

/* Digits are modifiers; the letters j to y are the keypad's characters. */
static int ss3(struct sm_input *in, unsigned char c)
{
	bool keypad = !in->n && c >= 'j' && c <= 'y';

	collect(in, c);
	if (c < 0x40)
		return SM_KEY_NONE;
	return finish(in, keypad ? c - 0x40 : known_key(in));
}

static int mouse(struct sm_input *in, unsigned char c)
{
	const unsigned char *v = (const unsigned char *)in->seq;

	collect(in, c);
	if (in->n < 3)
		return SM_KEY_NONE;
	if (v[0] < 32 || v[1] < 32 || v[2] < 32)
		return finish(in, SM_KEY_OTHER);
	return finish(in, mouse_key(in, v[0] - 32U, v[1] - 32U, v[2] - 32U));
}

/* In UTF-8, ST as one byte or as a character differs from the end of another character by
 * the byte before it. */
static int string(struct sm_input *in, unsigned char c)
{
	bool ends = c == ST8 && (!in->utf8 || in->before < 0x80 || in->before == 0xc2);

	in->before = c;
	if (c == BEL || ends)
		return finish(in, SM_KEY_OTHER);
	if (c == ESC)
		in->state = SM_INPUT_STRING_ESC;
	return SM_KEY_NONE;
}

/* The end is found in the last six bytes. */
static int paste(struct sm_input *in, unsigned char c, uint64_t now_ns)
{
	static const char end[] = "\033[201~";

	in->since_ns = now_ns;
	if (in->n == sizeof(end) - 1)
		memmove(in->seq, in->seq + 1, --in->n);
	collect(in, c);
	if (in->n == sizeof(end) - 1 && memcmp(in->seq, end, in->n) == 0)
		return finish(in, SM_KEY_OTHER);
	return SM_KEY_NONE;
}

/* --- the first byte ----------------------------------------------------------------- */

static int ground(struct sm_input *in, unsigned char c);

/* c: the byte after ESC, or a C1 control minus 0x40. */
static int after_escape(struct sm_input *in, unsigned char c)
{
	in->alt = in->escapes > 1;
	in->escapes = 0;
	switch (c) {
	case '[':
		return enter(in, SM_INPUT_CSI);
	case 'O':
		return enter(in, SM_INPUT_SS3);
	case ']':
	case 'P':
	case '_':
	case '^':
	case 'X':
		return enter(in, SM_INPUT_STRING);
	default:
		in->alt = true;
		return ground(in, c);
	}
}

static int c1(struct sm_input *in, unsigned char c)
{
	in->escapes = in->alt ? 2 : 1;
	return after_escape(in, c - 0x40);
}

static int utf8(struct sm_input *in, unsigned char c)
{
	uint32_t cp = 0;

	if ((c & 0xc0) != 0x80) {
		(void)finish(in, 0);
		return ground(in, c);
	}
	collect(in, c);
	if (in->n < in->need)
		return SM_KEY_NONE;
	if (sm_text_decode(in->seq, in->seq + in->n, &cp) != (int)in->n)
		return finish(in, SM_KEY_OTHER);
	return cp < 0xa0 ? c1(in, (unsigned char)cp) : finish(in, (int)cp);
}

static int ground(struct sm_input *in, unsigned char c)
{
	if (c == ESC) {
		in->alt = false;
		in->escapes++;
		return enter(in, SM_INPUT_ESC);
	}
	if (c < 0x20 || c == 0x7f)
		return finish(in, control_key(c));
	if (c < 0x80)
		return finish(in, c);
	if (c < 0xa0)
		return c1(in, c);
	if (!in->utf8)
		return finish(in, locale_key(c));
	if (c < 0xc2 || c > 0xf4)
		return finish(in, SM_KEY_OTHER);
	(void)enter(in, SM_INPUT_UTF8);
	in->need = c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
	collect(in, c);
	return SM_KEY_NONE;
}

/* Returns whether a byte ends a sequence early: a control, or a byte beyond ASCII. */
static bool breaks(unsigned char c)
{
	return c < 0x20 || c >= 0x7f;
}

int sm_input_byte(struct sm_input *in, unsigned char c, uint64_t now_ns)
{
	if (in->state != SM_INPUT_GROUND && now_ns - in->since_ns > SM_INPUT_MAX_NS)
		(void)finish(in, 0);
	if (in->state == SM_INPUT_GROUND)
		in->since_ns = now_ns;
	if ((in->state == SM_INPUT_CSI || in->state == SM_INPUT_SS3) && breaks(c))
		(void)finish(in, 0);
	switch (in->state) {
	case SM_INPUT_UTF8:
		return utf8(in, c);
	case SM_INPUT_ESC:
		return c == ESC ? ground(in, c) : after_escape(in, c);
	case SM_INPUT_CSI:
		return csi(in, c);
	case SM_INPUT_SS3:
		return ss3(in, c);
	case SM_INPUT_MOUSE:
		return mouse(in, c);
	case SM_INPUT_STRING:
		return string(in, c);
	case SM_INPUT_STRING_ESC:
		in->escapes = 1;
		return c == '\\' ? finish(in, SM_KEY_OTHER) : after_escape(in, c);
	case SM_INPUT_PASTE:
		return paste(in, c, now_ns);
	default:
		return ground(in, c);
	}
}

/* Each of several ESC in a row is a key: Esc was pressed quickly. */
int sm_input_idle(struct sm_input *in)
{
	if (in->state != SM_INPUT_ESC)
		return SM_KEY_NONE;
	if (--in->escapes == 0)
		in->state = SM_INPUT_GROUND;
	return SM_KEY_ESC;
}
