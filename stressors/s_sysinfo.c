// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Two calls that return the same information must agree.  A value that can change in
 * the meantime is read before and after the other call, which must return a value
 * between the two.  Values without an order, such as names, are not compared if they
 * have changed.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/times.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/parse.h"
#include "procfs/text.h"
#include "run/parts.h"

#define ROOT_DIR	    "/"
#define MEMINFO_BYTES	    1024 /* MemTotal is the first line */
#define NAME_BYTES	    256
#define THIS_PERSONALITY    0xffffffff
#define UNAME26_PERSONALITY 0x0020000

/* Options of sysfs(2). */
enum { FS_INDEX = 1, FS_NAME = 2, FS_COUNT = 3 };

struct state {
	struct parts parts;
	struct sm_root root; /* without /proc, calls are compared only with one another */
};

static struct state *state_of(const struct parts *p)
{
	return p->s->data;
}

static ssize_t read_proc(const struct parts *p, const char *path, char *buf, size_t cap)
{
	return procfs_text(&state_of(p)->root, path, buf, cap);
}

/* --- sysinfo(2) --------------------------------------------------------------------- */

/* Parses "KEY:   NUMBER kB"; returns bytes. */
static bool find_kb(const char *text, size_t n, const char *key, uint64_t *bytes)
{
	struct sm_str value;

	if (!procfs_line(text, n, key, &value) ||
		!sm_parse_u64(&value.p, value.p + value.n, bytes))
		return false;
	*bytes <<= 10;
	return true;
}

static int check_total(struct parts *p, const struct sysinfo *before,
	const struct sysinfo *after, uint64_t total)
{
	if (before->totalram != after->totalram || before->mem_unit != after->mem_unit)
		return 0;
	if ((uint64_t)before->totalram * before->mem_unit == total)
		return 0;
	return parts_wrong(p, "%llu bytes of memory; MemTotal is %llu",
		(unsigned long long)before->totalram * before->mem_unit,
		(unsigned long long)total);
}

static int check_parts_of_memory(struct parts *p, const struct sysinfo *i)
{
	if (!i->mem_unit || !i->totalram || !i->procs)
		return parts_wrong(
			p, "memory, its unit or the number of processes is zero");
	if (i->freeram > i->totalram || i->bufferram > i->totalram ||
		i->sharedram > i->totalram || i->freeswap > i->totalswap)
		return parts_wrong(p, "a part of memory is larger than the total");
	return 0;
}

/* The value is in seconds since boot, rounded up. */
static int check_uptime(struct parts *p, long uptime, const struct timespec *before,
	const struct timespec *after)
{
	if (uptime >= before->tv_sec && uptime <= after->tv_sec + 1)
		return 0;
	return parts_wrong(p, "%ld s since boot; CLOCK_BOOTTIME is %lld to %lld", uptime,
		(long long)before->tv_sec, (long long)after->tv_sec);
}

static int check_sysinfo(struct parts *p)
{
	struct timespec since, until;
	struct sysinfo before, after;
	char text[MEMINFO_BYTES];
	uint64_t total;
	ssize_t n;
	int r;

	if (clock_gettime(CLOCK_BOOTTIME, &since) < 0 || sysinfo(&before) < 0 ||
		clock_gettime(CLOCK_BOOTTIME, &until) < 0)
		return -errno;
	n = read_proc(p, "meminfo", text, sizeof(text));
	if (sysinfo(&after) < 0)
		return -errno;
	if (parts_spoil(p))
		before.totalram = ++after.totalram;
	r = check_parts_of_memory(p, &before);
	if (!r)
		r = check_uptime(p, before.uptime, &since, &until);
	if (r || n == -ENOENT)
		return r;
	if (n < 0)
		return (int)n;
	if (!find_kb(text, (size_t)n, "MemTotal:", &total))
		return parts_wrong(p, "/proc has no MemTotal");
	return check_total(p, &before, &after, total);
}

/* --- names -------------------------------------------------------------------------- */

/* Compares with a file that consists of one line. */
static int check_line(struct parts *p, const char *path, const char *want)
{
	char text[NAME_BYTES];
	ssize_t n = read_proc(p, path, text, sizeof(text));

	if (n < 0)
		return n == -ENOENT ? 0 : (int)n;
	text[strcspn(text, "\n")] = '\0';
	return strcmp(text, want) == 0
		       ? 0
		       : parts_wrong(p, "/proc has the name '%.64s' instead of '%.64s'",
				 text, want);
}

static int check_names(struct parts *p, const struct utsname *u)
{
	bool is_26 = personality(THIS_PERSONALITY) & UNAME26_PERSONALITY;
	int r = check_line(p, "sys/kernel/ostype", u->sysname);

	if (!r)
		r = check_line(p, "sys/kernel/hostname", u->nodename);
	if (!r && !is_26)
		r = check_line(p, "sys/kernel/osrelease", u->release);
	return r ? r : check_line(p, "sys/kernel/version", u->version);
}

static int check_uname(struct parts *p)
{
	struct utsname before, after;
	char host[sizeof(before.nodename)];
	int r;

	memset(&before, 0, sizeof(before));
	memset(&after, 0, sizeof(after));
	if (uname(&before) < 0 || gethostname(host, sizeof(host)) < 0)
		return -errno;
	r = check_names(p, &before);
	if (uname(&after) < 0)
		return -errno;
	if (memcmp(&before, &after, sizeof(before)) != 0)
		return 0;
	if (!r && strcmp(host, before.nodename) != 0)
		r = parts_wrong(p, "gethostname gives '%.64s' instead of '%.64s'", host,
			before.nodename);
	return r;
}

/* --- file systems ------------------------------------------------------------------- */

static bool same_file_system(const struct statfs *a, const struct statfs *b)
{
	return a->f_type == b->f_type && a->f_bsize == b->f_bsize &&
	       a->f_blocks == b->f_blocks && a->f_namelen == b->f_namelen &&
	       memcmp(&a->f_fsid, &b->f_fsid, sizeof(a->f_fsid)) == 0;
}

/* Compares the results for a name and for a descriptor. */
static int check_statfs(struct parts *p)
{
	int fd = open(ROOT_DIR, O_PATH | O_DIRECTORY | O_CLOEXEC), err;
	struct statfs before, by_fd, after;
	bool known;

	if (fd < 0)
		return -errno;
	known = statfs(ROOT_DIR, &before) == 0 && fstatfs(fd, &by_fd) == 0 &&
		statfs(ROOT_DIR, &after) == 0;
	err = -errno;
	close(fd);
	if (!known)
		return err;
	if (before.f_bfree > before.f_blocks)
		return parts_wrong(p, "more blocks are free than there are");
	if (same_file_system(&before, &after) && !same_file_system(&before, &by_fd))
		return parts_wrong(p, "statfs and fstatfs differ");
	return 0;
}

static int check_statvfs(struct parts *p)
{
	struct statfs before, after;
	struct statvfs v;

	if (statfs(ROOT_DIR, &before) < 0 || statvfs(ROOT_DIR, &v) < 0 ||
		statfs(ROOT_DIR, &after) < 0)
		return -errno;
	if (!same_file_system(&before, &after))
		return 0;
	if (v.f_bsize != (unsigned long)before.f_bsize || v.f_blocks != before.f_blocks ||
		v.f_namemax != (unsigned long)before.f_namelen)
		return parts_wrong(p, "statfs and statvfs differ");
	return 0;
}

/* The number of free blocks can change at any time, even back and forth between two
 * calls; here it has 32 bits. */
static int check_ustat(struct parts *p)
{
#ifdef SYS_ustat
	struct {
		int tfree;
		unsigned long tinode;
		char fname[6], fpack[6];
	} u;
	struct statfs fs;
	struct stat st;

	if (stat(ROOT_DIR, &st) < 0 ||
		syscall(SYS_ustat, (unsigned int)st.st_dev, &u) < 0 ||
		statfs(ROOT_DIR, &fs) < 0)
		return -errno;
	if (fs.f_blocks <= UINT32_MAX && (uint32_t)u.tfree > fs.f_blocks)
		return parts_wrong(p, "%u blocks of %llu are free", (uint32_t)u.tfree,
			(unsigned long long)fs.f_blocks);
	return 0;
#else
	(void)p;
	return -ENOSYS;
#endif
}

/* Each file system type has a number, its index. */
static int check_sysfs(struct parts *p)
{
#ifdef SYS_sysfs
	char name[NAME_BYTES];
	long n = syscall(SYS_sysfs, FS_COUNT);

	if (n < 0)
		return -errno;
	for (long i = 0; i < n; i++) {
		long r;

		/* A module was removed. */
		if (syscall(SYS_sysfs, FS_NAME, i, name) < 0)
			return errno == EINVAL ? 0 : -errno;
		r = syscall(SYS_sysfs, FS_INDEX, name);
		if (r != i && syscall(SYS_sysfs, FS_COUNT) == n)
			return parts_wrong(
				p, "type %.32s has numbers %ld and %ld", name, i, r);
	}
	return 0;
#else
	(void)p;
	return -ENOSYS;
#endif
}

/* --- this process ------------------------------------------------------------------- */

static int check_limit(struct parts *p, int resource)
{
	struct rlimit one, other;

	if (getrlimit(resource, &one) < 0 || prlimit(0, resource, NULL, &other) < 0)
		return -errno;
	if (one.rlim_cur != other.rlim_cur || one.rlim_max != other.rlim_max)
		return parts_wrong(
			p, "getrlimit and prlimit differ for resource %d", resource);
	if (one.rlim_cur > one.rlim_max)
		return parts_wrong(
			p, "resource %d has a soft limit above the hard one", resource);
	return 0;
}

static int check_limits(struct parts *p)
{
	int r = 0;

	for (int i = 0; i < RLIM_NLIMITS && !r; i++)
		r = check_limit(p, i);
	return r;
}

static bool is_before(struct timeval a, struct timeval b)
{
	return a.tv_sec < b.tv_sec || (a.tv_sec == b.tv_sec && a.tv_usec <= b.tv_usec);
}

/* Counts and times of a process only grow; this one has one thread. */
static int check_usage(struct parts *p)
{
	struct rusage before, thread, after;

	if (getrusage(RUSAGE_SELF, &before) < 0 ||
		getrusage(RUSAGE_THREAD, &thread) < 0 ||
		getrusage(RUSAGE_SELF, &after) < 0)
		return -errno;
	if (before.ru_minflt > after.ru_minflt || before.ru_majflt > after.ru_majflt ||
		before.ru_nvcsw > after.ru_nvcsw || before.ru_nivcsw > after.ru_nivcsw ||
		before.ru_maxrss > after.ru_maxrss ||
		!is_before(before.ru_utime, after.ru_utime) ||
		!is_before(before.ru_stime, after.ru_stime))
		return parts_wrong(p, "a count or a time has decreased");
	if (thread.ru_minflt > after.ru_minflt || thread.ru_nvcsw > after.ru_nvcsw)
		return parts_wrong(p, "a thread has more than its process");
	if (after.ru_maxrss <= 0)
		return parts_wrong(p, "no memory is used");
	return 0;
}

static int64_t ticks(struct timeval t, int64_t more_us, int64_t hz)
{
	return ((int64_t)t.tv_sec * 1000000 + t.tv_usec + more_us) * hz / 1000000;
}

/* Compares clock ticks with the microseconds from getrusage(2). */
static int check_time(struct parts *p, const char *what, struct timeval before,
	clock_t got, struct timeval after)
{
	int64_t hz = sysconf(_SC_CLK_TCK), low = ticks(before, 0, hz),
		high = ticks(after, 1, hz);

	if (got >= low && got <= high)
		return 0;
	return parts_wrong(p, "%lld ticks of %s time; getrusage has %lld to %lld",
		(long long)got, what, (long long)low, (long long)high);
}

static int check_times(struct parts *p)
{
	struct rusage before, after;
	struct tms t = {.tms_utime = -1, .tms_stime = -1};
	int r;

	if (getrusage(RUSAGE_SELF, &before) < 0)
		return -errno;
	if (times(&t) == (clock_t)-1 || getrusage(RUSAGE_SELF, &after) < 0)
		return -errno;
	r = check_time(p, "user", before.ru_utime, t.tms_utime, after.ru_utime);
	return r ? r
		 : check_time(p, "system", before.ru_stime, t.tms_stime, after.ru_stime);
}

/* EINVAL (ustat(2)): a file system whose files have other device numbers than itself. */
static const struct part table[] = {
	{"sysinfo", check_sysinfo, .absent = {0}},
	{"uname", check_uname, .absent = {0}},
	{"statfs", check_statfs, .absent = {0}},
	{"statvfs", check_statvfs, .absent = {0}},
	{"ustat", check_ustat, .absent = {EINVAL, EPERM}},
	{"sysfs", check_sysfs, .absent = {EPERM}},
	{"getrlimit", check_limits, .absent = {0}},
	{"getrusage", check_usage, .absent = {0}},
	{"times", check_times, .absent = {0}},
	{0},
};

static int run(struct stress *s)
{
	struct state *t = s->data;

	return parts_run(&t->parts);
}

static int setup(struct stress *s)
{
	struct state *t = s->data;
	int r = sm_root_open(&t->root, NULL);

	if (r < 0 && stress_is_lack(-r))
		return stress_error(s, STRESS_FAIL, -r, "/proc");
	parts_init(&t->parts, s, table);
	return 0;
}

/* Remarks for the man page (man/remarks.h). */
const char stressor_sysinfo_man[] =
	"metric time per part: one call with its comparison\n"
	"metric parts: calls that work on this machine\n"
	"Values that can change in the meantime are compared with values from "
	"before and after the call.  Files in /proc that do not come from the "
	"kernel, as in some containers, are not compared.\n";

const struct stressor stressor_sysinfo = {
	.name = "sysinfo",
	.does = "read the state of the system and of the process with system calls",
	.op = "one round of all calls",
	.checks = "the calls agree with one another and with /proc on memory, "
		  "uptime, names, file systems, limits, CPU times and counts",
	.classes = CLASS_OS,
	.metrics = parts_metrics,
	.state = sizeof(struct state),
	.setup = setup,
	.run = run,
};
