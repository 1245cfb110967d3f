// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/dir.h"
#include "base/file.h"
#include "base/parse.h"
#include "proc/procpid.h"

#define KTHREADD	2 /* in the initial PID namespace */
#define PATH_CAP	64u
#define STAT_CAP	2048u /* 52 numbers of at most 20 digits and a comm */
#define SCHEDSTAT_CAP	80u   /* three numbers */
#define STATUS_CAP	2048u /* Gid: is before Groups:, the only long line */
#define DIRENTS_CAP	32768u
#define THREADS_CAP	8192u	 /* both fit on a small stack (ulimit -s 64) */
#define PID_MAX_LIMIT	4194304u /* include/linux/threads.h, 64 bits */
#define PID_MAX_DEFAULT 32768u

/* Fields separated by spaces; bad stays set, so that one test at the end is enough. */
struct fields {
	const char *p, *end;
	bool bad;
};

static struct sm_str next_field(struct fields *f)
{
	struct sm_str s = {f->p, 0};

	if (!sm_parse_token(&f->p, f->end, &s))
		f->bad = true;
	return s;
}

static void skip_fields(struct fields *f, unsigned int n)
{
	while (n--)
		next_field(f);
}

static uint64_t next_u64(struct fields *f, uint64_t max)
{
	uint64_t v;

	if (!sm_parse_whole_u64(next_field(f), &v) || v > max) {
		f->bad = true;
		return 0;
	}
	return v;
}

static int64_t next_i64(struct fields *f, int64_t min, int64_t max)
{
	int64_t v;

	if (!sm_parse_whole_i64(next_field(f), &v) || v < min || v > max) {
		f->bad = true;
		return 0;
	}
	return v;
}

static int next_int(struct fields *f, int min)
{
	return (int)next_i64(f, min, INT_MAX);
}

static char next_state(struct fields *f)
{
	struct sm_str s = next_field(f);

	if (s.n == 1 && ((*s.p >= 'A' && *s.p <= 'Z') || (*s.p >= 'a' && *s.p <= 'z')))
		return *s.p;
	f->bad = true;
	return '?';
}

/* Takes "PID (comm)" up to the last ')', which the fields after it cannot contain. */
static bool parse_pid_comm(const char **p, const char *end, struct sm_pidstat *out)
{
	const char *s = *p, *close = memrchr(s, ')', (size_t)(end - s));
	uint64_t pid;
	size_t n;

	if (!close || !sm_parse_u64(&s, close, &pid) || pid == 0 || pid > INT_MAX)
		return false;
	if (close - s < 2 || s[0] != ' ' || s[1] != '(')
		return false;
	s += 2;
	n = (size_t)(close - s);
	if (memchr(s, '\0', n))
		return false;
	out->pid = (pid_t)pid;
	out->comm_len = n < SM_PIDSTAT_COMM_MAX ? n : SM_PIDSTAT_COMM_MAX;
	memcpy(out->comm, s, out->comm_len);
	out->comm[out->comm_len] = '\0';
	*p = close + 1;
	return true;
}

int sm_procpid_parse_stat(const char *s, size_t n, struct sm_pidstat *out)
{
	struct fields f = {.p = s, .end = s + n};

	if (n == 0 || !parse_pid_comm(&f.p, f.end, out))
		return -EBADMSG;
	out->state = next_state(&f);
	out->ppid = next_int(&f, 0);
	out->pgrp = next_int(&f, -1);
	out->session = next_int(&f, -1);
	out->tty_nr = next_int(&f, INT_MIN);
	skip_fields(&f, 1); /* tpgid */
	out->flags = (uint32_t)next_u64(&f, UINT32_MAX);
	out->minflt = next_u64(&f, UINT64_MAX);
	skip_fields(&f, 1); /* cminflt */
	out->majflt = next_u64(&f, UINT64_MAX);
	skip_fields(&f, 1); /* cmajflt */
	out->utime_ticks = next_u64(&f, UINT64_MAX);
	out->stime_ticks = next_u64(&f, UINT64_MAX);
	out->cutime_ticks = next_i64(&f, INT64_MIN, INT64_MAX);
	out->cstime_ticks = next_i64(&f, INT64_MIN, INT64_MAX);
	skip_fields(&f, 2); /* priority nice */
	out->num_threads = next_i64(&f, 0, INT64_MAX);
	skip_fields(&f, 1); /* itrealvalue */
	out->start_ticks = next_u64(&f, UINT64_MAX);
	skip_fields(&f, 16); /* vsize ... exit_signal */
	out->processor = next_int(&f, 0);
	return f.bad ? -EBADMSG : 0;
}

enum { HAVE_TGID = 1, HAVE_PPID = 2, HAVE_UID = 4, HAVE_GID = 8, HAVE_ALL = 15 };

static void next_id_pair(struct fields *f, uint32_t *real, uint32_t *effective)
{
	*real = (uint32_t)next_u64(f, UINT32_MAX);
	*effective = (uint32_t)next_u64(f, UINT32_MAX);
}

/* Returns the bit of a wanted line, or 0; sets *bad if a wanted line is malformed. */
static unsigned int parse_cred_line(struct sm_str line, struct sm_pidcred *out, bool *bad)
{
	struct fields f = {.p = line.p, .end = line.p + line.n};
	struct sm_str key;
	unsigned int have = 0;

	if (!sm_parse_token(&f.p, f.end, &key))
		return 0;
	if (sm_parse_eq(key, "Tgid:")) {
		have = HAVE_TGID;
		out->tgid = next_int(&f, 0);
	} else if (sm_parse_eq(key, "PPid:")) {
		have = HAVE_PPID;
		out->ppid = next_int(&f, 0);
	} else if (sm_parse_eq(key, "Uid:")) {
		have = HAVE_UID;
		next_id_pair(&f, &out->ruid, &out->euid);
	} else if (sm_parse_eq(key, "Gid:")) {
		have = HAVE_GID;
		next_id_pair(&f, &out->rgid, &out->egid);
	}
	*bad = f.bad;
	return have;
}

int sm_procpid_parse_cred(const char *s, size_t n, struct sm_pidcred *out)
{
	const char *end = s + n;
	unsigned int have = 0;
	struct sm_str line;
	bool bad = false;

	while (have != HAVE_ALL && sm_parse_line(&s, end, &line)) {
		have |= parse_cred_line(line, out, &bad);
		if (bad)
			return -EBADMSG;
	}
	return have == HAVE_ALL ? 0 : -EBADMSG;
}

/* Converts the error of a task that exits between open and read to -ENOENT. */
static ssize_t esrch_is_enoent(ssize_t n)
{
	return n == -ESRCH ? -ENOENT : n;
}

static char *append_id(char *path, pid_t id)
{
	char digits[12];
	size_t at = sizeof(digits);
	unsigned int v = (unsigned int)id;

	do
		digits[--at] = (char)('0' + v % 10);
	while (v /= 10);
	memcpy(path, digits + at, sizeof(digits) - at);
	return path + sizeof(digits) - at;
}

/* Writes "PID/name", or "PID/task/TID/name" with tid > 0, without printf, because a scan
 * needs a path for every process. */
static void task_path(char path[PATH_CAP], pid_t pid, pid_t tid, const char *name)
{
	path = append_id(path, pid);
	if (tid > 0) {
		memcpy(path, "/task/", 6);
		path = append_id(path + 6, tid);
	}
	*path++ = '/';
	memcpy(path, name, strlen(name) + 1);
}

/* Reads a file; PIDs of 0 and below have no directory in /proc. */
static ssize_t read_task_file(const struct sm_root *r, pid_t pid, pid_t tid,
	const char *name, char *buf, size_t cap)
{
	char path[PATH_CAP];

	if (pid <= 0)
		return -ENOENT;
	task_path(path, pid, tid, name);
	return esrch_is_enoent(sm_file_slurp_bytes(r->proc, path, buf, cap));
}

ssize_t sm_procpid_read_file(
	const struct sm_root *r, pid_t pid, const char *name, char *buf, size_t cap)
{
	return read_task_file(r, pid, 0, name, buf, cap);
}

/* Reads a file of one line, usually with one read(2): it is complete with its newline. */
static ssize_t read_line_file(const struct sm_root *r, pid_t pid, pid_t tid,
	const char *name, char *buf, size_t cap)
{
	char path[PATH_CAP];
	SM_CLOSE_FD int fd = -1;
	size_t len = 0;

	if (pid <= 0)
		return -ENOENT;
	task_path(path, pid, tid, name);
	fd = sm_at_open(r->proc, path, 0);
	if (fd < 0)
		return esrch_is_enoent(fd);
	while (len < cap) {
		ssize_t got = read(fd, buf + len, cap - len);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return esrch_is_enoent(-errno);
		len += (size_t)got;
		if (got == 0 || buf[len - 1] == '\n')
			break;
	}
	return (ssize_t)len;
}

int sm_procpid_read_thread_stat(
	const struct sm_root *r, pid_t pid, pid_t tid, struct sm_pidstat *out)
{
	char buf[STAT_CAP];
	ssize_t n = read_line_file(r, pid, tid, "stat", buf, sizeof(buf));

	return n < 0 ? (int)n : sm_procpid_parse_stat(buf, (size_t)n, out);
}

/* Divides like cputime_adjust() of kernel/sched/cputime.c. */
uint64_t sm_procpid_system_ns(uint64_t cpu_ns, uint64_t utime_ns, uint64_t stime_ns)
{
	double cpu = (double)cpu_ns, all = (double)utime_ns + (double)stime_ns;
	double system = all > 0 ? cpu * ((double)stime_ns / all) : 0;
	uint64_t ns = system < cpu ? (uint64_t)system : cpu_ns;

	return ns < cpu_ns ? ns : cpu_ns; /* rounded */
}

int sm_procpid_read_stat(const struct sm_root *r, pid_t pid, struct sm_pidstat *out)
{
	return sm_procpid_read_thread_stat(r, pid, 0, out);
}

bool sm_procpid_foreign(const struct sm_root *r)
{
	struct sm_pidstat st;

	if (!r->live || sm_root_initial_pidns(r))
		return false;
	return sm_procpid_read_stat(r, KTHREADD, &st) < 0 || !(st.flags & SM_PF_KTHREAD);
}

pid_t sm_procpid_self(const struct sm_root *r)
{
	char text[16];
	ssize_t n = readlinkat(r->proc.fd, "self", text, sizeof(text));
	const char *p = text;
	uint64_t pid;

	if (n < 0)
		return -errno;
	return sm_parse_u64(&p, text + n, &pid) && p == text + n && pid <= INT_MAX
		       ? (pid_t)pid
		       : -EBADMSG;
}

int sm_procpid_read_schedstat(const struct sm_root *r, pid_t pid, pid_t tid,
	uint64_t *run_ns, uint64_t *wait_ns)
{
	char buf[SCHEDSTAT_CAP] = "";
	ssize_t n = read_line_file(r, pid, tid, "schedstat", buf, sizeof(buf));
	const char *p = buf, *end;

	if (n < 0)
		return (int)n;
	end = buf + n;
	if (!sm_parse_u64(&p, end, run_ns))
		return -EBADMSG;
	sm_parse_skip_blanks(&p, end);
	if (!sm_parse_u64(&p, end, wait_ns))
		return -EBADMSG;
	return *run_ns || *wait_ns ? 0 : -ENODATA;
}

int sm_procpid_read_cred(const struct sm_root *r, pid_t pid, struct sm_pidcred *out)
{
	char buf[STATUS_CAP];
	ssize_t n = sm_procpid_read_file(r, pid, "status", buf, sizeof(buf));

	return n < 0 ? (int)n : sm_procpid_parse_cred(buf, (size_t)n, out);
}

ssize_t sm_procpid_read_thread_cmdline(
	const struct sm_root *r, pid_t pid, pid_t tid, char *buf, size_t cap)
{
	return read_task_file(r, pid, tid, "cmdline", buf, cap);
}

ssize_t sm_procpid_read_cmdline(const struct sm_root *r, pid_t pid, char *buf, size_t cap)
{
	return sm_procpid_read_thread_cmdline(r, pid, 0, buf, cap);
}

ssize_t sm_procpid_read_kthreads(const struct sm_root *r, char *buf, size_t cap)
{
	struct sm_pidstat st;
	int err = sm_procpid_read_stat(r, KTHREADD, &st);

	if (!err && !(st.flags & SM_PF_KTHREAD))
		err = -ENOENT;
	return err ? err : sm_procpid_read_file(r, KTHREADD, "task/2/children", buf, cap);
}

bool sm_procpid_is_gone(pid_t pid)
{
	return getpgid(pid) < 0 && errno == ESRCH;
}

ssize_t sm_procpid_read_comm(const struct sm_root *r, pid_t pid, char *buf, size_t cap)
{
	ssize_t n;

	if (cap == 0)
		return -EINVAL;
	n = sm_procpid_read_file(r, pid, "comm", buf, cap - 1);
	if (n > 0 && buf[n - 1] == '\n')
		n--;
	buf[n < 0 ? 0 : n] = '\0';
	return n;
}

/* Parses a PID as the kernel writes it, without leading zeros; 0: not a PID. */
static pid_t name_to_pid(const char *name)
{
	struct sm_str s = {name, strlen(name)};
	uint64_t v;

	if (*name == '0' || !sm_parse_whole_u64(s, &v) || v > INT_MAX)
		return 0;
	return (pid_t)v;
}

static int scan_dir(struct sm_dir *d, int (*fn)(void *ctx, pid_t pid), void *ctx)
{
	const char *name;
	int ret = 0;

	while (ret == 0 && (name = sm_dir_next(d)) != NULL) {
		pid_t pid = name_to_pid(name);

		ret = pid ? fn(ctx, pid) : 0;
	}
	sm_dir_close(d);
	return ret ? ret : (int)esrch_is_enoent(d->err);
}

int sm_procpid_scan(const struct sm_root *r, int (*fn)(void *ctx, pid_t pid), void *ctx)
{
	_Alignas(8) char buf[DIRENTS_CAP];
	struct sm_dir d;
	int ret = sm_dir_open(&d, r->proc, ".", buf, sizeof(buf));

	return ret < 0 ? (int)esrch_is_enoent(ret) : scan_dir(&d, fn, ctx);
}

int sm_procpid_scan_threads(
	const struct sm_root *r, pid_t pid, int (*fn)(void *ctx, pid_t tid), void *ctx)
{
	_Alignas(8) char buf[THREADS_CAP];
	char path[PATH_CAP];
	struct sm_dir d;
	int ret;

	if (pid <= 0)
		return -ENOENT;
	task_path(path, pid, 0, "task");
	ret = sm_dir_open(&d, r->proc, path, buf, sizeof(buf));
	return ret < 0 ? (int)esrch_is_enoent(ret) : scan_dir(&d, fn, ctx);
}

/* --- threads of a process without a leader ------------------------------------------ */

static bool is_ending(const struct sm_pidstat *st)
{
	return st->state == 'Z' || st->state == 'X' || st->flags & SM_PF_EXITING;
}

bool sm_procpid_leader_ended(const struct sm_pidstat *st)
{
	return is_ending(st) && st->num_threads > 1;
}

struct living {
	const struct sm_root *root;
	pid_t pid;
	struct sm_pidstat *out;
	bool found;
};

static int activity(char state)
{
	return state == 'R' ? 2 : state == 'D';
}

/* Keeps the most active thread; returns 1, which ends the scan, for a running one. */
static int look_at_thread(void *ctx, pid_t tid)
{
	struct living *l = ctx;
	struct sm_pidstat st;

	if (sm_procpid_read_thread_stat(l->root, l->pid, tid, &st) < 0 || is_ending(&st))
		return 0;
	if (!l->found || activity(st.state) > activity(l->out->state))
		*l->out = st;
	l->found = true;
	return st.state == 'R';
}

int sm_procpid_living_thread(const struct sm_root *r, pid_t pid, struct sm_pidstat *out)
{
	struct living l = {.root = r, .pid = pid, .out = out};
	int err = sm_procpid_scan_threads(r, pid, look_at_thread, &l);

	if (err < 0)
		return err;
	return l.found ? 0 : -ENOENT;
}

uint32_t sm_procpid_max(const struct sm_root *r)
{
	uint64_t v;

	if (sm_file_read_u64(r->proc, "sys/kernel/pid_max", &v) < 0)
		return PID_MAX_DEFAULT;
	return v == 0 || v > PID_MAX_LIMIT ? PID_MAX_DEFAULT : (uint32_t)v;
}
