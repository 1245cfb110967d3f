// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * There are two sorts of numbers.  Numbers after that of pidfd_open(2) may be calls of
 * this kernel; a first pass finds those that are not.  All other numbers have bit 15
 * set.  No architecture has a call with that bit, whether its kernel evaluates 16 or 32
 * bits of the number or all of them, and whether or not it uses a bit for another table
 * (x32).  Therefore none of these numbers can be an alias of an existing call.
 *
 * All arguments are -1: no valid descriptor, address or process, and flags that no call
 * has.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/signame.h"
#include "refused/box.h"
#include "run/stress.h"

/* All architectures have used equal numbers since this call; on x86-64, 511 is the last
 * number before the calls of x32. */
#define FIRST SYS_pidfd_open
#define NEAR  77u

#define FAR_BIT	  0x8000u
#define X32_BIT	  0x40000000u
#define LOW_BITS  0x7fffu
#define BATCH	  64u  /* calls that are timed together */
#define SPOILT_AT 100u /* calls before the spoilt one */

#ifndef PR_GET_SECCOMP
#define PR_GET_SECCOMP 21
#endif
#define SECCOMP_IS_FILTER 2

enum { PER_CALL, EXISTING };

static const struct stressor_metric metrics[] = {
	[PER_CALL] = {"time per call", "ns", .mean = MEAN_ARITHMETIC,
		.headline = "ns per call"},
	[EXISTING] = {"newer calls", "", .mean = MEAN_MAX},
	{0},
};

/* Shared by the child and the instance. */
struct state {
	_Atomic uint64_t calls;
	uint64_t random, ns;
	long number;	     /* number of the current call */
	unsigned int tried;  /* numbers tried in the first pass */
	bool found;	     /* the first pass is complete */
	unsigned int absent; /* number of numbers without a call */
	long near[NEAR];     /* the numbers without a call */
};

static long call(struct state *t, long number)
{
	t->number = number;
	atomic_fetch_add_explicit(&t->calls, 1, memory_order_relaxed);
	return syscall(number, -1L, -1L, -1L, -1L, -1L, -1L);
}

/* --- the first pass ----------------------------------------------------------------- */

static bool is_filtered(void)
{
	return prctl(PR_GET_SECCOMP, 0, 0, 0, 0) == SECCOMP_IS_FILTER;
}

/* If a call ends the child, it exists; the next child continues after it. */
static void find_absent(struct stress *s, struct state *t)
{
	while (t->tried < NEAR && !stress_stopped(s)) {
		long number = FIRST + 1 + (long)t->tried++;

		if (call(t, number) == -1 && errno == ENOSYS)
			t->near[t->absent++] = number;
	}
	t->found = t->tried == NEAR;
}

/* --- numbers ------------------------------------------------------------------------ */

/* 32-bit ARM sends a signal for a number above 0xf0000. */
#ifdef __arm__
static long draw_far(uint64_t random)
{
	return (long)((random & LOW_BITS) | FAR_BIT);
}
#else
static long draw_far(uint64_t random)
{
	static const unsigned char widths[] = {16, 24, 32, 40, 48, 56, 64};
	uint64_t low = random & LOW_BITS;

	switch (random >> 62) {
	case 0:
		return -1 - (long)low;
	case 1:
		return (long)(low | FAR_BIT | X32_BIT);
	default:
		random <<= 2;
		return (long)(random >> (64 - widths[low % SM_ARRAY_SIZE(widths)]) |
			      FAR_BIT);
	}
}
#endif

/* Draws a number; one in four comes from the first pass. */
static long draw(struct state *t)
{
	uint64_t random = stress_random(&t->random);

	if (t->absent && random % 4 == 0)
		return t->near[random / 4 % t->absent];
	return draw_far(stress_random(&t->random));
}

/* --- the child ---------------------------------------------------------------------- */

static int check(struct stress *s, const struct state *t, long r, int error)
{
	if (r == -1 && error == ENOSYS)
		return 0;
	if (r == -1 && is_filtered())
		return stress_skip(s,
			"a seccomp filter answers calls that do not exist: %s",
			strerror(error));
	if (r == -1)
		return stress_fail(s, "system call %ld: %s", t->number, strerror(error));
	return stress_fail(s, "system call %ld returns %ld instead of: %s", t->number, r,
		strerror(ENOSYS));
}

static int one_call(struct stress *s, struct state *t)
{
	long number = draw(t), r;

	if (s->spoil && t->calls > SPOILT_AT)
		number = SYS_getpid;
	r = call(t, number);
	if (check(s, t, r, errno) < 0)
		return -1;
	stress_add(s, 1);
	return 0;
}

static int one_batch(struct stress *s, struct state *t)
{
	uint64_t begin_ns = sm_clock_mono_ns();
	int r = 0;

	for (unsigned int i = 0; i < BATCH && r == 0 && stress_goes_on(s); i++)
		r = one_call(s, t);
	t->ns += sm_clock_mono_ns() - begin_ns;
	return r;
}

static int work(struct stress *s, void *data)
{
	struct state *t = data;
	int r = 0;

	find_absent(s, t);
	while (r == 0 && stress_goes_on(s))
		r = one_batch(s, t);
	return r;
}

/* --- the instance ------------------------------------------------------------------- */

static int ended_by(struct stress *s, const struct state *t, int signo)
{
	char name[SM_SIGNAME_MAX];

	if (signo == SIGSYS)
		return stress_skip(s,
			"a seccomp filter kills processes that make a nonexistent call");
	return stress_fail(s, "system call %ld killed its process with %s", t->number,
		sm_signame(signo, name));
}

static void report(struct stress *s, const struct state *t)
{
	uint64_t ops = atomic_load(&s->slot->ops);

	if (ops)
		stress_metric(s, PER_CALL, (double)t->ns / (double)ops);
	if (t->found)
		stress_metric(s, EXISTING, NEAR - t->absent);
}

static int run(struct stress *s)
{
	struct state *t = box_memory(s, sizeof(*t));
	struct box b = {.work = work, .data = t};
	int r;

	if (!t)
		return -1;
	t->random = s->seed;
	b.calls = &t->calls;
	do
		r = box_run(s, &b);
	while (r > 0 && !t->found);
	report(s, t);
	return r > 0 ? ended_by(s, t, r) : r;
}

/* Remarks for the man page (man/remarks.h). */
const char stressor_enosys_man[] =
	"metric newer calls: system calls of this kernel with higher numbers than "
	"that of pidfd_open(2)\n"
	"The numbers are random with 16 to 64 bits, negative, numbers with the x32 "
	"bit, and those that follow the last known call.  If a kernel might "
	"evaluate only a part of a number, that part is not a valid call either.  A "
	"child process makes the calls, with invalid arguments, so that newer "
	"calls are without effect.\n"
	"If the seccomp filter of a container answers instead of the kernel, the "
	"stressor is skipped.\n";

const struct stressor stressor_enosys = {
	.name = "enosys",
	.does = "make system calls whose numbers do not exist",
	.op = "one call",
	.checks = "each call fails with ENOSYS and does not kill the process",
	.classes = CLASS_OS,
	.metrics = metrics,
	.run = run,
};
