/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * screen: cpustat -X, the full screen.  Draws what it is given and turns keys into wishes; it
 * neither samples nor waits.
 *
 * Layout: a line of system figures, per-CPU bars, the table, the history of the selected task
 * as a sparkline, a key line.  All of it fits 40 columns by 10 rows; more space shows more.
 */
#ifndef CS_SCREEN_H
#define CS_SCREEN_H

#include "opts.h"
#include "rows.h"
#include "sample.h"
#include "tui.h"

#define SCREEN_HISTORY 240

struct screen;

/* What a key asked the loop for. */
enum screen_wish {
	SCREEN_NOTHING,  /* nothing to draw either */
	SCREEN_REDRAW,
	SCREEN_SAMPLE,   /* take a sample now (space) */
	SCREEN_REARRANGE, /* opts changed (sort, threads, group, filter ...): rows anew */
	SCREEN_QUIT,
};

/* o is the running configuration: keys change it (sort, group, threads, all_cpus, names). */
int screen_open(struct screen **out, struct cs_opts *o, struct sm_user *users, const char **why)
	SM_MUST;
void screen_close(struct screen *s);
int screen_key_fd(const struct screen *s);
bool screen_paused(const struct screen *s);
/* Records the sample (history, CPU bars) and keeps copies of the rows until the next. */
void screen_sample(struct screen *s, const struct cs_sample *sample, const struct rows *r,
	const struct cs_row *rows, size_t n);
void screen_draw(struct screen *s);
void screen_resized(struct screen *s);
/* Takes all waiting keys. */
enum screen_wish screen_keys(struct screen *s);

#endif
