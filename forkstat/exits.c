// SPDX-License-Identifier: GPL-2.0-or-later
#include <signal.h>

#include "exits.h"

/* Bits of sm_task.exit_bits of a leader. */
enum {
	SEEN_GROUP = 1,	 /* exit_code is the group's, as of exit_ns */
	SEEN_LEADER = 2, /* exit_code is the leader's */
	SEEN_FINAL = 4,	 /* no thread is left that could end the group */
	SEEN_MIXED = 8,	 /* a thread that exited after the leader had another code */
	SEEN_CORE = 16,	 /* a thread dumped core */
};

static void note_record(struct sm_task *leader, const struct exitbpf_raw *r)
{
	if (r->live == 0)
		leader->exit_bits |= SEEN_FINAL;
	if (!leader->start_ns) { /* the process was never read from /proc */
		leader->unlisted = !(leader->exit_bits & SEEN_FINAL);
		leader->flags |= r->leader_exited ? SM_TASK_DEAD : 0;
	}
	if (r->kind == EXITBPF_GROUP) {
		if ((leader->exit_bits & SEEN_GROUP) && r->time_ns < leader->exit_ns)
			return;
		leader->exit_code = r->code;
		leader->exit_ns = r->time_ns;
		leader->exit_bits |= SEEN_GROUP;
	} else if (r->kind == EXITBPF_LEADER && !(leader->exit_bits & SEEN_GROUP)) {
		leader->exit_code = r->code;
		leader->exit_bits |= SEEN_LEADER;
	}
}

static void note_event(struct sm_task *leader, const struct sm_proc_event *ev)
{
	bool group = leader->exit_bits & SEEN_GROUP;

	if ((ev->exit_code & 0x7f) && (ev->exit_code & 0x80))
		leader->exit_bits |= SEEN_CORE;
	if (ev->pid != ev->tgid) {
		if ((leader->exit_bits & SEEN_LEADER) &&
			ev->exit_code != leader->exit_code)
			leader->exit_bits |= SEEN_MIXED;
		return;
	}
	if (!group)
		leader->exit_code = ev->exit_code;
	leader->exit_bits |= SEEN_LEADER;
}

/* Returns the status of the process that ends with this event. */
static struct exits_status status_of(
	const struct sm_task *leader, const struct sm_proc_event *ev)
{
	struct exits_status s = {
		.process_end = true, .known = true, .code = leader->exit_code};
	uint32_t seen = leader->exit_bits, signal = ev->exit_code & 0x7f;

	if ((seen & SEEN_GROUP) || (seen & SEEN_FINAL && seen & SEEN_LEADER))
		return s;
	if (ev->pid == ev->tgid || (signal && signal != SIGSYS)) {
		s.code = ev->exit_code;
		if (signal && (seen & SEEN_CORE))
			s.code |= 0x80;
		return s;
	}
	s.known = (seen & SEEN_LEADER) && !(seen & SEEN_MIXED);
	return s;
}

struct exits_status exits_apply(struct exitbpf *b, struct sm_tasktable *procs,
	struct sm_task *p, const struct sm_proc_event *ev)
{
	struct exitbpf_raw r;
	bool recorded = b && exitbpf_take(b, ev->pid, ev->tgid, ev->time_ns, &r);
	struct sm_task *leader = recorded ? sm_tasktable_leader(procs, p)
					  : sm_tasktable_get(procs, ev->tgid);

	if (leader && recorded)
		note_record(leader, &r);
	if (leader)
		note_event(leader, ev);
	if (leader && sm_tasktable_ends(procs, p))
		return status_of(leader, ev);
	return (struct exits_status){.known = true, .code = ev->exit_code};
}
