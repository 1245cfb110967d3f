// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <string.h>

#include "facts.h"
#include "base/parse.h"
#include "kernel/cgroup.h"

static ssize_t read_cgroup(const struct facts *f, pid_t pid, char *buf, size_t cap)
{
	ssize_t n = sm_cgroup_read(f->procs->root, pid, buf, cap);
	struct sm_pidstat st;

	/* A task that exits is shown in the root of each hierarchy of version 1. */
	if (n == 1 && (sm_procpid_read_stat(f->procs->root, pid, &st) < 0 ||
			      (st.flags & SM_PF_EXITING)))
		return -ENOENT;
	return n;
}

/* loginuid is (uid_t)-1 until pam_loginuid(8) sets it. */
static ssize_t read_loginuid(const struct facts *f, pid_t pid, char *buf, size_t cap)
{
	ssize_t n = sm_procpid_read_file(f->procs->root, pid, "loginuid", buf, cap);

	if (n > 0 && sm_parse_eq((struct sm_str){buf, (size_t)n}, "4294967295"))
		return 0;
	return n;
}

static ssize_t read_env(const struct facts *f, pid_t pid, char *buf, size_t cap)
{
	size_t name = strlen(f->opts->env), len;
	ssize_t n = sm_procpid_read_file(
		f->procs->root, pid, "environ", f->procs->scratch, SM_NAME_MAX_BYTES);
	const char *p = f->procs->scratch, *end = n > 0 ? p + n : p;

	for (; p < end; p += len + 1) {
		len = strnlen(p, (size_t)(end - p));
		if (len <= name || p[name] != '=' || memcmp(p, f->opts->env, name) != 0)
			continue;
		len -= name + 1;
		len = len < cap ? len : cap;
		memcpy(buf, p + name + 1, len);
		return (ssize_t)len;
	}
	return n < 0 ? n : 0;
}

static const struct {
	ssize_t (*read)(const struct facts *f, pid_t pid, char *buf, size_t cap);
	bool stays; /* an exec does not change it */
} readers[FACTS] = {
	[FACT_CGROUP] = {read_cgroup, true},
	[FACT_LOGINUID] = {read_loginuid, true},
	[FACT_ENV] = {read_env, false},
};

const struct facts_column facts_columns[FACTS] = {
	[FACT_CGROUP] = {C_CGROUP, false},
	[FACT_LOGINUID] = {C_LOGINUID, true},
	[FACT_ENV] = {C_ENV, false},
};

uint32_t facts_wanted(const struct opts *o)
{
	return o->facts | (o->cgroup ? 1u << FACT_CGROUP : 0);
}

struct sm_str facts_get(const struct sm_task *p, enum fact fact)
{
	const char *s = p->data ? p->data->s : "";
	const char *end = p->data ? s + p->data->len : s;

	for (int i = FACT_CGROUP; i < (int)fact && s < end; i++)
		s += strlen(s) + 1;
	return (struct sm_str){s, s < end ? strlen(s) : 0};
}

/* The values as /proc has them (late: not asked), where it has none the former ones that
 * stay. */
static void collect(struct facts *f, const struct sm_task *p, bool late)
{
	uint32_t wanted = facts_wanted(f->opts);
	char buf[SM_NAME_KEPT_BYTES];
	struct sm_str old;
	ssize_t n;

	sm_buf_reset(&f->values);
	for (enum fact i = 0; i < FACTS; i++) {
		n = late ? -ESTALE : -ENODATA;
		if ((wanted & 1u << i) && !late)
			n = readers[i].read(f, p->pid, buf, sizeof(buf));
		old = n < 0 && readers[i].stays ? facts_get(p, i) : (struct sm_str){0};
		if (n > 0)
			sm_buf_add(&f->values, buf, strnlen(buf, (size_t)n));
		else if (old.n)
			sm_buf_add(&f->values, old.p, old.n);
		sm_buf_chr(&f->values, '\0');
	}
}

static void store(struct facts *f, struct sm_task *p)
{
	struct sm_poolstr *old = p->data;

	p->data = sm_buf_error(&f->values) ? NULL
					   : sm_strpool_get(f->procs->names, f->values.p,
						     f->values.len, 0);
	sm_strpool_put(f->procs->names, old);
}

void facts_read(struct facts *f, struct sm_task *p)
{
	if (p->data)
		return;
	collect(f, p, false);
	store(f, p);
}

void facts_seed(struct facts *f)
{
	struct sm_task *p;

	for (size_t i = 0; (p = sm_map_next(&f->procs->map, &i));)
		facts_read(f, p);
}

void facts_read_exec(struct facts *f, const struct sm_task *p)
{
	collect(f, p, false);
}

void facts_exec(struct facts *f, struct sm_task *p, bool late)
{
	if (late)
		collect(f, p, true);
	store(f, p);
}

void facts_inherit(struct facts *f, struct sm_task *p, struct sm_task *from)
{
	if (p->data || !from)
		return;
	facts_read(f, from);
	p->data = sm_strpool_ref(from->data);
}

void facts_fini(struct facts *f)
{
	sm_buf_fini(&f->values);
}
