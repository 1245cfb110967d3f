/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * source: the power of the system, from one source: batteries that discharge
 * (Documentation/ABI/testing/sysfs-class-power), the energy counters of powercap or of the perf
 * power PMU (rapl.h, powerpmu.h), or a power meter (Documentation/hwmon/sysfs-interface.rst).
 *
 * A source has domains (batteries, zones, sensors).  The total is the sum of the counted domains.
 * Secondary sources can be read in addition (member beside): each has only its own total, and its
 * loss is ignored.
 * sm_source_take() sets the values of the interval since the last call: uW, uJ, and the ns that
 * the energy covers.  An unknown value is NAN and is not included in sums.
 *
 * A power reading (of a meter, or the rate of a gauge) is instantaneous: the value is the mean of the
 * readings of all polls, by trapezoids.  If the driver averages (power*_average), a reading covers the
 * time since the previous one.  A mean over the averaging time lags: figures of a shorter time, or of a
 * time that is not several times as long, contain the power from before it.
 *
 * The source battery is lost when the batteries are removed, when one charges or is full, when AC
 * power is connected, or when no battery has discharged for five seconds: one may take over from
 * another, and until then the value is unknown.  Other sources are lost when all counted domains
 * were removed.
 */
#ifndef SM_SOURCE_H
#define SM_SOURCE_H

#include "base/buf.h"
#include "power/battery.h"
#include "power/fuelgauge.h"
#include "power/hwmon.h"
#include "power/levelcheck.h"
#include "power/powerpmu.h"
#include "power/rapl.h"

enum sm_source_kind { SM_SOURCE_AUTO, SM_SOURCE_BATTERY, SM_SOURCE_RAPL, SM_SOURCE_PERF,
	SM_SOURCE_HWMON, SM_SOURCE_NONE };

enum sm_figure { /* kind of value of the total, the most exact first */
	SM_FIGURE_MEASURED,   /* energy counters or a power meter */
	SM_FIGURE_AVERAGED,   /* a power meter that averages over sm_source_average_ns() */
	SM_FIGURE_GAUGE_RATE, /* rate of the battery's fuel gauge */
	SM_FIGURE_LEVEL,      /* slope of the battery's level over a window (fuelgauge.h) */
	SM_FIGURE_ESTIMATE,   /* slope of the level over too short a window */
	SM_FIGURE_ABSENT,
	SM_FIGURES
};

struct sm_source_want { /* all 0: any source, packages and drams */
	enum sm_source_kind kind;
	enum sm_rapl_total total;
	bool domains;          /* also read domains outside the total */
	bool reopen;           /* see sm_rapl_allow_reopen() */
	bool from_start;       /* average a battery's level since the start, not over 120 s */
	uint64_t interval_ns;  /* expected time between two takes; 0: more than a second */
	bool optional;         /* use SM_SOURCE_NONE if no source is found */
	bool finely;           /* poll averaging meters as often as others, to correct their delay */
	bool beside;           /* also open energy counters and hwmon sensors as secondary sources */
	const char *sensors;   /* with SM_SOURCE_HWMON: add up the sensors with these labels, separated by
	                          commas; NULL: the widest scope */
};

struct sm_source_domain {
	const char *label;     /* borrowed from the source; any bytes for batteries and hwmon */
	bool counted;          /* included in the total now */
	bool was_counted;      /* a battery: was included at any time */
	bool has_power;        /* a battery: had a rate or a level while counted */
	double uw;             /* mean power of the last interval; NAN: unknown */
	double uj;             /* energy since the last value; NAN: unknown */
	uint64_t of_ns;        /* time that uj covers */
	double retracted_uj;   /* energy of earlier values that has been proved wrong */
	bool lacked;           /* missing in earlier totals: uj also covers their time */
	/* Private: sums at the last take, and the battery. */
	double last_uj, last_retracted_uj;
	uint64_t last_ns, last_covered_ns;
	unsigned int battery;  /* index in batteries */
	uint64_t epoch;        /* epoch of its gauge */
	double rate_uw;        /* last reading of a power */
	uint64_t rate_ns;      /* time of this reading; 0: unset */
	double mean_uw, mean_ns; /* mean since the last take, up to rate_ns; time that it covers */
	unsigned int readings; /* number in the interval */
	struct sm_levelcheck level; /* compares the rate with the level */
};

struct sm_source {
	const struct sm_root *root;
	struct sm_source_want want;
	enum sm_source_kind kind;   /* the selected source */
	struct sm_rapl rapl;
	struct sm_powerpmu pmu;
	struct sm_batteries batteries;
	struct sm_fuelgauge *gauge;        /* gauge of each battery domain */
	struct sm_hwmon hwmon;
	bool have_rapl, have_pmu, have_batteries, have_hwmon;
	struct sm_source_domain *domain;
	unsigned int n;                /* domains at the opening: those with a column */
	unsigned int all;              /* n + batteries that were inserted later */
	/* Values of the last sm_source_take(): */
	double total_uw;               /* NAN: unknown */
	double total_uj;               /* energy; NAN: unknown */
	uint64_t total_ns;             /* time that total_uj covers: longer than the interval after
	                                  a failed reading, shorter if time was dropped.  The parts
	                                  are read at different times; their times are weighted by
	                                  power, so that power times time is energy */
	double retracted_uj;           /* energy of earlier takes that has been proved wrong */
	enum sm_figure figure;
	bool incomplete;               /* a part of the total cannot be read */
	bool missing;                  /* a part of the total had no value in this interval */
	uint64_t window_ns;
	uint64_t none_ns;              /* time since which no battery discharges; 0: one does */
	bool no_value;                 /* at the opening, no part of the total had a value */
	bool lost;
	const char *lost_why;
	uint64_t take_ns, dt_ns;       /* end of the last take, when its last counter was read; and
	                                  the interval before it */
	unsigned int domains_cap;
	uint64_t restarts;             /* restarts of estimates: the level jumped, or after a charge */
	struct sm_source *beside;      /* next secondary source, or NULL; all functions include it */
	uint64_t readings;             /* polls that read an instantaneous power */
	bool mains_note;               /* a battery discharges although AC power is connected */
};

/* Returns domain i, counted through all sources; it must exist. */
const struct sm_source_domain *sm_source_at(const struct sm_source *p, unsigned int i);
/* Return the energy counter of domain i (NULL for batteries and sensors) and its sums (only for
 * counters). */
const struct sm_rapl_counter *sm_source_counter(const struct sm_source *p, unsigned int i);
static inline const struct sm_rapl_sums *sm_source_sums(const struct sm_source *p, unsigned int i)
{
	return p->kind == SM_SOURCE_RAPL ? &p->rapl.zones.at[i].sums : &p->pmu.domain[i].sums;
}

/* Reads the source; also called between samples, as often as sm_source_gap_ns() requires. */
int sm_source_poll(struct sm_source *p, uint64_t now_ns) SM_MUST;
/* Polls the source and sets the values of the interval since the last take. */
int sm_source_take(struct sm_source *p, uint64_t now_ns) SM_MUST;
/* Returns whether a reading is held that the next one will confirm or refute. */
bool sm_source_doubts(const struct sm_source *p);
/* The time since the last take is not counted (suspend, start). */
void sm_source_rebase(struct sm_source *p);
/* Restarts the estimates from levels, after a suspend. */
void sm_source_resumed(struct sm_source *p);
/* Returns the longest time between two polls in which no counter wraps, no edge of a level is missed,
 * and the mean of a power has enough readings.  A second while no battery discharges. */
uint64_t sm_source_gap_ns(const struct sm_source *p);
/* Returns the longest averaging time of the sensors that are added up, or 0. */
uint64_t sm_source_average_ns(const struct sm_source *p);
/* Returns whether figures of that time contain much power from before it: it is shorter than
 * SM_SOURCE_AVERAGES averages. */
#define SM_SOURCE_AVERAGES 3
bool sm_source_too_short(const struct sm_source *p, uint64_t ns);
/* Returns whether the total is the power of processors only. */
bool sm_source_is_processor(const struct sm_source *p);
/* Appends "battery: BAT0, BAT1", "RAPL: pkg-0 + dram", "power meter: power_meter-power1 (mean of 30 s)"
 * ..., sanitised. */
void sm_source_describe(const struct sm_source *p, struct sm_buf *b);
/* Adds a domain for each new system battery. */
void sm_source_add_batteries(struct sm_source *p);

#endif
