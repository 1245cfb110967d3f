// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <linux/capability.h>
#include <poll.h>
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

enum request_kind { OPEN_FILES, OPEN_PERF };

struct request {
	uint32_t kind, target;
	uint32_t set; /* files of OPEN_FILES */
	pid_t pid;    /* of a descendant */
};

/* The reply to OPEN_FILES is a struct files, in which fd >= 0 means that a descriptor is
 * in the message. */

struct perf_reply {
	int32_t result;
	uint64_t n[PERF_COUNTERS];
	int32_t err[PERF_COUNTERS];
	bool children, gaps;
};

/* ---- messages ---- */

union control {
	struct cmsghdr align;
	char room[CMSG_SPACE(SEND_MAX * sizeof(int))];
};

static int send_message(int sock, const void *p, size_t n, const int *fd, size_t nfds)
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
		sent = sendmsg(sock, &m, MSG_NOSIGNAL);
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
static ssize_t receive_message(int sock, void *p, size_t n, int fd[SEND_MAX])
{
	union control c;
	struct iovec io = {.iov_base = p, .iov_len = n};
	struct msghdr m = {.msg_iov = &io,
		.msg_iovlen = 1,
		.msg_control = &c,
		.msg_controllen = sizeof(c)};
	ssize_t got;

	do
		got = recvmsg(sock, &m, MSG_CMSG_CLOEXEC);
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

static int serve_files(const struct service *s, const struct target *t, unsigned int set)
{
	struct files f;
	int fd[TARGET_FILES], err;
	size_t n = 0;

	files_open(&f, s->root, t->dir_fd, set, t->flags);
	for (enum target_file i = 0; i < TARGET_FILES; i++)
		if (f.fd[i] >= 0)
			fd[n++] = f.fd[i];
	err = send_message(s->sock, &f, sizeof(f), fd, n);
	close_fds(fd, n);
	return err;
}

/* Files of a process that does not descend from COMMAND are not opened. */
static int serve_descendant(const struct service *s, const struct request *r)
{
	struct target t = {.dir_fd = -1, .pid = r->pid};
	int err;

	if (s->tree.command && s->n) {
		t.flags = s->targets[0]->flags;
		t.dir_fd = tree_open(s->root, r->pid, &s->tree);
	}
	err = serve_files(s, &t, t.dir_fd < 0 ? 0 : r->set & FILES_ALL);
	sm_base_close_fd(&t.dir_fd);
	return err;
}

static int send_counter(const struct service *s, const struct perfset *set, size_t c)
{
	int err = 0;

	for (size_t at = 0; !err && at < set->n[c]; at += SEND_MAX) {
		size_t n = set->n[c] - at < SEND_MAX ? set->n[c] - at : SEND_MAX;

		err = send_message(s->sock, "", 1, set->fd[c] + at, n);
	}
	return err;
}

static int send_set(const struct service *s, const struct perfset *set, int result)
{
	struct perf_reply r = {
		.result = result, .children = set->children, .gaps = set->gaps};
	int err;

	for (size_t c = 0; c < PERF_COUNTERS; c++) {
		r.n[c] = set->n[c];
		r.err[c] = set->err[c];
	}
	err = send_message(s->sock, &r, sizeof(r), NULL, 0);
	for (size_t c = 0; !err && c < PERF_COUNTERS; c++)
		err = send_counter(s, set, c);
	return err;
}

/* Opens and sends perf events.  The PID belongs to the process as long as its directory
 * can be read. */
static int serve_perf(
	const struct service *s, const struct target *t, struct perfset *set)
{
	struct sm_pidstat st;
	int err;

	perfset_close(set);
	err = perfset_open(set, s->root, s->tracefs_fd, t->pid);
	if (!err && sm_piddir_stat(s->root, t->dir_fd, &st) < 0) {
		perfset_close(set);
		err = -ESRCH;
	}
	return send_set(s, set, err);
}

static int serve(const struct service *s)
{
	struct request r;
	int fd[SEND_MAX] = {0};
	ssize_t n = receive_message(s->sock, &r, sizeof(r), fd);

	if (n < 0)
		return (int)n;
	close_fds(fd, (size_t)n);
	if (r.kind == OPEN_FILES && r.target == OPENER_DESCENDANT)
		return serve_descendant(s, &r);
	if (r.target >= s->n)
		return -EINVAL;
	if (r.kind == OPEN_FILES)
		return serve_files(s, s->targets[r.target], FILES_OF_MEMORY);
	if (r.kind != OPEN_PERF)
		return -EINVAL;
	return serve_perf(s, s->targets[r.target], &s->sets[r.target]);
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
	for (size_t i = 0; i < n; i++)
		targets[i]->number = (uint32_t)i;
	err = spawn(&s);
	close(pair[1]);
	if (err) {
		close(pair[0]);
		return err;
	}
	o->fd = pair[0];
	for (size_t i = 0; i < n; i++)
		targets[i]->opener = o;
	return 0;
}

void opener_end(struct opener *o)
{
	sm_base_close_fd(&o->fd);
	if (o->early)
		perfset_close(&o->early_set);
	*o = (struct opener)OPENER_INIT;
}

static int request(struct opener *o, enum request_kind kind, const struct target *t,
	unsigned int set)
{
	struct request r = {kind, t->number, set, t->pid};

	return o->fd < 0 ? -EPIPE : send_message(o->fd, &r, sizeof(r), NULL, 0);
}

/* Replaces the opener's descriptor numbers in the reply by those received, in the order
 * of the files. */
static int put_fds(struct files *f, const int *fd, size_t n)
{
	size_t at = 0;

	for (enum target_file i = 0; i < TARGET_FILES; i++) {
		if (f->fd[i] < 0)
			continue;
		if (at == n)
			return -EPIPE;
		f->fd[i] = fd[at++];
	}
	return at == n ? 0 : -EPIPE;
}

/* Receives all messages of a counter, even after an error: a message left in the socket
 * would answer the next request.  Returns an error of the connection; an error of the
 * counter is stored in the set. */
static int receive_counter(struct opener *o, struct perfset *s, size_t c, uint64_t want)
{
	int fd[SEND_MAX] = {0};

	for (uint64_t got = 0; got < want; got += SEND_MAX) {
		char one;
		ssize_t n = receive_message(o->fd, &one, 1, fd);

		if (n < 0 && n != -EMFILE)
			return (int)n;
		if (n < 0 || s->err[c] ||
			sm_array_reserve(&s->fd[c], &s->cap[c], s->n[c] + SEND_MAX,
				sizeof(int)) < 0) {
			s->err[c] = n < 0 ? (int)n : s->err[c] ? s->err[c] : -ENOMEM;
			close_fds(fd, n < 0 ? 0 : (size_t)n);
			continue;
		}
		memcpy(s->fd[c] + s->n[c], fd, (size_t)n * sizeof(int));
		s->n[c] += (size_t)n;
	}
	return 0;
}

static int receive_set(struct opener *o, struct perfset *out)
{
	struct perf_reply r;
	int fd[SEND_MAX] = {0}, err = 0;
	ssize_t n = receive_message(o->fd, &r, sizeof(r), fd);

	*out = (struct perfset)PERFSET_INIT;
	if (n < 0)
		return (int)n;
	close_fds(fd, (size_t)n);
	out->children = r.children;
	out->gaps = r.gaps;
	for (size_t c = 0; !err && c < PERF_COUNTERS; c++) {
		out->err[c] = r.err[c];
		err = receive_counter(o, out, c, r.n[c]);
	}
	for (enum perf_counter c = 0; c < PERF_COUNTERS; c++)
		if (out->err[c])
			perfset_drop(out, c, out->err[c]);
	if (!err)
		err = r.result;
	if (err)
		perfset_close(out);
	return err;
}

int opener_perf_ask(struct opener *o, const struct target *t)
{
	int err;

	if (o->asked)
		return -EBUSY;
	err = request(o, OPEN_PERF, t, 0);
	o->asked = !err;
	return err;
}

bool opener_perf_ready(const struct opener *o)
{
	struct pollfd p = {.fd = o->fd, .events = POLLIN};

	return o->asked && (o->early || poll(&p, 1, 0) == 1);
}

int opener_perf(struct opener *o, struct perfset *out)
{
	if (!o->asked)
		return -EINVAL;
	o->asked = false;
	if (!o->early)
		return receive_set(o, out);
	o->early = false;
	*out = o->early_set;
	return o->early_err;
}

/* Receives pending perf events before another request: replies have the order of
 * requests. */
static void receive_early(struct opener *o)
{
	if (!o->asked || o->early)
		return;
	o->early_err = receive_set(o, &o->early_set);
	o->early = true;
}

int opener_files(struct opener *o, struct target *t, unsigned int set)
{
	struct files f;
	int fd[SEND_MAX] = {0}, err;
	ssize_t n;

	receive_early(o);
	err = request(o, OPEN_FILES, t, set);
	n = err ? err : receive_message(o->fd, &f, sizeof(f), fd);
	if (n < 0)
		return (int)n;
	err = put_fds(&f, fd, (size_t)n);
	if (err)
		close_fds(fd, (size_t)n);
	else
		files_take(t, &f, set);
	return err;
}
