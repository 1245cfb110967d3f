// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/err.h"
#include "cli/outputs.h"
#include "cli/priv.h"

static int add(struct sm_outputs *f, const struct sm_outputs_want *w,
	enum sm_format format, int fd, const char *name)
{
	int err = sm_sink_init(&f->sink[f->n], fd, w->queue_bytes);

	if (err)
		return err;
	w->set_up(w->ctx, &f->out[f->n], format, &f->sink[f->n]);
	f->name[f->n] = name;
	f->file[f->n] = -1;
	return sm_table_error(&f->out[f->n++]);
}

static int add_file(struct sm_outputs *f, const struct sm_outputs_want *w,
	enum sm_format format, const char *path)
{
	int fd = sm_priv_open_as_invoker(
		path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0666);
	int err;

	if (fd < 0)
		return fd;
	err = add(f, w, format, fd, path);
	if (err)
		close(fd);
	else
		f->file[f->n - 1] = fd;
	return err;
}

bool sm_outputs_waits(const char *path)
{
	struct stat st;

	return path && stat(path, &st) == 0 && S_ISFIFO(st.st_mode);
}

bool sm_outputs_may_wait(const struct sm_outputs_want *w)
{
	return sm_outputs_waits(w->output) || sm_outputs_waits(w->json.file) ||
	       sm_outputs_waits(w->csv.file);
}

int sm_outputs_open(
	struct sm_outputs *f, const struct sm_outputs_want *w, const char **what)
{
	enum sm_format first = w->json.here  ? SM_FORMAT_JSON
			       : w->csv.here ? SM_FORMAT_CSV
					     : SM_FORMAT_TABLE;
	int err;

	f->n = 0;
	*what = w->output ? w->output : "standard output";
	err = w->output ? add_file(f, w, first, w->output)
			: add(f, w, first, STDOUT_FILENO, *what);
	if (!err && w->json.file) {
		*what = w->json.file;
		err = add_file(f, w, SM_FORMAT_JSON, w->json.file);
	}
	if (!err && w->csv.file) {
		*what = w->csv.file;
		err = add_file(f, w, SM_FORMAT_CSV, w->csv.file);
	}
	return err;
}

bool sm_outputs_color(const struct sm_outputs *f, enum sm_color when)
{
	return sm_tty_color(STDOUT_FILENO, when) &&
	       ((f->n && f->file[0] < 0) || when == SM_COLOR_ALWAYS);
}

int sm_outputs_writers(struct sm_outputs *f, struct sm_writers *o)
{
	int err = 0;

	for (unsigned int i = 0; !err && i < f->n; i++)
		err = sm_writers_add(o, &f->sink[i]);
	return err;
}

uint64_t sm_outputs_dropped(const struct sm_outputs *f)
{
	uint64_t n = 0;

	for (unsigned int i = 0; i < f->n; i++)
		n += f->sink[i].dropped;
	return n;
}

static uint64_t without_memory(const struct sm_outputs *f)
{
	uint64_t n = 0;

	for (unsigned int i = 0; i < f->n; i++)
		n += f->sink[i].no_memory;
	return n;
}

int sm_outputs_report_lost(
	const struct sm_outputs *f, const struct sm_writers *o, bool has_row)
{
	uint64_t no_memory = without_memory(f);
	uint64_t lost = sm_outputs_dropped(f) - o->lost - no_memory;

	lost = has_row || o->err ? 0 : lost;
	if (lost)
		sm_err("%llu rows were lost to a slow reader", (unsigned long long)lost);
	if (no_memory)
		sm_err("%llu rows were lost: %s", (unsigned long long)no_memory,
			strerror(ENOMEM));
	return no_memory ? SM_EXIT_RUNTIME : lost ? SM_EXIT_LOST : SM_EXIT_OK;
}

void sm_outputs_close(struct sm_outputs *f)
{
	for (unsigned int i = 0; i < f->n; i++) {
		sm_table_fini(&f->out[i]);
		sm_sink_close(&f->sink[i]);
		if (f->file[i] >= 0)
			close(f->file[i]);
	}
	f->n = 0;
}
