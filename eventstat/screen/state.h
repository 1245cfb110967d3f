/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * state: the state of the screen: its parts, the sample on it, and what the user has selected.
 * Both drawing and keys work on it.
 */
#ifndef EVENTSTAT_SCREEN_STATE_H
#define EVENTSTAT_SCREEN_STATE_H

#include "../rows.h"
#include "../values.h"
#include "../view.h"
#include "copies.h"
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
	struct sums sums;
	uint64_t samples;
	struct copies copies;      /* its rows */
	struct rows arrange;
	const struct event *rows;  /* those of the table, arranged */
	uint64_t *keys;            /* of each row */
	uint64_t seed;             /* of the keys */
	struct sm_history history; /* timers armed per second */
	double rate_max;           /* of any row in it */
	/* the user's selection */
	struct sm_tui_table table;
	struct sm_column columns[STATE_COLUMNS];
	bool details;
	struct sm_buf selected_name, text;
	struct values_text row_text; /* of the row that is drawn */
};

/* The selected row; NULL: none, or not in this sample. */
static inline const struct event *state_selected(const struct screen *s)
{
	return s->table.list.present ? &s->rows[s->table.list.at] : NULL;
}

#endif
