// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <sys/ipc.h>
#include <sys/sem.h>

#include "ipc/space.h"
#include "sem/holders.h"

#define LIMIT_S 1 /* time limit of a wait */

/* semctl(2) requires the caller to define it. */
union semun {
	int val;
};

struct sem_sysv {
	struct holders holders;
	int id;
};

static int change(const int *id, short by, short flags, const struct timespec *limit)
{
	struct sembuf op = {.sem_op = by, .sem_flg = (short)(flags | SEM_UNDO)};

	return semtimedop(*id, &op, 1, limit) < 0 ? -errno : 0;
}

static int take(void *sem, enum holders_how how)
{
	static const struct timespec limit = {.tv_sec = LIMIT_S};
	int r = change(sem, -1, how == HOLDERS_TRY ? IPC_NOWAIT : 0,
		how == HOLDERS_TIMED ? &limit : NULL);

	/* Only an attempt with IPC_NOWAIT returns immediately. */
	return r == -EAGAIN && how == HOLDERS_TIMED ? -ETIMEDOUT : r;
}

static int post(void *sem)
{
	return change(sem, 1, 0, NULL);
}

static int value(void *sem)
{
	int n = semctl(*(int *)sem, 0, GETVAL);

	return n < 0 ? -errno : n;
}

static const struct holders_way way = {"semop", take, post, value};

static int run(struct stress *s)
{
	return holders_run(s, &((struct sem_sysv *)s->data)->holders);
}

static int setup(struct stress *s)
{
	struct sem_sysv *t = s->data;
	union semun first;
	int r = holders_begin(s, &t->holders, &way, &t->id);

	if (!r)
		r = ipc_space_enter(s);
	if (r)
		return r;
	t->id = semget(IPC_PRIVATE, 1, IPC_CREAT | 0600);
	if (t->id < 0)
		return stress_error(
			s, errno == ENOSYS ? STRESS_SKIP : STRESS_FAIL, errno, "semget");
	first.val = (int)t->holders.value;
	if (semctl(t->id, 0, SETVAL, first) < 0)
		return stress_error(s, STRESS_FAIL, errno, "semctl");
	return 0;
}

/* Remarks for the man page (man/remarks.h). */
const char stressor_sem_sysv_man[] =
	"metric time per wait: all processes together, including the post\n"
	"metric tries that were refused: attempts with IPC_NOWAIT that failed "
	"because others held the semaphore\n"
	"In turn, the processes try the semaphore first, wait for it with "
	"semop(2), and wait with the time limit of semtimedop(2); all calls use "
	"SEM_UNDO.  The semaphore belongs to an IPC namespace of the instance; the "
	"kernel removes it with the namespace.\n";

const struct stressor stressor_sem_sysv = {
	.name = "sem-sysv",
	.does = "wait for and post a System V semaphore in several processes",
	.op = "one wait and post",
	.checks = "at most as many processes hold the semaphore as it permits, and "
		  "its final value is right",
	.needs = IPC_SPACE_NEEDS,
	.caps = IPC_SPACE_CAPS,
	.classes = CLASS_SCHEDULER | CLASS_OS | CLASS_IPC,
	.opts = holders_opts,
	.metrics = holders_metrics,
	.cpus = holders_cpus,
	.state = sizeof(struct sem_sysv),
	.setup = setup,
	.run = run,
};
