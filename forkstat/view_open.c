// SPDX-License-Identifier: GPL-2.0-or-later
/* Where the rows go: faces, files, widths. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "columns.h"
#include "priv.h"
#include "text.h"
#include "view.h"

/* On a terminal a longer command line is cut, unless --full-command. */
#define TERMINAL_TEXT_MAX 1024

static void choose_columns(const struct view *v, struct sm_out *out)
{
	const struct fs_opts *o = v->opts;

	if (out->face != SM_FACE_HUMAN) {
		sm_out_show(out, C_TTY, o->extra);
		/* One argument list, in the form that the face can hold. */
		sm_out_show(out, C_ARGV, out->face == SM_FACE_JSON);
		sm_out_show(out, C_PROCESS, out->face == SM_FACE_CSV);
		return;
	}
	sm_out_show(out, C_TGID, o->show_tid);
	sm_out_show(out, C_PPID, o->show_ppid);
	sm_out_show(out, C_USER, o->extra);
	sm_out_show(out, C_EUSER, o->extra);
	sm_out_show(out, C_TTY, o->extra);
	sm_out_show(out, C_GLYPH, o->glyphs);
}

static int digits(uint32_t v)
{
	int n = 1;

	for (; v >= 10; v /= 10)
		n++;
	return n;
}

static void set_up_human(
	const struct view *v, struct sm_out *out, int fd, uint32_t pid_max)
{
	const struct fs_opts *o = v->opts;
	int width = digits(pid_max > 0 ? pid_max - 1 : 0);
	unsigned int columns, rows;

	if (width < 5)
		width = 5;
	out->width[C_PID] = out->width[C_TGID] = out->width[C_PPID] = (uint8_t)width;
	out->time_style = (enum sm_time_style)o->time_style;
	out->time_decimals = (unsigned int)o->time_decimals;
	out->width[C_TIME] =
		(uint8_t)sm_out_time_width(out->time_style, out->time_decimals);
	out->text_flags = SM_TEXT_UTF8;
	if (sm_tty_size(fd, &columns, &rows) < 0)
		return;
	if (!sm_tty_utf8())
		out->text_flags = 0;
	out->repeat_rows = rows > 4 ? rows - 2 : 0;
	if (!o->full_command)
		out->max_text = TERMINAL_TEXT_MAX;
}

static int add_out(struct view *v, enum sm_face face, int fd, uint32_t pid_max)
{
	struct sm_out *out = &v->out[v->n];
	int err = sm_sink_init(&v->sink[v->n], fd, v->opts->queue_bytes);

	if (err)
		return err;
	sm_out_init(out, face, fs_columns, C_N, "event", &v->sink[v->n]);
	out->no_header = v->opts->no_header;
	choose_columns(v, out);
	if (face == SM_FACE_HUMAN)
		set_up_human(v, out, fd, pid_max);
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

int view_open(
	struct view *v, const struct fs_opts *o, uint32_t pid_max, const char **what)
{
	enum sm_face face = o->json ? SM_FACE_JSON : o->csv ? SM_FACE_CSV : SM_FACE_HUMAN;
	int err;

	memset(v, 0, sizeof(*v));
	v->opts = o;
	v->wall_offset_ns = sm_clock_wall_offset_ns();
	v->offset_read_ns = sm_mono_ns();
	v->glyphs_utf8 = sm_tty_utf8();
	v->color = sm_tty_color(STDOUT_FILENO, (enum sm_color)o->color) &&
		   (!o->output || o->color == SM_COLOR_ALWAYS);
	err = sm_user_init(&v->users);
	*what = o->output ? o->output : "standard output";
	if (!err)
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
	return err;
}

void view_start(struct view *v, const char *boot_id)
{
	for (unsigned int i = 0; i < v->n; i++) {
		if (v->out[i].face == SM_FACE_JSON)
			sm_out_json_header(&v->out[i], "forkstat", SM_VERSION, boot_id,
				view_wall_ns(v, sm_mono_ns()));
		else if (!v->opts->quiet)
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

void view_close(struct view *v)
{
	for (unsigned int i = 0; i < v->n; i++) {
		sm_out_fini(&v->out[i]);
		sm_sink_close(&v->sink[i]);
		if (v->file[i])
			close(v->file[i]);
	}
	sm_user_fini(&v->users);
}

uint64_t view_waiting(const struct view *v)
{
	uint64_t n = 0;

	for (unsigned int i = 0; i < v->n; i++)
		n += sm_sink_waiting_lines(&v->sink[i]);
	return n;
}
