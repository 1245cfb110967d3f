/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pagemon_screen_rig: pagemon's screen on a pseudo-terminal.  The mappings are made up by the test; the
 * pages are those of the test itself, so that addresses where it has nothing are empty.
 */
#ifndef PAGEMON_SCREEN_RIG_H
#define PAGEMON_SCREEN_RIG_H

#include <errno.h>
#include <locale.h>
#include <sys/mman.h>

#include "pagemon/screen/screen.h"
#include "tui_rig.h"

#define PAGE  4096u
#define EMPTY UINT64_C(0x200000000000) /* nothing is mapped there and behind */

static struct screen *scr;
static struct screen_settings settings;
static struct screen_input in;
static struct target target;
static struct mapping maps[64];
static struct space space;
static struct cells the_cells, *cells = &the_cells;
static struct census the_census, *census = &the_census;
static struct census ranges; /* ranges.populated: populated pages, counted apart from the totals */
static struct pass_reader reader;
static int pagemap_fd;

static inline struct mapping *add_map(uint64_t start, uint64_t pages, const char *name)
{
	struct mapping *m = &maps[space.n++];

	*m = (struct mapping){.start = start,
		.end = start + pages * PAGE,
		.first = space.pages,
		.perms = SM_VMA_READ | SM_VMA_WRITE,
		.name = name,
		.name_len = (unsigned int)strlen(name)};
	space.pages += pages;
	space.generation++;
	return m;
}

/* Pages of the test's own; those of another process stay away from them. */
static inline char *own_pages(unsigned int pages)
{
	size_t bytes = (size_t)pages * PAGE;
	char *at = mmap(NULL, bytes + 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ck_assert_ptr_ne(at, MAP_FAILED);
	at += PAGE;
	ck_assert_int_eq(mprotect(at, bytes, PROT_READ | PROT_WRITE), 0);
	(void)madvise(at, bytes, MADV_NOHUGEPAGE);
	return at;
}

static inline void touch(char *at, unsigned int page)
{
	*(volatile char *)(at + page * PAGE) = 'x';
}

static inline void open_screen(int columns, int rows)
{
	const char *why = NULL;

	rig_open(columns, rows);
	settings = (struct screen_settings){.zoom = settings.zoom ? settings.zoom : 1,
		.auto_zoom = settings.auto_zoom,
		.fold = settings.fold,
		.no_hex = settings.no_hex,
		.ticks = 10,
		.interval_ns = SM_NSEC_PER_SEC / 10};
	space = (struct space){.mappings = maps, .page_bytes = PAGE};
	target = (struct target)TARGET_INIT;
	target.pid = 4242;
	pagemap_fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	ck_assert_int_ge(pagemap_fd, 0);
	ck_assert_int_eq(
		pass_reader_init(&reader, PASS_AUTO, pagemap_fd, pagemap_fd, -1), 0);
	ck_assert_int_eq(cells_init(cells), 0);
	ck_assert_int_eq(census_init(census), 0);
	ck_assert_int_eq(census_init(&ranges), 0);
	in = (struct screen_input){.now_ns = 1000 * SM_NSEC_PER_SEC,
		.target = &target,
		.space = &space,
		.populated = &ranges.populated,
		.cells = cells,
		.census = census};
	ck_assert_int_eq(screen_open(&scr, &settings, 0, &why), 0);
}

static inline void setup(void)
{
	open_screen(80, 24);
}

static inline void teardown(void)
{
	screen_close(scr);
	scr = NULL;
	cells_fini(cells);
	census_fini(census);
	census_fini(&ranges);
	close(pagemap_fd);
	rig_drain();
	rig_close();
	setlocale(LC_CTYPE, "C");
}

static inline void read_all(int (*step)(void))
{
	int more;

	do
		more = step();
	while (more > 0);
	ck_assert_int_eq(more, 0);
}

static inline int step_cells(void)
{
	return cells_step(cells, &reader, &space, SM_NSEC_PER_SEC);
}

static inline int step_census(void)
{
	return census_step(census, &reader, &space, SM_NSEC_PER_SEC);
}

static inline int step_there(void)
{
	return census_step(&ranges, &reader, &space, SM_NSEC_PER_SEC);
}

/* A frame, as pagemon makes it. */
static inline void draw(void)
{
	screen_arrange(scr, &in);
	if (scr->want.cells && in.cells) {
		ck_assert_int_eq(cells_view(cells, scr->spans, scr->nspans, scr->ncells,
					 scr->set.zoom),
			0);
		read_all(step_cells);
	}
	screen_draw(scr, &in);
	rig_drain();
}

static inline void draw_later(uint64_t ms)
{
	in.now_ns += ms * SM_NSEC_PER_MSEC;
	draw();
}

static inline void count(void)
{
	census->mappings = true;
	read_all(step_census);
}

static inline enum sm_screen_request type(const char *keys)
{
	enum sm_screen_request request;

	rig_type(keys);
	request = sm_screen_keys(&scr->base);
	draw();
	return request;
}

/* The only request that waits. */
static inline struct screen_ask asked(void)
{
	struct screen_ask ask = {0}, other;

	ck_assert(screen_take_ask(scr, &ask));
	ck_assert(!screen_take_ask(scr, &other));
	return ask;
}

static inline bool nothing_asked(void)
{
	struct screen_ask ask;

	return !screen_take_ask(scr, &ask);
}

#define UP    "\x1bOA"
#define DOWN  "\x1bOB"
#define RIGHT "\x1bOC"
#define LEFT  "\x1bOD"
#define PGUP  "\x1b[5~"
#define PGDN  "\x1b[6~"
#define HOME  "\x1bOH"
#define END   "\x1bOF"

#endif
