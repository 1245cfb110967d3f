// SPDX-License-Identifier: GPL-2.0-or-later
#include "jobfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/parse.h"
#include "cli/err.h"
#include "cli/priv.h"

static int refuse(const struct jobfile *f, int err, const char *text, struct sm_buf *why)
{
	sm_buf_str(why, f->path);
	sm_buf_str(why, ": ");
	sm_buf_str(why, text ? text : strerror(-err));
	return err;
}

/* The calling user has chosen the file: under sudo(8), root must not read it with its own
 * permissions. */
static ssize_t read_as_invoker(const char *path, char *text, size_t cap)
{
	SM_CLOSE_FD int fd = sm_priv_open_as_invoker(path, O_RDONLY, 0);

	return fd < 0 ? fd : sm_file_slurp_fd(fd, text, cap);
}

int jobfile_open(struct jobfile *f, const char *path, struct sm_buf *why)
{
	ssize_t n;

	*f = (struct jobfile){.path = path, .text = malloc(JOBFILE_MAX + 1)};
	if (!f->text)
		return refuse(f, -ENOMEM, NULL, why);
	n = read_as_invoker(path, f->text, JOBFILE_MAX + 1);
	if (n >= 0 && n <= JOBFILE_MAX) {
		f->n = (size_t)n;
		return 0;
	}
	jobfile_close(f);
	return n < 0 ? refuse(f, (int)n, NULL, why)
		     : refuse(f, -EFBIG, "a job file must not be larger than 1 MB", why);
}

void jobfile_close(struct jobfile *f)
{
	free(f->text);
	f->text = NULL;
}

static bool is_blank(char c)
{
	return sm_parse_is_blank(c) || c == '\r';
}

/* Cuts the line at a '#' that begins a word, and removes spaces at both ends. */
static char *trim(char *line)
{
	char *end;

	while (is_blank(*line))
		line++;
	for (end = line; *end; end++)
		if (*end == '#' && (end == line || is_blank(end[-1])))
			break;
	while (end > line && is_blank(end[-1]))
		end--;
	*end = '\0';
	return line;
}

/* Splits "NAME VALUE", "NAME = VALUE" or "NAME=VALUE" and returns the value; NULL: only a
 * name. */
static char *split(char *line)
{
	char *p = line + strcspn(line, "= \t\r");

	if (!*p)
		return NULL;
	if (*p != '=') {
		*p++ = '\0';
		while (is_blank(*p))
			p++;
	}
	if (*p == '=') {
		*p++ = '\0';
		while (is_blank(*p))
			p++;
	}
	return p;
}

static bool is_one_of(const char *s, const char *const *words)
{
	while (*words && strcmp(*words, s) != 0)
		words++;
	return *words;
}

static int take_run(struct jobfile *f, const char *value, struct sm_buf *why)
{
	static const char *const seq[] = {"sequential", "sequentially", "seq", NULL};
	static const char *const par[] = {"parallel", "par", NULL};
	enum jobfile_run run = JOBFILE_RUN_NOT_SAID;

	if (value && is_one_of(value, seq))
		run = JOBFILE_RUN_SEQUENTIAL;
	else if (value && is_one_of(value, par))
		run = JOBFILE_RUN_PARALLEL;
	if (!run || (f->run && f->run != run)) {
		sm_buf_str(why, run ? "'run' is given twice, with different values"
				    : "'run' must be followed by sequential or parallel");
		return -EINVAL;
	}
	f->run = run;
	return 0;
}

static int take_line(struct jobfile *f, char *line,
	int (*fn)(void *, const char *, const char *, struct sm_buf *), void *ctx,
	struct sm_buf *why)
{
	char *name = trim(line), *value;

	if (!*name)
		return 0;
	if (strncmp(name, "--", 2) == 0)
		name += 2;
	value = split(name);
	if (value && !*value) {
		sm_buf_str(why, "the value is empty");
		return -EINVAL;
	}
	return strcmp(name, "run") == 0 ? take_run(f, value, why)
					: fn(ctx, name, value, why);
}

/* Puts the path and the line number before the reason of an error. */
static void at_line(const struct jobfile *f, unsigned int line, struct sm_buf *why)
{
	SM_CLEANUP(sm_buf_fini) struct sm_buf reason = {0};

	sm_buf_add(&reason, why->p, why->len);
	sm_buf_reset(why);
	sm_buf_printf(why, "%s:%u: ", f->path, line);
	sm_buf_add(why, reason.p, reason.len);
}

/* The last error becomes the reason of the caller; those before it are written here. */
static void write_before(struct sm_buf *why, unsigned int errors)
{
	if (errors == 0)
		return;
	sm_buf_chr(why, '\0');
	if (errors < JOBFILE_ERRORS && !why->err)
		sm_err("%s", why->p);
	sm_buf_reset(why);
}

static int take_text(struct jobfile *f, char *line, size_t n,
	int (*fn)(void *, const char *, const char *, struct sm_buf *), void *ctx,
	struct sm_buf *why)
{
	if (strlen(line) == n)
		return take_line(f, line, fn, ctx, why);
	sm_buf_str(why, "not a text file: the line contains a NUL byte");
	return -EBADMSG;
}

int jobfile_each(struct jobfile *f,
	int (*fn)(void *ctx, const char *name, const char *value, struct sm_buf *why),
	void *ctx, struct sm_buf *why)
{
	char *p = f->text, *end = f->text + f->n;
	SM_CLEANUP(sm_buf_fini) struct sm_buf reason = {0};
	unsigned int errors = 0;
	int err = 0;

	for (unsigned int line = 1; p < end && err != -EBADMSG; line++) {
		char *next = memchr(p, '\n', (size_t)(end - p));
		int r;

		next = next ? next : end;
		*next = '\0';
		r = take_text(f, p, (size_t)(next - p), fn, ctx, &reason);
		p = next + 1;
		if (!r)
			continue;
		write_before(why, errors++);
		at_line(f, line, &reason);
		sm_buf_add(why, reason.p, reason.len);
		sm_buf_reset(&reason);
		err = r;
	}
	if (errors > JOBFILE_ERRORS)
		sm_err("%s: %u errors; only the first %u and the last are shown", f->path,
			errors, JOBFILE_ERRORS - 1);
	return err == -EBADMSG ? -EINVAL : err;
}
