// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Three contexts take turns in a circle.  Each has its own stack, on which it keeps a
 * number that changes with each turn; the instance keeps the same number elsewhere.
 * After an op, control returns to the instance, which checks the time.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <ucontext.h>
#endif

#include "run/stress.h"

#define CONTEXTS    3u
#define OP_SWITCHES 1000u
#define STACK_BYTES 65536u
#define MULTIPLIER  UINT64_C(6364136223846793005)

enum { SWITCHES, PER_SWITCH };

static const struct stressor_metric metrics[] = {
	[SWITCHES] = {"switches", "/s", .mean = MEAN_RATE},
	[PER_SWITCH] = {"time per switch", "ns", .mean = MEAN_ARITHMETIC,
		.headline = "ns per switch"},
	{0},
};

#ifdef __GLIBC__
struct state {
	ucontext_t instance, context[CONTEXTS];
	uint64_t number[CONTEXTS]; /* number that each context has on its stack */
	uint64_t turns, ns;
	bool spoil;
	/* Context that found a wrong number; CONTEXTS: no context. */
	unsigned int wrong;
	uint64_t has; /* the wrong number */
};

static bool is_right(struct state *t, unsigned int me, uint64_t number)
{
	if (t->turns % CONTEXTS == me && number == t->number[me])
		return true;
	t->wrong = me;
	t->has = number;
	return false;
}

/* Returns the next context after an op, or after a wrong number. */
static ucontext_t *next_of(struct state *t)
{
	if (t->wrong < CONTEXTS || t->turns % OP_SWITCHES == 0)
		return &t->instance;
	return &t->context[t->turns % CONTEXTS];
}

/* makecontext(3) passes arguments of type int, so the address is passed in two of them.
 */
static void take_turns(unsigned int high, unsigned int low, unsigned int me)
{
	struct state *t = (struct state *)((uintptr_t)high << 16 << 16 | low);
	uint64_t number = me;

	while (is_right(t, me, number)) {
		number = number * MULTIPLIER + 1;
		t->number[me] = number;
		t->turns++;
		if (t->spoil && t->turns == 2 * OP_SWITCHES - 1)
			number ^= 1;
		if (swapcontext(&t->context[me], next_of(t)) < 0)
			break;
	}
	t->wrong = me;
}

static int one_op(struct stress *s, struct state *t)
{
	uint64_t begin_ns = sm_clock_mono_ns();
	unsigned int first = (unsigned int)(t->turns % CONTEXTS);

	if (swapcontext(&t->instance, &t->context[first]) < 0)
		return stress_error(s, STRESS_FAIL, errno, "swapcontext");
	t->ns += sm_clock_mono_ns() - begin_ns;
	if (t->wrong == CONTEXTS) {
		stress_add(s, 1);
		return 0;
	}
	return stress_fail(s,
		"after %llu turns, context %u has the number %#llx instead of "
		"%#llx, and context %u runs",
		(unsigned long long)t->turns, t->wrong, (unsigned long long)t->has,
		(unsigned long long)t->number[t->wrong],
		(unsigned int)(t->turns % CONTEXTS));
}

static int run(struct stress *s)
{
	struct state *t = s->data;
	uint64_t now;
	int r = 0;

	while (r == 0 && stress_goes_on(s))
		r = one_op(s, t);
	now = sm_clock_mono_ns();
	if (t->turns && now > s->go_ns) {
		stress_metric(
			s, SWITCHES, (double)t->turns * 1e9 / (double)(now - s->go_ns));
		stress_metric(s, PER_SWITCH, (double)t->ns / (double)t->turns);
	}
	return r;
}

static void make(struct state *t, unsigned int i, char *stack)
{
	ucontext_t *c = &t->context[i];
	uintptr_t address = (uintptr_t)t;

	c->uc_stack.ss_sp = stack;
	c->uc_stack.ss_size = STACK_BYTES;
	c->uc_link = &t->instance;
	t->number[i] = i;
	makecontext(c, (void (*)(void))take_turns, 3, (unsigned int)(address >> 16 >> 16),
		(unsigned int)(address & UINT32_MAX), i);
}

static int setup(struct stress *s)
{
	struct state *t = s->data;
	char *stacks = stress_map(s, (size_t)CONTEXTS * STACK_BYTES, 0);

	if (!stacks)
		return -1;
	t->spoil = s->spoil;
	t->wrong = CONTEXTS;
	for (unsigned int i = 0; i < CONTEXTS; i++) {
		if (getcontext(&t->context[i]) < 0)
			return stress_error(s, STRESS_FAIL, errno, "getcontext");
		make(t, i, stacks + (size_t)i * STACK_BYTES);
	}
	return 0;
}

static const char *probe(const struct stress *s)
{
	(void)s;
	return NULL;
}
#else
struct state {
	char none;
};

static int run(struct stress *s)
{
	(void)s;
	return 0;
}

static int setup(struct stress *s)
{
	(void)s;
	return 0;
}

static const char *probe(const struct stress *s)
{
	(void)s;
	return "this C library has no swapcontext(3)";
}
#endif

/* Remarks for the man page (man/remarks.h). */
const char stressor_context_man[] =
	"metric time per switch: includes the calls of sigprocmask(2) that the C "
	"library makes\n"
	"Three contexts take turns.  musl does not provide swapcontext(3).\n";

const struct stressor stressor_context = {
	.name = "context",
	.does = "switch between contexts with swapcontext(3)",
	.op = "1000 switches",
	.checks = "the contexts run in their order, and a number on the stack of "
		  "each context is intact",
	.classes = CLASS_MEMORY | CLASS_CPU,
	.metrics = metrics,
	.probe = probe,
	.state = sizeof(struct state),
	.setup = setup,
	.run = run,
};
