/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * screen_priv: what the parts of the screen share.  Private to screen*.c.
 *
 * A sample's rows are valid until the next sample, a screen is drawn at any time: so the
 * screen keeps copies.  Names are in one arena that is begun anew with each sample.
 */
#ifndef CS_SCREEN_PRIV_H
#define CS_SCREEN_PRIV_H

#include "buf.h"
#include "hash.h"
#include "screen.h"

#define SCREEN_ROWS_MAX    4096 /* rows kept of a sample */
#define SCREEN_TASKS_MAX   512  /* tasks with a history */
#define SCREEN_NAME_MAX    1024 /* bytes */
#define SCREEN_COMMAND_MAX 512
#define SCREEN_PROMPT_MAX  120

struct screen_span { /* bytes in the arena */
	uint32_t at, n;
};

struct screen_row {
	struct cs_row r;    /* its names are not valid any more */
	uint64_t id;
	struct screen_span name, command, cgroup;
};

/* A ring of percentages for each task, by sample number. */
struct screen_task {
	uint64_t id, first, last; /* numbers of the first and the latest sample it was in */
	float pct[SCREEN_HISTORY];
};

struct screen_history {
	struct sm_map map;        /* id -> task */
	struct screen_task *tasks;
	size_t n;
	struct screen_task machine;
	uint64_t now;             /* number of the current sample, from 1; 0: none yet */
};

int history_init(struct screen_history *h) SM_MUST;
void history_fini(struct screen_history *h);
/* A new sample begins, in which the machine used so much. */
void history_begin(struct screen_history *h, double machine_pct);
/* keep: an id that is not dropped for a new one.  A second value in a sample replaces. */
void history_add(struct screen_history *h, uint64_t id, double pct, uint64_t keep);
/* The values of a task (id 0: of the machine) up to now, oldest first, 0 where it did not run;
 * how many, at most SCREEN_HISTORY. */
size_t history_get(const struct screen_history *h, uint64_t id, double *out);

enum screen_prompt_kind { PROMPT_NONE, PROMPT_NAME, PROMPT_USER };

struct screen_prompt {
	enum screen_prompt_kind kind;
	char text[SCREEN_PROMPT_MAX + 1]; /* UTF-8 */
	size_t n, cursor;                 /* bytes; the cursor is before that character */
};

struct screen {
	struct sm_tui tui;
	struct cs_opts *opts;
	struct sm_user *users;
	const char *first_glob;    /* the option's, given back at the end */
	char name_text[SCREEN_PROMPT_MAX + 1], glob[SCREEN_PROMPT_MAX + 3];
	uint64_t seed;
	/* the sample */
	struct cs_sample sample;   /* its pointers are not valid */
	uint64_t samples;
	bool since_start;          /* rows are averages since each task's birth */
	uint64_t running, blocked;
	bool have_running;
	struct screen_row *rows;
	size_t n, cap, matched;
	struct sm_buf names;       /* the arena */
	float *cpu_pct;            /* by CPU number; below 0: not online */
	unsigned int ncpu, cpu_cap;
	struct screen_history history;
	/* what is looked at */
	uint64_t selected;         /* id; 0: none */
	size_t selected_at;        /* where it was last */
	struct sm_buf selected_name;
	size_t top;                /* first row shown */
	int page;                  /* rows that fit, of the last drawing */
	bool paused, no_bars, details;
	/* the sample that stays while it is paused, screen_hold() */
	bool holding;
	struct cs_row *held;
	size_t nheld;
	struct sm_buf held_comms;
	struct sm_intern *held_names;
	int help;                  /* page of the help from 1; 0: none */
	bool help_more;            /* there is a further page */
	struct screen_prompt prompt;
	struct sm_buf scratch;
	char message[100];
};

/* Index of the selected row; false: it is not in this sample. */
bool screen_find_selected(const struct screen *s, size_t *at);
void screen_select(struct screen *s, size_t at);
/* Percent of one CPU, or of all with -a. */
double screen_pct(const struct screen *s, const struct cs_row *r, uint64_t ns);
/* Percent of all CPUs that were busy; below 0: not known. */
double screen_busy_pct(const struct cs_sample *sample);
static inline const char *screen_bytes(const struct screen *s, struct screen_span span)
{
	return span.n ? s->names.p + span.at : "";
}

/* Items beside each other on one line, as many as fit. */
struct screen_line {
	struct screen *s;
	int row, at, limit;
	bool full;
};

void screen_item(struct screen_line *l, enum sm_tui_style style, const char *fmt, ...)
	SM_PRINTF(3, 4);
/* Draws the bars in at most so many lines; how many it took. */
int screen_bars(struct screen *s, int row, int max_lines);
void screen_table(struct screen *s, int row, int lines);
void screen_history_lines(struct screen *s, int row, int lines);
void screen_details(struct screen *s, int row, int lines);
void screen_help(struct screen *s);

void prompt_open(struct screen *s, enum screen_prompt_kind kind);
enum screen_wish prompt_key(struct screen *s, int key);
void prompt_draw(struct screen *s, int row);

#endif
