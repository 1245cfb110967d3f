/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * taskexit.bpf: the programs of taskexit.bpf.c, for kernel/bpf_object.h.  Private to taskexit.c.  Made by `make bpf`.
 *
 * Compiler: Debian clang version 14.0.6
 * Sources: libsysmon/kernel/bpf_kern.h libsysmon/kernel/bpf_output.h libsysmon/kernel/taskexit.bpf.c libsysmon/kernel/taskexit_raw.h tools/bpf2h.py
 * SHA-256: 1d82429e072388f0cced46254aa776acda3bf63d6c345f560f40ac54cb281388
 */
#include "kernel/bpf_object.h"

enum { PROGRAM_TASK_EXIT };
enum { MAP_LOST, MAP_RING };
static const struct bpf_insn taskexit_insn[] = {
	{121, 3, 1, 0, 0}, {97, 1, 3, 16, 0}, {97, 2, 3, 12, 0}, {94, 2, 1, 56, 0},
	{121, 1, 3, 88, 0}, {121, 2, 3, 64, 0}, {121, 4, 3, 80, 0}, {121, 5, 3, 32, 0},
	{121, 0, 4, 32, 0}, {121, 6, 4, 16, 0}, {121, 4, 4, 24, 0}, {97, 2, 2, 16, 0},
	{97, 1, 1, 0, 0}, {97, 7, 3, 16, 0}, {180, 8, 0, 0, 0}, {99, 10, 8, -20, 0},
	{99, 10, 1, -24, 0}, {99, 10, 2, -28, 0}, {99, 10, 7, -32, 0}, {123, 10, 4, -40, 0},
	{123, 10, 6, -48, 0}, {123, 10, 0, -56, 0}, {123, 10, 5, -64, 0}, {183, 1, 0, 0, 116},
	{15, 3, 1, 0, 0}, {183, 1, 0, 0, 0}, {123, 10, 1, -8, 0}, {123, 10, 1, -16, 0},
	{123, 10, 1, -72, 0}, {191, 1, 10, 0, 0}, {7, 1, 0, 0, -16}, {180, 2, 0, 0, 16},
	{133, 0, 0, 0, 113}, {133, 0, 0, 0, 5}, {123, 10, 0, -72, 0}, {24, 1, 0, 0, 0},
	{0, 0, 0, 0, 0}, {183, 2, 0, 0, 0}, {133, 0, 0, 0, 134}, {191, 7, 0, 0, 0},
	{183, 6, 0, 0, 1}, {24, 1, 0, 0, 0}, {0, 0, 0, 0, 0}, {183, 2, 0, 0, 1},
	{133, 0, 0, 0, 134}, {119, 0, 0, 0, 1}, {173, 7, 0, 1, 0}, {183, 6, 0, 0, 2},
	{191, 2, 10, 0, 0}, {7, 2, 0, 0, -72}, {24, 1, 0, 0, 0}, {0, 0, 0, 0, 0},
	{183, 3, 0, 0, 72}, {191, 4, 6, 0, 0}, {133, 0, 0, 0, 130}, {21, 0, 0, 4, 0},
	{183, 1, 0, 0, 1}, {24, 2, 0, 0, 0}, {0, 0, 0, 0, 0}, {219, 2, 1, 0, 0}, {180, 0, 0, 0, 0},
	{149, 0, 0, 0, 0},
};
static const struct sm_bpf_fixup taskexit_fixup[] = {
	{1, SM_BPF_OFFSET, 0}, {2, SM_BPF_OFFSET, 1}, {4, SM_BPF_OFFSET, 2}, {5, SM_BPF_OFFSET, 3},
	{6, SM_BPF_OFFSET, 4}, {7, SM_BPF_OFFSET, 5}, {8, SM_BPF_OFFSET, 6}, {9, SM_BPF_OFFSET, 7},
	{10, SM_BPF_OFFSET, 8}, {11, SM_BPF_OFFSET, 0}, {12, SM_BPF_OFFSET, 9},
	{13, SM_BPF_OFFSET, 0}, {23, SM_BPF_OFFSET, 10}, {35, SM_BPF_MAP, 1}, {41, SM_BPF_MAP, 1},
	{50, SM_BPF_MAP, 1}, {57, SM_BPF_VALUE, 0},
};
static const struct sm_bpf_member taskexit_member[] = {
	{0, 12, 4}, {17, 29, 4}, {33, 45, 0}, {55, 67, 0}, {79, 91, 0}, {98, 110, 8}, {125, 139, 8},
	{157, 171, 8}, {177, 191, 8}, {197, 202, 4}, {210, 222, 16},
};
static const struct sm_bpf_map taskexit_map[] = {
	{227, 2, 4, 8, 1, 1024}, {232, 27, 0, 0, 1048576, 0},
};
static const struct sm_bpf_program taskexit_program[] = {
	{237, 247, 26, 0, 62},
};
static const struct sm_bpf_object taskexit_bpf = {
	.names = "task_struct\0"
		 "tgid\0"
		 "task_struct\0"
		 "pid\0"
		 "task_struct\0"
		 "real_cred\0"
		 "task_struct\0"
		 "real_parent\0"
		 "task_struct\0"
		 "signal\0"
		 "task_struct\0"
		 "start_boottime\0"
		 "signal_struct\0"
		 "sum_sched_runtime\0"
		 "signal_struct\0"
		 "utime\0"
		 "signal_struct\0"
		 "stime\0"
		 "cred\0"
		 "uid.val\0"
		 "task_struct\0"
		 "comm\0"
		 "lost\0"
		 "ring\0"
		 "task_exit\0"
		 "sched_process_free\0",
	.insn = taskexit_insn, .insns = 62,
	.fixup = taskexit_fixup, .fixups = 17,
	.member = taskexit_member, .members = 11,
	.map = taskexit_map, .maps = 2,
	.program = taskexit_program, .programs = 1,
};
