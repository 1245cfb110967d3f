// SPDX-License-Identifier: GPL-2.0-or-later
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "proc/smaps.h"
#include "fixroot_rig.h"

#define STOP_AT 7

static struct sm_buf scratch;

struct list {
	struct {
		uint64_t start, end;
		struct sm_smaps s;
	} at[8];
	size_t n, stop_after;
};

static int add(void *ctx, uint64_t start, uint64_t end, const struct sm_smaps *s)
{
	struct list *l = ctx;

	ck_assert_uint_lt(l->n, SM_ARRAY_SIZE(l->at));
	l->at[l->n].start = start;
	l->at[l->n].end = end;
	l->at[l->n++].s = *s;
	return l->n == l->stop_after ? STOP_AT : 0;
}

static int open_text(const char *text)
{
	int fd;

	fix_put("proc/7/smaps", text);
	fd = open(fix_path("proc/7/smaps"), O_RDONLY | O_CLOEXEC);
	ck_assert_int_ge(fd, 0);
	return fd;
}

static int read_text(const char *text, struct list *l)
{
	int fd = open_text(text), ret;

	*l = (struct list){.stop_after = l->stop_after};
	ret = sm_smaps_read(fd, fd, &scratch, add, l);
	close(fd);
	return ret;
}

static uint64_t kb(const struct sm_smaps *s, enum sm_smaps_figure figure)
{
	uint64_t v = UINT64_MAX;

	ck_assert_msg(sm_smaps_get(s, figure, &v) == 0, "figure %d", (int)figure);
	return v;
}

/* A mapping as Linux 6.18 shows it. */
static const char *const recent = "5562d2a9a000-5562d2abe000 r-xp 00004000 fe:00 247260  "
				  "                   /usr/bin/x\n"
				  "Size:                144 kB\n"
				  "KernelPageSize:        4 kB\n"
				  "MMUPageSize:           8 kB\n"
				  "Rss:                 132 kB\n"
				  "Pss:                  66 kB\n"
				  "Pss_Dirty:             1 kB\n"
				  "Shared_Clean:          2 kB\n"
				  "Shared_Dirty:          3 kB\n"
				  "Private_Clean:       120 kB\n"
				  "Private_Dirty:         5 kB\n"
				  "Referenced:          131 kB\n"
				  "Anonymous:             6 kB\n"
				  "KSM:                   7 kB\n"
				  "LazyFree:              9 kB\n"
				  "AnonHugePages:      2048 kB\n"
				  "ShmemPmdMapped:       10 kB\n"
				  "FilePmdMapped:        11 kB\n"
				  "Shared_Hugetlb:       12 kB\n"
				  "Private_Hugetlb:      13 kB\n"
				  "Swap:                 14 kB\n"
				  "SwapPss:              15 kB\n"
				  "Locked:               16 kB\n"
				  "THPeligible:           0\n"
				  "ProtectionKey:         0\n"
				  "VmFlags: rd ex mr mw me ht \n"
				  "7ffd5f3d1000-7ffd5f3f2000 rw-p 00000000 00:00 0       "
				  "                   [stack]\n"
				  "Size:                132 kB\n"
				  "Rss:                   0 kB\n"
				  "VmFlags: rd wr \n";

START_TEST(all_figures)
{
	static const uint64_t want[SM_SMAPS_N] = {[SM_SMAPS_SIZE] = 144,
		[SM_SMAPS_KERNEL_PAGE_SIZE] = 4,
		[SM_SMAPS_MMU_PAGE_SIZE] = 8,
		[SM_SMAPS_RSS] = 132,
		[SM_SMAPS_PSS] = 66,
		[SM_SMAPS_PSS_DIRTY] = 1,
		[SM_SMAPS_SHARED_CLEAN] = 2,
		[SM_SMAPS_SHARED_DIRTY] = 3,
		[SM_SMAPS_PRIVATE_CLEAN] = 120,
		[SM_SMAPS_PRIVATE_DIRTY] = 5,
		[SM_SMAPS_REFERENCED] = 131,
		[SM_SMAPS_ANONYMOUS] = 6,
		[SM_SMAPS_KSM] = 7,
		[SM_SMAPS_LAZY_FREE] = 9,
		[SM_SMAPS_ANON_HUGE_PAGES] = 2048,
		[SM_SMAPS_SHMEM_PMD_MAPPED] = 10,
		[SM_SMAPS_FILE_PMD_MAPPED] = 11,
		[SM_SMAPS_SHARED_HUGETLB] = 12,
		[SM_SMAPS_PRIVATE_HUGETLB] = 13,
		[SM_SMAPS_SWAP] = 14,
		[SM_SMAPS_SWAP_PSS] = 15,
		[SM_SMAPS_LOCKED] = 16};
	struct list l = {.n = 0};
	uint64_t v = 99;

	ck_assert_int_eq(read_text(recent, &l), 0);
	ck_assert_uint_eq(l.n, 2);
	ck_assert_uint_eq(l.at[0].start, UINT64_C(0x5562d2a9a000));
	ck_assert_uint_eq(l.at[0].end, UINT64_C(0x5562d2abe000));
	for (enum sm_smaps_figure i = 0; i < SM_SMAPS_N; i++) {
		if (want[i])
			ck_assert_uint_eq(kb(&l.at[0].s, i), want[i]);
		else
			ck_assert_int_eq(sm_smaps_get(&l.at[0].s, i, &v), -ENODATA);
	}
	ck_assert_uint_eq(v, 99);
	ck_assert_int_eq(sm_smaps_uss(&l.at[0].s, &v), 0);
	ck_assert_uint_eq(v, 120 + 5 + 13);
	ck_assert_str_eq(l.at[0].s.flags, "rd ex mr mw me ht");
	ck_assert_int_eq(sm_smaps_flag(&l.at[0].s, "rd"), 1);
	ck_assert_int_eq(sm_smaps_flag(&l.at[0].s, "ht"), 1);
	ck_assert_int_eq(sm_smaps_flag(&l.at[0].s, "wr"), 0);
	ck_assert_int_eq(sm_smaps_flag(&l.at[0].s, "d "), 0);
	/* nothing of the entry before is left */
	ck_assert_uint_eq(l.at[1].s.known, 1u << SM_SMAPS_SIZE | 1u << SM_SMAPS_RSS);
	ck_assert_uint_eq(kb(&l.at[1].s, SM_SMAPS_RSS), 0);
	ck_assert_int_eq(sm_smaps_uss(&l.at[1].s, &v), -ENODATA);
	ck_assert_str_eq(l.at[1].s.flags, "rd wr");
}
END_TEST

START_TEST(figures_in_any_order)
{
	struct list l = {.n = 0};
	uint64_t v;

	ck_assert_int_eq(
		read_text("1000-2000 rw-p 0 0:0 0\n"
			  "Locked: 1 kB\nRss:\t2 kB\nSize: 18446744073709551615 kB\n"
			  "Rssx: none\nNew: 5 kB\nSwap: 3 kB\n"
			  "Private_Dirty: 4 kB\nPrivate_Clean: 6 kB\n",
			&l),
		0);
	ck_assert_uint_eq(l.n, 1);
	ck_assert_uint_eq(kb(&l.at[0].s, SM_SMAPS_LOCKED), 1);
	ck_assert_uint_eq(kb(&l.at[0].s, SM_SMAPS_RSS), 2);
	ck_assert_uint_eq(kb(&l.at[0].s, SM_SMAPS_SIZE), UINT64_MAX);
	ck_assert_uint_eq(kb(&l.at[0].s, SM_SMAPS_SWAP), 3);
	ck_assert_int_eq(sm_smaps_uss(&l.at[0].s, &v), 0);
	ck_assert_uint_eq(v, 10);
	ck_assert_int_eq(sm_smaps_flag(&l.at[0].s, "rd"), -ENODATA);
	ck_assert_str_eq(l.at[0].s.flags, "");
}
END_TEST

START_TEST(flags)
{
	char text[2000] = "1000-2000 rw-p 0 0:0 0\nVmFlags:";
	struct list l = {.n = 0};

	ck_assert_int_eq(read_text("1000-2000 rw-p 0 0:0 0\nVmFlags:\n", &l), 0);
	ck_assert_int_eq(sm_smaps_flag(&l.at[0].s, "rd"), 0);
	/* what is not two printable characters does not get in */
	ck_assert_int_eq(read_text("1000-2000 rw-p 0 0:0 0\nVmFlags: rd \x1b[ abc a ?? "
				   "\xff\xff wr\n",
				 &l),
		0);
	ck_assert_str_eq(l.at[0].s.flags, "rd ?? wr");
	/* more than there are */
	for (int i = 0; i < 300; i++)
		strcat(text, " xy");
	ck_assert_int_eq(read_text(text, &l), 0);
	ck_assert_uint_eq(strlen(l.at[0].s.flags), 84 * 3 - 1 + 3);
	ck_assert_int_eq(sm_smaps_flag(&l.at[0].s, "xy"), 1);
}
END_TEST

/* A value is 0 if the kernel did not write it for this mapping, whatever the one before
 * had. */
START_TEST(unknown_figures)
{
	struct list l = {.n = 0};

	ck_assert_int_eq(
		read_text("1000-2000 rw-p 0 0:0 0\nSwap: 4 kB\nKernelPageSize: 2048 kB\n"
			  "3000-4000 rw-p 0 0:0 0\nRss: 4 kB\n",
			&l),
		0);
	ck_assert_uint_eq(l.at[0].s.kb[SM_SMAPS_SWAP], 4);
	ck_assert(sm_smaps_hugetlb(&l.at[0].s, 4096));
	ck_assert_uint_eq(l.at[1].s.kb[SM_SMAPS_SWAP], 0);
	ck_assert(!sm_smaps_hugetlb(&l.at[1].s, 4096));
}
END_TEST

START_TEST(malformed)
{
	static const char *const bad[] = {"Rss: 4 kB\n", "\n", "1000-2000\n", "x\n",
		"1000-2000 rw-p 0 0:0 0\nRss: 4 kB\n3000-x\n"};
	struct list l = {.n = 0};

	for (size_t i = 0; i < SM_ARRAY_SIZE(bad); i++)
		ck_assert_msg(read_text(bad[i], &l) == -EBADMSG, "%s", bad[i]);
	ck_assert_int_eq(read_text("", &l), -ESRCH);
	l.stop_after = 1;
	ck_assert_int_eq(read_text(recent, &l), STOP_AT);
	ck_assert_uint_eq(l.n, 1);
	ck_assert_int_eq(sm_smaps_read(-1, -1, &scratch, add, &l), -EBADF);
}
END_TEST

/* A line that is not understood loses only its own value. */
START_TEST(odd_lines)
{
	static const char *const odd[] = {"Rss: 4", "Rss: 4 MB", "Rss: x kB",
		"Rss:", "Rss: 18446744073709551616 kB", "Rss: -1 kB", "Rss 4 kB", "",
		"odd", "fault", "4 kB", ":", "\xff"};
	char file[200];

	for (size_t i = 0; i < SM_ARRAY_SIZE(odd); i++) {
		struct list l = {.n = 0};

		snprintf(file, sizeof(file),
			"1000-2000 rw-p 0 0:0 0\n%s\nPss: 3 kB\n%s\n"
			"3000-4000 rw-p 0 0:0 0\nRss: 4 kB\n",
			odd[i], odd[i]);
		ck_assert_msg(read_text(file, &l) == 0, "%s", odd[i]);
		ck_assert_uint_eq(l.n, 2);
		ck_assert_uint_eq(l.at[0].s.known, 1u << SM_SMAPS_PSS);
		ck_assert_uint_eq(kb(&l.at[1].s, SM_SMAPS_RSS), 4);
	}
}
END_TEST

START_TEST(changed_meanwhile)
{
	struct list l = {.n = 0};

	ck_assert_int_eq(read_text("1000-3000 rw-p 0 0:0 0\nRss: 8 kB\n"
				   "1000-5000 rw-p 0 0:0 0\nRss: 16 kB\n"
				   "5000-6000 rw-p 0 0:0 0\nRss: 4 kB\n",
				 &l),
		0);
	ck_assert_uint_eq(l.n, 2);
	ck_assert_uint_eq(kb(&l.at[0].s, SM_SMAPS_RSS), 8);
	ck_assert_uint_eq(kb(&l.at[1].s, SM_SMAPS_RSS), 4);
}
END_TEST

START_TEST(rollup_text)
{
	struct sm_smaps s;
	int fd =
		open_text("55d275b6b000-7fff0f526000 ---p 00000000 00:00 0     [rollup]\n"
			  "Rss:                1620 kB\nPss:                 356 kB\n"
			  "Pss_Anon:            116 kB\nSwap:                  5 kB\n");

	ck_assert_int_eq(sm_smaps_read_rollup(fd, &scratch, &s), 0);
	close(fd);
	ck_assert_uint_eq(kb(&s, SM_SMAPS_RSS), 1620);
	ck_assert_uint_eq(kb(&s, SM_SMAPS_PSS), 356);
	ck_assert_uint_eq(kb(&s, SM_SMAPS_PSS_ANON), 116);
	ck_assert_uint_eq(kb(&s, SM_SMAPS_SWAP), 5);
	ck_assert_uint_eq((uint64_t)__builtin_popcountll(s.known), 4);
	/* no mapping at all */
	fd = open_text(
		"00000000-00000000 ---p 00000000 00:00 0     [rollup]\nRss: 0 kB\n");
	ck_assert_int_eq(sm_smaps_read_rollup(fd, &scratch, &s), 0);
	close(fd);
	ck_assert_uint_eq(s.known, 1u << SM_SMAPS_RSS);
	fd = open_text("");
	ck_assert_int_eq(sm_smaps_read_rollup(fd, &scratch, &s), -ESRCH);
	close(fd);
	fd = open_text("1000-2000 ---p 0 0:0 0 [rollup]\nRss: ?\n");
	ck_assert_int_eq(sm_smaps_read_rollup(fd, &scratch, &s), 0);
	ck_assert_uint_eq(s.known, 0);
	close(fd);
}
END_TEST

struct wanted {
	uint64_t start, end;
	struct sm_smaps s;
	size_t found;
	uint64_t last_end, rss_kb;
};

static int look(void *ctx, uint64_t start, uint64_t end, const struct sm_smaps *s)
{
	struct wanted *w = ctx;

	ck_assert_uint_ge(start, w->last_end);
	w->last_end = end;
	w->rss_kb += kb(s, SM_SMAPS_RSS);
	ck_assert_uint_eq(kb(s, SM_SMAPS_SIZE), (end - start) / 1024);
	if (start == w->start && end == w->end) {
		w->s = *s;
		w->found++;
	}
	return 0;
}

static void find(const void *p, size_t n, struct wanted *w)
{
	int fd = open("/proc/self/smaps", O_RDONLY | O_CLOEXEC);

	ck_assert_int_ge(fd, 0);
	*w = (struct wanted){.start = (uintptr_t)p, .end = (uintptr_t)p + n};
	ck_assert_int_eq(sm_smaps_read(fd, fd, &scratch, look, w), 0);
	ck_assert_uint_eq(w->found, 1);
	close(fd);
}

START_TEST(own_memory)
{
	uint64_t page = (uint64_t)getpagesize(), page_kb = page / 1024, uss;
	char *p = mmap(NULL, 12 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct wanted w;

	ck_assert_ptr_ne(p, MAP_FAILED);
	p += page;
	ck_assert_int_eq(mprotect(p, 10 * page, PROT_READ | PROT_WRITE), 0);
	madvise(p, 10 * page, MADV_NOHUGEPAGE);
	for (int i = 0; i < 3; i++)
		*(volatile char *)(p + (uint64_t)i * 2 * page) = 1;
	(void)*(volatile char *)(p + page); /* a zero page, which is in no figure */
	find(p, 10 * page, &w);
	ck_assert_uint_eq(kb(&w.s, SM_SMAPS_RSS), 3 * page_kb);
	ck_assert_uint_eq(kb(&w.s, SM_SMAPS_PSS), 3 * page_kb);
	ck_assert_uint_eq(kb(&w.s, SM_SMAPS_PRIVATE_DIRTY), 3 * page_kb);
	ck_assert_uint_eq(kb(&w.s, SM_SMAPS_ANONYMOUS), 3 * page_kb);
	ck_assert_uint_eq(kb(&w.s, SM_SMAPS_SHARED_DIRTY), 0);
	ck_assert_uint_eq(kb(&w.s, SM_SMAPS_KERNEL_PAGE_SIZE), page_kb);
	ck_assert_int_eq(sm_smaps_uss(&w.s, &uss), 0);
	ck_assert_uint_eq(uss, 3 * page_kb);
	ck_assert_int_eq(sm_smaps_flag(&w.s, "wr"), 1);
	ck_assert_int_eq(sm_smaps_flag(&w.s, "nh"),
		access("/sys/kernel/mm/transparent_hugepage", F_OK) == 0);
	ck_assert_int_eq(sm_smaps_flag(&w.s, "ex"), 0);
	ck_assert_int_eq(sm_smaps_flag(&w.s, "dc"), 0);
	ck_assert_int_eq(madvise(p, 10 * page, MADV_DONTFORK), 0);
	find(p, 10 * page, &w);
	ck_assert_int_eq(sm_smaps_flag(&w.s, "dc"), 1);
}
END_TEST

/* This process reads both, so that its memory is nearly the same each time. */
START_TEST(own_rollup)
{
	int fd = open("/proc/self/smaps_rollup", O_RDONLY | O_CLOEXEC);
	size_t n = (size_t)64 << 20;
	struct sm_smaps before, after;
	char *p;

	if (fd < 0) {
		printf("# no smaps_rollup here\n");
		return;
	}
	ck_assert_int_eq(sm_smaps_read_rollup(fd, &scratch, &before), 0);
	p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne(p, MAP_FAILED);
	memset(p, 1, n);
	ck_assert_int_eq(sm_smaps_read_rollup(fd, &scratch, &after), 0);
	close(fd);
	ck_assert_uint_ge(
		kb(&after, SM_SMAPS_RSS), kb(&before, SM_SMAPS_RSS) + n / 1024 - 1024);
	ck_assert_uint_le(
		kb(&after, SM_SMAPS_RSS), kb(&before, SM_SMAPS_RSS) + n / 1024 + 4096);
	ck_assert_uint_ge(kb(&after, SM_SMAPS_ANONYMOUS), n / 1024);
	ck_assert(!after.flags_known);
}
END_TEST

START_TEST(memory_that_is_no_more)
{
	static const char *const names[] = {"smaps", "smaps_rollup"};
	int pipes[2], fd[2];
	struct list l = {.stop_after = 1};
	struct sm_smaps s;
	siginfo_t info;
	char path[64], c;
	pid_t pid;

	ck_assert_int_eq(pipe2(pipes, O_CLOEXEC), 0);
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (pid == 0) {
		close(pipes[1]);
		_exit((int)read(pipes[0], &c, 1));
	}
	for (int i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, names[i]);
		fd[i] = open(path, O_RDONLY | O_CLOEXEC);
	}
	ck_assert_int_eq(sm_smaps_read(fd[0], fd[0], &scratch, add, &l), STOP_AT);
	close(pipes[1]);
	ck_assert_int_eq(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
	ck_assert_int_eq(sm_smaps_read(fd[0], fd[0], &scratch, add, &l), -ESRCH);
	if (fd[1] >= 0)
		ck_assert_int_eq(sm_smaps_read_rollup(fd[1], &scratch, &s), -ESRCH);
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
	ck_assert_int_eq(sm_smaps_read(fd[0], fd[0], &scratch, add, &l), -ESRCH);
	if (fd[1] >= 0)
		ck_assert_int_eq(sm_smaps_read_rollup(fd[1], &scratch, &s), -ESRCH);
	ck_assert_uint_eq(l.n, 1);
}
END_TEST

/* An empty maps means that the memory no longer exists. */
START_TEST(memory_freed_meanwhile)
{
	int fd = open_text(recent), gone = open("/dev/null", O_RDONLY | O_CLOEXEC);
	struct list l = {0};

	ck_assert_int_eq(sm_smaps_read(fd, gone, &scratch, add, &l), -ESRCH);
	ck_assert_uint_eq(l.n, 2);
	close(fd);
	close(gone);
}
END_TEST

static void teardown(void)
{
	sm_buf_fini(&scratch);
	fix_close();
}

static TCase *tc_text(void)
{
	TCase *tc = tcase_create("text");

	tcase_add_checked_fixture(tc, fix_open, teardown);
	tcase_add_test(tc, all_figures);
	tcase_add_test(tc, figures_in_any_order);
	tcase_add_test(tc, flags);
	tcase_add_test(tc, unknown_figures);
	tcase_add_test(tc, malformed);
	tcase_add_test(tc, odd_lines);
	tcase_add_test(tc, changed_meanwhile);
	tcase_add_test(tc, rollup_text);
	return tc;
}

static TCase *tc_live(void)
{
	TCase *tc = tcase_create("live");

	tcase_add_checked_fixture(tc, fix_open, teardown);
	tcase_add_test(tc, own_memory);
	tcase_add_test(tc, own_rollup);
	tcase_add_test(tc, memory_that_is_no_more);
	tcase_add_test(tc, memory_freed_meanwhile);
	return tc;
}

UNIT_MAIN("smaps", tc_text, tc_live)
