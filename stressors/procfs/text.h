/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * text: small files of procfs, to be compared with what system calls give.
 */
#ifndef STRESSORS_PROCFS_TEXT_H
#define STRESSORS_PROCFS_TEXT_H

#include "kernel/root.h"

/* Up to cap - 1 bytes of a file of /proc, with a NUL added; the number of bytes.  -ENOENT: there is no such
 * file, or it is not the kernel's: lxcfs shows the limits of a container instead. */
ssize_t procfs_text(const struct sm_root *root, const char *path, char *buf, size_t cap) SM_MUST;

/* The rest of the line that begins with the key, without blanks before it; false: there is no such line. */
bool procfs_line(const char *text, size_t n, const char *key, struct sm_str *value) SM_MUST;

#endif
