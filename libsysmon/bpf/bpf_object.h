/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bpf_object: loads BPF programs that are written in C.
 *
 * tools/bpf2h.py compiles NAME.bpf.c to constant tables (NAME.bpf.h): the instructions, the maps and members
 * of kernel structures that they use, and the places of use.  The loader looks up the members in the kernel's
 * BTF (vmlinux.h), creates a map when it loads the first program that uses it, and writes offsets and
 * descriptors into a copy of the instructions.
 *
 *	struct sm_bpf_loader l;
 *	int err = sm_bpf_loader_open(&l, &taskexit_bpf, root, log);
 *
 *	if (!err)
 *		err = sm_bpf_loader_attach(&l, PROGRAM_TASK_EXIT);
 *	counts_fd = sm_bpf_loader_keep(&l, MAP_COUNTS);
 *	sm_bpf_loader_close(&l);
 *
 * A loaded program keeps its maps open.  Requires Linux 5.8.
 */
#ifndef SM_BPF_OBJECT_H
#define SM_BPF_OBJECT_H

#include "base/root.h"
#include "bpf/bpf.h"

/* Limits of a program and of an object; bpf2h.py checks them. */
#define SM_BPF_INSNS_MAX   1024
#define SM_BPF_MEMBERS_MAX 32
#define SM_BPF_MAPS_MAX    8
#define SM_BPF_PROGRAMS_MAX 32
#define SM_BPF_SYMBOLS_MAX  8

/* Value that the loader writes into an instruction. */
enum sm_bpf_fixup_kind {
	SM_BPF_OFFSET, /* offset of a member */
	SM_BPF_EXISTS, /* 1 if the kernel has the member, otherwise 0 */
	SM_BPF_MAP,    /* map */
	SM_BPF_VALUE,  /* address of a variable: the value of a map with one element */
	SM_BPF_SYMBOL, /* address of a kernel function (Linux 6.4) or per-CPU variable
			* (Linux 5.10); 0: not in the kernel's BTF */
	SM_BPF_CALL,   /* call of a kernel function that is made for programs (Linux 6.0) */
	SM_BPF_TYPE,   /* number of a structure in the kernel's BTF */
};

struct sm_bpf_fixup {
	uint16_t insn;
	uint8_t kind, index; /* index of the member, map or symbol (the last three kinds) */
};

/* Names are offsets in the object's text. */
struct sm_bpf_member {
	uint16_t structure, name;
	uint16_t bytes; /* as sm_btf_member.size */
};

struct sm_bpf_map {
	uint16_t name, type;
	uint32_t key_bytes, value_bytes, entries, flags;
};

struct sm_bpf_symbol {
	uint16_t name;
	uint8_t kind; /* SM_BPF_SYMBOL, SM_BPF_CALL or SM_BPF_TYPE */
};

struct sm_bpf_program {
	uint16_t name, tracepoint, type;
	uint16_t first, n; /* instructions */
};

struct sm_bpf_object {
	const char *names;
	const struct bpf_insn *insn;
	const struct sm_bpf_fixup *fixup; /* in the order of the instructions */
	const struct sm_bpf_member *member;
	const struct sm_bpf_map *map;
	const struct sm_bpf_symbol *symbol;
	const struct sm_bpf_program *program;
	uint16_t insns, fixups, members, maps, symbols, programs;
};

struct sm_bpf_loader {
	const struct sm_bpf_object *object;
	struct sm_bpf_log *log;
	bool btf;                           /* the kernel has type information */
	uint32_t offset[SM_BPF_MEMBERS_MAX];
	bool exists[SM_BPF_MEMBERS_MAX];
	uint32_t symbol[SM_BPF_SYMBOLS_MAX]; /* its number in BTF; 0: not in BTF */
	uint32_t entries[SM_BPF_MAPS_MAX];  /* set before the map is created; 0: number of the source */
	int map_fd[SM_BPF_MAPS_MAX];        /* -1: not created */
	bool lent[SM_BPF_MAPS_MAX];         /* the loader does not close it */
};

/* Opens a loader.  -ENOENT: the kernel lacks BTF, or a member, type or called function that the programs
 * need.
 * If l->btf is false, the caller may continue: members then have the offsets of the source's declarations,
 * and HAS() is false for all of them.  A log (NULL: not wanted) receives the verifier's reason.  The caller
 * must call sm_bpf_loader_close() even after an error. */
int sm_bpf_loader_open(struct sm_bpf_loader *l, const struct sm_bpf_object *o, const struct sm_root *root,
	struct sm_bpf_log *log) SM_MUST;
/* Returns the fd of a map, which is created at the first call, or -errno. */
int sm_bpf_loader_map(struct sm_bpf_loader *l, unsigned int map) SM_MUST;
/* Uses a map of the caller; the caller closes it. */
void sm_bpf_loader_lend(struct sm_bpf_loader *l, unsigned int map, int fd);
/* Returns the fd of a map, which the caller then owns and closes. */
int sm_bpf_loader_keep(struct sm_bpf_loader *l, unsigned int map);
/* Maps a variable, or an array with BPF_F_MMAPABLE, into memory for reading and writing. */
int sm_bpf_loader_array(struct sm_bpf_loader *l, unsigned int map, struct sm_bpf_array *a) SM_MUST;
/* Sets a variable that programs cannot change and whose value the verifier knows: a setting. */
int sm_bpf_loader_set(struct sm_bpf_loader *l, unsigned int map, const void *value) SM_MUST;
/* Loads a program; returns its fd or -errno. */
int sm_bpf_loader_load(struct sm_bpf_loader *l, unsigned int program) SM_MUST;
/* Loads a program and attaches it to its tracepoint; returns an fd that keeps it attached, or -errno. */
int sm_bpf_loader_attach(struct sm_bpf_loader *l, unsigned int program) SM_MUST;
void sm_bpf_loader_close(struct sm_bpf_loader *l);

#endif
