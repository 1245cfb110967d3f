// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "events/perf.h"
#include "events/tracefs.h"
#include "perf.h"

struct kind {
	const char *name;
	uint32_t type;
	bool of_kernel; /* it occurs only in the kernel, so its count in user mode is 0 */
	uint64_t config;
	const char *system; /* the category of the tracepoint `event` */
	const char *event;
};

#define HW(n, c)                                                                     \
	{                                                                            \
		.name = (n), .type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_##c \
	}
#define SW(n, c)                                                                     \
	{                                                                            \
		.name = (n), .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_##c \
	}
#define SW_OF_KERNEL(n, c)                                                            \
	{                                                                             \
		.name = (n), .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_##c, \
		.of_kernel = true                                                     \
	}
#define TRACE(n, s, e)                                                                 \
	{                                                                              \
		.name = (n), .type = PERF_TYPE_TRACEPOINT, .system = (s), .event = (e) \
	}

static const struct kind kinds[] = {
	HW("cycles", CPU_CYCLES),
	HW("instructions", INSTRUCTIONS),
	HW("branches", BRANCH_INSTRUCTIONS),
	HW("branch-misses", BRANCH_MISSES),
	HW("bus-cycles", BUS_CYCLES),
	HW("cache-references", CACHE_REFERENCES),
	HW("cache-misses", CACHE_MISSES),
	HW("stalled-cycles-frontend", STALLED_CYCLES_FRONTEND),
	HW("stalled-cycles-backend", STALLED_CYCLES_BACKEND),
	SW("task-clock", TASK_CLOCK),
	SW("page-faults-minor", PAGE_FAULTS_MIN),
	SW("page-faults-major", PAGE_FAULTS_MAJ),
	SW_OF_KERNEL("context-switches", CONTEXT_SWITCHES),
	SW_OF_KERNEL("cpu-migrations", CPU_MIGRATIONS),
	SW("alignment-faults", ALIGNMENT_FAULTS),
	TRACE("system-calls", "raw_syscalls", "sys_enter"),
	TRACE("page-faults-user", "exceptions", "page_fault_user"),
	TRACE("page-faults-kernel", "exceptions", "page_fault_kernel"),
	TRACE("pages-allocated", "kmem", "mm_page_alloc"),
	TRACE("pages-freed", "kmem", "mm_page_free"),
	TRACE("slab-allocations", "kmem", "kmem_cache_alloc"),
	TRACE("interrupts", "irq", "irq_handler_entry"),
	TRACE("softirqs", "irq", "softirq_entry"),
	TRACE("hrtimers-started", "timer", "hrtimer_start"),
	TRACE("timers-started", "timer", "timer_start"),
	TRACE("forks", "sched", "sched_process_fork"),
	TRACE("wakeups", "sched", "sched_wakeup"),
	TRACE("signals", "signal", "signal_generate"),
};
_Static_assert(SM_ARRAY_SIZE(kinds) == PERF_EVENTS, "a place for each event");

static int open_event(uint32_t type, uint64_t config, bool user_only, bool inherit)
{
	struct perf_event_attr attr = {
		.type = type,
		.size = sizeof(attr),
		.config = config,
		.read_format =
			PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
		.disabled = 1,
		.inherit = inherit,
		.exclude_kernel = user_only,
		.exclude_hv = user_only,
	};

	return sm_perf_event_open(&attr, 0, -1, -1, 0);
}

/* Finds out whether events in kernel mode may be counted.  Returns 0 or -errno. */
static int find_rights(struct perf_events *e)
{
	int fd = open_event(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK, false, false);

	e->user_only = fd == -EACCES || fd == -EPERM;
	if (fd >= 0)
		close(fd);
	return fd < 0 && !e->user_only ? fd : 0;
}

/* Reads the number of the event, which is looked up by name for a tracepoint. */
static int config_of(
	const struct kind *k, const struct sm_root *root, int tracefs, uint64_t *config)
{
	uint32_t id;
	int err;

	*config = k->config;
	if (!k->system)
		return 0;
	if (tracefs < 0)
		return tracefs;
	err = sm_tracefs_event_id(root, tracefs, k->system, k->event, &id);
	if (!err)
		*config = id;
	return err;
}

/* Returns true for an error that means that this user has no access to such an event,
 * rather than a failure. */
static bool is_absence(int err)
{
	static const int absent[] = {
		ENOENT, EOPNOTSUPP, ENODEV, ENXIO, ENOSYS, EINVAL, EACCES, EPERM};

	for (size_t i = 0; i < SM_ARRAY_SIZE(absent); i++)
		if (err == -absent[i])
			return true;
	return false;
}

static void find_events(struct perf_events *e, const struct sm_root *root, int tracefs,
	const char **why, int *err)
{
	uint64_t config;
	int failed = 0;

	for (size_t i = 0; i < SM_ARRAY_SIZE(kinds); i++) {
		const struct kind *k = &kinds[i];
		int r = k->of_kernel && e->user_only
				? -EACCES
				: config_of(k, root, tracefs, &config);

		if (!r) {
			r = open_event(k->type, config, e->user_only, false);
			if (r < 0)
				*err = r;
			if (r < 0 && k->type == PERF_TYPE_HARDWARE && i == 0)
				*why = "this machine has no hardware counters";
		}
		if (r < 0) {
			failed = is_absence(r) ? failed : r;
			continue;
		}
		e->kept_fd[e->n] = r;
		e->type[e->n] = k->type;
		e->config[e->n] = config;
		e->name[e->n] = k->name;
		e->n++;
	}
	if (failed)
		*why = strerror(-failed);
}

int perf_find(struct perf_events *e, const struct sm_root *root, const char **why)
{
	int err, tracefs;

	*why = "";
	memset(e, 0, sizeof(*e));
	err = find_rights(e);
	if (err)
		return err;
	err = -ENOENT;
	tracefs = sm_tracefs_open(root);
	find_events(e, root, tracefs, why, &err);
	if (tracefs >= 0)
		close(tracefs);
	if (e->n)
		return 0;
	return err == -EPERM ? -EACCES : err;
}

void perf_close(struct perf_events *e)
{
	for (unsigned int i = 0; i < e->n; i++)
		close(e->kept_fd[i]);
	e->n = 0;
}

int perf_open(const struct perf_events *e, struct perf_fds *f)
{
	int err = 0;

	for (unsigned int i = 0; i < e->n; i++) {
		f->fd[i] = open_event(e->type[i], e->config[i], e->user_only, true);
		if (f->fd[i] < 0 && !err)
			err = f->fd[i];
	}
	return err;
}

void perf_start(const struct perf_events *e, const struct perf_fds *f)
{
	for (unsigned int i = 0; i < e->n; i++)
		if (f->fd[i] >= 0)
			(void)ioctl(f->fd[i], PERF_EVENT_IOC_ENABLE, 0);
}

/* Reads the counter of one event; 0 or -errno. */
static int take(int fd, struct perf_counts *c, unsigned int i)
{
	uint64_t v[3];
	ssize_t n = fd < 0 ? 0 : read(fd, v, sizeof(v));

	if (n != (ssize_t)sizeof(v)) {
		c->missing |= UINT32_C(1) << i;
		return n < 0 ? -errno : 0;
	}
	c->value[i] = v[0];
	c->enabled_ns[i] = v[1];
	c->running_ns[i] = v[2];
	return 0;
}

int perf_stop(
	const struct perf_events *e, const struct perf_fds *f, struct perf_counts *c)
{
	int err = 0;

	for (unsigned int i = 0; i < e->n; i++)
		if (f->fd[i] >= 0)
			(void)ioctl(f->fd[i], PERF_EVENT_IOC_DISABLE, 0);
	for (unsigned int i = 0; i < e->n; i++) {
		int one = take(f->fd[i], c, i);

		err = err ? err : one;
	}
	return err;
}

bool perf_sum(const struct perf_counts *const *c, size_t n, unsigned int event,
	double *value, double *share)
{
	double enabled = 0, running = 0;

	*value = 0;
	for (size_t i = 0; i < n; i++) {
		double of = (double)c[i]->running_ns[event];

		if (c[i]->missing >> event & 1)
			return false;
		if (!c[i]->running_ns[event])
			continue;
		*value += (double)c[i]->value[event] *
			  ((double)c[i]->enabled_ns[event] / of);
		enabled += (double)c[i]->enabled_ns[event];
		running += of;
	}
	*share = enabled > 0 ? running / enabled : 0;
	return running > 0;
}
