/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * image: this program, as the program that stressors execute.
 *
 * A child of an instance executes the program with these arguments.  The new image checks the effects of
 * execve(2), and exits with a status that it computes from a number.
 */
#ifndef STRESSORS_RUN_IMAGE_H
#define STRESSORS_RUN_IMAGE_H

#include "base/base.h"

#define IMAGE_NAME "stressors-image"
/* argv: IMAGE_NAME, the number, a descriptor that is closed by the call (O_CLOEXEC); and no environment. */
enum { IMAGE_NUMBER = 1, IMAGE_FD, IMAGE_ARGS };

#define IMAGE_WRONG 1 /* status: the descriptor is open, or there is an environment */
/* Returns 2 to 251. */
uint8_t image_status(uint64_t number);

bool image_is_asked(int argc, char **argv) SM_MUST;
/* Returns the exit status. */
int image_main(char **argv) SM_MUST;

#endif
