// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <string.h>

#include "group.h"

int group_init(struct groups *g, const struct opts *o, struct sm_ids *users,
	struct sm_strpool *names)
{
	g->opts = o;
	g->users = users;
	return totals_init(&g->sums, names, GROUPS_MAX);
}

void group_fini(struct groups *g)
{
	totals_fini(&g->sums);
}

static bool groupable(const struct groups *g, const struct row *row)
{
	return g->opts->group != GROUP_NONE && row->kind < ROW_GROUP;
}

static pid_t parent_of(const struct row *row)
{
	return row->kind == ROW_EXITED ? row->pid : row->ppid;
}

static uint64_t odd(uint64_t hash)
{
	return hash | 1;
}

static uint64_t parent_key(const struct groups *g, pid_t parent)
{
	return odd(sm_map_hash_u64((uint32_t)parent, g->sums.map.seed));
}

/* A program that calls itself kworker is not in the group of [kworker]. */
static uint64_t comm_key(const struct groups *g, const struct row *row)
{
	uint64_t apart = (row->kind == ROW_EXITED ? 1u : 0u) | (row->flags & ROW_KTHREAD)
								       << 1;

	return odd(sm_map_hash_bytes(row->comm.p, row->comm.n, g->sums.map.seed + apart));
}

static uint64_t cgroup_key(const struct groups *g, const struct sm_poolstr *path)
{
	uint64_t seed = g->sums.map.seed;

	return odd(path ? sm_map_hash_bytes(path->s, path->len, seed) : seed);
}

static uint64_t user_key(const struct groups *g, const struct row *row)
{
	return odd(sm_map_hash_u64(
		row->flags & ROW_HAS_UID ? row->uid : UINT64_MAX, g->sums.map.seed));
}

uint64_t group_key(const struct groups *g, const struct row *member)
{
	switch (member->kind == ROW_GROUP || member->kind == ROW_EXITED ? g->opts->group
									: GROUP_NONE) {
	case GROUP_NONE:
		return odd(row_key(member, g->sums.map.seed));
	case GROUP_COMM:
		return comm_key(g, member);
	case GROUP_USER:
		return user_key(g, member);
	case GROUP_CGROUP:
		return cgroup_key(g, member->cgroup);
	default:
		return parent_key(g, member->pid);
	}
}

uint64_t group_task_key(const struct groups *g, const struct row *row, uint64_t seed)
{
	uint64_t key = row_key(row, seed);

	if (!groupable(g, row))
		return key;
	switch (g->opts->group) {
	case GROUP_USER:
		return odd(sm_map_hash_u64(user_key(g, row), key));
	case GROUP_CGROUP:
		return odd(sm_map_hash_u64(cgroup_key(g, row->cgroup), key));
	case GROUP_PARENT:
		return odd(sm_map_hash_u64(parent_key(g, parent_of(row)), key));
	default: /* comm is a part of the identity */
		return key;
	}
}

#define PARENT_NAME_MAX (SM_PIDSTAT_COMM_MAX + 1)

/* Names a group after its parent. name_parents() renames groups whose parent has a
 * row. */
static void name_parent(const struct groups *g, struct row *m, char text[PARENT_NAME_MAX])
{
	struct sm_pidstat st;

	if (!m->pid) {
		m->comm = SM_STR("(no parent)");
		return;
	}
	if (g->root && sm_procpid_read_stat(g->root, m->pid, &st) == 0) {
		memcpy(text, st.comm, st.comm_len);
		m->comm = (struct sm_str){text, st.comm_len};
		m->flags |= st.flags & SM_PF_KTHREAD ? ROW_KTHREAD : 0;
		return;
	}
	snprintf(text, PARENT_NAME_MAX, "pid %d", (int)m->pid);
	m->comm = (struct sm_str){text, strlen(text)};
}

static struct sm_str user_name(const struct groups *g, const struct row *row)
{
	const char *name;

	if (!(row->flags & ROW_HAS_UID))
		return SM_STR("(unknown)");
	name = sm_ids_user(g->users, row->uid);
	return (struct sm_str){name, strlen(name)};
}

/* Returns a row with the identity of the group and the values of its member. */
static struct row as_member(
	const struct groups *g, const struct row *row, char text[PARENT_NAME_MAX])
{
	struct row m = {.kind = ROW_GROUP, .cpu = -1, .members = 1};

	m.used_ns = row->used_ns;
	m.usr_ns = row->usr_ns;
	m.sys_ns = row->sys_ns;
	m.wait_ns = row->wait_ns;
	m.total_ns = row->total_ns;
	m.flags = row->flags & ROW_HAS_WAIT;
	switch (g->opts->group) {
	case GROUP_COMM:
		if (row->kind == ROW_EXITED)
			m.kind = ROW_EXITED;
		m.flags |= row->flags & ROW_KTHREAD;
		m.comm = row->comm;
		break;
	case GROUP_USER:
		m.flags |= row->flags & ROW_HAS_UID;
		m.uid = row->uid;
		m.comm = user_name(g, row);
		break;
	case GROUP_CGROUP:
		m.cgroup = row->cgroup;
		m.comm = row->cgroup ? sm_strpool_str(row->cgroup) : SM_STR("(unknown)");
		break;
	default:
		m.pid = m.tgid = parent_of(row);
		name_parent(g, &m, text);
		break;
	}
	return m;
}

void group_add(const struct groups *g, struct totals *to, const struct row *row)
{
	char text[PARENT_NAME_MAX];
	struct row member = *row;

	if (groupable(g, row))
		member = as_member(g, row, text);
	(void)!totals_add(to, group_key(g, &member), &member);
}

/* Names groups after the rows of their parents, which need not pass the filters. */
static void name_parents(struct groups *g, const struct row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (rows[i].kind < ROW_GROUP && rows[i].pid == rows[i].tgid)
			totals_rename(&g->sums, parent_key(g, rows[i].pid), &rows[i]);
}

size_t group_rows(struct groups *g, struct row **rows, size_t m, size_t n, uint64_t dt_ns)
{
	totals_reset(&g->sums);
	totals_begin(&g->sums, dt_ns);
	for (size_t i = 0; i < m; i++)
		group_add(g, &g->sums, &(*rows)[i]);
	if (g->opts->group == GROUP_PARENT)
		name_parents(g, *rows, n);
	return totals_rows(&g->sums, rows);
}
