/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bsd: the sorts of libbsd.
 *
 * The library is loaded when one of them is wanted: to be linked with it would cost every start of the
 * program. A static program cannot load it; it is linked with it if it is there
 * (STRESSORS_BSD_LINKED), else it is without these sorts.
 */
#ifndef STRESSORS_SORT_BSD_H
#define STRESSORS_SORT_BSD_H

#include "base/base.h"

struct stress;

struct sort_bsd {
	void *library;
	int error; /* errno of sort_bsd_open(), if the library could not be loaded */
	/* Each 0, or -1 and errno. */
	int (*heapsort)(void *, size_t, size_t, int (*)(const void *, const void *));
	int (*mergesort)(void *, size_t, size_t, int (*)(const void *, const void *));
	int (*radixsort)(const unsigned char **, int, const unsigned char *, unsigned int);
};

/* NULL, or the reason why they are not there. */
const char *sort_bsd_open(struct sort_bsd *b) SM_MUST;
void sort_bsd_close(struct sort_bsd *b);
/* The setup of an instance: 0, or what stress_skip() or stress_lacks() returns. */
int sort_bsd_setup(struct stress *s, struct sort_bsd *b) SM_MUST;
/* Of struct stressor. */
const char *sort_bsd_probe(const struct stress *s);

#endif
