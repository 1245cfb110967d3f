// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "fcntl/fcntl.h"

#define FILE_NAME "file"

/* EINVAL: the kernel is older than the command; for locks and leases, the file system
 * does not support them. */
static const struct part table[] = {
	{"F_DUPFD", fcntl_dupfd, .absent = {0}},
	{"F_DUPFD_CLOEXEC", fcntl_dupfd_cloexec, .absent = {0}},
	{"F_DUPFD_QUERY", fcntl_dupfd_query, .absent = {EINVAL}},
	{"F_CREATED_QUERY", fcntl_created_query, .absent = {EINVAL}},
	{"F_SETFD", fcntl_setfd, .absent = {0}},
	{"F_SETFL O_APPEND", fcntl_append, .absent = {0}},
	{"F_SETFL O_NONBLOCK", fcntl_nonblock, .absent = {0}},
	{"F_SETLK", fcntl_setlk, .absent = {EINVAL, ENOLCK}},
	{"F_SETLKW", fcntl_setlkw, .absent = {EINVAL, ENOLCK}},
	{"F_GETLK", fcntl_getlk, .absent = {EINVAL, ENOLCK}},
	{"F_OFD_SETLK", fcntl_ofd_setlk, .absent = {EINVAL, ENOLCK}},
	{"F_OFD_SETLKW", fcntl_ofd_setlkw, .absent = {EINVAL, ENOLCK}},
	{"F_OFD_SETLK F_RDLCK", fcntl_ofd_shared, .absent = {EINVAL, ENOLCK}},
	{"F_SETOWN", fcntl_setown, .absent = {0}},
	{"F_SETOWN_EX", fcntl_setown_ex, .absent = {EINVAL}},
	{"F_GETOWNER_UIDS", fcntl_owner_uids, .absent = {EINVAL}},
	{"F_SETSIG", fcntl_setsig, .absent = {0}},
	{"F_SETLEASE", fcntl_lease, .absent = {EINVAL, EACCES, EAGAIN}},
	{"F_NOTIFY", fcntl_notify, .absent = {EINVAL, EPERM}},
	{"F_SETPIPE_SZ", fcntl_pipe_size, .absent = {EINVAL}},
	{"F_ADD_SEALS", fcntl_seals, .absent = {EINVAL}},
	{"F_SEAL_FUTURE_WRITE", fcntl_seal_future_write, .absent = {EINVAL}},
	{"F_SEAL_EXEC", fcntl_seal_exec, .absent = {EINVAL}},
	{"F_SET_RW_HINT", fcntl_rw_hint, .absent = {EINVAL, EPERM}},
	{"F_SET_FILE_RW_HINT", fcntl_file_rw_hint, .absent = {EINVAL}},
	{0},
};

static int run(struct stress *s)
{
	struct fcntl_state *t = s->data;

	return parts_run(&t->parts);
}

/* --- setup -------------------------------------------------------------------------- */

static int open_file(struct stress *s, int flags)
{
	int fd = openat(s->scratch_fd, FILE_NAME, O_RDWR | O_CLOEXEC | flags, 0600);

	if (fd < 0)
		stress_error(s, STRESS_FAIL, errno, "open of a file");
	return fd;
}

static int open_all(struct stress *s, struct fcntl_state *t)
{
	t->a = open_file(s, O_CREAT | O_EXCL);
	if (t->a < 0)
		return -1;
	if (write(t->a, t->page, FCNTL_BYTES) < 0)
		return stress_error(s, STRESS_FAIL, errno, "write to a file");
	t->b = open_file(s, 0);
	if (t->b < 0)
		return -1;
	if (pipe2(t->pipe, O_CLOEXEC) < 0)
		return stress_error(s, STRESS_FAIL, errno, "pipe");
	if (fcntl_block_signals() < 0)
		return stress_error(s, STRESS_FAIL, errno, "sigprocmask");
	return 0;
}

static int setup(struct stress *s)
{
	struct fcntl_state *t = s->data;
	int r;

	t->a = t->b = t->pipe[0] = t->pipe[1] = -1;
	t->random = s->seed;
	t->page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	t->page = calloc(1, t->page_bytes);
	r = t->page ? open_all(s, t) : stress_lacks(s, "no memory");
	if (r)
		return r;
	parts_init(&t->parts, s, table);
	return 0;
}

/* Remarks for the man page (man/remarks.h). */
const char stressor_fcntl_man[] =
	"metric time per part: one command with the checks of its effect\n"
	"metric parts: commands that work on this machine\n"
	"Commands that the kernel, the file system or the privileges do not permit "
	"are omitted after the first round, and the result names them.  For "
	"example, F_SET_FILE_RW_HINT exists only in Linux 4.13 to 5.16.\n";

const struct stressor stressor_fcntl = {
	.name = "fcntl",
	.does = "use all commands of fcntl(2)",
	.op = "one round of all commands",
	.checks = "values are read back; locks are visible through another open file "
		  "and conflict there; signals for pipes, leases and directories "
		  "arrive; actions that seals, sizes and flags forbid fail",
	.needs = "a directory for its file (--temp-path)",
	.scratch = true,
	.classes = CLASS_FILESYSTEM | CLASS_OS,
	.metrics = parts_metrics,
	.state = sizeof(struct fcntl_state),
	.setup = setup,
	.run = run,
};
