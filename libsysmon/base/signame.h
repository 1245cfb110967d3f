/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * signame: names of signals (signal(7)).  Not every C library has sigabbrev_np().
 */
#ifndef SM_SIGNAME_H
#define SM_SIGNAME_H

#include "base/base.h"

#define SM_SIGNAME_MAX 16

/* Returns "SIGKILL", "SIGRTMIN+3", or "SIG77" for a number without a name.  buf has SM_SIGNAME_MAX
 * bytes. */
const char *sm_signame(int signo, char *buf);
/* Describes the event: "killed", "segmentation fault"; "real-time signal" or "signal" for other
 * numbers. */
const char *sm_signame_words(int signo);

#endif
