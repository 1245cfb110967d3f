// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A source is copied to a buffer, where it is moved to three offsets, the last of which
 * is the original one; then the buffer must equal the source.  Two sources are used in
 * turn, so that a missing copy is detected.
 */
#include <stdio.h>
#include <string.h>

#include "memory/area.h"
#include "memory/fault.h"

#define MB	     (UINT64_C(1) << 20)
#define BYTES	     (2 * MB)
#define WORDS	     (BYTES / sizeof(uint64_t))
#define SOURCE_SHIFT 64u /* bytes between the two sources */
#define ROOM	     MEMORY_PAGE
#define BLOCK_BYTES  64u /* size of copies that the compiler expands */

enum { METHOD };

/* In the order of the choices after all, and of the metrics. */
enum method { LIBC, BUILTIN, NAIVE, NAIVE_O0, NAIVE_O1, NAIVE_O2, NAIVE_O3, METHODS };

static const char *const method_names[] = {"all", "libc", "builtin", "naive", "naive_o0",
	"naive_o1", "naive_o2", "naive_o3", NULL};

_Static_assert(SM_ARRAY_SIZE(method_names) == METHODS + 2, "a method without a name");

static const struct stressor_opt opts[] = {
	[METHOD] = {"method", STRESSOR_CHOICE, "NAME",
		"select how memory is copied; all: each in turn", .max = METHODS,
		.normal = LIBC + 1, .choices = method_names},
	{0},
};

#define RATE(n)                                                    \
	{                                                          \
		(n), "MB/s", .mean = MEAN_RATE, .headline = "MB/s" \
	}

static const struct stressor_metric metrics[] = {
	[LIBC] = RATE("libc"),
	[BUILTIN] = RATE("builtin"),
	[NAIVE] = RATE("naive"),
	[NAIVE_O0] = RATE("naive_o0"),
	[NAIVE_O1] = RATE("naive_o1"),
	[NAIVE_O2] = RATE("naive_o2"),
	[NAIVE_O3] = RATE("naive_o3"),
	{0},
};

struct state {
	unsigned char *source, *buffer;
	uint64_t rounds;
	uint64_t bytes[METHODS], ns[METHODS];
};

/* --- methods ------------------------------------------------------------------------ */

typedef void copy_function(unsigned char *to, const unsigned char *from, size_t n);

/* Copies in blocks, for which the compiler generates code. */
static void copy_builtin(unsigned char *to, const unsigned char *from, size_t n)
{
	for (size_t at = 0; at < n; at += BLOCK_BYTES)
		__builtin_memcpy(to + at, from + at, BLOCK_BYTES);
}

static void move_builtin(unsigned char *to, const unsigned char *from, size_t n)
{
	if (to < from)
		for (size_t at = 0; at < n; at += BLOCK_BYTES)
			__builtin_memmove(to + at, from + at, BLOCK_BYTES);
	else
		for (size_t at = n; at > 0; at -= BLOCK_BYTES)
			__builtin_memmove(to + at - BLOCK_BYTES, from + at - BLOCK_BYTES,
				BLOCK_BYTES);
}

static void copy_libc(unsigned char *to, const unsigned char *from, size_t n)
{
	memcpy(to, from, n);
}

static void move_libc(unsigned char *to, const unsigned char *from, size_t n)
{
	memmove(to, from, n);
}

/* Copies byte by byte; the compiler must not replace this by a call of memcpy(3). */
#if defined(__clang__)
#define NOT_A_CALL __attribute__((no_builtin("memcpy", "memmove")))
#define LEVEL(n)
#else
#define NOT_A_CALL __attribute__((optimize("no-tree-loop-distribute-patterns")))
#define LEVEL(n)   __attribute__((optimize(n)))
#endif

#define NAIVE_PAIR(name, attributes)                                    \
	attributes NOT_A_CALL static void copy_##name(                  \
		unsigned char *to, const unsigned char *from, size_t n) \
	{                                                               \
		for (size_t at = 0; at < n; at++)                       \
			to[at] = from[at];                              \
	}                                                               \
	attributes NOT_A_CALL static void move_##name(                  \
		unsigned char *to, const unsigned char *from, size_t n) \
	{                                                               \
		if (to < from)                                          \
			for (size_t at = 0; at < n; at++)               \
				to[at] = from[at];                      \
		else                                                    \
			for (size_t at = n; at > 0; at--)               \
				to[at - 1] = from[at - 1];              \
	}

NAIVE_PAIR(naive, )
NAIVE_PAIR(naive_o1, LEVEL("O1"))
NAIVE_PAIR(naive_o2, LEVEL("O2"))
NAIVE_PAIR(naive_o3, LEVEL("O3"))
#if defined(__clang__)
NAIVE_PAIR(naive_o0, __attribute__((optnone, noinline)))
#else
NAIVE_PAIR(naive_o0, LEVEL("O0"))
#endif

static const struct {
	copy_function *copy, *move;
} methods[METHODS] = {
	[LIBC] = {copy_libc, move_libc},
	[BUILTIN] = {copy_builtin, move_builtin},
	[NAIVE] = {copy_naive, move_naive},
	[NAIVE_O0] = {copy_naive_o0, move_naive_o0},
	[NAIVE_O1] = {copy_naive_o1, move_naive_o1},
	[NAIVE_O2] = {copy_naive_o2, move_naive_o2},
	[NAIVE_O3] = {copy_naive_o3, move_naive_o3},
};

/* --- rounds ------------------------------------------------------------------------- */

static const uint64_t *words(const unsigned char *p)
{
	return (const uint64_t *)(const void *)p;
}

static int check(struct stress *s, const unsigned char *source, enum method method)
{
	const struct state *t = s->data;
	size_t at = memory_unlike(words(t->buffer), words(source), WORDS);
	char of[32] = "";

	if (at == WORDS)
		return 0;
	snprintf(of, sizeof(of), "%s: ", method_names[method + 1]);
	return fault_word(s, of, at * sizeof(uint64_t), words(t->buffer) + at,
		words(t->buffer)[at], words(source)[at]);
}

/* Performs one of the four steps of an op; the first is the copy. */
static void step(
	struct state *t, enum method method, const unsigned char *source, unsigned int i)
{
	/* Offsets are odd, even and zero; moves go forwards and backwards, with small and
	 * large overlap. */
	static const unsigned int shift[] = {0, 1, 70, 0};
	uint64_t begin_ns = sm_clock_mono_ns();

	if (i == 0)
		methods[method].copy(t->buffer, source, BYTES);
	else
		methods[method].move(
			t->buffer + shift[i], t->buffer + shift[i - 1], BYTES);
	t->ns[method] += sm_clock_mono_ns() - begin_ns;
	t->bytes[method] += BYTES;
}

static int one_round(struct stress *s)
{
	struct state *t = s->data;
	const unsigned char *source = t->source + t->rounds % 2 * SOURCE_SHIFT;
	uint64_t choice = s->value[METHOD];
	enum method method = (enum method)(choice ? choice - 1 : t->rounds % METHODS);
	int r;

	for (unsigned int i = 0; i < 4; i++) {
		if (stress_stopped(s))
			return 0;
		step(t, method, source, i);
		stress_step(s, sm_clock_mono_ns(), 0);
	}
	if (s->spoil && t->rounds == 2)
		t->buffer[BYTES / 3] ^= 1;
	t->rounds++;
	r = check(s, source, method);
	if (r == 0)
		stress_add(s, 1);
	return r;
}

static int run(struct stress *s)
{
	const struct state *t = s->data;
	int r = 0;

	while (r == 0 && stress_goes_on(s))
		r = one_round(s);
	for (unsigned int i = 0; i < METHODS; i++)
		if (t->ns[i])
			stress_metric(s, i,
				(double)t->bytes[i] * 1e9 / (double)MB /
					(double)t->ns[i] * stress_share(s, 0));
	return r;
}

static uint64_t memory(const struct stress *s)
{
	(void)s;
	return 2 * (BYTES + ROOM);
}

static int setup(struct stress *s)
{
	struct state *t = s->data;
	uint64_t random = s->seed;

	t->source = stress_map(s, BYTES + ROOM, 0);
	t->buffer = t->source ? stress_map(s, BYTES + ROOM, 0) : NULL;
	if (!t->buffer)
		return -1;
	for (size_t at = 0; at < BYTES + ROOM; at += sizeof(uint64_t))
		*(uint64_t *)(void *)(t->source + at) = stress_random(&random);
	memory_populate(s, t->buffer, BYTES + ROOM);
	return 0;
}

/* Remarks for the man page (man/remarks.h). */
const char stressor_memcpy_man[] =
	"metric libc: bytes that are copied or moved; 1 MB is 2^20 bytes\n"
	"--method all: uses each of the following in turn\n"
	"--method libc: memcpy(3) and memmove(3)\n"
	"--method builtin: code that the compiler generates for copies of 64 bytes\n"
	"--method naive: copies byte by byte, compiled with the options of the "
	"program\n"
	"--method naive_o0, naive_o1, naive_o2, naive_o3: copy byte by byte, "
	"compiled with -O0 to -O3; clang compiles all except naive_o0 alike\n"
	"A source of 2 MB is copied to a buffer, and the copy is moved by 1 byte, "
	"by 69 bytes and back.\n";

const struct stressor stressor_memcpy = {
	.name = "memcpy",
	.does = "copy memory, and move it by a few bytes",
	.op = "2 MB are copied once and moved three times",
	.checks = "the whole copy after it was moved back",
	.classes = CLASS_CPU_CACHE | CLASS_MEMORY,
	.opts = opts,
	.metrics = metrics,
	.memory = memory,
	.state = sizeof(struct state),
	.setup = setup,
	.run = run,
};
