// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A round creates and fills all segments, then checks each through a second attachment
 * and detaches it.  A segment is marked for removal as soon as it is attached: Linux
 * can still attach it by its ID, and removes it with the last attachment, for whatever
 * reason that ends.
 */
#include <errno.h>
#include <sys/shm.h>
#include <unistd.h>

#include "run/stress.h"

#define KB	 UINT64_C(1024)
#define MB	 (1024 * KB)
#define SEGMENTS 128u
/* Number of pages written or read before the end of the time is checked. */
#define PAGES_AT_ONCE 256

enum { BYTES, SEGS };

static const struct stressor_opt opts[] = {
	[BYTES] = {"bytes", STRESSOR_SIZE, "SIZE", "set the size of each segment",
		.min = 64 * KB, .max = 1024 * 1024 * MB, .normal = 8 * MB,
		.small = 64 * KB, .large = 64 * MB},
	[SEGS] = {"segs", STRESSOR_COUNT, "N", "keep N segments at a time", .min = 1,
		.max = SEGMENTS, .normal = 8, .small = 2, .large = 32},
	{0},
};

enum { RATE, PER_CALL };
enum call { GET, ATTACH, MARK, DETACH, CALLS };

static const struct stressor_metric metrics[] = {
	[RATE] = {"segments", "/s", .mean = MEAN_RATE, .headline = "segments/s"},
	[PER_CALL + GET] = {"time per shmget", "ns", .mean = MEAN_ARITHMETIC},
	[PER_CALL + ATTACH] = {"time per shmat", "ns", .mean = MEAN_ARITHMETIC},
	[PER_CALL + MARK] = {"time per mark", "ns", .mean = MEAN_ARITHMETIC},
	[PER_CALL + DETACH] = {"time per shmdt", "ns", .mean = MEAN_ARITHMETIC},
	{0},
};

struct segment {
	int id;
	uint64_t *at; /* first attachment; NULL: not attached */
};

struct state {
	struct segment segment[SEGMENTS];
	size_t bytes, step; /* words between pages */
	uint64_t seed, rounds, done;
	uint64_t calls[CALLS], ns[CALLS];
};

/* --- the calls ---------------------------------------------------------------------- */

static void count(struct state *t, enum call call, uint64_t begin_ns)
{
	t->ns[call] += sm_clock_mono_ns() - begin_ns;
	t->calls[call]++;
}

static uint64_t *attach(struct stress *s, int id, int flags)
{
	struct state *t = s->data;
	uint64_t begin_ns = sm_clock_mono_ns();
	void *p = shmat(id, NULL, flags);

	count(t, ATTACH, begin_ns);
	if (p != (void *)-1) /* NOLINT(performance-no-int-to-ptr) */
		return p;
	stress_error(s, STRESS_FAIL, errno, "shmat");
	return NULL;
}

static int detach(struct stress *s, const void *p)
{
	struct state *t = s->data;
	uint64_t begin_ns = sm_clock_mono_ns();

	if (shmdt(p) < 0)
		return stress_error(s, STRESS_FAIL, errno, "shmdt");
	count(t, DETACH, begin_ns);
	return 0;
}

static int mark(struct stress *s, int id)
{
	struct state *t = s->data;
	uint64_t begin_ns = sm_clock_mono_ns();
	int err = sysv_remove(&s->slot->sysv);

	count(t, MARK, begin_ns);
	return err ? stress_error(s, STRESS_FAIL, -err, "removal of segment %d", id) : 0;
}

static int make(struct stress *s, unsigned int i)
{
	struct state *t = s->data;
	uint64_t begin_ns = sm_clock_mono_ns();
	int id = sysv_make(&s->slot->sysv, t->bytes);

	count(t, GET, begin_ns);
	if (id < 0)
		return stress_error(s, id == -EINVAL ? STRESS_SKIP : STRESS_FAIL, -id,
			"shmget of %zu bytes", t->bytes);
	t->segment[i].id = id;
	t->segment[i].at = attach(s, id, 0);
	return t->segment[i].at ? mark(s, id) : -1;
}

/* Checks that the segment is gone after the last detach. */
static int is_gone(struct stress *s, int id)
{
	struct shmid_ds is;

	if (shmctl(id, IPC_STAT, &is) < 0)
		return 0;
	return stress_fail(s, "segment %d still exists after its last attachment", id);
}

/* --- the data ----------------------------------------------------------------------- */

static uint64_t word_of(const struct state *t, unsigned int segment, size_t at)
{
	return (t->seed + t->rounds) * UINT64_C(0x9e3779b97f4a7c15) ^
	       (uint64_t)segment << 48 ^ at;
}

static bool is_pause(const struct stress *s, size_t at, size_t step)
{
	return at % (step * PAGES_AT_ONCE) == 0 && stress_stopped(s);
}

/* Writes a word to each page. */
static void fill(struct stress *s, unsigned int i)
{
	const struct state *t = s->data;
	uint64_t *p = t->segment[i].at;

	for (size_t at = 0; at < t->bytes / sizeof(*p) && !is_pause(s, at, t->step);
		at += t->step)
		p[at] = word_of(t, i, at);
	if (s->spoil && t->rounds == 2)
		p[0] ^= 1;
}

static int check_words(struct stress *s, unsigned int i, const uint64_t *p)
{
	const struct state *t = s->data;

	for (size_t at = 0; at < t->bytes / sizeof(*p) && !is_pause(s, at, t->step);
		at += t->step)
		if (p[at] != word_of(t, i, at))
			return stress_fail(s,
				"segment %d, byte %zu: %016llx instead of %016llx",
				t->segment[i].id, at * sizeof(*p),
				(unsigned long long)p[at],
				(unsigned long long)word_of(t, i, at));
	return 0;
}

/* Checks the state while the segment is attached twice. */
static int check_state(struct stress *s, unsigned int i)
{
	const struct state *t = s->data;
	struct shmid_ds is;

	if (shmctl(t->segment[i].id, IPC_STAT, &is) < 0)
		return stress_error(
			s, STRESS_FAIL, errno, "state of segment %d", t->segment[i].id);
	if (is.shm_segsz != t->bytes || is.shm_nattch != 2 || is.shm_cpid != getpid())
		return stress_fail(s,
			"segment %d has %zu bytes, %lu attachments and the creator %d",
			t->segment[i].id, (size_t)is.shm_segsz,
			(unsigned long)is.shm_nattch, (int)is.shm_cpid);
	return 0;
}

static int check(struct stress *s, unsigned int i)
{
	const struct state *t = s->data;
	const uint64_t *p = attach(s, t->segment[i].id, SHM_RDONLY);
	int r;

	if (!p)
		return -1;
	r = check_state(s, i);
	if (!r)
		r = check_words(s, i, p);
	return r ? r : detach(s, p);
}

/* --- rounds ------------------------------------------------------------------------- */

/* Creates no more segments than ops are left. */
static unsigned int size_of_round(const struct stress *s)
{
	uint64_t left =
		s->ops_max - atomic_load_explicit(&s->slot->ops, memory_order_relaxed);

	return (unsigned int)(left < s->value[SEGS] ? left : s->value[SEGS]);
}

static int end_one(struct stress *s, unsigned int i)
{
	struct state *t = s->data;
	int r = check(s, i);

	if (!r)
		r = detach(s, t->segment[i].at);
	if (r)
		return r;
	t->segment[i].at = NULL;
	r = is_gone(s, t->segment[i].id);
	if (r || stress_stopped(s)) /* the round may have been checked in part */
		return r;
	t->done++;
	stress_add(s, 1);
	return 0;
}

static int one_round(struct stress *s)
{
	struct state *t = s->data;
	unsigned int n = size_of_round(s), made = 0;
	int r = 0;

	t->rounds++;
	for (; made < n && !r && !stress_stopped(s); made++) {
		r = make(s, made);
		if (!r)
			fill(s, made);
	}
	for (unsigned int i = 0; i < made && !r && !stress_stopped(s); i++)
		r = end_one(s, i);
	return r;
}

static void report(struct stress *s)
{
	const struct state *t = s->data;
	uint64_t now = sm_clock_mono_ns();

	if (now > s->go_ns)
		stress_metric(s, RATE, (double)t->done * 1e9 / (double)(now - s->go_ns));
	for (unsigned int i = 0; i < CALLS; i++)
		if (t->calls[i])
			stress_metric(
				s, PER_CALL + i, (double)t->ns[i] / (double)t->calls[i]);
}

static int run(struct stress *s)
{
	int r = 0;

	while (r == 0 && stress_goes_on(s))
		r = one_round(s);
	report(s);
	return r;
}

static uint64_t memory(const struct stress *s)
{
	return s->value[BYTES] * s->value[SEGS];
}

static const char *probe(const struct stress *s)
{
	struct shmid_ds is;

	(void)s;
	if (shmctl(-1, IPC_STAT, &is) < 0 && errno == ENOSYS)
		return "this kernel has no System V IPC (CONFIG_SYSVIPC)";
	return NULL;
}

static int setup(struct stress *s)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	struct state *t = s->data;

	t->bytes = s->value[BYTES] / page * page;
	t->step = page / sizeof(uint64_t);
	t->seed = s->seed;
	return 0;
}

/* Remarks for the man page (man/remarks.h). */
const char stressor_shm_sysv_man[] =
	"metric time per shmdt: a mark is shmctl(2) with IPC_RMID\n"
	"A segment (shmget(2)) is marked for removal as soon as it is attached, so "
	"the kernel removes it when its processes have exited for any reason.  An "
	"instance that is killed between these two calls leaves an empty segment, "
	"which the supervisor removes; the segment remains only if the supervisor "
	"is killed at the same moment.\n";

const struct stressor stressor_shm_sysv = {
	.name = "shm-sysv",
	.does = "create, fill, attach and remove System V shared memory",
	.op = "one segment is created, filled, attached a second time, checked "
	      "and detached",
	.checks = "a word of each page is intact in the second attachment; size, "
		  "creator and number of attachments are right; the segment is gone "
		  "after the last detach",
	.classes = CLASS_VM | CLASS_OS | CLASS_IPC,
	.opts = opts,
	.metrics = metrics,
	.memory = memory,
	.probe = probe,
	.state = sizeof(struct state),
	.setup = setup,
	.run = run,
};
