/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mem: the memory devices that everybody may use: /dev/null, /dev/zero and /dev/full (null(4), full(4)).
 *
 * A file of the right name may be another one in a container; its number is what is looked at.
 */
#ifndef STRESSORS_DEVICE_MEM_H
#define STRESSORS_DEVICE_MEM_H

#include "run/stress.h"

/* By their minor numbers (Documentation/admin-guide/devices.txt). */
enum mem_device { MEM_NULL = 3, MEM_ZERO = 5, MEM_FULL = 7 };

/* NULL, or the reason why it cannot be used. */
const char *mem_device_lacks(enum mem_device device) SM_MUST;
/* For reading and writing; -1 after stress_error(). */
int mem_device_open(struct stress *s, enum mem_device device) SM_MUST;

/* Are all bytes zero? */
bool mem_is_zero(const void *p, size_t bytes) SM_MUST;

#endif
