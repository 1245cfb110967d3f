// SPDX-License-Identifier: GPL-2.0-or-later
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "load/ops_impl.h"
#include "fixroot_rig.h"

#define LINES 1000u
#define MANY  40000u /* more than a sum of 32 bits has room for */

static struct sm_ops_state st;

static const struct sm_ops *op_of(const char *name)
{
	int i = sm_ops_find(name);

	ck_assert_int_ge(i, 0);
	return &sm_ops_table[i];
}

static void start(const struct sm_ops *op)
{
	ck_assert_int_eq(sm_ops_init(&st, op, LINES * SM_OPS_LINE_BYTES), 0);
}

/* ---- the same results, computed with integers and in no hurry ---- */

static uint64_t mwc_step(uint64_t *z, uint64_t *w)
{
	*z = 36969 * (*z % 65536) + *z / 65536;
	*w = 18000 * (*w % 65536) + *w / 65536;
	return (*z * 65536 + *w) % (UINT64_C(1) << 32);
}

static uint64_t ref_mwc(uint64_t n)
{
	uint64_t z = 362436069, w = 521288629, sum = 0;

	while (n-- > 0)
		sum += mwc_step(&z, &w);
	return sum;
}

static uint64_t polynomial(const char *coefficients, uint64_t x)
{
	uint64_t p = 0;

	for (const char *c = coefficients; *c; c++)
		p = p * x + (uint64_t)(*c - '0');
	return p;
}

static uint64_t ref_float(uint64_t n)
{
	uint64_t sum = 0;

	for (uint64_t k = 0; k < n; k++)
		sum += (polynomial("735162471", k % 4 + 1) +
			       polynomial("361725416", k / 4 % 4 + 1)) ^
		       (polynomial("527413625", k / 16 % 4 + 1) +
			       polynomial("146357263", k / 64 % 4 + 1));
	return sum;
}

static uint64_t ref_vector(uint64_t n)
{
	uint64_t sum = 0;

	for (uint64_t k = 0; k < n; k++)
		for (uint64_t lane = 0; lane < 64; lane++)
			sum += polynomial(
				"735162471", (k + lane % 16 + lane / 16) % 4 + 1);
	return sum;
}

/* Each pass finds in a line what earlier passes left: 8 times their number. */
static uint64_t ref_mem(uint64_t n)
{
	uint64_t sum = 0;

	for (uint64_t i = 0; i < n; i++)
		sum += i / LINES * 8;
	return sum;
}

static void same(const char *name, uint64_t (*ref)(uint64_t n))
{
	static const uint64_t n[] = {
		0, 1, 2, 3, 4, 5, 17, 64, 999, 1000, 1001, 4096, 5000};
	const struct sm_ops *op = op_of(name);

	for (size_t i = 0; i < SM_ARRAY_SIZE(n); i++) {
		start(op);
		op->run(&st, n[i]);
		ck_assert_msg(st.sum == ref(n[i]), "%s: %llu operations", name,
			(unsigned long long)n[i]);
		sm_ops_fini(&st);
	}
	ck_assert_uint_eq(op->check, ref(SM_OPS_CHECK_N));
}

START_TEST(results)
{
	same("mwc", ref_mwc);
	same("float", ref_float);
	same("double", ref_float);
	same("vector", ref_vector);
	same("mem", ref_mem);
}
END_TEST

/* What this CPU has not, or another compiler left out, does not run. */
START_TEST(vector_variants)
{
	const struct sm_ops *op = op_of("vector");
	uint64_t many = ref_vector(MANY);
	const char *name = "";
	unsigned int ran = 0;

	for (unsigned int i = 0; name; i++) {
		start(op);
		name = sm_ops_vector_run(i, &st, MANY);
		if (name && st.sum) {
			ck_assert_msg(st.sum == many, "%s", name);
			printf("# vector: %s\n", name);
			ran++;
		}
		sm_ops_fini(&st);
	}
	fflush(stdout);
	ck_assert_uint_ge(ran, 1);
}
END_TEST

/* The published first values of SplitMix64 for the seed 1234567. */
START_TEST(splitmix64)
{
	static const uint64_t value[] = {UINT64_C(6457827717110365317),
		UINT64_C(3203168211198807973), UINT64_C(9817491932198370423),
		UINT64_C(4593380528125082431), UINT64_C(16408922859458223821)};
	const struct sm_ops *op = op_of("int");
	uint64_t sum = 0;

	start(op);
	for (size_t i = 0; i < SM_ARRAY_SIZE(value); i++) {
		sum += value[i];
		op->run(&st, 1);
		ck_assert_uint_eq(st.sum, sum);
	}
}
END_TEST

/* The first values of Marsaglia's xorshift32, seed 2463534242: 723471715, 2497366906,
 * 2064144800. */
START_TEST(branchy)
{
	const struct sm_ops *op = op_of("branchy");
	static const uint32_t x[] = {723471715, 2497366906, 2064144800};
	uint32_t a = 0;
	uint64_t sum = 0;

	start(op);
	for (size_t i = 0; i < SM_ARRAY_SIZE(x); i++) {
		a += x[i] / 16 % 2 ? x[i] : 0;
		a ^= x[i] / 512 % 2 ? x[i] / 8 : 0;
		a *= x[i] / 32768 % 2 ? 3 : 1;
		a -= x[i] / 4194304 % 2 ? x[i] * 4 : 0;
		sum += a;
		op->run(&st, 1);
		ck_assert_uint_eq((uint32_t)st.s[0], x[i]);
		ck_assert_uint_eq(st.sum, sum);
	}
}
END_TEST

/* Each half of the operations is taken about as often as not. */
START_TEST(branches_are_even)
{
	static const unsigned int bit[] = {4, 9, 15, 22};
	const struct sm_ops *op = op_of("branchy");
	unsigned int taken[4] = {0};

	start(op);
	for (int i = 0; i < 100000; i++) {
		op->run(&st, 1);
		for (int b = 0; b < 4; b++)
			taken[b] += (unsigned int)(st.s[0] >> bit[b] & 1);
	}
	for (int b = 0; b < 4; b++)
		ck_assert_msg(taken[b] > 49000 && taken[b] < 51000, "bit %u: %u", bit[b],
			taken[b]);
}
END_TEST

/* In one call or in pieces of all sizes. */
START_TEST(pieces)
{
	for (unsigned int i = 0; i < sm_ops_count; i++) {
		const struct sm_ops *op = &sm_ops_table[i];
		uint64_t left = SM_OPS_CHECK_N;

		start(op);
		for (uint64_t n = 0; left > 0; n = n < left ? n + 1 : left) {
			uint64_t now = n < left ? n : left;

			op->run(&st, now);
			left -= now;
		}
		ck_assert_msg(st.sum == op->check, "%s", op->name);
		sm_ops_fini(&st);
	}
}
END_TEST

/* Instructions that a child executes between two signals around n operations; 0: it
 * cannot be traced. */
static unsigned long steps_of(const struct sm_ops *op, uint64_t n)
{
	pid_t pid = fork();
	unsigned long steps = 0;
	int status;

	if (pid == 0) {
		if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) < 0)
			_exit(0);
		start(op);
		raise(SIGUSR1);
		op->run(&st, n);
		raise(SIGUSR1);
		_exit(0);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	if (!WIFSTOPPED(status))
		return 0;
	do {
		ck_assert_int_eq(ptrace(PTRACE_SINGLESTEP, pid, NULL, NULL), 0);
		ck_assert_int_eq(waitpid(pid, &status, 0), pid);
		steps++;
	} while (WIFSTOPPED(status) && WSTOPSIG(status) == SIGTRAP);
	if (WIFSTOPPED(status))
		kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	return steps;
}

/* Single steps count what the processor executes. */
START_TEST(lengths)
{
	for (unsigned int i = 0; i < sm_ops_count; i++) {
		const struct sm_ops *op = &sm_ops_table[i];
		unsigned long one, many;

		if (op->instructions == 0)
			continue;
		one = steps_of(op, 1);
		if (one == 0) {
			printf("# not tried: no ptrace\n");
			fflush(stdout);
			return;
		}
		many = steps_of(op, 101);
		ck_assert_msg(many - one == 100 * op->instructions, "%s: %lu for 100",
			op->name, many - one);
	}
}
END_TEST

static struct sm_ops broken;

static void run_less(struct sm_ops_state *s, uint64_t n)
{
	sm_ops_table[0].run(s, n - 1);
}

START_TEST(checks)
{
	for (unsigned int i = 0; i < sm_ops_count; i++)
		ck_assert_int_eq(sm_ops_check(&sm_ops_table[i]), 0);
	broken = sm_ops_table[0];
	broken.run = run_less;
	ck_assert_int_eq(sm_ops_check(&broken), -EILSEQ);
}
END_TEST

START_TEST(table)
{
	for (unsigned int i = 0; i < sm_ops_count; i++) {
		const struct sm_ops *op = &sm_ops_table[i];

		ck_assert_int_eq(sm_ops_find(op->name), i);
		ck_assert(op->does[0] && op->unit[0] && op->run && op->check);
	}
	ck_assert_int_eq(sm_ops_find("mw"), -ENOENT);
	ck_assert_int_eq(sm_ops_find(""), -ENOENT);
}
END_TEST

START_TEST(no_memory)
{
	const struct sm_ops *op = op_of("mem");

	ck_assert_int_eq(sm_ops_init(&st, op, 63), -EINVAL);
	ck_assert_int_eq(sm_ops_init(&st, op, SIZE_MAX / 2), -ENOMEM);
	sm_ops_fini(&st);
}
END_TEST

/* ---- how large mem's array is ---- */

static void cache(const char *index, const char *size, const char *cpus)
{
	char name[96];

	snprintf(name, sizeof(name), "sys/devices/system/cpu/cpu0/cache/%s/size", index);
	fix_put(name, size);
	snprintf(name, sizeof(name),
		"sys/devices/system/cpu/cpu0/cache/%s/shared_cpu_list", index);
	fix_put(name, cpus);
}

#define MIB (1u << 20)

START_TEST(sizes)
{
	fix_open();
	ck_assert_uint_eq(sm_ops_mem_bytes(&fix, 1), 8 * MIB); /* nothing is known */
	cache("index0", "48K\n", "0\n");
	cache("index3", "36864K\n", "0-11\n");
	ck_assert_uint_eq(sm_ops_mem_bytes(&fix, 1), 12 * MIB);
	cache("index2", "4096K\n", "0-1\n");
	ck_assert_uint_eq(sm_ops_mem_bytes(&fix, 1), 12 * MIB);
	cache("index2", "4096K\n", "0\n");
	ck_assert_uint_eq(sm_ops_mem_bytes(&fix, 1), 16 * MIB);
	cache("index3", "491520K\n", "0-3\n");
	ck_assert_uint_eq(sm_ops_mem_bytes(&fix, 1), 64 * MIB);
	fix_put("proc/meminfo", "MemTotal:  999999 kB\nMemAvailable:    524288 kB\n");
	ck_assert_uint_eq(sm_ops_mem_bytes(&fix, 1), 64 * MIB);
	ck_assert_uint_eq(sm_ops_mem_bytes(&fix, 4), 16 * MIB);
	ck_assert_uint_eq(sm_ops_mem_bytes(&fix, 128), MIB);
	ck_assert_uint_eq(sm_ops_mem_bytes(&fix, 0), 64 * MIB);
	/* hostile: not taken */
	cache("index3", "99999999999999K\n", "0\n");
	cache("index2", "12\n", "x\n");
	ck_assert_uint_eq(sm_ops_mem_bytes(&fix, 1), 8 * MIB);
	fix_close();
}
END_TEST

/* Not judged: the rate of each kernel on this machine, for whoever reads the log. */
START_TEST(rates)
{
	for (unsigned int i = 0; i < sm_ops_count; i++) {
		const struct sm_ops *op = &sm_ops_table[i];
		uint64_t n = 0, begin, cpu;

		ck_assert_int_eq(sm_ops_init(&st, op, 64 * MIB), 0);
		begin = sm_clock_ns(CLOCK_THREAD_CPUTIME_ID);
		do {
			op->run(&st, 10000);
			n += 10000;
			cpu = sm_clock_ns(CLOCK_THREAD_CPUTIME_ID) - begin;
		} while (cpu < 50 * SM_NSEC_PER_MSEC);
		printf("# %-8s %8.2f million op/s of CPU time, %u instructions\n",
			op->name, (double)n * 1e3 / (double)cpu, op->instructions);
		sm_ops_fini(&st);
	}
	fflush(stdout);
}
END_TEST

static TCase *tc_ops(void)
{
	TCase *tc = tcase_create("ops");

	tcase_add_test(tc, results);
	tcase_add_test(tc, vector_variants);
	tcase_add_test(tc, splitmix64);
	tcase_add_test(tc, branchy);
	tcase_add_test(tc, branches_are_even);
	tcase_add_test(tc, pieces);
	tcase_add_test(tc, checks);
	tcase_add_test(tc, lengths);
	tcase_add_test(tc, table);
	tcase_add_test(tc, no_memory);
	tcase_add_test(tc, sizes);
	tcase_add_test(tc, rates);
	return tc;
}

UNIT_MAIN("ops", tc_ops)
