// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/lines.h"
#include "base/parse.h"
#include "proc/maps.h"

/* Value of a hexadecimal digit in lower case, plus 1; 0: not a digit. */
// clang-format off
static const uint8_t hex_digits[256] = {
	['0'] = 1, ['1'] = 2, ['2'] = 3, ['3'] = 4, ['4'] = 5, ['5'] = 6, ['6'] = 7, ['7'] = 8,
	['8'] = 9, ['9'] = 10, ['a'] = 11, ['b'] = 12, ['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16,
};
// clang-format on

/* Takes 1 to 16 hexadecimal digits and the byte `then` after them. */
static inline bool take_hex(const char **p, const char *end, char then, uint64_t *out)
{
	const char *s = *p, *limit = end - s > 16 ? s + 16 : end;
	unsigned int digit;
	uint64_t v = 0;

	for (; s < limit && (digit = hex_digits[(unsigned char)*s]) != 0; s++)
		v = v << 4 | (digit - 1);
	if (s == *p || s == end || *s != then)
		return false;
	*out = v;
	*p = s + 1;
	return true;
}

static bool take_hex32(const char **p, const char *end, char then, uint32_t *out)
{
	uint64_t v;

	if (!take_hex(p, end, then, &v) || v > UINT32_MAX)
		return false;
	*out = (uint32_t)v;
	return true;
}

/* Adds the permission if c is its letter; false if c is neither this nor its opposite. */
static bool add_perm(
	char c, char letter, char opposite, unsigned int bit, unsigned int *perms)
{
	if (c == letter)
		*perms |= bit;
	return c == letter || c == opposite;
}

/* Takes "rw-p ". */
static bool take_perms(const char **p, const char *end, unsigned int *out)
{
	const char *s = *p;
	unsigned int perms = 0;

	if (end - s < 5 || s[4] != ' ' ||
		!add_perm(s[0], 'r', '-', SM_VMA_READ, &perms) ||
		!add_perm(s[1], 'w', '-', SM_VMA_WRITE, &perms) ||
		!add_perm(s[2], 'x', '-', SM_VMA_EXEC, &perms) ||
		!add_perm(s[3], 's', 'p', SM_VMA_SHARED, &perms))
		return false;
	*out = perms;
	*p = s + 5;
	return true;
}

/* Takes the inode and the spaces before the name, if there is one. */
static bool take_inode(const char **p, const char *end, uint64_t *inode)
{
	if (!sm_parse_u64(p, end, inode) || (*p < end && **p != ' '))
		return false;
	while (*p < end && **p == ' ')
		++*p;
	return true;
}

int sm_maps_parse_line(const char *s, size_t n, struct sm_vma *out)
{
	const char *p = s, *end = s + n;
	struct sm_vma v;

	if (!take_hex(&p, end, '-', &v.start) || !take_hex(&p, end, ' ', &v.end) ||
		v.start >= v.end || !take_perms(&p, end, &v.perms) ||
		!take_hex(&p, end, ' ', &v.offset_bytes) ||
		!take_hex32(&p, end, ':', &v.dev_major) ||
		!take_hex32(&p, end, ' ', &v.dev_minor) || !take_inode(&p, end, &v.inode))
		return -EBADMSG;
	v.name = (struct sm_str){p, (size_t)(end - p)};
	*out = v;
	return 0;
}

struct reading {
	int (*fn)(void *ctx, const struct sm_vma *v);
	void *ctx;
	uint64_t last_end;
};

/* Removes the part of a mapping below last_end; false if nothing is left. */
static bool clip(struct sm_vma *v, uint64_t last_end)
{
	if (v->start >= last_end)
		return true;
	if (v->end <= last_end)
		return false;
	if (v->inode)
		v->offset_bytes += last_end - v->start;
	v->start = last_end;
	return true;
}

static int take_line(void *ctx, const char *s, size_t n)
{
	struct reading *r = ctx;
	struct sm_vma v;
	int err = sm_maps_parse_line(s, n, &v);

	if (err < 0)
		return err;
	if (!clip(&v, r->last_end))
		return 0;
	r->last_end = v.end;
	return r->fn(r->ctx, &v);
}

/* If the memory is freed while the file is read, the list seems to end.  Reading one byte
 * costs the kernel one record. */
int sm_maps_alive(int fd)
{
	char c;
	ssize_t n = pread(fd, &c, 1, 0);

	if (n < 0)
		return -errno;
	return n == 0 ? -ESRCH : 0;
}

int sm_maps_read(int fd, struct sm_buf *line,
	int (*fn)(void *ctx, const struct sm_vma *v), void *ctx)
{
	struct reading r = {.fn = fn, .ctx = ctx};
	int ret = sm_lines_read(fd, line, take_line, &r);

	/* If the memory is freed while the file is read, the list seems to end. */
	return ret ? ret : sm_maps_alive(fd);
}

bool sm_maps_is_device(struct sm_str name)
{
	if (sm_parse_starts(name, "/dev/"))
		return !sm_parse_starts(name, "/dev/shm/") &&
		       !sm_parse_starts(name, "/dev/zero");
	return sm_parse_starts(name, "/sys/") || sm_parse_starts(name, "[vvar");
}

#define DELETED " (deleted)"

/* The kernel's names of memory that is a file without ever having been in a directory:
 * memfd_create(2), shmget(2), hugetlb, io_setup(2), graphics. */
static bool is_memory(const struct sm_vma *v)
{
	static const char *const prefixes[] = {"/memfd:", "/SYSV", "/dev/zero" DELETED,
		"/anon_hugepage" DELETED, "/[aio]", "/drm mm object", "/i915"};

	for (size_t i = 0; i < SM_ARRAY_SIZE(prefixes); i++)
		if (sm_parse_starts(v->name, prefixes[i]))
			return v->dev_major == 0;
	return false;
}

/* Returns whether the mapping's file has the name that ends in " (deleted)". */
static bool is_named_so(const struct sm_vma *v)
{
	char path[PATH_MAX];
	struct stat st;

	if (v->name.n >= sizeof(path))
		return false;
	memcpy(path, v->name.p, v->name.n);
	path[v->name.n] = '\0';
	return fstatat(AT_FDCWD, path, &st, AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT) == 0 &&
	       st.st_ino == v->inode;
}

int sm_maps_deleted(const struct sm_vma *v)
{
	const size_t n = strlen(DELETED);

	if (!v->inode || v->name.n <= n || v->name.p[0] != '/' ||
		memcmp(v->name.p + v->name.n - n, DELETED, n) != 0 || is_memory(v))
		return 0;
	return is_named_so(v) ? -EEXIST : 1;
}

void sm_maps_perms(unsigned int perms, char out[5])
{
	out[0] = perms & SM_VMA_READ ? 'r' : '-';
	out[1] = perms & SM_VMA_WRITE ? 'w' : '-';
	out[2] = perms & SM_VMA_EXEC ? 'x' : '-';
	out[3] = perms & SM_VMA_SHARED ? 's' : 'p';
	out[4] = '\0';
}
