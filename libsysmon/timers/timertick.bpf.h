/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * timertick.bpf: the programs of timertick.bpf.c, for bpf/bpf_object.h.  Private to timertick.c.  Made by `make bpf`.
 *
 * Compiler: Debian clang version 14.0.6
 * Sources: libsysmon/base/base.h libsysmon/bpf/bpf_kern.h libsysmon/timers/timertick.bpf.c libsysmon/timers/timertick.h tools/bpf2h.py
 * SHA-256: fe36aeb125eb244199c4dc87d0801dad0a042fc69dabb2ba0ea92d1ae01e4ab2
 */
#include "bpf/bpf_object.h"

enum { PROGRAM_FIND_FUNCTIONS, PROGRAM_FIND_TICK };
enum { MAP_FOUND };
static const struct bpf_insn timertick_insn[] = {
	{24, 3, 0, 0, 0}, {0, 0, 0, 0, 0}, {24, 2, 0, 0, 0}, {0, 0, 0, 0, 0}, {24, 1, 0, 0, 0},
	{0, 0, 0, 0, 0}, {85, 2, 0, 2, 0}, {24, 1, 0, 0, 0}, {0, 0, 0, 0, 0}, {79, 2, 3, 0, 0},
	{85, 2, 0, 2, 0}, {24, 1, 0, 0, 0}, {0, 0, 0, 0, 0}, {24, 6, 0, 0, 0}, {0, 0, 0, 0, 0},
	{24, 2, 0, 0, 0}, {0, 0, 0, 0, 0}, {123, 6, 2, 24, 0}, {24, 2, 0, 0, 0}, {0, 0, 0, 0, 0},
	{123, 6, 2, 16, 0}, {24, 2, 0, 0, 0}, {0, 0, 0, 0, 0}, {123, 6, 2, 8, 0}, {123, 6, 1, 0, 0},
	{133, 0, 0, 0, 14}, {123, 6, 0, 32, 0}, {180, 0, 0, 0, 0}, {149, 0, 0, 0, 0},
	{24, 1, 0, 0, 0}, {0, 0, 0, 0, 0}, {133, 0, 0, 0, 154}, {191, 7, 0, 0, 0}, {24, 1, 0, 0, 0},
	{0, 0, 0, 0, 0}, {133, 0, 0, 0, 154}, {191, 6, 0, 0, 0}, {183, 1, 0, 0, 40},
	{15, 7, 1, 0, 0}, {191, 1, 10, 0, 0}, {7, 1, 0, 0, -8}, {180, 2, 0, 0, 8},
	{191, 3, 7, 0, 0}, {133, 0, 0, 0, 113}, {24, 7, 0, 0, 0}, {0, 0, 0, 0, 0},
	{121, 1, 10, -8, 0}, {123, 7, 1, 0, 0}, {183, 1, 0, 0, 1}, {22, 1, 0, 9, 0},
	{183, 1, 0, 0, 8}, {15, 6, 1, 0, 0}, {191, 1, 10, 0, 0}, {7, 1, 0, 0, -8},
	{180, 2, 0, 0, 8}, {191, 3, 6, 0, 0}, {133, 0, 0, 0, 113}, {121, 1, 10, -8, 0},
	{123, 7, 1, 8, 0}, {133, 0, 0, 0, 14}, {123, 7, 0, 32, 0}, {180, 0, 0, 0, 0},
	{149, 0, 0, 0, 0},
};
static const struct sm_bpf_fixup timertick_fixup[] = {
	{0, SM_BPF_SYMBOL, 0}, {2, SM_BPF_SYMBOL, 1}, {4, SM_BPF_SYMBOL, 1}, {7, SM_BPF_SYMBOL, 0},
	{11, SM_BPF_SYMBOL, 2}, {13, SM_BPF_VALUE, 0}, {15, SM_BPF_SYMBOL, 3},
	{18, SM_BPF_SYMBOL, 4}, {21, SM_BPF_SYMBOL, 5}, {29, SM_BPF_SYMBOL, 6},
	{33, SM_BPF_SYMBOL, 7}, {37, SM_BPF_OFFSET, 0}, {44, SM_BPF_VALUE, 0},
	{48, SM_BPF_EXISTS, 1}, {50, SM_BPF_OFFSET, 1},
};
static const struct sm_bpf_member timertick_member[] = {
	{0, 11, 0}, {32, 35, 0},
};
static const struct sm_bpf_map timertick_map[] = {
	{49, 2, 4, 40, 1, 1024},
};
static const struct sm_bpf_symbol timertick_symbol[] = {
	{55, SM_BPF_SYMBOL}, {81, SM_BPF_SYMBOL}, {98, SM_BPF_SYMBOL}, {116, SM_BPF_SYMBOL},
	{132, SM_BPF_SYMBOL}, {147, SM_BPF_SYMBOL}, {161, SM_BPF_SYMBOL}, {176, SM_BPF_SYMBOL},
};
static const struct sm_bpf_program timertick_program[] = {
	{186, 201, 17, 0, 29}, {214, 224, 17, 29, 34},
};
static const struct sm_bpf_object timertick_bpf = {
	.names = "tick_sched\0"
		 "sched_timer.function\0"
		 "rq\0"
		 "nohz_csd.func\0"
		 "found\0"
		 "tick_nohz_highres_handler\0"
		 "tick_sched_timer\0"
		 "tick_nohz_handler\0"
		 "process_timeout\0"
		 "hrtimer_wakeup\0"
		 "nohz_csd_func\0"
		 "tick_cpu_sched\0"
		 "runqueues\0"
		 "find_functions\0"
		 "sched_switch\0"
		 "find_tick\0"
		 "sched_switch\0",
	.insn = timertick_insn, .insns = 63,
	.fixup = timertick_fixup, .fixups = 15,
	.member = timertick_member, .members = 2,
	.map = timertick_map, .maps = 1,
	.symbol = timertick_symbol, .symbols = 8,
	.program = timertick_program, .programs = 2,
};
