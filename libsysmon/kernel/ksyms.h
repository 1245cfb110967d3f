/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ksyms: names of kernel functions by their address, from /proc/kallsyms.
 *
 * The file has over 100,000 lines, and reading it takes 20 ms: so it is read late, once for all
 * addresses that are not known yet, and only as far as the last of them.  An address that has no
 * symbol is not looked for again until modules may have been loaded (sm_ksyms_forget()).
 *
 * The kernel shows zeros to whoever opened the file without CAP_SYSLOG, unless kernel.kptr_restrict
 * and kernel.perf_event_paranoid allow it (Documentation/admin-guide/sysctl/kernel.rst); the right
 * of the opener counts, so the file is opened before the drop of privileges and kept open.
 */
#ifndef SM_KSYMS_H
#define SM_KSYMS_H

#include "kernel/root.h"

#define SM_KSYM_NAME_MAX 63u /* bytes; of longer names the start */

struct sm_ksym {
	uint64_t address;
	char *name; /* NULL: not known */
	bool looked;
};

struct sm_ksyms {
	int fd; /* -1: no /proc/kallsyms */
	struct sm_ksym *sym; /* by address */
	size_t n, cap;
	bool pending;       /* an address that was not looked for */
	bool shown;         /* the file has shown an address other than 0 */
};

#define SM_KSYMS_INIT {.fd = -1}

/* -errno of opening; sm_ksyms_add() and the others work nevertheless. */
int sm_ksyms_open(struct sm_ksyms *k, const struct sm_root *root) SM_MUST;
void sm_ksyms_close(struct sm_ksyms *k);

/* Does the file show addresses?  It reads the first lines, if none have been read yet. */
bool sm_ksyms_shown(struct sm_ksyms *k);
/* An address whose name will be asked for.  0 or -ENOMEM. */
int sm_ksyms_add(struct sm_ksyms *k, uint64_t address) SM_MUST;
/* Reads the names of the addresses added since the last call; 0 at once if there are none.  -ENODATA:
 * the file shows no addresses (CAP_SYSLOG). */
int sm_ksyms_read(struct sm_ksyms *k) SM_MUST;
/* "" if not known.  Valid until sm_ksyms_close(). */
const char *sm_ksyms_name(const struct sm_ksyms *k, uint64_t address);
/* Addresses without a name are looked for once more. */
void sm_ksyms_forget(struct sm_ksyms *k);

struct sm_ksym_named {
	const char *name;
	uint64_t address; /* 0 before */
};

/* The addresses of n symbols; of several with one name the first.  -ENODATA: one is not there, or hidden. */
int sm_ksyms_find(const struct sm_root *root, struct sm_ksym_named *symbol, size_t n) SM_MUST;

/*
 * The lines of text, the last of which may be cut, for the reader and its fuzz target; returns how
 * many bytes were whole lines, up to the one that made *missing, the addresses without a name, 0.
 */
size_t sm_ksyms_parse(struct sm_ksyms *k, const char *text, size_t n, size_t *missing);

#endif
