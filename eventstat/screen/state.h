/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * state: the state of the screen: its pages, the sample on them, and what the user has selected.
 * Both drawing and keys work on it.
 */
#ifndef EVENTSTAT_SCREEN_STATE_H
#define EVENTSTAT_SCREEN_STATE_H

#include "../rows.h"
#include "../values.h"
#include "../view.h"
#include "page.h"
#include "tui/screen.h"

struct screen {
	struct sm_screen base;
	struct opts *opts;
	struct sm_ids *users;
	uint64_t samples;
	uint64_t seed;             /* of keys and groups */
	/* of timers */
	struct page timers;
	struct sample sample;      /* its pointers are invalid */
	struct rows arrange;
	const struct event *rows;  /* of the table, arranged */
	size_t rows_shown;
	struct values_text row_text; /* of the row that is drawn */
	/* of wake-ups */
	struct page wakeups;
	bool have_wakeups;         /* the kernel can say what wakes its CPUs */
	bool on_wakeups;           /* this page is shown */
	struct sample woken;       /* its pointers are invalid */
	struct rows arrange_causes;
	const struct event *causes; /* of the table, arranged */
	size_t causes_shown;

	bool details;
	struct sm_buf text;
};

static inline struct page *state_page(struct screen *s)
{
	return s->on_wakeups ? &s->wakeups : &s->timers;
}

/* The selected row of the page shown; NULL: none, or not in this sample. */
static inline const struct event *state_selected(const struct screen *s)
{
	ssize_t at = page_selected(s->on_wakeups ? &s->wakeups : &s->timers);

	if (at < 0)
		return NULL;
	return s->on_wakeups ? &s->causes[at] : &s->rows[at];
}

#endif
