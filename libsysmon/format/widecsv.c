// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/map.h"
#include "format/replace.h"
#include "format/widecsv.h"
#include "format/widecsv_table.h"

#define FIRST_CAP 64

/* --- opening ------------------------------------------------------------------------ */

static char *directory_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return strdup(".");
	return strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

/* Creates and unlinks a file, for file systems without O_TMPFILE. */
static int open_named_spool(const struct sm_widecsv *w, const char *dir)
{
	char *name;
	int fd;

	if (asprintf(&name, "%s/.sysmon.%08x", dir, (unsigned int)sm_map_hash_seed()) < 0)
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

/* Opens the spool in FILE's directory if permitted, because FILE needs the space there
 * anyway. */
static int open_spool(const struct sm_widecsv *w, int *out)
{
	char *path = w->file.straight ? NULL : realpath(w->want.path, NULL);
	char *dir = path ? directory_of(path) : NULL;
	int fd = path && !dir ? -ENOMEM : dir ? open_spool_in(w, dir) : -errno;

	free(path);
	free(dir);
	if (w->file.straight || sm_replace_forbidden(fd))
		fd = open_spool_in(w, P_tmpdir);
	*out = fd;
	return fd < 0 ? fd : 0;
}

int sm_widecsv_open(struct sm_widecsv **out, const struct sm_widecsv_want *want)
{
	struct sm_widecsv *w = calloc(1, sizeof(*w));
	int err;

	if (!w)
		return -ENOMEM;
	w->want = *want;
	w->file.fd = w->spool = w->places = -1;
	err = sm_map_init(&w->columns, FIRST_CAP);
	if (!err)
		err = sm_endfile_open(&w->file, want->path, want->open);
	if (!err)
		err = open_spool(w, &w->spool);
	if (!err)
		err = open_spool(w, &w->places);
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
	sm_endfile_close(&w->file);
	sm_base_close_fd(&w->spool);
	sm_base_close_fd(&w->places);
	sm_widecsv_free_columns(w);
	sm_buf_fini(&w->record);
	free(w);
}

/* --- samples ------------------------------------------------------------------------ */

void sm_widecsv_value(
	struct sm_widecsv *w, uint32_t column, double value, uint64_t amount)
{
	struct sm_widecsv_value v = {column, value};

	if (column == SM_WIDECSV_OTHERS) {
		w->others_amount += amount;
		w->others = true;
	} else {
		v.id = w->column[column].id;
		w->column[column].amount += amount;
		w->column[column].sample = w->samples;
	}
	sm_buf_add(&w->record, (const char *)&v, sizeof(v));
	w->head.n++;
}

int sm_widecsv_save(int fd, const void *bytes, size_t n, uint64_t at)
{
	const char *p = bytes;

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

/* An incomplete sample at the end of the spool is ignored. */
static int save(struct sm_widecsv *w)
{
	int err = w->err ? w->err : sm_buf_error(&w->record);

	if (!err)
		err = sm_widecsv_save(
			w->spool, w->record.p, w->record.len, w->spool_bytes);
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
	w->samples++;
	w->crowded = false;
	w->head = (struct sm_widecsv_head){.t_ns = t_ns, .wall_ns = wall_ns, .weight = 1};
	sm_buf_reset(&w->record);
	sm_buf_add(&w->record, (const char *)&w->head, sizeof(w->head));
	return 0;
}

void sm_widecsv_weigh(struct sm_widecsv *w, double weight, bool rest)
{
	w->head.weight = weight;
	w->head.rest = rest;
}

int sm_widecsv_end(struct sm_widecsv *w)
{
	if (w->record.len >= sizeof(w->head))
		memcpy(w->record.p, &w->head, sizeof(w->head));
	w->err = save(w);
	if (!w->err)
		sm_widecsv_share(w, false);
	return w->err;
}

/* --- the end ------------------------------------------------------------------------ */

bool sm_widecsv_may_wait(const struct sm_widecsv *w)
{
	return w->file.straight;
}

int sm_widecsv_finish(struct sm_widecsv *w)
{
	int err;

	sm_widecsv_share(w, true);
	err = sm_endfile_write(&w->file, sm_widecsv_write, w);

	return w->err ? w->err : err;
}
