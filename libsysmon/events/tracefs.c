// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <stdio.h>
#include <unistd.h>
#include "base/compat.h"
#include "base/file.h"
#include "base/parse.h"
#include "events/tracefs.h"

/* Values of include/uapi/linux/mount.h, which older headers lack. */
#define FSOPEN_CLOEXEC_FLAG  0x1u
#define FSCONFIG_CREATE_CMD  6u
#define FSMOUNT_CLOEXEC_FLAG 0x1u
#define MOUNT_READ_ONLY_FLAG 0x1u
#define MOUNT_SAFE_FLAGS     0xeu /* nosuid, nodev, noexec */

#define FORMAT_CAP 16384 /* the fields are first; only the print format is truncated */

static bool lacks_descriptors(int err)
{
	return err == -EMFILE || err == -ENFILE;
}

/* Opens a mount point, which is an empty directory of sysfs while it is not mounted. */
static int open_mounted(struct sm_at sys, const char *path)
{
	int fd = sm_at_open(sys, path, O_DIRECTORY);
	struct stat st;
	int rc;

	if (fd < 0)
		return fd;
	/* faccessat(2) would check the permissions of the real user. */
	if (fstatat(fd, "events", &st, 0) == 0)
		return fd;
	rc = -errno;
	close(fd);
	return rc;
}

/* Creates a private, detached mount, which ends with the fd. */
static int open_detached(void)
{
	SM_CLOSE_FD int fs = (int)syscall(SYS_fsopen, "tracefs", FSOPEN_CLOEXEC_FLAG);
	int fd;

	if (fs < 0)
		return -errno;
	if (syscall(SYS_fsconfig, fs, FSCONFIG_CREATE_CMD, NULL, NULL, 0) < 0)
		return -errno;
	fd = (int)syscall(SYS_fsmount, fs, FSMOUNT_CLOEXEC_FLAG,
		MOUNT_SAFE_FLAGS | MOUNT_READ_ONLY_FLAG);
	return fd < 0 ? -errno : fd;
}

int sm_tracefs_open(const struct sm_root *r)
{
	static const char *const places[] = {"kernel/tracing", "kernel/debug/tracing"};
	bool denied = false;
	int fd;

	for (size_t i = 0; i < SM_ARRAY_SIZE(places); i++) {
		fd = open_mounted(r->sys, places[i]);
		if (fd >= 0 || lacks_descriptors(fd))
			return fd;
		denied = denied || fd == -EACCES;
	}
	if (denied)
		return -EACCES;
	if (!r->live)
		return -ENOENT;
	fd = open_detached();
	if (fd < 0 && fd != -EPERM && fd != -EACCES && !lacks_descriptors(fd))
		return -ENOENT; /* no such system call, no such file system */
	return fd;
}

/* True for a single directory name, which cannot lead out of the events. */
static bool is_name(const char *s)
{
	return *s && *s != '.' && !strchr(s, '/');
}

static int event_path(
	char *buf, size_t cap, const char *system, const char *event, const char *file)
{
	int n;

	if (!is_name(system) || !is_name(event))
		return -EINVAL;
	n = snprintf(buf, cap, "events/%s/%s/%s", system, event, file);
	return n < 0 || (size_t)n >= cap ? -ENAMETOOLONG : 0;
}

int sm_tracefs_event_id(const struct sm_root *r, int tracefs_fd, const char *system,
	const char *event, uint32_t *id)
{
	char path[256];
	uint64_t v;
	int rc = event_path(path, sizeof(path), system, event, "id");

	if (rc < 0)
		return rc;
	rc = sm_file_read_u64(sm_at_in(r->sys, tracefs_fd), path, &v);
	if (rc < 0)
		return rc;
	if (v > UINT32_MAX)
		return -ERANGE;
	*id = (uint32_t)v;
	return 0;
}

/* Reads at most FORMAT_CAP bytes of an event's format; returns the length. */
static ssize_t read_format(const struct sm_root *r, int tracefs_fd, const char *system,
	const char *event, char *text)
{
	char path[256];
	int rc = event_path(path, sizeof(path), system, event, "format");

	if (rc < 0)
		return rc;
	return sm_file_slurp(sm_at_in(r->sys, tracefs_fd), path, text, FORMAT_CAP);
}

int sm_tracefs_field(const struct sm_root *r, int tracefs_fd, const char *system,
	const char *event, const char *field, struct sm_tracefs_field *out)
{
	char text[FORMAT_CAP];
	ssize_t n = read_format(r, tracefs_fd, system, event, text);

	return n < 0 ? (int)n : sm_tracefs_format_parse(text, (size_t)n, field, out);
}

int sm_tracefs_fields(const struct sm_root *r, int tracefs_fd, const char *system,
	const char *event, struct sm_tracefs_named *field, size_t n)
{
	char text[FORMAT_CAP];
	ssize_t len = read_format(r, tracefs_fd, system, event, text);

	if (len < 0)
		return (int)len;
	for (size_t i = 0; i < n; i++) {
		struct sm_tracefs_named *f = &field[i];
		int rc = f->name ? sm_tracefs_format_parse(
					   text, (size_t)len, f->name, &f->at)
				 : -ENOENT;

		if (rc == -ENOENT)
			f->at = (struct sm_tracefs_field){0};
		else if (rc < 0)
			return rc;
	}
	return 0;
}

/* Takes the text before the next ';', without leading spaces; false without a ';'. */
static bool next_part(const char **p, const char *end, struct sm_str *out)
{
	const char *semi;

	sm_parse_skip_blanks(p, end);
	semi = *p < end ? memchr(*p, ';', (size_t)(end - *p)) : NULL;
	if (!semi)
		return false;
	*out = (struct sm_str){*p, (size_t)(semi - *p)};
	*p = semi + 1;
	return true;
}

static bool is_ident(char c)
{
	return sm_parse_is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       c == '_';
}

/* Finds the last identifier before an array suffix: "unsigned long args[6]" -> "args". */
static struct sm_str declared_name(struct sm_str decl)
{
	const char *start = decl.p, *end = decl.p + decl.n, *name;

	if (end > start && end[-1] == ']')
		do
			end--;
		while (end > start && *end != '[');
	while (end > start && sm_parse_is_blank(end[-1]))
		end--;
	name = end;
	while (name > start && is_ident(name[-1]))
		name--;
	return (struct sm_str){name, (size_t)(end - name)};
}

/* Parses "size:16": a part with this key and a number that fits. */
static bool number_part(
	const char **p, const char *end, const char *key, uint64_t max, uint64_t *out)
{
	size_t n = strlen(key);
	struct sm_str part;

	if (!next_part(p, end, &part) || !sm_parse_starts(part, key))
		return false;
	part = (struct sm_str){part.p + n, part.n - n};
	return sm_parse_whole_u64(part, out) && *out <= max;
}

/* Parses the rest of a field's line: "offset:8;\tsize:16;\tsigned:0;". */
static int parse_place(struct sm_str line, const char *p, struct sm_tracefs_field *out)
{
	const char *end = line.p + line.n;
	uint64_t offset, size, is_signed;

	if (!number_part(&p, end, "offset:", UINT32_MAX, &offset) ||
		!number_part(&p, end, "size:", UINT32_MAX, &size) ||
		!number_part(&p, end, "signed:", 1, &is_signed))
		return -EBADMSG;
	out->offset = (uint32_t)offset;
	out->size = (uint32_t)size;
	out->is_signed = is_signed != 0;
	return 0;
}

int sm_tracefs_format_parse(
	const char *s, size_t n, const char *field, struct sm_tracefs_field *out)
{
	static const size_t prefix = sizeof("field:") - 1;
	const char *p = s, *end = s + n;
	struct sm_str line, decl;

	while (sm_parse_line(&p, end, &line)) {
		const char *at = line.p;

		if (!next_part(&at, line.p + line.n, &decl) ||
			!sm_parse_starts(decl, "field:"))
			continue;
		decl = (struct sm_str){decl.p + prefix, decl.n - prefix};
		if (!sm_parse_eq(declared_name(decl), field))
			continue;
		out->data_loc = sm_parse_starts(decl, "__data_loc ");
		return parse_place(line, at, out);
	}
	return -ENOENT;
}
