/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ksyms: names of kernel functions by their address, from a BPF program (ksymname.h) or /proc/kallsyms.
 *
 * The file has over 100,000 lines, and reading it takes 20 ms.  It is read only without BPF, late, once for
 * all new addresses, and only as far as the last of them.  Names that are likely to be needed later are
 * stored with the first reading (sm_ksyms_expect()).  An address without a symbol is not searched for again.
 *
 * If the file was opened without CAP_SYSLOG, the kernel shows zeros, unless kernel.kptr_restrict and
 * kernel.perf_event_paranoid allow addresses (Documentation/admin-guide/sysctl/kernel.rst).  The privileges
 * at opening count, so the file is opened before the drop of privileges and kept open.
 */
#ifndef SM_KSYMS_H
#define SM_KSYMS_H

#include "base/root.h"
#include "proc/ksymname.h"

#define SM_KSYM_NAME_MAX 63u /* bytes; longer names are truncated */

struct sm_ksym {
	uint64_t address;
	char *name; /* NULL: unknown */
	bool looked; /* has been searched for */
};

struct sm_ksyms {
	struct sm_ksymname program; /* closed: not permitted, or not supported */
	int fd; /* -1: no /proc/kallsyms */
	struct sm_ksym *sym; /* sorted by address */
	size_t n, cap;
	bool pending;       /* an address was added that has not been searched for */
	bool shown;         /* the file contained an address other than 0 */
	const char *const *expected; /* n_expected names, until the file is read */
	size_t n_expected;
	uint64_t filter[4]; /* bits of hashes of these names */
};

#define SM_KSYMS_INIT {.program = SM_KSYMNAME_INIT, .fd = -1}

/* Loads the program and opens the file.  After an error of open(2), the other functions still work, without
 * the names of the file. */
int sm_ksyms_open(struct sm_ksyms *k, const struct sm_root *root) SM_MUST;
void sm_ksyms_close(struct sm_ksyms *k);

/* True if names can be read: the program is loaded, or the file shows addresses.  This reads its first lines
 * if it has not been read yet. */
bool sm_ksyms_shown(struct sm_ksyms *k);
/* Adds an address whose name is needed later.  0 or -ENOMEM. */
int sm_ksyms_add(struct sm_ksyms *k, uint64_t address) SM_MUST;
/* The next sm_ksyms_read() that reads the file also stores the addresses of these n names, so that the file
 * need not be read again for them.  Borrowed until then. */
void sm_ksyms_expect(struct sm_ksyms *k, const char *const *names, size_t n);
/* Reads the names of the addresses added since the last call, if any.  -ENODATA: the file shows no addresses
 * (CAP_SYSLOG). */
int sm_ksyms_read(struct sm_ksyms *k) SM_MUST;
/* Returns the name of an address, "" if unknown; valid until sm_ksyms_close(). */
const char *sm_ksyms_name(const struct sm_ksyms *k, uint64_t address);

struct sm_ksym_named {
	const char *name;
	uint64_t address; /* result; the caller sets it to 0 */
};

/* Finds the addresses of n symbols (the first of equal names).  -ENODATA: one is missing or hidden. */
int sm_ksyms_find(const struct sm_root *root, struct sm_ksym_named *symbol, size_t n) SM_MUST;

/*
 * Parses lines of text, the last of which may be incomplete; for the reader and its fuzz target.  *missing is
 * the number of addresses without a name; parsing stops when it is 0.  Returns the number of bytes parsed,
 * which are whole lines.
 */
size_t sm_ksyms_parse(struct sm_ksyms *k, const char *text, size_t n, size_t *missing);

#endif
