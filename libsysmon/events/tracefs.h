/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tracefs: event IDs and field offsets (Documentation/trace/events.rst).
 *
 * Uses the mount at /sys/kernel/tracing or /sys/kernel/debug/tracing.  If neither is mounted and the
 * privileges suffice (CAP_SYS_ADMIN, Linux 5.2), creates a private, read-only, detached mount, which ends
 * with the fd.  Files in tracefs are never written, created or removed.
 */
#ifndef SM_TRACEFS_H
#define SM_TRACEFS_H

#include "base/base.h"
#include "base/root.h"

struct sm_tracefs_field {
	uint32_t offset, size;
	bool is_signed;
	bool data_loc; /* __data_loc: the field is a u32 (length << 16 | offset) */
};

/* Returns a directory fd of the tracing root, or -ENOENT, -EACCES, -EPERM, -EMFILE or -ENFILE. */
int sm_tracefs_open(const struct sm_root *r) SM_MUST;
int sm_tracefs_event_id(const struct sm_root *r, int tracefs_fd, const char *system,
	const char *event, uint32_t *id)
	SM_MUST;
/* Reads a field of the event's format file.  -ENOENT: the event has no such field. */
int sm_tracefs_field(const struct sm_root *r, int tracefs_fd, const char *system, const char *event,
	const char *field, struct sm_tracefs_field *out) SM_MUST;
/* Reads several fields at once; a missing field gets size 0. */
struct sm_tracefs_named {
	const char *name; /* NULL: not used */
	struct sm_tracefs_field at;
};
int sm_tracefs_fields(const struct sm_root *r, int tracefs_fd, const char *system, const char *event,
	struct sm_tracefs_named *field, size_t n) SM_MUST;
int sm_tracefs_format_parse(const char *s, size_t n, const char *field,
	struct sm_tracefs_field *out) SM_MUST;

#endif
