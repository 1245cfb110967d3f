// SPDX-License-Identifier: GPL-2.0-or-later
/* Where the rows go: faces, files, widths. */
#include <string.h>
#include <time.h>

#include "clock.h"
#include "columns.h"
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

struct set_up {
	const struct view *v;
	uint32_t pid_max;
};

static void set_up(void *ctx, struct sm_out *out, enum sm_face face, struct sm_sink *sink)
{
	const struct set_up *s = ctx;

	sm_out_init(out, face, cs_columns, C_N, "task", sink);
	out->no_header = s->v->opts->no_header;
	choose_columns(s->v, out);
	if (face == SM_FACE_HUMAN)
		set_up_human(s->v, out, s->pid_max);
}

void view_resized(struct view *v)
{
	unsigned int columns, rows;

	v->columns = 0;
	if (v->faces.n == 0 || v->faces.out[0].face != SM_FACE_HUMAN || v->opts->no_cut)
		return;
	if (sm_tty_size(v->faces.sink[0].fd, &columns, &rows) == 0)
		v->columns = columns;
}

int view_open(
	struct view *v, const struct cs_opts *o, uint32_t pid_max, const char **what)
{
	struct set_up setting = {v, pid_max};
	struct sm_faces_want want = {.json = o->json,
		.csv = o->csv,
		.output = o->output,
		.queue_bytes = SM_SINK_DEFAULT_MAX,
		.set_up = set_up,
		.ctx = &setting};
	int err;

	memset(v, 0, sizeof(*v));
	v->opts = o;
	v->scale = 1;
	err = sm_faces_open(&v->faces, &want, what);
	v->color = sm_faces_color(&v->faces, (enum sm_color)o->color);
	view_resized(v);
	return err;
}

void view_start(struct view *v, const char *boot_id)
{
	for (unsigned int i = 0; i < v->faces.n; i++) {
		if (v->faces.out[i].face == SM_FACE_JSON)
			sm_out_json_header(&v->faces.out[i], "cpustat", SM_VERSION,
				boot_id, sm_clock_ns(CLOCK_REALTIME));
		else if (v->faces.out[i].face == SM_FACE_CSV)
			sm_out_header(&v->faces.out[i]);
	}
}
void view_close(struct view *v)
{
	sm_faces_close(&v->faces);
	sm_buf_fini(&v->line);
	sm_buf_fini(&v->head);
	sm_buf_fini(&v->cut);
}
