/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * taskwalk.bpf: the programs of taskwalk.bpf.c, for kernel/bpf_object.h.  Private to taskwalk.c.  Made by `make bpf`.
 *
 * Compiler: Debian clang version 14.0.6
 * Sources: libsysmon/kernel/bpf_kern.h libsysmon/kernel/taskwalk.bpf.c libsysmon/kernel/taskwalk_raw.h tools/bpf2h.py
 * SHA-256: 929b50ecde6631142d777ff030775bec7f3d5fd60cc0db3c9bb1bbc253ba3835
 */
#include "kernel/bpf_object.h"

enum { PROGRAM_WALK_TASKS };
enum { MAP_HEAD, MAP_RECORDS };
static const struct bpf_insn taskwalk_insn[] = {
	{24, 7, 0, 0, 0}, {0, 0, 0, 0, 0}, {183, 1, 0, 0, 0}, {123, 7, 1, 16, 0}, {133, 0, 0, 0, 5},
	{123, 7, 0, 0, 0}, {133, 0, 1, 0, -1}, {191, 6, 10, 0, 0}, {7, 6, 0, 0, -24},
	{191, 1, 6, 0, 0}, {183, 2, 0, 0, 0}, {180, 3, 0, 0, 0}, {133, 0, 1, 0, -1},
	{191, 1, 6, 0, 0}, {133, 0, 1, 0, -1}, {21, 0, 0, 68, 0}, {183, 8, 0, 0, 140},
	{191, 1, 0, 0, 0}, {24, 2, 0, 0, 30}, {0, 0, 0, 0, 0}, {133, 0, 1, 0, -1},
	{191, 6, 0, 0, 0}, {97, 1, 6, 12, 0}, {22, 1, 0, 56, 0}, {97, 1, 7, 16, 0},
	{99, 10, 1, -28, 0}, {191, 2, 10, 0, 0}, {7, 2, 0, 0, -28}, {24, 1, 0, 0, 0},
	{0, 0, 0, 0, 0}, {133, 0, 0, 0, 1}, {85, 0, 0, 5, 0}, {24, 1, 0, 0, 0}, {0, 0, 0, 0, 0},
	{180, 2, 0, 0, 1}, {99, 1, 2, 20, 0}, {5, 0, 0, 47, 0}, {121, 1, 6, 104, 0},
	{97, 2, 1, 4, 0}, {99, 0, 2, 56, 0}, {121, 2, 1, 32, 0}, {121, 3, 6, 64, 0},
	{15, 3, 2, 0, 0}, {123, 0, 3, 0, 0}, {121, 2, 1, 16, 0}, {121, 3, 6, 40, 0},
	{15, 3, 2, 0, 0}, {123, 0, 3, 8, 0}, {121, 2, 1, 24, 0}, {121, 3, 6, 48, 0},
	{15, 3, 2, 0, 0}, {123, 0, 3, 16, 0}, {121, 2, 1, 40, 0}, {123, 0, 2, 24, 0},
	{121, 1, 1, 48, 0}, {123, 0, 1, 32, 0}, {121, 1, 6, 56, 0}, {123, 0, 1, 40, 0},
	{97, 1, 6, 16, 0}, {99, 0, 1, 48, 0}, {121, 1, 6, 88, 0}, {97, 1, 1, 16, 0},
	{99, 0, 1, 52, 0}, {97, 1, 6, 20, 0}, {99, 0, 1, 60, 0}, {97, 1, 6, 24, 0},
	{99, 0, 1, 64, 0}, {97, 1, 6, 28, 0}, {99, 0, 1, 68, 0}, {97, 1, 6, 0, 0},
	{99, 0, 1, 72, 0}, {15, 6, 8, 0, 0}, {7, 0, 0, 0, 80}, {191, 1, 0, 0, 0},
	{180, 2, 0, 0, 16}, {191, 3, 6, 0, 0}, {133, 0, 0, 0, 113}, {97, 1, 10, -28, 0},
	{4, 1, 0, 0, 1}, {99, 7, 1, 16, 0}, {191, 1, 10, 0, 0}, {7, 1, 0, 0, -24},
	{133, 0, 1, 0, -1}, {85, 0, 0, -67, 0}, {191, 1, 10, 0, 0}, {7, 1, 0, 0, -24},
	{133, 0, 1, 0, -1}, {133, 0, 1, 0, -1}, {133, 0, 0, 0, 5}, {123, 7, 0, 8, 0},
	{180, 0, 0, 0, 0}, {149, 0, 0, 0, 0},
};
static const struct sm_bpf_fixup taskwalk_fixup[] = {
	{0, SM_BPF_VALUE, 0}, {6, SM_BPF_CALL, 0}, {12, SM_BPF_CALL, 1}, {14, SM_BPF_CALL, 2},
	{16, SM_BPF_OFFSET, 0}, {18, SM_BPF_TYPE, 6}, {20, SM_BPF_CALL, 3}, {22, SM_BPF_OFFSET, 1},
	{28, SM_BPF_MAP, 1}, {32, SM_BPF_VALUE, 0}, {37, SM_BPF_OFFSET, 2}, {38, SM_BPF_OFFSET, 3},
	{40, SM_BPF_OFFSET, 4}, {41, SM_BPF_OFFSET, 5}, {44, SM_BPF_OFFSET, 6},
	{45, SM_BPF_OFFSET, 7}, {48, SM_BPF_OFFSET, 8}, {49, SM_BPF_OFFSET, 9},
	{52, SM_BPF_OFFSET, 10}, {54, SM_BPF_OFFSET, 11}, {56, SM_BPF_OFFSET, 12},
	{58, SM_BPF_OFFSET, 13}, {60, SM_BPF_OFFSET, 14}, {61, SM_BPF_OFFSET, 13},
	{63, SM_BPF_OFFSET, 15}, {65, SM_BPF_OFFSET, 16}, {67, SM_BPF_OFFSET, 17},
	{69, SM_BPF_OFFSET, 18}, {82, SM_BPF_CALL, 2}, {86, SM_BPF_CALL, 4}, {87, SM_BPF_CALL, 5},
};
static const struct sm_bpf_member taskwalk_member[] = {
	{0, 12, 16}, {17, 29, 4}, {33, 45, 0}, {52, 66, 4}, {77, 91, 8}, {109, 121, 8},
	{141, 155, 8}, {161, 173, 8}, {179, 193, 8}, {199, 211, 8}, {217, 231, 8}, {238, 252, 8},
	{259, 271, 8}, {286, 298, 4}, {303, 315, 0}, {327, 339, 4}, {345, 357, 4}, {365, 377, 4},
	{388, 400, 4},
};
static const struct sm_bpf_map taskwalk_map[] = {
	{416, 2, 4, 24, 1, 1024}, {421, 2, 4, 96, 16384, 1024},
};
static const struct sm_bpf_symbol taskwalk_symbol[] = {
	{429, SM_BPF_CALL}, {447, SM_BPF_CALL}, {465, SM_BPF_CALL}, {484, SM_BPF_CALL},
	{500, SM_BPF_CALL}, {522, SM_BPF_CALL}, {542, SM_BPF_TYPE},
};
static const struct sm_bpf_program taskwalk_program[] = {
	{554, 565, 31, 0, 92},
};
static const struct sm_bpf_object taskwalk_bpf = {
	.names = "task_struct\0"
		 "comm\0"
		 "task_struct\0"
		 "pid\0"
		 "task_struct\0"
		 "signal\0"
		 "signal_struct\0"
		 "nr_threads\0"
		 "signal_struct\0"
		 "sum_sched_runtime\0"
		 "task_struct\0"
		 "se.sum_exec_runtime\0"
		 "signal_struct\0"
		 "utime\0"
		 "task_struct\0"
		 "utime\0"
		 "signal_struct\0"
		 "stime\0"
		 "task_struct\0"
		 "stime\0"
		 "signal_struct\0"
		 "cutime\0"
		 "signal_struct\0"
		 "cstime\0"
		 "task_struct\0"
		 "start_boottime\0"
		 "task_struct\0"
		 "tgid\0"
		 "task_struct\0"
		 "real_parent\0"
		 "task_struct\0"
		 "flags\0"
		 "task_struct\0"
		 "__state\0"
		 "task_struct\0"
		 "exit_state\0"
		 "task_struct\0"
		 "thread_info.cpu\0"
		 "head\0"
		 "records\0"
		 "bpf_rcu_read_lock\0"
		 "bpf_iter_task_new\0"
		 "bpf_iter_task_next\0"
		 "bpf_rdonly_cast\0"
		 "bpf_iter_task_destroy\0"
		 "bpf_rcu_read_unlock\0"
		 "task_struct\0"
		 "walk_tasks\0"
		 "\0",
	.insn = taskwalk_insn, .insns = 92,
	.fixup = taskwalk_fixup, .fixups = 31,
	.member = taskwalk_member, .members = 19,
	.map = taskwalk_map, .maps = 2,
	.symbol = taskwalk_symbol, .symbols = 7,
	.program = taskwalk_program, .programs = 1,
};
