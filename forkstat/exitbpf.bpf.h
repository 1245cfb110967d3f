/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * exitbpf.bpf: the programs of exitbpf.bpf.c, for kernel/bpf_object.h.  Private to exitbpf.c.  Made by `make bpf`.
 *
 * Compiler: Debian clang version 14.0.6
 * Sources: forkstat/exit_raw.h forkstat/exitbpf.bpf.c libsysmon/base/base.h libsysmon/kernel/bpf_kern.h libsysmon/kernel/bpf_output.h tools/bpf2h.py
 * SHA-256: ecc978251762cdc37907ed61ff8638e438bdf875b71eb9c13c14038912ed7899
 */
#include "kernel/bpf_object.h"

enum { PROGRAM_FORKSTAT_EXIT };
enum { MAP_LOST, MAP_RING };
static const struct bpf_insn exitbpf_insn[] = {
	{121, 6, 1, 0, 0},
	{183, 1, 0, 0, 0},
	{123, 10, 1, -8, 0},
	{123, 10, 1, -16, 0},
	{97, 1, 6, 16, 0},
	{97, 2, 6, 12, 0},
	{94, 2, 1, 11, 0},
	{121, 1, 6, 80, 0},
	{97, 2, 1, 0, 0},
	{102, 2, 0, 8, 0},
	{97, 2, 1, 4, 0},
	{102, 2, 0, 6, 1},
	{97, 2, 1, 12, 0},
	{84, 2, 0, 0, 4},
	{22, 2, 0, 60, 0},
	{97, 2, 6, 28, 0},
	{97, 1, 1, 8, 0},
	{30, 1, 2, 57, 0},
	{133, 0, 0, 0, 5},
	{123, 10, 0, -32, 0},
	{97, 1, 6, 12, 0},
	{99, 10, 1, -24, 0},
	{97, 1, 6, 16, 0},
	{99, 10, 1, -20, 0},
	{121, 1, 6, 80, 0},
	{97, 1, 1, 0, 0},
	{99, 10, 1, -16, 0},
	{121, 1, 6, 72, 0},
	{97, 3, 1, 24, 0},
	{180, 4, 0, 0, 1},
	{86, 3, 0, 1, 0},
	{180, 4, 0, 0, 0},
	{121, 2, 6, 80, 0},
	{99, 10, 4, -4, 0},
	{97, 4, 2, 12, 0},
	{84, 4, 0, 0, 4},
	{22, 4, 0, 5, 0},
	{180, 1, 0, 0, 2},
	{99, 10, 1, -12, 0},
	{183, 1, 0, 0, 8},
	{15, 2, 1, 0, 0},
	{5, 0, 0, 6, 0},
	{22, 3, 0, 7, 0},
	{180, 2, 0, 0, 1},
	{99, 10, 2, -12, 0},
	{183, 2, 0, 0, 28},
	{15, 1, 2, 0, 0},
	{191, 2, 1, 0, 0},
	{97, 1, 2, 0, 0},
	{99, 10, 1, -8, 0},
	{24, 1, 0, 0, 0},
	{0, 0, 0, 0, 0},
	{183, 2, 0, 0, 0},
	{133, 0, 0, 0, 134},
	{191, 7, 0, 0, 0},
	{183, 6, 0, 0, 1},
	{24, 1, 0, 0, 0},
	{0, 0, 0, 0, 0},
	{183, 2, 0, 0, 1},
	{133, 0, 0, 0, 134},
	{119, 0, 0, 0, 1},
	{173, 7, 0, 1, 0},
	{183, 6, 0, 0, 2},
	{191, 2, 10, 0, 0},
	{7, 2, 0, 0, -32},
	{24, 1, 0, 0, 0},
	{0, 0, 0, 0, 0},
	{183, 3, 0, 0, 32},
	{191, 4, 6, 0, 0},
	{133, 0, 0, 0, 130},
	{21, 0, 0, 4, 0},
	{183, 1, 0, 0, 1},
	{24, 2, 0, 0, 0},
	{0, 0, 0, 0, 0},
	{219, 2, 1, 0, 0},
	{180, 0, 0, 0, 0},
	{149, 0, 0, 0, 0},
};
static const struct sm_bpf_fixup exitbpf_fixup[] = {
	{4, SM_BPF_OFFSET, 0},
	{5, SM_BPF_OFFSET, 1},
	{7, SM_BPF_OFFSET, 2},
	{8, SM_BPF_OFFSET, 3},
	{10, SM_BPF_OFFSET, 4},
	{12, SM_BPF_OFFSET, 5},
	{15, SM_BPF_OFFSET, 6},
	{16, SM_BPF_OFFSET, 7},
	{20, SM_BPF_OFFSET, 1},
	{22, SM_BPF_OFFSET, 0},
	{24, SM_BPF_OFFSET, 2},
	{25, SM_BPF_OFFSET, 3},
	{27, SM_BPF_OFFSET, 8},
	{28, SM_BPF_OFFSET, 9},
	{32, SM_BPF_OFFSET, 2},
	{34, SM_BPF_OFFSET, 5},
	{39, SM_BPF_OFFSET, 7},
	{45, SM_BPF_OFFSET, 6},
	{50, SM_BPF_MAP, 1},
	{56, SM_BPF_MAP, 1},
	{65, SM_BPF_MAP, 1},
	{72, SM_BPF_VALUE, 0},
};
static const struct sm_bpf_member exitbpf_member[] = {
	{0, 12, 4},
	{17, 29, 4},
	{33, 45, 0},
	{52, 66, 4},
	{79, 93, 4},
	{104, 118, 4},
	{124, 136, 4},
	{146, 160, 4},
	{176, 188, 0},
	{201, 213, 4},
};
static const struct sm_bpf_map exitbpf_map[] = {
	{224, 2, 4, 8, 1, 1024},
	{229, 27, 0, 0, 1048576, 0},
};
static const struct sm_bpf_program exitbpf_program[] = {
	{234, 248, 26, 0, 77},
};
static const struct sm_bpf_object exitbpf_bpf = {
	.names = "task_struct\0"
		 "tgid\0"
		 "task_struct\0"
		 "pid\0"
		 "task_struct\0"
		 "signal\0"
		 "signal_struct\0"
		 "live.counter\0"
		 "signal_struct\0"
		 "nr_threads\0"
		 "signal_struct\0"
		 "flags\0"
		 "task_struct\0"
		 "exit_code\0"
		 "signal_struct\0"
		 "group_exit_code\0"
		 "task_struct\0"
		 "group_leader\0"
		 "task_struct\0"
		 "exit_state\0"
		 "lost\0"
		 "ring\0"
		 "forkstat_exit\0"
		 "sched_process_exit\0",
	.insn = exitbpf_insn, .insns = 77,
	.fixup = exitbpf_fixup, .fixups = 22,
	.member = exitbpf_member, .members = 10,
	.map = exitbpf_map, .maps = 2,
	.program = exitbpf_program, .programs = 1,
};
