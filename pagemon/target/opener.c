// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <linux/capability.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/array.h"
#include "cli/sandbox.h"
#include "kernel/piddir.h"
#include "kernel/tracefs.h"
#include "target/files.h"
#include "target/opener.h"
#include "target/tree.h"

#ifndef CAP_PERFMON
#define CAP_PERFMON 38 /* Linux 5.8 */
#endif

#define SEND_MAX 253 /* SCM_MAX_FD of the kernel: descriptors per message */

#define REQUEST_EVENTS (1u << 31) /* in `set`, instead of files */

/* A reply has the serial number of its request. */
struct request {
	uint64_t serial;
	uint32_t set, target;
	pid_t pid; /* of a descendant: the target has a number that the opener does not
		      know */
};

enum reply_kind {
	REPLY_FILES,
	REPLY_EVENTS, /* followed by `messages` replies with the descriptors */
	REPLY_EVENT_FDS,
};

/* In `files`, fd >= 0 means that a descriptor is in the message. */
struct reply {
	uint64_t serial;
	uint32_t kind, target;
	struct files files;
	int32_t result;
	uint32_t counter, messages;
	int32_t err[PERF_COUNTERS];
};

/* ---- messages ---- */

union control {
	struct cmsghdr align;
	char room[CMSG_SPACE(SEND_MAX * sizeof(int))];
};

static int send_message(
	int sock, const void *p, size_t n, const int *fd, size_t nfds, int flags)
{
	union control c = {.room = {0}};
	struct iovec io = {.iov_base = (void *)(uintptr_t)p, .iov_len = n};
	struct msghdr m = {.msg_iov = &io, .msg_iovlen = 1};
	struct cmsghdr *h;
	ssize_t sent;

	if (nfds) {
		m.msg_control = &c;
		m.msg_controllen = (socklen_t)CMSG_SPACE(nfds * sizeof(int));
		h = CMSG_FIRSTHDR(&m);
		h->cmsg_level = SOL_SOCKET;
		h->cmsg_type = SCM_RIGHTS;
		h->cmsg_len = (socklen_t)CMSG_LEN(nfds * sizeof(int));
		memcpy(CMSG_DATA(h), fd, nfds * sizeof(int));
	}
	do
		sent = sendmsg(sock, &m, MSG_NOSIGNAL | flags);
	while (sent < 0 && errno == EINTR);
	return sent < 0 ? -errno : 0;
}

/* Takes the descriptors of a message.  -EMFILE: this process cannot have that many. */
static ssize_t take_fds(struct msghdr *m, int *fd)
{
	struct cmsghdr *h = CMSG_FIRSTHDR(m);
	size_t n = 0;

	if (h && h->cmsg_level == SOL_SOCKET && h->cmsg_type == SCM_RIGHTS) {
		n = (h->cmsg_len - CMSG_LEN(0)) / sizeof(int);
		memcpy(fd, CMSG_DATA(h), n * sizeof(int));
	}
	if (!(m->msg_flags & MSG_CTRUNC))
		return (ssize_t)n;
	while (n)
		close(fd[--n]);
	return -EMFILE;
}

/* Receives a message of exactly n bytes.  Returns the number of descriptors, or -errno.
 */
static ssize_t receive_message(int sock, void *p, size_t n, int fd[SEND_MAX], int flags)
{
	union control c;
	struct iovec io = {.iov_base = p, .iov_len = n};
	struct msghdr m = {.msg_iov = &io,
		.msg_iovlen = 1,
		.msg_control = &c,
		.msg_controllen = sizeof(c)};
	ssize_t got;

	do
		got = recvmsg(sock, &m, MSG_CMSG_CLOEXEC | flags);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return -errno;
	if ((size_t)got != n)
		return -EPIPE;
	return take_fds(&m, fd);
}

/* ---- the opener's own process ---- */

struct service {
	int sock;
	const struct sm_root *root;
	struct target *const *targets;
	struct perfset *sets; /* one for each target, kept open: see the header */
	size_t n;
	struct tree_root tree;
	int tracefs_fd; /* or -errno */
};

static void close_fds(const int *fd, size_t n)
{
	for (size_t i = 0; i < n; i++)
		close(fd[i]);
}

static int send_files(
	const struct service *s, const struct request *r, const struct target *t)
{
	struct reply reply = {
		.serial = r->serial, .kind = REPLY_FILES, .target = r->target};
	int fd[TARGET_FILES], err;
	size_t n = 0;

	files_open(
		&reply.files, s->root, t->dir_fd, t->dir_fd < 0 ? 0 : r->set, t->flags);
	for (enum target_file i = 0; i < TARGET_FILES; i++)
		if (reply.files.fd[i] >= 0)
			fd[n++] = reply.files.fd[i];
	err = send_message(s->sock, &reply, sizeof(reply), fd, n, 0);
	close_fds(fd, n);
	return err;
}

/* Files of a process that does not descend from COMMAND are not opened. */
static int send_descendant(const struct service *s, const struct request *r)
{
	struct target t = {.dir_fd = -1, .pid = r->pid};
	int err;

	if (s->tree.command && s->n) {
		t.flags = s->targets[0]->flags;
		t.dir_fd = tree_open(s->root, r->pid, &s->tree);
	}
	err = send_files(s, r, &t);
	sm_base_close_fd(&t.dir_fd);
	return err;
}

/* Opening a file waits while the target executes a program, and a target can prolong this
 * without limit, so with several targets a child opens it.  The child ends with this
 * process. */
static int serve_files(const struct service *s, const struct request *r)
{
	pid_t pid = s->n > 1 || s->tree.command ? fork() : -1;
	int err;

	if (pid > 0)
		return 0;
	if (pid == 0)
		prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	err = r->target < s->n ? send_files(s, r, s->targets[r->target])
			       : send_descendant(s, r);
	if (pid == 0)
		_exit(0);
	return err;
}

static size_t messages(size_t fds)
{
	return (fds + SEND_MAX - 1) / SEND_MAX;
}

static int send_counter(
	const struct service *s, struct reply *r, const struct perfset *set, uint32_t c)
{
	int err = 0;

	r->kind = REPLY_EVENT_FDS;
	r->counter = c;
	for (size_t at = 0; !err && at < set->n[c]; at += SEND_MAX) {
		size_t n = set->n[c] - at < SEND_MAX ? set->n[c] - at : SEND_MAX;

		err = send_message(s->sock, r, sizeof(*r), set->fd[c] + at, n, 0);
	}
	return err;
}

static int send_set(const struct service *s, const struct request *request,
	const struct perfset *set, int result)
{
	struct reply r = {
		.serial = request->serial, .kind = REPLY_EVENTS, .result = result};
	int err;

	for (size_t c = 0; c < PERF_COUNTERS; c++) {
		r.messages += (uint32_t)messages(set->n[c]);
		r.err[c] = set->err[c];
	}
	err = send_message(s->sock, &r, sizeof(r), NULL, 0, 0);
	for (uint32_t c = 0; !err && c < PERF_COUNTERS; c++)
		err = send_counter(s, &r, set, c);
	return err;
}

/* Opens and sends perf events.  The PID belongs to the process as long as its directory
 * can be read. */
static int serve_events(const struct service *s, const struct request *r)
{
	const struct target *t = s->targets[r->target];
	struct perfset *set = &s->sets[r->target];
	struct sm_pidstat st;
	int err;

	perfset_close(set);
	err = perfset_open(set, s->root, s->tracefs_fd, t->pid);
	if (!err && sm_piddir_stat(s->root, t->dir_fd, &st) < 0) {
		perfset_close(set);
		err = -ESRCH;
	}
	return send_set(s, r, set, err);
}

static int serve(const struct service *s)
{
	struct request r;
	int fd[SEND_MAX] = {0};
	ssize_t n = receive_message(s->sock, &r, sizeof(r), fd, 0);

	if (n < 0)
		return (int)n;
	close_fds(fd, (size_t)n);
	if (r.set != REQUEST_EVENTS)
		return serve_files(s, &r);
	return r.target < s->n ? serve_events(s, &r) : -EINVAL;
}

static bool is_kept(const struct service *s, int fd)
{
	if (fd == s->sock || sm_root_has_fd(s->root, fd))
		return true;
	for (size_t i = 0; i < s->n; i++)
		if (fd == s->targets[i]->dir_fd)
			return true;
	return false;
}

static int highest_kept(const struct service *s)
{
	int high = sm_root_highest_fd(s->root);

	if (s->sock > high)
		high = s->sock;
	for (size_t i = 0; i < s->n; i++)
		high = s->targets[i]->dir_fd > high ? s->targets[i]->dir_fd : high;
	return high;
}

static void close_others(const struct service *s)
{
	int high = highest_kept(s);

	for (int fd = 0; fd <= high; fd++)
		if (!is_kept(s, fd))
			close(fd);
	sm_base_close_range((unsigned int)high + 1, ~0u);
}

/* Keeps only capabilities that open files and events of other processes.  Without
 * CAP_SYS_PTRACE, this process can only read processes that have no capability that it
 * lacks, so it keeps all. */
static void drop_other_capabilities(void)
{
	struct __user_cap_header_struct h = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct d[_LINUX_CAPABILITY_U32S_3];
	const uint32_t low = 1u << CAP_SYS_PTRACE | 1u << CAP_SYS_ADMIN |
			     1u << CAP_DAC_OVERRIDE | 1u << CAP_DAC_READ_SEARCH;
	const uint32_t high = 1u << (CAP_PERFMON - 32);

	if (syscall(SYS_capget, &h, d) < 0 || !(d[0].effective & 1u << CAP_SYS_PTRACE))
		return;
	d[0].effective &= low;
	d[0].permitted &= low;
	d[1].effective &= high;
	d[1].permitted &= high;
	d[0].inheritable = d[1].inheritable = 0;
	(void)syscall(SYS_capset, &h, d);
}

static void run(struct service *s)
{
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	signal(SIGCHLD, SIG_IGN); /* children of serve_files() are not waited for */
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
	drop_other_capabilities();
	close_others(s);
	(void)!chdir("/");
	/* The filter allows no mount. */
	s->tracefs_fd = sm_tracefs_open(s->root);
	if (sm_sandbox_enter(SM_SANDBOX_OPEN_TARGETS) < 0)
		_exit(1);
	s->sets = calloc(s->n ? s->n : 1, sizeof(*s->sets));
	for (size_t i = 0; s->sets && i < s->n; i++)
		s->sets[i] = (struct perfset)PERFSET_INIT;
	while (s->sets && serve(s) == 0)
		;
	_exit(0);
}

/* Forks the opener and exits, so that the opener is not a child of the tool. */
static void leave(struct service *s)
{
	pid_t pid;

	setsid();
	pid = fork();
	if (pid == 0)
		run(s);
	_exit(pid < 0 ? errno : 0);
}

static int spawn(struct service *s)
{
	pid_t pid = fork();
	int status = 0;

	if (pid < 0)
		return -errno;
	if (pid == 0)
		leave(s);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return WIFEXITED(status) ? -WEXITSTATUS(status) : -EINTR;
}

/* ---- the tool's side ---- */

int opener_start(struct opener *o, const struct sm_root *root,
	struct target *const *targets, size_t n, pid_t command)
{
	struct service s = {
		.root = root, .targets = targets, .n = n, .tree = {command, getpid()}};
	int pair[2], err;

	*o = (struct opener)OPENER_INIT;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
		return -errno;
	s.sock = pair[1];
	err = spawn(&s);
	close(pair[1]);
	o->fd = pair[0];
	for (size_t i = 0; !err && i < n; i++)
		err = opener_add(o, targets[i]);
	if (err)
		opener_end(o);
	return err;
}

void opener_end(struct opener *o)
{
	sm_base_close_fd(&o->fd);
	perfset_close(&o->events);
	free(o->targets);
	*o = (struct opener)OPENER_INIT;
}

int opener_add(struct opener *o, struct target *t)
{
	size_t i = 0;
	int err =
		sm_array_reserve(&o->targets, &o->cap, o->n + 1, sizeof(struct target *));

	if (err)
		return err;
	while (i < o->n && o->targets[i])
		i++;
	o->n += i == o->n;
	o->targets[i] = t;
	t->number = (uint32_t)i;
	t->opener = o;
	return 0;
}

void opener_forget(struct opener *o, const struct target *t)
{
	if (t->number < o->n && o->targets[t->number] == t)
		o->targets[t->number] = NULL;
}

static int ask(struct opener *o, uint32_t set, const struct target *t)
{
	struct request r = {++o->serial, set, t->number, t->pid};

	return o->fd < 0 ? -EPIPE
			 : send_message(o->fd, &r, sizeof(r), NULL, 0, MSG_DONTWAIT);
}

int opener_ask(struct opener *o, struct target *t, unsigned int set)
{
	int err = ask(o, set, t);

	if (err)
		return err;
	t->asked = o->serial;
	t->asked_set = set;
	return 0;
}

/* Replaces the opener's descriptor numbers in the reply by those received, in the order
 * of the files.  -EMFILE instead of a number of descriptors: they were lost. */
static void put_fds(struct files *f, const int *fd, ssize_t n)
{
	ssize_t at = 0;

	for (enum target_file i = 0; i < TARGET_FILES; i++) {
		if (f->fd[i] < 0)
			continue;
		f->err[i] = at < n ? 0 : -EMFILE;
		f->fd[i] = at < n ? fd[at++] : -1;
	}
}

/* A reply to an earlier request, such as for the program before this one, is discarded.
 */
static void take_files(struct opener *o, struct reply *r, const int *fd, ssize_t n)
{
	struct target *t = r->target < o->n ? o->targets[r->target] : NULL;

	if (!t || t->asked != r->serial) {
		close_fds(fd, n < 0 ? 0 : (size_t)n);
		return;
	}
	put_fds(&r->files, fd, n);
	files_take(t, &r->files, t->asked_set);
	t->asked = 0;
}

static void take_events(struct opener *o, const struct reply *r)
{
	o->events = (struct perfset)PERFSET_INIT;
	for (size_t c = 0; c < PERF_COUNTERS; c++)
		o->events.err[c] = r->err[c];
	o->events_err = r->result;
	o->messages = r->messages;
	o->answered = true;
}

/* Stores the error of a counter in the set. */
static void take_event_fds(
	struct opener *o, const struct reply *r, const int *fd, ssize_t n)
{
	struct perfset *s = &o->events;
	size_t c = r->counter < PERF_COUNTERS ? r->counter : 0;

	o->messages--;
	if (n >= 0 && !s->err[c] &&
		sm_array_reserve(&s->fd[c], &s->cap[c], s->n[c] + SEND_MAX, sizeof(int)) <
			0)
		s->err[c] = -ENOMEM;
	if (n < 0 || s->err[c]) {
		close_fds(fd, n < 0 ? 0 : (size_t)n);
		perfset_drop(s, (enum perf_counter)c, n < 0 ? (int)n : s->err[c]);
		return;
	}
	memcpy(s->fd[c] + s->n[c], fd, (size_t)n * sizeof(int));
	s->n[c] += (size_t)n;
}

static int receive(struct opener *o)
{
	struct reply r;
	int fd[SEND_MAX] = {0};
	ssize_t n = receive_message(o->fd, &r, sizeof(r), fd, MSG_DONTWAIT);

	if (n < 0 && n != -EMFILE)
		return (int)n;
	if (r.kind == REPLY_FILES)
		take_files(o, &r, fd, n);
	else if (r.kind == REPLY_EVENTS)
		take_events(o, &r);
	else
		take_event_fds(o, &r, fd, n);
	return 0;
}

/* The opener has ended, so requests remain without a reply. */
static void lose(struct opener *o)
{
	sm_base_close_fd(&o->fd);
	o->fd = -1;
	for (size_t i = 0; i < o->n; i++)
		if (o->targets[i])
			o->targets[i]->asked = 0;
	if (!o->asked || (o->answered && !o->messages))
		return;
	perfset_close(&o->events);
	o->answered = true;
	o->messages = 0;
	o->events_err = -EPIPE;
}

int opener_receive(struct opener *o)
{
	int err = o->fd < 0 ? -EPIPE : 0;

	while (!err)
		err = receive(o);
	if (err == -EAGAIN)
		return 0;
	if (o->fd >= 0)
		lose(o);
	return -EPIPE;
}

int opener_perf_ask(struct opener *o, const struct target *t)
{
	int err = o->asked ? -EBUSY : ask(o, REQUEST_EVENTS, t);

	o->asked |= !err;
	return err;
}

int opener_perf(struct opener *o, struct perfset *out)
{
	int err;

	(void)!opener_receive(o);
	if (!o->asked || !o->answered || o->messages)
		return -EAGAIN;
	err = o->events_err;
	*out = o->events;
	o->events = (struct perfset)PERFSET_INIT;
	o->asked = o->answered = false;
	if (err)
		perfset_close(out);
	return err;
}
