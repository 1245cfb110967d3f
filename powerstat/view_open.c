// SPDX-License-Identifier: GPL-2.0-or-later
/* Where the rows go: faces and files. */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "priv.h"
#include "text.h"
#include "view.h"

static void set_up_human(struct view *v, struct sm_out *out)
{
	out->time_style = v->opts->row_time ? (enum sm_time_style)v->opts->time_style
					    : SM_TIME_CLOCK;
	out->text_flags = SM_TEXT_UTF8;
	view_resized(v);
	if (v->tty && !sm_tty_utf8())
		out->text_flags = 0;
}

static int add_out(struct view *v, enum sm_face face, int fd)
{
	struct sm_out *out = &v->out[v->n];
	int err = sm_sink_init(&v->sink[v->n], fd, SM_SINK_DEFAULT_MAX);

	if (err)
		return err;
	/* The columns are this tool's own: there can be more than a struct sm_out holds.
	 */
	sm_out_init(out, face, NULL, 0, "sample", &v->sink[v->n]);
	out->time_style = (enum sm_time_style)v->opts->time_style;
	out->time_decimals = face == SM_FACE_CSV ? 9 : 0;
	v->n++;
	if (face == SM_FACE_HUMAN)
		set_up_human(v, out);
	return 0;
}

static int add_file(struct view *v, enum sm_face face, const char *path)
{
	int fd = sm_priv_open_as_invoker(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
	int err;

	if (fd < 0)
		return fd;
	err = add_out(v, face, fd);
	if (err)
		close(fd);
	else
		v->file[v->n - 1] = fd;
	return err;
}

void view_resized(struct view *v)
{
	v->tty = v->n && v->out[0].face == SM_FACE_HUMAN &&
		 sm_tty_size(v->sink[0].fd, &v->columns, &v->rows) == 0;
	if (!v->tty)
		v->columns = v->rows = 0;
}

int view_open(struct view *v, const struct ps_opts *o, const char **what)
{
	enum sm_face face = o->json ? SM_FACE_JSON : o->csv ? SM_FACE_CSV : SM_FACE_HUMAN;
	int err;

	memset(v, 0, sizeof(*v));
	v->opts = o;
	v->color = sm_tty_color(STDOUT_FILENO, (enum sm_color)o->color) &&
		   (!o->output || o->color == SM_COLOR_ALWAYS);
	*what = o->output ? o->output : "standard output";
	err = o->output ? add_file(v, face, o->output) : add_out(v, face, STDOUT_FILENO);
	if (!err && o->json_file) {
		*what = o->json_file;
		err = add_file(v, SM_FACE_JSON, o->json_file);
	}
	if (!err && o->csv_file) {
		*what = o->csv_file;
		err = add_file(v, SM_FACE_CSV, o->csv_file);
	}
	return err;
}

int view_flush(struct view *v)
{
	int err, waits = 0;

	for (unsigned int i = 0; i < v->n; i++) {
		err = sm_sink_flush(&v->sink[i]);
		if (err < 0)
			return err;
		waits |= err;
	}
	return waits;
}

uint64_t view_dropped(const struct view *v)
{
	uint64_t n = 0;

	for (unsigned int i = 0; i < v->n; i++)
		n += v->sink[i].dropped;
	return n;
}

uint64_t view_waiting(const struct view *v)
{
	uint64_t n = 0;

	for (unsigned int i = 0; i < v->n; i++)
		n += sm_sink_waiting_lines(&v->sink[i]);
	return n;
}

void view_close(struct view *v)
{
	for (unsigned int i = 0; i < v->n; i++) {
		sm_out_fini(&v->out[i]);
		sm_sink_close(&v->sink[i]);
		if (v->file[i])
			close(v->file[i]);
	}
	sm_buf_fini(&v->cell);
}
