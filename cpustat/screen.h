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

/* What keys asked the loop for; of several the last one of this list. */
enum screen_wish {
	SCREEN_NOTHING,  /* nothing to draw either */
	SCREEN_REDRAW,
	SCREEN_SAMPLE,   /* take a sample now (space) */
	SCREEN_REARRANGE, /* opts changed (sort, threads, group, filter, names, interval_ns): rows
	                     anew, given to screen_sample() with the same sample */
	SCREEN_QUIT,
};

/* o is the running configuration: keys change it (sort, group, threads, all_cpus, names,
 * name_glob, uids, interval_ns).  A name_glob that was typed is the screen's: screen_close()
 * puts the option's own back. */
int screen_open(struct screen **out, struct cs_opts *o, struct sm_user *users, const char **why)
	SM_MUST;
void screen_close(struct screen *s);
int screen_key_fd(const struct screen *s);
bool screen_paused(const struct screen *s);
/* Before the next sample is taken: if the screen is paused and holds none yet, the rows of
 * `sample` become copies that hold until screen_release() or screen_close().  Without memory the
 * pause ends.  names: where the rows' cmd and cgroup come from. */
void screen_hold(struct screen *s, struct cs_sample *sample, struct sm_intern *names);
void screen_release(struct screen *s);
/* Records the sample (history, CPU bars) and keeps copies of the rows until the next.  A
 * sample of the same t_ns takes the place of the last one.  Rows that come with dt_ns 0, or with
 * the first sample when nothing was born, are averages since each task's start: they are
 * marked so, and are no history. */
void screen_sample(struct screen *s, const struct cs_sample *sample, const struct rows *r,
	const struct cs_row *rows, size_t n);
void screen_draw(struct screen *s);
void screen_resized(struct screen *s);
/* Takes all waiting keys.  SCREEN_QUIT also when the terminal is gone. */
enum screen_wish screen_keys(struct screen *s);

#endif
