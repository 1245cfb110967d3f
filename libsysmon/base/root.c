// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/parse.h"
#include "base/root.h"

#define MOUNTINFO_BYTES (256u << 10)
/* PROC_PID_INIT_INO and PROC_TIME_INIT_INO, linux/proc_ns.h */
#define PIDNS_FIRST_LINK  "pid:[4026531836]"
#define TIMENS_FIRST_LINK "time:[4026531834]"

static int open_dir(struct sm_at at, const char *path)
{
	return sm_at_open(at, path, O_PATH | O_DIRECTORY);
}

/* True if a tree does not exist; other errors, such as EMFILE, are returned. */
static bool is_missing(int err)
{
	return err == -ENOENT || err == -ENOTDIR;
}

static int open_trees(
	struct sm_root *r, struct sm_at at, const char *proc_name, const char *sys_name)
{
	int proc = open_dir(at, proc_name), sys = open_dir(at, sys_name);

	if (proc < 0 && (sys < 0 || !is_missing(proc))) {
		sm_base_close_fd(&sys);
		return proc;
	}
	if (sys < 0 && !is_missing(sys)) {
		sm_base_close_fd(&proc);
		return sys;
	}
	r->proc = (struct sm_at){proc < 0 ? -1 : proc, at.top};
	r->sys = (struct sm_at){sys < 0 ? -1 : sys, at.top};
	r->real_proc = sm_file_is_procfs(proc);
	return 0;
}

static int open_below(struct sm_root *r, const char *prefix)
{
	int err, top = open_dir(sm_at_fd(AT_FDCWD), prefix);

	if (top < 0)
		return top;
	err = open_trees(r, (struct sm_at){top, top}, "proc", "sys");
	if (err)
		close(top);
	else
		r->top = top;
	return err;
}

int sm_root_open(struct sm_root *r, const char *prefix)
{
	*r = (struct sm_root)SM_ROOT_INIT;
	if (prefix && *prefix)
		return open_below(r, prefix);
	r->live = true;
	return open_trees(r, sm_at_fd(AT_FDCWD), "/proc", "/sys");
}

int sm_root_open_proc(const struct sm_root *r, const char *path, int flags)
{
	return sm_at_open(r->proc, path, flags);
}

int sm_root_open_sys(const struct sm_root *r, const char *path, int flags)
{
	return sm_at_open(r->sys, path, flags);
}

/* Reads the ID of the mount of proc. */
static bool mount_id(const struct sm_root *r, uint64_t *id)
{
	char path[48], buf[256];
	struct sm_str line;
	const char *p = buf;
	ssize_t n;

	snprintf(path, sizeof(path), "self/fdinfo/%d", r->proc.fd);
	n = sm_file_slurp(r->proc, path, buf, sizeof(buf));
	while (n > 0 && sm_parse_line(&p, buf + n, &line))
		if (sm_parse_starts(line, "mnt_id:")) {
			p = line.p + strlen("mnt_id:");
			sm_parse_skip_blanks(&p, line.p + line.n);
			return sm_parse_u64(&p, line.p + line.n, id);
		}
	return false;
}

/* True if the options of the superblock, the last word of the line, contain hidepid. */
static bool line_hides(struct sm_str line)
{
	const char *end = line.p + line.n, *options = memrchr(line.p, ' ', line.n), *at;

	if (!options)
		return false;
	at = memmem(options, (size_t)(end - options), "hidepid=", strlen("hidepid="));
	if (!at)
		return false;
	at += strlen("hidepid=");
	return at < end && *at != '0' && *at != 'o'; /* hidepid=off */
}

bool sm_root_hidepid(const struct sm_root *r)
{
	uint64_t want, id;
	struct sm_str line;
	const char *p;
	bool hides = false;
	char *buf;
	ssize_t n;

	if (!r->real_proc || !mount_id(r, &want))
		return false;
	buf = malloc(MOUNTINFO_BYTES);
	if (!buf)
		return false;
	n = sm_file_slurp(r->proc, "self/mountinfo", buf, MOUNTINFO_BYTES);
	p = buf;
	while (n > 0 && sm_parse_line(&p, buf + n, &line)) {
		const char *at = line.p;

		if (sm_parse_u64(&at, line.p + line.n, &id) && id == want)
			hides = line_hides(line);
	}
	free(buf);
	return hides;
}

/* Returns whether the link of a namespace has this text; `unread` if it cannot be read.
 */
static bool link_is(
	const struct sm_root *r, const char *path, const char *text, bool unread)
{
	char buf[64];
	ssize_t n = readlinkat(r->proc.fd, path, buf, sizeof(buf));

	return n > 0 ? sm_parse_eq((struct sm_str){buf, (size_t)n}, text) : unread;
}

bool sm_root_initial_pidns(const struct sm_root *r)
{
	return link_is(r, "self/ns/pid", PIDNS_FIRST_LINK, false);
}

bool sm_root_initial_timens(const struct sm_root *r)
{
	return link_is(r, "self/ns/time", TIMENS_FIRST_LINK, true);
}

/* The file is "none integrity [confidentiality]", with the current mode in brackets. */
bool sm_root_confidential(const struct sm_root *r)
{
	char text[128];

	return sm_file_slurp(r->sys, "kernel/security/lockdown", text, sizeof(text)) >
		       0 &&
	       strstr(text, "[confidentiality]");
}

void sm_root_boot_id(const struct sm_root *r, char id[SM_BOOT_ID_SIZE])
{
	ssize_t n =
		sm_file_slurp(r->proc, "sys/kernel/random/boot_id", id, SM_BOOT_ID_SIZE);

	id[n > 0 ? strcspn(id, "\n") : 0] = '\0';
}

bool sm_root_has_fd(const struct sm_root *r, int fd)
{
	return fd >= 0 && (fd == r->proc.fd || fd == r->sys.fd || fd == r->top);
}

int sm_root_highest_fd(const struct sm_root *r)
{
	int high = r->proc.fd > r->sys.fd ? r->proc.fd : r->sys.fd;

	return r->top > high ? r->top : high;
}

void sm_root_close(struct sm_root *r)
{
	sm_base_close_fd(&r->proc.fd);
	sm_base_close_fd(&r->sys.fd);
	sm_base_close_fd(&r->top);
	*r = (struct sm_root)SM_ROOT_INIT;
}
