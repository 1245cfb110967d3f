// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Attributes that a process reads of itself: calls that return the same attribute must
 * agree with one another, and with /proc/self/status if it comes from the kernel.
 */
#include <errno.h>
#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timex.h>
#include <unistd.h>

#include "base/parse.h"
#include "procfs/text.h"
#include "run/parts.h"

#define STATUS_BYTES 8192
#define PATH_BYTES   4096
#define GROUPS	     65536 /* NGROUPS_MAX of Linux */
#define OTHER_UMASK  0123
#define NAME_BYTES   16
#define NO_ID	     ((unsigned int)-1)

struct state {
	struct parts parts;
	struct sm_root root; /* without /proc, calls are compared only with one another */
	pid_t parent;
	char status[STATUS_BYTES];
	char path[PATH_BYTES], later[PATH_BYTES]; /* path of the working directory */
	gid_t groups[GROUPS];
};

static struct state *state_of(const struct parts *p)
{
	return p->s->data;
}

/* Reads a line of /proc/self/status.  Returns 1 if it exists, 0 if not, or -errno. */
static int read_status(const struct parts *p, const char *key, struct sm_str *value)
{
	struct state *t = state_of(p);
	ssize_t n = procfs_text(&t->root, "self/status", t->status, sizeof(t->status));

	if (n < 0)
		return n == -ENOENT ? 0 : (int)n;
	return procfs_line(t->status, (size_t)n, key, value);
}

/* Checks a number in /proc/self/status; base is that of strtoull(3). */
static int check_number(struct parts *p, const char *key, int base, uint64_t want)
{
	struct sm_str value;
	int r = read_status(p, key, &value);
	uint64_t got;

	if (r <= 0)
		return r;
	got = strtoull(value.p, NULL, base);
	if (got == want)
		return 0;
	return parts_wrong(p, "%#llx; /proc/self/status has %s %#llx",
		(unsigned long long)want, key, (unsigned long long)got);
}

static int check_equal(struct parts *p, const char *call, long got, long want)
{
	return got == want
		       ? 0
		       : parts_wrong(p, "%s gives %ld instead of %ld", call, got, want);
}

/* --- numbers of processes ----------------------------------------------------------- */

/* An instance has one thread. */
static int get_pid(struct parts *p)
{
	int r = check_equal(p, "the system call", syscall(SYS_getpid), getpid());

	return r ? r : check_equal(p, "gettid", syscall(SYS_gettid), getpid());
}

static int get_ppid(struct parts *p)
{
	return check_equal(p, "getppid", getppid(), state_of(p)->parent);
}

static int get_pgid(struct parts *p)
{
	int r = check_equal(p, "getpgid", getpgid(0), getpgrp());

	return r ? r
		 : check_equal(p, "getpgid of its number", getpgid(getpid()), getpgrp());
}

static int get_sid(struct parts *p)
{
	return check_equal(p, "getsid", getsid(getpid()), getsid(0));
}

/* --- users -------------------------------------------------------------------------- */

/* "REAL EFFECTIVE SAVED ..." */
static int check_ids(struct parts *p, const char *key, const unsigned int id[3])
{
	struct sm_str value;
	int r = read_status(p, key, &value);

	if (r <= 0)
		return r;
	for (unsigned int i = 0; i < 3; i++) {
		uint64_t got;

		sm_parse_skip_blanks(&value.p, value.p + value.n);
		if (!sm_parse_u64(&value.p, state_of(p)->status + STATUS_BYTES, &got) ||
			got != id[i])
			return parts_wrong(p,
				"id %u is %u; /proc/self/status has a different one", i,
				id[i]);
	}
	return 0;
}

static int get_uid(struct parts *p)
{
	uid_t id[3] = {NO_ID, NO_ID, NO_ID};
	int r;

	if (getresuid(&id[0], &id[1], &id[2]) < 0)
		return -errno;
	r = check_equal(p, "getuid", getuid(), id[0]);
	if (!r)
		r = check_equal(p, "geteuid", geteuid(), id[1]);
	return r ? r : check_ids(p, "Uid:", id);
}

static int get_gid(struct parts *p)
{
	gid_t id[3] = {NO_ID, NO_ID, NO_ID};
	int r;

	if (getresgid(&id[0], &id[1], &id[2]) < 0)
		return -errno;
	r = check_equal(p, "getgid", getgid(), id[0]);
	if (!r)
		r = check_equal(p, "getegid", getegid(), id[1]);
	return r ? r : check_ids(p, "Gid:", id);
}

/* A size that is one too small is rejected. */
static int get_groups(struct parts *p)
{
	struct state *t = state_of(p);
	int n = getgroups(0, NULL);

	if (n < 0)
		return -errno;
	if (n > 1) {
		int r = parts_refused(
			p, getgroups(n - 1, t->groups), EINVAL, "getgroups, too small");

		if (r)
			return r;
	}
	return check_equal(p, "getgroups", getgroups(GROUPS, t->groups), n);
}

/* --- privileges --------------------------------------------------------------------- */

static int get_caps(struct parts *p)
{
	struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct set[_LINUX_CAPABILITY_U32S_3] = {0};
	uint64_t effective;

	if (syscall(SYS_capget, &head, set) < 0)
		return -errno;
	effective = (uint64_t)set[1].effective << 32 | set[0].effective;
	if (parts_spoil(p))
		effective ^= 1;
	return check_number(p, "CapEff:", 16, effective);
}

/* Bit i - 1 is signal i.  The signals that the C library reserves are never blocked. */
static int get_signals(struct parts *p)
{
	uint64_t blocked = 0;
	sigset_t set;

	if (sigprocmask(SIG_BLOCK, NULL, &set) < 0)
		return -errno;
	for (int i = 1; i <= 64; i++)
		if (sigismember(&set, i) == 1)
			blocked |= UINT64_C(1) << (i - 1);
	return check_number(p, "SigBlk:", 16, blocked);
}

static int get_umask(struct parts *p)
{
	mode_t was = umask(OTHER_UMASK);
	int r = check_number(p, "Umask:", 8, OTHER_UMASK);
	mode_t other = umask(was);

	return r ? r : check_equal(p, "umask", (long)other, OTHER_UMASK);
}

static int get_name(struct parts *p)
{
	char name[NAME_BYTES + 1] = "";
	struct sm_str value;
	int r;

	if (prctl(PR_GET_NAME, name) < 0)
		return -errno;
	r = read_status(p, "Name:", &value);
	if (r <= 0)
		return r;
	return sm_parse_eq(value, name)
		       ? 0
		       : parts_wrong(p, "'%s'; /proc/self/status has '%.*s'", name,
				 (int)value.n, value.p);
}

/* --- working directory and CPU ------------------------------------------------------ */

static int compare_cwd(struct parts *p)
{
	struct state *t = state_of(p);
	struct stat by_name, here;

	if (syscall(SYS_getcwd, t->path, sizeof(t->path)) < 0 || stat(".", &here) < 0 ||
		stat(t->path, &by_name) < 0 ||
		syscall(SYS_getcwd, t->later, sizeof(t->later)) < 0)
		return -errno;
	if ((by_name.st_dev != here.st_dev || by_name.st_ino != here.st_ino) &&
		strcmp(t->path, t->later) == 0)
		return parts_wrong(p, "'%.100s' is a different directory", t->path);
	return parts_refused(
		p, syscall(SYS_getcwd, t->path, 1), ERANGE, "a small buffer");
}

/* The directory may be renamed or removed in the meantime. */
static int get_cwd(struct parts *p)
{
	int r = compare_cwd(p);

	return r == -ENOENT && p->rounds > 0 ? 0 : r;
}

/* The CPU must be one that the process may use, unless these change in the meantime. */
static int get_cpu(struct parts *p)
{
	cpu_set_t before, after;
	unsigned int cpu, node;

	if (sched_getaffinity(0, sizeof(before), &before) < 0 ||
		syscall(SYS_getcpu, &cpu, &node, NULL) < 0 ||
		sched_getaffinity(0, sizeof(after), &after) < 0)
		return -errno;
	if (CPU_EQUAL(&before, &after) && !CPU_ISSET(cpu, &before))
		return parts_wrong(p, "CPU %u, which the process may not use", cpu);
	return 0;
}

/* --- scheduling --------------------------------------------------------------------- */

/* The first version of struct sched_attr (sched_setattr(2)). */
struct attr {
	uint32_t size, policy;
	uint64_t flags;
	int32_t nice;
	uint32_t priority;
	uint64_t runtime, deadline, period;
};

/* No comparison is made if another program changes the values. */
static int get_scheduling(struct parts *p)
{
	struct attr before = {.size = sizeof(before)}, after = before;
	struct sched_param param;
	int policy, nice;

	if (syscall(SYS_sched_getattr, 0, &before, sizeof(before), 0) < 0)
		return -errno;
	policy = sched_getscheduler(0);
	errno = 0;
	nice = getpriority(PRIO_PROCESS, 0);
	if (policy < 0 || (nice == -1 && errno) || sched_getparam(0, &param) < 0)
		return -errno;
	if (syscall(SYS_sched_getattr, 0, &after, sizeof(after), 0) < 0)
		return -errno;
	if (before.policy != after.policy || before.nice != after.nice ||
		before.priority != after.priority)
		return 0;
	if ((uint32_t)(policy & ~SCHED_RESET_ON_FORK) != before.policy ||
		param.sched_priority != (int)before.priority)
		return parts_wrong(p,
			"policy %d, priority %d; sched_getattr returns %u, %u", policy,
			param.sched_priority, before.policy, before.priority);
	/* Other policies also have a nice value, but sched_getattr does not return it. */
	if ((before.policy == SCHED_OTHER || before.policy == SCHED_BATCH) &&
		nice != before.nice)
		return parts_wrong(
			p, "nice %d; sched_getattr returns %d", nice, before.nice);
	return 0;
}

/* --- time --------------------------------------------------------------------------- */

static uint64_t ns_of(struct timespec t)
{
	return (uint64_t)t.tv_sec * SM_NSEC_PER_SEC + (uint64_t)t.tv_nsec;
}

/* The library calls the vDSO, which must agree with the kernel. */
static int get_clock(struct parts *p)
{
#ifdef __LP64__
	struct timespec before, kernel, after;

	if (clock_gettime(CLOCK_MONOTONIC, &before) < 0 ||
		syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &kernel) < 0 ||
		clock_gettime(CLOCK_MONOTONIC, &after) < 0)
		return -errno;
	if (ns_of(before) > ns_of(kernel) || ns_of(kernel) > ns_of(after))
		return parts_wrong(p, "%llu ns; before it is %llu, after it %llu",
			(unsigned long long)ns_of(kernel),
			(unsigned long long)ns_of(before),
			(unsigned long long)ns_of(after));
	return 0;
#else
	(void)p;
	return -ENOSYS; /* its system call has times of 32 bits */
#endif
}

static int get_resolution(struct parts *p)
{
	struct timespec fine, coarse;

	if (clock_getres(CLOCK_MONOTONIC, &fine) < 0 ||
		clock_getres(CLOCK_MONOTONIC_COARSE, &coarse) < 0)
		return -errno;
	if (!ns_of(fine) || ns_of(fine) > ns_of(coarse) ||
		ns_of(coarse) > SM_NSEC_PER_SEC)
		return parts_wrong(p, "%llu ns, of the coarse clock %llu ns",
			(unsigned long long)ns_of(fine),
			(unsigned long long)ns_of(coarse));
	return 0;
}

/* Mode 0 changes nothing. */
static int get_adjustment(struct parts *p)
{
	struct timex t = {.modes = 0};

	if (adjtimex(&t) < 0)
		return -errno;
	return t.tick > 0 && t.precision > 0
		       ? 0
		       : parts_wrong(p, "tick %ld, precision %ld", t.tick, t.precision);
}

/* An instance sets no timer. */
static int get_timer(struct parts *p)
{
	static const int timers[] = {ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF};
	struct itimerval v;

	for (size_t i = 0; i < SM_ARRAY_SIZE(timers); i++) {
		if (getitimer(timers[i], &v) < 0)
			return -errno;
		if (v.it_value.tv_sec || v.it_value.tv_usec)
			return parts_wrong(p, "timer %d runs", timers[i]);
	}
	return 0;
}

/* ENOENT (getcwd(2)): the working directory is removed, or outside the root directory. */
static const struct part table[] = {
	{"getpid", get_pid, .absent = {0}},
	{"getppid", get_ppid, .absent = {0}},
	{"getpgid", get_pgid, .absent = {0}},
	{"getsid", get_sid, .absent = {0}},
	{"getresuid", get_uid, .absent = {0}},
	{"getresgid", get_gid, .absent = {0}},
	{"getgroups", get_groups, .absent = {0}},
	{"capget", get_caps, .absent = {0}},
	{"sigprocmask", get_signals, .absent = {0}},
	{"umask", get_umask, .absent = {0}},
	{"prctl", get_name, .absent = {0}},
	{"getcwd", get_cwd, .absent = {ENOENT, EACCES}},
	{"getcpu", get_cpu, .absent = {EINVAL}},
	{"sched_getattr", get_scheduling, .absent = {EPERM}},
	{"clock_gettime", get_clock, .absent = {0}},
	{"clock_getres", get_resolution, .absent = {0}},
	{"adjtimex", get_adjustment, .absent = {EPERM}},
	{"getitimer", get_timer, .absent = {0}},
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
	t->parent = getppid();
	parts_init(&t->parts, s, table);
	return 0;
}

/* Remarks for the man page (man/remarks.h). */
const char stressor_get_man[] = "metric time per part: one call with its comparison\n"
				"metric parts: calls that work on this machine\n";

const struct stressor stressor_get = {
	.name = "get",
	.does = "query the attributes of the process with getpid(2) and similar "
		"calls",
	.op = "one round of all calls",
	.checks = "the calls agree with one another and with /proc/self/status on "
		  "IDs, users, capabilities, signals, name, directory, CPU, "
		  "scheduling and clocks",
	.classes = CLASS_OS,
	.metrics = parts_metrics,
	.state = sizeof(struct state),
	.setup = setup,
	.run = run,
};
