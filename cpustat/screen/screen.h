/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * screen: cpustat -X, the full screen.  It draws samples and turns keys into requests, with the functions of
 * tui/screen for s->base; it neither samples nor waits.
 *
 * Layers, from the lowest: cpus; keys, table, draw; screen.
 */
#ifndef CPUSTAT_SCREEN_H
#define CPUSTAT_SCREEN_H

#include "rows/rows.h"
#include "../view_name.h"
#include "cpus.h"
#include "tui/copies.h"
#include "tui/screen.h"
#include "tui/table.h"

struct screen {
	struct sm_screen base; /* must be first */
	struct opts *opts;
	struct sm_ids *users;
	/* the sample */
	struct sample sample;      /* its pointers are invalid */
	uint64_t samples;
	bool since_start;          /* rows are averages since each task's start */
	struct cpus cpus;
	struct sm_copies copies;   /* copies of its rows; `exited` of a row points into the next member */
	struct row_names *exited;  /* programs of exited children */
	size_t exited_cap;
	struct rows arrange;
	const struct row *rows;    /* rows of the table, arranged */
	/* the user's selection; histories of tasks in percent of one CPU, and of the total of all CPUs */
	struct sm_tui_table table;
	bool no_bars;
	struct sm_buf text;        /* scratch */
	struct view_scratch scratch;
};

/* Opens the screen.  Keys change o (sort, group, threads, wait, all_cpus, names, name_glob, uids,
 * interval_ns), and a typed name_glob is valid until screen_close(). names: the pool of the rows' cmd and
 * cgroup. */
int screen_open(struct screen **out, struct opts *o, struct sm_ids *users,
	struct sm_strpool *names, const char **why) SM_MUST;
void screen_close(struct screen *s);
/* Copies and arranges all rows of the sample, in any order, and records the history and the load of the CPUs.
 * The rows of a sample with dt_ns 0 are averages since the start of each task: they are marked as such and
 * are not added to the history. */
void screen_sample(struct screen *s, const struct sample *sample);
/* Filters, groups and sorts the rows of the sample according to opts. */
void screen_arrange(struct screen *s);

/* Returns the factor of percentages of one CPU: 1, or less with -a. */
double screen_scale(const struct screen *s);
/* Returns the use of all CPUs in percent of one CPU, or a negative value if it is unknown. */
double screen_busy_pct(const struct screen *s);

/* --- the parts of the screen ----------------------------------------------------------- */

/* keys.c: sets the members of struct sm_screen that a tool provides. */
void keys_init(struct screen *s);

/* table.c: a selection of the columns in columns.h, the user's name and the history. */
int table_init(struct screen *s) SM_MUST;
/* Returns the text in column Time, valid until s->text changes. */
const char *table_cpu_time(struct screen *s, uint64_t ns);

/* Functions for struct sm_screen. */
void draw_screen(void *screen);
void draw_details(void *screen, size_t i, int row, int lines);

#endif
