/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * taskexit.bpf: the programs of taskexit.bpf.c, for kernel/bpf_object.h.  Private to taskexit.c.  Made by `make bpf`.
 *
 * Compiler: Debian clang version 14.0.6
 * Sources: libsysmon/kernel/bpf_kern.h libsysmon/kernel/bpf_output.h libsysmon/kernel/taskexit.bpf.c libsysmon/kernel/taskexit_raw.h tools/bpf2h.py
 * SHA-256: 3ea17b5993bf35bc57626b51eb014009aedfa649a40d2286ba99f23c99f19d16
 */
#include "kernel/bpf_object.h"

enum { PROGRAM_TASK_EXIT };
enum { MAP_LOST, MAP_RING };
static const struct bpf_insn taskexit_insn[] = {
	{121, 6, 1, 0, 0}, {97, 1, 6, 16, 0}, {97, 2, 6, 12, 0}, {94, 2, 1, 111, 0},
	{121, 1, 6, 56, 0}, {97, 2, 6, 16, 0}, {183, 3, 0, 0, 0}, {99, 10, 3, -48, 0},
	{99, 10, 3, -52, 0}, {99, 10, 3, -40, 0}, {99, 10, 3, -44, 0}, {99, 10, 3, -32, 0},
	{99, 10, 3, -36, 0}, {123, 10, 1, -96, 0}, {99, 10, 2, -56, 0}, {180, 1, 0, 0, 0},
	{99, 10, 1, -28, 0}, {123, 10, 3, -88, 0}, {123, 10, 3, -104, 0}, {123, 10, 3, -80, 0},
	{123, 10, 3, -72, 0}, {123, 10, 3, -64, 0}, {183, 1, 0, 0, 88}, {191, 3, 6, 0, 0},
	{15, 3, 1, 0, 0}, {191, 1, 10, 0, 0}, {7, 1, 0, 0, -8}, {180, 2, 0, 0, 8},
	{133, 0, 0, 0, 113}, {183, 1, 0, 0, 16}, {121, 3, 10, -8, 0}, {15, 3, 1, 0, 0},
	{191, 1, 10, 0, 0}, {7, 1, 0, 0, -52}, {180, 2, 0, 0, 4}, {133, 0, 0, 0, 113},
	{183, 1, 0, 0, 112}, {191, 3, 6, 0, 0}, {15, 3, 1, 0, 0}, {191, 1, 10, 0, 0},
	{7, 1, 0, 0, -24}, {180, 2, 0, 0, 8}, {133, 0, 0, 0, 113}, {183, 1, 0, 0, 0},
	{121, 3, 10, -24, 0}, {15, 3, 1, 0, 0}, {191, 1, 10, 0, 0}, {7, 1, 0, 0, -48},
	{180, 2, 0, 0, 4}, {133, 0, 0, 0, 113}, {183, 1, 0, 0, 104}, {191, 3, 6, 0, 0},
	{15, 3, 1, 0, 0}, {191, 1, 10, 0, 0}, {7, 1, 0, 0, -16}, {180, 2, 0, 0, 8},
	{133, 0, 0, 0, 113}, {183, 1, 0, 0, 32}, {121, 3, 10, -16, 0}, {15, 3, 1, 0, 0},
	{191, 1, 10, 0, 0}, {7, 1, 0, 0, -80}, {180, 2, 0, 0, 8}, {133, 0, 0, 0, 113},
	{183, 1, 0, 0, 16}, {121, 3, 10, -16, 0}, {15, 3, 1, 0, 0}, {191, 1, 10, 0, 0},
	{7, 1, 0, 0, -72}, {180, 2, 0, 0, 8}, {133, 0, 0, 0, 113}, {183, 1, 0, 0, 24},
	{121, 3, 10, -16, 0}, {15, 3, 1, 0, 0}, {191, 1, 10, 0, 0}, {7, 1, 0, 0, -64},
	{180, 2, 0, 0, 8}, {133, 0, 0, 0, 113}, {183, 1, 0, 0, 140}, {191, 3, 6, 0, 0},
	{15, 3, 1, 0, 0}, {191, 1, 10, 0, 0}, {7, 1, 0, 0, -40}, {180, 2, 0, 0, 16},
	{133, 0, 0, 0, 113}, {133, 0, 0, 0, 5}, {123, 10, 0, -104, 0}, {121, 1, 6, 160, 0},
	{31, 0, 1, 0, 0}, {123, 10, 0, -88, 0}, {24, 1, 0, 0, 0}, {0, 0, 0, 0, 0},
	{183, 2, 0, 0, 0}, {133, 0, 0, 0, 134}, {191, 7, 0, 0, 0}, {183, 6, 0, 0, 1},
	{24, 1, 0, 0, 0}, {0, 0, 0, 0, 0}, {183, 2, 0, 0, 1}, {133, 0, 0, 0, 134},
	{119, 0, 0, 0, 1}, {173, 7, 0, 1, 0}, {183, 6, 0, 0, 2}, {191, 2, 10, 0, 0},
	{7, 2, 0, 0, -104}, {24, 1, 0, 0, 0}, {0, 0, 0, 0, 0}, {183, 3, 0, 0, 80},
	{191, 4, 6, 0, 0}, {133, 0, 0, 0, 130}, {21, 0, 0, 4, 0}, {183, 1, 0, 0, 1},
	{24, 2, 0, 0, 0}, {0, 0, 0, 0, 0}, {219, 2, 1, 0, 0}, {180, 0, 0, 0, 0}, {149, 0, 0, 0, 0},
};
static const struct sm_bpf_fixup taskexit_fixup[] = {
	{1, SM_BPF_OFFSET, 0}, {2, SM_BPF_OFFSET, 1}, {4, SM_BPF_OFFSET, 2}, {5, SM_BPF_OFFSET, 0},
	{22, SM_BPF_OFFSET, 3}, {29, SM_BPF_OFFSET, 0}, {36, SM_BPF_OFFSET, 4},
	{43, SM_BPF_OFFSET, 5}, {50, SM_BPF_OFFSET, 6}, {57, SM_BPF_OFFSET, 7},
	{64, SM_BPF_OFFSET, 8}, {71, SM_BPF_OFFSET, 9}, {78, SM_BPF_OFFSET, 10},
	{87, SM_BPF_OFFSET, 11}, {90, SM_BPF_MAP, 1}, {96, SM_BPF_MAP, 1}, {105, SM_BPF_MAP, 1},
	{112, SM_BPF_VALUE, 0},
};
static const struct sm_bpf_member taskexit_member[] = {
	{0, 12, 4}, {17, 29, 4}, {33, 45, 8}, {60, 72, 0}, {84, 96, 0}, {106, 111, 4},
	{119, 131, 0}, {138, 152, 8}, {170, 184, 8}, {190, 204, 8}, {210, 222, 16}, {227, 239, 8},
};
static const struct sm_bpf_map taskexit_map[] = {
	{250, 2, 4, 8, 1, 1024}, {255, 27, 0, 0, 1048576, 0},
};
static const struct sm_bpf_program taskexit_program[] = {
	{260, 270, 26, 0, 117},
};
static const struct sm_bpf_object taskexit_bpf = {
	.names = "task_struct\0"
		 "tgid\0"
		 "task_struct\0"
		 "pid\0"
		 "task_struct\0"
		 "start_boottime\0"
		 "task_struct\0"
		 "real_parent\0"
		 "task_struct\0"
		 "real_cred\0"
		 "cred\0"
		 "uid.val\0"
		 "task_struct\0"
		 "signal\0"
		 "signal_struct\0"
		 "sum_sched_runtime\0"
		 "signal_struct\0"
		 "utime\0"
		 "signal_struct\0"
		 "stime\0"
		 "task_struct\0"
		 "comm\0"
		 "task_struct\0"
		 "start_time\0"
		 "lost\0"
		 "ring\0"
		 "task_exit\0"
		 "sched_process_free\0",
	.insn = taskexit_insn, .insns = 117,
	.fixup = taskexit_fixup, .fixups = 18,
	.member = taskexit_member, .members = 12,
	.map = taskexit_map, .maps = 2,
	.program = taskexit_program, .programs = 1,
};
