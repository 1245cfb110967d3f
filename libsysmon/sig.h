/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sig: names of signals (signal(7)).  Our own: sigabbrev_np() is not in every C library.
 */
#ifndef SM_SIG_H
#define SM_SIG_H

#include "base.h"

#define SM_SIG_NAME_MAX 16

/* "SIGKILL", "SIGRTMIN+3", "SIG77" for numbers that have no name.  buf: SM_SIG_NAME_MAX. */
const char *sm_sig_name(int signo, char *buf);
/* What happened, in words: "killed", "segmentation fault"; "real-time signal", "signal". */
const char *sm_sig_words(int signo);

#endif
