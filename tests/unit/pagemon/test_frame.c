// SPDX-License-Identifier: GPL-2.0-or-later
/* How often the screen reads the pages of a process that rests, and when it shows a
 * change. */
#include <dlfcn.h>
#include <time.h>

#include "ioctl_rig.h"
#include "live/frame.h"
#include "pages/sign.h"
#include "target_rig.h"
#include "tui_rig.h"

enum { PAGES = 64, ZERO = 20 };
#define REFRESH_NS (SM_NSEC_PER_SEC / 10)
/* A changed page is read after 250 ms at the latest, whatever the last walk cost. */
#define CHANGED_NS (3 * REFRESH_NS)

static struct run run;
static struct snapshot proc;
static struct interactive live_state;
static struct child child;
static uint64_t now_ns, scans;
static uint64_t cpu_ns, scan_ns; /* what the screen believes to use: of each scan */
static unsigned char *region;	 /* in the child */

static void ioctl_called(int fd, unsigned int request, const void *arg)
{
	(void)fd, (void)arg;
	if (request != SM_PAGEMAP_SCAN)
		return;
	scans++;
	cpu_ns += scan_ns;
}

/* Stands for the function of the C library: the pauses between walks depend on the CPU
 * time that they use, which is the test's. */
int clock_gettime(clockid_t id, struct timespec *ts)
{
	static int (*next)(clockid_t, struct timespec *);

	if (!next)
		next = (int (*)(clockid_t, struct timespec *))dlsym(
			RTLD_NEXT, "clock_gettime");
	if (id != CLOCK_THREAD_CPUTIME_ID)
		return next(id, ts);
	*ts = (struct timespec){.tv_sec = (time_t)(cpu_ns / SM_NSEC_PER_SEC),
		.tv_nsec = (long)(cpu_ns % SM_NSEC_PER_SEC)};
	return 0;
}

/* In the child: each time that it is told to, it touches another page; at last, it gives
 * the zero page back, which no counter of the kernel shows. */
static void change(void)
{
	volatile unsigned char *p = mmap(NULL, PAGES * page_bytes, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	void *at = (void *)(uintptr_t)p;

	madvise(at, PAGES * page_bytes, MADV_NOHUGEPAGE);
	p[0] = p[ZERO * page_bytes];
	for (size_t i = 1; i < 5; i++) {
		child_say(&at, sizeof(at));
		child_wait();
		p[i * page_bytes] = 1;
	}
	child_say(&at, sizeof(at));
	child_wait();
	madvise((void *)(uintptr_t)(p + ZERO * page_bytes), page_bytes, MADV_DONTNEED);
	child_say(&at, sizeof(at));
}

static void tell_child(void)
{
	child_go(&child);
	child_hear(&child, &region, sizeof(region));
	child_rests(&child);
}

/* A refresh, and what it leaves for later. */
static uint64_t refresh_after(uint64_t ns)
{
	uint64_t before = scans;

	now_ns += ns;
	frame_show(&run, now_ns, true);
	while (frame_walking(run.screen))
		frame_show(&run, now_ns, false);
	rig_drain();
	return scans - before;
}

/* The letter of page i of the region. */
static char letter(size_t i)
{
	struct screen *s = run.screen->screen;
	uint64_t page = space_ordinal(&proc.space, (uintptr_t)region + i * page_bytes);

	for (size_t k = 0; k < s->nspans; k++) {
		const struct cells_span *p = &s->spans[k];
		size_t at = p->cell + (page - p->first) / s->set.zoom;

		if (page >= p->first && page < p->end)
			return sign_letter(run.screen->cells.signs[at]);
	}
	return 0;
}

static void start_screen(struct interactive *w)
{
	struct screen_settings set = {
		.zoom = 1, .no_hex = true, .ticks = 10, .interval_ns = REFRESH_NS};
	const char *why;

	rig_open(80, 24);
	ck_assert_int_eq(screen_open(&w->screen, &set, 0, &why), 0);
	ck_assert_int_eq(cells_init(&w->cells), 0);
	ck_assert_int_eq(census_init(&w->census), 0);
	vmfacts_init(&w->vm);
	budget_init(&w->budget, now_ns);
	w->proc = &proc;
	w->in = (struct screen_input){.target = &proc.target,
		.populated = &w->census.populated,
		.cells = &w->cells,
		.census = &w->census};
}

static void go_to_page(size_t i)
{
	state_set_cursor(live_state.screen,
		space_ordinal(&proc.space, (uintptr_t)region + i * page_bytes));
	live_state.keyed = true;
	refresh_after(0);
}

static void setup(void)
{
	int self_fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);

	target_rig_open();
	child_start(&child, change);
	child_hear(&child, &region, sizeof(region));
	for (int i = 0; i < 2; i++)
		tell_child(); /* its own pages for this are then there */
	now_ns = 1000 * SM_NSEC_PER_SEC;
	ck_assert_int_eq(snapshot_init(&proc, SNAPSHOT_TOTALS), 0);
	ck_assert_int_eq(target_open(&proc.target, &live, child.pid, TARGET_NO_MEM), 0);
	ck_assert_int_eq(snapshot_attach(&proc, PASS_AUTO, self_fd, false), 0);
	close(self_fd);
	live_state = (struct interactive){.refresh_ns = 0};
	run = (struct run){.procs = &proc, .nprocs = 1, .screen = &live_state};
	start_screen(&live_state);
	refresh_after(0);
	/* The last page first: then all of the region is on the screen, wherever its row
	 * begins. */
	go_to_page(PAGES - 1);
	go_to_page(0);
}

static void teardown(void)
{
	screen_close(live_state.screen);
	cells_fini(&live_state.cells);
	census_fini(&live_state.census);
	vmfacts_fini(&live_state.vm);
	rig_drain();
	rig_close();
	snapshot_fini(&proc);
	child_end(&child);
	target_rig_close();
}

/* The number of scans, at least 1. */
static uint64_t walk(void)
{
	uint64_t n = refresh_after(REST_MOST_NS);

	ck_assert_uint_eq(n > 0, proc.reader.method == PASS_SCAN);
	return n ? n : 1;
}

static bool can_scan(void)
{
	if (proc.reader.method != PASS_SCAN)
		unit_skip("needs PAGEMAP_SCAN");
	return proc.reader.method == PASS_SCAN;
}

/* The first walks ended less than a second ago.  With and without -a. */
START_TEST(no_walk_at_rest)
{
	if (!can_scan())
		return;
	live_state.screen->set.auto_zoom = _i;
	live_state.keyed = true;
	refresh_after(REFRESH_NS);
	for (int i = 0; i < 7; i++)
		ck_assert_uint_eq(refresh_after(REFRESH_NS), 0);
	ck_assert_uint_gt(refresh_after(REST_MOST_NS), 0);
	for (int i = 0; i < 8; i++)
		ck_assert_uint_eq(refresh_after(REFRESH_NS), 0);
}
END_TEST

/* The count of pages also finds the ranges of a compact map: no other walk does. */
START_TEST(one_walk_for_counts_and_ranges)
{
	struct screen *s = live_state.screen;
	uint64_t flat;

	if (!can_scan())
		return;
	s->view = VIEW_MAPPINGS; /* without cells */
	s->set.ticks = 1;
	live_state.keyed = true;
	refresh_after(REST_MOST_NS);
	flat = refresh_after(REST_MOST_NS);
	ck_assert_uint_gt(flat, 0);
	s->set.fold = true;
	live_state.keyed = true;
	ck_assert_uint_eq(refresh_after(REFRESH_NS), 0);
	ck_assert_ptr_nonnull(s->in.populated->ranges);
	ck_assert_uint_eq(refresh_after(REST_MOST_NS), flat);
	s->view = VIEW_MAP;
}
END_TEST

/* The last walk used no CPU time, or 5 ms: then, 250 ms are less than WALK_REST times as
 * much. */
START_TEST(change_is_shown_at_once)
{
	bool scan = proc.reader.method == PASS_SCAN;
	uint64_t n;

	live_state.screen->set.ticks = 1000; /* no count of pages */
	ck_assert_int_eq(letter(2), 'P');
	for (size_t i = 3; i < 5; i++) {
		scan_ns = 0;
		n = walk();
		scan_ns = _i ? 5 * SM_NSEC_PER_MSEC / n : 0;
		walk();
		ck_assert_int_eq(letter(i), '.');
		tell_child();
		refresh_after(2 * REFRESH_NS);
		ck_assert_int_eq(letter(i), _i && scan ? '.' : 'P');
		refresh_after(REFRESH_NS);
		ck_assert_int_eq(letter(i), 'P');
		ck_assert_int_eq(letter(i + 1), '.');
	}
}
END_TEST

START_TEST(change_without_a_sign)
{
	refresh_after(REST_MOST_NS);
	ck_assert_int_ne(letter(ZERO), '.');
	for (int i = 0; i < 3; i++)
		tell_child();
	refresh_after(REST_MOST_NS);
	ck_assert_int_eq(letter(ZERO), '.');
}
END_TEST

/* Rows that become visible are walked, even if nothing has changed. */
START_TEST(other_view)
{
	if (!can_scan())
		return;
	live_state.screen->set.zoom = 2;
	live_state.keyed = true;
	now_ns += REFRESH_NS / 10;
	scans = 0;
	frame_show(&run, now_ns, false);
	while (frame_walking(run.screen))
		frame_show(&run, now_ns, false);
	ck_assert_uint_gt(scans, 0);
	ck_assert_int_eq(letter(0) | 0x20, 'p');
	ck_assert_uint_eq(refresh_after(REFRESH_NS), 0);
	rig_drain();
}
END_TEST

static TCase *all(void)
{
	TCase *tc = tcase_create("frame");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_loop_test(tc, no_walk_at_rest, 0, 2);
	tcase_add_test(tc, one_walk_for_counts_and_ranges);
	tcase_add_loop_test(tc, change_is_shown_at_once, 0, 2);
	tcase_add_test(tc, change_without_a_sign);
	tcase_add_test(tc, other_view);
	return tc;
}

UNIT_MAIN("frame", all)
