// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/clock.h"
#include "events/tracefs.h"
#include "target/perfset.h"

static struct perf_event_attr software(bool user)
{
	return (struct perf_event_attr){.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_PAGE_FAULTS,
		.exclude_kernel = user,
		.exclude_user = !user,
		.exclude_hv = 1};
}

static int tracepoint(struct perf_event_attr *a, const struct sm_root *root,
	int tracefs_fd, const char *event)
{
	uint32_t id = 0;
	int err = tracefs_fd < 0
			  ? tracefs_fd
			  : sm_tracefs_event_id(root, tracefs_fd, "kmem", event, &id);

	*a = (struct perf_event_attr){.type = PERF_TYPE_TRACEPOINT, .config = id};
	return err;
}

static int describe(struct perf_event_attr *a, const struct sm_root *root, int tracefs_fd,
	enum perf_counter c)
{
	switch (c) {
	case PERF_PAGE_ALLOC:
		return tracepoint(a, root, tracefs_fd, "mm_page_alloc");
	case PERF_PAGE_FREE:
		return tracepoint(a, root, tracefs_fd, "mm_page_free");
	default:
		*a = software(c == PERF_FAULTS_USER);
		return 0;
	}
}

void perfset_open(
	struct perfset *s, const struct sm_root *root, int tracefs_fd, pid_t pid)
{
	*s = (struct perfset)PERFSET_INIT;
	for (enum perf_counter c = 0; c < PERF_COUNTERS; c++) {
		struct perf_event_attr a;
		int err = describe(&a, root, tracefs_fd, c);

		if (!err)
			err = sm_perfthreads_open(&s->counter[c], root, pid, &a);
		s->counter[c].err = err;
	}
}

void perfset_read(const struct perfset *s, struct perf_counts *out)
{
	out->ns = sm_clock_mono_ns();
	for (enum perf_counter c = 0; c < PERF_COUNTERS; c++) {
		out->count[c] = 0;
		out->err[c] = sm_perfthreads_read(&s->counter[c], &out->count[c]);
	}
}

void perfset_close(struct perfset *s)
{
	for (enum perf_counter c = 0; c < PERF_COUNTERS; c++)
		sm_perfthreads_close(&s->counter[c]);
}
