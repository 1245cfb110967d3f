// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Each call of the table has one invalid address; its other arguments are valid.  With
 * a valid address it would change nothing or only the child itself: no call of the
 * table kills, mounts, loads, renames or sets anything outside the process, and a path
 * is invalid in each call or empty.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "base/signame.h"
#include "refused/box.h"
#include "refused/files.h"
#include "refused/pages.h"

#define ARGS	   6
#define NAME_BYTES 20

/* Round, from 0, in which --spoil gives the first call a valid address. */
#define SPOILT_ROUND 1

/* Arguments that are known when the child runs; numbers of the calls are larger. */
enum {
	BAD = INT32_MIN, /* the invalid address */
	BAD_OR_NULL,	 /* the same, for calls that accept NULL */
	ZEROS,		 /* a readable page: an empty string, a time of 0 */
	OUTPUT,		 /* a writable page */
	FILE_0,		 /* and the kinds of files.h after it */
};
#define FD(kind) (FILE_0 + FILES_##kind)

struct row {
	char name[NAME_BYTES];
	short number;
	unsigned char use; /* enum pages_use */
	unsigned char
		error; /* errno that may be returned instead of EFAULT; 0: only EFAULT */
	short bytes;   /* least bytes accessed; below 8, perhaps fewer */
	int32_t args[ARGS];
};

#define ROW(call, use, bytes, error, ...)                     \
	{                                                     \
#call, SYS_##call, PAGES_##use, error, bytes, \
		{                                             \
			__VA_ARGS__                           \
		}                                             \
	}
#define SIGSET	   (_NSIG / 8)
#define CPU_BYTES  1024 /* size of a CPU set for the largest machine */
#define STATX_ALL_ 0x7ff
#define HOW_BYTES  24  /* struct open_how */
#define PRIVATE	   128 /* FUTEX_WAIT */
#define ATTR_BYTES 48  /* struct sched_attr, first version */

static const struct row table[] = {
	ROW(read, WRITTEN, 1, 0, FD(ZERO), BAD, 1),
	ROW(write, READ, 1, 0, FD(PIPE_WRITE), BAD, 1),
	ROW(readv, READ, 8, 0, FD(ZERO), BAD, 1),
	ROW(writev, READ, 8, 0, FD(PIPE_WRITE), BAD, 1),
	ROW(openat, TEXT, 8, 0, AT_FDCWD, BAD, O_RDONLY),
	ROW(openat2, READ, HOW_BYTES, 0, AT_FDCWD, ZEROS, BAD, HOW_BYTES),
	ROW(mkdirat, TEXT, 8, 0, AT_FDCWD, BAD),
	ROW(unlinkat, TEXT, 8, 0, AT_FDCWD, BAD),
	ROW(faccessat, TEXT, 8, 0, AT_FDCWD, BAD),
	ROW(fchmodat, TEXT, 8, 0, AT_FDCWD, BAD),
	ROW(fchownat, TEXT, 8, 0, AT_FDCWD, BAD, -1, -1),
	ROW(readlinkat, TEXT, 8, 0, AT_FDCWD, BAD, OUTPUT, 16),
	ROW(linkat, TEXT, 8, ENOENT, AT_FDCWD, BAD, AT_FDCWD, ZEROS),
	ROW(symlinkat, TEXT, 8, ENOENT, BAD, AT_FDCWD, ZEROS),
	ROW(renameat2, TEXT, 8, ENOENT, AT_FDCWD, BAD, AT_FDCWD, ZEROS),
	ROW(chdir, TEXT, 8, 0, BAD),
	ROW(statfs, TEXT, 8, 0, BAD, OUTPUT),
	ROW(fstatfs, WRITTEN, 64, 0, FD(MEMORY), BAD),
	ROW(statx, TEXT, 8, 0, AT_FDCWD, BAD, 0, 0, OUTPUT),
	ROW(statx, WRITTEN, 256, 0, FD(MEMORY), ZEROS, AT_EMPTY_PATH, STATX_ALL_, BAD),
	ROW(execve, TEXT, 8, 0, BAD),
	ROW(getcwd, WRITTEN, 1, ENOENT, BAD, 4096),
	ROW(fgetxattr, TEXT, 8, ERANGE, FD(MEMORY), BAD),
	ROW(fsetxattr, TEXT, 8, ERANGE, FD(MEMORY), BAD),
	ROW(fremovexattr, TEXT, 8, ERANGE, FD(MEMORY), BAD),
	ROW(memfd_create, TEXT, 8, 0, BAD),
	ROW(inotify_add_watch, TEXT, 8, 0, FD(INOTIFY), BAD, IN_ACCESS),
	ROW(ioctl, WRITTEN, 4, 0, FD(PIPE_READ), FIONREAD, BAD),
	ROW(pipe2, WRITTEN, 8, 0, BAD),
	ROW(vmsplice, READ, 8, 0, FD(PIPE_WRITE), BAD, 1),
	ROW(copy_file_range, READ, 8, 0, FD(MEMORY), BAD_OR_NULL, FD(MEMORY), 0, 1),
	ROW(socketpair, WRITTEN, 8, 0, AF_UNIX, SOCK_STREAM, 0, BAD),
	ROW(bind, READ, 16, 0, FD(SOCKET), BAD, 16),
	ROW(connect, READ, 16, 0, FD(SOCKET), BAD, 16),
	ROW(sendto, READ, 1, 0, FD(SOCKET), BAD, 1, MSG_DONTWAIT),
	ROW(sendmsg, READ, 28, 0, FD(SOCKET), BAD, MSG_DONTWAIT),
	ROW(recvmsg, READ, 28, 0, FD(SOCKET), BAD, MSG_DONTWAIT),
	ROW(getsockname, WRITTEN, 4, 0, FD(SOCKET), OUTPUT, BAD),
	ROW(getpeername, WRITTEN, 4, 0, FD(SOCKET), OUTPUT, BAD),
	ROW(getsockopt, WRITTEN, 4, 0, FD(SOCKET), SOL_SOCKET, SO_TYPE, OUTPUT, BAD),
	ROW(setsockopt, READ, 4, 0, FD(SOCKET), SOL_SOCKET, SO_REUSEADDR, BAD, 4),
	ROW(epoll_ctl, READ, 12, 0, FD(EPOLL), EPOLL_CTL_ADD, FD(PIPE_READ), BAD),
	ROW(signalfd4, READ, SIGSET, 0, -1, BAD, SIGSET),
	ROW(rt_sigprocmask, READ, SIGSET, 0, SIG_BLOCK, BAD_OR_NULL, 0, SIGSET),
	ROW(rt_sigprocmask, WRITTEN, SIGSET, 0, SIG_BLOCK, 0, BAD_OR_NULL, SIGSET),
	ROW(rt_sigpending, WRITTEN, SIGSET, 0, BAD, SIGSET),
	ROW(rt_sigaction, READ, 16, 0, SIGUSR1, BAD_OR_NULL, 0, SIGSET),
	ROW(rt_sigaction, WRITTEN, 16, 0, SIGUSR1, 0, BAD_OR_NULL, SIGSET),
	ROW(rt_sigsuspend, READ, SIGSET, 0, BAD, SIGSET),
	ROW(sigaltstack, READ, 12, 0, BAD_OR_NULL),
	ROW(sigaltstack, WRITTEN, 12, 0, 0, BAD_OR_NULL),
	ROW(uname, WRITTEN, 390, 0, BAD),
	ROW(sysinfo, WRITTEN, 64, 0, BAD),
	ROW(times, WRITTEN, 16, 0, BAD_OR_NULL),
	ROW(getrusage, WRITTEN, 72, 0, RUSAGE_SELF, BAD),
	ROW(prlimit64, READ, 16, 0, 0, RLIMIT_NOFILE, BAD_OR_NULL),
	ROW(prlimit64, WRITTEN, 16, 0, 0, RLIMIT_NOFILE, 0, BAD_OR_NULL),
	ROW(getresuid, WRITTEN, 2, 0, BAD, OUTPUT, OUTPUT),
	ROW(getresgid, WRITTEN, 2, 0, OUTPUT, OUTPUT, BAD),
	ROW(capget, READ, 4, 0, BAD, OUTPUT),
	ROW(prctl, WRITTEN, 16, 0, PR_GET_NAME, BAD),
	ROW(prctl, TEXT, 8, 0, PR_SET_NAME, BAD),
	ROW(prctl, WRITTEN, 4, 0, PR_GET_PDEATHSIG, BAD),
	ROW(seccomp, READ, 4, EINVAL, SECCOMP_GET_ACTION_AVAIL, 0, BAD),
	ROW(getrandom, WRITTEN, 1, 0, BAD, 1),
	ROW(getcpu, WRITTEN, 4, 0, BAD_OR_NULL),
	ROW(get_mempolicy, WRITTEN, 4, 0, BAD_OR_NULL),
	ROW(mincore, WRITTEN, 1, 0, ZEROS, 1, BAD),
	ROW(timer_create, READ, 32, 0, CLOCK_MONOTONIC, BAD_OR_NULL, OUTPUT),
	ROW(timer_create, WRITTEN, 4, 0, CLOCK_MONOTONIC, 0, BAD),
	ROW(get_robust_list, WRITTEN, 4, 0, 0, BAD, OUTPUT),
	/* EINVAL: for NULL. */
	ROW(sched_getparam, WRITTEN, 4, EINVAL, 0, BAD),
	ROW(sched_setparam, READ, 4, EINVAL, 0, BAD),
	ROW(sched_setscheduler, READ, 4, EINVAL, 0, SCHED_OTHER, BAD),
	ROW(sched_getattr, WRITTEN, ATTR_BYTES, EINVAL, 0, BAD, ATTR_BYTES),
	ROW(sched_setattr, READ, ATTR_BYTES, EINVAL, 0, BAD),
	ROW(sched_getaffinity, WRITTEN, 4, 0, 0, CPU_BYTES, BAD),
	ROW(sched_setaffinity, READ, 8, 0, 0, 8, BAD),
#ifdef __LP64__
	/* On 32-bit architectures these have other numbers, sizes or more arguments. */
	ROW(pread64, WRITTEN, 1, 0, FD(MEMORY), BAD, 1),
	ROW(pwrite64, READ, 1, 0, FD(MEMORY), BAD, 1),
	ROW(truncate, TEXT, 8, 0, BAD),
	ROW(fcntl, READ, 32, 0, FD(MEMORY), F_GETLK, BAD),
	ROW(utimensat, READ, 32, 0, FD(MEMORY), 0, BAD_OR_NULL),
	ROW(ppoll, READ, 8, 0, BAD, 1, ZEROS, 0, SIGSET),
	ROW(pselect6, WRITTEN, 8, 0, 1, BAD_OR_NULL, 0, 0, ZEROS),
	ROW(recvmmsg, READ, 64, 0, FD(SOCKET), BAD, 1, MSG_DONTWAIT),
	ROW(sendmmsg, READ, 64, 0, FD(SOCKET), BAD, 1, MSG_DONTWAIT),
	ROW(rt_sigtimedwait, READ, SIGSET, 0, BAD, 0, ZEROS, SIGSET),
	ROW(futex, READ, 4, 0, BAD, PRIVATE, 1),
	ROW(nanosleep, READ, 16, 0, BAD),
	ROW(clock_nanosleep, READ, 16, 0, CLOCK_MONOTONIC, 0, BAD),
	ROW(clock_gettime, WRITTEN, 16, 0, CLOCK_MONOTONIC, BAD),
	ROW(clock_getres, WRITTEN, 16, 0, CLOCK_MONOTONIC, BAD_OR_NULL),
	ROW(gettimeofday, WRITTEN, 16, 0, BAD_OR_NULL),
	ROW(getitimer, WRITTEN, 32, 0, ITIMER_REAL, BAD),
	ROW(setitimer, READ, 32, 0, ITIMER_REAL, BAD_OR_NULL),
	ROW(timerfd_gettime, WRITTEN, 32, 0, FD(TIMER), BAD),
	ROW(timerfd_settime, READ, 32, 0, FD(TIMER), 0, BAD),
#endif
};
enum { ROWS = SM_ARRAY_SIZE(table) };

enum { PER_CALL, WORKED };

static const struct stressor_metric metrics[] = {
	[PER_CALL] = {"time per call", "ns", .mean = MEAN_ARITHMETIC,
		.headline = "ns per call"},
	[WORKED] = {"calls", "", .mean = MEAN_MIN},
	{0},
};

/* Shared by the child and the instance. */
struct state {
	_Atomic uint64_t calls;
	uint64_t rounds, ns;
	unsigned int row;	 /* row of the current call */
	enum pages_bad kind;	 /* kind of its address */
	unsigned char out[ROWS]; /* errno because of which a row is omitted, or 0 */
	struct pages pages;
	struct files files;
};

/* --- a call ------------------------------------------------------------------------- */

static long value_of(const struct state *t, int32_t arg, uintptr_t bad)
{
	if (arg == BAD || arg == BAD_OR_NULL)
		return (long)bad;
	if (arg == ZEROS)
		return (long)(uintptr_t)t->pages.zeros;
	if (arg == OUTPUT)
		return (long)(uintptr_t)t->pages.output;
	if (arg >= FILE_0 && arg < FILE_0 + FILES_KINDS)
		return t->files.fd[arg - FILE_0];
	return arg;
}

static long call(struct state *t, uintptr_t bad)
{
	const struct row *row = &table[t->row];
	long a[ARGS] = {0};

	for (unsigned int i = 0; i < ARGS; i++)
		a[i] = value_of(t, row->args[i], bad);
	atomic_fetch_add_explicit(&t->calls, 1, memory_order_relaxed);
	return syscall(row->number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

static bool is_bad_for(const struct row *row, enum pages_bad kind)
{
	if (kind == PAGES_READ_ONLY)
		return row->use == PAGES_WRITTEN;
	for (unsigned int i = 0; i < ARGS; i++)
		if (row->args[i] == BAD_OR_NULL)
			return kind != PAGES_NULL;
	return true;
}

/* Returns whether this machine lacks the file. */
static bool lacks_file(const struct state *t, const struct row *row)
{
	for (unsigned int i = 0; i < ARGS; i++)
		if (row->args[i] >= FILE_0 && row->args[i] < FILE_0 + FILES_KINDS &&
			t->files.fd[row->args[i] - FILE_0] < 0)
			return true;
	return false;
}

static int check(struct stress *s, struct state *t, long r, int error)
{
	const struct row *row = &table[t->row];

	if (r == -1 && (error == EFAULT || error == row->error))
		return 0;
	/* The kernel has no such call, or a seccomp filter forbids it. */
	if (r == -1 && t->rounds == 0 &&
		(error == ENOSYS || error == EPERM || error == EOPNOTSUPP)) {
		t->out[t->row] = (unsigned char)error;
		return 0;
	}
	if (r == -1)
		return stress_error(s, STRESS_FAIL, error, "%s with %s", row->name,
			pages_names[t->kind]);
	return stress_fail(
		s, "%s with %s returns %ld", row->name, pages_names[t->kind], r);
}

static int one_call(struct stress *s, struct state *t)
{
	const struct row *row = &table[t->row];
	uintptr_t bad = pages_bad(
		&t->pages, t->kind, (size_t)row->bytes, (enum pages_use)row->use);
	long r;

	if (s->spoil && t->rounds == SPOILT_ROUND && t->row == 0)
		bad = (uintptr_t)t->pages.output;
	r = call(t, bad);
	if (check(s, t, r, errno) < 0)
		return -1;
	stress_add(s, 1);
	return 0;
}

/* --- the child ---------------------------------------------------------------------- */

static int one_row(struct stress *s, struct state *t)
{
	const struct row *row = &table[t->row];
	int r = 0;

	if (t->rounds == 0 && lacks_file(t, row))
		t->out[t->row] = ENOENT;
	for (unsigned int i = 0; i < PAGES_BAD && r == 0; i++) {
		t->kind = (enum pages_bad)i;
		if (!t->out[t->row] && is_bad_for(row, t->kind) && stress_goes_on(s))
			r = one_call(s, t);
	}
	return r;
}

static int one_round(struct stress *s, struct state *t)
{
	uint64_t begin_ns = sm_clock_mono_ns();
	int r = 0;

	for (unsigned int i = 0; i < ROWS && r == 0 && stress_goes_on(s); i++) {
		t->row = i;
		r = one_row(s, t);
	}
	t->ns += sm_clock_mono_ns() - begin_ns;
	t->rounds++;
	return r;
}

static int work(struct stress *s, void *data)
{
	struct state *t = data;
	int r = files_open(s, &t->files, FILES_KINDS);

	if (r == 0)
		r = pages_map(s, &t->pages);
	while (r == 0 && stress_goes_on(s))
		r = one_round(s, t);
	return r;
}

/* --- the instance ------------------------------------------------------------------- */

static void report(struct stress *s, const struct state *t)
{
	uint64_t ops = atomic_load(&s->slot->ops);
	unsigned int out = 0, first = 0;

	for (unsigned int i = ROWS; i-- > 0;)
		if (t->out[i]) {
			first = i;
			out++;
		}
	if (ops)
		stress_metric(s, PER_CALL, (double)t->ns / (double)ops);
	stress_metric(s, WORKED, ROWS - out);
	if (out)
		stress_note(s, "%u left out: %s (%s)%s", out, table[first].name,
			strerror(t->out[first]), out > 1 ? " and others" : "");
}

static int run(struct stress *s)
{
	struct state *t = box_memory(s, sizeof(*t));
	struct box b = {.work = work, .data = t};
	char name[SM_SIGNAME_MAX];
	int r;

	if (!t)
		return -1;
	b.calls = &t->calls;
	r = box_run(s, &b);
	if (r > 0)
		return stress_fail(s, "%s with %s killed its process with %s",
			table[t->row].name, pages_names[t->kind], sm_signame(r, name));
	report(s, t);
	return r;
}

/* Remarks for the man page (man/remarks.h). */
const char stressor_sysbadaddr_man[] =
	"metric calls: calls, of about 100, that this kernel has and permits\n"
	"The addresses are: NULL, where it is without special meaning; in a page "
	"without access; in an unmapped page; in the kernel's part of the address "
	"space; such that half of a structure is accessible; and, for data that "
	"the kernel writes, in a read-only page.  Calls that would affect more "
	"than the process if the address were valid, such as clock_settime(2) or "
	"mount(2), are not made.  A child process makes the calls.\n";

const struct stressor stressor_sysbadaddr = {
	.name = "sysbadaddr",
	.does = "make system calls with invalid addresses",
	.op = "one call",
	.checks = "each call fails with EFAULT, or another errno that is documented "
		  "for it, and does not kill the process",
	.classes = CLASS_OS,
	.metrics = metrics,
	.run = run,
};
