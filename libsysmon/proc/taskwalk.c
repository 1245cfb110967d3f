// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "proc/taskwalk.h"
#include "taskwalk.bpf.h"

static int load(struct sm_taskwalk *w, const struct sm_root *root, uint32_t room,
	struct sm_bpf_log *log)
{
	SM_CLEANUP(sm_bpf_loader_close) struct sm_bpf_loader l;
	int err = sm_bpf_loader_open(&l, &taskwalk_bpf, root, log);

	l.entries[MAP_RECORDS] = room < SM_TASKWALK_MAX ? room : SM_TASKWALK_MAX;
	if (!err)
		err = sm_bpf_loader_array(&l, MAP_HEAD, &w->head);
	if (!err)
		err = sm_bpf_loader_array(&l, MAP_RECORDS, &w->records);
	if (err)
		return err;
	w->prog_fd = sm_bpf_loader_load(&l, PROGRAM_WALK_TASKS);
	return w->prog_fd < 0 ? w->prog_fd : 0;
}

int sm_taskwalk_open(struct sm_taskwalk *w, const struct sm_root *root, uint32_t room,
	struct sm_bpf_log *log)
{
	int err;

	*w = (struct sm_taskwalk){.prog_fd = -1};
	err = load(w, root, room, log);
	if (err)
		sm_taskwalk_close(w);
	return err;
}

int sm_taskwalk_run(struct sm_taskwalk *w)
{
	int err = sm_bpf_prog_run(w->prog_fd);

	return !err && sm_taskwalk_head(w)->full ? -ENOBUFS : err;
}

void sm_taskwalk_close(struct sm_taskwalk *w)
{
	sm_base_close_fd(&w->prog_fd);
	sm_bpf_array_close(&w->head);
	sm_bpf_array_close(&w->records);
}

/* --- a record as /proc/PID/stat ---------------------------------------------------- */

/* include/linux/sched.h */
enum {
	TASK_UNINTERRUPTIBLE = 0x2,
	TASK_REPORT = 0x7f,
	TASK_IDLE = 0x402,
	TASK_RTLOCK_WAIT = 0x1000,
	TASK_FROZEN = 0x8000,
};

/* Equals task_state_index() of the kernel: the highest bit selects the letter. */
static char state_of(const struct sm_taskwalk_raw *r)
{
	uint32_t state = (r->state | r->exit_state) & TASK_REPORT;

	if ((r->state & TASK_IDLE) == TASK_IDLE)
		return 'I';
	if (r->state & (TASK_RTLOCK_WAIT | TASK_FROZEN))
		state = TASK_UNINTERRUPTIBLE;
	return "RSDTtXZP"[state ? 32 - __builtin_clz(state) : 0];
}

static int64_t ticks(uint64_t ns)
{
	return (int64_t)(ns / (SM_NSEC_PER_SEC / (uint64_t)sysconf(_SC_CLK_TCK)));
}

/* A worker of a workqueue has the name of its work added; other kernel threads keep the
 * end of a truncated name elsewhere. */
static bool has_whole_name(const struct sm_taskwalk_raw *r, const struct sm_pidstat *st)
{
	return !(r->flags & SM_PF_KTHREAD) ||
	       (!(r->flags & SM_PF_WQ_WORKER) && st->comm_len < sizeof(r->comm) - 1);
}

bool sm_taskwalk_stat(const struct sm_taskwalk_raw *r, struct sm_pidstat *st)
{
	uint64_t system_ns = sm_procpid_system_ns(r->ns, r->utime_ns, r->stime_ns);

	*st = (struct sm_pidstat){.pid = r->pid,
		.state = state_of(r),
		.ppid = r->ppid,
		.flags = r->flags,
		.utime_ticks = (uint64_t)ticks(r->ns - system_ns),
		.stime_ticks = (uint64_t)ticks(system_ns),
		.cutime_ticks = ticks(r->cutime_ns),
		.cstime_ticks = ticks(r->cstime_ns),
		.num_threads = r->threads,
		.start_ticks = (uint64_t)ticks(r->start_ns),
		.processor = (int)r->cpu};
	memcpy(st->comm, r->comm, sizeof(r->comm) - 1);
	st->comm_len = strlen(st->comm);
	return sm_taskwalk_has_ns(r) && has_whole_name(r, st);
}
