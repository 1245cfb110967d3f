// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

#define CAP_FIRST 8u

int sm_array_reserve(void *array, size_t *cap, size_t need, size_t size)
{
	size_t want = *cap ? *cap : CAP_FIRST, bytes;
	void *p, *grown;

	if (need <= *cap)
		return 0;
	while (want < need)
		if (__builtin_mul_overflow(want, (size_t)2, &want))
			return -ENOMEM;
	if (__builtin_mul_overflow(want, size, &bytes))
		return -ENOMEM;
	memcpy(&p, array, sizeof(p));
	grown = realloc(p, bytes);
	if (!grown)
		return -ENOMEM;
	memcpy(array, &grown, sizeof(grown));
	*cap = want;
	return 0;
}
