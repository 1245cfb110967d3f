// SPDX-License-Identifier: GPL-2.0-or-later
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "proc/maps.h"
#include "fixroot_rig.h"

#ifndef PR_SET_VMA
#define PR_SET_VMA	     0x53564d41
#define PR_SET_VMA_ANON_NAME 0
#endif
#define STOP_AT 7

static struct sm_buf scratch;

static void check_line(const char *text, const struct sm_vma *want, const char *name)
{
	size_t n = strlen(text);
	char *copy = malloc(n); /* of exactly the size */
	struct sm_vma v;

	ck_assert_ptr_nonnull(copy);
	memcpy(copy, text, n);
	ck_assert_msg(sm_maps_parse_line(copy, n, &v) == 0, "%s", text);
	ck_assert_uint_eq(v.start, want->start);
	ck_assert_uint_eq(v.end, want->end);
	ck_assert_uint_eq(v.perms, want->perms);
	ck_assert_uint_eq(v.offset_bytes, want->offset_bytes);
	ck_assert_uint_eq(v.dev_major, want->dev_major);
	ck_assert_uint_eq(v.dev_minor, want->dev_minor);
	ck_assert_uint_eq(v.inode, want->inode);
	ck_assert_uint_eq(v.name.n, strlen(name));
	ck_assert_mem_eq(v.name.p, name, strlen(name));
	free(copy);
}

START_TEST(lines)
{
	const unsigned int rw = SM_VMA_READ | SM_VMA_WRITE;
	struct sm_vma v = {.start = 0x55d275b6b000,
		.end = 0x55d275b6d000,
		.offset_bytes = 0x4000,
		.inode = 247260,
		.dev_major = 0xfe,
		.perms = SM_VMA_READ | SM_VMA_EXEC};

	check_line("55d275b6b000-55d275b6d000 r-xp 00004000 fe:00 247260                 "
		   "    "
		   "/usr/bin/grep",
		&v, "/usr/bin/grep");
	v = (struct sm_vma){.start = 0x1000, .end = 0x2000, .perms = rw};
	check_line("00001000-00002000 rw-p 00000000 00:00 0 ", &v, "");
	check_line("00001000-00002000 rw-p 00000000 00:00 0", &v, "");
	check_line("1000-2000 rw-p 0 0:0 0     a  b (deleted)", &v, "a  b (deleted)");
	check_line("1000-2000 rw-p 0 0:0 0 /\x1b[2J\\012\xff ", &v, "/\x1b[2J\\012\xff ");
	check_line("1000-2000 rw-p 0 0:0 0 \tx", &v, "\tx");
	/* five levels of page tables, wide devices, the largest numbers */
	v = (struct sm_vma){.start = 0xfffffff0000000,
		.end = UINT64_MAX,
		.offset_bytes = 0x7ffffffffffff000,
		.inode = UINT64_MAX,
		.dev_major = 0xfff,
		.dev_minor = UINT32_MAX,
		.perms = SM_VMA_SHARED | SM_VMA_WRITE};
	check_line("fffffff0000000-ffffffffffffffff -w-s 7ffffffffffff000 fff:ffffffff "
		   "18446744073709551615 /x",
		&v, "/x");
}
END_TEST

START_TEST(lines_that_are_none)
{
	static const char *const bad[] = {"", "x", "1000", "1000-", "-2000 rw-p 0 0:0 0",
		"1000-2000", "1000-2000 ", "1000-2000 rw-p", "1000-2000 rw-p 0",
		"1000-2000 rw-p 0 0", "1000-2000 rw-p 0 0:0", "1000-2000 rw-p 0 0:0 ",
		"1000-2000 rw-p 0 0:0 x", "1000-2000 rw-p 0 0:0 0x",
		"1000-2000 rw-p 0 :0 0", "1000-2000 rw-p 0 0: 0", "1000-2000 rw-p  0:0 0",
		"1000-2000 rwp 0 0:0 0", "1000-2000 rw-pp 0 0:0 0",
		"1000-2000 wr-p 0 0:0 0", "1000-2000 rw-x 0 0:0 0",
		"1000-2000 rw?p 0 0:0 0", "1000-2000 RW-p 0 0:0 0",
		"1000-A000 rw-p 0 0:0 0", " 1000-2000 rw-p 0 0:0 0",
		"1000 2000 rw-p 0 0:0 0", "2000-1000 rw-p 0 0:0 0",
		"1000-1000 rw-p 0 0:0 0", "1000-10000000000000000 rw-p 0 0:0 0",
		"1000-2000 rw-p 10000000000000000 0:0 0",
		"1000-2000 rw-p 0 100000000:0 0", "1000-2000 rw-p 0 0:100000000 0",
		"1000-2000 rw-p 0 0:0 18446744073709551616", "1000-2000 rw-p 0 0:0 -1",
		"Rss:                   4 kB", "1000-2000\trw-p 0 0:0 0"};
	struct sm_vma v = {.inode = 7};

	for (size_t i = 0; i < SM_ARRAY_SIZE(bad); i++)
		ck_assert_msg(sm_maps_parse_line(bad[i], strlen(bad[i]), &v) == -EBADMSG,
			"%s", bad[i]);
	ck_assert_uint_eq(v.inode, 7);
}
END_TEST

START_TEST(perms_text)
{
	char text[5];

	sm_maps_perms(0, text);
	ck_assert_str_eq(text, "---p");
	sm_maps_perms(SM_VMA_READ | SM_VMA_EXEC, text);
	ck_assert_str_eq(text, "r-xp");
	sm_maps_perms(SM_VMA_WRITE | SM_VMA_SHARED, text);
	ck_assert_str_eq(text, "-w-s");
}
END_TEST

struct list {
	struct sm_vma v[64];
	size_t n, stop_after;
};

static int add(void *ctx, const struct sm_vma *v)
{
	struct list *l = ctx;

	ck_assert_uint_lt(l->n, SM_ARRAY_SIZE(l->v));
	l->v[l->n++] = *v;
	return l->n == l->stop_after ? STOP_AT : 0;
}

static int read_text(const char *text, struct list *l)
{
	int fd, ret;

	fix_put("proc/7/maps", text);
	fd = open(fix_path("proc/7/maps"), O_RDONLY | O_CLOEXEC);
	ck_assert_int_ge(fd, 0);
	ret = sm_maps_read(fd, &scratch, add, l);
	close(fd);
	return ret;
}

START_TEST(addresses_only_grow)
{
	struct list l = {.n = 0};

	ck_assert_int_eq(read_text("1000-3000 rw-p 00000000 00:00 0 \n"
				   "1000-3000 rw-p 00000000 00:00 0 \n"
				   "2000-3000 rw-p 00000000 00:00 0 \n"
				   "2000-6000 rw-p 00000000 00:00 0 \n"
				   "4000-8000 r--s 00001000 00:01 5 /f\n"
				   "8000-9000 rw-p 00000000 00:00 0 \n",
				 &l),
		0);
	ck_assert_uint_eq(l.n, 4);
	ck_assert_uint_eq(l.v[1].start, 0x3000);
	ck_assert_uint_eq(l.v[1].end, 0x6000);
	ck_assert_uint_eq(l.v[1].offset_bytes, 0);
	ck_assert_uint_eq(l.v[2].start, 0x6000);
	ck_assert_uint_eq(l.v[2].end, 0x8000);
	ck_assert_uint_eq(l.v[2].offset_bytes, 0x3000);
	ck_assert_uint_eq(l.v[3].start, 0x8000);
}
END_TEST

START_TEST(files_and_errors)
{
	struct list l = {.n = 0};

	ck_assert_int_eq(read_text("", &l), -ESRCH);
	ck_assert_int_eq(read_text("1000-3000 rw-p 0 00:00 0 \nx\n", &l), -EBADMSG);
	ck_assert_uint_eq(l.n, 1);
	l = (struct list){.stop_after = 1};
	ck_assert_int_eq(
		read_text("1000-3000 rw-p 0 0:0 0 \n4000-5000 rw-p 0 0:0 0\n", &l),
		STOP_AT);
	ck_assert_uint_eq(l.n, 1);
	ck_assert_int_eq(sm_maps_read(-1, &scratch, add, &l), -EBADF);
}
END_TEST

/* What a test looks for in its own list. */
struct wanted {
	uint64_t start, end;
	struct sm_vma v;
	char name[16384];
	size_t found, all;
	uint64_t last_end;
};

static int look(void *ctx, const struct sm_vma *v)
{
	struct wanted *w = ctx;

	w->all++;
	ck_assert_uint_ge(v->start, w->last_end);
	ck_assert_uint_gt(v->end, v->start);
	w->last_end = v->end;
	if (v->start != w->start || v->end != w->end)
		return 0;
	w->v = *v;
	ck_assert_uint_lt(v->name.n, sizeof(w->name));
	memcpy(w->name, v->name.p, v->name.n);
	w->name[v->name.n] = '\0';
	w->found++;
	return 0;
}

static void find(pid_t pid, const void *p, size_t n, struct wanted *w)
{
	char path[64];
	int fd;

	memset(w, 0, sizeof(*w));
	w->start = (uintptr_t)p;
	w->end = w->start + n;
	snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(sm_maps_read(fd, &scratch, look, w), 0);
	close(fd);
	ck_assert_uint_eq(w->found, 1);
}

static void *map(size_t n, int prot, int flags, int fd, off_t offset)
{
	void *p = mmap(NULL, n, prot, flags, fd, offset);

	ck_assert_ptr_ne(p, MAP_FAILED);
	return p;
}

/* Mapped from a file with this name in the test's directory, at offset of one page. */
static void check_file(const char *name, const char *shown, bool removed)
{
	size_t page = (size_t)getpagesize();
	char want[PATH_MAX];
	struct wanted w;
	struct stat st;
	void *p;
	int fd;

	fd = open(fix_path(name), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(ftruncate(fd, (off_t)page * 3), 0);
	ck_assert_int_eq(fstat(fd, &st), 0);
	p = map(2 * page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)page);
	close(fd);
	if (removed)
		ck_assert_int_eq(unlink(fix_path(name)), 0);
	find(getpid(), p, 2 * page, &w);
	ck_assert_uint_eq(w.v.offset_bytes, page);
	ck_assert_uint_eq(w.v.inode, st.st_ino);
	ck_assert_uint_eq(w.v.perms, SM_VMA_READ | SM_VMA_WRITE | SM_VMA_SHARED);
	snprintf(want, sizeof(want), "%s/%s", fix_dir, shown);
	ck_assert_str_eq(w.name, want);
	munmap(p, 2 * page);
}

START_TEST(own_files)
{
	check_file("plain", "plain", false);
	check_file("two  blanks ", "two  blanks ", false);
	check_file("new\nline", "new\\012line", false);
	check_file("\x1b[2J\xff\xc3", "\x1b[2J\xff\xc3", false);
	check_file("gone", "gone (deleted)", true);
	check_file("looks gone (deleted)", "looks gone (deleted)", false);
	check_file("1000-2000 rw-p 0 0:0 0", "1000-2000 rw-p 0 0:0 0", false);
}
END_TEST

START_TEST(own_anonymous)
{
	size_t page = (size_t)getpagesize();
	struct wanted w;
	char *p = map(5 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *middle = p + page;
	int fd;

	/* between pages of another kind, so that no neighbour joins it */
	ck_assert_int_eq(mprotect(middle, 3 * page, PROT_READ | PROT_WRITE), 0);
	find(getpid(), middle, 3 * page, &w);
	ck_assert_uint_eq(w.v.perms, SM_VMA_READ | SM_VMA_WRITE);
	ck_assert_uint_eq(w.v.inode, 0);
	ck_assert_str_eq(w.name, "");
	if (prctl(PR_SET_VMA, PR_SET_VMA_ANON_NAME, middle, 3 * page, "a b:c") == 0) {
		find(getpid(), middle, 3 * page, &w);
		ck_assert_str_eq(w.name, "[anon:a b:c]");
	} else {
		printf("# no names of anonymous memory here\n");
	}
	fd = memfd_create("m  n\n", MFD_CLOEXEC);
	ck_assert_int_ge(fd, 0);
	ck_assert_ptr_eq(
		mmap(middle, page, PROT_READ, MAP_PRIVATE | MAP_FIXED, fd, 0), middle);
	find(getpid(), middle, page, &w);
	ck_assert_uint_eq(w.v.perms, SM_VMA_READ);
	ck_assert_str_eq(w.name, "/memfd:m  n\\012 (deleted)");
	close(fd);
	munmap(p, 5 * page);
}
END_TEST

/* A path of about 4000 bytes, newlines in part, which the kernel writes as four bytes
 * each. */
START_TEST(path_of_4000_bytes)
{
	enum { DEPTH = 16, NAME = 249 };
	size_t page = (size_t)getpagesize(), n;
	char name[NAME + 1], cwd[PATH_MAX];
	struct wanted w;
	void *p;
	int fd;

	memset(name, 'x', NAME);
	memset(name, '\n', 100);
	name[NAME] = '\0';
	ck_assert_ptr_nonnull(getcwd(cwd, sizeof(cwd)));
	ck_assert_int_eq(chdir(fix_dir), 0);
	for (int i = 0; i < DEPTH; i++) {
		ck_assert_int_eq(mkdir(name, 0700), 0);
		ck_assert_int_eq(chdir(name), 0);
	}
	fd = open("f", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(ftruncate(fd, (off_t)page), 0);
	p = map(page, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	ck_assert_int_eq(chdir(cwd), 0);
	find(getpid(), p, page, &w);
	n = strlen(fix_dir);
	ck_assert_uint_eq(w.v.name.n, n + DEPTH * (1 + NAME + 3 * 100) + strlen("/f"));
	ck_assert_mem_eq(w.name, fix_dir, n);
	ck_assert_mem_eq(w.name + n, "/\\012\\012", 9);
	ck_assert_str_eq(w.name + w.v.name.n - 4, "xx/f");
	munmap(p, page);
}
END_TEST

/* The list of a process that exits, becomes a zombie, or executes another program. */
static pid_t start_child(int pipes[2], bool exec)
{
	char c;
	pid_t pid;

	ck_assert_int_eq(pipe2(pipes, O_CLOEXEC), 0);
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (pid == 0) {
		close(pipes[1]);
		if (read(pipes[0], &c, 1) != 0)
			_exit(1);
		if (exec) {
			dup2(pipes[0], 0);
			execl("/bin/sleep", "sleep", "1000", (char *)NULL);
		}
		_exit(0);
	}
	close(pipes[0]);
	return pid;
}

static int open_maps(pid_t pid)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	ck_assert_int_ge(fd, 0);
	return fd;
}

static int count(void *ctx, const struct sm_vma *v)
{
	(void)v;
	++*(size_t *)ctx;
	return 0;
}

START_TEST(memory_that_is_no_more)
{
	int pipes[2], fd;
	size_t n = 0;
	siginfo_t info;
	pid_t pid = start_child(pipes, false);

	fd = open_maps(pid);
	ck_assert_int_eq(sm_maps_read(fd, &scratch, count, &n), 0);
	ck_assert_uint_gt(n, 5);
	close(pipes[1]);
	ck_assert_int_eq(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
	n = 0;
	ck_assert_int_eq(sm_maps_read(fd, &scratch, count, &n), -ESRCH);
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
	ck_assert_int_eq(sm_maps_read(fd, &scratch, count, &n), -ESRCH);
	ck_assert_uint_eq(n, 0);
	close(fd);
}
END_TEST

START_TEST(another_program)
{
	int pipes[2], fd, ret = 0;
	size_t n = 0;
	pid_t pid = start_child(pipes, true);

	fd = open_maps(pid);
	ck_assert_int_eq(sm_maps_read(fd, &scratch, count, &n), 0);
	close(pipes[1]);
	while (ret == 0)
		ret = sm_maps_read(fd, &scratch, count, &n);
	ck_assert_int_eq(ret, -ESRCH);
	close(fd);
	ck_assert_int_eq(kill(pid, SIGKILL), 0);
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
}
END_TEST

/* More mappings than any buffer holds: every second page of a range is one of its own. */
START_TEST(many_mappings)
{
	enum { PAGES = 3000 }; /* valgrind is slow with more */
	size_t page = (size_t)getpagesize(), n = 0;
	char *p = map(PAGES * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct wanted w;

	for (size_t i = 1; i < PAGES; i += 2)
		ck_assert_int_eq(mprotect(p + i * page, page, PROT_READ), 0);
	find(getpid(), p + 1501 * page, page, &w);
	ck_assert_uint_ge(w.all, PAGES);
	find(getpid(), p + 1498 * page, page, &w);
	ck_assert_uint_eq(w.v.perms, 0);
	n = w.all;
	munmap(p + page, (PAGES - 2) * page);
	find(getpid(), p + (PAGES - 1) * page, page, &w);
	ck_assert_uint_lt(
		w.all, n - PAGES / 2); /* the process may have made a few others */
	munmap(p, PAGES * page);
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
	tcase_add_test(tc, lines);
	tcase_add_test(tc, lines_that_are_none);
	tcase_add_test(tc, perms_text);
	tcase_add_test(tc, addresses_only_grow);
	tcase_add_test(tc, files_and_errors);
	return tc;
}

static TCase *tc_live(void)
{
	TCase *tc = tcase_create("live");

	tcase_add_checked_fixture(tc, fix_open, teardown);
	tcase_add_test(tc, own_files);
	tcase_add_test(tc, own_anonymous);
	tcase_add_test(tc, path_of_4000_bytes);
	tcase_add_test(tc, memory_that_is_no_more);
	tcase_add_test(tc, another_program);
	tcase_add_test(tc, many_mappings);
	return tc;
}

UNIT_MAIN("maps", tc_text, tc_live)
