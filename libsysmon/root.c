// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>

#include "file.h"
#include "parse.h"
#include "root.h"

#define MOUNTINFO_BYTES (256u << 10)

static int open_dir(int dirfd, const char *path)
{
	int fd = openat(dirfd, path, O_PATH | O_DIRECTORY | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

static bool is_procfs(int fd)
{
	struct statfs st;

	return fd >= 0 && fstatfs(fd, &st) == 0 && st.f_type == PROC_SUPER_MAGIC;
}

int sm_root_open(struct sm_root *r, const char *prefix)
{
	bool live = !prefix || !*prefix;
	SM_CLOSE_FD int top = -1;
	int proc, sys;

	*r = (struct sm_root)SM_ROOT_INIT;
	top = open_dir(AT_FDCWD, live ? "/" : prefix);
	if (top < 0)
		return top;
	proc = open_dir(top, "proc");
	sys = open_dir(top, "sys");
	if (proc < 0 && sys < 0)
		return proc;
	r->proc_fd = proc < 0 ? -1 : proc;
	r->sys_fd = sys < 0 ? -1 : sys;
	r->live = live;
	r->real_proc = is_procfs(proc);
	return 0;
}

/* The number of the mount that proc_fd is on. */
static bool mount_id(const struct sm_root *r, uint64_t *id)
{
	char path[48], buf[256];
	struct sm_str line;
	const char *p = buf;
	ssize_t n;

	snprintf(path, sizeof(path), "self/fdinfo/%d", r->proc_fd);
	n = sm_file_slurp(r->proc_fd, path, buf, sizeof(buf));
	while (n > 0 && sm_parse_line(&p, buf + n, &line))
		if (sm_str_starts(line, "mnt_id:")) {
			p = line.p + strlen("mnt_id:");
			sm_skip_blanks(&p, line.p + line.n);
			return sm_parse_u64(&p, line.p + line.n, id);
		}
	return false;
}

/* The options of the superblock are the line's last word. */
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
	n = sm_file_slurp(r->proc_fd, "self/mountinfo", buf, MOUNTINFO_BYTES);
	p = buf;
	while (n > 0 && sm_parse_line(&p, buf + n, &line)) {
		const char *at = line.p;

		if (sm_parse_u64(&at, line.p + line.n, &id) && id == want)
			hides = line_hides(line);
	}
	free(buf);
	return hides;
}

void sm_root_boot_id(const struct sm_root *r, char id[SM_BOOT_ID_SIZE])
{
	ssize_t n = sm_file_slurp(
		r->proc_fd, "sys/kernel/random/boot_id", id, SM_BOOT_ID_SIZE);

	id[n > 0 ? strcspn(id, "\n") : 0] = '\0';
}

void sm_root_close(struct sm_root *r)
{
	sm_close_fd(&r->proc_fd);
	sm_close_fd(&r->sys_fd);
	*r = (struct sm_root)SM_ROOT_INIT;
}
