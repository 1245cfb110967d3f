/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * view_rig: one view of cpustat with all three formats into temporary files, and a sample of
 * one second at a known time.
 */
#ifndef CPUSTAT_VIEW_RIG_H
#define CPUSTAT_VIEW_RIG_H

#include "cpustat/view.h"
#include "cpustat_outputs_rig.h"
#include "view_files_rig.h"

#define PCT  UINT64_C(10000000) /* one percent of the sample */
#define HEADING "  %CPU   %USR   %SYS   PID S  CPU    Time Task"

static struct opts o;
static struct view v;
static struct sample sample;
static struct rows rows;
static struct sm_strpool *names;
static bool opened;

static inline void setup(void)
{
	/* Also where tests share a process (valgrind runs them without fork). */
	memset(&sample, 0, sizeof(sample));
	memset(&rows, 0, sizeof(rows));
	opened = false;
	o = opts_default;
	files_open(&o.app);
	sample.t_ns = MONO;
	sample.wall_ns = WALL;
	sample.dt_ns = SM_NSEC_PER_SEC;
	sample.source = "clock";
	sample.capacity_cpus = 2;
	ck_assert_int_eq(sm_strpool_new(&names, 1u << 20), 0);
}

static inline void begin_with(uint32_t pid_max)
{
	const char *what;

	ck_assert_int_eq(open_view(&v, &o, pid_max, &what), 0);
	opened = true;
}

static inline void begin(void)
{
	begin_with(32768);
	ck_assert_uint_eq(v.outputs->n, 3);
}

static inline void teardown(void)
{
	if (opened)
		close_view(&v);
	sm_strpool_free(names);
	files_close();
}

/* "a\0b": two arguments; each ends in a NUL, as in /proc. */
#define CMD(literal) sm_strpool_get(names, literal, sizeof(literal), 0)

/* The row of the specification:
 * " 25.24  24.27   0.97  1579 R    0  12.76s ./floor32". */
static inline struct row floor32(void)
{
	return (struct row){
		.kind = ROW_PROCESS,
		.flags = ROW_HAS_UID,
		.state = 'R',
		.pid = 1579,
		.tgid = 1579,
		.ppid = 1,
		.uid = 1000,
		.used_ns = 252400000,
		.usr_ns = 242700000,
		.sys_ns = 9700000,
		.dt_ns = SM_NSEC_PER_SEC,
		.total_ns = UINT64_C(12760000000),
		.members = 1,
		.comm = SM_STR("floor32"),
		.cmd = CMD("./floor32\0-b"),
	};
}

static inline struct row residual(enum row_kind kind)
{
	return (struct row){.kind = (uint8_t)kind,
		.cpu = -1,
		.used_ns = 2 * PCT,
		.sys_ns = 2 * PCT,
		.total_ns = 2 * PCT,
		.dt_ns = SM_NSEC_PER_SEC,
		.members = 1};
}

static inline void show(const struct row *r, size_t n)
{
	rows.matched = n;
	view_sample(&v, &sample, &rows, r, n, NULL);
}

static inline void show_one(struct row r)
{
	show(&r, 1);
}

#endif
