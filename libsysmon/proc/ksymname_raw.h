/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ksymname_raw: addresses and names that the BPF program of ksymname.h reads and writes. */
#ifndef SM_KSYMNAME_RAW_H
#define SM_KSYMNAME_RAW_H

#include <stdint.h>

#define SM_KSYMNAME_BATCH 16
#define SM_KSYMNAME_BYTES 64 /* with the terminating NUL; longer names are truncated */

struct sm_ksymname_batch {
	uint64_t address[SM_KSYMNAME_BATCH]; /* 0: empty */
	char name[SM_KSYMNAME_BATCH][SM_KSYMNAME_BYTES]; /* "NAME", "NAME [MODULE]", "0xADDRESS": unknown */
};

#endif
