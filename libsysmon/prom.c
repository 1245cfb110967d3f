// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "prom.h"
#include "text.h"

void sm_prom_init(struct sm_prom *p, const char *path)
{
	*p = (struct sm_prom){.path = path};
}

void sm_prom_fini(struct sm_prom *p)
{
	sm_buf_fini(&p->b);
}

/* HELP text: backslash and newline are escaped, nothing else. */
static void add_help(struct sm_buf *b, const char *help)
{
	for (; *help; help++) {
		if (*help == '\n')
			sm_buf_add(b, "\\n", 2);
		else if (*help == '\\')
			sm_buf_add(b, "\\\\", 2);
		else
			sm_buf_chr(b, *help);
	}
}

void sm_prom_family(
	struct sm_prom *p, const char *name, const char *type, const char *help)
{
	p->family = name;
	sm_buf_str(&p->b, "# HELP ");
	sm_buf_str(&p->b, name);
	sm_buf_chr(&p->b, ' ');
	add_help(&p->b, help);
	sm_buf_str(&p->b, "\n# TYPE ");
	sm_buf_str(&p->b, name);
	sm_buf_chr(&p->b, ' ');
	sm_buf_str(&p->b, type);
	sm_buf_chr(&p->b, '\n');
}

/* Everything of a sample line up to its value. */
static void add_name(
	struct sm_prom *p, const char *suffix, const struct sm_prom_label *l, size_t nl)
{
	sm_buf_str(&p->b, p->family);
	if (suffix)
		sm_buf_str(&p->b, suffix);
	for (size_t i = 0; i < nl; i++) {
		sm_buf_chr(&p->b, i ? ',' : '{');
		sm_buf_str(&p->b, l[i].name);
		sm_buf_chr(&p->b, '=');
		sm_text_label(&p->b, l[i].value.p, l[i].value.n);
	}
	if (nl)
		sm_buf_chr(&p->b, '}');
	sm_buf_chr(&p->b, ' ');
}

void sm_prom_u64(struct sm_prom *p, const char *suffix, const struct sm_prom_label *l,
	size_t nl, uint64_t v)
{
	add_name(p, suffix, l, nl);
	sm_buf_u64(&p->b, v);
	sm_buf_chr(&p->b, '\n');
}

/* Just enough digits to read back as v, with '.' whatever the locale says. */
static void add_double(struct sm_buf *b, double v)
{
	char text[40];
	int precision = 15;

	do
		snprintf(text, sizeof(text), "%.*g", precision, v);
	while (strtod(text, NULL) != v && precision++ < 17);
	for (char *c = text; *c; c++) {
		if (!strchr("0123456789+-e", *c))
			*c = '.';
	}
	sm_buf_str(b, text);
}

void sm_prom_double(struct sm_prom *p, const char *suffix, const struct sm_prom_label *l,
	size_t nl, double v)
{
	add_name(p, suffix, l, nl);
	if (isnan(v))
		sm_buf_str(&p->b, "NaN");
	else if (isinf(v))
		sm_buf_str(&p->b, v > 0 ? "+Inf" : "-Inf");
	else
		add_double(&p->b, v);
	sm_buf_chr(&p->b, '\n');
}

static int write_all(int fd, const char *p, size_t n)
{
	while (n) {
		ssize_t w = write(fd, p, n);

		if (w < 0 && errno == EINTR)
			continue;
		if (w < 0)
			return -errno;
		p += w;
		n -= (size_t)w;
	}
	return 0;
}

static int open_new(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);

	if (fd >= 0 || errno != EEXIST)
		return fd < 0 ? -errno : fd;
	/* Left by a dead process that had our pid. */
	if (unlink(path) < 0)
		return -errno;
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	return fd < 0 ? -errno : fd;
}

/* The umask may be tighter than what the collector, another user, needs. */
static int fill(int fd, const struct sm_buf *b)
{
	int err = fchmod(fd, 0644) < 0 ? -errno : write_all(fd, b->p, b->len);

	if (close(fd) < 0 && !err)
		err = -errno;
	return err;
}

/* What is no regular file would be one afterwards: a device, a FIFO, a link. */
static int check_target(const char *path)
{
	struct stat st;

	if (lstat(path, &st) < 0)
		return errno == ENOENT ? 0 : -errno;
	if (S_ISLNK(st.st_mode))
		return -ELOOP;
	return S_ISREG(st.st_mode) ? 0 : -EOPNOTSUPP;
}

static int replace(const struct sm_prom *p)
{
	char tmp[PATH_MAX];
	int n = snprintf(tmp, sizeof(tmp), "%s.tmp.%d", p->path, (int)getpid());
	int fd, err = check_target(p->path);

	if (err)
		return err;
	if (n < 0 || (size_t)n >= sizeof(tmp))
		return -ENAMETOOLONG;
	fd = open_new(tmp);
	if (fd < 0)
		return fd;
	err = fill(fd, &p->b);
	if (!err && rename(tmp, p->path) < 0)
		err = -errno;
	if (err)
		unlink(tmp);
	return err;
}

int sm_prom_commit(struct sm_prom *p)
{
	int err = sm_buf_error(&p->b);

	if (!err)
		err = replace(p);
	sm_buf_reset(&p->b);
	p->family = NULL;
	return err;
}
