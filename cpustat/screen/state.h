/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * state: the state of the screen: its parts, the sample on it, and what the user has selected.
 * Both drawing and keys work on it.
 */
#ifndef CPUSTAT_SCREEN_STATE_H
#define CPUSTAT_SCREEN_STATE_H

#include "../rows.h"
#include "../view_name.h"
#include "copies.h"
#include "cpus.h"
#include "tui/history.h"
#include "tui/screen.h"
#include "tui/table.h"

#define STATE_COLUMNS 11

struct screen {
	struct sm_screen base;
	struct opts *opts;
	struct sm_ids *users;
	/* the sample */
	struct sample sample;      /* its pointers are invalid */
	uint64_t samples;
	bool since_start;          /* rows are averages since each task's start */
	struct cpus cpus;
	struct copies copies;      /* its rows */
	struct rows arrange;
	const struct row *rows;    /* those of the table, arranged */
	uint64_t *keys;            /* of each row: stays over an exec; of a group by its name */
	uint64_t seed;             /* of the keys */
	struct sm_history history; /* of tasks in percent of one CPU, the total of all CPUs */
	/* the user's selection */
	struct sm_tui_table table;
	struct sm_column columns[STATE_COLUMNS];
	struct sm_buf selected_name;
	bool no_bars, details;
	struct sm_buf text;        /* scratch */
	struct view_scratch scratch;
};

/* The factor of percentages of one CPU: 1, or less with -a. */
double state_scale(const struct screen *s);
/* How busy all CPUs together were, in percent of one CPU; below 0: unknown. */
double state_busy_pct(const struct screen *s);
/* The selected row; NULL: none, or not in this sample. */
const struct row *state_selected(const struct screen *s);

#endif
