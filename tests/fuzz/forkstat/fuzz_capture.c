// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fuzz_capture: a sequence of u16 op and body.  Op 0xffff: take (u8 pid, u64 time);
 * any other is the length of a PERF_RECORD_SAMPLE body that follows.
 */
#include <stdlib.h>
#include <string.h>

#include "forkstat/capture.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define OP_TAKE	   0xffffu
#define TAKE_BYTES 9u
#define SLACK_NS   UINT64_C(1000000) /* clocks of CPUs differ by less */

static void require(bool ok)
{
	if (!ok)
		abort();
}

static void take(struct capture *c, const uint8_t *data)
{
	struct exec_record *r, *again;
	uint64_t time_ns;

	memcpy(&time_ns, data + 1, 8);
	r = capture_take(c, data[0], time_ns);
	if (!r)
		return;
	require(r->pid == data[0] && !r->older);
	require(r->time_ns <= time_ns || r->time_ns - time_ns < SLACK_NS);
	require(!r->cmd || (r->cmd->tag & SM_NAME_SOURCE_MASK) == SM_NAME_EXEC);
	require(!r->file || r->file->tag == SM_NAME_FILE);
	/* What is as old has been dropped with it. */
	again = capture_take(c, data[0], time_ns);
	require(!again);
	capture_done(c, r);
}

static void sample(struct capture *c, const uint8_t *data, size_t n)
{
	pid_t pid = 0;
	unsigned char *body = malloc(n ? n : 1);

	require(body != NULL);
	memcpy(body, data, n);
	capture_sample(c, body, n);
	free(body);
	memcpy(&pid, data, n < sizeof(pid) ? n : sizeof(pid));
	require(n < 20 || sm_map_get(&c->waiting, (uint64_t)pid));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sm_root root = SM_ROOT_INIT;
	struct sm_tasktable procs;
	struct capture c;
	uint16_t op;

	memset(&c, 0, sizeof(c));
	require(sm_tasktable_init(&procs, &root, 65536, false) == 0);
	require(sm_map_init(&c.waiting, 16) == 0);
	c.way = CAPTURE_PERF;
	c.procs = &procs;
	c.filename_offset = 8;
	for (; size > 2;) {
		memcpy(&op, data, 2);
		data += 2;
		size -= 2;
		if (op != OP_TAKE)
			op = (uint16_t)(op > size ? size : op);
		else if (size < TAKE_BYTES)
			break;
		if (op == OP_TAKE)
			take(&c, data);
		else
			sample(&c, data, op);
		op = op == OP_TAKE ? TAKE_BYTES : op;
		data += op;
		size -= op;
	}
	capture_close(&c);
	require(sm_strpool_count(procs.names) == 0);
	sm_tasktable_fini(&procs);
	return 0;
}
