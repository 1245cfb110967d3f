/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * image: the program as what a stressor executes.
 *
 * A child of an instance executes the program with these arguments.  The new image checks what execve(2) must
 * have done, and exits with a status that it computes from a number.
 */
#ifndef STRESSORS_RUN_IMAGE_H
#define STRESSORS_RUN_IMAGE_H

#include "base/base.h"

#define IMAGE_NAME "stressors-image"
/* argv: IMAGE_NAME, the number, a descriptor that is closed by the call (O_CLOEXEC); and no environment. */
enum { IMAGE_NUMBER = 1, IMAGE_FD, IMAGE_ARGS };

#define IMAGE_WRONG 1 /* status: the descriptor is open, or there is an environment */
/* 2 to 251. */
uint8_t image_status(uint64_t number);

bool image_is_asked(int argc, char **argv) SM_MUST;
/* What main() returns. */
int image_main(char **argv) SM_MUST;

#endif
