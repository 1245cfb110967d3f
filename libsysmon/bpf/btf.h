/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * btf: finds the offsets of structure members of the running kernel in its type information
 * (Documentation/bpf/btf.rst; the content of /sys/kernel/btf/vmlinux), and IDs of its types.
 *
 * Finds STRUCT.MEMBER and STRUCT.MEMBER.MEMBER, also in anonymous structures and unions.  If several
 * structures share a name, the first one with members is used.  The input may be hostile: no byte
 * outside it is read, and the number of type lookups is bounded.  Works on the caller's bytes and
 * allocates no memory; 5 MB take about 2 ms.
 */
#ifndef SM_BTF_H
#define SM_BTF_H

#include "base/base.h"

struct sm_btf {
	const unsigned char *types;
	size_t types_bytes;
	const char *strings; /* the last byte is a NUL */
	size_t strings_bytes;
};

struct sm_btf_member {
	const char *structure, *name; /* name: "pid", or "se.vruntime" in an embedded structure */
	size_t size;         /* expected size of an integer or byte array, in bytes; 0: a pointer */
	uint32_t offset;     /* the result, in bytes */
};

/* data must stay valid as long as b is used.  -EBADMSG: not BTF of this machine's byte order. */
int sm_btf_init(struct sm_btf *b, const void *data, size_t n) SM_MUST;
/* Finds m->offset.  -ENOENT: no such structure or member; -EINVAL: a bit field, or not of the expected
 * size and kind; -EBADMSG: malformed. */
int sm_btf_find(const struct sm_btf *b, struct sm_btf_member *m) SM_MUST;

/* A type, function or variable whose ID, which bpf(2) uses, is searched.  vmlinux contains functions and
 * per-CPU variables. */
struct sm_btf_name {
	const char *name;
	uint32_t kinds; /* bit mask of BTF_KIND_... */
	uint32_t id;    /* the result; 0: not found */
	size_t length;  /* of the name; set by the search */
};
#define SM_BTF_STRUCT   (1u << 4)
#define SM_BTF_FUNCTION (1u << 12)
#define SM_BTF_VARIABLE (1u << 14)
/* Finds the first of each name in one pass.  -EBADMSG: malformed. */
int sm_btf_ids(const struct sm_btf *b, struct sm_btf_name *v, size_t n) SM_MUST;
/* Returns the offset of a per-CPU variable from the first one.  -ENOENT: not in BTF; -EBADMSG:
 * malformed. */
int sm_btf_percpu(const struct sm_btf *b, const char *name, uint64_t *offset) SM_MUST;

#endif
