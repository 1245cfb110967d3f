/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cncount.bpf: the programs of cncount.bpf.c, for bpf/bpf_object.h.  Private to cncount.c.  Made by `make bpf`.
 *
 * Compiler: Debian clang version 14.0.6
 * Sources: libsysmon/base/base.h libsysmon/bpf/bpf_kern.h libsysmon/events/cncount.bpf.c libsysmon/events/cnevent.h tools/bpf2h.py
 * SHA-256: dcaf2b09486021d96d2fcd139e0971c1c38d3a499ade6dc66294714bace0cdef
 */
#include "bpf/bpf_object.h"

enum { PROGRAM_COUNT_EVENTS };
enum { MAP_COUNTS };
static const struct bpf_insn cncount_insn[] = {
	{191, 6, 1, 0, 0}, {191, 3, 10, 0, 0}, {7, 3, 0, 0, -20}, {180, 2, 0, 0, 36},
	{180, 4, 0, 0, 4}, {133, 0, 0, 0, 26}, {85, 0, 0, 34, 0}, {191, 3, 10, 0, 0},
	{7, 3, 0, 0, -16}, {191, 1, 6, 0, 0}, {180, 2, 0, 0, 52}, {180, 4, 0, 0, 16},
	{133, 0, 0, 0, 26}, {85, 0, 0, 27, 0}, {97, 1, 10, -20, 0}, {86, 1, 0, 8, 1},
	{97, 1, 10, -4, 0}, {97, 2, 10, -8, 0}, {94, 2, 1, 22, 0}, {183, 1, 0, 0, 1},
	{24, 2, 0, 0, 0}, {0, 0, 0, 0, 0}, {219, 2, 1, 0, 0}, {97, 1, 10, -20, 0}, {86, 1, 0, 8, 2},
	{97, 1, 10, -12, 0}, {97, 2, 10, -16, 0}, {94, 2, 1, 13, 0}, {183, 1, 0, 0, 1},
	{24, 2, 0, 0, 0}, {0, 0, 0, 0, 0}, {219, 2, 1, 8, 0}, {97, 1, 10, -20, 0},
	{86, 1, 0, 7, -2147483648}, {97, 1, 10, -12, 0}, {97, 2, 10, -16, 0}, {94, 2, 1, 4, 0},
	{183, 1, 0, 0, 1}, {24, 2, 0, 0, 0}, {0, 0, 0, 0, 0}, {219, 2, 1, 16, 0}, {180, 0, 0, 0, 0},
	{149, 0, 0, 0, 0},
};
static const struct sm_bpf_fixup cncount_fixup[] = {
	{20, SM_BPF_VALUE, 0}, {29, SM_BPF_VALUE, 0}, {38, SM_BPF_VALUE, 0},
};
static const struct sm_bpf_map cncount_map[] = {
	{0, 2, 4, 24, 1, 1024},
};
static const struct sm_bpf_program cncount_program[] = {
	{7, 20, 1, 0, 43},
};
static const struct sm_bpf_object cncount_bpf = {
	.names = "counts\0"
		 "count_events\0"
		 "\0",
	.insn = cncount_insn, .insns = 43,
	.fixup = cncount_fixup, .fixups = 3,
	.map = cncount_map, .maps = 1,
	.program = cncount_program, .programs = 1,
};
