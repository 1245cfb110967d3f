/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * state: the state of the screen, its requests to the frame, and the data that the frame provides.
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
#include "changes.h"
#include "layout.h"
#include "rowlist.h"
#include "tui/tui.h"
#include "tui/prompt.h"
#include "tui/screen.h"

/* --- from the frame -------------------------------------------------------------------- */

/* Settings, at first from the options; keys change them, and the frame uses them. */
struct screen_settings {
	uint64_t zoom;            /* current pages per cell, 1 .. LAYOUT_ZOOM_MAX */
	bool auto_zoom, fold, follow;
	bool vm;                  /* the VM window is open at the start */
	bool no_hex;              /* the hex view is disabled */
	bool dirty;               /* soft-dirty bits are cleared every `ticks` refreshes */
	unsigned int ticks;       /* 1 .. SCREEN_TICKS_MAX */
	uint64_t interval_ns;     /* interval between refreshes */
};

/*
 * The current data.  NULL means unknown (yet).  The data must stay valid until the next screen_arrange() or
 * screen_restart(), because keys use it in between.
 */
struct screen_input {
	uint64_t now_ns;                    /* CLOCK_MONOTONIC */
	const struct target *target;
	unsigned int twins;                 /* number of processes with that name; shown if above 1 */
	const struct space *space;          /* NULL: the picker is shown */
	const struct populated *populated;          /* for settings.fold */
	const struct cells *cells;          /* cells of s->spans, set by cells_view() */
	const struct census *census;
	const struct usages *usages;        /* NULL: not requested (--smaps) */
	bool dirty_known;                   /* the kernel has soft-dirty bits */
	const struct vmfacts *vm;
	const struct faults *faults;
	const struct pagefacts *page;       /* facts about the page under the cursor */
	const struct peek *peek;            /* bytes of the hex view */
	int peek_err;                       /* error of reading them */
	const struct find_list *processes;  /* list of the picker */
	uint64_t processes_generation;      /* changes when the list is read again */
	/* progress of ASK_READ_IN */
	bool reading;
	uint64_t read_pages, read_all;      /* pages read in so far, and their total number */
	const char *note;                   /* a short text for the title ("every 0.4 s"), or NULL */
};

/* --- to the frame ---------------------------------------------------------------------- */

enum screen_ask_kind {
	ASK_NEXT_RESIDENT,     /* find the next page after `ordinal` that is present or swapped out */
	ASK_PREVIOUS_RESIDENT, /* find the previous one */
	ASK_READ_IN,           /* read in all swapped-out pages; the user has confirmed */
	ASK_STOP,              /* stop finding or reading in */
	ASK_FAULT_IN,          /* read in the page `ordinal`; the user has confirmed */
	ASK_WATCH,             /* monitor the process `pid` */
	ASK_DIRTY,             /* settings.dirty has changed */
};

struct screen_ask {
	enum screen_ask_kind kind;
	uint64_t ordinal;
	pid_t pid;
};

/* The data that has to be read for the current view. */
struct screen_want {
	bool cells;            /* the map is visible: cells_view() with s->spans, s->nspans, s->ncells and
			        * s->set.zoom */
	bool populated;           /* the map is compact */
	bool page;             /* Tab: facts about the page at `cursor` */
	bool vm;               /* v: with smaps_rollup, at most once a second */
	bool perf;             /* p */
	bool mappings;         /* m, follow: counts of each mapping */
	bool hex;              /* hex_bytes bytes of present pages at hex_address */
	uint64_t cursor;       /* ordinal */
	uint64_t hex_address;
	size_t hex_bytes;
};

/* --- the screen's state ---------------------------------------------------------------- */

enum screen_view { VIEW_MAP, VIEW_HEX, VIEW_MAPPINGS, VIEW_PICKER };
enum { WINDOW_PAGE, WINDOW_VM, WINDOW_PERF, WINDOWS };

#define SCREEN_TICKS_MAX 1000
#define SCREEN_ASKS      8
/* Columns of an address and the space after it. */
#define SCREEN_ADDRESS   17

struct windows_place {
	int row, column, width, lines; /* lines 0: closed, or no room */
};

/* Parameters of the last layout of the map, without padding; zoom 0: not laid out yet. */
struct laid_out {
	uint64_t generation, populated_generation, zoom;
	unsigned int width, lines, fold, auto_zoom;
};

struct screen {
	struct sm_screen base;
	struct screen_settings set;
	struct screen_input in;    /* data of the last screen_arrange() */
	struct screen_want want;
	enum screen_view view;
	unsigned int windows;      /* bit of each open window */
	struct windows_place place[WINDOWS];
	bool frozen;               /* the display is frozen; the target is never stopped */

	/* the map */
	struct layout layout;
	struct laid_out laid;
	unsigned int map_lines, map_cells; /* visible rows, and cells per row */
	unsigned int nrows;        /* rows that are not empty */
	struct cells_span *spans;  /* their pages, and number of cells */
	size_t nspans, spans_cap, ncells;
	uint64_t top;              /* number of the row in the first line */
	uint64_t line;             /* last line of the cursor */
	uint64_t cursor;           /* ordinal of the cursor */
	uint64_t cursor_address;   /* its address, used if mappings change */
	unsigned int column;       /* column to which up and down return after a shorter row */

	struct marks marks;        /* cells that have changed */
	struct follow follow;

	/* the hex view; its cursor is a byte of the page at `cursor` */
	unsigned int hex_row;      /* bytes per row */
	uint64_t hex_byte;
	uint64_t hex_top;          /* number of the row in the first line, counted from ordinal 0 */

	struct mappings mappings;
	struct picker picker;

	/* the last line */
	struct sm_prompt prompt;   /* open while the user types a text */
	void (*typed)(struct screen *s, const char *text); /* uses it; NULL: it is the filter */
	char filter[SM_PROMPT_MAX + 1]; /* filter of the picker */
	char find[SM_PROMPT_MAX + 1]; /* text that n and N search for; "": no search yet */
	struct screen_ask question; /* request to be made if the answer is y */
	char question_text[80];    /* "": no question */

	struct screen_ask asks[SCREEN_ASKS];
	unsigned int nasks;
	/* the list that was arranged last, its generation and time */
	enum screen_view list_view;
	uint64_t list_generation, list_ns;
	struct sm_buf text, name;  /* scratch */
};

/* Returns the mapping under the cursor, or NULL. */
const struct mapping *state_mapping(const struct screen *s);
/* Returns the list that is shown instead of pages, or NULL. */
struct rowlist *state_list(struct screen *s);
bool state_has_pages(const struct screen *s);
/* Moves the cursor; in the hex view, to the first byte of the page. */
void state_set_cursor(struct screen *s, uint64_t ordinal);
void state_ask(struct screen *s, struct screen_ask ask);
/* Returns the counts of the whole process; NULL: unknown yet. */
const struct counts *state_totals(const struct screen *s);
/* Returns the counts of mapping number i; NULL: unknown. */
const struct counts *state_counts(const struct screen *s, size_t i);
/* Returns the style of a letter. */
enum sm_tui_style state_style(char letter);
/* Returns the name of a mapping, such as "[heap]", "/usr/bin/x" or "[Anonymous]": hostile bytes. */
struct sm_str state_name(const struct mapping *m);

/* Shows a message to the user until the next key. */
#define screen_say(s, ...) sm_screen_say(&(s)->base, __VA_ARGS__)

/* keys.c: sets the keys and their help. */
void keys_init(struct screen *s);
/* title.c: draw the first line, and the last line with the legend, a message or a question. */
void title_draw(struct screen *s);
void title_draw_last(struct screen *s);

#endif
