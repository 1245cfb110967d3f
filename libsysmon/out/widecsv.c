// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/map.h"
#include "base/text.h"
#include "out/replace.h"
#include "out/widecsv.h"

#define FIRST_CAP   64
#define WRITE_BYTES 65536

/* The spool: for each sample a head and its values. */
struct head {
	uint64_t t_ns, wall_ns;
	uint64_t n;
};

struct value {
	uint32_t column;
	double v;
} __attribute__((packed));

struct sm_widecsv {
	struct sm_widecsv_want want;
	bool straight; /* FILE is no regular file, or shares standard output's */
	int fd;	       /* FILE */
	int spool;
	uint64_t spool_bytes; /* of whole samples */
	uint64_t start_ns;
	struct sm_map columns; /* key -> index + 1 */
	uint64_t *amount;      /* by column */
	uint32_t n;
	size_t cap;
	bool others; /* have values, and this amount */
	uint64_t others_amount;
	struct sm_buf names;  /* row 1 as it will be */
	struct sm_buf record; /* of the sample */
	struct head head;
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

/* For file systems without O_TMPFILE: create and unlink. */
static int open_named_spool(const struct sm_widecsv *w, const char *dir)
{
	char *name;
	int fd;

	if (asprintf(&name, "%s/.sysmon.%d", dir, (int)getpid()) < 0)
		return -ENOMEM;
	fd = w->want.open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
	if (fd >= 0 && unlink(name) < 0) {
		close(fd);
		fd = -errno;
	}
	free(name);
	return fd;
}

static int open_spool_in(const struct sm_widecsv *w, const char *dir)
{
	int fd = w->want.open(dir, O_RDWR | O_TMPFILE | O_EXCL, 0600);

	if (fd == -EOPNOTSUPP || fd == -EISDIR || fd == -EINVAL)
		fd = open_named_spool(w, dir);
	return fd;
}

/* In FILE's directory if permitted: FILE needs the space there anyway. */
static int open_spool(const struct sm_widecsv *w)
{
	char *path, *dir;
	int fd;

	if (w->straight)
		return open_spool_in(w, P_tmpdir);
	path = realpath(w->want.path, NULL);
	dir = path ? directory_of(path) : NULL;
	fd = path && !dir ? -ENOMEM : dir ? open_spool_in(w, dir) : -errno;
	free(path);
	free(dir);
	return sm_replace_forbidden(fd) ? open_spool_in(w, P_tmpdir) : fd;
}

static bool same_file(const struct stat *st, int fd)
{
	struct stat other;

	return fstat(fd, &other) == 0 && st->st_dev == other.st_dev &&
	       st->st_ino == other.st_ino;
}

/* -r /dev/stdout > FILE: share the offset, so that earlier output is not overwritten. */
static int share_offset(struct sm_widecsv *w, int standard)
{
	int fd = fcntl(standard, F_DUPFD_CLOEXEC, 3);

	if (fd < 0)
		return -errno;
	close(w->fd);
	w->fd = fd;
	return 0;
}

static int open_file(struct sm_widecsv *w)
{
	struct stat st;

	w->fd = w->want.open(w->want.path, O_WRONLY | O_CREAT, 0666);
	if (w->fd < 0)
		return w->fd;
	if (fstat(w->fd, &st) < 0)
		return -errno;
	w->straight = true;
	if (!S_ISREG(st.st_mode))
		return 0;
	for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
		if (same_file(&st, fd))
			return share_offset(w, fd);
	w->straight = false;
	return 0;
}

int sm_widecsv_open(struct sm_widecsv **out, const struct sm_widecsv_want *want)
{
	struct sm_widecsv *w = calloc(1, sizeof(*w));
	int err;

	if (!w)
		return -ENOMEM;
	w->want = *want;
	w->fd = w->spool = -1;
	err = sm_map_init(&w->columns, FIRST_CAP);
	if (!err)
		err = open_file(w);
	if (!err) {
		w->spool = open_spool(w);
		err = w->spool < 0 ? w->spool : 0;
	}
	if (err)
		sm_widecsv_close(w);
	else
		*out = w;
	return err;
}

void sm_widecsv_close(struct sm_widecsv *w)
{
	if (!w)
		return;
	if (w->fd >= 0)
		close(w->fd);
	if (w->spool >= 0)
		close(w->spool);
	sm_map_fini(&w->columns);
	sm_buf_fini(&w->names);
	sm_buf_fini(&w->record);
	free(w->amount);
	free(w);
}

/* --- samples ------------------------------------------------------------------------ */

uint64_t sm_widecsv_seed(const struct sm_widecsv *w)
{
	return w->columns.seed;
}

int sm_widecsv_find(const struct sm_widecsv *w, uint64_t key, uint32_t *column)
{
	uintptr_t known = (uintptr_t)sm_map_get(&w->columns, key);

	*column = (uint32_t)known - 1;
	return known ? 0 : -ENOENT;
}

/* A spreadsheet takes text that begins like this for a formula; names are chosen by
 * anybody. */
static void add_name(struct sm_buf *b, const char *name, size_t n)
{
	struct sm_buf text = {0};

	if (n && strchr("=+-@", name[0]))
		sm_buf_chr(&text, '\'');
	sm_buf_add(&text, name, n);
	sm_text_csv(b, text.p, text.len);
	sm_buf_fini(&text);
}

uint32_t sm_widecsv_column(struct sm_widecsv *w, uint64_t key, const char *name, size_t n)
{
	if (w->n == SM_WIDECSV_COLUMNS_MAX ||
		sm_array_reserve(&w->amount, &w->cap, w->n + 1, sizeof(*w->amount)) < 0 ||
		sm_map_put(&w->columns, key, (void *)(uintptr_t)(w->n + 1)) < 0)
		return SM_WIDECSV_OTHERS;
	sm_buf_chr(&w->names, ',');
	add_name(&w->names, name, n);
	w->amount[w->n] = 0;
	return w->n++;
}

void sm_widecsv_value(
	struct sm_widecsv *w, uint32_t column, double value, uint64_t amount)
{
	struct value v = {column, value};

	if (column == SM_WIDECSV_OTHERS)
		w->others_amount += amount;
	else
		w->amount[column] += amount;
	w->others |= column == SM_WIDECSV_OTHERS;
	sm_buf_add(&w->record, (const char *)&v, sizeof(v));
	w->head.n++;
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

/* A partial sample at the end of the spool is ignored. */
static int save(struct sm_widecsv *w)
{
	int err = sm_buf_error(&w->record);

	if (!err)
		err = sm_buf_error(&w->names);
	if (!err)
		err = write_at(w->spool, w->record.p, w->record.len, w->spool_bytes);
	if (!err)
		w->spool_bytes += w->record.len;
	return err;
}

int sm_widecsv_begin(struct sm_widecsv *w, uint64_t t_ns, uint64_t wall_ns)
{
	if (w->err)
		return w->err;
	if (!w->spool_bytes)
		w->start_ns = t_ns;
	w->head = (struct head){t_ns, wall_ns, 0};
	sm_buf_reset(&w->record);
	sm_buf_add(&w->record, (const char *)&w->head, sizeof(w->head));
	return 0;
}

int sm_widecsv_end(struct sm_widecsv *w)
{
	if (w->record.len >= sizeof(w->head))
		memcpy(w->record.p, &w->head, sizeof(w->head));
	w->err = save(w);
	return w->err;
}

/* --- the table ---------------------------------------------------------------------- */

struct reader {
	const struct sm_widecsv *w;
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
	struct sm_widecsv *w;
	struct reader in;
	struct sm_buf out;
	double *value; /* by column, the others' last; NAN: none */
	int fd;
};

static int flush(struct table *t)
{
	int err = sm_buf_error(&t->out);

	if (!err)
		err = sm_file_write(t->fd, t->out.p, t->out.len);
	sm_buf_reset(&t->out);
	return err;
}

static int end_row(struct table *t)
{
	sm_buf_chr(&t->out, '\n');
	return t->out.len < WRITE_BYTES ? sm_buf_error(&t->out) : flush(t);
}

static void put_amount(struct table *t, uint64_t amount)
{
	uint64_t unit = t->w->want.amount_unit;

	sm_buf_chr(&t->out, ',');
	sm_buf_u64(&t->out, (amount + unit / 2) / unit);
}

static int put_head(struct table *t)
{
	const struct sm_widecsv *w = t->w;
	const char *clock = w->want.clock ? "," : "";
	int err;

	sm_buf_str(&t->out, w->want.names);
	sm_buf_str(&t->out, clock);
	sm_buf_add(&t->out, w->names.p, w->names.len);
	if (w->others)
		sm_buf_str(&t->out, ",(others)");
	err = end_row(t);
	if (err)
		return err;
	sm_buf_str(&t->out, w->want.amounts);
	sm_buf_str(&t->out, clock);
	for (uint32_t i = 0; i < w->n; i++)
		put_amount(t, w->amount[i]);
	if (w->others)
		put_amount(t, w->others_amount);
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

/* The values of a sample are in any order; several can belong to "(others)". */
static int get_values(struct table *t, uint64_t n)
{
	struct value v;
	int err = 0;

	while (n-- && !err) {
		double *value;

		err = get(&t->in, &v, sizeof(v));
		if (err)
			break;
		value = &t->value[v.column < t->w->n ? v.column : t->w->n];
		*value = (isnan(*value) ? 0 : *value) + v.v;
	}
	return err;
}

static int put_sample(struct table *t)
{
	struct head head;
	uint32_t columns = t->w->n + t->w->others;
	int err = get(&t->in, &head, sizeof(head));

	if (!err)
		err = get_values(t, head.n);
	if (err)
		return err;
	sm_buf_fixed(&t->out, (head.t_ns - t->w->start_ns + 500) / 1000, 6);
	if (t->w->want.clock)
		put_clock(t, head.wall_ns);
	for (uint32_t i = 0; i < columns; i++) {
		sm_buf_chr(&t->out, ',');
		if (isnan(t->value[i]))
			continue;
		sm_buf_double(&t->out, t->value[i], 6);
		t->value[i] = NAN;
	}
	return end_row(t);
}

static int put_table(struct table *t)
{
	int err;

	t->value = malloc(((size_t)t->w->n + 1) * sizeof(*t->value));
	if (!t->value)
		return -ENOMEM;
	for (size_t i = 0; i <= t->w->n; i++)
		t->value[i] = NAN;
	err = put_head(t);
	while (!err && t->in.at - (t->in.len - t->in.pos) < t->w->spool_bytes)
		err = put_sample(t);
	return err ? err : flush(t);
}

static int write_table(void *ctx, int fd)
{
	struct sm_widecsv *w = ctx;
	struct table *t = calloc(1, sizeof(*t));
	int err;

	if (!t)
		return -ENOMEM;
	t->w = w;
	t->in.w = w;
	t->fd = fd;
	err = put_table(t);
	sm_buf_fini(&t->out);
	free(t->value);
	free(t);
	return err;
}

/* --- the end ------------------------------------------------------------------------ */

static int replace(struct sm_widecsv *w)
{
	struct stat st;

	if (fstat(w->fd, &st) < 0)
		return -errno;
	return sm_replace_file(w->want.path, st.st_mode & 0777, write_table, w);
}

static int write_in_place(struct sm_widecsv *w)
{
	if (!w->straight && ftruncate(w->fd, 0) < 0)
		return -errno;
	return write_table(w, w->fd);
}

bool sm_widecsv_may_wait(const struct sm_widecsv *w)
{
	return w->straight;
}

int sm_widecsv_finish(struct sm_widecsv *w)
{
	int err = w->straight ? -EPERM : replace(w);

	if (sm_replace_forbidden(err))
		err = write_in_place(w);
	return w->err ? w->err : err;
}
