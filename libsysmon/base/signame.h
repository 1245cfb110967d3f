/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * signame: names of signals (signal(7)); sigabbrev_np() is not in every C library.
 */
#ifndef SM_SIGNAME_H
#define SM_SIGNAME_H

#include "base/base.h"

#define SM_SIGNAME_MAX 16

/* "SIGKILL", "SIGRTMIN+3", "SIG77" for numbers that have no name.  buf: SM_SIGNAME_MAX. */
const char *sm_signame(int signo, char *buf);
/* What happened, in words: "killed", "segmentation fault"; "real-time signal", "signal". */
const char *sm_signame_words(int signo);

#endif
