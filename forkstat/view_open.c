// SPDX-License-Identifier: GPL-2.0-or-later
/* Where the rows go: faces, files, widths. */
#include <errno.h>
#include <string.h>

#include "clock.h"
#include "columns.h"
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

struct set_up {
	const struct view *v;
	uint32_t pid_max;
};

static void set_up_human(const struct view *v, struct sm_out *out, uint32_t pid_max)
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
	if (sm_tty_size(out->sink->fd, &columns, &rows) < 0)
		return;
	if (!sm_tty_utf8())
		out->text_flags = 0;
	out->repeat_rows = rows > 4 ? rows - 2 : 0;
	if (!o->full_command)
		out->max_text = TERMINAL_TEXT_MAX;
}

static void set_up(void *ctx, struct sm_out *out, enum sm_face face, struct sm_sink *sink)
{
	const struct set_up *s = ctx;

	sm_out_init(out, face, fs_columns, C_N, "event", sink);
	out->no_header = s->v->opts->no_header;
	choose_columns(s->v, out);
	if (face == SM_FACE_HUMAN)
		set_up_human(s->v, out, s->pid_max);
}

int view_open(
	struct view *v, const struct fs_opts *o, uint32_t pid_max, const char **what)
{
	struct set_up setting = {v, pid_max};
	struct sm_faces_want want = {.json = o->json,
		.csv = o->csv,
		.output = o->output,
		.queue_bytes = (size_t)o->queue_bytes,
		.set_up = set_up,
		.ctx = &setting};
	int err;

	memset(v, 0, sizeof(*v));
	v->opts = o;
	v->wall_offset_ns = sm_clock_wall_offset_ns();
	v->offset_read_ns = sm_mono_ns();
	v->glyphs_utf8 = sm_tty_utf8();
	*what = "names of users";
	err = sm_user_init(&v->users);
	if (!err)
		err = sm_faces_open(&v->faces, &want, what);
	v->color = sm_faces_color(&v->faces, (enum sm_color)o->color);
	return err;
}

void view_start(struct view *v, const char *boot_id)
{
	for (unsigned int i = 0; i < v->faces.n; i++) {
		if (v->faces.out[i].face == SM_FACE_JSON)
			sm_out_json_header(&v->faces.out[i], "forkstat", SM_VERSION,
				boot_id, view_wall_ns(v, sm_mono_ns()));
		else if (!v->opts->quiet)
			sm_out_header(&v->faces.out[i]);
	}
}

void view_close(struct view *v)
{
	sm_faces_close(&v->faces);
	sm_user_fini(&v->users);
}
