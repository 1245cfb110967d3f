// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Each child exits immediately with the status that its number requires.  Children are
 * reaped in the order in which they were created.
 */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run/stress.h"

enum { METHOD, MAX };

static const char *const method_names[] = {"fork", "vfork", "clone", "posix_spawn", NULL};

static const struct stressor_opt opts[] = {
	{"method", STRESSOR_CHOICE, "METHOD", "select how children are created",
		.choices = method_names},
	{"max", STRESSOR_COUNT, "N", "keep N children at a time", .min = 1, .max = 16000,
		.normal = 1, .small = 1, .large = 64},
	{0},
};

enum { FORKS, TIME_PER_FORK, CALL, FAILED };

static const struct stressor_metric metrics[] = {
	[FORKS] = {"forks", "/s", .mean = MEAN_RATE},
	[TIME_PER_FORK] = {"time per fork", "ns", .mean = MEAN_ARITHMETIC,
		.headline = "ns per fork", .yaml = "microsecs-per-fork",
		.yaml_factor = 1e-3},
	[CALL] = {"time of the call", "ns", .mean = MEAN_ARITHMETIC},
	[FAILED] = {"failed calls", "", .mean = MEAN_SUM},
	{0},
};

#define CHILD_BYTES   UINT64_C(131072) /* page tables and stacks */
#define STACK_BYTES   16384u
#define RETRY_NS      SM_NSEC_PER_MSEC
#define ASKED(number) ((uint8_t)((number) % 251))

struct child {
	pid_t pid;
	uint8_t asked; /* requested exit status */
};

struct forks;
/* Returns the child's pid, or -1 with errno.  place: its index in the ring. */
typedef pid_t create_function(struct forks *f, unsigned int place, uint8_t status);

struct forks {
	create_function *create;
	struct child *ring;
	unsigned int max, first, n; /* state of the ring */
	char *stacks;		    /* stacks for clone, one per place */
	uint64_t number;	    /* number of children created */
	uint64_t reaped, call_ns;
	uint64_t failed;
	int error; /* errno of the last failed creation */
};

/* Makes the system call directly; the code of the C library before and after fork(3)
 * takes an eighth of the time. */
static pid_t by_fork(struct forks *f, unsigned int place, uint8_t status)
{
#ifdef SYS_fork
	pid_t pid = (pid_t)syscall(SYS_fork);
#else
	pid_t pid = (pid_t)syscall(SYS_clone, SIGCHLD, 0L, 0L, 0L, 0L);
#endif

	(void)f;
	(void)place;
	if (pid == 0)
		syscall(SYS_exit_group, status);
	return pid;
}

static pid_t by_vfork(struct forks *f, unsigned int place, uint8_t status)
{
	pid_t pid = vfork();

	(void)f;
	(void)place;
	if (pid == 0)
		_exit(status);
	return pid;
}

static int cloned(void *status)
{
	return (int)(uintptr_t)status;
}

/* Creates a process that shares the memory, like a thread, but has its own stack. */
static pid_t by_clone(struct forks *f, unsigned int place, uint8_t status)
{
	char *top = f->stacks + ((size_t)place + 1) * STACK_BYTES;

	return clone(cloned, top, CLONE_VM | SIGCHLD, (void *)(uintptr_t)status);
}

static char program_true[] = "/bin/true", program_false[] = "/bin/false";

static pid_t by_spawn(struct forks *f, unsigned int place, uint8_t status)
{
	char *const argv[] = {status ? program_false : program_true, NULL};
	char *const envp[] = {NULL};
	pid_t pid;
	int r = posix_spawn(&pid, argv[0], NULL, NULL, argv, envp);

	(void)f;
	(void)place;
	errno = r;
	return r == 0 ? pid : -1;
}

static create_function *const create_by[] = {by_fork, by_vfork, by_clone, by_spawn};

static bool create_one(struct forks *f)
{
	unsigned int place = (f->first + f->n) % f->max;
	uint8_t asked = ASKED(f->number);
	uint64_t begin_ns;
	pid_t pid;

	if (f->create == by_spawn)
		asked &= 1;
	begin_ns = sm_clock_mono_ns();
	pid = f->create(f, place, asked);
	if (pid < 0) {
		f->error = errno;
		f->failed++;
		return false;
	}
	f->call_ns += sm_clock_mono_ns() - begin_ns;
	f->ring[place] = (struct child){pid, asked};
	f->number++;
	f->n++;
	return true;
}

static int check(
	struct stress *s, const struct forks *f, const struct child *c, int status)
{
	uint8_t asked = s->spoil && f->reaped == 2 ? (uint8_t)~c->asked : c->asked;

	if (!WIFEXITED(status))
		return stress_fail(
			s, "child %d was killed by signal %d", c->pid, WTERMSIG(status));
	if (WEXITSTATUS(status) != asked)
		return stress_fail(s, "child %d exited with status %d instead of %u",
			c->pid, WEXITSTATUS(status), asked);
	return 0;
}

static int reap_one(struct stress *s, struct forks *f)
{
	const struct child *c = &f->ring[f->first];
	pid_t pid;
	int status = 0, r;

	do {
		pid = waitpid(c->pid, &status, 0);
	} while (pid < 0 && errno == EINTR);
	f->first = (f->first + 1) % f->max;
	f->n--;
	if (pid != c->pid)
		return stress_fail(s, "child %d cannot be reaped: %s", c->pid,
			pid < 0 ? strerror(errno) : "another one came");
	r = check(s, f, c, status);
	f->reaped++;
	if (r == 0)
		stress_add(s, 1);
	return r;
}

/* Children count when they are reaped, so no more are created than ops are left. */
static bool wants_more(const struct stress *s, const struct forks *f)
{
	uint64_t ops = atomic_load_explicit(&s->slot->ops, memory_order_relaxed);

	return f->n < f->max && ops + f->n < s->ops_max && !stress_stopped(s);
}

static void wait_for_room(void)
{
	struct timespec ts = {.tv_nsec = RETRY_NS};

	nanosleep(&ts, NULL);
}

static int one_pass(struct stress *s, struct forks *f)
{
	bool ok = true;

	while (ok && wants_more(s, f))
		ok = create_one(f);
	if (f->n)
		return reap_one(s, f);
	if (!ok)
		wait_for_room();
	return 0;
}

static void report(struct stress *s, const struct forks *f)
{
	uint64_t now = sm_clock_mono_ns();
	double n = (double)f->reaped;

	stress_metric(s, FAILED, (double)f->failed);
	if (f->reaped == 0 || now == s->begin_ns)
		return;
	stress_metric(s, FORKS, n * 1e9 / (double)(now - s->go_ns));
	stress_metric(s, TIME_PER_FORK, (double)(now - s->begin_ns) / n);
	stress_metric(s, CALL, (double)f->call_ns / (double)f->number);
}

/* Reaps all children and returns the first result. */
static int reap_all(struct stress *s, struct forks *f, int r)
{
	while (f->n) {
		int one = reap_one(s, f);

		r = r ? r : one;
	}
	return r;
}

/* Reports that no process, or not all processes, could be created. */
static int say_failures(struct stress *s, const struct forks *f)
{
	const char *method = method_names[s->value[METHOD]], *why = strerror(f->error);

	if (f->reaped == 0)
		return stress_lacks(s, "%s: %s", method, why);
	stress_note(s, "%s failed %llu times: %s", method, (unsigned long long)f->failed,
		why);
	return 0;
}

static int run(struct stress *s)
{
	struct forks *f = s->data;
	int r = 0;

	while (r == 0 && stress_goes_on(s))
		r = one_pass(s, f);
	r = reap_all(s, f, r);
	report(s, f);
	if (r == 0 && f->error)
		return say_failures(s, f);
	return r;
}

static uint64_t memory(const struct stress *s)
{
	return s->value[MAX] * CHILD_BYTES;
}

static const char *probe(const struct stress *s)
{
	if (create_by[s->value[METHOD]] != by_spawn)
		return NULL;
	if (access(program_true, X_OK) < 0 || access(program_false, X_OK) < 0)
		return "posix_spawn needs /bin/true and /bin/false, which are not "
		       "installed";
	return NULL;
}

static int map_stacks(struct stress *s, struct forks *f)
{
	if (f->create != by_clone)
		return 0;
	f->stacks = stress_map(s, (size_t)f->max * STACK_BYTES, 0);
	return f->stacks ? 0 : STRESS_LACKS;
}

static int setup(struct stress *s)
{
	struct forks *f = s->data;

	f->create = create_by[s->value[METHOD]];
	f->max = (unsigned int)s->value[MAX];
	f->ring = calloc(f->max, sizeof(*f->ring));
	if (!f->ring)
		return stress_lacks(s, "no memory");
	return map_stacks(s, f);
}

/* Remarks for the man page (man/remarks.h). */
const char stressor_fork_man[] =
	"metric time per fork: from one child to the next; the time of the call "
	"ends when the parent continues\n"
	"metric failed calls: calls that created no process for lack of a resource\n"
	"--method fork: the system call fork(2), without the additions of the C "
	"library\n"
	"--method vfork: vfork(2)\n"
	"--method clone: clone(2), sharing the parent's memory\n"
	"--method posix_spawn: posix_spawn(3) of /bin/true and /bin/false\n";

const struct stressor stressor_fork = {
	.name = "fork",
	.letter = 'f',
	.does = "create processes that exit immediately, and reap them",
	.op = "one child is created, exits and is reaped",
	.checks = "each child exits with the status that it was given",
	.classes = CLASS_SCHEDULER | CLASS_OS,
	.opts = opts,
	.metrics = metrics,
	.memory = memory,
	.probe = probe,
	.state = sizeof(struct forks),
	.setup = setup,
	.run = run,
};
