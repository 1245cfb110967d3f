/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cgroup_note_bpf: writes a record with the path of each cgroup whose key a program records, for
 * sm_cgroup_names_add().  Private to *.bpf.c.
 *
 * The record of a group precedes the first record with its key in the ring, and is repeated when the last
 * one is SM_CGROUP_RENEW_NS old, so that the reader can forget groups that no task uses.  The path is read
 * from the kernel's own tree and is therefore known even if the group is removed before the reader reads
 * the record.  A program on the tracepoint cgroup_rename calls cgroup_rename().
 */
#ifndef SM_CGROUP_NOTE_BPF_H
#define SM_CGROUP_NOTE_BPF_H

#include "bpf/bpf_output.h"
#include "bpf/cgroup_bpf.h"

#define CGROUP_LEVELS_MAX 40
#define CGROUP_NAME_MAX   256 /* NAME_MAX and a NUL */

struct cgroup_record {
	struct sm_cgroup_raw head;
	char names[SM_CGROUP_NAMES_BYTES + CGROUP_NAME_MAX];
};

MAP(cgroup_scratch, PERCPU_ARRAY, 0, 1, uint32_t, struct cgroup_record);
/* Key -> time of the last record, ns. */
MAP(cgroup_seen, LRU_HASH, 0, 4096, uint64_t, uint64_t);
/* Time of the last rename of a group of version 1, ns; all paths are then written again. */
uint64_t cgroup_renamed SEC(".data.renamed");

INLINE const struct kernfs_node *cgroup_parent(const struct kernfs_node *node)
{
	const struct kernfs_node *parent = NULL;

	if (HAS(node->__parent)) /* since Linux 6.15 */
		READ(parent, node->__parent);
	else if (HAS(node->parent))
		READ(parent, node->parent);
	return parent;
}

/* Copies the names of the group and its ancestors up to, but not including, the root that is shown as "/";
 * false if the group is not below this root. */
INLINE bool cgroup_copy_names(struct cgroup_record *r, const struct kernfs_node *node, uint64_t root)
{
	uint64_t id, at = 0;
	const char *name;
	long n;

	for (int i = 0; i < CGROUP_LEVELS_MAX; i++) {
		READ(id, node->id);
		if (id == root) {
			r->head.bytes = at;
			return true;
		}
		READ(name, node->name);
		n = bpf_probe_read_kernel_str(r->names + at, CGROUP_NAME_MAX, name);
		node = cgroup_parent(node);
		if (n <= 0 || !node)
			return false;
		at += n;
		if (at > SM_CGROUP_NAMES_BYTES)
			return false;
	}
	return false;
}

INLINE void cgroup_tell(const struct cgroup_shown *shown, uint64_t root, uint64_t now_ns)
{
	uint32_t zero = 0;
	struct cgroup_record *r = bpf_map_lookup_elem(&cgroup_scratch, &zero);
	uint64_t bytes;

	if (!r)
		return;
	r->head.kind = SM_CGROUP_RAW;
	r->head.key = shown->key;
	r->head.time_ns = now_ns;
	if (!cgroup_copy_names(r, shown->node, root))
		return;
	bytes = r->head.bytes;
	if (bytes <= SM_CGROUP_NAMES_BYTES && output(r, sizeof(r->head) + bytes, BPF_RB_NO_WAKEUP))
		bpf_map_update_elem(&cgroup_seen, &shown->key, &now_ns, BPF_ANY);
}

INLINE void cgroup_rename(void)
{
	STORE(cgroup_renamed, bpf_ktime_get_ns());
}

/* Like cgroup_key(), but also writes the path to the ring if the reader may not have it. */
INLINE uint64_t cgroup_note(const struct task_struct *task, const volatile struct sm_cgroup_order *order)
{
	struct cgroup_shown shown = cgroup_find(task, order);
	uint32_t place = shown.key >> SM_CGROUP_ID_BITS;
	uint64_t now_ns = bpf_ktime_get_ns();
	const uint64_t *told;

	if (!shown.key)
		return 0;
	told = bpf_map_lookup_elem(&cgroup_seen, &shown.key);
	if (!told || *told <= LOAD(cgroup_renamed) || now_ns - *told > SM_CGROUP_RENEW_NS)
		cgroup_tell(&shown, order->root[(place - 1) % SM_CGROUP_HIERARCHIES], now_ns);
	return shown.key;
}

#endif
