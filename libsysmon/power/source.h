/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * source: the power of the system, from one source: batteries that discharge
 * (Documentation/ABI/testing/sysfs-class-power), the energy counters of powercap or of the perf
 * power PMU (rapl.h, powerpmu.h), or a power meter (Documentation/hwmon/sysfs-interface.rst).
 *
 * A source has domains (batteries, zones, sensors).  The total is the sum of the counted ones.
 * Other sources can stand beside it (beside): their figures are in no total but their own, and their
 * loss does not matter.
 * sm_source_take() sets the figures of the interval since the last call: uW, uJ, and the ns that
 * the energy covers.  An unknown figure is NAN and is in no sum.
 *
 * A power reading (a meter, the rate of a gauge) is of a moment: the figure is the mean of those of
 * all polls, by trapezoids.  If the driver averages (power*_average), a reading is of the time
 * since the one before it.
 *
 * The source battery is lost when the batteries are removed, when one charges or is full, when the
 * mains come online, or when no battery has discharged for five seconds: one may take over
 * from another, and until then there is no figure.  Other sources are lost when all counted
 * domains were removed.
 */
#ifndef SM_SOURCE_H
#define SM_SOURCE_H

#include "base/buf.h"
#include "power/battery.h"
#include "power/fuelgauge.h"
#include "power/hwmon.h"
#include "power/powerpmu.h"
#include "power/rapl.h"

enum sm_source_kind { SM_SOURCE_AUTO, SM_SOURCE_BATTERY, SM_SOURCE_RAPL, SM_SOURCE_PERF,
	SM_SOURCE_HWMON, SM_SOURCE_NONE };

enum sm_figure { /* what kind of figure the total is; the later, the less exact */
	SM_FIGURE_MEASURED,   /* energy counters, or a power meter */
	SM_FIGURE_GAUGE_RATE, /* rate of the battery's fuel gauge */
	SM_FIGURE_LEVEL,      /* slope of the battery's level over a window (fuelgauge.h) */
	SM_FIGURE_ESTIMATE,   /* the same over too short a window */
	SM_FIGURE_ABSENT,
	SM_FIGURES
};

struct sm_source_want { /* all 0: any source, packages and drams */
	enum sm_source_kind kind;
	enum sm_rapl_total total;
	bool domains;          /* read domains outside the total, too */
	bool reopen;           /* see sm_rapl_allow_reopen() */
	bool from_start;       /* average a battery's level since the start, not over 120 s */
	uint64_t interval_ns;  /* expected between two takes; 0: over a second */
	bool optional;         /* SM_SOURCE_NONE if there is no other */
	bool beside;           /* open the energy counters and hwmon sensors beside the selected source */
};

struct sm_source_domain {
	const char *label;     /* borrowed from the source; any bytes for batteries and hwmon */
	bool counted;          /* now */
	bool was_counted;      /* a battery: at any time */
	bool has_power;        /* a battery: had a rate or a level while counted */
	double uw;             /* of the last interval; NAN: unknown */
	double uj;             /* energy since the last figure; NAN: unknown */
	uint64_t of_ns;        /* the time that uj covers */
	double retracted_uj;   /* energy of earlier figures that has proved wrong */
	bool lacked;           /* earlier totals did without it: uj also covers their time */
	/* Private: sums at the last take, and the battery. */
	double last_uj, last_retracted_uj;
	uint64_t last_ns, last_covered_ns;
	unsigned int battery;  /* index in batteries */
	uint64_t epoch;        /* of its gauge */
	double rate_uw;        /* the last reading of a power ... */
	uint64_t rate_ns;      /* ... up to which mean_uw is of the interval; 0: none */
	double mean_uw, mean_ns;
	unsigned int readings; /* in the interval */
};

struct sm_source {
	const struct sm_root *root;
	struct sm_source_want want;
	enum sm_source_kind kind;   /* the selected source */
	struct sm_rapl rapl;
	struct sm_powerpmu pmu;
	struct sm_batteries batteries;
	struct sm_fuelgauge *gauge;        /* one for each battery domain */
	struct sm_hwmon hwmon;
	bool have_rapl, have_pmu, have_batteries, have_hwmon;
	struct sm_source_domain *domain;
	unsigned int n;                /* domains at the opening: those with a column */
	unsigned int all;              /* n + batteries that were inserted later */
	/* Of the last sm_source_take(). */
	double total_uw;               /* NAN: no figure */
	double total_uj;               /* energy; NAN: no figure */
	uint64_t total_ns;             /* the time that total_uj covers: longer than the interval
	                                  after a failed reading, shorter if time was dropped.  Its
	                                  parts are not read at one instant: it is theirs, weighted
	                                  by power, so that power times time is energy */
	double retracted_uj;           /* energy of earlier takes that has proved wrong: glitches */
	enum sm_figure figure;
	bool incomplete;               /* a part of the total cannot be read */
	bool missing;                  /* a part of the total had no figure in this interval */
	uint64_t window_ns;
	uint64_t none_ns;              /* time since which no battery discharges; 0: one does */
	bool lost;
	const char *lost_why;
	uint64_t take_ns, dt_ns;       /* end of the last take: when its last counter was read; interval
	                                  before it */
	unsigned int domains_cap;
	uint64_t restarts;             /* of a level that jumped, or after a charge */
	struct sm_source *beside;      /* the next one; NULL: none.  All functions include it */
	uint64_t readings;             /* polls that read a power, which is no counter */
	bool mains_note;               /* a battery discharges although the mains are online */
};

/* The i-th domain, counted through all sources; there must be one. */
const struct sm_source_domain *sm_source_at(const struct sm_source *p, unsigned int i);
/* The energy counter of domain i and its sums; NULL, and no sums, for batteries and sensors. */
const struct sm_rapl_counter *sm_source_counter(const struct sm_source *p, unsigned int i);
const struct sm_rapl_sums *sm_source_sums(const struct sm_source *p, unsigned int i);
/* Reads the source, between samples too if sm_source_gap_ns() requires it. */
int sm_source_poll(struct sm_source *p, uint64_t now_ns) SM_MUST;
/* Polls, and sets the figures of the interval since the last take. */
int sm_source_take(struct sm_source *p, uint64_t now_ns) SM_MUST;
/* Is a reading held that the next one will confirm or refute? */
bool sm_source_doubts(const struct sm_source *p);
/* Drops the time since the last take (suspend, start). */
void sm_source_rebase(struct sm_source *p);
/* After a suspend: levels restart. */
void sm_source_resumed(struct sm_source *p);
/* The longest time between two polls without loss: no counter wraps, no edge of a level is missed,
 * and the mean of a power has enough readings.  A second while no battery discharges. */
uint64_t sm_source_gap_ns(const struct sm_source *p);
/* "battery: BAT0, BAT1", "RAPL: pkg-0 + dram" ..., sanitised. */
void sm_source_describe(const struct sm_source *p, struct sm_buf *b);
/* Adds a domain for each system battery that has none. */
void sm_source_add_batteries(struct sm_source *p);

#endif
