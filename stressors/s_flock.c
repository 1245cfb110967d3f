// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * An instance and a partner lock the same file, each through its own open file.  Shared
 * memory is changed only under the exclusive lock, without atomic operations, and is
 * read under either lock.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run/stress.h"

#define NAME "lock"

enum { RATE, REFUSED, PER_LOCK };
enum kind { EXCLUSIVE, SHARED, CONVERTED, TRIED, KINDS };

static const struct stressor_metric metrics[] = {
	[RATE] = {"locks", "/s", .mean = MEAN_RATE, .headline = "locks/s"},
	[REFUSED] = {"tries that were refused", "%", .mean = MEAN_ARITHMETIC},
	[PER_LOCK +
		EXCLUSIVE] = {"time per exclusive lock", "ns", .mean = MEAN_ARITHMETIC},
	[PER_LOCK + SHARED] = {"time per shared lock", "ns", .mean = MEAN_ARITHMETIC},
	[PER_LOCK + CONVERTED] = {"time per conversion", "ns", .mean = MEAN_ARITHMETIC},
	{0},
};

enum { OWN, PARTNERS, SIDES };

#define WORDS 64u

/* Data that the lock protects.  The words are changed one after the other, and are equal
 * when no change is in progress. */
struct shared {
	volatile uint64_t word[WORDS];
	volatile uint64_t changes[SIDES]; /* each side writes its own element */
	volatile int error;		  /* errno of the partner */
	volatile bool is_wrong;		  /* the partner found inconsistent data */
	volatile bool ends;		  /* request for the partner to exit */
};

struct side {
	int fd;
	unsigned int who;
	uint64_t locks[KINDS], ns[KINDS], refused;
};

struct state {
	struct shared *shared;
	struct side side[SIDES];
	pid_t partner; /* 0: not started */
};

/* --- both processes ----------------------------------------------------------------- */

static int lock(struct side *e, enum kind kind, int how)
{
	uint64_t begin_ns = sm_clock_mono_ns();
	int r;

	do {
		r = flock(e->fd, how);
	} while (r < 0 && errno == EINTR);
	if (r < 0)
		return -errno;
	e->ns[kind] += sm_clock_mono_ns() - begin_ns;
	e->locks[kind]++;
	return 0;
}

/* Takes the lock without waiting; if that fails, like the other kinds. */
static int try_lock(struct side *e)
{
	int r = lock(e, TRIED, LOCK_EX | LOCK_NB);

	if (r != -EWOULDBLOCK)
		return r;
	e->refused++;
	return lock(e, EXCLUSIVE, LOCK_EX);
}

static int take(struct side *e, enum kind kind)
{
	int r;

	if (kind == TRIED)
		return try_lock(e);
	if (kind == EXCLUSIVE)
		return lock(e, EXCLUSIVE, LOCK_EX);
	r = lock(e, SHARED, LOCK_SH);
	/* The other side may take the lock before it is converted. */
	return r || kind == SHARED ? r : lock(e, CONVERTED, LOCK_EX);
}

/* Returns whether the protected data is consistent. */
static bool is_right(const struct shared *h)
{
	uint64_t all = h->changes[OWN] + h->changes[PARTNERS], bad = 0;

	for (unsigned int i = 0; i < WORDS; i++)
		bad |= h->word[i] ^ all;
	return !bad;
}

static bool use(struct shared *h, const struct side *e, enum kind kind)
{
	bool right = is_right(h);

	if (kind == SHARED)
		return right;
	for (unsigned int i = 0; i < WORDS; i++) {
		if (i == WORDS / 2)
			(void)sched_yield(); /* gives the other side a chance to run,
						unless the lock stops it */
		h->word[i]++;
	}
	h->changes[e->who]++;
	return right;
}

/* Returns 0, 1 if the protected data is inconsistent, or -errno. */
static int one_lock(struct shared *h, struct side *e, enum kind kind)
{
	int r = take(e, kind);
	bool right;

	if (r)
		return r;
	right = use(h, e, kind);
	if (flock(e->fd, LOCK_UN) < 0)
		return -errno;
	return !right;
}

static void __attribute__((noreturn)) be_partner(struct stress *s)
{
	struct state *t = s->data;
	int r = 0;

	for (unsigned int i = 0; r == 0 && !t->shared->ends && !stress_stopped(s); i++)
		r = one_lock(t->shared, &t->side[PARTNERS], i % KINDS);
	t->shared->error = r < 0 ? -r : 0;
	t->shared->is_wrong = r > 0;
	_exit(0);
}

/* --- the instance ------------------------------------------------------------------- */

/* Takes one lock of each kind; returns like one_lock(). */
static int op(struct stress *s)
{
	struct state *t = s->data;
	int r = 0;

	if (s->spoil)
		t->shared->word[WORDS / 2]++;
	for (unsigned int i = 0; i < KINDS && !r; i++)
		r = one_lock(t->shared, &t->side[OWN], i);
	if (r == 0)
		stress_add(s, 1);
	return r;
}

static int start_partner(struct stress *s)
{
	struct state *t = s->data;

	t->partner = stress_partner(s);
	/* A lock is released with the last descriptor of its open file. */
	sm_base_close_fd(&t->side[t->partner == 0 ? OWN : PARTNERS].fd);
	if (t->partner == 0)
		be_partner(s);
	return t->partner < 0 ? -1 : 0;
}

/* Stops the partner.  If it was killed in the middle of a change, it has released the
 * lock. */
static int end_partner(struct stress *s)
{
	struct state *t = s->data;
	int status = 0;

	sm_base_close_fd(&t->side[OWN].fd);
	t->shared->ends = true;
	while (waitpid(t->partner, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
		return stress_lacks(s, "the partner was killed");
	if (WIFSIGNALED(status))
		return stress_fail(
			s, "the partner was killed by signal %d", WTERMSIG(status));
	return 0;
}

/* Combines the results of both sides; r is that of the instance. */
static int judge(struct stress *s, int r)
{
	const struct shared *h = ((struct state *)s->data)->shared;

	if (r < 0 || h->error)
		return stress_error(s, STRESS_FAIL, r < 0 ? -r : h->error, "flock");
	if (r || h->is_wrong)
		return stress_fail(s, "protected data was changed while %s held the lock",
			r ? "the instance" : "its partner");
	return 0;
}

static void report(struct stress *s)
{
	const struct side *e = &((struct state *)s->data)->side[OWN];
	uint64_t now = sm_clock_mono_ns(), all = 0;

	for (unsigned int i = 0; i < KINDS; i++)
		all += e->locks[i];
	if (now > s->go_ns)
		stress_metric(s, RATE, (double)all * 1e9 / (double)(now - s->go_ns));
	if (e->refused + e->locks[TRIED])
		stress_metric(s, REFUSED,
			100 * (double)e->refused /
				(double)(e->refused + e->locks[TRIED]));
	for (unsigned int i = 0; i < TRIED; i++)
		if (e->locks[i])
			stress_metric(
				s, PER_LOCK + i, (double)e->ns[i] / (double)e->locks[i]);
}

static int run(struct stress *s)
{
	const struct shared *h = ((struct state *)s->data)->shared;
	int r = start_partner(s);

	if (r)
		return r;
	while (!r && !h->error && !h->is_wrong && stress_goes_on(s))
		r = op(s);
	report(s);
	return end_partner(s) ? -1 : judge(s, r);
}

/* Opens the file twice, which gives two owners of locks, and removes its name. */
static int open_files(struct stress *s, struct state *t)
{
	for (unsigned int i = 0; i < SIDES; i++) {
		t->side[i].fd = openat(s->scratch_fd, NAME,
			O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
		if (t->side[i].fd < 0)
			return stress_error(s, STRESS_FAIL, errno, "open");
	}
	if (unlinkat(s->scratch_fd, NAME, 0) < 0)
		return stress_error(s, STRESS_FAIL, errno, "unlink");
	return 0;
}

/* Checks whether the file system supports locks of this kind. */
static int try_the_file(struct stress *s, const struct state *t)
{
	if (flock(t->side[OWN].fd, LOCK_SH) < 0 || flock(t->side[OWN].fd, LOCK_UN) < 0)
		return stress_error(s, STRESS_SKIP, errno, "flock");
	return 0;
}

static int share(struct stress *s, struct state *t)
{
	void *p = mmap(NULL, sizeof(*t->shared), PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return stress_error(s, STRESS_FAIL, errno, "mmap");
	t->shared = p;
	return 0;
}

static int setup(struct stress *s)
{
	struct state *t = s->data;

	for (unsigned int i = 0; i < SIDES; i++)
		t->side[i] = (struct side){.fd = -1, .who = i};
	return share(s, t) || open_files(s, t) || try_the_file(s, t) ? -1 : 0;
}

/* Remarks for the man page (man/remarks.h). */
const char stressor_flock_man[] =
	"metric tries that were refused: attempts with LOCK_NB that failed because "
	"the partner held the lock\n"
	"metric time per exclusive lock: includes the time in which the partner "
	"held the lock; a conversion replaces a shared lock by an exclusive one\n"
	"Each instance has its own file and a partner process, which locks the "
	"same file.  Locks and times are those of the instance.  Both take in turn "
	"an exclusive lock, a shared lock, a converted lock and a lock with "
	"LOCK_NB.\n";

const struct stressor stressor_flock = {
	.name = "flock",
	.does = "lock and unlock a file that another process also locks",
	.op = "the instance takes and releases one lock of each kind: exclusive, "
	      "shared, converted and nonblocking",
	.checks = "numbers that are changed only under the lock are consistent, and "
		  "were changed as often as both processes report",
	.needs = "a directory in which files can be created (--temp-path)",
	.scratch = true,
	.classes = CLASS_FILESYSTEM | CLASS_OS,
	.metrics = metrics,
	.state = sizeof(struct state),
	.setup = setup,
	.run = run,
};
