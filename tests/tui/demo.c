// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * demo: a screen with everything that tui.h can draw, for tests/t/suite/screen.sh.
 *
 * Keys: q closes and exits, x calls exit(3) without closing, a aborts, s reads through a
 * null pointer, o overflows the stack; the first line names any other key.  SIGINT ends
 * the loop with status 0; tui handles other signals.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/loop.h"
#include "cli/tty.h"
#include "tui/tui.h"

#define LIT(s) (s), sizeof(s) - 1

struct demo {
	struct sm_tui tui;
	struct sm_loop loop;
	int last_key;
	unsigned int draws;
	bool quit;
};

static const char *key_name(int key)
{
	static const char *const names[] = {"UP", "DOWN", "LEFT", "RIGHT", "PGUP", "PGDN",
		"HOME", "END", "ENTER", "ESC", "BACKSPACE", "DELETE", "TAB"};
	static char code[16];

	if (key == SM_KEY_NONE)
		return "NONE";
	if (key >= SM_KEY_F1)
		return key == SM_KEY_F1 ? "F1" : key == SM_KEY_OTHER ? "OTHER" : "F";
	if (key >= SM_KEY_UP)
		return names[key - SM_KEY_UP];
	snprintf(code, sizeof(code), "U+%04X", (unsigned int)key);
	return code;
}

/* A mark after each text shows the computed width of the text. */
static void marked(struct sm_tui *t, int row, const char *p, size_t n)
{
	int used = sm_tui_text(t, row, 0, 30, SM_TUI_NORMAL, p, n);

	(void)sm_tui_put(t, row, used, 1, SM_TUI_NORMAL, "|", 1);
}

static void draw_texts(struct sm_tui *t)
{
	marked(t, 1, LIT("\x1b]0;pwned\x07\xe2\x80\xaex"));
	marked(t, 2, LIT("\xe6\x97\xa5\xe6\x9c\xac e\xcc\x81t\xc3\xa9"));
	marked(t, 3, LIT("0123456789012345678901234567890123456789"));
	marked(t, 4, LIT("\xff\xc3(\xf0\x9f\x98\x80)"));
}

static void draw_pictures(struct sm_tui *t)
{
	static const double ramp[] = {0, 1, 2, 3, 4, 5, 6, 7};

	(void)sm_tui_put(t, 5, 0, 1, SM_TUI_NORMAL, "[", 1);
	sm_tui_bar(t, 5, 1, 8, 0.3, SM_TUI_LOW);
	(void)sm_tui_put(t, 5, 9, 1, SM_TUI_NORMAL, "]", 1);
	sm_tui_bar(t, 5, 10, 4, 1.0, SM_TUI_HIGH);
	(void)sm_tui_put(t, 5, 14, 1, SM_TUI_NORMAL, "]", 1);
	sm_tui_spark(t, 6, 0, 20, ramp, SM_ARRAY_SIZE(ramp), 7, SM_TUI_ACCENT);
	sm_tui_spark(t, 6, 10, 3, ramp, SM_ARRAY_SIZE(ramp), 7, SM_TUI_ACCENT);
	for (int i = 0; i < SM_TUI_NSTYLES; i++)
		(void)sm_tui_printf(t, 7, i * 3, (enum sm_tui_style)i, "s%d", i);
}

static void draw(struct demo *d)
{
	struct sm_tui *t = &d->tui;

	d->draws++;
	sm_tui_clear(t);
	(void)sm_tui_printf(t, 0, 0, SM_TUI_HEAD,
		"%dx%d utf8=%d color=%d key=%s draws=%u", t->columns, t->rows, t->utf8,
		t->color, key_name(d->last_key), d->draws);
	draw_texts(t);
	draw_pictures(t);
	(void)sm_tui_put(t, t->rows - 1, t->columns - 1, 1, SM_TUI_NORMAL, "$", 1);
	sm_tui_show(t);
}

/* Must not be optimised away or turned into a loop. */
static volatile int depth;

static __attribute__((noinline)) int overflow(volatile char *above)
{
	volatile char frame[4096];

	frame[0] = above[0];
	depth = depth + 1;
	return depth < 0 ? 0 : overflow(frame) + frame[0];
}

static void act(struct demo *d, int key)
{
	volatile char top = 1;
	int *volatile null = NULL;

	switch (key) {
	case 'q':
	case SM_KEY_GONE:
		d->quit = true;
		return;
	case 'x':
		exit(3);
	case 'a':
		abort();
	case 's':
		d->last_key = *null;
		return;
	case 'o':
		d->last_key = overflow(&top);
		return;
	default:
		d->last_key = key;
		return;
	}
}

static void on_keys(void *ctx, short revents)
{
	struct demo *d = ctx;
	int key;

	(void)revents;
	while (!d->quit && (key = sm_tui_key(&d->tui)) != SM_KEY_NONE)
		act(d, key);
	draw(d);
}

static void on_signals(struct demo *d)
{
	uint64_t came = sm_loop_take(&d->loop, NULL);

	if (came & SM_SIGBIT(SIGINT))
		d->quit = true;
	if (!(came & SM_SIGBIT(SIGWINCH)))
		return;
	sm_tui_resized(&d->tui);
	draw(d);
}

static int run(struct demo *d)
{
	static const int signals[] = {SIGINT, SIGWINCH, 0};
	int err = sm_loop_init(&d->loop);

	if (!err)
		err = sm_loop_signals(&d->loop, signals);
	if (!err)
		err = sm_loop_add(&d->loop, d->tui.key_fd, POLLIN, on_keys, d);
	if (err < 0)
		return err;
	draw(d);
	while (!d->quit && err >= 0) {
		err = sm_loop_wait(&d->loop, SM_LOOP_FOREVER);
		on_signals(d);
	}
	sm_loop_fini(&d->loop);
	return err < 0 ? err : 0;
}

int main(void)
{
	static struct demo d;
	const char *why;
	int err = sm_tui_open(&d.tui, SM_COLOR_AUTO, &why);

	if (err) {
		fprintf(stderr, "demo: %s\n", why);
		return 1;
	}
	err = run(&d);
	sm_tui_close(&d.tui);
	puts("demo: the end");
	return err ? 1 : 0;
}
