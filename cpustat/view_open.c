// SPDX-License-Identifier: GPL-2.0-or-later
/* Where the rows go: faces, files, widths. */
#include <fcntl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "columns.h"
#include "priv.h"
#include "text.h"
#include "view.h"

static void choose_columns(const struct view *v, struct sm_out *out)
{
	const struct cs_opts *o = v->opts;
	bool people = out->face == SM_FACE_HUMAN;

	sm_out_show(out, C_TIME, !people || o->row_time);
	sm_out_show(out, C_TGID, !people || o->threads);
	sm_out_show(out, C_WAIT_PCT, o->wait);
	sm_out_show(out, C_MIN_PCT, o->subsamples > 1);
	sm_out_show(out, C_MAX_PCT, o->subsamples > 1);
	sm_out_show(out, C_MEMBERS, o->group != CS_GROUP_NONE);
	/* One argument list, in the form that the face can hold. */
	sm_out_show(out, C_ARGV, out->face == SM_FACE_JSON);
	sm_out_show(out, C_COMMAND, out->face == SM_FACE_CSV);
}

static int digits(uint32_t v)
{
	int n = 1;

	for (; v >= 10; v /= 10)
		n++;
	return n;
}

static void set_up_human(const struct view *v, struct sm_out *out, uint32_t pid_max)
{
	const struct cs_opts *o = v->opts;
	int width = digits(pid_max > 0 ? pid_max - 1 : 0);
	unsigned int columns, rows;

	if (width < cs_columns[C_PID].width)
		width = cs_columns[C_PID].width;
	out->width[C_PID] = out->width[C_TGID] = (uint8_t)width;
	out->time_style = (enum sm_time_style)o->time_style;
	/* Whole seconds would make rows of a fast run look the same. */
	out->time_decimals = o->interval_ns % SM_NSEC_PER_SEC ? 3 : 0;
	out->width[C_TIME] =
		(uint8_t)sm_out_time_width(out->time_style, out->time_decimals);
	out->text_flags = SM_TEXT_UTF8;
	if (sm_tty_size(out->sink->fd, &columns, &rows) == 0 && !sm_tty_utf8())
		out->text_flags = 0;
	out->no_header = true; /* the view puts a heading over each sample */
}

static int add_out(struct view *v, enum sm_face face, int fd, uint32_t pid_max)
{
	struct sm_out *out = &v->out[v->n];
	int err = sm_sink_init(&v->sink[v->n], fd, SM_SINK_DEFAULT_MAX);

	if (err)
		return err;
	sm_out_init(out, face, cs_columns, C_N, "task", &v->sink[v->n]);
	out->no_header = v->opts->no_header;
	choose_columns(v, out);
	if (face == SM_FACE_HUMAN)
		set_up_human(v, out, pid_max);
	v->n++;
	return 0;
}

static int add_file(struct view *v, enum sm_face face, const char *path, uint32_t pid_max)
{
	int fd = sm_priv_open_as_invoker(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
	int err;

	if (fd < 0)
		return fd;
	err = add_out(v, face, fd, pid_max);
	if (err)
		close(fd);
	else
		v->file[v->n - 1] = fd;
	return err;
}

void view_resized(struct view *v)
{
	unsigned int columns, rows;

	v->columns = 0;
	if (v->n == 0 || v->out[0].face != SM_FACE_HUMAN || v->opts->no_cut)
		return;
	if (sm_tty_size(v->sink[0].fd, &columns, &rows) == 0)
		v->columns = columns;
}

int view_open(
	struct view *v, const struct cs_opts *o, uint32_t pid_max, const char **what)
{
	enum sm_face face = o->json ? SM_FACE_JSON : o->csv ? SM_FACE_CSV : SM_FACE_HUMAN;
	int err;

	memset(v, 0, sizeof(*v));
	v->opts = o;
	v->scale = 1;
	v->color = sm_tty_color(STDOUT_FILENO, (enum sm_color)o->color) &&
		   (!o->output || o->color == SM_COLOR_ALWAYS);
	*what = o->output ? o->output : "standard output";
	err = o->output ? add_file(v, face, o->output, pid_max)
			: add_out(v, face, STDOUT_FILENO, pid_max);
	if (!err && o->json_file) {
		*what = o->json_file;
		err = add_file(v, SM_FACE_JSON, o->json_file, pid_max);
	}
	if (!err && o->csv_file) {
		*what = o->csv_file;
		err = add_file(v, SM_FACE_CSV, o->csv_file, pid_max);
	}
	view_resized(v);
	return err;
}

void view_start(struct view *v, const char *boot_id)
{
	for (unsigned int i = 0; i < v->n; i++) {
		if (v->out[i].face == SM_FACE_JSON)
			sm_out_json_header(&v->out[i], "cpustat", SM_VERSION, boot_id,
				sm_clock_ns(CLOCK_REALTIME));
		else if (v->out[i].face == SM_FACE_CSV)
			sm_out_header(&v->out[i]);
	}
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
	sm_buf_fini(&v->line);
	sm_buf_fini(&v->head);
	sm_buf_fini(&v->cut);
}
