/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wakerun: the run of --wakeups: its samples from the kernel's counters to the views, and its end.
 */
#ifndef EVENTSTAT_WAKERUN_H
#define EVENTSTAT_WAKERUN_H

#include "rows.h"
#include "view.h"
#include "wakemetrics.h"
#include "waketotals.h"
#include "wakeups.h"

struct wakerun {
	struct wakeups wakeups;
	struct wakemetrics metrics;
	struct waketotals totals;
	bool is_open;
};

/* Before the drop, with an open sampler; 0 or -errno.  wakerun_close() follows in any case. */
int wakerun_open(struct wakerun *w, struct sampler *s, const struct opts *o, struct sm_strpool *names)
	SM_MUST;
/* The wake-ups until the sampler's last sample, in w->wakeups.now; -errno. */
int wakerun_take(struct wakerun *w, const struct opts *o, bool last) SM_MUST;
/* That sample, which is not the first, to the views; -ENOMEM. */
int wakerun_show(struct wakerun *w, struct view *v, struct rows *order) SM_MUST;
/* After the last sample: --summary, --histogram, the last record. */
void wakerun_end(struct wakerun *w, struct view *v, struct rows *order);
void wakerun_close(struct wakerun *w);

#endif
