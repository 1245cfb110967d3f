/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * btf: where members of the running kernel's structures are, out of its type information
 * (Documentation/bpf/btf.rst; the bytes of /sys/kernel/btf/vmlinux).
 *
 * Finds STRUCT.MEMBER, and STRUCT.MEMBER.MEMBER, through anonymous structures and unions.  Of
 * several structures of one name the first that has members counts.  The input may be hostile:
 * nothing outside of it is read, and the number of types that are looked up is bounded.
 * Works on the caller's bytes and allocates nothing; 5 MB take about 2 ms.
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
	size_t size;         /* expected bytes of an integer or of an array of bytes; 0: a pointer */
	uint32_t offset;     /* the result, in bytes */
};

/* The bytes are used for as long as b is.  -EBADMSG: not BTF of this machine's byte order. */
int sm_btf_init(struct sm_btf *b, const void *data, size_t n) SM_MUST;
/* -ENOENT: no such structure or member; -EINVAL: a bit field, or another size or kind than
 * expected; -EBADMSG: malformed. */
int sm_btf_find(const struct sm_btf *b, struct sm_btf_member *m) SM_MUST;
/* The number of the typedef of this name, by which bpf(2) knows it; -ENOENT; -EBADMSG: malformed. */
int sm_btf_typedef(const struct sm_btf *b, const char *name, uint32_t *id) SM_MUST;
/* The number of the variable or function of this name, likewise; vmlinux has functions,
 * and variables that are there for each CPU. */
int sm_btf_symbol(const struct sm_btf *b, const char *name, uint32_t *id) SM_MUST;
/* The address of a per-CPU variable, counted from the first one; -ENOENT: BTF lacks it; -EBADMSG:
 * malformed. */
int sm_btf_percpu(const struct sm_btf *b, const char *name, uint64_t *offset) SM_MUST;

#endif
