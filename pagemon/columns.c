// SPDX-License-Identifier: GPL-2.0-or-later
#include "columns.h"

#define LEFT(k, h, w, p, j) \
	.key = k, .head = h, .width = w, .align = SM_ALIGN_LEFT, .priority = p, .json = j
#define NUMBER(k, h, w, p, j) \
	.key = k, .head = h, .width = w, .align = SM_ALIGN_RIGHT, .priority = p, .json = j
#define MACHINE(k, j) .key = k, .json = j

const struct sm_column pagemon_columns[C_N] = {
	[C_TIME] = {LEFT("time", "time", 8, 15, "time"),
		.help = "when the mappings were read"},
	[C_MONO] = {MACHINE("mono_ns", "int"),
		.help = "time in CLOCK_MONOTONIC nanoseconds"},
	[C_PID] = {NUMBER("pid", "pid", 7, 14, "int"), .help = "process"},
	[C_MAPPINGS] = {NUMBER("mappings", "maps", 6, 10, "int"),
		.help = "number of mappings"},
	[C_RANGE] = {LEFT(NULL, "address", 25, 0, NULL),
		.help = "first address and the address after the last"},
	[C_START] = {MACHINE("start", "str"), .help = "first address"},
	[C_END] = {MACHINE("end", "str"), .help = "address after the last"},
	[C_PERMS] = {LEFT("perms", "perm", 4, 12, "str"),
		.help = "readable, writable, executable; shared or private"},
	[C_OFFSET] = {NUMBER(NULL, "offset", 8, 4, NULL),
		.help = "offset of the first byte in the file, hexadecimal"},
	[C_OFFSET_BYTES] = {MACHINE("offset_bytes", "?int"),
		.help = "offset of the first byte in the file"},
	[C_DEVICE] = {LEFT("device", "dev", 5, 2, "?str"), .help = "device of the file"},
	[C_INODE] = {NUMBER("inode", "inode", 8, 3, "?int"), .help = "inode of the file"},
	[C_MAPPED] = {NUMBER("mapped_kb", "mapped_kB", 11, 0, "int"),
		.help = "size of the address range"},
	[C_PRESENT] = {NUMBER("present_kb", "present_kB", 10, 0, "int"),
		.help = "present pages"},
	[C_SWAP] = {NUMBER("swap_kb", "swap_kB", 8, 13, "int"),
		.help = "swapped-out pages"},
	[C_FILE] = {NUMBER("file_kb", "file_kB", 8, 11, "int"),
		.help = "present pages of files, or shared"},
	[C_ANON] = {NUMBER("anon_kb", "anon_kB", 8, 11, "int"),
		.help = "other present pages, including the zero page"},
	[C_ZERO] = {NUMBER("zero_kb", "zero_kB", 8, 6, "?int"),
		.help = "present pages that are the zero page"},
	[C_HUGE] = {NUMBER("huge_kb", "huge_kB", 8, 8, "?int"),
		.help = "present pages mapped by huge page table entries"},
	[C_GUARD] = {NUMBER("guard_kb", "guard_kB", 8, 5, "?int"),
		.help = "guard regions"},
	[C_DIRTY] = {NUMBER("dirty_kb", "dirty_kB", 8, 9, "?int"),
		.help = "soft-dirty pages"},
	[C_EXCL] = {NUMBER("excl_kb", "excl_kB", 8, 7, "?int"),
		.help = "present pages mapped exactly once"},
	[C_OTHER] = {MACHINE("other_kb", "?int"),
		.help = "pages with an entry that is neither memory nor swap"},
	[C_PSS] = {NUMBER("pss_kb", "pss_kB", 8, 13, "?int"),
		.help = "proportional share of present pages"},
	[C_SWAP_PSS] = {NUMBER("swap_pss_kb", "swap_pss_kB", 11, 6, "?int"),
		.help = "proportional share of swapped-out pages"},
	[C_REFERENCED] = {NUMBER("referenced_kb", "ref_kB", 8, 5, "?int"),
		.help = "pages marked as accessed"},
	[C_LAZY_FREE] = {NUMBER("lazy_free_kb", "lazy_kB", 8, 8, "?int"),
		.help = "present pages freed with MADV_FREE"},
	[C_LOCKED] = {NUMBER("locked_kb", "lock_kB", 8, 4, "?int"),
		.help = "proportional share of locked pages"},
	[C_DELETED] = {NUMBER("deleted_kb", "del_kB", 8, 4, "?int"),
		.help = "size of mappings of deleted files"},
	[C_MINFLT] = {NUMBER("minflt", "minflt", 8, 4, "?int"),
		.help = "minor page faults since the process started"},
	[C_MAJFLT] = {NUMBER("majflt", "majflt", 6, 4, "?int"),
		.help = "major page faults since the process started"},
	[C_PEAK] = {MACHINE("peak_kb", NULL),
		.help = "largest resident memory of COMMAND"},
	[C_COMM] = {LEFT("comm", "comm", 8, 0, "?text"), .flags = SM_COLUMN_LAST,
		.help = "comm of the process"},
	[C_STATE] = {LEFT("state", "state", 22, 0, "str"),
		.help = "state of all pages of the run"},
	[C_NAME] = {LEFT("name", "name", 8, 0, "?text"), .flags = SM_COLUMN_LAST,
		.help = "file, or the kernel's name of the mapping"},
};

void columns_set_up(struct sm_table *out, enum sm_format format, struct sm_sink *sink,
	const struct opts *o, bool command)
{
	uint64_t without = o->runs	 ? COLUMNS_NOT_OF_RUN
			   : o->mappings ? COLUMNS_NOT_OF_MAPPING
					 : COLUMNS_NOT_OF_PROCESS;

	sm_table_init(out, format, pagemon_columns, C_N,
		o->runs	      ? "run"
		: o->mappings ? "mapping"
			      : "process",
		sink);
	if (!o->smaps)
		without |= SM_COLUMN_BITS(C_PSS, C_DELETED);
	if (!command)
		without |= SM_COLUMN_BITS(C_PEAK, C_PEAK);
	for (unsigned int i = 0; i < C_N; i++)
		sm_table_show(out, i, !(without >> i & 1));
}
