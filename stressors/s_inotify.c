// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A part watches the directory or a file in it, triggers events, and reads them.  All
 * events are available when the calls that trigger them return, so no call waits.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run/parts.h"

#define FILE_NAME   "file"  /* exists all the time */
#define OTHER_NAME  "moved" /* temporary name of the file */
#define NEW_FILE    "new"   /* is created and removed */
#define NEW_DIR	    "new-directory"
#define LINK_NAME   "link"
#define MASK_CREATE 0x10000000 /* IN_MASK_CREATE; missing in older headers */
#define EVENTS	    8

struct inotify {
	struct parts parts;
	int fd;
	/* Events of the last read. */
	_Alignas(struct inotify_event) char buf[4096];
	size_t bytes, at;
};

/* An expected event. */
struct event {
	uint32_t mask;	   /* 0 ends a list */
	unsigned int move; /* events of one move have an equal cookie; 0: no cookie */
	const char *name;  /* "": the event is about the watched object itself */
};

struct scene {
	const char *watched; /* "." is the directory */
	uint32_t mask;
	int (*provoke)(void); /* returns 0 or -errno; leaves the directory unchanged */
	struct event want[EVENTS];
	bool ends; /* the watch is removed by the event */
};

/* --- events ------------------------------------------------------------------------- */

static struct inotify *state_of(const struct parts *p)
{
	return p->s->data;
}

/* Reads all available events; FIONREAD must return their size. */
static int read_events(struct parts *p)
{
	struct inotify *t = state_of(p);
	int promised;
	ssize_t n;

	if (ioctl(t->fd, FIONREAD, &promised) < 0)
		return -errno;
	n = read(t->fd, t->buf, sizeof(t->buf));
	if (n < 0 && errno != EAGAIN)
		return -errno;
	t->bytes = n < 0 ? 0 : (size_t)n;
	t->at = 0;
	if (t->bytes != (size_t)promised)
		return parts_wrong(p, "FIONREAD returns %d bytes, but read returns %zu",
			promised, t->bytes);
	if (t->bytes && parts_spoil(p))
		((struct inotify_event *)t->buf)->mask ^= IN_ISDIR;
	return 0;
}

/* Returns the next event of the last read, or NULL. */
static const struct inotify_event *next_event(struct inotify *t)
{
	const struct inotify_event *e = (const void *)(t->buf + t->at);

	if (t->bytes - t->at < sizeof(*e))
		return NULL;
	t->at += sizeof(*e) + e->len;
	return e;
}

static const char *name_of(const struct inotify_event *e)
{
	return e->len ? e->name : "";
}

static int check_event(
	struct parts *p, const struct inotify_event *e, int wd, const struct event *want)
{
	const char *name = want->name;

	if (!e)
		return parts_wrong(p, "event %#x of '%s' is missing", want->mask, name);
	if (e->wd != wd || e->mask != want->mask || strcmp(name_of(e), name) != 0)
		return parts_wrong(p,
			"event %#x of '%.32s', watch %d; should be %#x of '%s', watch %d",
			e->mask, name_of(e), e->wd, want->mask, name, wd);
	if ((e->cookie != 0) != (want->move != 0))
		return parts_wrong(
			p, "event %#x of '%s' has cookie %u", e->mask, name, e->cookie);
	return 0;
}

static int check_none(struct parts *p)
{
	const struct inotify_event *e = next_event(state_of(p));

	return e ? parts_wrong(p, "unexpected event %#x of '%.32s'", e->mask, name_of(e))
		 : 0;
}

/* Two events have an equal cookie if they belong to one move. */
static int check_cookie(struct parts *p, const struct event *before, uint32_t last,
	const struct event *now, uint32_t cookie)
{
	if (!before->move || !now->move ||
		(last == cookie) == (before->move == now->move))
		return 0;
	return parts_wrong(p, "events of '%s' and '%s' have cookies %u and %u",
		before->name, now->name, last, cookie);
}

/* Reads the events of a list, and no others. */
static int expect(struct parts *p, int wd, const struct event *want)
{
	struct inotify *t = state_of(p);
	uint32_t last = 0;
	int r = read_events(p);

	for (unsigned int i = 0; i < EVENTS && want[i].mask && !r; i++) {
		const struct inotify_event *e = next_event(t);

		r = check_event(p, e, wd, &want[i]);
		if (r || !e)
			return r;
		if (i > 0)
			r = check_cookie(p, &want[i - 1], last, &want[i], e->cookie);
		last = e->cookie;
	}
	return r ? r : check_none(p);
}

static int watch(struct parts *p, const char *path, uint32_t mask)
{
	return (int)parts_result(inotify_add_watch(state_of(p)->fd, path, mask));
}

/* Removes a watch, which generates an event. */
static int unwatch(struct parts *p, int wd)
{
	static const struct event ignored[] = {{IN_IGNORED, .name = ""}, {0}};

	if (inotify_rm_watch(state_of(p)->fd, wd) < 0)
		return -errno;
	return expect(p, wd, ignored);
}

/* --- triggers of events ------------------------------------------------------------- */

/* Opens a file, does something with it, and closes it. */
static int with_file(const char *name, int flags, int (*use)(int fd))
{
	int fd = open(name, flags | O_CLOEXEC, 0600), r = 0;

	if (fd < 0)
		return -errno;
	if (use)
		r = use(fd);
	close(fd);
	return r;
}

static int read_byte(int fd)
{
	char byte;

	return pread(fd, &byte, 1, 0) < 0 ? -errno : 0;
}

static int write_byte(int fd)
{
	return pwrite(fd, "x", 1, 0) < 0 ? -errno : 0;
}

/* Equal unread events are merged. */
static int write_and_truncate(int fd)
{
	int r = write_byte(fd);

	if (!r && ftruncate(fd, 0) < 0)
		r = -errno;
	return r ? r : write_byte(fd);
}

static int write_and_read(int fd)
{
	int r = write_byte(fd);

	return r ? r : read_byte(fd);
}

static int open_to_read(void)
{
	return with_file(FILE_NAME, O_RDONLY, NULL);
}

static int open_to_write(void)
{
	return with_file(FILE_NAME, O_WRONLY, NULL);
}

static int read_file(void)
{
	return with_file(FILE_NAME, O_RDONLY, read_byte);
}

static int write_file(void)
{
	return with_file(FILE_NAME, O_WRONLY, write_and_truncate);
}

static int change_mode(void)
{
	return chmod(FILE_NAME, 0600) < 0 ? -errno : 0;
}

static int move_and_back(void)
{
	if (rename(FILE_NAME, OTHER_NAME) < 0 || rename(OTHER_NAME, FILE_NAME) < 0)
		return -errno;
	return 0;
}

static int make_file(void)
{
	return with_file(NEW_FILE, O_RDWR | O_CREAT | O_EXCL, NULL);
}

static int remove_file(void)
{
	return unlink(NEW_FILE) < 0 ? -errno : 0;
}

static int make_and_remove(void)
{
	int r = make_file();

	if (!r)
		r = remove_file();
	if (!r && (mkdir(NEW_DIR, 0700) < 0 || rmdir(NEW_DIR) < 0))
		r = -errno;
	return r;
}

static int make_use_and_remove(void)
{
	int r = with_file(NEW_FILE, O_RDWR | O_CREAT | O_EXCL, write_and_read);

	return r ? r : remove_file();
}

static int remove_and_write(int fd)
{
	int r = remove_file();

	return r ? r : write_byte(fd);
}

static int write_after_removal(void)
{
	return with_file(NEW_FILE, O_RDWR | O_CREAT | O_EXCL, remove_and_write);
}

/* --- parts: events ------------------------------------------------------------------ */

static int play(struct parts *p)
{
	const struct scene *c = p->with;
	int wd = watch(p, c->watched, c->mask), r;

	if (wd < 0)
		return wd;
	r = c->provoke();
	if (!r)
		r = expect(p, wd, c->want);
	if (r)
		return r;
	return c->ends ? parts_refused(p, inotify_rm_watch(state_of(p)->fd, wd), EINVAL,
				 "the end of an ended watch")
		       : unwatch(p, wd);
}

/* The file is created before it is watched. */
static int delete_self(struct parts *p)
{
	int r = make_file();

	return r ? r : play(p);
}

static const struct scene access_scene = {
	".", IN_ACCESS, read_file, .want = {{IN_ACCESS, .name = FILE_NAME}}};
static const struct scene attrib_scene = {
	".", IN_ATTRIB, change_mode, .want = {{IN_ATTRIB, .name = FILE_NAME}}};
static const struct scene close_write_scene = {
	".", IN_CLOSE, open_to_write, .want = {{IN_CLOSE_WRITE, .name = FILE_NAME}}};
static const struct scene close_nowrite_scene = {
	".", IN_CLOSE, open_to_read, .want = {{IN_CLOSE_NOWRITE, .name = FILE_NAME}}};
static const struct scene create_scene = {".", IN_CREATE, make_and_remove,
	.want = {{IN_CREATE, .name = NEW_FILE}, {IN_CREATE | IN_ISDIR, .name = NEW_DIR}}};
static const struct scene delete_scene = {".", IN_DELETE, make_and_remove,
	.want = {{IN_DELETE, .name = NEW_FILE}, {IN_DELETE | IN_ISDIR, .name = NEW_DIR}}};
static const struct scene delete_self_scene = {NEW_FILE, IN_DELETE_SELF, remove_file,
	.want = {{IN_DELETE_SELF, .name = ""}, {IN_IGNORED, .name = ""}}, .ends = true};
static const struct scene modify_scene = {
	".", IN_MODIFY, write_file, .want = {{IN_MODIFY, .name = FILE_NAME}}};
static const struct scene move_scene = {".", IN_MOVE, move_and_back,
	.want = {{IN_MOVED_FROM, 1, FILE_NAME}, {IN_MOVED_TO, 1, OTHER_NAME},
		{IN_MOVED_FROM, 2, OTHER_NAME}, {IN_MOVED_TO, 2, FILE_NAME}}};
static const struct scene move_self_scene = {
	FILE_NAME, IN_MOVE_SELF, move_and_back, .want = {{IN_MOVE_SELF, .name = ""}}};
static const struct scene open_scene = {
	".", IN_OPEN, open_to_read, .want = {{IN_OPEN, .name = FILE_NAME}}};
static const struct scene all_scene = {".", IN_ALL_EVENTS, make_use_and_remove,
	.want = {{IN_CREATE, .name = NEW_FILE}, {IN_OPEN, .name = NEW_FILE},
		{IN_MODIFY, .name = NEW_FILE}, {IN_ACCESS, .name = NEW_FILE},
		{IN_CLOSE_WRITE, .name = NEW_FILE}, {IN_DELETE, .name = NEW_FILE}}};
static const struct scene oneshot_scene = {".", IN_OPEN | IN_ONESHOT, read_file,
	.want = {{IN_OPEN, .name = FILE_NAME}, {IN_IGNORED, .name = ""}}, .ends = true};
static const struct scene removed_scene = {
	".", IN_MODIFY, write_after_removal, .want = {{IN_MODIFY, .name = NEW_FILE}}};
static const struct scene excl_unlink_scene = {
	".", IN_MODIFY | IN_EXCL_UNLINK, write_after_removal, .want = {{0}}};

/* --- parts: watches ----------------------------------------------------------------- */

static int onlydir(struct parts *p)
{
	int r = parts_refused(p,
		inotify_add_watch(state_of(p)->fd, FILE_NAME, IN_OPEN | IN_ONLYDIR),
		ENOTDIR, "the watch of a file");
	int wd = r ? 0 : watch(p, ".", IN_OPEN | IN_ONLYDIR);

	if (r || wd < 0)
		return r ? r : wd;
	return unwatch(p, wd);
}

static int check_link(struct parts *p)
{
	int file = watch(p, FILE_NAME, IN_OPEN), link = watch(p, LINK_NAME, IN_OPEN);
	int itself = watch(p, LINK_NAME, IN_OPEN | IN_DONT_FOLLOW), r;

	if (file < 0 || link < 0 || itself < 0)
		return file < 0 ? file : link < 0 ? link : itself;
	if (link != file || itself == file)
		return parts_wrong(p, "watches %d of a file, %d and %d of a link to it",
			file, link, itself);
	r = unwatch(p, file);
	return r ? r : unwatch(p, itself);
}

static int dont_follow(struct parts *p)
{
	int r;

	if (symlink(FILE_NAME, LINK_NAME) < 0)
		return -errno;
	r = check_link(p);
	if (unlink(LINK_NAME) < 0 && !r)
		r = -errno;
	return r;
}

/* A second mask replaces the first one or is added to it. */
static int with_masks(struct parts *p, uint32_t second, const struct event *want)
{
	int wd = watch(p, ".", IN_OPEN), again = watch(p, ".", second), r;

	if (wd < 0 || again < 0)
		return wd < 0 ? wd : again;
	if (again != wd)
		return parts_wrong(p, "watches %d and %d of one file", wd, again);
	r = read_file();
	if (!r)
		r = expect(p, wd, want);
	return r ? r : unwatch(p, wd);
}

static int mask_add(struct parts *p)
{
	static const struct event both[EVENTS] = {
		{IN_OPEN, .name = FILE_NAME}, {IN_ACCESS, .name = FILE_NAME}};
	static const struct event second[EVENTS] = {{IN_ACCESS, .name = FILE_NAME}};
	int r = with_masks(p, IN_ACCESS | IN_MASK_ADD, both);

	return r ? r : with_masks(p, IN_ACCESS, second);
}

static int mask_create(struct parts *p)
{
	int wd = watch(p, ".", IN_OPEN | MASK_CREATE), r;

	if (wd < 0)
		return wd;
	r = parts_refused(p,
		inotify_add_watch(state_of(p)->fd, ".", IN_OPEN | MASK_CREATE), EEXIST,
		"a second watch");
	return r ? r : unwatch(p, wd);
}

/* An event that does not fit into the buffer remains in the queue. */
static int short_read(struct parts *p)
{
	static const struct event open[EVENTS] = {{IN_OPEN, .name = FILE_NAME}};
	struct inotify *t = state_of(p);
	int wd = watch(p, ".", IN_OPEN), r;

	if (wd < 0)
		return wd;
	r = parts_refused(
		p, read(t->fd, t->buf, sizeof(t->buf)), EAGAIN, "read of nothing");
	if (!r)
		r = open_to_read();
	if (!r)
		r = parts_refused(p, read(t->fd, t->buf, sizeof(struct inotify_event)),
			EINVAL, "read into a small buffer");
	if (!r)
		r = expect(p, wd, open);
	return r ? r : unwatch(p, wd);
}

static const struct part table[] = {
	{"IN_ACCESS", play, .with = &access_scene},
	{"IN_ATTRIB", play, .with = &attrib_scene},
	{"IN_CLOSE_WRITE", play, .with = &close_write_scene},
	{"IN_CLOSE_NOWRITE", play, .with = &close_nowrite_scene},
	{"IN_CREATE", play, .with = &create_scene},
	{"IN_DELETE", play, .with = &delete_scene},
	{"IN_DELETE_SELF", delete_self, .with = &delete_self_scene},
	{"IN_MODIFY", play, .with = &modify_scene},
	{"IN_MOVE", play, .with = &move_scene},
	{"IN_MOVE_SELF", play, .with = &move_self_scene},
	{"IN_OPEN", play, .with = &open_scene},
	{"IN_ALL_EVENTS", play, .with = &all_scene},
	{"IN_ONESHOT", play, .with = &oneshot_scene},
	{"removed file", play, .with = &removed_scene},
	{"IN_EXCL_UNLINK", play, .with = &excl_unlink_scene},
	{"IN_ONLYDIR", onlydir, .absent = {0}},
	{"IN_DONT_FOLLOW", dont_follow, .absent = {EPERM}},
	{"IN_MASK_ADD", mask_add, .absent = {0}},
	{"IN_MASK_CREATE", mask_create, .absent = {EINVAL}},
	{"short read", short_read, .absent = {0}},
	{0},
};

static int run(struct stress *s)
{
	struct inotify *t = s->data;

	return parts_run(&t->parts);
}

/* --- setup -------------------------------------------------------------------------- */

static const char *probe(const struct stress *s)
{
	(void)s;
	if (inotify_rm_watch(-1, 0) < 0 && errno == ENOSYS)
		return "this kernel has no inotify (CONFIG_INOTIFY_USER)";
	return NULL;
}

/* inotify_add_watch(2) receives a path relative to the working directory. */
static int setup(struct stress *s)
{
	struct inotify *t = s->data;
	int r;

	parts_init(&t->parts, s, table);
	t->fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	if (t->fd < 0)
		return stress_error(s, STRESS_FAIL, errno, "inotify_init1");
	if (fchdir(s->scratch_fd) < 0)
		return stress_error(s, STRESS_FAIL, errno, "fchdir");
	r = with_file(FILE_NAME, O_WRONLY | O_CREAT, write_byte);
	return r < 0 ? stress_error(s, STRESS_FAIL, -r, "a file") : 0;
}

/* Remarks for the man page (man/remarks.h). */
const char stressor_inotify_man[] =
	"metric time per part: one event or flag with its checks\n"
	"metric parts: events and flags that work on this machine\n"
	"Two events are not triggered: IN_UNMOUNT needs privileges, and "
	"IN_Q_OVERFLOW needs memory for thousands of events.\n";

const struct stressor stressor_inotify = {
	.name = "inotify",
	.does = "trigger the events of inotify(7) in a directory and read them",
	.op = "one round of all events and flags of watches",
	.checks = "each event has the right mask, name, watch and cookie; there are "
		  "no other events; FIONREAD returns the number of bytes that can be "
		  "read",
	.needs = "inotify (CONFIG_INOTIFY_USER) and a directory for its files "
		 "(--temp-path)",
	.scratch = true,
	.classes = CLASS_FILESYSTEM | CLASS_OS,
	.metrics = parts_metrics,
	.probe = probe,
	.state = sizeof(struct inotify),
	.setup = setup,
	.run = run,
};
