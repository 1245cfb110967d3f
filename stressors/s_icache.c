// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A page contains a function in each 64 bytes, which returns a number.  The page is
 * overwritten in turn with two different sequences of instructions and called; the
 * processor must not execute the old ones.
 *
 * A single mapping that is writable and executable is modified in place.  If the kernel
 * does not permit one, a file in memory is mapped twice.
 */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "run/stress.h"

#ifndef MFD_EXEC
#define MFD_EXEC 0x10u /* Linux 6.3 */
#endif

#define STEP	  64u /* bytes between functions */
#define FORMS	  2u
#define CODE_MOST 12u

enum { RATE, PER_CHANGE };

static const struct stressor_metric metrics[] = {
	[RATE] = {"changes", "M/s", .mean = MEAN_RATE},
	[PER_CHANGE] = {"time per change", "ns", .mean = MEAN_ARITHMETIC,
		.headline = "ns per change"},
	{0},
};

struct state {
	unsigned char *write,
		*run; /* addresses of the page, which differ if it is mapped twice */
	size_t page;  /* bytes */
	uint64_t changes, ns;
};

/* --- the code ----------------------------------------------------------------------- */

#if defined(__x86_64__)
#define LACKS NULL

/* mov eax, value; ret.  push value; pop rax; ret. */
static size_t make_code(unsigned char code[CODE_MOST], unsigned int form, uint16_t value)
{
	static const unsigned char first[FORMS] = {0xb8, 0x68};
	static const unsigned char last[FORMS][2] = {{0xc3}, {0x58, 0xc3}};
	const uint32_t number = value;

	code[0] = first[form];
	memcpy(code + 1, &number, sizeof(number));
	memcpy(code + 1 + sizeof(number), last[form], sizeof(last[form]));
	return 1 + sizeof(number) + sizeof(last[form]);
}

/* A processor may miss data that was written at another address, unless an instruction
 * waits for all previous ones. */
static void serialize(void)
{
	unsigned int a, b, c, d;

	__cpuid(0, a, b, c, d);
}

#elif defined(__aarch64__)
#define LACKS NULL

/* movz w0, #value; ret.  movn w0, #value; mvn w0, w0; ret. */
static size_t make_code(unsigned char code[CODE_MOST], unsigned int form, uint16_t value)
{
	const uint32_t number = (uint32_t)value << 5, ret = 0xd65f03c0;
	const uint32_t forms[FORMS][3] = {
		{0x52800000 | number, ret}, {0x12800000 | number, 0x2a2003e0, ret}};

	memcpy(code, forms[form], sizeof(forms[form]));
	return sizeof(forms[form]);
}

static void serialize(void)
{
	__asm__ volatile("isb" : : : "memory");
}

#else
#define LACKS "code for this architecture is not known here (x86-64, arm64)"

static size_t make_code(unsigned char code[CODE_MOST], unsigned int form, uint16_t value)
{
	(void)code, (void)form, (void)value;
	return 0;
}

static void serialize(void)
{
}
#endif

static void clear_cache(unsigned char *p)
{
	__builtin___clear_cache((char *)p, (char *)p + STEP);
}

static void change(const struct state *t, size_t at, unsigned int form, uint16_t value)
{
	unsigned char code[CODE_MOST];
	size_t n = make_code(code, form, value);

	memcpy(t->write + at, code, n);
	clear_cache(t->write + at);
	if (t->run == t->write)
		return;
	clear_cache(t->run + at);
	serialize();
}

static unsigned int call(const unsigned char *p)
{
	unsigned int (*function)(void);

	memcpy(&function, &p, sizeof(function));
	return function();
}

/* --- rounds ------------------------------------------------------------------------- */

/* The numbers of a place differ from one call to the next. */
static int change_and_call(struct stress *s, size_t at, unsigned int form)
{
	struct state *t = s->data;
	uint16_t value = (uint16_t)(s->seed + t->changes++);
	unsigned int is;

	change(t, at, form, value ^ (s->spoil && t->changes == t->page));
	is = call(t->run + at);
	if (is == value)
		return 0;
	return stress_fail(s, "the function at byte %zu returns %u instead of %u", at, is,
		(unsigned int)value);
}

static int one_round(struct stress *s)
{
	struct state *t = s->data;
	uint64_t begin_ns = sm_clock_mono_ns();
	int r = 0;

	for (size_t at = 0; at < t->page && !r; at += STEP)
		for (unsigned int form = 0; form < FORMS && !r; form++)
			r = change_and_call(s, at, form);
	t->ns += sm_clock_mono_ns() - begin_ns;
	return r;
}

static void report(struct stress *s, const struct state *t)
{
	uint64_t now = sm_clock_mono_ns();

	if (now > s->go_ns)
		stress_metric(
			s, RATE, (double)t->changes * 1e3 / (double)(now - s->go_ns));
	if (t->changes)
		stress_metric(s, PER_CHANGE, (double)t->ns / (double)t->changes);
}

static int run(struct stress *s)
{
	int r = 0;

	while (r == 0 && stress_goes_on(s)) {
		r = one_round(s);
		if (r == 0)
			stress_add(s, 1);
	}
	report(s, s->data);
	return r;
}

/* --- setup -------------------------------------------------------------------------- */

static int memory_file(size_t bytes)
{
	int fd = memfd_create("icache", MFD_CLOEXEC | MFD_EXEC);

	if (fd < 0 && errno == EINVAL)
		fd = memfd_create("icache", MFD_CLOEXEC);
	return fd >= 0 && ftruncate(fd, (off_t)bytes) < 0 ? -1 : fd;
}

static int map_twice(struct state *t)
{
	int fd = memory_file(t->page);
	void *p;

	if (fd < 0)
		return -1;
	p = mmap(NULL, t->page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (p == MAP_FAILED)
		return -1;
	t->write = p;
	p = mmap(NULL, t->page, PROT_READ | PROT_EXEC, MAP_SHARED, fd, 0);
	if (p == MAP_FAILED)
		return -1;
	t->run = p;
	return 0;
}

static int map_once(struct state *t)
{
	void *p = mmap(NULL, t->page, PROT_READ | PROT_WRITE | PROT_EXEC,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return -1;
	t->write = t->run = p;
	return 0;
}

static const char *probe(const struct stress *s)
{
	(void)s;
	return LACKS;
}

static int setup(struct stress *s)
{
	struct state *t = s->data;

	t->page = (size_t)sysconf(_SC_PAGESIZE);
	if (map_once(t) == 0 || map_twice(t) == 0)
		return 0;
	return stress_error(s, STRESS_SKIP, errno, "memory that may be executed");
}

/* Remarks for the man page (man/remarks.h). */
const char stressor_icache_man[] =
	"metric changes: 1 M/s is 10^6 changes per second\n"
	"metric time per change: includes the call of the changed function\n"
	"If the kernel does not permit a mapping that is both writable and "
	"executable, a file in memory (memfd_create(2)) is mapped twice; each "
	"change then waits for all earlier instructions.\n";

const struct stressor stressor_icache = {
	.name = "icache",
	.does = "modify functions in a page and call them",
	.op = "the functions in all 64-byte blocks of a page are modified twice "
	      "and called",
	.checks = "each function returns the expected value",
	.needs = "x86-64 or arm64, and memory that may be executed",
	.classes = CLASS_CPU_CACHE,
	.metrics = metrics,
	.probe = probe,
	.state = sizeof(struct state),
	.setup = setup,
	.run = run,
};
