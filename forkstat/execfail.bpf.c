// SPDX-License-Identifier: GPL-2.0-or-later
#include "bpf/bpf_kern.h"
#include "bpf/bpf_output.h"
#include "exec_raw.h"

struct record {
	struct execfail_raw head;
	char file[EXECFAIL_FILE_MAX];
};

MAP(fail_scratch, PERCPU_ARRAY, 0, 1, uint32_t, struct record);

const volatile struct execfail_registers registers;

/* Returns the offset of an exec call's file name in the registers; 0: another call. */
INLINE uint32_t file_at(const char *regs)
{
	uint32_t number = 0, mode = 0;

	bpf_probe_read_kernel(&number, sizeof(number), regs + registers.number_at);
	bpf_probe_read_kernel(&mode, sizeof(mode), regs + registers.mode_at);
	mode &= registers.mode_bit;
	for (int i = 0; i < 4; i++)
		if (number == registers.call[i].number && mode == registers.call[i].mode)
			return registers.call[i].file_at;
	return 0;
}

INLINE uint64_t copy_file(struct record *r, const char *regs, uint32_t at)
{
	const char *name = NULL;
	long n;

	bpf_probe_read_kernel(&name, sizeof(name), regs + at);
	n = bpf_probe_read_user_str(r->file, EXECFAIL_FILE_MAX, name);
	if (n < 0)
		n = 0;
	return n < EXECFAIL_FILE_MAX ? n : EXECFAIL_FILE_MAX;
}

/* ctx: the arguments of sys_exit(), regs and ret. */
SEC("raw_tp/sys_exit") int forkstat_fail(uint64_t *ctx)
{
	const char *regs = (void *)ctx[0];
	int64_t ret = ctx[1];
	uint32_t zero = 0, at;
	uint64_t ids, file;
	struct record *r;

	if (ret >= 0)
		return 0;
	at = file_at(regs);
	if (!at)
		return 0;
	r = bpf_map_lookup_elem(&fail_scratch, &zero);
	if (!r)
		return 0;
	r->head.time_ns = bpf_ktime_get_ns();
	ids = bpf_get_current_pid_tgid();
	r->head.tid = ids;
	r->head.pid = ids >> 32;
	r->head.ret = ret;
	file = copy_file(r, regs, at);
	r->head.file_len = file;
	output(r, sizeof(r->head) + file, 0);
	return 0;
}
