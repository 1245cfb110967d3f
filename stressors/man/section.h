/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * section: the parts of the stressors in stressors(1), made from their tables and remarks.
 *
 * For the generator (tools/complete.c), which prints it; the linker leaves it out of the program.
 */
#ifndef STRESSORS_MAN_SECTION_H
#define STRESSORS_MAN_SECTION_H

#include "base/buf.h"

/* mdoc.  -EINVAL: a remark is about nothing in the tables, or some choices of an option have one and some
 * have none; *b then has the reason. */
int sm_tool_man(struct sm_buf *b);

#endif
