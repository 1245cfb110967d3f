/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * track_rig: the tracker of forkstat on a fixture of /proc, with events that the test makes.
 */
#ifndef TRACK_RIG_H
#define TRACK_RIG_H

#include "forkstat/track.h"
#include "forkstat_rig.h"

static struct rig r;
static struct capture c;
static struct track t;
static struct row row;
static struct sm_proc_event now; /* of the row */

static inline void setup(void)
{
	rig_open(&r, 1u << 20, false);
	memset(&c, 0, sizeof(c));
	c.way = CAPTURE_PERF;
	c.procs = &r.procs;
	ck_assert_int_eq(sm_map_init(&c.waiting, 16), 0);
	t = (struct track){.procs = &r.procs, .capture = &c};
	rig_task(&r, (struct rig_task){.pid = 100,
			     .ppid = 1,
			     .pgrp = 90,
			     .comm = "bash",
			     RIG_CMD("bash\0"),
			     .tty = 0x8803,
			     .start_ticks = 500});
}

static inline void teardown(void)
{
	capture_close(&c);
	rig_close(&r);
}

static inline struct row *apply_later(struct sm_proc_event ev, bool later)
{
	now = ev;
	memset(&row, 0x5a, sizeof(row));
	ck_assert(track_apply(&t, &now, later, &row));
	ck_assert_ptr_nonnull(row.p);
	ck_assert_ptr_eq(row.ev, &now);
	ck_assert_uint_eq(row.time_ns, ev.time_ns);
	return &row;
}

static inline struct row *apply(struct sm_proc_event ev)
{
	return apply_later(ev, false);
}

static inline void done(struct sm_proc_event ev)
{
	track_done(&t, apply(ev));
}

static inline struct sm_proc_event ev_of(uint32_t what, pid_t pid, pid_t tgid)
{
	return (struct sm_proc_event){
		.time_ns = 5000, .what = what, .pid = pid, .tgid = tgid};
}

static inline void captured(pid_t pid, uint64_t time_ns, const char *args, size_t len,
	bool truncated, size_t expect_len)
{
	capture_exec(&c, &(struct execbpf_record){.pid = pid,
				 .time_ns = time_ns,
				 .file = "/bin/file",
				 .file_len = 9,
				 .args = args,
				 .args_len = len,
				 .truncated = truncated,
				 .expect_len = expect_len});
}

#define FIXTURE(tc) tcase_add_checked_fixture(tc, setup, teardown)

#endif
