/* SPDX-License-Identifier: GPL-2.0-or-later */
/* key: what the programs of coverage.c count under: the number of a system call and its result. */
#ifndef STRESSORS_COVERAGE_KEY_H
#define STRESSORS_COVERAGE_KEY_H

#include "base/base.h"

#define KEY_RESULT_BITS 16
/* No architecture has such a number yet: all from it on are counted as one. */
#define KEY_OTHERS	1024u
/* Results: 0: no error; an errno; or the call has begun. */
#define KEY_RESULT_BEGUN 0xffffu
/* Results of calls that are counted at most. */
#define KEY_COUNTS	8192u
/* MAX_ERRNO of include/linux/err.h. */
#define KEY_ERRNO_MAX	 4095

static inline unsigned int key_number(uint64_t key)
{
	return (unsigned int)(key >> KEY_RESULT_BITS);
}

static inline unsigned int key_result(uint64_t key)
{
	return key & KEY_RESULT_BEGUN;
}

#endif
