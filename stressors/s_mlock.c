// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Pages that are not adjacent are locked, half of them only from their first access,
 * and unlocked.  The kernel rejects an attempt to discard a locked page, which shows
 * that the lock exists.
 *
 * The calls use syscall(2), because the sanitizers have functions of these names that
 * do nothing.
 */
#include <errno.h>
#include <linux/capability.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "shared/round.h"

#ifndef MLOCK_ONFAULT
#define MLOCK_ONFAULT 1u /* Linux 4.4 */
#endif

#define PAGES	 512u
#define DISTANCE 3u /* distance in pages between two locked ones */

enum { PER_LOCK, PER_UNLOCK, LOCKED };

static const struct stressor_metric metrics[] = {
	[PER_LOCK] = {"time per mlock", "ns", .mean = MEAN_ARITHMETIC,
		.headline = "ns per mlock"},
	[PER_UNLOCK] = {"time per munlock", "ns", .mean = MEAN_ARITHMETIC},
	[LOCKED] = {"pages at the same time", "", .mean = MEAN_MIN},
	{0},
};

struct state {
	char *base;
	size_t page;	    /* bytes per page */
	unsigned int most;  /* number of pages that may be locked, as far as known */
	unsigned int round; /* number of pages in the last round */
	bool no_mlock2;
	uint64_t rounds, locks, lock_ns, unlocks, unlock_ns;
};

static char *at(const struct state *t, unsigned int i)
{
	return t->base + ((size_t)i * DISTANCE + 1) * t->page;
}

/* Returns neither 0 nor 255, so that no discarded page has this value. */
static char mark_of(const struct state *t, unsigned int i)
{
	return (char)(1 + (t->rounds + i) % 100);
}

/* --- checks ------------------------------------------------------------------------- */

/* Returns true if the page cannot be discarded, -1 if the kernel does not report this. */
static int is_locked(struct stress *s, char *p)
{
	const struct state *t = s->data;

	if (madvise(p, t->page, MADV_DONTNEED) == 0)
		return 0;
	if (errno == EINVAL)
		return 1;
	return stress_error(s, STRESS_FAIL, errno, "madvise with MADV_DONTNEED");
}

static int must_be_locked(struct stress *s, char *p, int want)
{
	int is = is_locked(s, p);

	if (is < 0 || is == want)
		return is < 0 ? -1 : 0;
	return stress_fail(
		s, "a page is %s", want ? "not locked" : "locked after it was unlocked");
}

static int must_be_resident(struct stress *s, char *p, bool want)
{
	const struct state *t = s->data;
	unsigned char is = 0;

	if (mincore(p, t->page, &is) < 0)
		return stress_error(s, STRESS_FAIL, errno, "mincore");
	if ((is & 1) == want)
		return 0;
	return stress_fail(s, "a page is %s memory after its lock",
		want ? "not in" : "before its first access in");
}

/* --- one page ----------------------------------------------------------------------- */

static long call_mlock(struct state *t, char *p, bool *on_fault)
{
	if (*on_fault && !t->no_mlock2) {
		long r = syscall(SYS_mlock2, p, t->page, MLOCK_ONFAULT);

		if (r == 0 || errno != ENOSYS)
			return r;
		t->no_mlock2 = true;
	}
	*on_fault = false;
	return syscall(SYS_mlock, p, t->page);
}

/* Continues with the pages that the limit permits; if there are none, the result is no
 * resource. */
static int refused(struct stress *s, unsigned int i, int error)
{
	struct state *t = s->data;

	if (error != ENOMEM && error != EAGAIN && error != EPERM)
		return stress_error(s, STRESS_FAIL, error, "mlock");
	if (i == 0)
		return stress_lacks(s, "%zu bytes cannot be locked (ulimit -l)", t->page);
	t->most = i;
	return 0;
}

static int lock(struct stress *s, unsigned int i)
{
	struct state *t = s->data;
	char *p = at(t, i);
	bool on_fault = i % 2;
	uint64_t begin_ns = sm_clock_mono_ns();
	int r;

	if (call_mlock(t, p, &on_fault) < 0)
		return refused(s, i, errno);
	t->lock_ns += sm_clock_mono_ns() - begin_ns;
	t->locks++;
	r = must_be_resident(s, p, !on_fault);
	*p = mark_of(t, i);
	if (s->spoil && t->rounds == 1 && syscall(SYS_munlock, p, t->page) < 0)
		return stress_error(s, STRESS_FAIL, errno, "munlock");
	return r;
}

static int unlock(struct stress *s, unsigned int i)
{
	struct state *t = s->data;
	char *p = at(t, i);
	uint64_t begin_ns;
	int r = must_be_locked(s, p, 1);

	if (!r)
		r = must_be_resident(s, p, true);
	if (r)
		return r;
	if (*p != mark_of(t, i))
		return stress_fail(
			s, "a page contains %d instead of %d", *p, mark_of(t, i));
	begin_ns = sm_clock_mono_ns();
	if (syscall(SYS_munlock, p, t->page) < 0)
		return stress_error(s, STRESS_FAIL, errno, "munlock");
	t->unlock_ns += sm_clock_mono_ns() - begin_ns;
	t->unlocks++;
	r = must_be_locked(s, p, 0); /* this discards the page */
	if (!r && *p)
		r = stress_fail(s, "a discarded page contains %d", *p);
	/* The previous check has made the page resident. */
	return r ? r : must_be_locked(s, p, 0);
}

/* --- all mappings ------------------------------------------------------------------- */

static int check_future(struct stress *s)
{
	const struct state *t = s->data;
	char *p = mmap(NULL, t->page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		-1, 0);
	int r;

	if (p == MAP_FAILED)
		return stress_error(s, STRESS_FAIL, errno, "mmap after mlockall");
	r = must_be_locked(s, p, 1);
	if (!r)
		r = must_be_resident(s, p, true);
	if (syscall(SYS_munlockall) < 0)
		r = stress_error(s, STRESS_FAIL, errno, "munlockall");
	if (!r)
		r = must_be_locked(s, p, 0);
	munmap(p, t->page);
	return r;
}

static int lock_future(struct stress *s)
{
	if (syscall(SYS_mlockall, MCL_FUTURE) == 0)
		return check_future(s);
	return stress_error(s, STRESS_FAIL, errno, "mlockall");
}

/* --- rounds ------------------------------------------------------------------------- */

static int one_round(struct stress *s)
{
	struct state *t = s->data;
	unsigned int n = round_next(s, &t->round, t->most), locked = 0;
	int r = 0;

	for (; locked < n && !r && !stress_stopped(s); locked++) {
		r = lock(s, locked);
		if (locked == t->most)
			break;
	}
	for (unsigned int i = 0; i < locked && !r && !stress_stopped(s); i++) {
		r = unlock(s, i);
		if (!r)
			stress_add(s, 1);
	}
	t->rounds++;
	return r || stress_stopped(s) ? r : lock_future(s);
}

static int run(struct stress *s)
{
	const struct state *t = s->data;
	int r = 0;

	while (r == 0 && stress_goes_on(s))
		r = one_round(s);
	if (t->locks)
		stress_metric(s, PER_LOCK, (double)t->lock_ns / (double)t->locks);
	if (t->unlocks) {
		stress_metric(s, PER_UNLOCK, (double)t->unlock_ns / (double)t->unlocks);
		stress_metric(s, LOCKED, t->most);
	}
	return r;
}

static uint64_t memory(const struct stress *s)
{
	(void)s;
	return PAGES * (uint64_t)sysconf(_SC_PAGESIZE);
}

static int setup(struct stress *s)
{
	struct state *t = s->data;

	t->page = (size_t)sysconf(_SC_PAGESIZE);
	t->most = PAGES;
	t->base = stress_map(s, PAGES * DISTANCE * t->page, MADV_NOHUGEPAGE);
	return t->base ? 0 : -1;
}

/* Remarks for the man page (man/remarks.h). */
const char stressor_mlock_man[] =
	"metric time per mlock: one page is locked; every second call uses "
	"MLOCK_ONFAULT if the kernel has mlock2(2)\n"
	"metric pages at the same time: 512, or the number that the limit permits "
	"(ulimit -l)\n"
	"In each round, up to 512 pages are locked, and then each is checked and "
	"unlocked.  After each round, mlockall(2) locks mappings that are created "
	"later, one such mapping is created, and munlockall(2) unlocks it.\n";

const struct stressor stressor_mlock = {
	.name = "mlock",
	.does = "lock single pages in memory and unlock them",
	.op = "one page is locked, checked and unlocked",
	.checks = "a locked page is in memory, keeps its contents, and cannot be "
		  "discarded; an unlocked page can",
	.needs = "memory that may be locked (ulimit -l)",
	.caps = STRESSOR_CAP(CAP_IPC_LOCK),
	.classes = CLASS_VM | CLASS_OS,
	.metrics = metrics,
	.memory = memory,
	.state = sizeof(struct state),
	.setup = setup,
	.run = run,
};
