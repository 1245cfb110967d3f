// SPDX-License-Identifier: GPL-2.0-or-later
/* Events of the running kernel, where it lets us: counted by it, counted by reading, and
 * logged. */
#include <arpa/inet.h>
#include <errno.h>
#include <linux/capability.h>
#include <linux/cn_proc.h>
#include <linux/filter.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "powerstat/events.h"
#include "proc/procstat.h"
#include "unit.h"

#define CAPS_NET_ADMIN (UINT64_C(1) << CAP_NET_ADMIN)

static struct sm_root root;
static struct events *e;

static void setup(void)
{
	e = NULL;
	ck_assert_int_eq(sm_root_open(&root, NULL), 0);
}

static void teardown(void)
{
	events_close(e);
	sm_root_close(&root);
}

/* False where this kernel or namespace gives us no events; how is asserted. */
static bool open_events(bool log)
{
	int err = events_open(&e, &root, log);

	if (err == 0)
		return true;
	ck_assert(err == -EPERM || err == -EPROTONOSUPPORT || err == -ETIMEDOUT ||
		  err == -ECONNREFUSED);
	ck_assert_ptr_null(e);
	return false;
}

static struct events_counts counts(void)
{
	struct events_counts c;

	ck_assert_int_eq(events_counts(e, &c), 0);
	return c;
}

static pid_t vfork_one(bool exec, int status)
{
	pid_t pid = vfork();

	if (pid == 0) {
		if (exec)
			execl("/bin/true", "true", (char *)NULL);
		_exit(status);
	}
	return pid;
}

static pid_t run_children(unsigned int n, bool exec)
{
	pid_t pid = 0;

	for (unsigned int i = 0; i < n; i++) {
		pid = vfork_one(exec, 3);
		ck_assert_int_ge(pid, 0);
		ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
	}
	return pid;
}

static void *nothing(void *arg)
{
	return arg;
}

static void run_threads(unsigned int n)
{
	for (unsigned int i = 0; i < n; i++) {
		pthread_t t;

		ck_assert_int_eq(pthread_create(&t, NULL, nothing, NULL), 0);
		ck_assert_int_eq(pthread_join(t, NULL), 0);
	}
}

/* The event of an exit can come after waitpid() returns. */
static struct events_counts await_exits(uint64_t want)
{
	uint64_t end = sm_clock_mono_ns() + 50 * SM_NSEC_PER_SEC;
	struct events_counts c = counts();

	while (c.exit < want && sm_clock_mono_ns() < end) {
		usleep(1000);
		c = counts();
	}
	return c;
}

/* Processes and threads created since boot, by the kernel's own count. */
static uint64_t tasks_created(void)
{
	struct sm_procstat_file file = {.file = SM_FILE_INIT};
	struct sm_procstat stat = {0};
	uint64_t n;

	ck_assert_int_eq(sm_procstat_open(&file, &root), 0);
	ck_assert_int_eq(sm_procstat_read(&file, &stat), 0);
	n = stat.processes;
	sm_procstat_close(&file);
	sm_procstat_fini(&stat);
	return n;
}

static void check_counting(void)
{
	uint64_t created, forks;
	struct events_counts before = counts(), after;

	run_children(20, true);
	(void)counts(); /* an ordinary user's queue is short */
	run_children(30, false);
	after = await_exits(before.exit + 50);
	ck_assert_uint_ge(after.fork - before.fork, 50);
	ck_assert_uint_ge(after.exec - before.exec, 20);
	ck_assert_uint_ge(after.exit - before.exit, 50);
	/* Threads are created, but no event. */
	created = tasks_created();
	before = after = counts();
	for (int i = 0; i < 20; i++) {
		run_threads(50);
		after = counts();
	}
	forks = after.fork - before.fork;
	ck_assert_uint_ge(tasks_created() - created, forks + 1000);
	ck_assert_uint_lt(after.exit - before.exit, forks + 1000);
	if (events_in_kernel(e))
		ck_assert_uint_eq(after.lost, 0);
}

START_TEST(counted)
{
	if (!open_events(false))
		return;
	check_counting();
	ck_assert_int_eq(events_in_kernel(e), events_fd(e) < 0);
	/* no log was asked for */
	events_print_log(e, &(struct sm_buf){0});
}
END_TEST

static bool set_caps(uint64_t caps)
{
	struct __user_cap_header_struct h = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct d[_LINUX_CAPABILITY_U32S_3] = {
		{.effective = (uint32_t)caps, .permitted = (uint32_t)caps}};

	return syscall(SYS_capset, &h, d) == 0;
}

/* Exit codes of the child below. */
enum { GOOD, NO_CAPS, NOT_OPEN, IN_KERNEL, NO_FD, NO_FILTER, UNREAD, WRONG, LATE };

/* Far more than the default buffer takes. */
enum { CHILDREN = 3000, STATUS = 113 };

/* Offsets in a datagram of the connector, behind its two headers. */
enum { EVENT = 36, FORK_PARENT_TGID = EVENT + 20, EXIT_CODE = EVENT + 24 };

/* From now on, the queue takes the forks of this process and exits with STATUS only:
 * other processes cannot fill it. */
static bool filter_own(int fd)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, EVENT),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, htonl(PROC_EVENT_FORK), 2, 0),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, EXIT_CODE),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, htonl(STATUS << 8), 2, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, FORK_PARENT_TGID),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, htonl((uint32_t)getpid()), 0, 1),
		BPF_STMT(BPF_RET | BPF_K, UINT32_MAX),
		BPF_STMT(BPF_RET | BPF_K, 0),
	};
	struct sock_fprog prog = {.len = SM_ARRAY_SIZE(code), .filter = code};

	return setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &prog, sizeof(prog)) == 0;
}

/* Nobody reads while the children run. */
static int read_later(void)
{
	struct pollfd p = {.events = POLLIN};
	struct events_counts before, c;

	if (!set_caps(CAPS_NET_ADMIN))
		return NO_CAPS;
	if (events_open(&e, &root, false) < 0)
		return NOT_OPEN;
	if (events_in_kernel(e))
		return IN_KERNEL;
	p.fd = events_fd(e);
	if (p.fd < 0)
		return NO_FD;
	if (!filter_own(p.fd))
		return NO_FILTER;
	/* Events of other processes from before the filter was set. */
	if (events_counts(e, &before) < 0)
		return WRONG;
	for (unsigned int i = 0; i < CHILDREN; i++)
		if (waitpid(vfork_one(false, STATUS), NULL, 0) < 0)
			return WRONG;
	if (poll(&p, 1, 0) != 1)
		return UNREAD;
	if (events_counts(e, &c) < 0 || c.fork - before.fork != CHILDREN)
		return WRONG;
	c = await_exits(before.exit + CHILDREN);
	if (c.exit - before.exit < CHILDREN)
		return LATE;
	if (c.lost != before.lost)
		return WRONG;
	events_close(e);
	return GOOD;
}

/* Without BPF the events are read, as many as came. */
START_TEST(read_without_bpf)
{
	int status;
	pid_t pid;

	if (!open_events(false))
		return;
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (pid == 0)
		_exit(read_later());
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert(WIFEXITED(status));
	/* Without these capabilities; kernel.unprivileged_bpf_disabled = 0. */
	if (!(unit_has_cap(CAP_SYS_ADMIN) || unit_has_cap(CAP_PERFMON)) &&
		(WEXITSTATUS(status) == NO_CAPS || WEXITSTATUS(status) == NOT_OPEN))
		return;
	if (WEXITSTATUS(status) == IN_KERNEL)
		return;
	ck_assert_int_eq(WEXITSTATUS(status), GOOD);
}
END_TEST

START_TEST(log_counts_too)
{
	if (!open_events(true))
		return;
	ck_assert(!events_in_kernel(e));
	ck_assert_int_ge(events_fd(e), 0);
	ck_assert_int_eq(events_begin(e), 0);
	check_counting();
}
END_TEST

static const char *line_of(const char *text, const char *line)
{
	const char *at = strstr(text, line);

	ck_assert_msg(at, "no line with '%s'", line);
	return at;
}

/* Reads until the log has this line: the event of an exit can come after waitpid()
 * returns. */
static void await_line(struct sm_buf *log, const char *line)
{
	uint64_t end = sm_clock_mono_ns() + 20 * SM_NSEC_PER_SEC;

	do {
		usleep(1000);
		sm_buf_reset(log);
		ck_assert_int_eq(events_read(e), 0);
		events_print_log(e, log);
		sm_buf_chr(log, '\0');
	} while (!strstr(log->p, line) && sm_clock_mono_ns() < end);
}

/* Ends when hold[1] is closed. */
static pid_t waiting_child(int hold[2])
{
	pid_t pid;
	char c;

	ck_assert_int_eq(pipe(hold), 0);
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (pid == 0) {
		close(hold[1]);
		_exit(read(hold[0], &c, 1) == 0 ? 5 : 6);
	}
	return pid;
}

START_TEST(logged)
{
	struct sm_buf log = {0};
	char line[96], name[4096];
	pid_t pid, old;
	int hold[2];
	bool listens;

	old = waiting_child(hold);
	listens = open_events(true);
	if (listens)
		ck_assert_int_eq(events_begin(e), 0);
	close(hold[1]);
	ck_assert_int_eq(waitpid(old, NULL, 0), old);
	if (!listens)
		return;
	pid = run_children(1, false);
	for (int i = 0; i < 2; i++) {
		snprintf(line, sizeof(line),
			" exit: pid=%d exit_code=", (int)(i ? old : pid));
		await_line(&log, line);
	}
	ck_assert_ptr_eq(strstr(log.p, "\nLog of fork()/exec()/exit() calls:\n"), log.p);
	snprintf(line, sizeof(line), " fork: parent pid=%d -> fork pid=%d (",
		(int)getpid(), (int)pid);
	ck_assert_int_gt(sm_file_slurp(root.proc, "self/cmdline", name, sizeof(name)), 0);
	ck_assert_int_eq(
		strncmp(line_of(log.p, line) + strlen(line), name, strlen(name)), 0);
	snprintf(line, sizeof(line), " exit: pid=%d exit_code=3 (", (int)pid);
	line_of(log.p, line);
	/* one that lived before, and was gone when its end was read */
	snprintf(line, sizeof(line), " exit: pid=%d exit_code=5 (", (int)old);
	ck_assert_int_eq(
		strncmp(line_of(log.p, line) + strlen(line), name, strlen(name)), 0);
	ck_assert_ptr_null(strstr(log.p, "were lost"));
	sm_buf_fini(&log);
}
END_TEST

/* Nothing of it stays open. */
START_TEST(closed)
{
	int before = dup(2), after;

	close(before);
	for (int log = 0; log < 2; log++) {
		if (!open_events(log))
			return;
		events_close(e);
		e = NULL;
	}
	after = dup(2);
	ck_assert_int_eq(after, before);
	close(after);
	events_close(NULL);
}
END_TEST

static TCase *tc_live(void)
{
	TCase *tc = tcase_create("live");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, counted);
	tcase_add_test(tc, read_without_bpf);
	tcase_add_test(tc, log_counts_too);
	tcase_add_test(tc, logged);
	tcase_add_test(tc, closed);
	return tc;
}

UNIT_MAIN("events", tc_live)
