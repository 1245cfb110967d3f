// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "load/ops_impl.h"

#define CHECK_LINES 1000u /* size of mem's array in sm_ops_check(): ten passes */

/* tests/unit/libsysmon/test_ops.c computes the check sums in another way. */
// clang-format off
const struct sm_ops sm_ops_table[] = {
	{.name = "mwc", .does = "32-bit multiply-with-carry",
		.unit = "step of the generator", .run = sm_ops_mwc,
		.start = {362436069, 521288629}, .check = UINT64_C(0x1378ac5c0b73),
		.instructions = SM_OPS_MWC_INSTRUCTIONS},
	{.name = "int", .does = "64-bit integer mixing",
		.unit = "step of SplitMix64", .run = sm_ops_int,
		.start = {1234567}, .check = UINT64_C(0x7413228a24064b49),
		.instructions = SM_OPS_INT_INSTRUCTIONS},
	{.name = "float", .does = "single precision floating point",
		.unit = "4 polynomials of degree 8", .run = sm_ops_float,
		.check = UINT64_C(0xc5653d4d)},
	{.name = "double", .does = "double precision floating point",
		.unit = "4 polynomials of degree 8", .run = sm_ops_double,
		.check = UINT64_C(0xc5653d4d)},
	{.name = "vector", .does = "multiply and add in vector registers",
		.unit = "64 polynomials of degree 8", .run = sm_ops_vector,
		.check = UINT64_C(0x1606b0dd20)},
	{.name = "mem", .does = "reads and writes beyond the caches",
		.unit = "64 bytes read and written", .run = sm_ops_mem,
		.check = 360560, .needs_mem = true},
	{.name = "branchy", .does = "branches that cannot be predicted",
		.unit = "4 random branches", .run = sm_ops_branchy,
		.start = {2463534242, 0}, .check = UINT64_C(0x13cb00cd46b5)},
};
// clang-format on

const unsigned int sm_ops_count = SM_ARRAY_SIZE(sm_ops_table);

int sm_ops_find(const char *name)
{
	for (unsigned int i = 0; i < sm_ops_count; i++)
		if (strcmp(sm_ops_table[i].name, name) == 0)
			return (int)i;
	return -ENOENT;
}

static size_t map_bytes(const struct sm_ops_state *st)
{
	return (size_t)st->lines * SM_OPS_LINE_BYTES;
}

static int map_lines(struct sm_ops_state *st, size_t mem_bytes)
{
	void *p;

	st->lines = mem_bytes / SM_OPS_LINE_BYTES;
	if (st->lines == 0)
		return -EINVAL;
	p = mmap(NULL, map_bytes(st), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		-1, 0);
	if (p == MAP_FAILED)
		return -ENOMEM;
	st->mem = p;
	madvise(p, map_bytes(st), MADV_HUGEPAGE);
	/* Pages that were only read would all be the zero page. */
	memset(p, 0, map_bytes(st));
	return 0;
}

int sm_ops_init(struct sm_ops_state *st, const struct sm_ops *op, size_t mem_bytes)
{
	memset(st, 0, sizeof(*st));
	memcpy(st->s, op->start, sizeof(st->s));
	return op->needs_mem ? map_lines(st, mem_bytes) : 0;
}

void sm_ops_fini(struct sm_ops_state *st)
{
	if (st->mem)
		munmap(st->mem, map_bytes(st));
	memset(st, 0, sizeof(*st));
}

/* Runs the operations in two calls, to find a kernel that forgets its state. */
int sm_ops_check(const struct sm_ops *op)
{
	struct sm_ops_state st;
	int r = sm_ops_init(&st, op, CHECK_LINES * SM_OPS_LINE_BYTES);
	bool right;

	if (r < 0)
		return r;
	op->run(&st, SM_OPS_CHECK_N / 3);
	op->run(&st, SM_OPS_CHECK_N - SM_OPS_CHECK_N / 3);
	right = st.sum == op->check;
	sm_ops_fini(&st);
	return right ? 0 : -EILSEQ;
}
