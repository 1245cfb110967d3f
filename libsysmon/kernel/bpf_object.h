/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bpf_object: BPF programs that were written in C, on their way into the kernel.
 *
 * tools/bpf2h.py compiles NAME.bpf.c and makes constant tables of the object (NAME.bpf.h): instructions,
 * the maps and members of kernel structures that they use, and where.  The loader looks the members up in
 * the kernel's BTF (vmlinux.h), makes a map when the first program that uses it is loaded, and puts offsets
 * and descriptors into a copy of the instructions.
 *
 *	struct sm_bpf_loader l;
 *	int err = sm_bpf_loader_open(&l, &taskexit_bpf, root, log);
 *
 *	if (!err)
 *		err = sm_bpf_loader_attach(&l, PROGRAM_TASK_EXIT);
 *	counts_fd = sm_bpf_loader_keep(&l, MAP_COUNTS);
 *	sm_bpf_loader_close(&l);
 *
 * Programs keep the maps that they use.  Needs Linux 5.8.
 */
#ifndef SM_BPF_OBJECT_H
#define SM_BPF_OBJECT_H

#include "kernel/bpf.h"
#include "kernel/root.h"

/* The largest program, and what one object may have; bpf2h.py checks them. */
#define SM_BPF_INSNS_MAX   768
#define SM_BPF_MEMBERS_MAX 32
#define SM_BPF_MAPS_MAX    8
#define SM_BPF_PROGRAMS_MAX 32
#define SM_BPF_SYMBOLS_MAX  8

/* What an instruction gets. */
enum sm_bpf_fixup_kind {
	SM_BPF_OFFSET, /* the offset of a member */
	SM_BPF_EXISTS, /* 1 if there is this member, or 0 */
	SM_BPF_MAP,    /* a map */
	SM_BPF_VALUE,  /* the address of the value of a map of one element: a variable */
	SM_BPF_SYMBOL, /* the address of a function of the kernel (Linux 6.4), or of a
			* variable that it has for each CPU (Linux 5.10); 0: it is not in
			* the kernel's BTF */
};

struct sm_bpf_fixup {
	uint16_t insn;
	uint8_t kind, index; /* index: of the member, map or symbol */
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
	uint32_t tracepoint[SM_BPF_PROGRAMS_MAX]; /* its type; 0: of programs that need none */
	uint32_t symbol[SM_BPF_SYMBOLS_MAX]; /* its number in BTF; 0: there is none */
	uint32_t entries[SM_BPF_MAPS_MAX];  /* not 0: instead of the source's, before the map is made */
	int map_fd[SM_BPF_MAPS_MAX];        /* -1: not made */
	bool lent[SM_BPF_MAPS_MAX];         /* not closed by the loader */
};

/* -ENOENT: the kernel has no BTF, or not a member or tracepoint that the programs need.  If l->btf is
 * false the caller may go on: members then are where the source declares them, and none exists for HAS().
 * log may be NULL, or gets the verifier's reason.  After it sm_bpf_loader_close() must follow. */
int sm_bpf_loader_open(struct sm_bpf_loader *l, const struct sm_bpf_object *o, const struct sm_root *root,
	struct sm_bpf_log *log) SM_MUST;
/* fd of a map, which is made if it has to be, or -errno. */
int sm_bpf_loader_map(struct sm_bpf_loader *l, unsigned int map) SM_MUST;
/* Uses a map of the caller, who closes it. */
void sm_bpf_loader_lend(struct sm_bpf_loader *l, unsigned int map, int fd);
/* Hands a map over to the caller, who closes it: the fd. */
int sm_bpf_loader_keep(struct sm_bpf_loader *l, unsigned int map);
/* Makes a map that the caller reads and writes in memory: a variable, or an array with BPF_F_MMAPABLE. */
int sm_bpf_loader_array(struct sm_bpf_loader *l, unsigned int map, struct sm_bpf_array *a) SM_MUST;
/* Makes a variable that programs cannot change, whose value the verifier knows: a setting. */
int sm_bpf_loader_set(struct sm_bpf_loader *l, unsigned int map, const void *value) SM_MUST;
/* fd of a loaded program; of one that is attached to its tracepoint; or -errno. */
int sm_bpf_loader_load(struct sm_bpf_loader *l, unsigned int program) SM_MUST;
int sm_bpf_loader_attach(struct sm_bpf_loader *l, unsigned int program) SM_MUST;
void sm_bpf_loader_close(struct sm_bpf_loader *l);

#endif
