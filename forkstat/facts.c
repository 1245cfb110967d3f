// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "facts.h"
#include "base/parse.h"
#include "proc/cgroup.h"

static ssize_t read_cgroup(const struct facts *f, pid_t pid, char *buf, size_t cap)
{
	ssize_t n = sm_cgroup_read(f->procs->root, pid, buf, cap);
	struct sm_pidstat st;

	/* In cgroup version 1, an exiting task appears in the root of each hierarchy. */
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

/* Returns the value in "NAME=value", or NULL. */
static const char *value_of(const char *name, const char *p, size_t *len)
{
	size_t n = strlen(name);

	if (*len <= n || p[n] != '=' || memcmp(p, name, n) != 0)
		return NULL;
	*len -= n + 1;
	return p + n + 1;
}

static ssize_t read_env(const struct facts *f, pid_t pid, char *buf, size_t cap)
{
	ssize_t n = sm_procpid_read_file(
		f->procs->root, pid, "environ", f->procs->scratch, SM_NAME_MAX_BYTES);
	const char *p = f->procs->scratch, *end = n > 0 ? p + n : p, *value;
	size_t len, step;

	for (; p < end; p += step + 1) {
		step = len = strnlen(p, (size_t)(end - p));
		value = value_of(f->opts->env, p, &len);
		if (!value)
			continue;
		len = len < cap ? len : cap;
		memcpy(buf, value, len);
		return (ssize_t)len;
	}
	if (n == SM_NAME_MAX_BYTES) /* the variable may follow */
		return -E2BIG;
	return n < 0 ? n : 0;
}

static ssize_t (*const readers[FACTS])(
	const struct facts *f, pid_t pid, char *buf, size_t cap) = {
	[FACT_CGROUP] = read_cgroup,
	[FACT_LOGINUID] = read_loginuid,
	[FACT_ENV] = read_env,
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

/* sm_task.data has a string for each fact, ended by a NUL: '=' and the value, or nothing
 * if it is unknown. */
bool facts_get(const struct sm_task *p, enum fact fact, struct sm_str *value)
{
	const char *s = p->data ? p->data->s : "";
	const char *end = p->data ? s + p->data->len : s;

	for (int i = FACT_CGROUP; i < (int)fact && s < end; i++)
		s += strlen(s) + 1;
	*value = (struct sm_str){0};
	if (s >= end || *s != '=')
		return false;
	*value = (struct sm_str){s + 1, strlen(s + 1)};
	return true;
}

/* Appends the value of a fact; n < 0: it is unknown. */
static void add_value(struct facts *f, const char *p, ssize_t n)
{
	if (n >= 0) {
		sm_buf_chr(&f->values, '=');
		sm_buf_add(&f->values, p, strnlen(p, (size_t)n));
	}
	sm_buf_chr(&f->values, '\0');
}

static void store(struct facts *f, struct sm_task *p)
{
	struct sm_poolstr *old = p->data;

	p->data = sm_buf_error(&f->values) ? NULL
					   : sm_strpool_get(f->procs->names, f->values.p,
						     f->values.len, 0);
	sm_strpool_put(f->procs->names, old);
}

static void read_all(struct facts *f, struct sm_task *p)
{
	uint32_t wanted = facts_wanted(f->opts);
	char buf[SM_NAME_KEPT_BYTES];
	ssize_t n;

	sm_buf_reset(&f->values);
	for (enum fact i = 0; i < FACTS; i++) {
		n = -ENODATA;
		if (wanted & 1u << i)
			n = readers[i](f, p->pid, buf, sizeof(buf));
		add_value(f, buf, n);
	}
	store(f, p);
}

void facts_seed(struct facts *f)
{
	struct sm_task *p;

	for (size_t i = 0; (p = sm_map_next(&f->procs->map, &i));)
		if (!p->data)
			read_all(f, p);
}

static void add_loginuid(struct facts *f, const struct exec_facts *e)
{
	char text[16] = "";

	/* As in read_loginuid(), the value is empty until it is set. */
	if (e->has_loginuid && e->loginuid != UINT32_MAX)
		snprintf(text, sizeof(text), "%u", e->loginuid);
	add_value(f, text, e->has_loginuid ? (ssize_t)strlen(text) : -ENODATA);
}

static void add_env(struct facts *f, const struct exec_facts *e)
{
	size_t len = e->env ? e->env->len : 0;
	const char *value =
		e->env && f->opts->env ? value_of(f->opts->env, e->env->s, &len) : NULL;

	if (e->env_state == EXECBPF_ENV_NOT_SET)
		add_value(f, "", 0);
	else
		add_value(f, value, value ? (ssize_t)len : -ENODATA);
}

static bool all_known(const struct facts *f, const struct sm_task *p)
{
	uint32_t wanted = facts_wanted(f->opts);
	struct sm_str value;

	for (enum fact i = 0; i < FACTS; i++)
		if ((wanted & 1u << i) && !facts_get(p, i, &value))
			return false;
	return true;
}

bool facts_exec(struct facts *f, struct sm_task *p, const struct exec_facts *e)
{
	static const struct exec_facts none;

	if (!e)
		e = &none;
	sm_buf_reset(&f->values);
	add_value(f, e->cgroup ? e->cgroup->s : "",
		e->cgroup ? (ssize_t)e->cgroup->len : -ENODATA);
	add_loginuid(f, e);
	add_env(f, e);
	store(f, p);
	return all_known(f, p);
}

void facts_cgroup(struct facts *f, struct sm_task *p, const struct sm_poolstr *path)
{
	struct sm_str value;
	bool known;

	sm_buf_reset(&f->values);
	add_value(f, path ? path->s : "", path ? (ssize_t)path->len : -ENODATA);
	for (enum fact i = FACT_CGROUP + 1; i < FACTS; i++) {
		known = facts_get(p, i, &value);
		add_value(f, known ? value.p : "", known ? (ssize_t)value.n : -ENODATA);
	}
	store(f, p);
}

void facts_fini(struct facts *f)
{
	sm_buf_fini(&f->values);
}
