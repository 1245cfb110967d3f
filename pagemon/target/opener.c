// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <linux/capability.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/array.h"
#include "base/fdpass.h"
#include "cli/priv.h"
#include "cli/sandbox.h"
#include "proc/piddir.h"
#include "events/tracefs.h"
#include "target/files.h"
#include "target/opener.h"
#include "proc/proctree.h"

#ifndef CAP_PERFMON
#define CAP_PERFMON 38 /* Linux 5.8 */
#endif

/* In `set`, instead of files. */
#define REQUEST_EVENTS (1u << 31) /* read the events, and open them the first time */
#define REQUEST_RENEW  (1u << 30) /* also open them again */

/* A reply has the serial number of its request. */
struct request {
	uint64_t serial;
	uint32_t set, target;
	pid_t pid; /* of a descendant: the target has a number that the opener does not
		      know */
};

/* In `files`, fd >= 0 means that a descriptor is in the message. */
struct reply {
	uint64_t serial;
	uint32_t target;
	struct files files;
	struct perf_counts events;
};

static void close_fds(const int *fd, size_t n)
{
	for (size_t i = 0; i < n; i++)
		close(fd[i]);
}

/* ---- the opener's own process ---- */

struct service {
	int sock;
	const struct sm_root *root;
	struct target *const *targets;
	size_t n;
	struct sm_proctree_root tree;
	int tracefs_fd; /* or -errno */
	struct perfset events;
	const struct target *events_of; /* NULL: no events are open */
};

static int send_files(
	const struct service *s, const struct request *r, const struct target *t)
{
	struct reply reply = {.serial = r->serial, .target = r->target};
	int fd[TARGET_FILES], err;
	size_t n = 0;

	files_open(
		&reply.files, s->root, t->dir_fd, t->dir_fd < 0 ? 0 : r->set, t->flags);
	for (enum target_file i = 0; i < TARGET_FILES; i++)
		if (reply.files.fd[i] >= 0)
			fd[n++] = reply.files.fd[i];
	err = sm_fdpass_send(s->sock, &reply, sizeof(reply), fd, n, 0);
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
		t.dir_fd = sm_proctree_open(s->root, r->pid, &s->tree);
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

/* Opens the events.  The PID belongs to the process as long as its directory can be read.
 */
static void open_events(struct service *s, const struct target *t)
{
	struct sm_pidstat st;

	perfset_close(&s->events);
	perfset_open(&s->events, s->root, s->tracefs_fd, t->pid);
	s->events_of = t;
	if (sm_piddir_stat(s->root, t->dir_fd, &st) == 0)
		return;
	perfset_close(&s->events);
	for (enum perf_counter c = 0; c < PERF_COUNTERS; c++)
		s->events.counter[c].err = -ESRCH;
}

static int serve_events(struct service *s, const struct request *r)
{
	struct reply reply = {.serial = r->serial, .target = r->target};
	const struct target *t = s->targets[r->target];

	if (s->events_of != t || r->set & REQUEST_RENEW)
		open_events(s, t);
	perfset_read(&s->events, &reply.events);
	return sm_fdpass_send(s->sock, &reply, sizeof(reply), NULL, 0, 0);
}

static int serve(struct service *s)
{
	struct request r;
	int fd[SM_FDPASS_MAX] = {0};
	ssize_t n = sm_fdpass_receive(s->sock, &r, sizeof(r), fd, 0);

	if (n < 0)
		return (int)n;
	close_fds(fd, (size_t)n);
	if (!(r.set & REQUEST_EVENTS))
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
	const uint64_t ptrace = UINT64_C(1) << CAP_SYS_PTRACE;

	if (sm_priv_effective() & ptrace)
		(void)!sm_priv_keep(ptrace | UINT64_C(1) << CAP_SYS_ADMIN |
				    UINT64_C(1) << CAP_DAC_OVERRIDE |
				    UINT64_C(1) << CAP_DAC_READ_SEARCH |
				    UINT64_C(1) << CAP_PERFMON);
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
	while (serve(s) == 0)
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
	struct service s = {.root = root,
		.targets = targets,
		.n = n,
		.tree = {command, getpid()},
		.events = PERFSET_INIT};
	int pair[2], err;

	*o = (struct opener)OPENER_INIT;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
		return -errno;
	s.sock = pair[1];
	err = spawn(&s);
	close(pair[1]);
	o->fd = pair[0];
	o->command = command;
	for (size_t i = 0; !err && i < n; i++)
		err = opener_add(o, targets[i]);
	if (err)
		opener_end(o);
	return err;
}

void opener_end(struct opener *o)
{
	sm_base_close_fd(&o->fd);
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
			 : sm_fdpass_send(o->fd, &r, sizeof(r), NULL, 0, MSG_DONTWAIT);
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

/* Opens mem if the opener was not permitted to do so, but this process, an ancestor, is.
 */
static void open_as_ancestor(const struct target *t, struct files *f)
{
	struct files own;

	if (f->err[TARGET_MEM] != -EACCES && f->err[TARGET_MEM] != -EPERM)
		return;
	files_open(&own, t->root, t->dir_fd, FILES_BIT(TARGET_MEM), t->flags);
	if (own.fd[TARGET_MEM] < 0)
		return;
	f->fd[TARGET_MEM] = own.fd[TARGET_MEM];
	f->err[TARGET_MEM] = 0;
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
	if (o->command && (t->child || t->pid == o->command))
		open_as_ancestor(t, &r->files);
	files_take(t, &r->files, t->asked_set);
	t->asked = 0;
}

static int receive(struct opener *o)
{
	struct reply r;
	int fd[SM_FDPASS_MAX] = {0};
	ssize_t n = sm_fdpass_receive(o->fd, &r, sizeof(r), fd, MSG_DONTWAIT);

	if (n < 0 && n != -EMFILE)
		return (int)n;
	if (r.serial != o->events_asked) {
		take_files(o, &r, fd, n);
		return 0;
	}
	o->events = r.events;
	o->events_asked = 0;
	o->answered = true;
	return 0;
}

/* The opener has ended, so requests remain without a reply. */
static void lose(struct opener *o)
{
	sm_base_close_fd(&o->fd);
	for (size_t i = 0; i < o->n; i++)
		if (o->targets[i])
			o->targets[i]->asked = 0;
	for (size_t c = 0; o->events_asked && c < PERF_COUNTERS; c++)
		o->events.err[c] = -EPIPE;
	o->answered |= o->events_asked != 0;
	o->events_asked = 0;
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

int opener_ask_events(struct opener *o, const struct target *t, bool renew)
{
	int err = o->events_asked
			  ? -EBUSY
			  : ask(o, REQUEST_EVENTS | (renew ? REQUEST_RENEW : 0), t);

	if (err)
		return err;
	o->events_asked = o->serial;
	o->answered = false;
	return 0;
}

int opener_events(struct opener *o, struct perf_counts *out)
{
	(void)!opener_receive(o);
	if (!o->answered)
		return -EAGAIN;
	*out = o->events;
	o->answered = false;
	return 0;
}
