// SPDX-License-Identifier: GPL-2.0-or-later
#include <fcntl.h>
#include <unistd.h>

#include "faces.h"
#include "priv.h"

static int add(
	struct sm_faces *f, const struct sm_faces_want *w, enum sm_face face, int fd)
{
	int err = sm_sink_init(&f->sink[f->n], fd, w->queue_bytes);

	if (err)
		return err;
	w->set_up(w->ctx, &f->out[f->n], face, &f->sink[f->n]);
	f->file[f->n++] = -1;
	return 0;
}

static int add_file(struct sm_faces *f, const struct sm_faces_want *w, enum sm_face face,
	const char *path)
{
	int fd = sm_priv_open_as_invoker(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
	int err;

	if (fd < 0)
		return fd;
	err = add(f, w, face, fd);
	if (err)
		close(fd);
	else
		f->file[f->n - 1] = fd;
	return err;
}

int sm_faces_open(struct sm_faces *f, const struct sm_faces_want *w, const char **what)
{
	enum sm_face first = w->json.here  ? SM_FACE_JSON
			     : w->csv.here ? SM_FACE_CSV
					   : SM_FACE_HUMAN;
	int err;

	f->n = 0;
	*what = w->output ? w->output : "standard output";
	err = w->output ? add_file(f, w, first, w->output)
			: add(f, w, first, STDOUT_FILENO);
	if (!err && w->json.file) {
		*what = w->json.file;
		err = add_file(f, w, SM_FACE_JSON, w->json.file);
	}
	if (!err && w->csv.file) {
		*what = w->csv.file;
		err = add_file(f, w, SM_FACE_CSV, w->csv.file);
	}
	return err;
}

bool sm_faces_color(const struct sm_faces *f, enum sm_color when)
{
	return sm_tty_color(STDOUT_FILENO, when) &&
	       ((f->n && f->file[0] < 0) || when == SM_COLOR_ALWAYS);
}

int sm_faces_outlet(struct sm_faces *f, struct sm_outlet *o)
{
	int err = 0;

	for (unsigned int i = 0; !err && i < f->n; i++)
		err = sm_outlet_add(o, &f->sink[i]);
	return err;
}

uint64_t sm_faces_dropped(const struct sm_faces *f)
{
	uint64_t n = 0;

	for (unsigned int i = 0; i < f->n; i++)
		n += f->sink[i].dropped;
	return n;
}

void sm_faces_close(struct sm_faces *f)
{
	for (unsigned int i = 0; i < f->n; i++) {
		sm_out_fini(&f->out[i]);
		sm_sink_close(&f->sink[i]);
		if (f->file[i] >= 0)
			close(f->file[i]);
	}
	f->n = 0;
}
