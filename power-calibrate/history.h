/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * history: the CPU use over the whole run, including the time to settle, and the output of a slow power meter
 * for it.
 *
 * A look adds the mean CPU use since the previous look, so its integral is known at each look and is
 * linear between two.  The load of each type of CPUs is a use of its own (one type, unless the run is by
 * type).  The output of a meter for this use follows: at once (HISTORY_SHARP), through a first-order lag
 * (HISTORY_LAG), or as the mean of the last seconds (HISTORY_MEAN).  A steady use is shown unchanged by all
 * of them; before the first look, other load is assumed to be as in the first interval, and the load of
 * this run is 0.
 *
 * Many meters renew their value only once a second or less often.  A poll adds the time at which the meter
 * was read and whether its value had changed.  A value is assumed to have been renewed in the middle
 * between the poll that first saw it and the poll before.  For the mean of a reading, the polls are
 * combined by trapezoids, as in sm_source_take().
 *
 * All times are in seconds since the start of the run and increase.
 */
#ifndef POWER_CALIBRATE_HISTORY_H
#define POWER_CALIBRATE_HISTORY_H

#include "proc/topology.h"

/* Number i + HISTORY_OWN is the load of type i. */
enum history_of { HISTORY_OTHER, HISTORY_OWN, HISTORY_USES = HISTORY_OWN + SM_TOPOLOGY_TYPES_MAX };
enum history_kind { HISTORY_SHARP, HISTORY_LAG, HISTORY_MEAN };

struct history_meter {
	enum history_kind kind;
	double s;                     /* the time constant of the lag, or the time of the mean */
};

struct history_look {
	double t_s;
	double sum[HISTORY_USES];     /* integral of the CPU use since the first look, CPU seconds */
};

struct history_poll {
	double t_s;
	double renewed_s;             /* time at which the shown value was renewed */
	double within_s;              /* its greatest error */
	double watts;
};

struct history {
	struct history_look *look;
	struct history_poll *poll;
	size_t looks, polls, looks_cap, polls_cap;
};

/* use: mean CPU use since the previous look; ignored at the first.  -ENOMEM. */
int history_look(struct history *h, double t_s, const double use[HISTORY_USES]) SM_MUST;
/* watts: as shown by the meter.  -ENOMEM. */
int history_poll(struct history *h, double t_s, double watts) SM_MUST;
void history_fini(struct history *h);
/* Returns whether the meter renews its value far less often than it is polled. */
bool history_is_held(const struct history *h);
/* Sets whether the meter has steps (fit/steps.h) that are coarse compared with the range of its values: a
 * value that does not change is then no sign that the meter holds it.  -ENOMEM. */
int history_is_coarse(const struct history *h, bool *coarse) SM_MUST;

/* Even times of renewal: start_s, and every_s later and later again. */
struct history_even {
	double start_s, every_s;
};

/* Finds even times that lie between the polls of all renewals.  Returns false if there are none. */
bool history_is_even(const struct history *h, struct history_even *e);
/* Returns the even time next to this one. */
double history_nearest(const struct history_even *e, double t_s);

/* Returns by how much the meter delays a power that rises steadily, such as drift. */
double history_delay_s(struct history_meter meter);
/* Returns the last poll that is not later; NULL if all are later. */
const struct history_poll *history_last_poll(const struct history *h, double t_s);

/* The output of such a meter for one of the uses. */
struct history_shown {
	const struct history *h;
	struct history_meter meter;
	enum history_of of;
	double *state;                /* at each look, of a lag: its output; of a mean: the double integral */
};

/* -ENOMEM. */
int history_show(struct history_shown *s, const struct history *h, struct history_meter meter,
	enum history_of of) SM_MUST;
void history_hide(struct history_shown *s);
/* Returns the output of the meter if it is renewed at this time. */
double history_value(const struct history_shown *s, double t_s);
/* Returns the mean output of the meter from one time to a later one. */
double history_mean(const struct history_shown *s, double from_s, double to_s);

#endif
