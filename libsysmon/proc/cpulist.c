// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/parse.h"
#include "proc/cpulist.h"

#define ONLINE	 "devices/system/cpu/online"
#define POSSIBLE "devices/system/cpu/possible"
#define LIST_CAP 4097u /* a sysfs attribute is at most a page */

/* Parses one "N" or "N-M" of a CPU list. */
static int scan_cpu_range(
	const char **p, const char *end, uint64_t *first, uint64_t *last)
{
	if (!sm_parse_u64(p, end, first))
		return *p < end && sm_parse_is_digit(**p) ? -ERANGE : -EINVAL;
	*last = *first;
	if (*p < end && **p == '-') {
		(*p)++;
		if (!sm_parse_u64(p, end, last))
			return *p < end && sm_parse_is_digit(**p) ? -ERANGE : -EINVAL;
	}
	if (*first >= SM_CPULIST_MAX || *last >= SM_CPULIST_MAX)
		return -ERANGE;
	return *first <= *last ? 0 : -EINVAL;
}

static int walk_cpulist(const char *p, const char *end,
	void (*fn)(void *ctx, unsigned int cpu), void *ctx)
{
	uint64_t first, last, count = 0;

	while (p < end) {
		int ret = scan_cpu_range(&p, end, &first, &last);

		if (ret < 0)
			return ret;
		count += last - first + 1;
		if (count > INT_MAX)
			return -ERANGE;
		for (; fn && first <= last; first++)
			fn(ctx, (unsigned int)first);
		if (p < end && (*p++ != ',' || p == end))
			return -EINVAL;
	}
	return (int)count;
}

int sm_cpulist_parse(
	const char *s, size_t n, void (*fn)(void *ctx, unsigned int cpu), void *ctx)
{
	int ret;

	if (n > 0 && s[n - 1] == '\n')
		n--;
	if (n == 0)
		return 0; /* the kernel's way to write an empty set */
	/* The callback must not receive a part of an invalid list. */
	ret = walk_cpulist(s, s + n, NULL, NULL);
	return ret < 0 ? ret : walk_cpulist(s, s + n, fn, ctx);
}

static int count_of(const struct sm_root *root, const char *list)
{
	char buf[LIST_CAP];
	ssize_t n = sm_file_slurp_bytes(root->sys, list, buf, sizeof(buf));
	int count;

	if (n < 0)
		return (int)n;
	if (n == (ssize_t)sizeof(buf))
		return -EBADMSG;
	count = sm_cpulist_parse(buf, (size_t)n, NULL, NULL);
	return count > 0 ? count : -EBADMSG;
}

int sm_cpulist_online(const struct sm_root *root)
{
	return count_of(root, ONLINE);
}

int sm_cpulist_possible(const struct sm_root *root)
{
	return count_of(root, POSSIBLE);
}

/* ---- the online CPUs, read repeatedly ---- */

int sm_cpulist_open(struct sm_cpulist *l, const struct sm_root *root)
{
	*l = (struct sm_cpulist)SM_CPULIST_INIT;
	return sm_file_open(&l->file, root->sys, ONLINE);
}

int sm_cpulist_mark(struct sm_cpulist *l, unsigned int cpu)
{
	if (sm_array_reserve(&l->online, &l->cap, cpu + 1, sizeof(*l->online)) < 0)
		return -ENOMEM;
	while (l->n <= cpu)
		l->online[l->n++] = false;
	l->online[cpu] = true;
	l->count = 0;
	return 0;
}

struct marking {
	struct sm_cpulist *l;
	int err;
};

static void mark(void *ctx, unsigned int cpu)
{
	struct marking *m = ctx;

	if (m->err == 0)
		m->err = sm_cpulist_mark(m->l, cpu);
}

static bool is_unchanged(const struct sm_cpulist *l)
{
	return l->count > 0 && l->text_len == l->file.len &&
	       memcmp(l->text, l->file.buf, l->text_len) == 0;
}

static bool keep_text(struct sm_cpulist *l)
{
	if (sm_array_reserve(&l->text, &l->text_cap, l->file.len, 1) < 0)
		return false;
	memcpy(l->text, l->file.buf, l->file.len);
	l->text_len = l->file.len;
	return true;
}

static int mark_all(struct sm_cpulist *l)
{
	struct marking m = {.l = l};
	int count;

	for (unsigned int i = 0; i < l->n; i++)
		l->online[i] = false;
	count = sm_cpulist_parse(l->file.buf, l->file.len, mark, &m);
	if (count < 0)
		return -EBADMSG;
	return m.err < 0 ? m.err : count;
}

/* Marking many CPUs costs more than reading the list, which rarely changes. */
int sm_cpulist_read(struct sm_cpulist *l)
{
	ssize_t got = sm_file_read(&l->file);
	int count;

	if (got < 0)
		return (int)got;
	if (is_unchanged(l))
		return l->count;
	count = mark_all(l);
	l->count = count > 0 && keep_text(l) ? count : 0;
	return count;
}

void sm_cpulist_close(struct sm_cpulist *l)
{
	sm_file_close(&l->file);
	free(l->online);
	free(l->text);
	*l = (struct sm_cpulist)SM_CPULIST_INIT;
}
