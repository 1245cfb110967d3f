/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * vmfacts: the kernel's totals for the memory of the whole process, for the VM window.
 *
 * The sources are status of a living thread (Vm*, Rss*, State, Threads), stat (fields 10 and 12: page faults
 * of all threads, including exited ones) and, on request, oom_score and smaps_rollup (Linux 4.14).  The
 * latter walks all page tables of the target, so the caller must read it at most once a second.  A value that
 * the kernel does not report is unknown, not 0.
 */
#ifndef PAGEMON_VMFACTS_H
#define PAGEMON_VMFACTS_H

#include "base/buf.h"
#include "base/file.h"
#include "proc/pidstatus.h"
#include "target/target.h"

enum vm_key {          /* bytes; from status, with the numbers of enum sm_pidstatus_key: */
	VM_PEAK, VM_SIZE, VM_LCK, VM_PIN, VM_HWM, VM_RSS, VM_RSS_ANON, VM_RSS_FILE, VM_RSS_SHMEM,
	VM_DATA, VM_STK, VM_EXE, VM_LIB, VM_PTE, VM_SWAP,
	/* from smaps_rollup: */
	VM_PSS = SM_PIDSTATUS_KEYS, VM_PSS_ANON, VM_PSS_FILE, VM_PSS_SHMEM, VM_USS, VM_SWAP_PSS, VM_LOCKED,
	VM_KEYS
};

/* Returns the kernel's name of the key, such as "VmPeak", "RssAnon" or "Pss"; "Uss" is Private_Clean +
 * Private_Dirty (+ Private_Hugetlb). */
const char *vm_name(enum vm_key key);

struct vm_faults {         /* since the start of the process */
	uint64_t minor, major;
};

struct vm_rate {           /* of a counter */
	bool known;            /* true after the second reading */
	double per_s;          /* rate since a reading at least VM_RATE_NS earlier */
	uint64_t from, from_ns; /* scratch: the earlier reading and its time; 0: unknown */
};

struct vmfacts {
	uint64_t known;                /* bit 1 << enum vm_key */
	uint64_t bytes[VM_KEYS];
	char state, state_word[16];    /* see struct sm_pidstatus */
	int64_t threads;               /* -1: unknown */
	int64_t oom_score;             /* -1: unknown */
	bool faults_known;
	struct vm_faults faults;
	struct vm_rate minor, major;   /* rates of the faults */
	/* scratch */
	struct sm_file file;           /* only its buffer is used */
	struct sm_buf line;
};

/* Minimum interval of a rate; faster refreshes keep the previous rate. */
#define VM_RATE_NS (SM_NSEC_PER_SEC / 2)

/* The counters that change with the pages of a process, to be compared with memcmp(3). */
struct vm_activity {
	uint64_t mappings;         /* generation of the mappings */
	uint64_t unsure;           /* readings without counters, and changes that they do not show */
	uint64_t minor, major;     /* page faults */
	uint64_t bytes[VM_PSS];
};

static inline bool vm_known(const struct vmfacts *v, enum vm_key key)
{
	return v->known >> key & 1;
}

/* Adds a reading of the counter. */
void vm_rate_add(struct vm_rate *r, uint64_t count, uint64_t now_ns);

void vmfacts_init(struct vmfacts *v);
void vmfacts_fini(struct vmfacts *v);
/* Reads status and stat (also to t->stat); values of smaps_rollup remain.  -ESRCH: the process has exited,
 * and the values are unchanged. */
int vmfacts_read(struct vmfacts *v, struct target *t, uint64_t now_ns) SM_MUST;
/* Sets *activity to the values of the last vmfacts_read(). */
void vmfacts_activity(const struct vmfacts *v, struct vm_activity *activity);
/* Reads oom_score and smaps_rollup.  Returns the result of the latter. */
int vmfacts_read_rollup(struct vmfacts *v, const struct target *t) SM_MUST;
/* Forgets the values of smaps_rollup after exec. */
void vmfacts_forget(struct vmfacts *v);

#endif
