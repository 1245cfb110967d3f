/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * view_rig: one view with all three formats into temporary files, at a known time.
 */
#ifndef VIEW_RIG_H
#define VIEW_RIG_H

#include "forkstat/view.h"
#include "forkstat_outputs_rig.h"
#include "forkstat_rig.h"
#include "view_files_rig.h"

static struct rig r;
static struct opts o;
static struct view v;
static struct row row;
static struct sm_proc_event ev;
static bool opened;

static inline void setup(void)
{
	rig_open(&r, 1u << 20, false);
	/* Also where tests share a process (valgrind runs them without fork). */
	memset(&row, 0, sizeof(row));
	memset(&ev, 0, sizeof(ev));
	opened = false;
	o = opts_default;
	files_open(&o.app);
	o.app.no_header = true;
}

static inline void begin(void)
{
	const char *what;

	ck_assert_int_eq(open_view(&v, &o, 32768, &what), 0);
	ck_assert_uint_eq(v.outputs->n, 3);
	v.wall_offset_ns = (int64_t)(WALL - MONO);
	v.offset_read_ns = MONO;
	opened = true;
}

static inline void teardown(void)
{
	if (opened)
		close_view(&v);
	files_close();
	rig_close(&r);
}

/* A process with all data known; args as in rig_name(). */
#define task(pid, args, file) task_of(pid, rig_name(&r.procs, args), file)

static inline struct sm_task *task_of(pid_t pid, struct sm_poolstr *cmd, const char *file)
{
	struct sm_task *p = sm_tasktable_fork(&r.procs, pid, pid, 1, MONO);

	ck_assert_ptr_nonnull(p);
	sm_tasktable_exec(&r.procs, p, cmd, (struct sm_str){file, strlen(file)});
	return p;
}

static inline void show(enum event kind, struct sm_task *p)
{
	row.kind = kind;
	row.p = p;
	row.ev = &ev;
	row.time_ns = MONO;
	view_row(&v, &row);
}

static inline void show_exit(uint32_t status, uint64_t duration_ns)
{
	ev = ev_exit(MONO, 100, 100, status);
	row.exit = (struct exits_status){
		.process_end = true, .known = true, .code = status};
	row.has_duration = true;
	row.duration_ns = duration_ns;
	show(EVENT_EXIT, sm_tasktable_get(&r.procs, 100));
}

#endif
