/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sample: what powerstat measured between two instants, as an array of numbers, one for each
 * column of the table; NAN where a figure could not be had.
 *
 * The columns are made once, at the start (table.h): those that are always there (enum ps_fixed),
 * then one for each power domain or battery (-D), thermal zone (-t), and the frequencies (-f, -g).
 * An unreadable source keeps its column.
 * Units of the numbers: percent, per second, counts, watts, joules, degrees Celsius, kHz.
 */
#ifndef PS_SAMPLE_H
#define PS_SAMPLE_H

#include "base.h"

enum ps_fixed {
	PS_USER, PS_NICE, PS_SYS, PS_IDLE, PS_IO, /* percent of all CPU time */
	PS_IRQ, PS_SOFTIRQ, PS_STEAL,             /* the same; machine faces only */
	PS_RUN,                                   /* tasks on a run queue */
	PS_CTXT, PS_INTR,                         /* each second */
	PS_FORK, PS_EXEC, PS_EXIT,                /* in the interval */
	PS_WATTS,
	PS_JOULES,                                /* energy that the figure is of (-J) */
	PS_FIXED
};

enum ps_group { /* how JSON nests them */
	PS_G_CPU, PS_G_RATE, PS_G_PROCS, PS_G_POWER, PS_G_DOMAIN, PS_G_THERMAL, PS_G_FREQ,
};

struct ps_col {
	char *key;         /* snake_case with unit, unique: "user_pct", "pkg_0_w", "x86_pkg_temp_c" */
	char *head;        /* human heading: label whole, sanitised, unique in its group */
	char *name;        /* the source's own label, hostile bytes; of the others, the key */
	char *member;      /* JSON: name of the member of its group, quoted, unique there: "\"dram\":" */
	size_t key_len, head_len, name_len, member_len;
	uint16_t head_width; /* display columns of head */
	uint16_t width;    /* human, without the gap; the heading can widen it */
	uint16_t need;     /* the widest number so far */
	uint8_t group;     /* enum ps_group */
	uint8_t decimals;  /* of rows */
	uint8_t stat_decimals; /* of the statistic rows */
	uint8_t machine_decimals;
	uint8_t gap;       /* blanks before it */
	bool human;        /* in the table: Fork Exec Exit only where events can be had */
	bool shown;        /* in the machine faces */
	bool mark;         /* a column for a mark after the number: Watts */
	const char *unit;  /* after the number in the table: " GHz" or "" */
	double scale;      /* of the number in the table: 1, or 1e-6 for kHz -> GHz */
};

struct ps_table {
	struct ps_col *col;
	unsigned int n;
	unsigned int domain0, ndomains;   /* first column and number */
	unsigned int thermal0, nthermal;
	unsigned int freq0, nfreq;        /* mean (geometric), least, greatest: kHz */
	unsigned int gpu;                 /* column, 0 = none: kHz */
};

enum ps_kind { /* what kind of figure Watts is */
	PS_MEASURED,       /* energy counters, or a power meter */
	PS_GAUGE_RATE,     /* the battery's own rate */
	PS_LEVEL,          /* slope of the battery's level over a long enough window */
	PS_ESTIMATE,       /* the same over too little: marked E */
	PS_ABSENT,
	PS_KINDS
};

struct ps_sample {
	uint64_t t_ns;     /* CLOCK_MONOTONIC at the end */
	uint64_t wall_ns;
	uint64_t dt_ns;
	uint64_t energy_ns; /* the time that PS_JOULES is of */
	double *v;         /* table.n numbers */
	enum ps_kind kind;
	bool missing;      /* one that belongs to the total gave nothing this time: the figure is not
	                      like the others, and counts in the statistics only when there is no
	                      better one (statrows.h) */
	bool incomplete;   /* a source that belongs to the total was missing */
	uint64_t window_ns; /* PS_LEVEL, PS_ESTIMATE: what the slope covers */
	uint64_t events_lost; /* fork, exec, exit events that the kernel dropped */
	unsigned int online;
};

#endif
