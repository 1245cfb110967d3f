// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Children execute the program itself, which exits immediately with the status that its
 * number requires (run/image.h).  A round creates children, then reaps them in that
 * order.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "refused/box.h"
#include "run/image.h"
#include "run/stress.h"

enum { FORK_METHOD, METHOD, MAX, NO_PTHREAD };

enum { BY_CLONE, BY_FORK, BY_SPAWN, BY_VFORK };
static const char *const fork_names[] = {"clone", "fork", "spawn", "vfork", NULL};
enum { ALL, EXECVE, EXECVEAT };
static const char *const exec_names[] = {"all", "execve", "execveat", NULL};

static const struct stressor_opt opts[] = {
	[FORK_METHOD] = {"fork-method", STRESSOR_CHOICE, "METHOD",
		"select how children are created", .normal = BY_FORK,
		.choices = fork_names},
	[METHOD] = {"method", STRESSOR_CHOICE, "METHOD",
		"select the call that executes the program", .normal = ALL,
		.choices = exec_names},
	[MAX] = {"max", STRESSOR_COUNT, "N", "keep N children at a time", .min = 1,
		.max = 65536, .normal = 1, .small = 1, .large = 64},
	[NO_PTHREAD] = {"no-pthread", STRESSOR_FLAG, NULL,
		"never execute the program from a second thread", .max = 1},
	{0},
};

enum { EXECS, PER_EXEC, FAILED };

static const struct stressor_metric metrics[] = {
	[EXECS] = {"executions", "/s", .mean = MEAN_RATE},
	[PER_EXEC] = {"time per execution", "ns", .mean = MEAN_ARITHMETIC,
		.headline = "ns per execution"},
	[FAILED] = {"failed calls", "", .mean = MEAN_SUM},
	{0},
};

#define CHILD_BYTES  UINT64_C(524288) /* the new image, its stacks and page tables */
#define STACK_BYTES  65536u
#define NUMBER_BYTES 24u
#define RETRY_NS     SM_NSEC_PER_MSEC
#define THREAD_EVERY 4u /* one in this many children executes from a thread */
#define SPOILT_AT    2u
#define EXEC_FAILED  255

struct child {
	pid_t pid;
	uint8_t status; /* expected exit status */
	bool at;	/* uses execveat(2) */
};

struct execs {
	const char *path; /* path of the program */
	int fd;		  /* descriptor of the program; closed by execve */
	struct child *child;
	unsigned int n;	  /* number of children */
	char *stack;	  /* stack for clone; the instance waits until it is free */
	_Atomic int *why; /* errno of an exec, in memory shared with the children */
	bool at, thread;  /* how the next child executes the program */
	char name[sizeof(IMAGE_NAME)], number[NUMBER_BYTES], fd_number[NUMBER_BYTES];
	char *argv[IMAGE_ARGS + 1], *envp[1];
	uint64_t created, reaped, failed;
	int error;    /* errno of the last failed creation */
	int lacks_at; /* errno because of which execveat(2) is not used, or 0 */
};

/* --- the child ---------------------------------------------------------------------- */

/* Executes the program; returns an exit status only on failure. */
static int execute(struct execs *e)
{
	if (e->at)
		(void)syscall(SYS_execveat, e->fd, "", e->argv, e->envp, AT_EMPTY_PATH);
	else
		(void)execve(e->path, e->argv, e->envp);
	atomic_store(e->why, errno);
	return EXEC_FAILED;
}

static void *execute_as_thread(void *execs)
{
	_exit(execute(execs));
}

/* Executes the program from a thread, whose image replaces the process; the main thread
 * only waits. */
static _Noreturn void execute_from(struct execs *e)
{
	pthread_t thread;

	if (e->thread && pthread_create(&thread, NULL, execute_as_thread, e) == 0)
		(void)pthread_join(thread, NULL);
	_exit(execute(e));
}

static int cloned(void *execs)
{
	return execute(execs);
}

/* --- creation ----------------------------------------------------------------------- */

static pid_t by_clone(struct execs *e)
{
	return clone(cloned, e->stack + STACK_BYTES, CLONE_VM | CLONE_VFORK | SIGCHLD, e);
}

static pid_t by_fork(struct execs *e)
{
	pid_t pid = fork();

	if (pid == 0)
		execute_from(e);
	return pid;
}

/* The child may make no other calls, and shares errno with the parent. */
static pid_t by_vfork(struct execs *e)
{
	pid_t pid = vfork();

	if (pid == 0) {
		(void)execve(e->path, e->argv, e->envp);
		_exit(EXEC_FAILED);
	}
	if (pid > 0)
		atomic_store(e->why, errno);
	return pid;
}

static pid_t by_spawn(struct execs *e)
{
	pid_t pid;

	errno = posix_spawn(&pid, e->path, NULL, NULL, e->argv, e->envp);
	return errno ? -1 : pid;
}

static pid_t create(struct execs *e, uint64_t fork_method)
{
	static pid_t (*const by[])(struct execs *) = {
		[BY_CLONE] = by_clone, by_fork, by_spawn, by_vfork};

	return by[fork_method](e);
}

/* Returns whether the next child uses execveat(2). */
static bool by_execveat(const struct stress *s, const struct execs *e)
{
	if (s->value[FORK_METHOD] == BY_SPAWN || s->value[FORK_METHOD] == BY_VFORK)
		return false;
	if (s->value[METHOD] == ALL)
		return !e->lacks_at && e->created % 2;
	return s->value[METHOD] == EXECVEAT;
}

static void choose(const struct stress *s, struct execs *e)
{
	e->at = by_execveat(s, e);
	e->thread = !s->value[NO_PTHREAD] && e->created % THREAD_EVERY == 0;
	snprintf(e->number, sizeof(e->number), "%" PRIu64, e->created);
}

static bool create_one(const struct stress *s, struct execs *e)
{
	pid_t pid;

	choose(s, e);
	pid = create(e, s->value[FORK_METHOD]);
	if (pid < 0) {
		e->error = errno;
		e->failed++;
		return false;
	}
	e->child[e->n++] = (struct child){pid, image_status(e->created++), e->at};
	return true;
}

/* --- the end of a child ------------------------------------------------------------- */

/* Handles a failed exec: the kernel lacks execveat(2), or a security module does not
 * permit it (TOMOYO checks /dev/fd/N).  Returns 1 if execve(2) is used instead from now
 * on. */
static int cannot_execute(struct stress *s, struct execs *e, const struct child *c)
{
	int error = atomic_load(e->why);
	bool lacks = c->at && (error == ENOSYS || error == ENOENT || error == EPERM);

	if (lacks && s->value[METHOD] == ALL) {
		e->lacks_at = error;
		return 1;
	}
	return stress_error(s, lacks ? STRESS_SKIP : STRESS_FAIL, error, "%s of %s",
		c->at ? "execveat" : "execve", e->path);
}

/* Returns 0, 1 if the child does not count, or the return value of stress_fail(). */
static int check(struct stress *s, struct execs *e, const struct child *c, int status)
{
	int wanted = c->status;

	if (s->spoil && e->reaped == SPOILT_AT)
		wanted = image_status(c->status);
	if (WIFSIGNALED(status))
		return stress_fail(
			s, "child %d was killed by signal %d", c->pid, WTERMSIG(status));
	if (WEXITSTATUS(status) == EXEC_FAILED)
		return cannot_execute(s, e, c);
	if (WEXITSTATUS(status) == IMAGE_WRONG)
		return stress_fail(s,
			"child %d has a descriptor or an environment that "
			"execve should not give it",
			c->pid);
	if (WEXITSTATUS(status) == wanted)
		return 0;
	return stress_fail(s, "child %d exited with status %d instead of %d", c->pid,
		WEXITSTATUS(status), wanted);
}

static int reap_one(struct stress *s, struct execs *e, const struct child *c)
{
	int status = 0, r;
	pid_t pid;

	do
		pid = waitpid(c->pid, &status, 0);
	while (pid < 0 && errno == EINTR);
	if (pid != c->pid)
		return stress_fail(
			s, "child %d cannot be reaped: %s", c->pid, strerror(errno));
	r = check(s, e, c, status);
	e->reaped++;
	if (r == 0)
		stress_add(s, 1);
	return r < 0 ? r : 0;
}

/* Reaps all children and returns the first result. */
static int reap_all(struct stress *s, struct execs *e)
{
	int r = 0;

	for (unsigned int i = 0; i < e->n; i++) {
		int one = reap_one(s, e, &e->child[i]);

		r = r ? r : one;
	}
	e->n = 0;
	return r;
}

/* --- the run ------------------------------------------------------------------------ */

/* Children count when they are reaped, so no more are created than ops are left. */
static bool wants_more(const struct stress *s, const struct execs *e)
{
	uint64_t ops = atomic_load_explicit(&s->slot->ops, memory_order_relaxed);

	return e->n < s->value[MAX] && ops + e->n < s->ops_max && !stress_stopped(s);
}

static int one_round(struct stress *s, struct execs *e)
{
	static const struct timespec retry = {.tv_nsec = RETRY_NS};
	bool ok = true;

	while (ok && wants_more(s, e))
		ok = create_one(s, e);
	if (e->n == 0 && !ok)
		nanosleep(&retry, NULL);
	return reap_all(s, e);
}

static void report(struct stress *s, const struct execs *e)
{
	uint64_t now = sm_clock_mono_ns();
	double n = (double)e->reaped;

	stress_metric(s, FAILED, (double)e->failed);
	if (e->reaped == 0 || now == s->begin_ns)
		return;
	stress_metric(s, EXECS, n * 1e9 / (double)(now - s->go_ns));
	stress_metric(s, PER_EXEC, (double)(now - s->begin_ns) / n);
}

static int run(struct stress *s)
{
	struct execs *e = s->data;
	const char *method = fork_names[s->value[FORK_METHOD]];
	int r = 0;

	while (r == 0 && stress_goes_on(s))
		r = one_round(s, e);
	report(s, e);
	if (r == 0 && e->lacks_at)
		stress_note(s, "execveat is not used: %s", strerror(e->lacks_at));
	if (r || !e->error)
		return r;
	if (e->reaped == 0)
		return stress_error(s, STRESS_FAIL, e->error, "%s", method);
	stress_note(s, "%s failed %" PRIu64 " times: %s", method, e->failed,
		strerror(e->error));
	return 0;
}

/* --- setup -------------------------------------------------------------------------- */

static uint64_t memory(const struct stress *s)
{
	return s->value[MAX] * CHILD_BYTES;
}

/* Returns the path with which the program was executed. */
static const char *program(void)
{
	return (const char *)(uintptr_t)getauxval(AT_EXECFN);
}

static const char *probe(const struct stress *s)
{
	const char *path = program();

	(void)s;
	if (!path || access(path, X_OK) < 0)
		return "the path with which the program was executed no longer leads to "
		       "it";
	return NULL;
}

static int setup(struct stress *s)
{
	struct execs *e = s->data;

	e->path = program();
	e->fd = open(e->path, O_PATH | O_CLOEXEC);
	if (e->fd < 0)
		return stress_error(s, STRESS_FAIL, errno, "%s", e->path);
	snprintf(e->name, sizeof(e->name), "%s", IMAGE_NAME);
	snprintf(e->fd_number, sizeof(e->fd_number), "%d", e->fd);
	e->argv[0] = e->name;
	e->argv[IMAGE_NUMBER] = e->number;
	e->argv[IMAGE_FD] = e->fd_number;
	e->child = calloc(s->value[MAX], sizeof(*e->child));
	if (!e->child)
		return stress_lacks(s, "no memory");
	e->why = box_memory(s, sizeof(*e->why));
	if (!e->why)
		return -1;
	e->stack = stress_map(s, STACK_BYTES, 0);
	return e->stack ? 0 : -1;
}

/* Remarks for the man page (man/remarks.h). */
const char stressor_exec_man[] =
	"metric time per execution: from one child to the next, including its exit\n"
	"metric failed calls: calls that created no process for lack of a resource\n"
	"One in four children of fork executes the program from a second thread, "
	"whose image replaces that of the process.\n"
	"--fork-method clone: clone(2), sharing the parent's memory, as "
	"posix_spawn(3) does\n"
	"--fork-method fork: fork(2)\n"
	"--fork-method spawn: posix_spawn(3), which always uses execve(2)\n"
	"--fork-method vfork: vfork(2), whose child always uses execve(2)\n"
	"--method all: execve and execveat in turn\n"
	"--method execve: execve(2) with the path of the program\n"
	"--method execveat: execveat(2) with a descriptor of the program file\n";

const struct stressor stressor_exec = {
	.name = "exec",
	.does = "execute the program itself in new processes, which exit "
		"immediately",
	.op = "one child is created, executes the program and is reaped",
	.checks = "the new program exits with the status that it computes from its "
		  "argument, has no environment, and has not inherited a "
		  "close-on-exec descriptor",
	.classes = CLASS_SCHEDULER | CLASS_OS,
	.opts = opts,
	.metrics = metrics,
	.memory = memory,
	.probe = probe,
	.state = sizeof(struct execs),
	.setup = setup,
	.run = run,
};
