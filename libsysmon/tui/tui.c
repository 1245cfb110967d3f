// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>
#include <wchar.h>

#include "base/clock.h"
#include "base/text.h"
#include "cli/start.h"
#include "cli/tty.h"
#include "tui/input.h"
#include "tui/tui.h"
#include "tui/tui_curses.h"
#include "tui/tui_restore.h"

/* Larger than any screen; a terminal may report 65535x65535, which ncurses accepts. */
#define MAX_COLUMNS 1000
#define MAX_ROWS    500
#define REPLACEMENT 0xfffdu
/* Mouse reports of xterm and compatible terminals: presses, releases, the wheel. */
#define MOUSE_ON  "\033[?1006;1000h"
#define MOUSE_OFF "\033[?1006;1000l"

static struct sm_curses nc; /* set when a screen is first opened */

/* ncurses has one current screen. */
static struct {
	SCREEN *screen;
	bool color;
	struct sm_input input;
	unsigned char bytes[256]; /* bytes that were read, and not yet parsed from `at` */
	size_t at, n;
} cur;

/* --- the terminal ------------------------------------------------------------------ */

/* Checks that stdin (keys) and stdout (screen) are one terminal, even under two names. */
static int check_terminal(const char **why)
{
	unsigned int in, out;

	*why = "standard output is not a terminal";
	if (!isatty(STDOUT_FILENO))
		return -ENOTTY;
	*why = "standard input is not a terminal: keys could not be read";
	if (!isatty(STDIN_FILENO))
		return -ENOTTY;
	*why = "standard input and output are different terminals";
	if (ioctl(STDIN_FILENO, TIOCGDEV, &in) == 0 &&
		ioctl(STDOUT_FILENO, TIOCGDEV, &out) == 0 && in != out)
		return -ENOTTY;
	return 0;
}

/* Returns a terminfo string, NULL if the terminal lacks it. */
static const char *capability(const char *name)
{
	const char *s = nc.tigetstr(name);

	return s == (const char *)-1 ? NULL
				     : s; /* NOLINT: what curses calls "no string" */
}

static int check_stack(const char **why)
{
	struct rlimit l;

	*why = "the screen needs 192 KiB of stack, and the limit cannot be raised "
	       "(ulimit -s)";
	return getrlimit(RLIMIT_STACK, &l) == 0 && l.rlim_cur < SM_START_STACK_BYTES
		       ? -ENOMEM
		       : 0;
}

/* newterm() accepts a "dumb" terminal and draws garbage. */
static int check_term(const char **why)
{
	const char *term = getenv("TERM");
	int status = 0;
	bool able;

	*why = "the environment variable TERM is not set";
	if (!term || !*term)
		return -EOPNOTSUPP;
	*why = "the terminal type in TERM is not known on this system";
	if (nc.setupterm(NULL, STDOUT_FILENO, &status) != OK)
		return -EOPNOTSUPP;
	able = capability("cup") && capability("clear");
	(void)nc.del_curterm(nc.set_curterm(NULL));
	*why = "the terminal type in TERM cannot place its cursor";
	return able ? 0 : -EOPNOTSUPP;
}

/* Sets the environment's locale or, if it is not installed, another UTF-8 locale. */
static bool take_locale(void)
{
	if (!setlocale(LC_CTYPE, "") && sm_tty_utf8())
		(void)setlocale(LC_CTYPE, "C.UTF-8");
	return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

/* --- the strings for the signal handlers -------------------------------------------- */

static struct sm_tui_string *collected; /* tputs() passes no argument to its callback */

static int collect_chr(int c)
{
	if (collected->n < sizeof(collected->s))
		collected->s[collected->n++] = (char)c;
	return c;
}

/* Collects capabilities with their padding, as tputs() would send them. */
static void collect(struct sm_tui_string *to, const char *const *names, size_t n)
{
	collected = to;
	for (size_t i = 0; i < n; i++) {
		const char *s = capability(names[i]);

		if (s)
			(void)nc.tputs(s, 1, collect_chr);
	}
}

static int arm_guard(void)
{
	static const char *const enters[] = {"smcup", "smkx", "civis"};
	static const char *const leaves[] = {"sgr0", "op", "rmkx", "cnorm", "rmcup"};
	static const char *const clears[] = {"clear"};
	struct sm_tui_string enter = {.n = 0}, leave = {MOUSE_OFF, sizeof(MOUSE_OFF) - 1};

	collect(&enter, enters, SM_ARRAY_SIZE(enters));
	if (!capability("kmous"))
		leave.n = 0;
	/* A terminal without an alternate screen (the Linux console) keeps an empty
	 * screen. */
	if (!capability("rmcup"))
		collect(&leave, clears, 1);
	collect(&leave, leaves, SM_ARRAY_SIZE(leaves));
	return sm_tui_restore_arm(&enter, &leave);
}

/* --- styles ------------------------------------------------------------------------- */

static const struct {
	attr_t mono, attr;
	short fg, bg; /* used with colour */
} styles[SM_TUI_NSTYLES] = {
	[SM_TUI_NORMAL] = {A_NORMAL, A_NORMAL, -1, -1},
	[SM_TUI_DIM] = {A_DIM, A_DIM, -1, -1},
	[SM_TUI_BOLD] = {A_BOLD, A_BOLD, -1, -1},
	[SM_TUI_HEAD] = {A_REVERSE, A_REVERSE, -1, -1},
	[SM_TUI_SELECTED] = {A_REVERSE | A_BOLD, A_NORMAL, COLOR_BLACK, COLOR_CYAN},
	[SM_TUI_LOW] = {A_NORMAL, A_NORMAL, COLOR_GREEN, -1},
	[SM_TUI_MIDDLE] = {A_BOLD, A_NORMAL, COLOR_YELLOW, -1},
	[SM_TUI_HIGH] = {A_BOLD, A_BOLD, COLOR_RED, -1},
	[SM_TUI_ACCENT] = {A_BOLD, A_NORMAL, COLOR_CYAN, -1},
	[SM_TUI_WARN] = {A_REVERSE | A_BOLD, A_BOLD, COLOR_WHITE, COLOR_RED},
	[SM_TUI_MAP_1] = {A_NORMAL, A_NORMAL, COLOR_BLACK, COLOR_YELLOW},
	[SM_TUI_MAP_2] = {A_NORMAL, A_NORMAL, COLOR_BLACK, COLOR_CYAN},
	[SM_TUI_MAP_3] = {A_NORMAL, A_NORMAL, COLOR_WHITE, COLOR_RED},
	[SM_TUI_MAP_4] = {A_NORMAL, A_NORMAL, COLOR_WHITE, COLOR_MAGENTA},
	[SM_TUI_MAP_5] = {A_NORMAL, A_NORMAL, COLOR_BLACK, COLOR_WHITE},
	[SM_TUI_MAP_1_PART] = {A_NORMAL, A_NORMAL, COLOR_YELLOW, -1},
	[SM_TUI_MAP_2_PART] = {A_NORMAL, A_NORMAL, COLOR_CYAN, -1},
	[SM_TUI_MAP_3_PART] = {A_NORMAL, A_NORMAL, COLOR_RED, -1},
	[SM_TUI_MAP_4_PART] = {A_NORMAL, A_NORMAL, COLOR_MAGENTA, -1},
	[SM_TUI_MAP_5_PART] = {A_NORMAL, A_NORMAL, -1, -1}, /* on any background */
};

/* On white, green, yellow and cyan of most palettes are unreadable.  These, of the 256
 * colours, have a contrast of 3.4 or more to black and to white. */
static const short readable[] = {[COLOR_RED] = 160,
	[COLOR_GREEN] = 28,
	[COLOR_YELLOW] = 130,
	[COLOR_MAGENTA] = 127,
	[COLOR_CYAN] = 30};

static bool has_pair(int style)
{
	return styles[style].fg >= 0;
}

static void set_pairs(void)
{
	bool many = nc.tigetnum("colors") >= 256;

	for (int i = 0; i < SM_TUI_NSTYLES; i++) {
		short fg = styles[i].fg, bg = styles[i].bg;

		if (has_pair(i))
			(void)nc.init_pair(
				(short)i, many && bg < 0 ? readable[fg] : fg, bg);
	}
}

/* Styles without a colour use the terminal's own colours (default colours, ECMA-48). */
static bool start_colors(int policy)
{
	if (!sm_tty_color(STDOUT_FILENO, (enum sm_color)policy) || !nc.has_colors())
		return false;
	return nc.start_color() == OK && nc.use_default_colors() == OK &&
	       nc.tigetnum("pairs") > SM_TUI_NSTYLES;
}

static attr_t attr_of(enum sm_tui_style style)
{
	unsigned int added = style, base = style % SM_TUI_STRONG;

	return (cur.color ? styles[base].attr : styles[base].mono) |
	       (added & SM_TUI_STRONG ? A_BOLD : 0) |
	       (added & SM_TUI_REVERSED ? A_REVERSE : 0);
}

static short pair_of(enum sm_tui_style style)
{
	short base = style % SM_TUI_STRONG;

	return cur.color && has_pair(base) ? base : 0;
}

/* --- opening and closing ------------------------------------------------------------ */

static int at_most(unsigned int v, int max)
{
	return v < (unsigned int)max ? (int)v : max;
}

static void take_size(struct sm_tui *t)
{
	unsigned int columns = 80, rows = 24;

	(void)!sm_tty_size(STDOUT_FILENO, &columns, &rows);
	t->columns = at_most(columns, MAX_COLUMNS);
	t->rows = at_most(rows, MAX_ROWS);
	(void)nc.resize_term(t->rows, t->columns);
}

static void set_modes(void)
{
	(void)nc.cbreak();
	(void)nc.noecho();
	(void)nc.nonl();
	(void)nc.curs_set(0);
	(void)nc.leaveok(*nc.whole, TRUE);
	(void)nc.scrollok(*nc.whole, FALSE);
	(void)nc.typeahead(-1); /* waiting keys must not interrupt a refresh */
	/* Before the first endwin(), ncurses 6 flushes after every movement of the
	 * cursor: a hundred writes for a screen. */
	(void)nc.endwin();
	(void)nc.doupdate();
	(void)nc.keypad(*nc.whole, TRUE); /* some terminals need it for Delete */
}

static bool new_screen(bool ask_size)
{
	nc.use_tioctl(ask_size);
	cur.screen = nc.newterm(NULL, stdout, stdin);
	return cur.screen;
}

static int start_screen(const char **why)
{
	*why = "the screen could not be set up";
	nc.use_env(FALSE); /* LINES and COLUMNS may describe another window */
	/* ncurses 6.5 rejects a terminal without a size, such as a serial console, unless
	 * the size is from terminfo; take_size() replaces it. */
	if (!new_screen(TRUE) && !new_screen(FALSE))
		return -EOPNOTSUPP;
	set_modes();
	return arm_guard();
}

static void stop_screen(void)
{
	sm_tui_restore_end();
	if (cur.screen)
		nc.delscreen(cur.screen);
	cur.screen = NULL;
	cur.input = (struct sm_input){0};
	cur.at = cur.n = 0;
}

static void mouse_on(void)
{
	if (capability("kmous"))
		(void)!write(STDOUT_FILENO, MOUSE_ON, sizeof(MOUSE_ON) - 1);
}

int sm_tui_open(struct sm_tui *t, int color, const char **why)
{
	const char *term = getenv("TERM");
	int err;

	*t = (struct sm_tui){.key_fd = STDIN_FILENO};
	*why = "a screen is already open";
	if (cur.screen)
		return -EBUSY;
	err = check_terminal(why);
	if (!err)
		err = sm_tui_curses_load(&nc, SM_CURSES_LIBRARY, why);
	if (!err)
		err = check_stack(why);
	if (!err)
		err = check_term(why);
	if (err)
		return err;
	t->utf8 = cur.input.utf8 = take_locale();
	t->blocks = t->utf8 && term && strncmp(term, "linux", 5) != 0;
	err = sm_tui_restore_begin(STDOUT_FILENO);
	if (err)
		return err;
	err = start_screen(why);
	if (err) {
		stop_screen();
		return err;
	}
	t->color = cur.color = start_colors(color);
	if (cur.color)
		set_pairs();
	take_size(t);
	mouse_on();
	t->open = true;
	return 0;
}

void sm_tui_close(struct sm_tui *t)
{
	if (!t->open)
		return;
	t->open = false;
	stop_screen();
	sm_buf_fini(&t->text);
}

void sm_tui_resized(struct sm_tui *t)
{
	if (!t->open)
		return;
	take_size(t);
	(void)nc.clearok(*nc.whole, TRUE);
	mouse_on(); /* a stop has turned it off */
}

/* --- keys --------------------------------------------------------------------------- */

/* Reads the bytes that arrive within `ms`.  Returns their number, or -1 after a hangup.
 */
static ssize_t fill(int ms)
{
	struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN};
	ssize_t n;

	while (poll(&p, 1, ms) < 0)
		if (errno != EINTR)
			return 0;
	if (!p.revents)
		return 0;
	n = p.revents & POLLIN ? read(STDIN_FILENO, cur.bytes, sizeof(cur.bytes)) : 0;
	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return 0;
	cur.at = 0;
	cur.n = n > 0 ? (size_t)n : 0;
	return n > 0 ? n : -1;
}

static int read_key(void)
{
	uint64_t now_ns = sm_clock_mono_ns();
	int key = SM_KEY_NONE;

	while (key == SM_KEY_NONE) {
		if (cur.at == cur.n) {
			bool escape = cur.input.state == SM_INPUT_ESC;
			ssize_t n = fill(escape ? SM_INPUT_ESC_MS : 0);

			if (n <= 0)
				return n < 0 ? SM_KEY_GONE : sm_input_idle(&cur.input);
		}
		key = sm_input_byte(&cur.input, cur.bytes[cur.at++], now_ns);
	}
	return key;
}

int sm_tui_key(struct sm_tui *t)
{
	int key = t->open ? read_key() : SM_KEY_NONE;

	t->mouse_row = cur.input.row;
	t->mouse_column = cur.input.column;
	return key;
}

/* --- text --------------------------------------------------------------------------- */

struct cell {
	wchar_t ch[CCHARW_MAX + 1]; /* a character and its marks */
	int width;		    /* 0: nothing to draw */
};

static bool is_variation_selector(uint32_t cp)
{
	return (cp >= 0xfe00 && cp <= 0xfe0f) || (cp >= 0xe0100 && cp <= 0xe01ef);
}

/* ncurses uses the C library's widths; a character for which sm_text_cp_width() differs
 * is replaced by one whose width is certain. */
static void set_base(const struct sm_tui *t, uint32_t cp, struct cell *c)
{
	c->width = sm_text_cp_width(cp);
	if (c->width && wcwidth((wchar_t)cp) != c->width) {
		cp = t->utf8 ? REPLACEMENT : '?';
		c->width = 1;
	}
	c->ch[0] = (wchar_t)cp;
	c->ch[1] = L'\0';
}

/* Reads the next character with its combining marks; returns its length in bytes. */
static size_t next_cell(
	const struct sm_tui *t, const char *p, const char *end, struct cell *c)
{
	const char *start = p;
	uint32_t cp = 0;
	int len = sm_text_decode(p, end, &cp), n = 1;

	set_base(t, len && sm_text_printable(cp) ? cp : '?', c);
	p += len ? len : 1;
	while (c->width && (len = sm_text_decode(p, end, &cp)) > 1 &&
		sm_text_cp_width(cp) == 0 && sm_text_printable(cp)) {
		p += len;
		if (n < CCHARW_MAX && t->utf8 && wcwidth((wchar_t)cp) == 0 &&
			!is_variation_selector(cp))
			c->ch[n++] = (wchar_t)cp;
	}
	c->ch[n] = L'\0';
	return (size_t)(p - start);
}

/* Returns the length of the printable ASCII at p that no combining mark can follow. */
static size_t plain_run(const char *p, const char *end)
{
	size_t n = sm_text_clean_run(p, (size_t)(end - p));

	return n && p + n < end ? n - 1 : n;
}

static void put_cell(int row, int column, const struct cell *c, enum sm_tui_style style)
{
	cchar_t cc;

	if (nc.setcchar(&cc, c->ch, attr_of(style), pair_of(style), NULL) == OK)
		(void)nc.mvadd_wch(row, column, &cc);
}

/* Limits the width to the screen.  Returns false if nothing is to be drawn. */
static bool clip(const struct sm_tui *t, int row, int column, int *width)
{
	if (!t->open || row < 0 || row >= t->rows || column < 0 || column >= t->columns)
		return false;
	if (*width > t->columns - column)
		*width = t->columns - column;
	return true;
}

int sm_tui_put(struct sm_tui *t, int row, int column, int width, enum sm_tui_style style,
	const char *text, size_t n)
{
	const char *p = text, *end = n ? text + n : text;
	int used = 0;

	if (!clip(t, row, column, &width))
		return 0;
	(void)nc.attr_set(attr_of(style), pair_of(style), NULL);
	while (p < end && used < width) {
		size_t run = plain_run(p, end);
		struct cell c;

		if (run > (size_t)(width - used))
			run = (size_t)(width - used);
		if (run) {
			(void)nc.mvaddnstr(row, column + used, p, (int)run);
			used += (int)run;
			p += run;
			continue;
		}
		p += next_cell(t, p, end, &c);
		if (c.width > width - used)
			break;
		if (c.width)
			put_cell(row, column + used, &c, style);
		used += c.width;
	}
	return used;
}

void sm_tui_fill(
	struct sm_tui *t, int row, int column, int width, enum sm_tui_style style)
{
	if (!clip(t, row, column, &width))
		return;
	(void)nc.attr_set(attr_of(style), pair_of(style), NULL);
	(void)nc.mvhline(
		row, column, ' ' | attr_of(style) | nc.COLOR_PAIR(pair_of(style)), width);
}

/* --- drawing ------------------------------------------------------------------------ */

void sm_tui_clear(struct sm_tui *t)
{
	if (t->open)
		(void)nc.erase();
}

void sm_tui_show(struct sm_tui *t)
{
	if (!t->open)
		return;
	(void)nc.wnoutrefresh(*nc.whole);
	(void)nc.doupdate();
}
