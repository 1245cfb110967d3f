// SPDX-License-Identifier: GPL-2.0-or-later
/* fuzz_btf: for any type information a search ends and reads nothing outside of it. */
#include <errno.h>
#include <stdlib.h>

#include "bpf/btf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool ok)
{
	if (!ok)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const names[] = {"a", "b", "c", "d"};
	struct sm_btf b;

	if (sm_btf_init(&b, data, size) < 0)
		return 0;
	require(b.types_bytes + b.strings_bytes <= 2 * size);
	for (size_t i = 0; i < 2 * SM_ARRAY_SIZE(names); i++) {
		struct sm_btf_member m = {
			.structure = "s", .name = names[i / 2], .size = i % 2 ? 8 : 0};
		int err = sm_btf_find(&b, &m);

		require(err == 0 || err == -ENOENT || err == -EINVAL || err == -EBADMSG);
		require(err == 0 || err == -EINVAL || err == -EBADMSG || m.offset == 0);
	}
	return 0;
}
