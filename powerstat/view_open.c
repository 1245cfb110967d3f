// SPDX-License-Identifier: GPL-2.0-or-later
/* Where the rows go: faces and files. */
#include <string.h>
#include <unistd.h>

#include "text.h"
#include "view.h"

static void set_up(void *ctx, struct sm_out *out, enum sm_face face, struct sm_sink *sink)
{
	const struct view *v = ctx;

	/* The columns are this tool's own: there can be more than a struct sm_out holds.
	 */
	sm_out_init(out, face, NULL, 0, "sample", sink);
	out->time_style = (enum sm_time_style)v->opts->time_style;
	out->time_decimals = face == SM_FACE_CSV ? 9 : 0;
	if (face != SM_FACE_HUMAN)
		return;
	if (!v->opts->row_time)
		out->time_style = SM_TIME_CLOCK;
	out->text_flags = isatty(sink->fd) && !sm_tty_utf8() ? 0 : SM_TEXT_UTF8;
}

void view_resized(struct view *v)
{
	v->tty = v->faces.n && v->faces.out[0].face == SM_FACE_HUMAN &&
		 sm_tty_size(v->faces.sink[0].fd, &v->columns, &v->rows) == 0;
	if (!v->tty)
		v->columns = v->rows = 0;
}

int view_open(struct view *v, const struct ps_opts *o, const char **what)
{
	struct sm_faces_want want = {.json = o->json,
		.csv = o->csv,
		.output = o->output,
		.queue_bytes = SM_SINK_DEFAULT_MAX,
		.set_up = set_up,
		.ctx = v};
	int err;

	memset(v, 0, sizeof(*v));
	v->opts = o;
	err = sm_faces_open(&v->faces, &want, what);
	v->color = sm_faces_color(&v->faces, (enum sm_color)o->color);
	view_resized(v);
	return err;
}

void view_close(struct view *v)
{
	sm_faces_close(&v->faces);
	sm_buf_fini(&v->cell);
}
