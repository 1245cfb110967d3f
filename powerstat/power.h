/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * power: one face for all sources of power figures.
 *
 * auto takes a discharging system battery, else RAPL, else the perf PMU, else a system power
 * meter of hwmon.  RAPL asked for but not readable falls to the perf PMU.
 *
 * A battery is lost when it has gone, charges or is full, when the mains come, or when for five
 * seconds none has discharged: one may take over from another, and until then there is no figure.
 */
#ifndef PS_POWER_H
#define PS_POWER_H

#include "battery.h"
#include "buf.h"
#include "hwmon.h"
#include "opts.h"
#include "powerpmu.h"
#include "rapl.h"
#include "sample.h"

struct power_domain { /* what -D shows */
	const char *label;     /* borrowed from the source; hostile for batteries and hwmon */
	bool counted;          /* now */
	bool was_counted;      /* of a battery: ever; it may have been plugged in since ... */
	bool tells;            /* ... and has it given a rate or a level then? */
	double uw;             /* of the last interval; NAN: not known */
	double uj;             /* energy since the last figure; NAN: not known ... */
	uint64_t of_ns;        /* ... and the time that it is of */
	/* own state: sums at the last power_take(), and the battery's */
	double last_uj;
	uint64_t last_ns, last_covered_ns;
	unsigned int battery;  /* which; batteries that came later have no column */
	uint64_t epoch;        /* of its gauge */
};

struct power {
	const struct sm_root *root;
	const struct ps_opts *opts;
	enum ps_source source;         /* that was chosen; PS_NONE */
	struct sm_rapl rapl;
	struct sm_powerpmu pmu;
	struct sm_batteries batteries;
	struct sm_gauge *gauge;        /* one for each domain that is a battery */
	struct sm_hwmon hwmon;
	bool have_rapl, have_pmu, have_batteries, have_hwmon;
	struct power_domain *domain;
	unsigned int n;                /* at the opening: those that have a column */
	unsigned int all;              /* with those that came later */
	/* Of the last power_take(). */
	double total_uw;               /* NAN: no figure */
	double total_uj;               /* energy; NAN: no figure ... */
	uint64_t total_ns;             /* ... and the time that it is of: more than the interval when
	                                  a reading failed before, less when time was lost */
	enum ps_kind kind;
	bool incomplete;               /* something that belongs to the total cannot be read ... */
	bool missing;                  /* ... in this interval */
	uint64_t window_ns;
	uint64_t none_ns;              /* since when no battery discharges; 0: one does */
	bool lost;                     /* the source has gone, or the charger was plugged in */
	const char *lost_why;
	uint64_t take_ns, dt_ns;       /* of the last take, and since the one before it */
	uint64_t figure_ns;            /* of the last take that had a figure; 0: none since a rebase */
	unsigned int domains_cap;
	uint64_t restarts;             /* times that a level jumped, or began anew after a charge */
	bool mains_note;               /* discharging although the mains are online */
};

/* Chooses and opens.  0; or -ENODEV with the places looked at and why not, a line each, in *why;
 * -EACCES when the only obstacle is permission. */
int power_open(struct power *p, const struct sm_root *root, const struct ps_opts *o,
	struct sm_buf *why) SM_MUST;
/* Reads the source; cheap, and called between samples when gap_ns asks for it. */
int power_poll(struct power *p, uint64_t now_ns) SM_MUST;
/* Polls, and sets the figures of the interval since the last take. */
int power_take(struct power *p, uint64_t now_ns) SM_MUST;
/* The time since the last take is nobody's (suspend, start). */
void power_rebase(struct power *p);
/* The machine slept: levels of before tell nothing of now. */
void power_resumed(struct power *p);
/* The longest time between two polls that loses nothing; a second while no battery discharges. */
uint64_t power_gap_ns(const struct power *p);
/* --list: every source, whether it can be read, what would be added up. */
void power_list(const struct sm_root *root, const struct ps_opts *o, struct sm_buf *b);
/* "battery BAT0, BAT1", "RAPL: pkg-0 + dram" ... for the line that names the chosen source. */
void power_describe(const struct power *p, struct sm_buf *b);
void power_close(struct power *p);

#endif
