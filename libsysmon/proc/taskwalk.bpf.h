/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * taskwalk.bpf: the programs of taskwalk.bpf.c, for bpf/bpf_object.h.  Private to taskwalk.c.  Made by `make bpf`.
 *
 * Compiler: Debian clang version 14.0.6
 * Sources: libsysmon/bpf/bpf_kern.h libsysmon/proc/taskwalk.bpf.c libsysmon/proc/taskwalk_raw.h tools/bpf2h.py
 * SHA-256: 4e0a65e699c32ad6046f05c3c96d65c76c7593e01a42a3b878b2eacbabc57850
 */
#include "bpf/bpf_object.h"

enum { PROGRAM_WALK_TASKS };
enum { MAP_HEAD, MAP_RECORDS };
static const struct bpf_insn taskwalk_insn[] = {
	{24, 7, 0, 0, 0}, {0, 0, 0, 0, 0}, {183, 1, 0, 0, 0}, {123, 7, 1, 16, 0}, {133, 0, 0, 0, 5},
	{123, 7, 0, 0, 0}, {133, 0, 1, 0, -1}, {191, 6, 10, 0, 0}, {7, 6, 0, 0, -24},
	{191, 1, 6, 0, 0}, {183, 2, 0, 0, 0}, {180, 3, 0, 0, 0}, {133, 0, 1, 0, -1},
	{191, 1, 6, 0, 0}, {133, 0, 1, 0, -1}, {21, 0, 0, 9, 0}, {183, 8, 0, 0, 140},
	{5, 0, 0, 15, 0}, {97, 1, 10, -28, 0}, {4, 1, 0, 0, 1}, {99, 7, 1, 16, 0},
	{191, 1, 10, 0, 0}, {7, 1, 0, 0, -24}, {133, 0, 1, 0, -1}, {85, 0, 0, 8, 0},
	{191, 1, 10, 0, 0}, {7, 1, 0, 0, -24}, {133, 0, 1, 0, -1}, {133, 0, 1, 0, -1},
	{133, 0, 0, 0, 5}, {123, 7, 0, 8, 0}, {180, 0, 0, 0, 0}, {149, 0, 0, 0, 0},
	{191, 1, 0, 0, 0}, {24, 2, 0, 0, 30}, {0, 0, 0, 0, 0}, {133, 0, 1, 0, -1},
	{191, 6, 0, 0, 0}, {97, 1, 6, 12, 0}, {22, 1, 0, -19, 0}, {97, 1, 7, 16, 0},
	{99, 10, 1, -28, 0}, {191, 2, 10, 0, 0}, {7, 2, 0, 0, -28}, {24, 1, 0, 0, 0},
	{0, 0, 0, 0, 0}, {133, 0, 0, 0, 1}, {85, 0, 0, 5, 0}, {24, 1, 0, 0, 0}, {0, 0, 0, 0, 0},
	{180, 2, 0, 0, 1}, {99, 1, 2, 20, 0}, {5, 0, 0, -28, 0}, {121, 1, 6, 64, 0},
	{121, 2, 6, 104, 0}, {121, 3, 2, 32, 0}, {15, 1, 3, 0, 0}, {121, 3, 0, 0, 0},
	{175, 1, 3, 0, 0}, {97, 3, 6, 16, 0}, {97, 4, 0, 24, 0}, {172, 3, 4, 0, 0},
	{121, 4, 6, 88, 0}, {97, 4, 4, 16, 0}, {97, 5, 0, 28, 0}, {172, 4, 5, 0, 0},
	{76, 4, 3, 0, 0}, {79, 1, 4, 0, 0}, {121, 3, 2, 40, 0}, {121, 4, 0, 8, 0},
	{175, 3, 4, 0, 0}, {79, 1, 3, 0, 0}, {121, 3, 2, 48, 0}, {121, 4, 0, 16, 0},
	{175, 3, 4, 0, 0}, {79, 1, 3, 0, 0}, {97, 2, 2, 4, 0}, {97, 3, 0, 32, 0}, {172, 2, 3, 0, 0},
	{79, 1, 2, 0, 0}, {21, 1, 0, -63, 0}, {121, 2, 6, 104, 0}, {97, 1, 2, 56, 0},
	{121, 3, 2, 32, 0}, {121, 4, 6, 64, 0}, {15, 4, 3, 0, 0}, {123, 0, 4, 0, 0},
	{121, 3, 2, 16, 0}, {121, 4, 6, 40, 0}, {15, 4, 3, 0, 0}, {123, 0, 4, 40, 0},
	{121, 3, 2, 24, 0}, {121, 4, 6, 48, 0}, {15, 4, 3, 0, 0}, {123, 0, 4, 48, 0},
	{121, 3, 2, 40, 0}, {123, 0, 3, 8, 0}, {121, 3, 2, 48, 0}, {123, 0, 3, 16, 0},
	{97, 3, 2, 4, 0}, {99, 0, 3, 32, 0}, {97, 2, 2, 56, 0}, {172, 2, 1, 0, 0}, {84, 1, 0, 0, 1},
	{76, 2, 1, 0, 0}, {7, 2, 0, 0, -1}, {119, 2, 0, 0, 32}, {97, 1, 0, 32, 0}, {92, 1, 2, 0, 0},
	{99, 0, 1, 32, 0}, {121, 1, 6, 56, 0}, {123, 0, 1, 56, 0}, {97, 1, 6, 16, 0},
	{99, 0, 1, 24, 0}, {121, 1, 6, 88, 0}, {97, 1, 1, 16, 0}, {99, 0, 1, 28, 0},
	{97, 1, 6, 20, 0}, {99, 0, 1, 64, 0}, {97, 1, 6, 24, 0}, {99, 0, 1, 68, 0},
	{97, 1, 6, 28, 0}, {99, 0, 1, 72, 0}, {97, 1, 6, 0, 0}, {99, 0, 1, 36, 0}, {15, 6, 8, 0, 0},
	{7, 0, 0, 0, 76}, {191, 1, 0, 0, 0}, {180, 2, 0, 0, 16}, {191, 3, 6, 0, 0},
	{133, 0, 0, 0, 113}, {5, 0, 0, -114, 0},
};
static const struct sm_bpf_fixup taskwalk_fixup[] = {
	{0, SM_BPF_VALUE, 0}, {6, SM_BPF_CALL, 0}, {12, SM_BPF_CALL, 1}, {14, SM_BPF_CALL, 2},
	{16, SM_BPF_OFFSET, 0}, {23, SM_BPF_CALL, 2}, {27, SM_BPF_CALL, 3}, {28, SM_BPF_CALL, 4},
	{34, SM_BPF_TYPE, 6}, {36, SM_BPF_CALL, 5}, {38, SM_BPF_OFFSET, 1}, {44, SM_BPF_MAP, 1},
	{48, SM_BPF_VALUE, 0}, {53, SM_BPF_OFFSET, 2}, {54, SM_BPF_OFFSET, 3},
	{55, SM_BPF_OFFSET, 4}, {59, SM_BPF_OFFSET, 5}, {62, SM_BPF_OFFSET, 6},
	{63, SM_BPF_OFFSET, 5}, {68, SM_BPF_OFFSET, 7}, {72, SM_BPF_OFFSET, 8},
	{76, SM_BPF_OFFSET, 9}, {81, SM_BPF_OFFSET, 3}, {82, SM_BPF_OFFSET, 10},
	{83, SM_BPF_OFFSET, 4}, {84, SM_BPF_OFFSET, 2}, {87, SM_BPF_OFFSET, 11},
	{88, SM_BPF_OFFSET, 12}, {91, SM_BPF_OFFSET, 13}, {92, SM_BPF_OFFSET, 14},
	{95, SM_BPF_OFFSET, 7}, {97, SM_BPF_OFFSET, 8}, {99, SM_BPF_OFFSET, 9},
	{101, SM_BPF_OFFSET, 10}, {110, SM_BPF_OFFSET, 15}, {112, SM_BPF_OFFSET, 5},
	{114, SM_BPF_OFFSET, 6}, {115, SM_BPF_OFFSET, 5}, {117, SM_BPF_OFFSET, 16},
	{119, SM_BPF_OFFSET, 17}, {121, SM_BPF_OFFSET, 18}, {123, SM_BPF_OFFSET, 19},
};
static const struct sm_bpf_member taskwalk_member[] = {
	{0, 12, 16}, {17, 29, 4}, {33, 45, 8}, {65, 77, 0}, {84, 98, 8}, {116, 128, 4},
	{133, 145, 0}, {157, 171, 8}, {178, 192, 8}, {199, 213, 4}, {224, 238, 4}, {276, 290, 8},
	{296, 308, 8}, {314, 328, 8}, {334, 346, 8}, {352, 364, 8}, {379, 391, 4}, {397, 409, 4},
	{417, 429, 4}, {440, 452, 4},
};
static const struct sm_bpf_map taskwalk_map[] = {
	{468, 2, 4, 24, 1, 1024}, {473, 2, 4, 96, 16384, 1024},
};
static const struct sm_bpf_symbol taskwalk_symbol[] = {
	{481, SM_BPF_CALL}, {499, SM_BPF_CALL}, {517, SM_BPF_CALL}, {536, SM_BPF_CALL},
	{558, SM_BPF_CALL}, {578, SM_BPF_CALL}, {594, SM_BPF_TYPE},
};
static const struct sm_bpf_program taskwalk_program[] = {
	{606, 617, 31, 0, 132},
};
static const struct sm_bpf_object taskwalk_bpf = {
	.names = "task_struct\0"
		 "comm\0"
		 "task_struct\0"
		 "pid\0"
		 "task_struct\0"
		 "se.sum_exec_runtime\0"
		 "task_struct\0"
		 "signal\0"
		 "signal_struct\0"
		 "sum_sched_runtime\0"
		 "task_struct\0"
		 "tgid\0"
		 "task_struct\0"
		 "real_parent\0"
		 "signal_struct\0"
		 "cutime\0"
		 "signal_struct\0"
		 "cstime\0"
		 "signal_struct\0"
		 "nr_threads\0"
		 "signal_struct\0"
		 "stats_lock.seqcount.seqcount.sequence\0"
		 "signal_struct\0"
		 "utime\0"
		 "task_struct\0"
		 "utime\0"
		 "signal_struct\0"
		 "stime\0"
		 "task_struct\0"
		 "stime\0"
		 "task_struct\0"
		 "start_boottime\0"
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
		 "bpf_iter_task_destroy\0"
		 "bpf_rcu_read_unlock\0"
		 "bpf_rdonly_cast\0"
		 "task_struct\0"
		 "walk_tasks\0"
		 "\0",
	.insn = taskwalk_insn, .insns = 132,
	.fixup = taskwalk_fixup, .fixups = 42,
	.member = taskwalk_member, .members = 20,
	.map = taskwalk_map, .maps = 2,
	.symbol = taskwalk_symbol, .symbols = 7,
	.program = taskwalk_program, .programs = 1,
};
