// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The system calls for memory policies (numa(7)), without libnuma.  Each round uses
 * another node with memory; on a machine with one node, the calls are equal, and no
 * page moves.
 */
#include <errno.h>
#include <linux/mempolicy.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "run/parts.h"

/* Linux 5.17; all architectures have this number. */
#ifndef SYS_set_mempolicy_home_node
#define SYS_set_mempolicy_home_node 450
#endif

#define NODES	   1024u /* the most that Linux supports */
#define WORD_BITS  (8 * (unsigned int)sizeof(unsigned long))
#define NODE_WORDS (NODES / WORD_BITS)
#define MAX_NODE   (NODES + 1ul) /* as the calls count nodes */
#define PAGES	   256u

/* A set of nodes. */
struct nodes {
	unsigned long word[NODE_WORDS];
};

struct state {
	struct parts parts;
	unsigned int node[NODES], nodes; /* the nodes with memory */
	size_t page;			 /* bytes per page */
	char *base;
	void *at[PAGES]; /* addresses of the pages */
	int to[PAGES], is[PAGES];
};

static struct state *state(const struct parts *p)
{
	return p->s->data;
}

static bool has(const struct nodes *n, unsigned int node)
{
	return n->word[node / WORD_BITS] >> (node % WORD_BITS) & 1;
}

static struct nodes only(unsigned int node)
{
	struct nodes n = {{0}};

	n.word[node / WORD_BITS] = 1ul << (node % WORD_BITS);
	return n;
}

/* Returns the node of this round or of the next one. */
static unsigned int node_of(const struct parts *p)
{
	return state(p)->node[p->rounds % state(p)->nodes];
}

static unsigned int next_node(const struct parts *p)
{
	return state(p)->node[(p->rounds + 1) % state(p)->nodes];
}

static int get_policy(int *mode, struct nodes *n, void *address, unsigned long flags)
{
	return (int)parts_result(syscall(SYS_get_mempolicy, mode, n ? n->word : NULL,
		n ? MAX_NODE : 0ul, address, flags));
}

static int set_policy(int mode, const struct nodes *n)
{
	return (int)parts_result(
		syscall(SYS_set_mempolicy, mode, n ? n->word : NULL, n ? MAX_NODE : 0ul));
}

static int bind_buffer(struct state *t, int mode, const struct nodes *n)
{
	return (int)parts_result(syscall(SYS_mbind, t->base, PAGES * t->page, mode,
		n ? n->word : NULL, n ? MAX_NODE : 0ul, 0u));
}

/* Moves pages; if to is NULL, only reads their nodes. */
static long move(struct state *t, const int *to)
{
	return parts_result(syscall(SYS_move_pages, 0, (unsigned long)PAGES, t->at, to,
		t->is, to ? MPOL_MF_MOVE : 0));
}

/* --- the buffer --------------------------------------------------------------------- */

static unsigned int mark_of(const struct parts *p, unsigned int page)
{
	return (unsigned int)p->rounds * PAGES + page + 1;
}

static unsigned int *word_of(const struct state *t, unsigned int page)
{
	return (unsigned int *)t->at[page];
}

/* Allocates new pages with the current policy. */
static int fill(struct parts *p)
{
	struct state *t = state(p);

	if (madvise(t->base, PAGES * t->page, MADV_DONTNEED) < 0)
		return -errno;
	for (unsigned int i = 0; i < PAGES; i++)
		*word_of(t, i) = mark_of(p, i);
	if (parts_spoil(p))
		*word_of(t, PAGES / 2) ^= 1;
	return 0;
}

static int check_contents(struct parts *p)
{
	const struct state *t = state(p);

	for (unsigned int i = 0; i < PAGES; i++)
		if (*word_of(t, i) != mark_of(p, i))
			return parts_wrong(p, "page %u contains %u instead of %u", i,
				*word_of(t, i), mark_of(p, i));
	return 0;
}

/* Checks the nodes of all pages.  busy: a page may be on its old node, with EBUSY or a
 * similar error. */
static int check_nodes(struct parts *p, bool busy)
{
	const struct state *t = state(p);

	for (unsigned int i = 0; i < PAGES; i++) {
		if (t->is[i] == (int)node_of(p) ||
			(busy && t->is[i] < 0 && t->is[i] != -ENOENT))
			continue;
		return parts_wrong(p, "page %u is on node %d instead of %u", i, t->is[i],
			node_of(p));
	}
	return 0;
}

/* --- the parts ---------------------------------------------------------------------- */

static int run_get_mempolicy(struct parts *p)
{
	struct state *t = state(p);
	struct nodes allowed = {{0}};
	int node = -1, r = get_policy(NULL, &allowed, NULL, MPOL_F_MEMS_ALLOWED);

	if (r)
		return r;
	if (!has(&allowed, node_of(p)))
		return parts_wrong(p, "node %u is not permitted", node_of(p));
	*word_of(t, 0) = 0;
	r = get_policy(&node, NULL, t->base, MPOL_F_NODE | MPOL_F_ADDR);
	if (r)
		return r;
	return node >= 0 && (unsigned int)node < NODES &&
			       has(&allowed, (unsigned int)node)
		       ? 0
		       : parts_wrong(p, "a page is on node %d", node);
}

static int set_and_get(struct parts *p, int mode)
{
	const struct nodes want = only(node_of(p));
	struct nodes is = {{0}};
	int is_mode = -1, r = set_policy(mode, &want);

	if (!r)
		r = get_policy(&is_mode, &is, NULL, 0);
	if (r)
		return r;
	if (is_mode != mode || !has(&is, node_of(p)))
		return parts_wrong(p, "policy %d instead of %d", is_mode, mode);
	return 0;
}

/* The policy of --mbind is restored afterwards. */
static int run_set_mempolicy(struct parts *p)
{
	static const int modes[] = {MPOL_BIND, MPOL_INTERLEAVE, MPOL_PREFERRED};
	struct nodes before = {{0}};
	int mode = 0, r = get_policy(&mode, &before, NULL, 0), again;

	if (r)
		return r;
	for (size_t i = 0; i < SM_ARRAY_SIZE(modes) && !r; i++)
		r = set_and_get(p, modes[i]);
	again = set_policy(mode, mode == MPOL_DEFAULT ? NULL : &before);
	return r ? r : again;
}

static int check_binding(struct parts *p)
{
	int r = fill(p);

	if (!r)
		r = (int)move(state(p), NULL);
	if (!r)
		r = check_nodes(p, false);
	return r ? r : check_contents(p);
}

static int run_mbind(struct parts *p)
{
	struct state *t = state(p);
	const struct nodes node = only(node_of(p));
	int r = bind_buffer(t, MPOL_BIND, &node), again;

	if (r)
		return r;
	r = check_binding(p);
	again = bind_buffer(t, MPOL_DEFAULT, NULL);
	return r ? r : again;
}

static int run_home_node(struct parts *p)
{
	struct state *t = state(p);
	const struct nodes node = only(node_of(p));
	int r = bind_buffer(t, MPOL_BIND, &node), again;

	if (r)
		return r;
	r = (int)parts_result(syscall(SYS_set_mempolicy_home_node, t->base,
		PAGES * t->page, (unsigned long)node_of(p), 0ul));
	again = bind_buffer(t, MPOL_DEFAULT, NULL);
	return r ? r : again;
}

/* A result above 0 is the number of pages that did not move. */
static int run_move_pages(struct parts *p)
{
	struct state *t = state(p);
	long r = fill(p);

	for (unsigned int i = 0; i < PAGES; i++)
		t->to[i] = (int)node_of(p);
	if (!r)
		r = move(t, t->to);
	if (r < 0)
		return (int)r;
	if (r == 0)
		r = check_nodes(p, true);
	return r < 0 ? (int)r : check_contents(p);
}

static int run_migrate_pages(struct parts *p)
{
	const struct nodes from = only(node_of(p)), to = only(next_node(p));
	long r = fill(p);

	if (!r)
		r = parts_result(
			syscall(SYS_migrate_pages, 0, MAX_NODE, from.word, to.word));
	return r < 0 ? (int)r : check_contents(p);
}

static int run_getcpu(struct parts *p)
{
	unsigned int cpu = 0, node = NODES;
	long r = parts_result(syscall(SYS_getcpu, &cpu, &node, NULL));

	if (r)
		return (int)r;
	return node < NODES ? 0 : parts_wrong(p, "CPU %u is on node %u", cpu, node);
}

/* EPERM: a container does not permit the call. */
static const struct part table[] = {
	{"get_mempolicy", run_get_mempolicy, .absent = {EPERM}},
	{"set_mempolicy", run_set_mempolicy, .absent = {EPERM}},
	{"mbind", run_mbind, .absent = {EPERM}},
	{"set_mempolicy_home_node", run_home_node, .absent = {EPERM}},
	{"move_pages", run_move_pages, .absent = {EPERM}},
	{"migrate_pages", run_migrate_pages, .absent = {EPERM}},
	{"getcpu", run_getcpu, .absent = {EPERM}},
	{0},
};

/* --- the stressor ------------------------------------------------------------------- */

static int run(struct stress *s)
{
	struct state *t = s->data;

	return parts_run(&t->parts);
}

static uint64_t memory(const struct stress *s)
{
	(void)s;
	return PAGES * (uint64_t)sysconf(_SC_PAGESIZE);
}

static const char *probe(const struct stress *s)
{
	struct nodes n;

	(void)s;
	if (get_policy(NULL, &n, NULL, MPOL_F_MEMS_ALLOWED) == -ENOSYS)
		return "this kernel has no memory policies (CONFIG_NUMA)";
	return NULL;
}

static int setup(struct stress *s)
{
	struct state *t = s->data;
	struct nodes allowed = {{0}};
	int r = get_policy(NULL, &allowed, NULL, MPOL_F_MEMS_ALLOWED);

	if (r)
		return stress_error(s, STRESS_SKIP, -r, "get_mempolicy");
	for (unsigned int i = 0; i < NODES; i++)
		if (has(&allowed, i))
			t->node[t->nodes++] = i;
	if (!t->nodes)
		return stress_skip(s, "no node with memory");
	t->page = (size_t)sysconf(_SC_PAGESIZE);
	t->base = stress_map(s, PAGES * t->page, MADV_NOHUGEPAGE);
	for (unsigned int i = 0; t->base && i < PAGES; i++)
		t->at[i] = t->base + i * t->page;
	parts_init(&t->parts, s, table);
	return t->base ? 0 : -1;
}

/* Remarks for the man page (man/remarks.h). */
const char stressor_numa_man[] =
	"metric time per part: one call with the checks of its effect\n"
	"metric parts: calls that work on this machine\n"
	"The calls are get_mempolicy(2), set_mempolicy(2), mbind(2), "
	"set_mempolicy_home_node(2), move_pages(2), migrate_pages(2) and "
	"getcpu(2).  A machine with one node is sufficient.  Calls that the kernel "
	"does not have, or that a container does not permit, are omitted after the "
	"first round, and the result names them.\n";

const struct stressor stressor_numa = {
	.name = "numa",
	.does = "set memory policies, and move pages between nodes",
	.op = "one round of all calls, with 256 pages of memory",
	.checks = "policies are read back; pages are on the node to which they are "
		  "bound or moved, and keep their contents",
	.needs = "a kernel with memory policies (CONFIG_NUMA)",
	.classes = CLASS_CPU | CLASS_MEMORY | CLASS_OS,
	.metrics = parts_metrics,
	.memory = memory,
	.probe = probe,
	.state = sizeof(struct state),
	.setup = setup,
	.run = run,
};
