/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * state: what the screen shows and how, what it asks the frame for, and what the frame hands over.
 */
#ifndef PAGEMON_SCREEN_STATE_H
#define PAGEMON_SCREEN_STATE_H

#include "pages/cells.h"
#include "pages/census.h"
#include "facts/faults.h"
#include "facts/pagefacts.h"
#include "facts/peek.h"
#include "pages/space.h"
#include "../target/find.h"
#include "../target/target.h"
#include "facts/vmfacts.h"
#include "follow.h"
#include "layout.h"
#include "mappings.h"
#include "marks.h"
#include "paint.h"
#include "picker.h"
#include "there.h"
#include "tui/prompt.h"
#include "tui/screen.h"

/* --- from the frame -------------------------------------------------------------------- */

/* From the options at the start; afterwards the keys change it, and the frame acts on it. */
struct screen_settings {
	uint64_t zoom;            /* pages a cell, 1 .. SCREEN_ZOOM_MAX; with auto_zoom the one in use */
	bool auto_zoom, fold, follow;
	bool vm;                  /* the VM window is open at the start */
	bool no_hex;              /* there is no hex view */
	bool dirty;               /* soft-dirty bits are cleared every `ticks` refreshes */
	unsigned int ticks;       /* 1 .. SCREEN_TICKS_MAX */
	uint64_t interval_ns;     /* between refreshes */
};

/*
 * What is known at the moment.  A NULL is not known (yet).  What is pointed to stays until the next
 * screen_arrange() or screen_restart(): keys look at it in between.
 */
struct screen_input {
	uint64_t now_ns;                    /* CLOCK_MONOTONIC */
	const struct target *target;
	unsigned int twins;                 /* processes of that name; below 2: not shown */
	const struct space *space;          /* NULL: no process is watched, the picker is shown */
	const struct there *there;          /* for settings.fold */
	const struct cells *cells;          /* of s->rows, set by cells_view() */
	const struct census *census;
	bool dirty_known;                   /* the kernel has soft-dirty bits */
	const struct vmfacts *vm;
	const struct faults *faults;
	const struct pagefacts *page;       /* of the page under the cursor */
	const struct peek *peek;            /* of the hex view's bytes */
	int peek_err;                       /* why there are none */
	const struct find_list *processes;  /* of the picker; another list whenever it is read anew */
	uint64_t processes_generation;
	/* The job that ASK_READ_IN started. */
	bool reading;
	uint64_t read_pages, read_all;      /* read in so far, and of how many */
	const char *note;                   /* a short text for the title ("every 0.4 s"); NULL: none */
};

/* --- to the frame ---------------------------------------------------------------------- */

enum screen_ask_kind {
	ASK_NEXT_RESIDENT,     /* behind `ordinal`: screen_goto_page(), or screen_say() that there is none */
	ASK_PREVIOUS_RESIDENT, /* before it */
	ASK_READ_IN,           /* reads all swapped pages in; the user said yes */
	ASK_STOP,              /* ends that */
	ASK_FAULT_IN,          /* reads the page `ordinal` in; the user said yes */
	ASK_WATCH,             /* the process `pid` */
	ASK_DIRTY,             /* settings.dirty has changed */
};

struct screen_ask {
	enum screen_ask_kind kind;
	uint64_t ordinal;
	pid_t pid;
};

/* What has to be read for what is shown. */
struct screen_want {
	bool cells;            /* the map is visible: cells_view() with s->rows, s->nrows, s->map_cells and
			        * s->set.zoom */
	bool there;            /* the map is folded */
	bool page;             /* Tab: facts of the page at `cursor` */
	bool vm;               /* v: with smaps_rollup, at most once a second */
	bool perf;             /* p */
	bool mappings;         /* m, follow: counts of each mapping */
	bool processes;        /* the picker */
	bool hex;              /* bytes [hex_address, + hex_bytes), of pages that are there */
	uint64_t cursor;       /* ordinal */
	uint64_t hex_address;
	size_t hex_bytes;
};

/* --- own ------------------------------------------------------------------------------- */

enum screen_view { VIEW_MAP, VIEW_HEX, VIEW_MAPPINGS, VIEW_PICKER };
enum { WINDOW_PAGE = 1, WINDOW_VM = 2, WINDOW_PERF = 4 };
enum prompt_kind { PROMPT_FIND, PROMPT_GOTO, PROMPT_FILTER };

#define SCREEN_ZOOM_MAX  (UINT64_C(1) << 40)
#define SCREEN_TICKS_MAX 1000
#define SCREEN_ASKS      8
/* Columns of an address and the blank behind it. */
#define SCREEN_ADDRESS   17

/* How the map was laid out the last time. */
struct laid_out {
	uint64_t generation, there_generation, zoom;
	unsigned int width, lines;
	bool fold, auto_zoom, done;
};

struct screen {
	struct sm_screen base;
	struct screen_settings set;
	struct screen_input in;    /* of the last screen_arrange() */
	struct screen_want want;
	enum screen_view view;
	unsigned int windows;      /* WINDOW_... that are open */
	bool frozen;               /* the display; the target is never stopped */

	/* the map */
	struct layout layout;
	struct laid_out laid;
	unsigned int map_lines, map_cells; /* of the screen: rows, and cells in a row */
	struct cells_row *rows;    /* on the screen, from its first line; of a folded row no pages */
	unsigned int nrows;
	size_t rows_cap;
	uint64_t top;              /* number of the row in the first line */
	uint64_t line;             /* that the cursor was in */
	uint64_t cursor;           /* ordinal */
	uint64_t cursor_address;   /* the same page, should mappings move */
	unsigned int column;       /* where up and down go on, behind a shorter row */

	struct marks marks;        /* which cells have changed */
	struct follow follow;

	/* the hex view; its cursor is a byte of the page at `cursor` */
	unsigned int hex_row;      /* bytes a row */
	uint64_t hex_byte;
	uint64_t hex_top;          /* row in the first line, from ordinal 0 */

	struct mappings mappings;
	struct picker picker;

	/* the last line */
	struct sm_prompt prompt;   /* open while something is typed */
	enum prompt_kind prompt_kind;
	char filter[SM_PROMPT_MAX + 1]; /* of the picker */
	char find[SM_PROMPT_MAX + 1]; /* what n and N look for; "": nothing */
	struct screen_ask question; /* is asked if the answer is y */
	char question_text[80];    /* "": nothing is asked */

	struct screen_ask asks[SCREEN_ASKS];
	unsigned int nasks;
	bool redraw;               /* a list is to be drawn again */
	enum screen_view list_view; /* that was arranged last: when, of what */
	uint64_t list_generation, list_ns;
	struct paint paint;
	struct sm_buf text, name;  /* scratch */
};

/* The mapping under the cursor; NULL: there is none. */
const struct mapping *state_mapping(const struct screen *s);
bool state_has_pages(const struct screen *s);
/* Moves the cursor, of the hex view to the first byte of the page. */
void state_set_cursor(struct screen *s, uint64_t ordinal);
void state_ask(struct screen *s, enum screen_ask_kind kind, uint64_t ordinal);
/* Of the whole process; NULL: nothing is known yet. */
const struct counts *state_totals(const struct screen *s);
/* Of mapping number i; NULL: not known. */
const struct counts *state_counts(const struct screen *s, size_t i);
/* Of a letter. */
enum sm_tui_style state_style(char letter);
/* Of n letters. */
void state_styles(const char *letters, size_t n, uint8_t *out);
/* "[heap]", "/usr/bin/x", "[Anonymous]": hostile bytes. */
struct sm_str state_name(const struct mapping *m);

#endif
