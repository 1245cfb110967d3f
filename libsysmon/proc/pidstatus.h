/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pidstatus: memory, state and number of threads of a process, from the text of /proc/PID/status (proc(5)).
 *
 * A line that is missing or malformed leaves its value unknown, not 0.  A process that is exiting has no
 * memory, so its lines are missing.
 */
#ifndef SM_PIDSTATUS_H
#define SM_PIDSTATUS_H

#include "base/base.h"

enum sm_pidstatus_key { /* bytes */
	SM_PIDSTATUS_VM_PEAK, SM_PIDSTATUS_VM_SIZE, SM_PIDSTATUS_VM_LCK, SM_PIDSTATUS_VM_PIN,
	SM_PIDSTATUS_VM_HWM, SM_PIDSTATUS_VM_RSS, SM_PIDSTATUS_RSS_ANON, SM_PIDSTATUS_RSS_FILE,
	SM_PIDSTATUS_RSS_SHMEM, SM_PIDSTATUS_VM_DATA, SM_PIDSTATUS_VM_STK, SM_PIDSTATUS_VM_EXE,
	SM_PIDSTATUS_VM_LIB, SM_PIDSTATUS_VM_PTE, SM_PIDSTATUS_VM_SWAP,
	SM_PIDSTATUS_KEYS
};

struct sm_pidstatus {
	uint64_t known;                   /* set of 1 << key */
	uint64_t bytes[SM_PIDSTATUS_KEYS]; /* 0 if unknown */
	char state;                       /* R S D Z T t X I; 0: unknown */
	char state_word[16];              /* such as "sleeping"; letters, spaces and '-' only */
	int64_t threads;                  /* -1: unknown */
};

/* Returns the kernel's name of the key, such as "VmPeak" or "RssAnon". */
const char *sm_pidstatus_name(enum sm_pidstatus_key key);
/* Parses n bytes of text. */
void sm_pidstatus_parse(struct sm_pidstatus *out, const char *s, size_t n);

#endif
