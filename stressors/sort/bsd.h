/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bsd: the sorts of libbsd.
 *
 * The library is loaded when one of them is needed, because linking with it would slow down every start of
 * the program.  A static program cannot load it: it is linked with libbsd if that is installed
 * (STRESSORS_BSD_LINKED), and lacks these sorts otherwise.
 */
#ifndef STRESSORS_SORT_BSD_H
#define STRESSORS_SORT_BSD_H

#include "base/base.h"

struct stress;

struct sort_bsd {
	void *library;
	int error; /* errno, if the library could not be loaded */
	/* Each returns 0, or -1 and sets errno. */
	int (*heapsort)(void *, size_t, size_t, int (*)(const void *, const void *));
	int (*mergesort)(void *, size_t, size_t, int (*)(const void *, const void *));
	int (*radixsort)(const unsigned char **, int, const unsigned char *, unsigned int);
};

/* The setup of an instance.  Returns 0, or the value of stress_skip() or stress_lacks(). */
int sort_bsd_setup(struct stress *s, struct sort_bsd *b) SM_MUST;
/* The probe of struct stressor. */
const char *sort_bsd_probe(const struct stress *s);

#endif
