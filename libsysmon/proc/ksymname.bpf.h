/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ksymname.bpf: the programs of ksymname.bpf.c, for bpf/bpf_object.h.  Private to ksymname.c.  Made by `make bpf`.
 *
 * Compiler: Debian clang version 14.0.6
 * Sources: libsysmon/bpf/bpf_kern.h libsysmon/proc/ksymname.bpf.c libsysmon/proc/ksymname_raw.h tools/bpf2h.py
 * SHA-256: 7419565d2b7ae8fb8dca4b8f666d8305a187e5e639f9587123b0138612d3a0c3
 */
#include "bpf/bpf_object.h"

enum { PROGRAM_NAME_SYMBOLS };
enum { MAP_BATCH, MAP_FORMAT };
static const struct bpf_insn ksymname_insn[] = {
	{24, 6, 0, 0, 0}, {0, 0, 0, 0, 0}, {183, 7, 0, 0, 0}, {5, 0, 0, 3, 0}, {7, 6, 0, 0, 8},
	{7, 7, 0, 0, 64}, {21, 7, 0, 13, 1024}, {121, 1, 6, 0, 0}, {21, 1, 0, -5, 0},
	{24, 1, 0, 0, 0}, {0, 0, 0, 0, 0}, {15, 1, 7, 0, 0}, {7, 1, 0, 0, 128}, {180, 2, 0, 0, 64},
	{24, 3, 0, 0, 0}, {0, 0, 0, 0, 0}, {191, 4, 6, 0, 0}, {180, 5, 0, 0, 8},
	{133, 0, 0, 0, 165}, {5, 0, 0, -16, 0}, {180, 0, 0, 0, 0}, {149, 0, 0, 0, 0},
};
static const struct sm_bpf_fixup ksymname_fixup[] = {
	{0, SM_BPF_VALUE, 0}, {9, SM_BPF_VALUE, 0}, {14, SM_BPF_VALUE, 1},
};
static const struct sm_bpf_map ksymname_map[] = {
	{0, 2, 4, 1152, 1, 1024}, {6, 2, 4, 4, 1, 128},
};
static const struct sm_bpf_program ksymname_program[] = {
	{13, 26, 31, 0, 22},
};
static const struct sm_bpf_object ksymname_bpf = {
	.names = "batch\0"
		 "format\0"
		 "name_symbols\0"
		 "\0",
	.insn = ksymname_insn, .insns = 22,
	.fixup = ksymname_fixup, .fixups = 3,
	.map = ksymname_map, .maps = 2,
	.program = ksymname_program, .programs = 1,
};
