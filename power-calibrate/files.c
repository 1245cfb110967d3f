// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "files.h"
#include "format/replace.h"

#define NEW_MODE 0666
#define PARTIAL	 ".partial"

static int fill(void *ctx, int fd)
{
	const struct sm_buf *b = ctx;

	return sm_file_write(fd, b->p, b->len);
}

/* Joins prefix and suffix.  A truncated name is still longer than PATH_MAX, so the kernel
 * rejects it. */
static void name_it(char what[FILES_NAME], const char *prefix, const char *suffix)
{
	(void)!snprintf(what, FILES_NAME, "%s%s", prefix, suffix);
}

/* --- before the run ----------------------------------------------------------------- */

static int check_folder(const char *path)
{
	char folder[FILES_NAME];
	const char *slash = strrchr(path, '/');
	size_t n = slash ? (size_t)(slash - path) + 1 : 0;

	if (n >= sizeof(folder))
		return -ENAMETOOLONG;
	memcpy(folder, n ? path : ".", n ? n : 1);
	folder[n ? n : 1] = '\0';
	return faccessat(AT_FDCWD, folder, W_OK | X_OK, AT_EACCESS) < 0 ? -errno : 0;
}

static int check_one(const char *path)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return errno == ENOENT ? check_folder(path) : -errno;
	if (!S_ISREG(st.st_mode))
		return S_ISDIR(st.st_mode) ? -EISDIR : -EOPNOTSUPP;
	if (faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) < 0)
		return -errno;
	return check_folder(path);
}

/* Returns whether there is an earlier file, which is more than an empty one, such as
 * mktemp(1) creates. */
static bool has_content(const char *prefix, const char *suffix)
{
	char name[FILES_NAME];
	struct stat st;

	name_it(name, prefix, suffix);
	return stat(name, &st) < 0 ? errno != ENOENT : st.st_size > 0;
}

/* Checks the name that an interrupted run needs for keeping an earlier file. */
static int check_partial(char what[FILES_NAME], const char *prefix, const char *suffix)
{
	struct stat st;

	name_it(what, prefix, suffix);
	return lstat(what, &st) < 0 && errno == ENAMETOOLONG ? -ENAMETOOLONG : 0;
}

static int check_plot(const char *prefix, char what[FILES_NAME])
{
	static const char *const suffix[] = {".dat", ".gp"};
	bool earlier = false;
	int err = 0;

	for (size_t i = 0; i < SM_ARRAY_SIZE(suffix) && !err; i++) {
		name_it(what, prefix, suffix[i]);
		err = check_one(what);
		earlier |= has_content(prefix, suffix[i]);
	}
	return err || !earlier ? err : check_partial(what, prefix, ".dat" PARTIAL);
}

int files_check(const struct opts *o, char what[FILES_NAME])
{
	int err = 0;

	if (o->yaml) {
		name_it(what, o->yaml, "");
		err = check_one(what);
		if (!err && has_content(o->yaml, ""))
			err = check_partial(what, o->yaml, PARTIAL);
	}
	return err || !o->gnuplot ? err : check_plot(o->gnuplot, what);
}

/* --- after the run ------------------------------------------------------------------ */

static int write_one(const char *path, struct sm_buf *b, struct sm_buf *written)
{
	int err = sm_buf_error(b);

	if (!err)
		err = sm_replace_file(path, NEW_MODE, fill, b);
	sm_buf_fini(b);
	if (!err) {
		sm_buf_str(written, written->len ? ", " : "");
		sm_buf_str(written, path);
	}
	return err;
}

static int write_yaml(
	const struct result *r, bool keep, struct sm_buf *written, char what[FILES_NAME])
{
	const char *file = r->opts->yaml;
	struct sm_buf b = {0};

	name_it(what, file, keep && has_content(file, "") ? PARTIAL : "");
	result_yaml(r, &b);
	return write_one(what, &b, written);
}

static int write_plot(
	const struct result *r, bool keep, struct sm_buf *written, char what[FILES_NAME])
{
	const char *prefix = r->opts->gnuplot;
	struct sm_buf b = {0};
	char data[FILES_NAME];
	bool partial =
		keep && (has_content(prefix, ".dat") || has_content(prefix, ".gp"));
	int err;

	name_it(data, prefix, partial ? ".dat" PARTIAL : ".dat");
	name_it(what, prefix, partial ? ".dat" PARTIAL : ".dat");
	result_gnuplot_data(r, &b);
	err = write_one(data, &b, written);
	if (err)
		return err;
	name_it(what, prefix, partial ? ".gp" PARTIAL : ".gp");
	result_gnuplot_script(r, data, &b);
	return write_one(what, &b, written);
}

int files_write(
	const struct result *r, bool keep, struct sm_buf *written, char what[FILES_NAME])
{
	int err = r->opts->yaml ? write_yaml(r, keep, written, what) : 0;

	if (!err && r->opts->gnuplot)
		err = write_plot(r, keep, written, what);
	return err;
}
