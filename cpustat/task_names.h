/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * task_names: what is known of a name besides its bytes.
 */
#ifndef CS_TASK_NAMES_H
#define CS_TASK_NAMES_H

/* Tag of a row's cmd: the command line was longer than what is kept (SAMPLER_NAME_BYTES). */
#define CS_CMD_CUT 1u

#endif
