// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <semaphore.h>

#include "sem/holders.h"

#define LIMIT_S 1 /* time limit of a wait */

struct sem {
	struct holders holders;
};

static int result(int r)
{
	return r < 0 ? -errno : 0;
}

/* Waits until a time of CLOCK_REALTIME, which may be set in the meantime. */
static int wait_timed(sem_t *sem)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += LIMIT_S;
	return sem_timedwait(sem, &until);
}

static int take(void *sem, enum holders_how how)
{
	if (how == HOLDERS_TRY)
		return result(sem_trywait(sem));
	return result(how == HOLDERS_TIMED ? wait_timed(sem) : sem_wait(sem));
}

static int post(void *sem)
{
	return result(sem_post(sem));
}

static int value(void *sem)
{
	int n = 0;

	return sem_getvalue(sem, &n) < 0 ? -errno : n;
}

static const struct holders_way way = {"sem_wait", take, post, value};

static int run(struct stress *s)
{
	return holders_run(s, &((struct sem *)s->data)->holders);
}

static int setup(struct stress *s)
{
	struct holders *h = &((struct sem *)s->data)->holders;
	sem_t *sem = team_memory(s, sizeof(*sem));
	int r = sem ? holders_begin(s, h, &way, sem) : -1;

	if (r)
		return r;
	if (sem_init(sem, 1, h->value) < 0)
		return stress_error(s, errno == ENOSYS ? STRESS_SKIP : STRESS_FAIL, errno,
			"sem_init");
	return 0;
}

/* Remarks for the man page (man/remarks.h). */
const char stressor_sem_man[] =
	"metric time per wait: all processes together, including the post\n"
	"metric tries that were refused: attempts with sem_trywait(3) that failed "
	"because others held the semaphore\n"
	"The semaphore is unnamed and in memory that the processes share.  In "
	"turn, they try it first, wait for it with sem_wait(3), and wait with "
	"sem_timedwait(3).\n";

const struct stressor stressor_sem = {
	.name = "sem",
	.does = "wait for and post a POSIX semaphore in several processes",
	.op = "one wait and post",
	.checks = "at most as many processes hold the semaphore as it permits, and "
		  "its final value is right",
	.classes = CLASS_SCHEDULER | CLASS_OS | CLASS_IPC,
	.opts = holders_opts,
	.metrics = holders_metrics,
	.cpus = holders_cpus,
	.state = sizeof(struct sem),
	.setup = setup,
	.run = run,
};
