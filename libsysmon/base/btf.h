/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * btf: finds the offsets of structure members of the running kernel in its type information
 * (Documentation/bpf/btf.rst; the content of /sys/kernel/btf/vmlinux).
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
/* Returns the type ID of the typedef of this name, as bpf(2) uses it.  -ENOENT; -EBADMSG: malformed. */
int sm_btf_typedef(const struct sm_btf *b, const char *name, uint32_t *id) SM_MUST;
/* Returns the type ID of the variable or function of this name.  vmlinux contains functions and per-CPU
 * variables.  Errors as above. */
int sm_btf_symbol(const struct sm_btf *b, const char *name, uint32_t *id) SM_MUST;
/* Returns the offset of a per-CPU variable from the first one.  -ENOENT: not in BTF; -EBADMSG:
 * malformed. */
int sm_btf_percpu(const struct sm_btf *b, const char *name, uint64_t *offset) SM_MUST;

#endif
