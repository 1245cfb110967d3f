/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loader: state shared by spec.c (statements, nodes) and spec_value.c (the value of a file) while a
 * description is read.  Memory is freed by the exit of the process.
 */
#ifndef LAB_LOADER_H
#define LAB_LOADER_H

#include "spec.h"

#define WORDS_MAX 256

struct loader {
	struct spec *s;
	struct node *dir;              /* where relative paths begin */
	const char *path;
	FILE *err;
	unsigned int line, depth;
	struct bytes word[WORDS_MAX];
	unsigned int n;
};

/* Prints a message with its position; -1. */
int bad(const struct loader *l, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void *must(void *p);                   /* p; exits if it is NULL */
const char *word(const struct loader *l, unsigned int i); /* "" after the last */
bool get_double(const char *s, double *out);
bool get_seconds(const char *s, int64_t *ns);
bool get_int(const char *s, int64_t *out);

/* "NAME" or a power itself; NULL: neither. */
const struct power *get_power(const struct loader *l, const char *text);
/* Makes a node a file of the kind in word `at`, with the parameters after it. */
int make_file(struct loader *l, struct node *node, unsigned int at);
void make_text(struct node *node, struct bytes text);

#endif
