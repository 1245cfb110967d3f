/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * input: keys from the bytes that a terminal sends.  cli layer.
 *
 * Bytes are passed one by one, so a sequence may be split between reads.  The parser follows ECMA-48: an
 * escape sequence is consumed to its end whether its key is known or not, so its bytes never act as a
 * key.  The sequences of all current terminals are equal in the keys that matter, so terminfo is not used.
 * An unknown key, a key with Alt or another modifier, a report (focus, colour, version) and a bracketed
 * paste yield one SM_KEY_OTHER.
 *
 * An ESC alone is a key; only time shows that nothing follows.  After SM_INPUT_ESC_MS without a byte the
 * caller calls sm_input_idle().  Other unfinished sequences are dropped after SM_INPUT_MAX_NS: Alt+] looks
 * like the beginning of a report, and the keys after it must work again.
 */
#ifndef SM_TUI_INPUT_H
#define SM_TUI_INPUT_H

#include "base/base.h"

#define SM_INPUT_ESC_MS 50
#define SM_INPUT_MAX_NS SM_NSEC_PER_SEC

enum sm_input_state {
	SM_INPUT_GROUND,
	SM_INPUT_UTF8,       /* in a character */
	SM_INPUT_ESC,        /* waits for the byte that shows its meaning */
	SM_INPUT_CSI,
	SM_INPUT_SS3,
	SM_INPUT_MOUSE,      /* ESC [ M, three bytes follow */
	SM_INPUT_STRING,     /* OSC, DCS, APC, PM or SOS */
	SM_INPUT_STRING_ESC, /* ESC in a string */
	SM_INPUT_PASTE,
};

/* A zero-initialised parser is ready; the caller sets utf8. */
struct sm_input {
	enum sm_input_state state;
	bool utf8, alt;
	unsigned int escapes;  /* ESC in a row */
	uint64_t since_ns;     /* start of the sequence; in a paste, time of the last byte */
	char seq[32];          /* the sequence after ESC [ or ESC O, or the character */
	unsigned int n;        /* its length */
	unsigned int need;     /* bytes of the character */
	unsigned char before;  /* previous byte of a string */
	int row, column;       /* of SM_KEY_CLICK */
};

/* Returns a key (enum sm_tui_key), or SM_KEY_NONE if more bytes are needed. */
int sm_input_byte(struct sm_input *in, unsigned char c, uint64_t now_ns);
/* Returns SM_KEY_ESC for an ESC that no byte follows, otherwise SM_KEY_NONE. */
int sm_input_idle(struct sm_input *in);

#endif
