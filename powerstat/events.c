// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>

#include "events/cncount.h"
#include "events.h"
#include "proclog.h"

#define ACK_TIMEOUT_MS 1000
#define SOCKET_BYTES   (32u << 20) /* the kernel allocates it as it fills */
#define BATCH	       256
/* Limit of one call, the size of the queue: a storm of events must not keep it busy. */
#define READ_MAX (2 * SOCKET_BYTES / SM_CNPROC_EVENT_CHARGE)

struct events {
	struct sm_cnproc cn;
	struct sm_cncount count;
	bool in_kernel;
	struct events_counts sum;
	struct proclog *log;
	struct sm_proc_event batch[BATCH];
};

static int listen_all(struct events *e)
{
	const uint32_t mask = SM_PROC_FORK | SM_PROC_EXEC | (uint32_t)SM_PROC_EXIT;
	int err = sm_cnproc_open(&e->cn, SOCKET_BYTES);

	if (!err)
		err = sm_cnproc_listen(&e->cn, ACK_TIMEOUT_MS);
	if (err)
		return err;
	if (!e->log) {
		err = sm_cncount_open(&e->count, &e->cn);
		e->in_kernel = !err;
		if (!err || err == -ENOMEM)
			return err;
	}
	/* If the filter cannot be set, more events are read. */
	(void)!sm_cnproc_filter(&e->cn, mask);
	return 0;
}

int events_open(struct events **out, const struct sm_root *root, bool log)
{
	struct events *e = calloc(1, sizeof(*e));
	int err = 0;

	if (!e)
		return -ENOMEM;
	e->cn = (struct sm_cnproc)SM_CNPROC_INIT;
	if (log)
		err = proclog_new(&e->log, root);
	if (!err)
		err = listen_all(e);
	if (err) {
		events_close(e);
		return err;
	}
	*out = e;
	return 0;
}

void events_log_limit(struct events *e, uint64_t lines)
{
	if (e->log)
		proclog_limit(e->log, lines);
}

int events_begin(struct events *e)
{
	return e->log ? proclog_seed(e->log) : 0;
}

bool events_in_kernel(const struct events *e)
{
	return e->in_kernel;
}

int events_fd(const struct events *e)
{
	return e->in_kernel ? -1 : e->cn.fd;
}

/* Counts an event, unless it belongs to a thread. */
static void count_one(struct events_counts *sum, const struct sm_proc_event *ev)
{
	if (ev->pid != ev->tgid)
		return;
	switch (ev->what) {
	case SM_PROC_FORK:
		sum->fork++;
		break;
	case SM_PROC_EXEC:
		sum->exec++;
		break;
	case (uint32_t)SM_PROC_EXIT:
		sum->exit++;
		break;
	default:
		break;
	}
}

static void take(struct events *e, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		count_one(&e->sum, &e->batch[i]);
		if (e->log)
			proclog_add(e->log, &e->batch[i]);
	}
}

int events_read(struct events *e)
{
	ssize_t n = BATCH;

	if (e->in_kernel)
		return 0;
	for (size_t all = 0; n == BATCH && all < READ_MAX; all += BATCH) {
		n = sm_cnproc_read(&e->cn, e->batch, BATCH);
		if (n < 0)
			return (int)n;
		take(e, (size_t)n);
	}
	if (sm_cnproc_update_lost(&e->cn) > 0 && e->log)
		proclog_lost(e->log);
	e->sum.lost = e->cn.lost;
	return 0;
}

int events_counts(struct events *e, struct events_counts *out)
{
	int err = events_read(e);

	if (e->in_kernel) {
		struct sm_cncounts c;

		sm_cncount_read(&e->count, &c);
		e->sum = (struct events_counts){
			.fork = c.forks, .exec = c.execs, .exit = c.exits};
	}
	*out = e->sum;
	return err;
}

uint64_t events_log_missing(const struct events *e)
{
	return e && e->log ? proclog_missing(e->log) : 0;
}

void events_print_log(const struct events *e, struct sm_buf *b)
{
	if (e->log)
		proclog_print(e->log, e->sum.lost, b);
}

void events_close(struct events *e)
{
	if (!e)
		return;
	if (e->in_kernel)
		sm_cncount_close(&e->count);
	sm_cnproc_close(&e->cn);
	proclog_free(e->log);
	free(e);
}
