/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * text: small files of procfs, which are compared with the results of system calls.
 */
#ifndef STRESSORS_PROCFS_TEXT_H
#define STRESSORS_PROCFS_TEXT_H

#include "base/root.h"

/* Reads up to cap - 1 bytes of a file of /proc and adds a NUL.  Returns the number of bytes.  -ENOENT: the
 * file does not exist or is not the kernel's (lxcfs shows the limits of a container instead). */
ssize_t procfs_text(const struct sm_root *root, const char *path, char *buf, size_t cap) SM_MUST;

/* Finds the rest of the line that begins with the key, without leading spaces; false: there is no such
 * line. */
bool procfs_line(const char *text, size_t n, const char *key, struct sm_str *value) SM_MUST;

#endif
