// SPDX-License-Identifier: GPL-2.0-or-later
#include "columns.h"

#define LEFT(k, h, w, p) \
	.key = k, .head = h, .width = w, .align = SM_ALIGN_LEFT, .priority = p
#define NUMBER(k, h, w, p) \
	.key = k, .head = h, .width = w, .align = SM_ALIGN_RIGHT, .priority = p
#define MACHINE(k) .key = k

const struct sm_column pagemon_columns[C_N] = {
	[C_TIME] = {LEFT("time", "time", 8, 15), .help = "when the pages were read"},
	[C_MONO] = {MACHINE("mono_ns"),
		.help = "the same in CLOCK_MONOTONIC nanoseconds"},
	[C_PID] = {NUMBER("pid", "pid", 7, 14), .help = "process"},
	[C_MAPPINGS] = {NUMBER("mappings", "maps", 6, 10), .help = "mappings"},
	[C_RANGE] = {LEFT(NULL, "address", 25, 0),
		.help = "first address and the one behind the last"},
	[C_START] = {MACHINE("start"), .help = "first address"},
	[C_END] = {MACHINE("end"), .help = "the address behind the last"},
	[C_PERMS] = {LEFT("perms", "perm", 4, 12),
		.help = "may be read, written, executed; shared or private"},
	[C_OFFSET] = {NUMBER(NULL, "offset", 8, 4),
		.help = "of the first byte in the file, hexadecimal"},
	[C_OFFSET_BYTES] = {MACHINE("offset_bytes"),
		.help = "of the first byte in the file"},
	[C_DEVICE] = {LEFT("device", "dev", 5, 2), .help = "device of the file"},
	[C_INODE] = {NUMBER("inode", "inode", 8, 3), .help = "inode of the file"},
	[C_MAPPED] = {NUMBER("mapped_kb", "mapped_kB", 11, 0), .help = "address space"},
	[C_PRESENT] = {NUMBER("present_kb", "present_kB", 10, 0),
		.help = "pages in memory"},
	[C_SWAP] = {NUMBER("swap_kb", "swap_kB", 8, 13), .help = "pages in swap"},
	[C_FILE] = {NUMBER("file_kb", "file_kB", 8, 11),
		.help = "present: of a file, or shared"},
	[C_ANON] = {NUMBER("anon_kb", "anon_kB", 8, 11),
		.help = "present: all others, the zero page too"},
	[C_ZERO] = {NUMBER("zero_kb", "zero_kB", 8, 6), .help = "present: the zero page"},
	[C_HUGE] = {NUMBER("huge_kb", "huge_kB", 8, 8),
		.help = "present: mapped by huge page tables entries"},
	[C_GUARD] = {NUMBER("guard_kb", "guard_kB", 8, 5), .help = "guard regions"},
	[C_DIRTY] = {NUMBER("dirty_kb", "dirty_kB", 8, 9), .help = "soft-dirty"},
	[C_EXCL] = {NUMBER("excl_kb", "excl_kB", 8, 7),
		.help = "present: mapped only once"},
	[C_MINFLT] = {NUMBER("minflt", "minflt", 8, 4),
		.help = "minor faults since its start"},
	[C_MAJFLT] = {NUMBER("majflt", "majflt", 6, 4),
		.help = "major faults since its start"},
	[C_COMM] = {LEFT("comm", "comm", 8, 0), .flags = SM_COLUMN_LAST,
		.help = "its short name"},
	[C_STATE] = {LEFT("state", "state", 22, 0), .help = "of all pages of the run"},
	[C_NAME] = {LEFT("name", "name", 8, 0), .flags = SM_COLUMN_LAST,
		.help = "file or kernel's name of the mapping; none: anonymous"},
};

static void show(struct sm_table *out, unsigned int first, unsigned int last, bool on)
{
	for (unsigned int i = first; i <= last; i++)
		sm_table_show(out, i, on);
}

void columns_set_up(struct sm_table *out, enum sm_format format, struct sm_sink *sink,
	const struct opts *o)
{
	bool process = !o->mappings && !o->runs;

	sm_table_init(out, format, pagemon_columns, C_N,
		o->runs	      ? "run"
		: o->mappings ? "mapping"
			      : "process",
		sink);
	show(out, C_MAPPINGS, C_MAPPINGS, process);
	show(out, C_RANGE, C_INODE, !process);
	show(out, C_PRESENT, C_EXCL, !o->runs);
	show(out, C_MINFLT, C_COMM, process);
	show(out, C_STATE, C_STATE, o->runs);
	show(out, C_NAME, C_NAME, !process);
}
