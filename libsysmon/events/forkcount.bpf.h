/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * forkcount.bpf: the programs of forkcount.bpf.c, for bpf/bpf_object.h.  Private to forkcount.c.  Made by `make bpf`.
 *
 * Compiler: Debian clang version 14.0.6
 * Sources: libsysmon/bpf/bpf_kern.h libsysmon/events/forkcount.bpf.c tools/bpf2h.py
 * SHA-256: 939c00aab91a692e8c3f0d7302a5595459d0dfa59e889afd322963b3812e3289
 */
#include "bpf/bpf_object.h"

enum { PROGRAM_COUNT_FORK };
enum { MAP_FORKS };
static const struct bpf_insn forkcount_insn[] = {
	{183, 2, 0, 0, 12}, {121, 6, 1, 8, 0}, {191, 3, 6, 0, 0}, {15, 3, 2, 0, 0},
	{191, 1, 10, 0, 0}, {7, 1, 0, 0, -4}, {180, 2, 0, 0, 4}, {133, 0, 0, 0, 113},
	{183, 1, 0, 0, 16}, {15, 6, 1, 0, 0}, {191, 1, 10, 0, 0}, {7, 1, 0, 0, -8},
	{180, 2, 0, 0, 4}, {191, 3, 6, 0, 0}, {133, 0, 0, 0, 113}, {97, 1, 10, -8, 0},
	{97, 2, 10, -4, 0}, {94, 2, 1, 4, 0}, {183, 1, 0, 0, 1}, {24, 2, 0, 0, 0}, {0, 0, 0, 0, 0},
	{219, 2, 1, 0, 0}, {180, 0, 0, 0, 0}, {149, 0, 0, 0, 0},
};
static const struct sm_bpf_fixup forkcount_fixup[] = {
	{0, SM_BPF_OFFSET, 0}, {8, SM_BPF_OFFSET, 1}, {19, SM_BPF_VALUE, 0},
};
static const struct sm_bpf_member forkcount_member[] = {
	{0, 12, 4}, {16, 28, 4},
};
static const struct sm_bpf_map forkcount_map[] = {
	{33, 2, 4, 8, 1, 1024},
};
static const struct sm_bpf_program forkcount_program[] = {
	{39, 50, 17, 0, 24},
};
static const struct sm_bpf_object forkcount_bpf = {
	.names = "task_struct\0"
		 "pid\0"
		 "task_struct\0"
		 "tgid\0"
		 "forks\0"
		 "count_fork\0"
		 "sched_process_fork\0",
	.insn = forkcount_insn, .insns = 24,
	.fixup = forkcount_fixup, .fixups = 3,
	.member = forkcount_member, .members = 2,
	.map = forkcount_map, .maps = 1,
	.program = forkcount_program, .programs = 1,
};
