// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "proc/sysfs.h"
#include "base/clock.h"
#include "base/dir.h"
#include "base/file.h"
#include "base/parse.h"

#define DIRENTS_CAP 4096u
#define NUMBER_CAP  64u
#define SLOW_NS	    (SM_NSEC_PER_MSEC / 2)
#define TRIES	    3u

/* ---- directories ---- */

int sm_sysfs_each(struct sm_at at, const char *path,
	int (*fn)(void *ctx, const char *name), void *ctx)
{
	_Alignas(8) char buf[DIRENTS_CAP];
	struct sm_dir d;
	const char *name;
	int ret = sm_dir_open(&d, at, path, buf, sizeof(buf));

	while (ret == 0 && (name = sm_dir_next(&d)) != NULL)
		if (*name != '.')
			ret = fn(ctx, name);
	sm_dir_close(&d);
	return ret ? ret : d.err;
}

bool sm_sysfs_number(const char *name, const char *prefix, unsigned int *out)
{
	struct sm_str s = {name, strlen(name)};
	uint64_t v;

	if (!sm_parse_starts(s, prefix))
		return false;
	s.p += strlen(prefix);
	s.n -= strlen(prefix);
	if (!sm_parse_whole_u64(s, &v) || v > UINT_MAX || (*s.p == '0' && s.n > 1))
		return false;
	*out = (unsigned int)v;
	return true;
}

/* ---- values ---- */

/* Reads the text of an attribute without its newline. */
static int read_line(int fd, char *buf, struct sm_str *out)
{
	ssize_t n;

	if (fd < 0)
		return -ENOENT;
	do
		n = pread(fd, buf, NUMBER_CAP, 0);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	if (n == NUMBER_CAP)
		return -EINVAL;
	if (n > 0 && buf[n - 1] == '\n')
		n--;
	*out = (struct sm_str){buf, (size_t)n};
	return n > 0 ? 0 : -ENODATA;
}

int sm_sysfs_read_i64(int fd, int64_t *out)
{
	char buf[NUMBER_CAP];
	struct sm_str s = {buf, 0};
	int err = read_line(fd, buf, &s);

	if (err < 0)
		return err;
	return sm_parse_whole_i64(s, out) ? 0 : -EINVAL;
}

int sm_sysfs_read_u64(int fd, uint64_t *out)
{
	char buf[NUMBER_CAP];
	struct sm_str s = {buf, 0};
	int err = read_line(fd, buf, &s);

	if (err < 0)
		return err;
	return sm_parse_whole_u64(s, out) ? 0 : -EINVAL;
}

int sm_sysfs_read_timely(int fd, uint64_t *out, uint64_t *at_ns)
{
	uint64_t before = sm_clock_mono_ns(), best_ns = UINT64_MAX;
	int err = 0;

	for (unsigned int i = 0; i < TRIES && best_ns > SLOW_NS; i++) {
		uint64_t value = 0, after;

		err = sm_sysfs_read_u64(fd, &value);
		if (err < 0)
			return err;
		after = sm_clock_mono_ns();
		if (after - before < best_ns) {
			best_ns = after - before;
			*at_ns = before + best_ns / 2;
			*out = value;
		}
		before = after;
	}
	return err;
}

bool sm_sysfs_text(struct sm_at at, const char *path, char *buf, size_t cap)
{
	ssize_t n = sm_file_slurp(at, path, buf, cap);

	if (n > 0)
		buf[strcspn(buf, "\n")] = '\0';
	return n > 0 && buf[0] != '\0';
}

/* ---- labels ---- */

/* True if the text is the base of another element or the label of an earlier one. */
static bool taken(char *array, size_t n, size_t i, const char *text,
	const struct sm_sysfs_labels *l)
{
	for (size_t k = 0; k < n; k++, array += l->size) {
		if (k != i && strcmp(array + l->base, text) == 0)
			return true;
		if (k < i && strcmp(array + l->label, text) == 0)
			return true;
	}
	return false;
}

/* At most 2 n texts are taken, so one of the first 2 n + 1 is free. */
void sm_sysfs_labels(void *array, size_t n, const struct sm_sysfs_labels *l)
{
	char *item = array;

	for (size_t i = 0; i < n; i++, item += l->size) {
		char *label = item + l->label;
		size_t end = strlen(item + l->base);
		unsigned int number;

		memcpy(&number, item + l->number, sizeof(number));
		memcpy(label, item + l->base, end + 1);
		if (taken(array, n, i, label, l))
			snprintf(label + end, l->cap - end, "-%u", number);
		for (size_t k = 1; taken(array, n, i, label, l) && k <= 2 * n; k++)
			snprintf(label + end, l->cap - end, "-%u.%zu", number, k);
	}
}
