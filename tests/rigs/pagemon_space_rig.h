/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pagemon_space_rig: a child whose pages the test makes, its space and reader, and a pass whose runs are
 * kept.
 */
#ifndef PAGEMON_SPACE_RIG_H
#define PAGEMON_SPACE_RIG_H

#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "pages/pass.h"
#include "pages/space.h"
#include "unit.h"

#ifndef MADV_GUARD_INSTALL
#define MADV_GUARD_INSTALL 102
#endif

#define RIG_NOTHING '.'

static struct {
	pid_t pid;
	int to, from;          /* pipes */
	int maps_fd, pagemap_fd, smaps_fd, self_fd;
	struct space space;
} rig;

static inline int rig_open(const char *name)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)rig.pid, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	ck_assert_int_ge(fd, 0);
	return fd;
}

/* The child does what it is told by a byte, and answers with one.  A second answer says that it will touch
 * nothing new on its way to the next read(2). */
static inline void rig_tell(char what)
{
	char text[] = {what, RIG_NOTHING};

	for (size_t i = 0; i < sizeof(text); i++) {
		ck_assert_int_eq(write(rig.to, &text[i], 1), 1);
		ck_assert_int_eq(read(rig.from, &text[i], 1), 1);
	}
}

static inline void rig_child(int in, int out, void (*act)(char what))
{
	char what;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (read(in, &what, 1) == 1) {
		if (what != RIG_NOTHING)
			act(what);
		if (write(out, &what, 1) != 1)
			break;
	}
	_exit(0);
}

static inline void rig_start(void (*act)(char what))
{
	int to[2], from[2];

	ck_assert_int_eq(pipe2(to, O_CLOEXEC), 0);
	ck_assert_int_eq(pipe2(from, O_CLOEXEC), 0);
	rig.pid = fork();
	ck_assert_int_ge(rig.pid, 0);
	if (rig.pid == 0) {
		close(to[1]);
		close(from[0]);
		rig_child(to[0], from[1], act);
	}
	close(to[0]);
	close(from[1]);
	rig.to = to[1];
	rig.from = from[0];
	rig_tell('0');
	rig.maps_fd = rig_open("maps");
	rig.pagemap_fd = rig_open("pagemap");
	rig.smaps_fd = rig_open("smaps");
	rig.self_fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	ck_assert_int_ge(rig.self_fd, 0);
	ck_assert_int_eq(space_init(&rig.space), 0);
	ck_assert_int_eq(space_update(&rig.space, rig.maps_fd), 1);
}

/* Leaves out what a sanitizer reserves, of which reading every page would take hours. */
static inline void rig_leave_out_large(void)
{
	struct space *s = &rig.space;
	size_t kept = 0;

	s->pages = 0;
	for (size_t i = 0; i < s->n; i++) {
		struct mapping m = s->mappings[i];

		if ((m.end - m.start) >> 26)
			continue;
		m.first = s->pages;
		s->pages += mapping_pages(s, &m);
		s->mappings[kept++] = m;
	}
	s->n = kept;
}

/* Reads the mappings, which have changed. */
static inline void rig_update(void)
{
	ck_assert_int_eq(space_update(&rig.space, rig.maps_fd), 1);
	rig_leave_out_large();
}

static inline void rig_stop(void)
{
	kill(rig.pid, SIGKILL);
	waitpid(rig.pid, NULL, 0);
	close(rig.to);
	close(rig.from);
	close(rig.maps_fd);
	close(rig.pagemap_fd);
	close(rig.smaps_fd);
	close(rig.self_fd);
	space_fini(&rig.space);
}

static inline struct pass_reader rig_reader(enum pass_method method)
{
	struct pass_reader r;

	ck_assert_int_eq(
		pass_reader_init(&r, method, rig.self_fd, rig.pagemap_fd, rig.smaps_fd), 0);
	r.maps_fd = rig.maps_fd;
	return r;
}

static inline bool rig_can_scan(void)
{
	struct pass_reader r;

	return pass_reader_init(&r, PASS_SCAN, rig.self_fd, rig.pagemap_fd, -1) == 0;
}

/* Runs of a pass, in order of ordinals. */
struct rig_run {
	uint64_t first, n, categories;
};

struct rig_runs {
	struct rig_run *run;
	size_t n, cap;
};

static inline void rig_keep(
	void *ctx, size_t m, uint64_t first, uint64_t n, uint64_t categories)
{
	struct rig_runs *r = ctx;

	ck_assert_uint_lt(m, rig.space.n);
	ck_assert_uint_gt(n, 0);
	ck_assert_uint_le(first + n, mapping_pages(&rig.space, &rig.space.mappings[m]));
	if (r->n == r->cap) {
		r->cap = r->cap ? 2 * r->cap : 64;
		r->run = realloc(r->run, r->cap * sizeof(*r->run));
	}
	r->run[r->n++] = (struct rig_run){
		rig.space.mappings[m].first + first, n, categories};
}

static inline int rig_compare(const void *a, const void *b)
{
	const struct rig_run *x = a, *y = b;

	return x->first < y->first ? -1 : x->first > y->first;
}

/* Walks ordinals [first, end) in steps of this budget; returns the number of steps. */
static inline unsigned int rig_walk(struct rig_runs *runs, const struct pass_reader *r,
	uint64_t first, uint64_t end, bool exclusive, uint64_t budget_ns, uint64_t *known)
{
	struct pass *p;
	unsigned int steps = 1;
	int more;

	runs->n = 0;
	ck_assert_int_eq(pass_new(&p), 0);
	pass_begin(p, r, &rig.space, first, end, exclusive, rig_keep, runs);
	while ((more = pass_step(p, budget_ns)) == 1)
		steps++;
	ck_assert_int_eq(more, 0);
	ck_assert(pass_done(p));
	if (known)
		*known = pass_known(p);
	pass_free(p);
	if (runs->n)
		qsort(runs->run, runs->n, sizeof(*runs->run), rig_compare);
	return steps;
}

static inline void rig_free(struct rig_runs *runs)
{
	free(runs->run);
	*runs = (struct rig_runs){0};
}

#endif
