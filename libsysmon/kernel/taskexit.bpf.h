/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * taskexit.bpf: the programs of taskexit.bpf.c, for kernel/bpf_object.h.  Private to taskexit.c.  Made by `make bpf`.
 *
 * Compiler: Debian clang version 14.0.6
 * Sources: libsysmon/kernel/bpf_kern.h libsysmon/kernel/bpf_output.h libsysmon/kernel/taskexit.bpf.c libsysmon/kernel/taskexit_raw.h tools/bpf2h.py
 * SHA-256: 0a1fb346a1bd9b896c25a415ff64ac52dad72efe5a4be093a37d05ad2630cf0c
 */
#include "kernel/bpf_object.h"

enum { PROGRAM_TASK_EXIT };
enum { MAP_LOST, MAP_RING };
static const struct bpf_insn taskexit_insn[] = {
	{121, 6, 1, 0, 0},
	{183, 1, 0, 0, 8},
	{191, 3, 6, 0, 0},
	{15, 3, 1, 0, 0},
	{191, 1, 10, 0, 0},
	{7, 1, 0, 0, -84},
	{180, 2, 0, 0, 4},
	{133, 0, 0, 0, 113},
	{183, 7, 0, 0, 12},
	{191, 3, 6, 0, 0},
	{15, 3, 7, 0, 0},
	{191, 1, 10, 0, 0},
	{7, 1, 0, 0, -40},
	{180, 2, 0, 0, 4},
	{133, 0, 0, 0, 113},
	{97, 1, 10, -40, 0},
	{97, 2, 10, -84, 0},
	{94, 2, 1, 82, 0},
	{183, 1, 0, 0, 40},
	{191, 3, 6, 0, 0},
	{15, 3, 1, 0, 0},
	{191, 1, 10, 0, 0},
	{7, 1, 0, 0, -16},
	{180, 2, 0, 0, 8},
	{133, 0, 0, 0, 113},
	{183, 1, 0, 0, 16},
	{121, 3, 10, -16, 0},
	{15, 3, 1, 0, 0},
	{191, 1, 10, 0, 0},
	{7, 1, 0, 0, -64},
	{180, 2, 0, 0, 8},
	{133, 0, 0, 0, 113},
	{183, 1, 0, 0, 0},
	{121, 3, 10, -16, 0},
	{15, 3, 1, 0, 0},
	{191, 1, 10, 0, 0},
	{7, 1, 0, 0, -56},
	{180, 2, 0, 0, 8},
	{133, 0, 0, 0, 113},
	{183, 1, 0, 0, 8},
	{121, 3, 10, -16, 0},
	{15, 3, 1, 0, 0},
	{191, 1, 10, 0, 0},
	{7, 1, 0, 0, -48},
	{180, 2, 0, 0, 8},
	{133, 0, 0, 0, 113},
	{183, 1, 0, 0, 32},
	{191, 3, 6, 0, 0},
	{15, 3, 1, 0, 0},
	{191, 1, 10, 0, 0},
	{7, 1, 0, 0, -8},
	{180, 2, 0, 0, 8},
	{133, 0, 0, 0, 113},
	{121, 3, 10, -8, 0},
	{15, 3, 7, 0, 0},
	{191, 1, 10, 0, 0},
	{7, 1, 0, 0, -36},
	{180, 2, 0, 0, 4},
	{133, 0, 0, 0, 113},
	{183, 1, 0, 0, 16},
	{191, 3, 6, 0, 0},
	{15, 3, 1, 0, 0},
	{191, 1, 10, 0, 0},
	{7, 1, 0, 0, -72},
	{180, 2, 0, 0, 8},
	{133, 0, 0, 0, 113},
	{183, 1, 0, 0, 56},
	{15, 6, 1, 0, 0},
	{191, 1, 10, 0, 0},
	{7, 1, 0, 0, -32},
	{180, 2, 0, 0, 16},
	{191, 3, 6, 0, 0},
	{133, 0, 0, 0, 113},
	{133, 0, 0, 0, 5},
	{123, 10, 0, -80, 0},
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
	{7, 2, 0, 0, -80},
	{24, 1, 0, 0, 0},
	{0, 0, 0, 0, 0},
	{183, 3, 0, 0, 64},
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
static const struct sm_bpf_fixup taskexit_fixup[] = {
	{1, SM_BPF_OFFSET, 0},
	{8, SM_BPF_OFFSET, 1},
	{18, SM_BPF_OFFSET, 2},
	{25, SM_BPF_OFFSET, 3},
	{32, SM_BPF_OFFSET, 4},
	{39, SM_BPF_OFFSET, 5},
	{46, SM_BPF_OFFSET, 6},
	{59, SM_BPF_OFFSET, 7},
	{66, SM_BPF_OFFSET, 8},
	{75, SM_BPF_MAP, 1},
	{81, SM_BPF_MAP, 1},
	{90, SM_BPF_MAP, 1},
	{97, SM_BPF_VALUE, 0},
};
static const struct sm_bpf_member taskexit_member[] = {
	{0, 12, 4},
	{16, 28, 4},
	{33, 45, 0},
	{52, 66, 8},
	{84, 98, 8},
	{104, 118, 8},
	{124, 136, 0},
	{148, 160, 8},
	{175, 187, 16},
};
static const struct sm_bpf_map taskexit_map[] = {
	{192, 2, 4, 8, 1, 1024},
	{197, 27, 0, 0, 1048576, 0},
};
static const struct sm_bpf_program taskexit_program[] = {
	{202, 212, 17, 0, 102},
};
static const struct sm_bpf_object taskexit_bpf = {
	.names = "task_struct\0"
		 "pid\0"
		 "task_struct\0"
		 "tgid\0"
		 "task_struct\0"
		 "signal\0"
		 "signal_struct\0"
		 "sum_sched_runtime\0"
		 "signal_struct\0"
		 "utime\0"
		 "signal_struct\0"
		 "stime\0"
		 "task_struct\0"
		 "real_parent\0"
		 "task_struct\0"
		 "start_boottime\0"
		 "task_struct\0"
		 "comm\0"
		 "lost\0"
		 "ring\0"
		 "task_exit\0"
		 "sched_process_free\0",
	.insn = taskexit_insn, .insns = 102,
	.fixup = taskexit_fixup, .fixups = 13,
	.member = taskexit_member, .members = 9,
	.map = taskexit_map, .maps = 2,
	.program = taskexit_program, .programs = 1,
};
