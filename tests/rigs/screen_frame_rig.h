/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * screen_frame_rig: what the screens of cpustat and eventstat have in common on a pseudo-terminal.  A tool's
 * rig defines open_screen(), which calls frame_open() first.
 */
#ifndef SCREEN_FRAME_RIG_H
#define SCREEN_FRAME_RIG_H

#include <locale.h>

#include "screen/screen.h" /* the tool's */
#include "tui_rig.h"

#define MANY 1500

static struct screen *scr;
static struct opts opts;
static struct sm_ids users;
static struct sm_strpool *names;

static inline void frame_open(int columns, int rows)
{
	rig_open(columns, rows);
	ck_assert_int_eq(setenv("TZ", "UTC", 1), 0);
	opts = opts_default;
	ck_assert_int_eq(sm_ids_init(&users), 0);
	ck_assert_int_eq(sm_strpool_new(&names, 1 << 16), 0);
}

static inline void open_screen(int columns, int rows);

static inline void setup(void)
{
	open_screen(80, 24);
}

static inline void teardown(void)
{
	screen_close(scr);
	scr = NULL;
	ck_assert_uint_eq(sm_strpool_count(names), 0); /* each reference was given back */
	sm_strpool_free(names);
	sm_ids_fini(&users);
	rig_drain();
	rig_close();
	setlocale(LC_CTYPE, "C");
}

static inline void draw(void)
{
	sm_screen_draw(&scr->base);
	rig_drain();
}

/* Each help fits its column, each text of the last line has its own rank, and each key acts.  All screens of
 * samples have the common keys. */
static inline void check_keys(void)
{
	static const int common[] = {'q', 'h', '?', '/', 'f', 'u', 'p', 'z', 'Z', 'G', 'H', 'c', 'l', 's',
		'd', 'P', 'N', 'M', '<', '>', '+', '-', ' ', 'j', 'k', SM_KEY_F1, SM_KEY_F1 + 2,
		SM_KEY_F1 + 3, SM_KEY_F1 + 5, SM_KEY_F1 + 8, SM_KEY_F1 + 9, SM_KEY_ENTER, SM_KEY_ESC,
		SM_KEY_CLICK, SM_KEY_WHEEL_UP, SM_KEY_WHEEL_DOWN, SM_KEY_HOME, SM_KEY_PGDN, 0x0c};
	const struct sm_keys *k = &scr->base.keys;

	for (size_t i = 0; i < SM_ARRAY_SIZE(common); i++)
		ck_assert_msg(sm_keys_find(k, common[i], 0) != NULL, "key %x", (unsigned int)common[i]);
	ck_assert_uint_lt(k->n, SM_KEYS_MAX);
	for (size_t i = 0; i < k->n; i++) {
		const struct sm_key *e = k->entry[i];

		ck_assert_ptr_nonnull(e->act);
		ck_assert_msg(!e->help || strlen(e->help) <= 30, "%s", e->help);
		for (size_t j = 0; j < i; j++)
			ck_assert_msg(!e->brief || e->rank != k->entry[j]->rank, "%s", e->brief);
		for (int n = 0; n < 4 && e->key[n]; n++)
			ck_assert_ptr_eq(sm_keys_find(k, e->key[n], 0), e);
	}
}

#endif
