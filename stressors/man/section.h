/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * section: prints the section STRESSORS of stressors(7) from the tables and remarks of the stressors.
 *
 * The generator (tools/complete.c) uses it; the linker omits it from the program.
 */
#ifndef STRESSORS_MAN_SECTION_H
#define STRESSORS_MAN_SECTION_H

#include "base/buf.h"

/* Appends mdoc.  Returns -EINVAL if a remark does not match the tables, or if only some choices of an option
 * have one; *b then contains the reason. */
int sm_tool_man(struct sm_buf *b);

#endif
