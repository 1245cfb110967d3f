/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mem: the memory devices that any user may open: /dev/null, /dev/zero and /dev/full (null(4), full(4)).
 *
 * In a container, another file may have such a name, so the number of the device is checked.
 */
#ifndef STRESSORS_DEVICE_MEM_H
#define STRESSORS_DEVICE_MEM_H

#include "run/stress.h"

/* By their minor numbers (Documentation/admin-guide/devices.txt). */
enum mem_device { MEM_NULL = 3, MEM_ZERO = 5, MEM_FULL = 7 };

/* Returns NULL, or the reason why the device cannot be used. */
const char *mem_device_lacks(enum mem_device device) SM_MUST;
/* Opens the device for reading and writing.  -1: stress_error() was called. */
int mem_device_open(struct stress *s, enum mem_device device) SM_MUST;

/* Returns true if all bytes are zero. */
bool mem_is_zero(const void *p, size_t bytes) SM_MUST;

#endif
