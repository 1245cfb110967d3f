// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "cpu/cpu.h"
#include "run/stress.h"
#include "load/duty.h"

/* Interval in which a sleeping instance checks for the end of the run, since nothing
 * wakes it up. */
#define SLEEP_NS (20 * SM_NSEC_PER_MSEC)
/* The scheduler slice for an instance that has to share its CPU (pace_begin()). */
#define SLICE_NS (SM_NSEC_PER_MSEC / 2)

enum { METHOD, LOAD, LOAD_SLICE };

static const char *const methods[] = {"all", "bitops", "branchy", "crc", "double", "fft",
	"float", "fma", "hash", "int", "matrixprod", "mwc", "prime", "queens", "sieve",
	"sort", "trig", "vector", NULL};

static const struct stressor_lacks lacks[] = {
	{"int8 int16 int32 int64 int128 fibonacci", "int", true},
	{"apery correlate euler float64 ln2 nsqrt omega phi pi psi sqrt stats zeta",
		"double", true},
	{"float32", "float", true},
	{"gray hamming parity", "bitops", true},
	{"hyperbolic", "trig", true},
	{"lfsr32 rand rand48", "mwc", true},
	{"crc16", "crc", true},
	{"nqueens", "queens", true},
	{"djb2a fnv1a jenkin murmur3 pjw sdbm", "hash", true},
	{"ackermann callfunc hanoi jmp", "branchy", false},
	{"cdouble cfloat clongdouble decimal32 decimal64 decimal128 explog factorial "
	 "float80 float128 floatconversion gamma int128decimal32 int128decimal64 "
	 "int128decimal128 int128double int128float int128longdouble int32double "
	 "int32float int32longdouble int64double int64float int64longdouble "
	 "intconversion logmap longdouble",
		"double", false},
	{"collatz loop", "int", false},
	{"div8 div16 div32 div64 div128 gcd", "prime", false},
	{"dither rgb union", "bitops", false},
	{"fletcher16 ipv4checksum", "crc", false},
	{"idct", "fft", false},
	{0},
};

static const struct stressor_metric metrics[] = {
	{"bitops", "ops/s", .mean = MEAN_RATE},
	{"branchy", "ops/s", .mean = MEAN_RATE},
	{"crc", "ops/s", .mean = MEAN_RATE},
	{"double", "ops/s", .mean = MEAN_RATE},
	{"fft", "ops/s", .mean = MEAN_RATE},
	{"float", "ops/s", .mean = MEAN_RATE},
	{"fma", "ops/s", .mean = MEAN_RATE},
	{"hash", "ops/s", .mean = MEAN_RATE},
	{"int", "ops/s", .mean = MEAN_RATE},
	{"matrixprod", "ops/s", .mean = MEAN_RATE},
	{"mwc", "ops/s", .mean = MEAN_RATE},
	{"prime", "ops/s", .mean = MEAN_RATE},
	{"queens", "ops/s", .mean = MEAN_RATE},
	{"sieve", "ops/s", .mean = MEAN_RATE},
	{"sort", "ops/s", .mean = MEAN_RATE},
	{"trig", "ops/s", .mean = MEAN_RATE},
	{"vector", "ops/s", .mean = MEAN_RATE},
	[CPU_METHODS] = {"load", "%", .mean = MEAN_ARITHMETIC},
	{0},
};

_Static_assert(SM_ARRAY_SIZE(methods) == CPU_METHODS + 2, "a method without a name");
_Static_assert(SM_ARRAY_SIZE(metrics) == CPU_METHODS + 2, "a method without a metric");

static const struct stressor_opt opts[] = {
	[METHOD] = {"method", STRESSOR_CHOICE, "NAME",
		"select the kind of work; all: one op of each in turn",
		.max = CPU_METHODS, .choices = methods, .lacks = lacks},
	[LOAD] = {"load", STRESSOR_COUNT, "PERCENT", "use this share of one CPU",
		.letter = 'l', .max = 100, .normal = 100},
	[LOAD_SLICE] = {"load-slice", STRESSOR_COUNT, "MS",
		"run and sleep once in this number of milliseconds", .min = 1,
		.max = 10000, .normal = 5, .low = true},
	{0},
};

struct cpu {
	_Alignas(64) unsigned char mem[CPU_MEM_BYTES];
	struct cpu_state state;
	struct sm_duty duty;
	uint64_t slept_ns;
	uint64_t cpu_from_ns; /* CPU time at the start */
	uint64_t ops[CPU_METHODS], ns[CPU_METHODS];
	bool spoiled;
};

/* ---- the share of the CPU ---- */

/* The first version of the kernel's struct sched_attr; the headers that define it
 * conflict. */
struct attr {
	uint32_t size, policy;
	uint64_t flags;
	int32_t nice;
	uint32_t priority;
	uint64_t runtime_ns, deadline_ns, period_ns;
};

/*
 * A task that wakes up while another computes runs immediately if its slice is shorter
 * and it has not received more than its share (Linux 6.12 and later; the call has no
 * effect before).  Otherwise it waits until the other's slice ends, which makes the
 * load uneven over short times.
 */
static void short_slice(void)
{
	struct attr attr = {.size = sizeof(attr)};

	if (syscall(SYS_sched_getattr, 0, &attr, sizeof(attr), 0) < 0)
		return;
	if (attr.policy != SCHED_OTHER && attr.policy != SCHED_BATCH)
		return;
	attr.runtime_ns = SLICE_NS;
	/* without it the load is only less even */
	(void)syscall(SYS_sched_setattr, 0, &attr, 0);
}

static void pace_begin(const struct stress *s)
{
	uint32_t ppm = (uint32_t)s->value[LOAD] * (SM_DUTY_FULL / 100);
	uint64_t period_ns = s->value[LOAD_SLICE] * SM_NSEC_PER_MSEC;
	struct cpu *c = s->data;

	if (ppm < SM_DUTY_FULL)
		short_slice();
	c->cpu_from_ns = sm_clock_ns(CLOCK_THREAD_CPUTIME_ID);
	sm_duty_start(&c->duty, ppm, period_ns, s->go_ns, c->cpu_from_ns);
}

static void sleep_until(uint64_t at_ns)
{
	struct timespec ts = {
		.tv_sec = (time_t)(at_ns / SM_NSEC_PER_SEC),
		.tv_nsec = (long)(at_ns % SM_NSEC_PER_SEC),
	};

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL);
}

/* Waits until it is time to work.  Returns false if the run is over. */
static bool pace(const struct stress *s)
{
	uint64_t until, now;
	struct cpu *c = s->data;

	while (!stress_stopped(s)) {
		if (c->duty.ppm == SM_DUTY_FULL)
			return true;
		now = sm_clock_mono_ns();
		if (sm_duty_next(
			    &c->duty, now, sm_clock_ns(CLOCK_THREAD_CPUTIME_ID), &until))
			return true;
		sleep_until(until < now + SLEEP_NS ? until : now + SLEEP_NS);
		c->slept_ns += sm_clock_mono_ns() - now;
	}
	return false;
}

/*
 * Reports a load that differs by more than one percentage point.  The run may end
 * within a period, whose work is at its beginning; this accounts for at most a quarter
 * of the period.
 */
static void report_load(struct stress *s)
{
	const struct cpu *c = s->data;
	uint64_t all = sm_clock_mono_ns() - s->go_ns;
	uint64_t got = sm_clock_ns(CLOCK_THREAD_CPUTIME_ID) - c->cpu_from_ns;
	uint64_t due = sm_duty_share_ns(all, c->duty.ppm);
	double percent = 100 * (double)got / (double)all;

	if (!all)
		return;
	stress_metric(s, CPU_METHODS, percent);
	if (s->value[LOAD] < 100 &&
		(got > due ? got - due : due - got) > all / 100 + c->duty.period_ns / 4)
		stress_note(s, "asked for a load of %u %%, got %.1f %%",
			(unsigned int)s->value[LOAD], percent);
}

static double cpus(const struct stress *s)
{
	return (double)s->value[LOAD] / 100;
}

/* ---- the work ---- */

/* Returns false if the run is over and the op is not complete. */
static bool call(const struct stress *s, const struct cpu_kernel *k)
{
	struct cpu *c = s->data;

	c->state.sum = 0;
	for (unsigned int i = 0; i < k->steps; i++) {
		if (!pace(s))
			return false;
		k->step(&c->state, i);
	}
	return true;
}

static int check(struct stress *s, unsigned int method)
{
	uint64_t expected = cpu_kernels[method].expected;
	struct cpu *c = s->data;

	if (s->spoil && !c->spoiled) {
		c->spoiled = true;
		c->state.sum ^= 1u << 7;
	}
	if (c->state.sum == expected)
		return 0;
	return stress_fail(s, "%s: the result is %#" PRIx64 ", not %#" PRIx64,
		metrics[method].name, c->state.sum, expected);
}

/* Returns 0 if the op is done and checked, or cut short because the run is over;
 * otherwise the return value of stress_fail(). */
static int op(struct stress *s, unsigned int method)
{
	struct cpu *c = s->data;
	uint64_t slept = c->slept_ns, begin = sm_clock_mono_ns(), end;
	int r;

	if (!call(s, &cpu_kernels[method]))
		return 0;
	end = sm_clock_mono_ns();
	c->ns[method] += end - begin - (c->slept_ns - slept);
	c->ops[method]++;
	stress_step(s, end, c->slept_ns);
	r = check(s, method);
	if (r == 0)
		stress_add(s, 1);
	return r;
}

static void report(struct stress *s)
{
	const struct cpu *c = s->data;
	double share = stress_share(s, c->slept_ns);

	for (unsigned int i = 0; i < CPU_METHODS; i++)
		if (c->ns[i])
			stress_metric(
				s, i, share * (double)c->ops[i] * 1e9 / (double)c->ns[i]);
}

static int setup(struct stress *s)
{
	struct cpu *c = stress_map(s, sizeof(*c), 0);

	if (!c)
		return STRESS_LACKS;
	c->state.mem = c->mem;
	s->data = c;
	return 0;
}

/* With a load of 0, one op is still done at full speed, to prove that this instance can
 * compute. */
static int first_of_none(struct stress *s, unsigned int method)
{
	struct cpu *c = s->data;
	int r;

	if (c->duty.ppm > 0)
		return 0;
	c->duty.ppm = SM_DUTY_FULL;
	r = op(s, method);
	c->duty.ppm = 0;
	return r;
}

static int run(struct stress *s)
{
	bool all = s->value[METHOD] == 0;
	unsigned int method = all ? 0 : (unsigned int)s->value[METHOD] - 1;
	int r;

	pace_begin(s);
	r = first_of_none(s, method);
	while (r == 0 && stress_goes_on(s)) {
		r = op(s, method);
		if (all)
			method = (method + 1) % CPU_METHODS;
	}
	report(s);
	report_load(s);
	return r;
}

/* Remarks for the man page (man/remarks.h). */
const char stressor_cpu_man[] =
	"metric bitops: the rate of each method that ran, measured over the time "
	"in which it ran\n"
	"metric load: CPU time divided by real time\n"
	"--method bitops: counts, reverses and moves bits, without special "
	"instructions\n"
	"--method branchy: executes unpredictable branches\n"
	"--method crc: computes CRC-32 with a table\n"
	"--method double, float: evaluate polynomials in double or single precision\n"
	"--method fft: multiplies polynomials with the fast Fourier transform\n"
	"--method fma: multiplies and adds in vector registers at the highest rate "
	"of the CPU, which makes it hot\n"
	"--method hash: computes SHA-256\n"
	"--method int: multiplies, shifts and XORs 64-bit integers\n"
	"--method matrixprod: multiplies two matrices with the schoolbook algorithm\n"
	"--method mwc: runs a 32-bit multiply-with-carry generator\n"
	"--method prime: finds primes by trial division\n"
	"--method queens: counts the solutions of the queens problem on a board of "
	"10 by 10\n"
	"--method sieve: runs the sieve of Eratosthenes\n"
	"--method sort: fills and empties a heap\n"
	"--method trig: calls sine and other functions of the C library\n"
	"--method vector: evaluates polynomials in the widest vector registers of "
	"the CPU\n"
	"--method all: runs each of these in turn\n"
	"--load: The load is controlled by the CPU time that the instance has "
	"received, so it is maintained while other programs run, as long as they "
	"leave enough CPU time.  With 0, a single op is performed.  If the load "
	"differs by more than one percentage point, the result reports this (asked "
	"for a load of 80 %, got 50.8 %).\n";

const struct stressor stressor_cpu = {
	.name = "cpu",
	.letter = 'c',
	.does = "compute with integers and floating point numbers, at full or "
		"partial CPU load",
	.op = "one call of a method, which takes 0.1 to 1 ms",
	.checks = "the result of each op equals a value that was computed in another "
		  "way",
	.classes = CLASS_CPU,
	.opts = opts,
	.metrics = metrics,
	.cpus = cpus,
	.setup = setup,
	.run = run,
};
