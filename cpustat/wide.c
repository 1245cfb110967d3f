// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "accum.h"
#include "buf.h"
#include "hash.h"
#include "priv.h"
#include "text.h"
#include "wide.h"

#define OTHERS	    UINT32_MAX
#define FIRST_CAP   64
#define WRITE_BYTES 65536

/* What the spool holds: a head for each sample and its values. */
struct head {
	uint64_t t_ns, wall_ns;
	uint64_t n;
};

struct value {
	uint32_t column;
	double pct;
} __attribute__((packed));

struct wide {
	const struct cs_opts *opts;
	char *path; /* what is replaced; NULL: fd is written straight */
	int fd;	    /* FILE */
	int spool;
	uint64_t spool_bytes; /* of whole samples */
	uint64_t start_ns;
	struct sm_map columns; /* cs_row_key() -> index + 1 */
	uint64_t *used_ns;     /* by column */
	uint32_t n;
	size_t cap;
	uint64_t others_ns;
	struct sm_buf heads;  /* row 1 as it will be */
	struct sm_buf record; /* of the sample */
	int err;
};

/* --- opening ------------------------------------------------------------------------ */

static char *directory_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return strdup(".");
	return strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

/* Of making and renaming a file. */
static bool not_allowed(int err)
{
	return err == -EACCES || err == -EPERM || err == -EROFS || err == -ENAMETOOLONG;
}

/* Where the file system has no unnamed files: one that loses its name at once. */
static int open_named_spool(const char *dir)
{
	char *name;
	int fd;

	if (asprintf(&name, "%s/.cpustat.%d", dir, (int)getpid()) < 0)
		return -ENOMEM;
	fd = sm_priv_open_as_invoker(name, O_RDWR | O_CREAT | O_EXCL, 0600);
	if (fd >= 0 && unlink(name) < 0) {
		close(fd);
		fd = -errno;
	}
	free(name);
	return fd;
}

static int open_spool_in(const char *dir)
{
	int fd = sm_priv_open_as_invoker(dir, O_RDWR | O_TMPFILE | O_EXCL, 0600);

	if (fd == -EOPNOTSUPP || fd == -EISDIR || fd == -EINVAL)
		fd = open_named_spool(dir);
	return fd;
}

/* In FILE's directory, if it lets us: there is the room that FILE needs, too. */
static int open_spool(const char *path)
{
	char *dir;
	int fd;

	if (!path)
		return open_spool_in(P_tmpdir);
	dir = directory_of(path);
	if (!dir)
		return -ENOMEM;
	fd = open_spool_in(dir);
	free(dir);
	return not_allowed(fd) ? open_spool_in(P_tmpdir) : fd;
}

static bool same_file(const struct stat *st, int fd)
{
	struct stat other;

	return fstat(fd, &other) == 0 && st->st_dev == other.st_dev &&
	       st->st_ino == other.st_ino;
}

/* -r /dev/stdout > FILE: what is written there already must stay, so the offset is
 * shared. */
static int share_offset(struct wide *w, int standard)
{
	int fd = fcntl(standard, F_DUPFD_CLOEXEC, 3);

	if (fd < 0)
		return -errno;
	close(w->fd);
	w->fd = fd;
	return 0;
}

static int open_file(struct wide *w)
{
	const char *path = w->opts->wide_csv;
	struct stat st;

	w->fd = sm_priv_open_as_invoker(path, O_WRONLY | O_CREAT, 0666);
	if (w->fd < 0)
		return w->fd;
	if (fstat(w->fd, &st) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode))
		return 0;
	for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
		if (same_file(&st, fd))
			return share_offset(w, fd);
	/* A symbolic link stays one. */
	w->path = realpath(path, NULL);
	return w->path ? 0 : -errno;
}

int wide_open(struct wide **out, const struct cs_opts *o)
{
	struct wide *w = calloc(1, sizeof(*w));
	int err;

	if (!w)
		return -ENOMEM;
	w->opts = o;
	w->fd = w->spool = -1;
	err = sm_map_init(&w->columns, FIRST_CAP);
	if (!err)
		err = open_file(w);
	if (!err) {
		w->spool = open_spool(w->path);
		err = w->spool < 0 ? w->spool : 0;
	}
	if (err)
		wide_close(w);
	else
		*out = w;
	return err;
}

void wide_close(struct wide *w)
{
	if (!w)
		return;
	if (w->fd >= 0)
		close(w->fd);
	if (w->spool >= 0)
		close(w->spool);
	sm_map_fini(&w->columns);
	sm_buf_fini(&w->heads);
	sm_buf_fini(&w->record);
	free(w->used_ns);
	free(w->path);
	free(w);
}

/* --- samples come ------------------------------------------------------------------- */

static void add_head(struct wide *w, const struct cs_row *row)
{
	char text[SM_PIDSTAT_COMM_MAX + 48];
	int n = (int)(row->comm.n < SM_PIDSTAT_COMM_MAX ? row->comm.n
							: SM_PIDSTAT_COMM_MAX);

	if (n)
		memcpy(text, row->comm.p, (size_t)n);
	else
		text[n++] = '-';
	n += snprintf(text + n, sizeof(text) - (size_t)n, "%s (%d)",
		row->kind == CS_EXITED ? " (exited children)" : "", (int)row->pid);
	sm_buf_chr(&w->heads, ',');
	sm_text_csv(&w->heads, text, (size_t)n);
}

static int grow_columns(struct wide *w)
{
	size_t cap = w->cap ? w->cap * 2 : FIRST_CAP;
	uint64_t *used_ns;

	if (w->n < w->cap)
		return 0;
	used_ns = reallocarray(w->used_ns, cap, sizeof(*used_ns));
	if (!used_ns)
		return -ENOMEM;
	w->used_ns = used_ns;
	w->cap = cap;
	return 0;
}

/* OTHERS when there is no room. */
static uint32_t column_of(struct wide *w, const struct cs_row *row)
{
	uint64_t key = cs_row_key(row, w->columns.seed);
	uintptr_t known = (uintptr_t)sm_map_get(&w->columns, key);

	if (known)
		return (uint32_t)known - 1;
	if (w->n == WIDE_TASKS_MAX || grow_columns(w) < 0 ||
		sm_map_put(&w->columns, key, (void *)(uintptr_t)(w->n + 1)) < 0)
		return OTHERS;
	add_head(w, row);
	w->used_ns[w->n] = 0;
	return w->n++;
}

static void add_value(struct wide *w, const struct cs_row *row, double scale)
{
	struct value v = {column_of(w, row), cs_pct(row, row->used_ns) * scale};

	if (v.column == OTHERS)
		w->others_ns += row->used_ns;
	else
		w->used_ns[v.column] += row->used_ns;
	sm_buf_add(&w->record, (const char *)&v, sizeof(v));
}

static int write_at(int fd, const char *p, size_t n, uint64_t at)
{
	while (n) {
		ssize_t did = pwrite(fd, p, n, (off_t)at);

		if (did < 0 && errno == EINTR)
			continue;
		if (did < 0)
			return -errno;
		p += did;
		n -= (size_t)did;
		at += (size_t)did;
	}
	return 0;
}

/* Half a sample at the end of the spool does not count. */
static int save(struct wide *w)
{
	int err = sm_buf_error(&w->record);

	if (!err)
		err = sm_buf_error(&w->heads);
	if (!err)
		err = write_at(w->spool, w->record.p, w->record.len, w->spool_bytes);
	if (!err)
		w->spool_bytes += w->record.len;
	return err;
}

int wide_add(struct wide *w, const struct cs_sample *s, const struct cs_row *rows,
	size_t n, double scale)
{
	struct head head = {s->t_ns, s->wall_ns, 0};

	if (w->err || !s->dt_ns)
		return w->err;
	if (!w->spool_bytes)
		w->start_ns = s->t_ns;
	sm_buf_reset(&w->record);
	sm_buf_add(&w->record, (const char *)&head, sizeof(head));
	for (size_t i = 0; i < n; i++) {
		if (rows[i].kind > CS_EXITED || !rows[i].used_ns)
			continue;
		add_value(w, &rows[i], scale);
		head.n++;
	}
	if (w->record.len >= sizeof(head))
		memcpy(w->record.p, &head, sizeof(head));
	w->err = save(w);
	return w->err;
}

/* --- the table ---------------------------------------------------------------------- */

struct reader {
	const struct wide *w;
	uint64_t at; /* in the spool, of buf's end */
	size_t pos, len;
	char buf[WRITE_BYTES];
};

static int fill(struct reader *r)
{
	ssize_t n;

	do
		n = pread(r->w->spool, r->buf, sizeof(r->buf), (off_t)r->at);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	if (n == 0)
		return -EIO;
	r->at += (size_t)n;
	r->len = (size_t)n;
	r->pos = 0;
	return 0;
}

static int get(struct reader *r, void *to, size_t n)
{
	char *p = to;

	while (n) {
		size_t part = r->len - r->pos;
		int err = part ? 0 : fill(r);

		if (err)
			return err;
		if (!part)
			continue;
		part = part < n ? part : n;
		memcpy(p, r->buf + r->pos, part);
		r->pos += part;
		p += part;
		n -= part;
	}
	return 0;
}

struct table {
	struct wide *w;
	struct reader in;
	struct sm_buf out;
	double *pct; /* by column, the others' last; below 0: none */
	int fd;
};

static int flush(struct table *t)
{
	const char *p = t->out.p;
	size_t n = t->out.len;
	int err = sm_buf_error(&t->out);

	while (!err && n) {
		ssize_t did = write(t->fd, p, n);

		if (did >= 0) {
			p += did;
			n -= (size_t)did;
		} else if (errno != EINTR) {
			err = -errno;
		}
	}
	sm_buf_reset(&t->out);
	return err;
}

static int end_row(struct table *t)
{
	sm_buf_chr(&t->out, '\n');
	return t->out.len < WRITE_BYTES ? sm_buf_error(&t->out) : flush(t);
}

static void put_ticks(struct table *t, uint64_t ns)
{
	uint64_t tick_ns = SM_NSEC_PER_SEC / (uint64_t)sysconf(_SC_CLK_TCK);

	sm_buf_chr(&t->out, ',');
	sm_buf_u64(&t->out, (ns + tick_ns / 2) / tick_ns);
}

static int put_heads(struct table *t)
{
	const struct wide *w = t->w;
	const char *time_column = w->opts->heading_time ? "," : "";
	int err;

	sm_buf_str(&t->out, "Task:");
	sm_buf_str(&t->out, time_column);
	sm_buf_add(&t->out, w->heads.p, w->heads.len);
	if (w->others_ns)
		sm_buf_str(&t->out, ",(others)");
	err = end_row(t);
	if (err)
		return err;
	sm_buf_str(&t->out, "Ticks:");
	sm_buf_str(&t->out, time_column);
	for (uint32_t i = 0; i < w->n; i++)
		put_ticks(t, w->used_ns[i]);
	if (w->others_ns)
		put_ticks(t, w->others_ns);
	return end_row(t);
}

static void put_clock(struct table *t, uint64_t wall_ns)
{
	time_t sec = (time_t)(wall_ns / SM_NSEC_PER_SEC);
	char text[16] = "";
	struct tm tm;

	memset(&tm, 0, sizeof(tm));
	localtime_r(&sec, &tm);
	strftime(text, sizeof(text), ",%H:%M:%S", &tm);
	sm_buf_str(&t->out, text);
}

/* The values of a sample come in any order; several of them can be the others'. */
static int get_values(struct table *t, uint64_t n)
{
	struct value v;
	int err = 0;

	while (n-- && !err) {
		double *pct;

		err = get(&t->in, &v, sizeof(v));
		if (err)
			break;
		pct = &t->pct[v.column < t->w->n ? v.column : t->w->n];
		*pct = (*pct < 0 ? 0 : *pct) + v.pct;
	}
	return err;
}

static int put_sample(struct table *t)
{
	struct head head;
	uint32_t columns = t->w->n + (t->w->others_ns ? 1 : 0);
	int err = get(&t->in, &head, sizeof(head));

	if (!err)
		err = get_values(t, head.n);
	if (err)
		return err;
	sm_buf_fixed(&t->out, (head.t_ns - t->w->start_ns + 500) / 1000, 6);
	if (t->w->opts->heading_time)
		put_clock(t, head.wall_ns);
	for (uint32_t i = 0; i < columns; i++) {
		sm_buf_chr(&t->out, ',');
		if (t->pct[i] < 0)
			continue;
		sm_buf_double(&t->out, t->pct[i], 6);
		t->pct[i] = -1;
	}
	return end_row(t);
}

static int put_table(struct table *t)
{
	int err;

	t->pct = malloc(((size_t)t->w->n + 1) * sizeof(*t->pct));
	if (!t->pct)
		return -ENOMEM;
	for (size_t i = 0; i <= t->w->n; i++)
		t->pct[i] = -1;
	err = put_heads(t);
	while (!err && t->in.at - (t->in.len - t->in.pos) < t->w->spool_bytes)
		err = put_sample(t);
	return err ? err : flush(t);
}

static int write_table(struct wide *w, int fd)
{
	struct table *t = calloc(1, sizeof(*t));
	int err;

	if (!t)
		return -ENOMEM;
	t->w = w;
	t->in.w = w;
	t->fd = fd;
	err = put_table(t);
	sm_buf_fini(&t->out);
	free(t->pct);
	free(t);
	return err;
}

/* --- the end ------------------------------------------------------------------------ */

/* FILE's rights and, as far as allowed, its owner. */
static void take_after(int fd, int file)
{
	struct stat st;

	if (fstat(file, &st) < 0)
		return;
	(void)!fchown(fd, st.st_uid, st.st_gid);
	(void)!fchmod(fd, st.st_mode & 0777);
}

static int write_new(struct wide *w, const char *name)
{
	int err, fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
			 0600);

	if (fd < 0)
		return -errno;
	take_after(fd, w->fd);
	err = write_table(w, fd);
	if (close(fd) < 0 && !err)
		err = -errno;
	if (!err && rename(name, w->path) < 0)
		err = -errno;
	if (err)
		unlink(name);
	return err;
}

static int replace(struct wide *w)
{
	char *name;
	int err;

	if (asprintf(&name, "%s.tmp.%d", w->path, (int)getpid()) < 0)
		return -ENOMEM;
	unlink(name); /* left by a dead process that had our pid */
	err = write_new(w, name);
	free(name);
	return err;
}

static int write_in_place(struct wide *w)
{
	if (w->path && ftruncate(w->fd, 0) < 0)
		return -errno;
	return write_table(w, w->fd);
}

bool wide_may_wait(const struct wide *w)
{
	return !w->path;
}

int wide_finish(struct wide *w)
{
	int err = w->path ? replace(w) : -EPERM;

	if (not_allowed(err))
		err = write_in_place(w);
	return w->err ? w->err : err;
}
