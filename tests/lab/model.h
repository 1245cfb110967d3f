/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * model: the simulated machine as exact functions of time.
 *
 * t_ns is the time since the start instant (T = 0).  Powers are in uW and constant by pieces,
 * so energy is exact to 1 uJ for each distinct piece; voltages are straight lines.  A value is
 * the text that one file has at one time.  Nothing here has a state, except the number of readings that
 * some values depend on: the same (value, time) gives the same text in the simulator, in the
 * judge and in labtree.  A power may also be a meter of the real machine's load (meter.h): then its times are
 * those that have passed.
 */
#ifndef LAB_MODEL_H
#define LAB_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NS_PER_S  1000000000LL
#define FOR_EVER  INT64_MAX
#define LAB_PIECES 64
#define LAB_STEPS  16

struct meter;

struct power {
	char name[32];
	struct meter *meter;               /* not NULL: the power depends on the load, no pieces */
	unsigned int n;
	int64_t period_ns;                 /* 0: the last piece lasts for ever */
	int64_t from_ns[LAB_PIECES];       /* from_ns[0] is 0 */
	int64_t uw[LAB_PIECES];
};

/* "15", "sq:LOW:HIGH:PERIOD[:DUTY]", "steps:W@T,W@T..." or "cycle:W@T,W@T...:PERIOD".
 * 0, or -1 when it is none of these. */
int power_parse(struct power *p, const char *s);
int64_t power_uw(const struct power *p, int64_t t_ns);
/* Since T = 0. */
int64_t power_uj(const struct power *p, int64_t t_ns);

struct volts { /* at T = 0, and how it changes: V(t) = uv + uv_per_s * t */
	char name[32];
	double uv, uv_per_s;
};

double volts_uv(const struct volts *v, int64_t t_ns);
/* Charge in uAh that a power draws at these volts since T = 0. */
double charge_uah(const struct power *p, const struct volts *v, int64_t t_ns);

struct bytes {
	char *p;
	size_t n;
};

enum kind {
	V_TEXT,    /* list[0] and a newline */
	V_BYTES,   /* list[0] as it is */
	V_AT,      /* list[i] from when_ns[i] on */
	V_CYCLE,   /* list[], the next each every_ns; each reading when that is 0 */
	V_LIN,     /* counter: an energy in uJ, or any count */
	V_LEVEL,   /* of a battery in uWh, falling by power */
	V_CHARGE,  /* of a battery in uAh */
	V_RATE,    /* present power, uW */
	V_CURRENT, /* present current, uA */
	V_VOLT,    /* uV */
	V_SIN,     /* mean, amplitude, period */
	V_SAW,     /* low, high, period */
	V_RANDOM,  /* list[0].n random bytes, different at each reading */
	V_SAME,    /* the value of another file */
	V_UEVENT,  /* composed of the files beside it */
	V_TEMPLATE, /* list[0] with {FILE} and {FILE/DIVISOR} replaced by numbers of files beside it */
	V_HOST,    /* the content of a file of the real machine */
};

struct value {
	enum kind kind;
	const struct power *power;
	const struct volts *volts;
	int64_t start;
	uint64_t range;                    /* 0: never wraps */
	int64_t unit;                      /* counts for a million; 0: no such quantum */
	int64_t step;                      /* rounded down to a multiple of it; 0: not */
	int64_t every_ns;                  /* changes only at multiples of it; 0: always */
	int64_t average_ns;                /* V_RATE, V_CURRENT: mean over that time */
	int sign;                          /* of a rate: 1, -1 */
	double low, high;                  /* V_SIN: mean, amplitude */
	int64_t period_ns;
	unsigned int njumps, nresets;
	int64_t jump_ns[LAB_STEPS], jump_by[LAB_STEPS], reset_ns[LAB_STEPS];
	struct bytes *list;
	int64_t *when_ns;
	unsigned int nlist;
};

/* The number of a numeric kind (V_LIN ... V_SAW). */
int64_t value_number(const struct value *v, int64_t t_ns);
/* True for a numeric kind. */
bool value_is_number(const struct value *v);
/* The element of list[] that is the value of V_TEXT, V_BYTES, V_AT or V_CYCLE. */
const struct bytes *value_choice(const struct value *v, int64_t t_ns, uint64_t readings);

#endif
