// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>

#include "map.h"
#include "move.h"
#include "screen.h"
#include "windows.h"

/* --- open and close ----------------------------------------------------------------- */

static void draw_frame(void *screen);

int screen_open(struct screen **out, const struct screen_settings *set, int color,
	const char **why)
{
	struct screen *s = calloc(1, sizeof(*s));
	int err;

	*why = "out of memory";
	if (!s)
		return -ENOMEM;
	s->set = *set;
	s->windows = (unsigned int)set->vm << WINDOW_VM;
	s->view = VIEW_PICKER;
	keys_init(s);
	s->base.draw = draw_frame;
	err = mappings_init(s);
	if (!err)
		err = picker_init(s);
	if (!err)
		err = sm_screen_open(&s->base, color, why);
	if (err) {
		screen_close(s);
		return err;
	}
	*out = s;
	return 0;
}

void screen_close(struct screen *s)
{
	if (!s)
		return;
	sm_screen_close(&s->base);
	layout_fini(&s->layout);
	changes_fini(s);
	rowlist_fini(&s->mappings.list);
	rowlist_fini(&s->picker.list);
	sm_buf_fini(&s->text);
	sm_buf_fini(&s->name);
	free(s->spans);
	free(s);
}

void screen_restart(struct screen *s)
{
	s->in = (struct screen_input){0};
	s->laid.zoom = 0;
	s->nrows = 0;
	s->nspans = s->ncells = 0;
	s->top = s->line = 0;
	s->cursor = s->cursor_address = 0;
	s->column = 0;
	s->hex_byte = s->hex_top = 0;
	s->hex_row = 0;
	s->marks.n = 0;
	s->follow.looked_ns = 0;
	s->question_text[0] = '\0';
	s->nasks = 0;
	s->frozen = false;
}

/* --- requests ----------------------------------------------------------------------- */

bool screen_take_ask(struct screen *s, struct screen_ask *out)
{
	if (!s->nasks)
		return false;
	*out = s->asks[0];
	s->nasks--;
	for (unsigned int i = 0; i < s->nasks; i++)
		s->asks[i] = s->asks[i + 1];
	return true;
}

/* --- arranging ---------------------------------------------------------------------- */

/* Chooses the view: the picker if and only if there is no process. */
static void choose_view(struct screen *s)
{
	if (!s->in.space)
		s->view = VIEW_PICKER;
	else if (s->view == VIEW_PICKER)
		s->view = VIEW_MAP;
}

static void set_wants(struct screen *s)
{
	bool pages = s->in.space && (s->view == VIEW_MAP || s->view == VIEW_HEX);
	unsigned int windows = pages ? s->windows : 0;

	s->want = (struct screen_want){
		.cells = s->view == VIEW_MAP,
		.populated = s->in.space && s->set.fold,
		.page = windows >> WINDOW_PAGE & 1,
		.vm = windows >> WINDOW_VM & 1,
		.perf = windows >> WINDOW_PERF & 1,
		.mappings = s->view == VIEW_MAPPINGS || s->set.follow,
		.cursor = s->cursor,
	};
}

/* Sorts a list again if its rows have changed, and once a second for their counts. */
static void arrange_list(struct screen *s)
{
	uint64_t now = s->in.now_ns;
	uint64_t generation = s->view == VIEW_PICKER ? s->in.processes_generation
						     : s->in.space->generation;

	if (s->list_view == s->view && s->list_generation == generation &&
		(s->view == VIEW_PICKER || s->frozen ||
			now - s->list_ns < SM_NSEC_PER_SEC))
		return;
	s->list_view = s->view;
	s->list_generation = generation;
	s->list_ns = now;
	state_list(s)->arrange(s);
}

void screen_arrange(struct screen *s, const struct screen_input *in)
{
	int columns, rows = s->base.tui.rows;

	s->in = *in;
	choose_view(s);
	columns = windows_arrange(s);
	s->map_lines = rows > 3 ? (unsigned int)rows - 2 : 1;
	s->map_cells =
		columns > SCREEN_ADDRESS ? (unsigned int)(columns - SCREEN_ADDRESS) : 1;
	if (s->in.space)
		move_arrange(s);
	set_wants(s);
	if (s->view == VIEW_HEX)
		hexview_arrange(s, columns);
	if (state_list(s))
		arrange_list(s);
}

/* --- drawing ------------------------------------------------------------------------ */

static void draw_frame(void *screen)
{
	struct screen *s = screen;
	struct sm_tui *t = &s->base.tui;

	title_draw(s);
	if (state_list(s))
		sm_tui_table_draw(&state_list(s)->table, t, 1, t->rows - 2);
	else if (s->view == VIEW_MAP)
		map_draw(s);
	else
		hexview_draw(s);
	if (!state_list(s))
		windows_draw(s);
	if (s->prompt.title)
		sm_prompt_draw(&s->prompt, t, t->rows - 1);
	else if (t->rows > 1)
		title_draw_last(s);
}

void screen_draw(struct screen *s, const struct screen_input *in)
{
	s->in = *in;
	changes_take(s);
	sm_screen_draw(&s->base);
}
