// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Calls and arguments are random, but no combination can do harm.  The table contains
 * no call that affects other processes, users, mounts, modules, keys, the time or
 * anything that outlives the process.  Descriptors belong to the child and are private,
 * or are invalid.  Memory that a call reads is all zero, all ones or inaccessible, and
 * no call can write to it.  A path is empty, too long or invalid.  A seccomp filter
 * kills the child if it makes any other call.
 *
 * A call may kill the child, for example with a signal, or not return.  The next child
 * continues after it.  Random choices do not depend on results, so a seed determines
 * the sequence.
 */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/signame.h"
#include "refused/box.h"
#include "refused/files.h"
#include "refused/only.h"
#include "refused/pages.h"

#define ARGS	   6
#define NAME_BYTES 24
/* A new child then starts, since descriptors and timers of earlier calls are closed with
 * the old one. */
#define CALLS_OF_CHILD 4096u
/* A call that has killed this many children is no longer made. */
#define ENDS 3u
/* First error number that is internal to the kernel.  524 is excluded, since some socket
 * options return it. */
#define FIRST_INTERNAL 512
#define LAST_INTERNAL  523
#define SPOILT_AT      1000u /* calls before the spoilt one */

/* Arguments: f a descriptor, r memory that is read, t a time limit in memory, so that no
 * call waits long, w memory that is written, s a path or a name, n a size, i a number, z
 * zero. */
struct row {
	char name[NAME_BYTES];
	char args[ARGS + 1];
	short number;
};

#define ROW(call, args)                 \
	{                               \
#call, args, SYS_##call \
	}

static const struct row table[] = {
	ROW(read, "fwn"),
	ROW(write, "frn"),
	ROW(readv, "frn"),
	ROW(writev, "frn"),
	ROW(dup, "f"),
	ROW(flock, "fi"),
	ROW(fsync, "f"),
	ROW(fdatasync, "f"),
	ROW(fchdir, "f"),
	ROW(fstatfs, "fw"),
	ROW(statfs, "sw"),
	ROW(statx, "fsiiw"),
	ROW(faccessat, "fsi"),
	ROW(readlinkat, "fswn"),
	ROW(openat, "fsii"),
	ROW(openat2, "fsrn"),
	ROW(mkdirat, "fsi"),
	ROW(unlinkat, "fsi"),
	ROW(symlinkat, "sfs"),
	ROW(renameat2, "fsfsi"),
	ROW(getdents64, "fwn"),
	ROW(fgetxattr, "fswn"),
	ROW(fsetxattr, "fsrni"),
	ROW(flistxattr, "fwn"),
	ROW(fremovexattr, "fs"),
	ROW(memfd_create, "si"),
	ROW(chdir, "s"),
	ROW(getcwd, "wn"),
	ROW(umask, "i"),
	ROW(pipe2, "wi"),
	ROW(splice, "frfrni"),
	ROW(tee, "ffni"),
	ROW(vmsplice, "frni"),
	ROW(copy_file_range, "frfrni"),
	ROW(eventfd2, "ii"),
	ROW(epoll_create1, "i"),
	ROW(epoll_ctl, "fifr"),
	ROW(epoll_pwait, "fwnzz"),
	ROW(inotify_add_watch, "fsi"),
	ROW(inotify_rm_watch, "fi"),
	ROW(signalfd4, "frni"),
	ROW(timerfd_create, "ii"),
	ROW(bind, "frn"),
	ROW(connect, "frn"),
	ROW(listen, "fi"),
	ROW(accept4, "fwri"),
	ROW(getsockname, "fwr"),
	ROW(getpeername, "fwr"),
	ROW(getsockopt, "fiiwr"),
	ROW(setsockopt, "fiirn"),
	ROW(sendto, "frnirn"),
	ROW(recvfrom, "fwniwr"),
	ROW(sendmsg, "fri"),
	ROW(recvmsg, "fri"),
	ROW(shutdown, "fi"),
	ROW(timer_create, "irw"),
	ROW(timer_delete, "i"),
	ROW(timer_getoverrun, "i"),
	ROW(getpriority, "ii"),
	ROW(sched_getaffinity, "inw"),
	ROW(sched_getattr, "iwni"),
	ROW(sched_getparam, "iw"),
	ROW(sched_getscheduler, "i"),
	ROW(sched_get_priority_max, "i"),
	ROW(sched_get_priority_min, "i"),
	ROW(getpgid, "i"),
	ROW(getsid, "i"),
	ROW(getgroups, "nw"),
	ROW(getresuid, "www"),
	ROW(getresgid, "www"),
	ROW(capget, "rw"),
	ROW(getrusage, "iw"),
	ROW(sysinfo, "w"),
	ROW(uname, "w"),
	ROW(times, "w"),
	ROW(getcpu, "www"),
	ROW(getrandom, "wni"),
	ROW(get_robust_list, "iww"),
	ROW(get_mempolicy, "wwnri"),
	ROW(mincore, "rnw"),
	ROW(rt_sigpending, "wn"),
	ROW(sigaltstack, "rw"),
	ROW(waitid, "iiwiw"),
	ROW(wait4, "iwiw"),
#ifdef __LP64__
	/* On 32-bit architectures these have other numbers or more arguments. */
	ROW(fstat, "fw"),
	ROW(lseek, "fii"),
	ROW(pread64, "fwni"),
	ROW(pwrite64, "frni"),
	ROW(ftruncate, "fn"),
	ROW(truncate, "sn"),
	ROW(fallocate, "finn"),
	ROW(fadvise64, "fnni"),
	ROW(readahead, "fin"),
	ROW(sync_file_range, "fnni"),
	ROW(sendfile, "ffrn"),
	ROW(ppoll, "rntzn"),
	ROW(pselect6, "nrrrtz"),
	ROW(rt_sigtimedwait, "rwtn"),
	ROW(futex, "rintrn"),
	ROW(nanosleep, "rw"),
	ROW(clock_nanosleep, "iirw"),
	ROW(clock_gettime, "iw"),
	ROW(clock_getres, "iw"),
	ROW(gettimeofday, "ww"),
	ROW(getitimer, "iw"),
	ROW(timer_gettime, "iw"),
	ROW(timer_settime, "iirw"),
	ROW(timerfd_gettime, "fw"),
	ROW(timerfd_settime, "firw"),
	ROW(sched_rr_get_interval, "iw"),
#endif
};
enum { ROWS = SM_ARRAY_SIZE(table) };
_Static_assert(ROWS <= ONLY_MAX, "the filter has room for each call");

enum { PER_CALL, REFUSED, PROCESSES };

static const struct stressor_metric metrics[] = {
	[PER_CALL] = {"time per call", "ns", .mean = MEAN_ARITHMETIC,
		.headline = "ns per call"},
	[REFUSED] = {"refused calls", "%", .mean = MEAN_ARITHMETIC},
	[PROCESSES] = {"processes", "", .mean = MEAN_SUM},
	{0},
};

#define BATCH 64u /* calls that are timed together */

/* Shared by the child and the instance. */
struct state {
	_Atomic uint64_t calls;
	uint64_t random, refused, processes;
	uint64_t timed, ns;	  /* number of timed calls, and their time */
	unsigned int row;	  /* row of the current call */
	unsigned char ends[ROWS]; /* number of children that each call has killed */
	struct pages pages;
	struct files files;
};

/* --- arguments ---------------------------------------------------------------------- */

static long draw_fd(const struct state *t, uint64_t random)
{
	static const int none[] = {-1, INT_MAX, INT_MIN};
	unsigned int i = (unsigned int)(random % (FILES_QUICK + SM_ARRAY_SIZE(none)));

	return i < FILES_QUICK ? t->files.fd[i] : none[i - FILES_QUICK];
}

static long draw_address(const struct state *t, uint64_t random, enum pages_use use)
{
	const struct pages *p = &t->pages;
	const char *const right[][2] = {
		[PAGES_READ] = {p->zeros, p->ones},
		[PAGES_WRITTEN] = {p->output, p->output},
		[PAGES_TEXT] = {p->zeros, p->text},
	};
	unsigned int bad = use == PAGES_WRITTEN ? PAGES_BAD : PAGES_READ_ONLY;
	unsigned int i = (unsigned int)(random % (bad + 4));

	if (i < bad)
		return (long)pages_bad(p, (enum pages_bad)i, 64, use);
	return (long)(uintptr_t)right[use][i % 2];
}

static long draw_size(const struct state *t, uint64_t random)
{
	switch (random % 8) {
	case 0:
		return 0;
	case 1:
		return -1;
	case 2:
		return (long)t->pages.page;
	case 3:
		return (long)(1ul << random / 8 % (sizeof(long) * CHAR_BIT));
	case 4:
		return (long)(random >> 48);
	default:
		return (long)(random >> 60);
	}
}

static long draw_number(uint64_t random)
{
	switch (random % 4) {
	case 0:
		return -1;
	case 1:
		return (long)(1ul << random / 4 % 32);
	case 2:
		return (int32_t)(random >> 32);
	default:
		return (long)(random >> 59);
	}
}

static long draw(struct state *t, char kind)
{
	uint64_t random = stress_random(&t->random);
	long address;

	switch (kind) {
	case 'f':
		return draw_fd(t, random);
	case 'r':
		return draw_address(t, random, PAGES_READ);
	case 't':
		address = draw_address(t, random, PAGES_READ);
		return address ? address : (long)(uintptr_t)t->pages.zeros;
	case 'w':
		return draw_address(t, random, PAGES_WRITTEN);
	case 's':
		return draw_address(t, random, PAGES_TEXT);
	case 'n':
		return draw_size(t, random);
	case 'i':
		return draw_number(random);
	default:
		return 0;
	}
}

/* --- the child ---------------------------------------------------------------------- */

static int check(struct stress *s, struct state *t, long r, int error)
{
	if (r != -1)
		return 0;
	t->refused++;
	if (error < FIRST_INTERNAL || error > LAST_INTERNAL)
		return 0;
	return stress_fail(s,
		"%s fails with error number %d, which is internal to the kernel",
		table[t->row].name, error);
}

static int one_call(struct stress *s, struct state *t)
{
	const struct row *row;
	long a[ARGS] = {0}, r;
	int error;

	t->row = (unsigned int)(stress_random(&t->random) % ROWS);
	row = &table[t->row];
	for (unsigned int i = 0; i < ARGS; i++)
		a[i] = draw(t, row->args[i]);
	if (t->ends[t->row] >= ENDS)
		return 0;
	atomic_fetch_add_explicit(&t->calls, 1, memory_order_relaxed);
	r = syscall(row->number, a[0], a[1], a[2], a[3], a[4], a[5]);
	error = s->spoil && t->calls > SPOILT_AT ? FIRST_INTERNAL : errno;
	if (check(s, t, r, error) < 0)
		return -1;
	stress_add(s, 1);
	return 0;
}

static int one_batch(struct stress *s, struct state *t)
{
	uint64_t begin_ns = sm_clock_mono_ns(), calls = t->calls;
	int r = 0;

	for (unsigned int i = 0; i < BATCH && r == 0 && stress_goes_on(s); i++)
		r = one_call(s, t);
	t->ns += sm_clock_mono_ns() - begin_ns;
	t->timed += t->calls - calls;
	return r;
}

/* Without a filter, the table alone limits the calls. */
static void enter_filter(void)
{
	short numbers[ROWS];

	for (unsigned int i = 0; i < ROWS; i++)
		numbers[i] = table[i].number;
	(void)only_calls(numbers, ROWS);
}

static int work(struct stress *s, void *data)
{
	struct state *t = data;
	int r = files_open(s, &t->files, FILES_QUICK);

	if (r == 0)
		r = pages_map(s, &t->pages);
	enter_filter();
	for (unsigned int i = 0; i < CALLS_OF_CHILD && r == 0 && stress_goes_on(s);
		i += BATCH)
		r = one_batch(s, t);
	return r;
}

/* --- the instance ------------------------------------------------------------------- */

static int judge(struct stress *s, struct state *t, uint64_t calls, int signo)
{
	char name[SM_SIGNAME_MAX];

	if (signo == SIGSYS)
		return stress_fail(s,
			"a process made a call that is not in the table, after %s",
			table[t->row].name);
	/* The child got no CPU. */
	if (atomic_load(&t->calls) == calls && signo == SIGKILL)
		return 0;
	if (atomic_load(&t->calls) == calls)
		return stress_fail(s, "a process was killed by %s without a call",
			sm_signame(signo, name));
	t->ends[t->row]++;
	return 0;
}

static void report(struct stress *s, const struct state *t)
{
	uint64_t calls = atomic_load(&t->calls);
	unsigned int out = 0;

	while (out < ROWS && t->ends[out] < ENDS)
		out++;
	if (out < ROWS)
		stress_note(s, "%s is no longer made: it killed %u processes",
			table[out].name, ENDS);
	if (t->timed)
		stress_metric(s, PER_CALL, (double)t->ns / (double)t->timed);
	if (calls)
		stress_metric(s, REFUSED, 100 * (double)t->refused / (double)calls);
	stress_metric(s, PROCESSES, (double)t->processes);
}

static int run(struct stress *s)
{
	struct state *t = box_memory(s, sizeof(*t));
	struct box b = {.work = work, .data = t, .limit = true};
	int r = 0;

	if (!t)
		return -1;
	t->random = s->seed;
	b.calls = &t->calls;
	while (r == 0 && stress_goes_on(s)) {
		uint64_t calls = atomic_load(&t->calls);

		t->processes++;
		r = box_run(s, &b);
		if (r > 0)
			r = judge(s, t, calls, r);
	}
	report(s, t);
	return r;
}

/* Remarks for the man page (man/remarks.h). */
const char stressor_sysinval_man[] =
	"metric refused calls: calls that failed\n"
	"metric processes: children that made the calls, one at a time\n"
	"The calls are about 100 that can change only the process: none of them "
	"kills, mounts, loads modules, or sets times, limits, names or file "
	"attributes.  Descriptors belong to the child or are invalid, paths name "
	"no file, and memory that a call reads is all zero, all ones or not "
	"accessible.  The child that makes the calls runs without capabilities, and a "
	"seccomp filter kills it if it makes any other call.  If a call kills the "
	"child or does not return, a new child continues; a call that does so "
	"three times is no longer made.  Runs with equal --seed make the same "
	"sequence of calls.\n"
	"The stressor is in the class pathological because it might trigger any "
	"kind of kernel defect.\n";

const struct stressor stressor_sysinval = {
	.name = "sysinval",
	.does = "make random system calls with invalid and random arguments",
	.op = "one call",
	.checks = "no call fails with an error number that is internal to the kernel",
	.classes = CLASS_OS | CLASS_PATHOLOGICAL,
	.metrics = metrics,
	.run = run,
};
