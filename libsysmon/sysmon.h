/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sysmon: everything of libsysmon.  Core modules first; they never print, exit, read the
 * environment or keep mutable globals.  The cli layer below them may, and only tools call
 * it.
 */
#ifndef SYSMON_H
#define SYSMON_H

#include "base.h"
#include "buf.h"
#include "clock.h"
#include "cnproc.h"
#include "cpu.h"
#include "cpuclock.h"
#include "file.h"
#include "hash.h"
#include "intern.h"
#include "linhist.h"
#include "loop.h"
#include "num.h"
#include "out.h"
#include "outlet.h"
#include "parse.h"
#include "perf.h"
#include "procname.h"
#include "procpid.h"
#include "procstat.h"
#include "prom.h"
#include "root.h"
#include "sig.h"
#include "sink.h"
#include "stats.h"
#include "text.h"
#include "tracefs.h"
/* cli layer */
#include "command.h"
#include "err.h"
#include "opt.h"
#include "opt_value.h"
#include "priv.h"
#include "rt.h"
#include "tty.h"
#include "user.h"

#endif
