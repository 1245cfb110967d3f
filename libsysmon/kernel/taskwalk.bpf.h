/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * taskwalk.bpf: the programs of taskwalk.bpf.c, for kernel/bpf_object.h.  Private to taskwalk.c.  Made by `make bpf`.
 *
 * Compiler: Debian clang version 14.0.6
 * Sources: libsysmon/kernel/bpf_kern.h libsysmon/kernel/taskwalk.bpf.c libsysmon/kernel/taskwalk_raw.h tools/bpf2h.py
 * SHA-256: a8325c2896a11db6bbeda83137524cc58d786d32b0df095b81afd798c82691a1
 */
#include "kernel/bpf_object.h"

enum { PROGRAM_WALK_TASKS };
enum { MAP_HEAD, MAP_RECORDS };
static const struct bpf_insn taskwalk_insn[] = {
	{24, 7, 0, 0, 0}, {0, 0, 0, 0, 0}, {183, 1, 0, 0, 0}, {123, 7, 1, 16, 0}, {133, 0, 0, 0, 5},
	{123, 7, 0, 0, 0}, {133, 0, 1, 0, -1}, {191, 6, 10, 0, 0}, {7, 6, 0, 0, -24},
	{180, 8, 0, 0, 0}, {191, 1, 6, 0, 0}, {183, 2, 0, 0, 0}, {180, 3, 0, 0, 0},
	{133, 0, 1, 0, -1}, {191, 1, 6, 0, 0}, {133, 0, 1, 0, -1}, {21, 0, 0, 30, 0},
	{183, 9, 0, 0, 140}, {5, 0, 0, 36, 0}, {121, 1, 6, 56, 0}, {123, 0, 1, 56, 0},
	{97, 1, 6, 16, 0}, {99, 0, 1, 24, 0}, {121, 1, 6, 88, 0}, {97, 1, 1, 16, 0},
	{99, 0, 1, 28, 0}, {97, 1, 6, 20, 0}, {99, 0, 1, 64, 0}, {97, 1, 6, 24, 0},
	{99, 0, 1, 68, 0}, {97, 1, 6, 28, 0}, {99, 0, 1, 72, 0}, {97, 1, 6, 0, 0},
	{99, 0, 1, 36, 0}, {15, 6, 9, 0, 0}, {7, 0, 0, 0, 76}, {191, 1, 0, 0, 0},
	{180, 2, 0, 0, 16}, {191, 3, 6, 0, 0}, {133, 0, 0, 0, 113}, {97, 1, 10, -28, 0},
	{4, 1, 0, 0, 1}, {99, 7, 1, 16, 0}, {191, 1, 10, 0, 0}, {7, 1, 0, 0, -24},
	{133, 0, 1, 0, -1}, {85, 0, 0, 8, 0}, {191, 1, 10, 0, 0}, {7, 1, 0, 0, -24},
	{133, 0, 1, 0, -1}, {133, 0, 1, 0, -1}, {133, 0, 0, 0, 5}, {123, 7, 0, 8, 0},
	{180, 0, 0, 0, 0}, {149, 0, 0, 0, 0}, {191, 1, 0, 0, 0}, {24, 2, 0, 0, 30}, {0, 0, 0, 0, 0},
	{133, 0, 1, 0, -1}, {191, 6, 0, 0, 0}, {97, 1, 6, 12, 0}, {22, 1, 0, -19, 0},
	{97, 1, 7, 16, 0}, {99, 10, 1, -28, 0}, {191, 2, 10, 0, 0}, {7, 2, 0, 0, -28},
	{24, 1, 0, 0, 0}, {0, 0, 0, 0, 0}, {133, 0, 0, 0, 1}, {85, 0, 0, 5, 0}, {24, 1, 0, 0, 0},
	{0, 0, 0, 0, 0}, {180, 2, 0, 0, 1}, {99, 1, 2, 20, 0}, {5, 0, 0, -28, 0},
	{121, 1, 6, 104, 0}, {97, 2, 6, 16, 0}, {97, 3, 0, 24, 0}, {94, 3, 2, 18, 0},
	{121, 2, 6, 88, 0}, {97, 2, 2, 16, 0}, {97, 3, 0, 28, 0}, {94, 3, 2, 14, 0},
	{121, 2, 1, 32, 0}, {121, 3, 6, 64, 0}, {15, 3, 2, 0, 0}, {121, 2, 0, 0, 0},
	{93, 2, 3, 9, 0}, {121, 2, 1, 40, 0}, {121, 3, 0, 8, 0}, {93, 3, 2, 6, 0},
	{121, 2, 1, 48, 0}, {121, 3, 0, 16, 0}, {93, 3, 2, 3, 0}, {97, 1, 1, 4, 0},
	{97, 2, 0, 32, 0}, {30, 2, 1, -57, 0}, {121, 1, 6, 104, 0}, {97, 2, 1, 56, 0},
	{99, 0, 8, 32, 0}, {121, 3, 1, 32, 0}, {121, 4, 6, 64, 0}, {15, 4, 3, 0, 0},
	{123, 0, 4, 0, 0}, {121, 3, 1, 16, 0}, {121, 4, 6, 40, 0}, {15, 4, 3, 0, 0},
	{123, 0, 4, 40, 0}, {121, 3, 1, 24, 0}, {121, 4, 6, 48, 0}, {15, 4, 3, 0, 0},
	{123, 0, 4, 48, 0}, {121, 3, 1, 40, 0}, {123, 0, 3, 8, 0}, {121, 3, 1, 48, 0},
	{123, 0, 3, 16, 0}, {188, 3, 2, 0, 0}, {84, 3, 0, 0, 1}, {86, 3, 0, 2, 0}, {97, 3, 1, 4, 0},
	{99, 0, 3, 32, 0}, {97, 1, 1, 56, 0}, {30, 1, 2, -104, 0}, {99, 0, 8, 32, 0},
	{5, 0, 0, -106, 0},
};
static const struct sm_bpf_fixup taskwalk_fixup[] = {
	{0, SM_BPF_VALUE, 0}, {6, SM_BPF_CALL, 0}, {13, SM_BPF_CALL, 1}, {15, SM_BPF_CALL, 2},
	{17, SM_BPF_OFFSET, 0}, {19, SM_BPF_OFFSET, 1}, {21, SM_BPF_OFFSET, 2},
	{23, SM_BPF_OFFSET, 3}, {24, SM_BPF_OFFSET, 2}, {26, SM_BPF_OFFSET, 4},
	{28, SM_BPF_OFFSET, 5}, {30, SM_BPF_OFFSET, 6}, {32, SM_BPF_OFFSET, 7},
	{45, SM_BPF_CALL, 2}, {49, SM_BPF_CALL, 3}, {50, SM_BPF_CALL, 4}, {56, SM_BPF_TYPE, 6},
	{58, SM_BPF_CALL, 5}, {60, SM_BPF_OFFSET, 8}, {66, SM_BPF_MAP, 1}, {70, SM_BPF_VALUE, 0},
	{75, SM_BPF_OFFSET, 9}, {76, SM_BPF_OFFSET, 2}, {79, SM_BPF_OFFSET, 3},
	{80, SM_BPF_OFFSET, 2}, {83, SM_BPF_OFFSET, 10}, {84, SM_BPF_OFFSET, 11},
	{88, SM_BPF_OFFSET, 12}, {91, SM_BPF_OFFSET, 13}, {94, SM_BPF_OFFSET, 14},
	{97, SM_BPF_OFFSET, 9}, {98, SM_BPF_OFFSET, 15}, {100, SM_BPF_OFFSET, 10},
	{101, SM_BPF_OFFSET, 11}, {104, SM_BPF_OFFSET, 16}, {105, SM_BPF_OFFSET, 17},
	{108, SM_BPF_OFFSET, 18}, {109, SM_BPF_OFFSET, 19}, {112, SM_BPF_OFFSET, 12},
	{114, SM_BPF_OFFSET, 13}, {119, SM_BPF_OFFSET, 14}, {121, SM_BPF_OFFSET, 15},
};
static const struct sm_bpf_member taskwalk_member[] = {
	{0, 12, 16}, {17, 29, 8}, {44, 56, 4}, {61, 73, 0}, {85, 97, 4}, {103, 115, 4},
	{123, 135, 4}, {146, 158, 4}, {174, 186, 4}, {190, 202, 0}, {209, 223, 8}, {241, 253, 8},
	{273, 287, 8}, {294, 308, 8}, {315, 329, 4}, {340, 354, 4}, {392, 406, 8}, {412, 424, 8},
	{430, 444, 8}, {450, 462, 8},
};
static const struct sm_bpf_map taskwalk_map[] = {
	{468, 2, 4, 24, 1, 1024}, {473, 2, 4, 96, 16384, 1024},
};
static const struct sm_bpf_symbol taskwalk_symbol[] = {
	{481, SM_BPF_CALL}, {499, SM_BPF_CALL}, {517, SM_BPF_CALL}, {536, SM_BPF_CALL},
	{558, SM_BPF_CALL}, {578, SM_BPF_CALL}, {594, SM_BPF_TYPE},
};
static const struct sm_bpf_program taskwalk_program[] = {
	{606, 617, 31, 0, 125},
};
static const struct sm_bpf_object taskwalk_bpf = {
	.names = "task_struct\0"
		 "comm\0"
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
		 "task_struct\0"
		 "pid\0"
		 "task_struct\0"
		 "signal\0"
		 "signal_struct\0"
		 "sum_sched_runtime\0"
		 "task_struct\0"
		 "se.sum_exec_runtime\0"
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
	.insn = taskwalk_insn, .insns = 125,
	.fixup = taskwalk_fixup, .fixups = 42,
	.member = taskwalk_member, .members = 20,
	.map = taskwalk_map, .maps = 2,
	.symbol = taskwalk_symbol, .symbols = 7,
	.program = taskwalk_program, .programs = 1,
};
