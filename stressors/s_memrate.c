// SPDX-License-Identifier: GPL-2.0-or-later
#include <sys/mman.h>

#include "run/stress.h"
#include "memory/pool.h"
#include "memory/rate.h"

/* The methods take turns, which are short at first so that a short run includes all of
 * them. */
#define FIRST_TURN_NS (40 * SM_NSEC_PER_MSEC)
#define TURN_NS	      (100 * SM_NSEC_PER_MSEC)
/* Longest time in which memory is filled before the run, within the limit. */
#define FILL_NS (300 * SM_NSEC_PER_MSEC)
/* Chunk with a limit: more would be a burst, less would cost more wakeups. */
#define CHUNK_NS SM_NSEC_PER_MSEC
/* A lateness of up to this time at the end of a turn is made up for in the next one. More
 * is not, since a method that is too slow for its limit must not speed up the next one.
 */
#define CARRY_NS (200 * SM_NSEC_PER_MSEC / 1000)
/* Up to this limit, pages have 4 KB: with 2 MB, the first touch of a page would be a
 * burst. */
#define SMALL_PAGES_MBS 1000u
/* Writers check one page in this many; with a low limit, each page, since there is enough
 * time. */
#define LOOK	   64u
#define LOOK_CLOSE 16u /* with --verify */
/* Duration of the last check, when the time is over. */
#define LAST_CHECK_NS (20 * SM_NSEC_PER_MSEC)
#define MB	      ((uint64_t)1 << 20)

enum { BYTES, RD_MBS, WR_MBS, METHOD, FLUSH };

/* all, followed by the methods in the order of method_table. */
static const char *const methods[] = {"all", "read8", "read16", "read32", "read64",
	"read64pf", "read128", "read256", "read512", "write8", "write16", "write32",
	"write64", "write128", "write256", "write512", "write64nt", "write128nt",
	"write256nt", "write512nt", "write8stob", "write64stoq", "memset", NULL};

_Static_assert(SM_ARRAY_SIZE(methods) == METHODS + 2, "a method without a name");

static const struct stressor_opt opts[] = {
	[BYTES] = {"bytes", STRESSOR_SIZE, "SIZE", "use this amount of memory",
		.min = MEMORY_PAGE, .max = (uint64_t)1 << 42, .normal = 256 * MB,
		.small = 4 * MB, .large = 4096 * MB},
	[RD_MBS] = {"rd-mbs", STRESSOR_COUNT, "N", "read at most N MB/s; 0: no limit",
		.max = 1000000},
	[WR_MBS] = {"wr-mbs", STRESSOR_COUNT, "N", "write at most N MB/s; 0: no limit",
		.max = 1000000},
	[METHOD] = {"method", STRESSOR_CHOICE, "NAME",
		"select how memory is read or written; all: each in turn, for "
		"equal times",
		.max = METHODS, .choices = methods},
	[FLUSH] = {"flush", STRESSOR_FLAG, NULL,
		"flush the memory from the caches before it is used", .max = 1},
	{0},
};

#define RATE(n)                                                    \
	{                                                          \
		(n), "MB/s", .mean = MEAN_RATE, .headline = "MB/s" \
	}

static const struct stressor_metric metrics[] = {
	[METHOD_READ8] = RATE("read8"),
	[METHOD_READ16] = RATE("read16"),
	[METHOD_READ32] = RATE("read32"),
	[METHOD_READ64] = RATE("read64"),
	[METHOD_READ64PF] = RATE("read64pf"),
	[METHOD_READ128] = RATE("read128"),
	[METHOD_READ256] = RATE("read256"),
	[METHOD_READ512] = RATE("read512"),
	[METHOD_WRITE8] = RATE("write8"),
	[METHOD_WRITE16] = RATE("write16"),
	[METHOD_WRITE32] = RATE("write32"),
	[METHOD_WRITE64] = RATE("write64"),
	[METHOD_WRITE128] = RATE("write128"),
	[METHOD_WRITE256] = RATE("write256"),
	[METHOD_WRITE512] = RATE("write512"),
	[METHOD_WRITE64NT] = RATE("write64nt"),
	[METHOD_WRITE128NT] = RATE("write128nt"),
	[METHOD_WRITE256NT] = RATE("write256nt"),
	[METHOD_WRITE512NT] = RATE("write512nt"),
	[METHOD_WRITE8STOB] = RATE("write8stob"),
	[METHOD_WRITE64STOQ] = RATE("write64stoq"),
	[METHOD_MEMSET] = RATE("memset"),
	{0},
};

struct state {
	struct pool pool;
	struct rate rate[2];	/* rates of readers and of writers */
	uint8_t order[METHODS]; /* methods that are run */
	unsigned int n;
	uint64_t bytes[METHODS], ns[METHODS];
	uint64_t rest; /* bytes that do not yet make up an op */
	uint64_t next; /* end of the last turn's schedule; 0: not scheduled */
};

static uint64_t memory(const struct stress *s)
{
	return s->value[BYTES] + s->value[BYTES] / MEMORY_PAGE;
}

static const char *probe(const struct stress *s)
{
	uint64_t method = s->value[METHOD];

	if (s->value[FLUSH] && !method_flush(s, 1))
		return "no instruction to flush the caches is known for this "
		       "architecture";
	return method ? method_missing(&method_table[method - 1]) : NULL;
}

static bool wanted(const struct stress *s, unsigned int i)
{
	return s->value[METHOD] == 0 || s->value[METHOD] == i + 1;
}

/* Writers come first: they touch the memory that readers read. */
static void choose(const struct stress *s, struct state *st)
{
	for (int reads = 0; reads < 2; reads++)
		for (unsigned int i = 0; i < METHODS; i++)
			if (wanted(s, i) && !method_missing(&method_table[i]) &&
				!!method_table[i].read == reads)
				st->order[st->n++] = (uint8_t)i;
}

/* Returns the lowest limit, or 0 without a limit. */
static uint64_t lowest(const struct stress *s)
{
	uint64_t rd = s->value[RD_MBS], wr = s->value[WR_MBS];

	return !rd || (wr && wr < rd) ? wr : rd;
}

/* Fills the memory if this takes little time; otherwise the methods touch the memory,
 * within their limits. */
static void fill(const struct stress *s, struct state *st, uint64_t mbs)
{
	struct rate rate;

	rate_init(&rate, mbs);
	if ((double)s->value[BYTES] * rate.ns_per_byte <= (double)FILL_NS)
		pool_fill(s, &st->pool, &rate);
}

static int setup(struct stress *s)
{
	uint64_t rd = s->value[RD_MBS], wr = s->value[WR_MBS], limit = lowest(s);
	struct state *st = s->data;
	bool writes, slow = limit && limit <= SMALL_PAGES_MBS;

	choose(s, st);
	writes = !method_table[st->order[0]].read;
	rate_init(&st->rate[0], rd);
	rate_init(&st->rate[1], wr);
	st->pool.flush = s->value[FLUSH];
	st->pool.spoil = s->spoil;
	st->pool.look = wr && wr <= SMALL_PAGES_MBS ? 1 : s->verify ? LOOK_CLOSE : LOOK;
	/* The first touch of a page writes it, so the limit for writes applies. */
	st->pool.touches = !writes || !wr || (rd && rd <= wr);
	if (pool_init(s, &st->pool, s->value[BYTES],
		    slow ? MADV_NOHUGEPAGE : MADV_HUGEPAGE))
		return -1;
	/* Otherwise the kernel may wake the instance up 50 us late. */
	fill(s, st, writes ? limit : rd);
	return 0;
}

static void count(struct stress *s, struct state *st, unsigned int method, uint64_t bytes)
{
	st->bytes[method] += bytes;
	st->rest += bytes;
	if (st->rest >= MB)
		stress_add(s, st->rest / MB);
	st->rest %= MB;
}

/* Runs a method without a limit for ns of its own work. */
static int turn(struct stress *s, struct state *st, unsigned int method, uint64_t ns)
{
	uint64_t begin = sm_clock_mono_ns(), now = begin;
	ssize_t n = 0;

	st->pool.aside_ns = 0;
	while (n >= 0 && now - begin - st->pool.aside_ns < ns && stress_goes_on(s)) {
		n = pool_move(s, &st->pool, &method_table[method], POOL_CHUNK_PAGES);
		if (n > 0)
			count(s, st, method, (uint64_t)n * MEMORY_PAGE);
		now = sm_clock_mono_ns();
	}
	memory_fence();
	st->ns[method] += sm_clock_mono_ns() - begin - st->pool.aside_ns;
	st->next = 0;
	return n < 0 ? -1 : 0;
}

/* Continues the schedule of the last turn if it was kept. */
static void begin_schedule(const struct state *st, struct rate *r, uint64_t now)
{
	rate_begin(r, st->next && now < st->next + RATE_SLACK_NS && st->next < now
			      ? st->next
			      : now);
}

/* A process that had to wait for a CPU gets time to catch up; a method that is too slow,
 * or that runs on a shared CPU, does not. */
static bool turn_ends(const struct rate *r, uint64_t took, uint64_t now, uint64_t ns)
{
	uint64_t late = now > r->due ? now - r->due : 0;

	if (late <= CARRY_NS)
		return r->due - r->t0 >= ns;
	return took >= ns && (took >= 3 * ns || late > ns / 4);
}

/* Runs a method with a limit for ns of the schedule. */
static int limited_turn(struct stress *s, struct state *st, unsigned int method,
	struct rate *r, uint64_t ns)
{
	uint64_t begin = sm_clock_mono_ns(), now = begin, chunk;
	ssize_t n = 0;

	begin_schedule(st, r, now);
	chunk = rate_chunk(r, CHUNK_NS, MEMORY_PAGE, POOL_CHUNK_PAGES * MEMORY_PAGE);
	while (!turn_ends(r, now - begin, now, ns) && stress_goes_on(s)) {
		n = pool_move(s, &st->pool, &method_table[method], chunk / MEMORY_PAGE);
		if (n < 0)
			break;
		count(s, st, method, (uint64_t)n * MEMORY_PAGE);
		rate_done(r, (uint64_t)n * MEMORY_PAGE);
		if (!stress_goes_on(s))
			break;
		rate_wait(r);
		now = sm_clock_mono_ns();
	}
	/* If the run ends before the last chunk has had its time, this time counts as
	 * well. */
	now = sm_clock_mono_ns();
	st->ns[method] += (now > r->due ? now : r->due) - begin;
	st->next = r->due;
	return n < 0 ? -1 : 0;
}

static void report(struct stress *s, const struct state *st)
{
	double share = stress_share(s, 0);

	for (unsigned int i = 0; i < METHODS; i++)
		if (st->ns[i] > 0 && st->bytes[i] > 0)
			stress_metric(s, i,
				share * (double)st->bytes[i] / (double)MB /
					((double)st->ns[i] / 1e9));
}

static int run(struct stress *s)
{
	struct state *st = s->data;
	uint64_t turns = 0;
	int r = 0;

	for (; r == 0 && stress_goes_on(s); turns++) {
		unsigned int m = st->order[turns % st->n];
		struct rate *rate = &st->rate[!method_table[m].read];
		uint64_t ns = turns < st->n ? FIRST_TURN_NS : TURN_NS;

		r = rate->ns_per_byte > 0 ? limited_turn(s, st, m, rate, ns)
					  : turn(s, st, m, ns);
		report(s, st);
	}
	/* With a limit, this would be a burst, and each page is checked anyway. */
	if (r == 0 && !lowest(s))
		r = pool_check(s, &st->pool, sm_clock_mono_ns() + LAST_CHECK_NS);
	return r;
}

/* Remarks for the man page (man/remarks.h). */
const char stressor_memrate_man[] =
	"metric read8: the rate of each method that ran, measured over the time in "
	"which it ran\n"
	"Rate limits follow an absolute schedule: delays are made up for, but "
	"without bursts.  Writers check one page in 64 before they overwrite it; "
	"with --verify, one page in 16; with a limit of up to 1000 MB/s, each page.\n"
	"--bytes: Each instance has its own memory.\n"
	"--method: The number is the width of one access in bits; all omits "
	"methods that this CPU does not support.\n"
	"--method read8, read16, read32, read64: read with ordinary registers\n"
	"--method read64pf: reads with ordinary registers and prefetches\n"
	"--method read128, read256, read512: read with vector registers\n"
	"--method write8, write16, write32, write64: write with ordinary registers\n"
	"--method write128, write256, write512: write with vector registers\n"
	"--method write64nt, write128nt, write256nt, write512nt: write past the "
	"caches\n"
	"--method write8stob, write64stoq: write with the x86 instructions rep "
	"stosb and rep stosq\n"
	"--method memset: memset(3)\n"
	"--method all: uses each of these in turn\n";

const struct stressor stressor_memrate = {
	.name = "memrate",
	.does = "read and write memory with many methods, optionally at a limited "
		"rate",
	.op = "1 MB is read or written",
	.checks = "all data that is read, and samples of data before it is "
		  "overwritten",
	.pagemap = true,
	.classes = CLASS_MEMORY,
	.opts = opts,
	.metrics = metrics,
	.memory = memory,
	.probe = probe,
	.state = sizeof(struct state),
	.setup = setup,
	.run = run,
};
