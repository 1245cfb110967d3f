/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spec: the simulated machine as a tree of nodes, read from a text file.  The language is described
 * in the head of fakesys.c.
 *
 * Nodes have fates: windows of time in which a reading fails or is slow, or the node does not exist.
 * A node does not exist while its parent does not, nor a link while its target does not.
 */
#ifndef LAB_SPEC_H
#define LAB_SPEC_H

#include <stdio.h>

#include "model.h"

#define LAB_FATES    8
#define LAB_TEXT_MAX 65536

enum fate_kind { F_FAIL, F_OPEN, F_SLOW, F_GONE, F_MODE };

struct fate {
	enum fate_kind kind;
	int arg;                       /* errno, milliseconds, mode */
	int64_t from_ns, to_ns;
};

enum node_type { N_DIR, N_FILE, N_LINK };

struct node {
	enum node_type type;
	char *name;
	struct node *parent, *child, *last, *next;
	char *target;                  /* N_LINK: the words of the link */
	struct node *to;               /* N_LINK: its target; V_SAME: the node with the value */
	struct value value;
	struct fate fate[LAB_FATES];
	unsigned int nfates;
	bool hidden;                   /* only for uevent, template and same */
	unsigned int number;           /* 1 is the root */
	uint64_t readings;
};

struct truth { /* a sum of powers to compare a tool's column with */
	char name[64];
	const struct power *power[LAB_STEPS];
	unsigned int n;
};

struct spec {
	struct node **node;            /* node[0] is the root */
	unsigned int n;
	struct power **power;
	struct volts **volts;
	struct truth **truth;
	unsigned int npowers, nvolts, ntruths;
	unsigned int nmeters;          /* of the powers */
	const struct node *begin;      /* T is 0 until its first reading; NULL: from the mount on */
};

/* 0, or -1 after a message to err. */
int spec_load(struct spec *s, const char *path, FILE *err);
/* "/sys/a/b", without following links; NULL if it does not exist. */
struct node *spec_find(const struct spec *s, const char *path);
struct node *node_child(const struct node *dir, const char *name, size_t n);
/* Its path into buf. */
const char *node_path(const struct node *node, char *buf, size_t size);

bool node_present(const struct node *node, int64_t t_ns);
/* True if the node did not exist at some time in (from, to]: older descriptors are dead. */
bool node_died(const struct node *node, int64_t from_ns, int64_t to_ns);
/* The argument of the fate of that kind at that time; -1: it has none. */
int node_fate(const struct node *node, enum fate_kind kind, int64_t t_ns);
unsigned int node_mode(const struct node *node, int64_t t_ns);
/* The text of a file at one time into buf: its length, or -errno. */
long node_text(const struct node *node, int64_t t_ns, char *buf, size_t size);

const struct power *spec_power(const struct spec *s, const char *name);
const struct truth *spec_truth(const struct spec *s, const char *name);
int64_t truth_uj(const struct truth *truth, int64_t t_ns);

const char *lab_errname(int err);
int lab_errno(const char *name);       /* 0: not known */
/* Escapes bytes for the log: outside 0x20..0x7e, and \, as \xNN, a newline as \n. */
void lab_escape(FILE *f, const char *p, size_t n);

#endif
