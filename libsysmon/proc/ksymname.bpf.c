// SPDX-License-Identifier: GPL-2.0-or-later
#include "bpf/bpf_kern.h"
#include "proc/ksymname_raw.h"

const volatile char format[4]; /* "%ps": the helper requires a constant of the reader */
struct sm_ksymname_batch batch;

SEC("syscall") int name_symbols(void *ctx)
{
	(void)ctx;
	for (uint32_t i = 0; i < SM_KSYMNAME_BATCH; i++)
		if (batch.address[i])
			bpf_snprintf(batch.name[i], SM_KSYMNAME_BYTES,
				(const char *)format, &batch.address[i],
				sizeof(batch.address[i]));
	return 0;
}
