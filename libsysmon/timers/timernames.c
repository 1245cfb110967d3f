// SPDX-License-Identifier: GPL-2.0-or-later
#include "timers/timernames.h"

static const char *const usual[] = {"hrtimer_wakeup", "process_timeout", "dl_task_timer",
	"blk_rq_timed_out_timer", "blk_stat_timer_fn", "call_rcu_tasks_generic_timer",
	"dev_watchdog", "mix_interrupt_randomness", "mce_timer_fn",
	"clocksource_watchdog", "commit_timeout", "delayed_work_timer_fn",
	"idle_worker_timeout", "it_real_fn", "neigh_timer_handler",
	"perf_swevent_hrtimer", "posix_timer_fn", "sched_cfs_period_timer",
	"sched_cfs_slack_timer", "sched_rt_period_timer", "tcp_compressed_ack_kick",
	"tcp_delack_timer", "tcp_keepalive_timer", "tcp_orphan_update", "tcp_pace_kick",
	"tcp_write_timer", "tick_nohz_handler", "tick_nohz_highres_handler",
	"tick_sched_timer", "timerfd_tmrproc", "tw_timer_handler", "watchdog_timer_fn",
	"wq_watchdog_timer_fn", "writeout_period"};

void sm_timernames_expect(struct sm_ksyms *k)
{
	sm_ksyms_expect(k, usual, SM_ARRAY_SIZE(usual));
}
