/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cnring.bpf: the programs of cnring.bpf.c, for bpf/bpf_object.h.  Private to cnring.c.  Made by `make bpf`.
 *
 * Compiler: Debian clang version 14.0.6
 * Sources: libsysmon/base/base.h libsysmon/bpf/bpf_kern.h libsysmon/events/cnevent.h libsysmon/events/cnring.bpf.c tools/bpf2h.py
 * SHA-256: 7193369bfbcc8d1ef3ea9f75ffecdf7df73a29ee967e7b778ec96965006180f6
 */
#include "bpf/bpf_object.h"

enum { PROGRAM_DIVERT_EVENTS };
enum { MAP_DIVERTS, MAP_RING, MAP_MASK };
static const struct bpf_insn cnring_insn[] = {
	{191, 6, 1, 0, 0}, {191, 3, 10, 0, 0}, {7, 3, 0, 0, -56}, {180, 2, 0, 0, 36},
	{180, 4, 0, 0, 40}, {133, 0, 0, 0, 26}, {191, 1, 0, 0, 0}, {180, 0, 0, 0, -1},
	{85, 1, 0, 51, 0}, {24, 1, 0, 0, 0}, {0, 0, 0, 0, 0}, {97, 1, 1, 0, 0}, {97, 2, 10, -56, 0},
	{92, 1, 2, 0, 0}, {180, 0, 0, 0, 0}, {22, 1, 0, 44, 0}, {24, 1, 0, 0, 0}, {0, 0, 0, 0, 0},
	{97, 1, 1, 0, 0}, {180, 0, 0, 0, -1}, {22, 1, 0, 39, 0}, {183, 1, 0, 0, 8},
	{191, 3, 6, 0, 0}, {15, 3, 1, 0, 0}, {183, 1, 0, 0, 0}, {15, 3, 1, 0, 0},
	{191, 1, 10, 0, 0}, {7, 1, 0, 0, -12}, {180, 2, 0, 0, 4}, {133, 0, 0, 0, 113},
	{183, 1, 0, 0, 0}, {15, 6, 1, 0, 0}, {191, 1, 10, 0, 0}, {7, 1, 0, 0, -8},
	{180, 2, 0, 0, 8}, {191, 3, 6, 0, 0}, {133, 0, 0, 0, 113}, {183, 1, 0, 0, 0},
	{121, 3, 10, -8, 0}, {15, 3, 1, 0, 0}, {191, 1, 10, 0, 0}, {7, 1, 0, 0, -16},
	{180, 2, 0, 0, 4}, {133, 0, 0, 0, 113}, {97, 1, 10, -16, 0}, {97, 2, 10, -12, 0},
	{76, 2, 1, 0, 0}, {180, 0, 0, 0, -1}, {86, 2, 0, 11, 0}, {191, 2, 10, 0, 0},
	{7, 2, 0, 0, -56}, {24, 1, 0, 0, 0}, {0, 0, 0, 0, 0}, {183, 3, 0, 0, 40}, {183, 4, 0, 0, 1},
	{133, 0, 0, 0, 130}, {191, 1, 0, 0, 0}, {180, 0, 0, 0, -1}, {85, 1, 0, 1, 0},
	{180, 0, 0, 0, 0}, {149, 0, 0, 0, 0},
};
static const struct sm_bpf_fixup cnring_fixup[] = {
	{9, SM_BPF_VALUE, 2}, {16, SM_BPF_VALUE, 0}, {21, SM_BPF_OFFSET, 0}, {24, SM_BPF_OFFSET, 1},
	{30, SM_BPF_OFFSET, 2}, {37, SM_BPF_OFFSET, 3}, {51, SM_BPF_MAP, 1},
};
static const struct sm_bpf_member cnring_member[] = {
	{0, 8, 48}, {11, 29, 4}, {36, 44, 0}, {47, 52, 4},
};
static const struct sm_bpf_map cnring_map[] = {
	{74, 2, 4, 4, 1, 1024}, {82, 27, 0, 0, 131072, 0}, {87, 2, 4, 4, 1, 128},
};
static const struct sm_bpf_program cnring_program[] = {
	{92, 106, 1, 0, 61},
};
static const struct sm_bpf_object cnring_bpf = {
	.names = "sk_buff\0"
		 "cb\0"
		 "netlink_skb_parms\0"
		 "portid\0"
		 "sk_buff\0"
		 "sk\0"
		 "sock\0"
		 "sk_receive_queue.qlen\0"
		 "diverts\0"
		 "ring\0"
		 "mask\0"
		 "divert_events\0"
		 "\0",
	.insn = cnring_insn, .insns = 61,
	.fixup = cnring_fixup, .fixups = 7,
	.member = cnring_member, .members = 4,
	.map = cnring_map, .maps = 3,
	.program = cnring_program, .programs = 1,
};
