// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Passes over a child with pages of all kinds: both methods against each other, and
 * against a page by page reading of the test's own.
 */
#include <dlfcn.h>

#include "pagemon_known_rig.h"

#define ALL (~UINT64_C(0))

/* What the raw entry of a page says, beside zero and huge pages. */
static uint64_t plain(uint64_t entry, bool exclusive)
{
	uint64_t c = 0;

	if (entry >> 63 & 1)
		c |= SM_PAGE_PRESENT | (entry >> 61 & 1 ? SM_PAGE_FILE : 0);
	if (entry >> 62 & 1)
		c |= entry >> 58 & 1 ? SM_PAGE_GUARD : SM_PAGE_SWAPPED;
	if (c && entry >> 55 & 1)
		c |= SM_PAGE_SOFT_DIRTY;
	if (exclusive && entry >> 63 & 1 && entry >> 56 & 1)
		c |= PAGE_EXCLUSIVE;
	return c;
}

static uint64_t raw_entry(uint64_t address)
{
	uint64_t entry = 0;

	if (address >> 63)
		return 0;
	ck_assert_int_eq(
		pread(rig.pagemap_fd, &entry, 8, (off_t)(address / PAGE * 8)), 8);
	return entry;
}

/* Each page of all mappings, in order, against the runs. */
static void check_runs(const struct rig_runs *runs, bool exclusive)
{
	const uint64_t also = SM_PAGE_ZERO | SM_PAGE_HUGE;
	size_t at = 0;

	for (uint64_t page = 0; page < rig.space.pages; page++) {
		uint64_t address = space_address(&rig.space, page);
		uint64_t want = plain(raw_entry(address), exclusive);
		uint64_t hidden = also | (known_is_own(address) ? 0 : PAGE_EXCLUSIVE);
		const struct rig_run *r = &runs->run[at];
		bool in_run = at < runs->n && page >= r->first;

		/* Entries call the huge zero page one of a file. */
		if (in_run && (r->categories & also) == also)
			want &= ~(uint64_t)SM_PAGE_FILE;

		ck_assert_msg((want & ~hidden) == (in_run ? r->categories & ~hidden : 0),
			"page %llu: %llx, but the pass says %llx",
			(unsigned long long)page, (unsigned long long)want,
			(unsigned long long)(in_run ? r->categories : 0));
		if (in_run && page + 1 == r->first + r->n)
			at++;
	}
	ck_assert_uint_eq(at, runs->n);
}

/* No two neighbours of one mapping are equal. */
static void check_merged(const struct rig_runs *runs)
{
	for (size_t i = 1; i < runs->n; i++) {
		const struct rig_run *a = &runs->run[i - 1], *b = &runs->run[i];

		ck_assert_uint_le(a->first + a->n, b->first);
		if (a->first + a->n == b->first && a->categories == b->categories)
			ck_assert_ptr_ne(space_of_page(&rig.space, a->first),
				space_of_page(&rig.space, b->first));
	}
}

static uint64_t categories_at(const struct rig_runs *runs, const char *address)
{
	uint64_t page = space_ordinal(&rig.space, (uintptr_t)address);

	for (size_t i = 0; i < runs->n; i++)
		if (page - runs->run[i].first < runs->run[i].n)
			return runs->run[i].categories;
	return 0;
}

static void same_runs(const struct rig_runs *a, const struct rig_runs *b)
{
	for (size_t i = 0; i < a->n && i < b->n; i++) {
		const struct rig_run *x = &a->run[i], *y = &b->run[i];

		ck_assert_msg(x->first == y->first && x->n == y->n &&
				      x->categories == y->categories,
			"run %zu: %llu+%llu %llx, %llu+%llu %llx", i,
			(unsigned long long)x->first, (unsigned long long)x->n,
			(unsigned long long)x->categories, (unsigned long long)y->first,
			(unsigned long long)y->n, (unsigned long long)y->categories);
	}
	ck_assert_uint_eq(a->n, b->n);
}

static void check_method(enum pass_method method, bool exclusive)
{
	struct pass_reader r = rig_reader(method);
	struct rig_runs runs = {0};

	rig_walk(&runs, &r, 0, ALL, exclusive, 1000, NULL);
	check_runs(&runs, exclusive);
	check_merged(&runs);
	ck_assert_uint_eq(
		categories_at(&runs, known_at) & ~PAGE_EXCLUSIVE, SM_PAGE_PRESENT);
	if (r.known & SM_PAGE_ZERO)
		ck_assert_uint_eq(categories_at(&runs, known_at + 16 * PAGE),
			SM_PAGE_PRESENT | SM_PAGE_ZERO);
	rig_free(&runs);
}

START_TEST(by_reading)
{
	known_target();
	check_method(PASS_READ, false);
	check_method(PASS_READ, true);
	rig_stop();
}
END_TEST

START_TEST(by_scanning)
{
	known_target();
	if (rig_can_scan()) {
		check_method(PASS_SCAN, false);
		check_method(PASS_SCAN, true);
	}
	rig_stop();
}
END_TEST

START_TEST(both_ways_are_equal)
{
	struct rig_runs scan = {0}, read = {0};
	struct pass_reader r;
	uint64_t known, huge = 0;

	known_target();
	if (!rig_can_scan()) {
		rig_stop();
		return;
	}
	for (int exclusive = 1; exclusive >= 0; exclusive--) {
		uint64_t first = 0, end = ALL;

		if (exclusive) { /* only there it stays as it is */
			first = space_ordinal(&rig.space, (uintptr_t)stride_at);
			end = first + STRIDE;
		}
		r = rig_reader(PASS_SCAN);
		rig_walk(&scan, &r, first, end, exclusive, 1000, NULL);
		r = rig_reader(PASS_READ);
		rig_walk(&read, &r, first, end, exclusive, 1000, &known);
		if (r.zero_pfn == 0) /* no CAP_SYS_ADMIN */
			continue;
		ck_assert(known & SM_PAGE_HUGE);
		same_runs(&scan, &read);
	}
	for (size_t i = 0; i < scan.n; i++)
		if (scan.run[i].categories & SM_PAGE_HUGE)
			huge += scan.run[i].n;
	/* None at all where huge pages are switched off. */
	ck_assert_uint_eq(huge % 512, 0);
	rig_free(&scan);
	rig_free(&read);
	rig_stop();
}
END_TEST

static void one_range(const struct rig_runs *all, struct rig_runs *part,
	const struct pass_reader *r, uint64_t first, uint64_t end)
{
	size_t at = 0;

	rig_walk(part, r, first, end, false, 1000, NULL);
	for (size_t i = 0; i < all->n; i++) {
		uint64_t from = all->run[i].first, to = from + all->run[i].n;

		from = from > first ? from : first;
		to = to < end ? to : end;
		if (from >= to)
			continue;
		ck_assert_uint_lt(at, part->n);
		ck_assert_uint_eq(part->run[at].first, from);
		ck_assert_uint_eq(part->run[at].n, to - from);
		ck_assert_uint_eq(part->run[at++].categories, all->run[i].categories);
	}
	ck_assert_uint_eq(at, part->n);
}

/* Ranges that begin and end in the middle of runs and blocks. */
START_TEST(parts_of_it)
{
	enum pass_method method[] = {PASS_SCAN, PASS_READ};
	struct rig_runs all = {0}, part = {0};

	known_target();
	for (size_t i = rig_can_scan() ? 0 : 1; i < 2; i++) {
		struct pass_reader r = rig_reader(method[i]);
		uint64_t pages = rig.space.pages, step = pages / 23 + 1;

		rig_walk(&all, &r, 0, ALL, false, 1000, NULL);
		for (uint64_t first = 0; first < pages; first += step) {
			one_range(&all, &part, &r, first, first + step);
			one_range(&all, &part, &r, first, first + 1);
			one_range(&all, &part, &r, first, first);
		}
		one_range(&all, &part, &r, 0, pages);
	}
	rig_free(&all);
	rig_free(&part);
	rig_stop();
}
END_TEST

START_TEST(without_smaps)
{
	struct rig_runs runs = {0};
	struct pass_reader r;
	uint64_t known;

	known_target();
	r = rig_reader(PASS_READ);
	r.smaps_fd = -1;
	rig_walk(&runs, &r, 0, ALL, false, 1000, &known);
	check_runs(&runs, false);
	rig_free(&runs);
	rig_stop();
}
END_TEST

/* Returns a copy of smaps without the value of this key. */
static int smaps_without(int fd, const char *key)
{
	static char text[1 << 20];
	int copy = memfd_create("smaps", MFD_CLOEXEC);
	size_t n = 0;
	ssize_t got;

	while ((got = pread(fd, text + n, sizeof(text) - 1 - n, (off_t)n)) > 0)
		n += (size_t)got;
	text[n] = '\0';
	for (char *p = text; (p = strstr(p, key)); p += strlen(key))
		memset(p + strlen(key), 'x', 4);
	ck_assert_int_eq(write(copy, text, n), (ssize_t)n);
	return copy;
}

/* Lines that are not understood change no page. */
START_TEST(odd_smaps)
{
	static const char *const keys[] = {"\nRss: ", "\nSwap: ", "\nAnonHugePages: "};

	known_target();
	for (size_t i = 0; i < SM_ARRAY_SIZE(keys); i++) {
		struct rig_runs runs = {0};
		struct pass_reader r = rig_reader(PASS_READ);
		int fd = smaps_without(r.smaps_fd, keys[i]);
		uint64_t known;

		r.smaps_fd = fd;
		rig_walk(&runs, &r, 0, ALL, false, 1000, &known);
		check_runs(&runs, false);
		rig_free(&runs);
		close(fd);
	}
	rig_stop();
}
END_TEST

/* --- large ones --------------------------------------------------------------------- */

enum { SCATTERED = 4096, ONE_PAGE = 60000 };
#define SPARSE_BYTES (UINT64_C(16) << 40)

static char *sparse_at;

static void fill_sparse(char what)
{
	(void)what;
	for (size_t i = 0; i < SCATTERED; i++)
		touch(sparse_at + i * (SPARSE_BYTES / SCATTERED) + i % 512 * PAGE, 1);
}

START_TEST(sixteen_tib)
{
	struct rig_runs runs = {0};
	struct pass_reader r;
	uint64_t there = 0;

	sparse_at = map(SPARSE_BYTES, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1);
	madvise(sparse_at, SPARSE_BYTES, MADV_NOHUGEPAGE);
	rig_start(fill_sparse);
	if (rig_can_scan()) {
		r = rig_reader(PASS_SCAN);
		rig_walk(&runs, &r, 0, ALL, false, 1, NULL);
		check_merged(&runs);
		for (size_t i = 0; i < runs.n; i++) {
			uint64_t at = space_address(&rig.space, runs.run[i].first);

			if (at - (uintptr_t)sparse_at >= SPARSE_BYTES)
				continue;
			ck_assert_uint_eq(runs.run[i].n, 1);
			ck_assert_uint_eq(at, (uintptr_t)sparse_at +
						      there * (SPARSE_BYTES / SCATTERED) +
						      there % 512 * PAGE);
			there++;
		}
		ck_assert_uint_eq(there, SCATTERED);
	}
	rig_free(&runs);
	rig_stop();
	munmap(sparse_at, SPARSE_BYTES);
}
END_TEST

#define LARGE_AT    ((char *)0x200000000000)
#define LARGE_BYTES (UINT64_C(2) << 30)

static void fill_large(char what)
{
	(void)what;
	mmap(LARGE_AT, LARGE_BYTES, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
	touch(LARGE_AT, 1);
}

/* The end of a pass over 2 GiB by reading, if smaps cannot be read and status has this.
 */
static int read_with_status(const char *text)
{
	struct rig_runs runs = {0};
	struct pass_reader r = rig_reader(PASS_READ);
	uint64_t first = space_ordinal(&rig.space, (uintptr_t)LARGE_AT);
	struct pass *p;
	int more;

	r.smaps_fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
	r.status_fd = memfd_create("status", MFD_CLOEXEC);
	ck_assert_int_eq(write(r.status_fd, text, strlen(text)), (long)strlen(text));
	ck_assert_int_eq(pass_new(&p), 0);
	pass_begin(p, &r, &rig.space, first, first + LARGE_BYTES / PAGE, false, rig_keep,
		&runs);
	do
		more = pass_step(p, SM_NSEC_PER_SEC);
	while (more > 0);
	if (more == 0)
		ck_assert_uint_eq(runs.n, 1);
	pass_free(p);
	rig_free(&runs);
	close(r.smaps_fd);
	close(r.status_fd);
	return more;
}

static uint64_t tick_ns; /* 0: the time is the machine's */
static uint64_t now_ns;
static unsigned int pauses;

/* These two stand for the functions of the C library. */
int clock_gettime(clockid_t id, struct timespec *ts)
{
	static int (*next)(clockid_t, struct timespec *);

	if (!next)
		next = (int (*)(clockid_t, struct timespec *))dlsym(
			RTLD_NEXT, "clock_gettime");
	if (!tick_ns)
		return next(id, ts);
	now_ns += tick_ns;
	*ts = (struct timespec){.tv_sec = (time_t)(now_ns / SM_NSEC_PER_SEC),
		.tv_nsec = (long)(now_ns % SM_NSEC_PER_SEC)};
	return 0;
}

int nanosleep(const struct timespec *time, struct timespec *left)
{
	(void)left;
	ck_assert_int_eq(time->tv_sec, 0);
	pauses++;
	return 0;
}

/* A target that waits for its memory map gets it once in a millisecond of calls. */
START_TEST(pauses_between_calls)
{
	struct rig_runs runs = {0};
	struct pass_reader r;
	struct pass *p;
	int more;

	rig_start(fill_large);
	r = rig_reader(PASS_READ);
	ck_assert_int_eq(pass_new(&p), 0);
	pass_begin(p, &r, &rig.space, 0, ALL, false, rig_keep, &runs);
	/* Three calls of 400 us each, and a look at the clock after each pause. */
	tick_ns = 400000;
	more = pass_step(p, 25 * tick_ns);
	tick_ns = 0;
	ck_assert_int_eq(more, 1);
	ck_assert_uint_eq(pauses, 6);
	/* Quick calls have no pause. */
	pauses = 0;
	tick_ns = 1;
	more = pass_step(p, 25 * tick_ns);
	tick_ns = 0;
	ck_assert_int_eq(more, 1);
	ck_assert_uint_eq(pauses, 0);
	pass_free(p);
	rig_free(&runs);
	rig_stop();
}
END_TEST

/* smaps is not read if walking a mapping at once would take long. */
START_TEST(smaps_of_many_tables)
{
	rig_start(fill_large);
	ck_assert_int_eq(read_with_status("VmLib:\t 4 kB\nVmPTE:\t    2052 kB\n"), 0);
	ck_assert_int_eq(
		read_with_status("VmLib:\t 4 kB\nVmPTE:\t    2048 kB\n"), -EBADF);
	ck_assert_int_eq(read_with_status("VmLib:\t 4 kB\n"), -EBADF);
	rig_stop();
}
END_TEST

/* Neighbours that the kernel cannot join. */
static void fill_mappings(char what)
{
	char *at = map((size_t)ONE_PAGE * PAGE, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1);

	(void)what;
	for (size_t i = 0; i < ONE_PAGE; i += 2)
		if (mprotect(at + i * PAGE, PAGE, PROT_READ) < 0)
			break;
	for (size_t i = 1; i < ONE_PAGE; i += 4)
		touch(at + i * PAGE, 1);
	known_at = at;
}

START_TEST(many_mappings)
{
	struct rig_runs scan = {0}, read = {0};
	struct pass_reader r;
	unsigned int steps;

	rig_start(fill_mappings);
	rig_leave_out_large();
	ck_assert_uint_gt(rig.space.n, 1000);
	r = rig_reader(PASS_READ);
	rig_walk(&read, &r, 0, ALL, false, 1000000, NULL);
	check_runs(&read, false);
	if (rig_can_scan()) {
		r = rig_reader(PASS_SCAN);
		steps = rig_walk(&scan, &r, 0, ALL, false, 1, NULL);
		same_runs(&scan, &read);
		/* One call per step, for half as many mappings as it may walk page
		 * tables. */
		ck_assert_uint_lt(steps, rig.space.n / 200);
	}
	rig_free(&scan);
	rig_free(&read);
	rig_stop();
}
END_TEST

/* --- a target that changes ---------------------------------------------------------- */

#define OLD_PLACE ((char *)0x200000000000)
#define NEW_PLACE ((char *)0x210000000000)

/* Each round makes all calls: the child has their pages before they are counted. */
static void change(char what)
{
	char *at = what == '1' ? NEW_PLACE : OLD_PLACE;

	if (what == 'x')
		_exit(0);
	if (what == 'e')
		execl("/bin/sleep", "sleep", "60", (char *)NULL);
	munmap(what == '1' ? OLD_PLACE : NEW_PLACE, 64 * PAGE);
	mmap(at, 64 * PAGE, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	touch(at, 10);
}

START_TEST(moved_between_passes)
{
	enum pass_method method[] = {PASS_SCAN, PASS_READ};
	struct rig_runs runs = {0};

	for (size_t i = 0; i < 2; i++) {
		struct pass_reader r;

		rig_start(change);
		rig_leave_out_large();
		if (i == 0 && !rig_can_scan()) {
			rig_stop();
			continue;
		}
		r = rig_reader(method[i]);
		rig_walk(&runs, &r, 0, ALL, false, 1000000, NULL);
		ck_assert(categories_at(&runs, OLD_PLACE) & SM_PAGE_PRESENT);
		rig_tell('1');
		/* Before the list is read again, and after. */
		rig_walk(&runs, &r, 0, ALL, false, 1000000, NULL);
		ck_assert(!(categories_at(&runs, OLD_PLACE) & SM_PAGE_PRESENT));
		rig_update();
		rig_walk(&runs, &r, 0, ALL, false, 1000000, NULL);
		ck_assert(categories_at(&runs, NEW_PLACE) & SM_PAGE_PRESENT);
		check_runs(&runs, false);
		rig_stop();
	}
	rig_free(&runs);
}
END_TEST

static void ignore(void *ctx, size_t m, uint64_t first, uint64_t n, uint64_t categories)
{
	(void)ctx, (void)m, (void)first, (void)n, (void)categories;
}

/* In the middle of a pass.  The pipe of the child closes on both. */
static void ends(enum pass_method method, char how)
{
	struct pass_reader r;
	struct pass *p;
	char done;
	int more = 1;

	sparse_at = map(
		SPARSE_BYTES, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1);
	rig_start(change);
	munmap(sparse_at, SPARSE_BYTES);
	if (method == PASS_SCAN && !rig_can_scan()) {
		rig_stop();
		return;
	}
	r = rig_reader(method);
	ck_assert_int_eq(pass_new(&p), 0);
	pass_begin(p, &r, &rig.space, 0, ALL, true, ignore, NULL);
	ck_assert_int_eq(pass_step(p, 1), 1);
	ck_assert_int_eq(write(rig.to, &how, 1), 1);
	ck_assert_int_eq(read(rig.from, &done, 1), 0);
	while (more == 1)
		more = pass_step(p, 1);
	ck_assert_int_eq(more, -ESRCH);
	ck_assert_int_eq(pass_step(p, 1), -ESRCH);
	ck_assert(!pass_done(p));
	pass_free(p);
	rig_stop();
}

START_TEST(exits)
{
	ends(PASS_SCAN, 'x');
	ends(PASS_READ, 'x');
}
END_TEST

START_TEST(executes)
{
	ends(PASS_SCAN, 'e');
	ends(PASS_READ, 'e');
}
END_TEST

static void add_pages(
	void *ctx, size_t m, uint64_t first, uint64_t n, uint64_t categories)
{
	(void)m, (void)first, (void)categories;
	*(uint64_t *)ctx += n;
}

static uint64_t walked_to;

static void walked(void *ctx, uint64_t first, uint64_t end)
{
	(void)ctx;
	ck_assert_uint_eq(first, walked_to);
	ck_assert_uint_gt(end, first);
	walked_to = end;
}

/* The pages of a mapping that moves upwards behind the walk's back are counted once. */
START_TEST(goes_on_in_new_mappings)
{
	struct pass_reader r;
	struct pass *p;
	uint64_t all = 0, part = 0;

	rig_start(change);
	rig_leave_out_large();
	if (rig_can_scan()) {
		r = rig_reader(PASS_SCAN);
		ck_assert_int_eq(pass_new(&p), 0);
		walked_to = 0;
		pass_begin(p, &r, &rig.space, 0, ALL, false, add_pages, &all);
		pass_tell_walked(p, walked);
		ck_assert_int_eq(pass_step(p, UINT64_MAX), 0);
		ck_assert_uint_eq(walked_to, rig.space.pages);

		walked_to = 0;
		pass_begin(p, &r, &rig.space, 0, ALL, false, add_pages, &part);
		pass_tell_walked(p, walked);
		rig_tell('1');
		rig_update();
		ck_assert(pass_move(p, &rig.space));
		walked_to = space_ordinal(&rig.space, space_address(&rig.space, 0));
		ck_assert_int_eq(pass_step(p, UINT64_MAX), 0);
		ck_assert_uint_eq(part, all);
		pass_free(p);
	}
	rig_stop();
}
END_TEST

static TCase *small(void)
{
	TCase *tc = tcase_create("pages of all kinds");

	tcase_add_test(tc, by_reading);
	tcase_add_test(tc, by_scanning);
	tcase_add_test(tc, both_ways_are_equal);
	tcase_add_test(tc, parts_of_it);
	tcase_add_test(tc, without_smaps);
	tcase_add_test(tc, odd_smaps);
	return tc;
}

static TCase *large(void)
{
	TCase *tc = tcase_create("large targets");

	tcase_add_test(tc, sixteen_tib);
	tcase_add_test(tc, pauses_between_calls);
	tcase_add_test(tc, smaps_of_many_tables);
	tcase_add_test(tc, many_mappings);
	return tc;
}

static TCase *changes(void)
{
	TCase *tc = tcase_create("targets that change");

	tcase_add_test(tc, moved_between_passes);
	tcase_add_test(tc, exits);
	tcase_add_test(tc, executes);
	tcase_add_test(tc, goes_on_in_new_mappings);
	return tc;
}

UNIT_MAIN("pass", small, large, changes)
