// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/file.h"
#include "load/cpus.h"
#include "proc/cpulist.h"

#define LIST_CAP   4097u /* a sysfs attribute has at most one page */
#define WORD_BITS  (CHAR_BIT * sizeof(unsigned long))
#define MASK_WORDS (SM_CPULIST_MAX / WORD_BITS)

/* An affinity mask of any size: the C library's cpu_set_t holds only 1024 CPUs. */
struct mask {
	unsigned long word[MASK_WORDS];
	unsigned int n; /* size of the kernel's mask, in CPUs */
};

static int affinity(struct mask *m)
{
	long bytes = syscall(SYS_sched_getaffinity, 0, sizeof(m->word), m->word);

	if (bytes < 0)
		return -errno;
	m->n = (unsigned int)bytes * CHAR_BIT;
	return 0;
}

static int set_affinity(const struct mask *m)
{
	return syscall(SYS_sched_setaffinity, 0, sizeof(m->word), m->word) < 0 ? -errno
									       : 0;
}

static bool is_in(const struct mask *m, unsigned int cpu)
{
	return cpu < m->n && m->word[cpu / WORD_BITS] >> cpu % WORD_BITS & 1;
}

int sm_cpus_pin(unsigned int cpu)
{
	struct mask m = {.n = SM_CPULIST_MAX};

	if (cpu >= SM_CPULIST_MAX)
		return -EINVAL;
	m.word[cpu / WORD_BITS] = 1ul << cpu % WORD_BITS;
	return set_affinity(&m);
}

/* Returns the CPUs on which the kernel would let this thread run: it reduces a mask of
 * all CPUs to the cpuset.  A thread whose affinity cannot be changed has its own
 * CPUs only.  The affinity is restored. */
static int permitted(const struct mask *own, struct mask *m)
{
	int r;

	memset(m->word, 0xff, sizeof(m->word));
	if (set_affinity(m) < 0) {
		*m = *own;
		return 0;
	}
	r = affinity(m);
	return set_affinity(own) < 0 ? -EPERM : r;
}

/* ---- the set ---- */

static void widen(void *ctx, unsigned int cpu)
{
	struct sm_cpus *c = ctx;

	if (cpu >= c->n)
		c->n = cpu + 1;
}

struct marking {
	struct sm_cpus *c;
	enum sm_cpus_why why;
};

static void mark(void *ctx, unsigned int cpu)
{
	const struct marking *m = ctx;

	if (cpu < m->c->n)
		m->c->why[cpu] = (unsigned char)m->why;
}

static int each_of(const struct sm_root *root, const char *name,
	void (*fn)(void *ctx, unsigned int cpu), void *ctx)
{
	char text[LIST_CAP];
	ssize_t n = sm_file_slurp_bytes(root->sys, name, text, sizeof(text));

	if (n < 0)
		return (int)n;
	if (n == (ssize_t)sizeof(text))
		return -EBADMSG;
	return sm_cpulist_parse(text, (size_t)n, fn, ctx) > 0 ? 0 : -EBADMSG;
}

static void count_usable(struct sm_cpus *c, const struct mask *own)
{
	for (unsigned int i = 0; i < c->n; i++) {
		if (c->why[i] != SM_CPUS_USABLE)
			continue;
		if (is_in(own, i))
			c->usable++;
		else
			c->why[i] = SM_CPUS_FORBIDDEN;
	}
}

static bool any_forbidden(const struct sm_cpus *c)
{
	return memchr(c->why, SM_CPUS_FORBIDDEN, c->n) != NULL;
}

static int permit(struct sm_cpus *c, const struct mask *own)
{
	struct mask all;
	int r;

	count_usable(c, own);
	if (!any_forbidden(c))
		return 0;
	r = permitted(own, &all);
	for (unsigned int i = 0; r == 0 && i < c->n; i++)
		if (c->why[i] == SM_CPUS_FORBIDDEN && is_in(&all, i))
			c->why[i] = SM_CPUS_APART;
	return r;
}

/* Marks all possible CPUs as offline, except those in the list of online CPUs. */
static int classify(struct sm_cpus *c, const struct sm_root *root)
{
	struct marking offline = {c, SM_CPUS_OFFLINE}, usable = {c, SM_CPUS_USABLE};
	int r;

	memset(c->why, SM_CPUS_ABSENT, c->n);
	r = each_of(root, "devices/system/cpu/possible", mark, &offline);
	if (r < 0 && r != -ENOENT)
		return r;
	r = each_of(root, "devices/system/cpu/online", mark, &usable);
	if (r == -ENOENT)
		memset(c->why, SM_CPUS_USABLE, c->n);
	return r == -ENOENT ? 0 : r;
}

static int size_of(struct sm_cpus *c, const struct sm_root *root, const struct mask *m)
{
	static const char *const lists[] = {
		"devices/system/cpu/possible", "devices/system/cpu/online"};

	for (size_t i = 0; i < SM_ARRAY_SIZE(lists); i++) {
		int r = each_of(root, lists[i], widen, c);

		if (r < 0 && r != -ENOENT)
			return r;
	}
	for (unsigned int i = c->n ? m->n : 0; i < m->n; i++)
		if (is_in(m, i))
			widen(c, i);
	return c->n ? 0 : -ENODEV;
}

int sm_cpus_open(struct sm_cpus *c, const struct sm_root *root)
{
	struct mask m;
	int r;

	memset(c, 0, sizeof(*c));
	r = affinity(&m);
	if (r == 0)
		r = size_of(c, root, &m);
	if (r < 0)
		return r;
	c->why = malloc(c->n);
	if (!c->why)
		return -ENOMEM;
	r = classify(c, root);
	if (r == 0)
		r = permit(c, &m);
	if (r < 0)
		sm_cpus_close(c);
	return r;
}

void sm_cpus_close(struct sm_cpus *c)
{
	free(c->why);
	memset(c, 0, sizeof(*c));
}

enum sm_cpus_why sm_cpus_why(const struct sm_cpus *c, unsigned int cpu)
{
	return cpu < c->n ? (enum sm_cpus_why)c->why[cpu] : SM_CPUS_ABSENT;
}

const char *sm_cpus_reason(enum sm_cpus_why why)
{
	switch (why) {
	case SM_CPUS_ABSENT:
		return "does not exist";
	case SM_CPUS_OFFLINE:
		return "is offline";
	case SM_CPUS_APART:
		return "is outside of this process's CPU affinity, but can be selected";
	case SM_CPUS_FORBIDDEN:
		return "is outside of this process's cpuset";
	default:
		return "";
	}
}

/* ---- a selection ---- */

struct selection {
	const struct sm_cpus *c;
	unsigned int *cpu, n;
	bool *seen; /* c->n elements, indexed by CPU number */
	unsigned int bad;
	int err;
};

static bool can_run(enum sm_cpus_why why)
{
	return why == SM_CPUS_USABLE || why == SM_CPUS_APART;
}

static void select_one(void *ctx, unsigned int cpu)
{
	struct selection *s = ctx;

	if (s->err < 0)
		return;
	s->bad = cpu;
	if (!can_run(sm_cpus_why(s->c, cpu)))
		s->err = -ENODEV;
	else if (s->seen[cpu])
		s->err = -EEXIST;
	if (s->err < 0)
		return;
	s->seen[cpu] = true;
	s->cpu[s->n++] = cpu;
}

static void select_all(struct selection *s)
{
	for (unsigned int i = 0; i < s->c->n; i++)
		if (s->c->why[i] == SM_CPUS_USABLE)
			select_one(s, i);
}

/* A list of the kernel may end with a newline; a list of the user may not. */
static int select_list(struct selection *s, const char *list)
{
	size_t n = strlen(list);
	int r;

	if (n == 0 || list[n - 1] == '\n')
		return -EINVAL;
	r = sm_cpulist_parse(list, n, select_one, s);
	return r < 0 ? r : s->err;
}

int sm_cpus_select(
	const struct sm_cpus *c, const char *list, unsigned int **out, unsigned int *bad)
{
	struct selection s = {.c = c};
	int r = -ENOMEM;

	s.cpu = calloc(c->n, sizeof(*s.cpu));
	s.seen = calloc(c->n, sizeof(*s.seen));
	if (s.cpu && s.seen && list)
		r = select_list(&s, list);
	else if (s.cpu && s.seen) {
		select_all(&s);
		r = s.n ? 0 : -ENODEV;
	}
	free(s.seen);
	*bad = s.bad;
	if (r < 0) {
		free(s.cpu);
		return r;
	}
	*out = s.cpu;
	return (int)s.n;
}
