// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/opt_value.h"
#include "base/array.h"
#include "base/parse.h"
#include "base/text.h"
#include "cli/ids.h"

void sm_opt_complain(struct sm_buf *why, const char *what, struct sm_str s)
{
	sm_buf_str(why, what);
	sm_buf_str(why, " '");
	sm_text_human(why, s.p, s.n, SM_TEXT_UTF8);
	sm_buf_chr(why, '\'');
}

int sm_opt_refuse(struct sm_buf *why, const char *arg, const char *text)
{
	sm_buf_chr(why, '\'');
	sm_buf_str(why, arg);
	sm_buf_str(why, "' ");
	sm_buf_str(why, text);
	return -EINVAL;
}

int sm_opt_must_be(struct sm_buf *why, struct sm_str s, const char *rule)
{
	sm_buf_chr(why, '\'');
	sm_text_human(why, s.p, s.n, SM_TEXT_UTF8);
	sm_buf_str(why, "' must be ");
	sm_buf_str(why, rule);
	return -EINVAL;
}

void sm_opt_add_choices(struct sm_buf *b, const char *const *choices)
{
	for (size_t i = 0; choices[i]; i++) {
		if (i)
			sm_buf_str(b, choices[i + 1] ? ", " : " or ");
		sm_buf_str(b, choices[i]);
	}
}

int sm_opt_must_choose(struct sm_buf *why, struct sm_str s, const char *const *choices)
{
	(void)!sm_opt_must_be(why, s, "");
	sm_opt_add_choices(why, choices);
	return -EINVAL;
}

int sm_opt_source(const char *arg, const char *const *choices, int *source,
	const char **sensors, struct sm_buf *why)
{
	static const char hwmon[] = "hwmon:";
	size_t n = strncmp(arg, hwmon, sizeof(hwmon) - 1) == 0 ? sizeof(hwmon) - 1 : 0;
	size_t word = n ? n - 1 : strlen(arg);

	if (n && !arg[n])
		return sm_opt_must_be(
			why, (struct sm_str){arg, n}, "hwmon:LABEL[,LABEL]");
	for (int i = 0; choices[i]; i++) {
		if (strlen(choices[i]) != word || strncmp(choices[i], arg, word) != 0)
			continue;
		*source = i;
		*sensors = n ? arg + n : NULL;
		return 0;
	}
	return sm_opt_must_choose(why, (struct sm_str){arg, strlen(arg)}, choices);
}

int sm_opt_conflict(struct sm_buf *why, const char *a, const char *b)
{
	sm_buf_printf(why, "%s and %s cannot be used together", a, b);
	return -EINVAL;
}

int sm_opt_each(const char *arg,
	int (*fn)(void *ctx, struct sm_str s, struct sm_buf *why), void *ctx,
	struct sm_buf *why)
{
	const char *comma;
	int err;

	for (;; arg = comma + 1) {
		comma = strchrnul(arg, ',');
		err = fn(ctx, (struct sm_str){arg, (size_t)(comma - arg)}, why);
		if (err || !*comma)
			return err;
	}
}

int sm_opt_pid(struct sm_str s, uint32_t *pid, struct sm_buf *why)
{
	uint64_t v;

	if (!sm_parse_whole_u64(s, &v) || v == 0 || v > INT32_MAX)
		return sm_opt_must_be(why, s, "a process ID");
	*pid = (uint32_t)v;
	return 0;
}

int sm_opt_user(struct sm_str s, uint32_t *uid, struct sm_buf *why)
{
	char name[256];
	uid_t id;

	if (s.n == 0 || s.n >= sizeof(name))
		return sm_opt_must_be(why, s, "a user name or ID");
	memcpy(name, s.p, s.n);
	name[s.n] = '\0';
	if (sm_ids_lookup(name, &id) < 0) {
		sm_opt_complain(why, "unknown user", s);
		return -ENOENT;
	}
	*uid = id;
	return 0;
}

/* Returns the place of v, or of the first larger value. */
static unsigned int place_of(const struct sm_opt_list *l, uint32_t v)
{
	unsigned int first = 0, end = l->n;

	while (first < end) {
		unsigned int middle = first + (end - first) / 2;

		if (l->v[middle] < v)
			first = middle + 1;
		else
			end = middle;
	}
	return first;
}

bool sm_opt_list_has(const struct sm_opt_list *l, uint32_t v)
{
	unsigned int i = place_of(l, v);

	return i < l->n && l->v[i] == v;
}

bool sm_opt_list_selects(const struct sm_opt_list *l, uint32_t a, uint32_t b)
{
	return !l->n || sm_opt_list_has(l, a) || sm_opt_list_has(l, b);
}

void sm_opt_list_fini(struct sm_opt_list *l)
{
	free(l->v);
	*l = (struct sm_opt_list){0};
}

int sm_opt_list_add(struct sm_opt_list *l, uint32_t v)
{
	unsigned int i = place_of(l, v);

	if (i < l->n && l->v[i] == v)
		return 0;
	if (sm_array_reserve(&l->v, &l->cap, l->n + 1, sizeof(*l->v)) < 0)
		return -ENOMEM;
	memmove(l->v + i + 1, l->v + i, (l->n - i) * sizeof(*l->v));
	l->v[i] = v;
	l->n++;
	return 0;
}

static int one_pid(void *ctx, struct sm_str s, struct sm_buf *why)
{
	uint32_t pid;
	int err = sm_opt_pid(s, &pid, why);

	return err ? err : sm_opt_list_add(ctx, pid);
}

static int one_user(void *ctx, struct sm_str s, struct sm_buf *why)
{
	uint32_t uid;
	int err = sm_opt_user(s, &uid, why);

	return err ? err : sm_opt_list_add(ctx, uid);
}

int sm_opt_pids(const char *arg, struct sm_opt_list *l, struct sm_buf *why)
{
	return sm_opt_each(arg, one_pid, l, why);
}

int sm_opt_users(const char *arg, struct sm_opt_list *l, struct sm_buf *why)
{
	return sm_opt_each(arg, one_user, l, why);
}

const char *const sm_opt_time_styles[] = {"clock", "iso", "epoch", "mono", "delta", NULL};
const char *const sm_opt_colors[] = {"auto", "always", "never", NULL};

int sm_opt_time_style(const char *arg, int *style, struct sm_buf *why)
{
	for (int i = 0; sm_opt_time_styles[i]; i++)
		if (strcmp(arg, sm_opt_time_styles[i]) == 0) {
			*style = i;
			return 0;
		}
	return sm_opt_must_choose(
		why, (struct sm_str){arg, strlen(arg)}, sm_opt_time_styles);
}

/* Two outputs may share one device, such as /dev/null; names below /dev/shm are files. */
static bool taken_twice(const struct sm_opt_file *a, const struct sm_opt_file *b)
{
	return a->name && b->name && strcmp(a->name, b->name) == 0 &&
	       (strncmp(a->name, "/dev/", 5) != 0 ||
		       strncmp(a->name, "/dev/shm/", 9) == 0);
}

static int no_dash(const struct sm_opt_file *f, struct sm_buf *why)
{
	sm_buf_printf(why, "%s cannot write to '-'", f->option);
	if (f->stdout_how)
		sm_buf_printf(why, "; %s", f->stdout_how);
	return -EINVAL;
}

static int two_options(
	const struct sm_opt_file *a, const struct sm_opt_file *b, struct sm_buf *why)
{
	sm_buf_printf(why, "%s and %s cannot both write to", a->option, b->option);
	sm_opt_complain(why, "", (struct sm_str){a->name, strlen(a->name)});
	return -EINVAL;
}

int sm_opt_files(const struct sm_opt_file *f, size_t n, struct sm_buf *why)
{
	for (size_t i = 0; i < n; i++) {
		if (f[i].name && strcmp(f[i].name, "-") == 0)
			return no_dash(&f[i], why);
		for (size_t j = 0; j < i; j++)
			if (taken_twice(&f[j], &f[i]))
				return two_options(&f[j], &f[i], why);
	}
	return 0;
}
