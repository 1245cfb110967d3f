/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sysmon: everything of libsysmon.  Core modules first; they never print, exit, read the
 * environment or keep mutable globals.  The cli layer below them may, and only tools call
 * it.
 */
#ifndef SYSMON_H
#define SYSMON_H

#include "attr.h"
#include "base.h"
#include "battery.h"
#include "buf.h"
#include "clock.h"
#include "cncount.h"
#include "cnproc.h"
#include "cpu.h"
#include "cpuclock.h"
#include "cpuidle.h"
#include "file.h"
#include "gauge.h"
#include "gpufreq.h"
#include "hash.h"
#include "hwmon.h"
#include "intern.h"
#include "linhist.h"
#include "loop.h"
#include "num.h"
#include "out.h"
#include "outlet.h"
#include "parse.h"
#include "perf.h"
#include "powerpmu.h"
#include "procname.h"
#include "procpid.h"
#include "procstat.h"
#include "prom.h"
#include "rapl.h"
#include "root.h"
#include "sig.h"
#include "sink.h"
#include "stats.h"
#include "text.h"
#include "thermal.h"
#include "tracefs.h"
/* cli layer */
#include "command.h"
#include "err.h"
#include "kmod.h"
#include "opt.h"
#include "opt_value.h"
#include "priv.h"
#include "rt.h"
#include "tty.h"
#include "user.h"

#endif
