// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernel/timercount.h"
#include "kernel/vmlinux.h"

#define INSN_MAX 256

/* What the programs share with the reader. */
enum { LOST_OWNERS, LOST_EVENTS, LOSSES };

/* --- the programs ------------------------------------------------------------------ */

enum { R0, R1, R2, TIMER = 6, CURRENT, LAST, TASK = LAST, COUNTS, FP };

/* The timer whose expiry was the last one on a CPU, of the two kinds, and the task that
 * it interrupted. */
struct last {
	uint64_t timer[2], interrupted[2];
};

#define STRUCT_AT(end, type) ((end) - (int)sizeof(type))
#define ON_STACK_KEY	     STRUCT_AT(0, struct sm_timer_key)
#define ON_STACK_COUNTS	     STRUCT_AT(ON_STACK_KEY, struct sm_timer_counts)
#define ON_STACK_TIMER	     (ON_STACK_COUNTS - 8)
#define ON_STACK_VALUE	     (ON_STACK_TIMER - 16)
#define KEY(member)	     (ON_STACK_KEY + (int)offsetof(struct sm_timer_key, member))
#define NEW(member)	     (ON_STACK_COUNTS + (int)offsetof(struct sm_timer_counts, member))

struct layout { /* offsets in the kernel's structures */
	struct sm_timer_layout timer;
	uint32_t task_runtime, task_comm;
	bool have_runtime, have_comm;
};

struct program {
	const char *name, *tracepoint;
	bool hr, start;
};

static const struct program programs[SM_TIMERCOUNT_PROGRAMS] = {
	{"hrtimer_start", "hrtimer_start", true, true},
	{"hrtimer_expire", "hrtimer_expire_entry", true, false},
	{"timer_start", "timer_start", false, true},
	{"timer_expire", "timer_expire_entry", false, false},
};

struct build {
	struct sm_bpf_asm *a;
	const struct sm_timercount *t;
	const struct layout *at;
	const struct program *p;
};

/* TIMER and CURRENT from the context and the CPU. */
static void begin(const struct build *u)
{
	sm_bpf_load(u->a, BPF_DW, TIMER, R1, 0);
	sm_bpf_store(u->a, BPF_DW, FP, ON_STACK_TIMER, TIMER);
	sm_bpf_call(u->a, SM_BPF_GET_CURRENT_PID_TGID);
	sm_bpf_mov(u->a, CURRENT, R0);
}

/* The key, but for its owner, out of the timer. */
static void read_timer(const struct build *u)
{
	sm_timerlayout_read(u->a, &u->at->timer, u->p->hr, TIMER, KEY(func), KEY(kind));
	if (u->t->by_timer)
		sm_bpf_store(u->a, BPF_DW, FP, KEY(timer), TIMER);
	else
		sm_bpf_clear(u->a, BPF_DW, FP, KEY(timer));
}

/* Which of the two of struct last. */
static int of_kind(const struct build *u, size_t member)
{
	return (int)member + (u->p->hr ? 0 : 8);
}

#define LAST_TIMER(u)	    of_kind(u, offsetof(struct last, timer))
#define LAST_INTERRUPTED(u) of_kind(u, offsetof(struct last, interrupted))

static void find_owner(const struct build *u)
{
	sm_timerowner_find(u->a, &u->t->owners, u->p->hr, ON_STACK_TIMER, KEY(func),
		KEY(owner), TASK);
}

static void become_owner(const struct build *u)
{
	sm_bpf_store(u->a, BPF_DW, FP, KEY(owner), CURRENT);
	sm_timerowner_set(u->a, &u->t->owners, u->p->hr, ON_STACK_TIMER, KEY(func),
		KEY(owner), u->t->lost.fd, LOST_OWNERS * 8);
}

/* Who arms the timer: the current task, if it is not the callback in an interrupt. */
static void find_starter(const struct build *u)
{
	struct sm_bpf_asm *a = u->a;
	size_t no_last = sm_bpf_map_first(a, LAST, u->t->last_fd, ON_STACK_VALUE);
	size_t other_timer, other_task, done;

	sm_bpf_load(a, BPF_DW, R1, LAST, LAST_TIMER(u));
	other_timer = sm_bpf_jump_reg(a, BPF_JNE, R1, TIMER);
	sm_bpf_load(a, BPF_DW, R1, LAST, LAST_INTERRUPTED(u));
	other_task = sm_bpf_jump_reg(a, BPF_JNE, R1, CURRENT);
	find_owner(u);
	done = sm_bpf_jump(a, BPF_JA, R0, 0);
	sm_bpf_land(a, no_last);
	sm_bpf_land(a, other_timer);
	sm_bpf_land(a, other_task);
	become_owner(u);
	sm_bpf_land(a, done);
}

static void keep_last(const struct build *u)
{
	struct sm_bpf_asm *a = u->a;
	size_t none = sm_bpf_map_first(a, LAST, u->t->last_fd, ON_STACK_VALUE);

	sm_bpf_store(a, BPF_DW, LAST, LAST_TIMER(u), TIMER);
	sm_bpf_store(a, BPF_DW, LAST, LAST_INTERRUPTED(u), CURRENT);
	sm_bpf_land(a, none);
}

/* Name, time and CPU time of an owner that arms its first timer of this key. */
static void describe(const struct build *u)
{
	struct sm_bpf_asm *a = u->a;
	size_t not_owner;

	sm_bpf_load(a, BPF_DW, R1, FP, KEY(owner));
	not_owner = sm_bpf_jump_reg(a, BPF_JNE, R1, CURRENT);
	sm_bpf_address(a, R1, FP, NEW(comm));
	sm_bpf_set(a, R2, SM_TASK_COMM_LEN);
	sm_bpf_call(a, SM_BPF_GET_CURRENT_COMM);
	sm_bpf_call(a, SM_BPF_KTIME_GET_NS);
	sm_bpf_store(a, BPF_DW, FP, NEW(seen_ns), R0);
	if (u->at->have_runtime) {
		sm_bpf_call(a, SM_BPF_GET_CURRENT_TASK);
		sm_bpf_mov(a, COUNTS, R0);
		sm_bpf_read_kernel(a, NEW(cpu_ns), 8, COUNTS, u->at->task_runtime);
	}
	sm_bpf_land(a, not_owner);
}

/* Name of one that does not arm it, because it sleeps already. */
static void describe_sleeper(const struct build *u)
{
	struct sm_bpf_asm *a = u->a;
	size_t none = sm_bpf_jump(a, BPF_JEQ, TASK, 0);

	sm_bpf_read_kernel(a, NEW(comm), SM_TASK_COMM_LEN, TASK, u->at->task_comm);
	sm_bpf_land(a, none);
}

/* COUNTS = address of the key's counters, which are made if there are none; jumps when
 * there is no room for them. */
static size_t find_counts(const struct build *u)
{
	struct sm_bpf_asm *a = u->a;
	size_t found, full;

	sm_bpf_map_lookup(a, u->t->counts_fd, ON_STACK_KEY);
	found = sm_bpf_jump(a, BPF_JNE, R0, 0);
	for (int i = 0; i < (int)sizeof(struct sm_timer_counts); i += 8)
		sm_bpf_clear(a, BPF_DW, FP, ON_STACK_COUNTS + i);
	if (u->p->start)
		describe(u);
	else if (u->at->have_comm)
		describe_sleeper(u);
	sm_bpf_map_update(a, u->t->counts_fd, ON_STACK_KEY, ON_STACK_COUNTS, BPF_NOEXIST);
	sm_bpf_map_lookup(a, u->t->counts_fd, ON_STACK_KEY);
	full = sm_bpf_jump(a, BPF_JEQ, R0, 0);
	sm_bpf_land(a, found);
	sm_bpf_mov(a, COUNTS, R0);
	return full;
}

static void count(const struct build *u)
{
	struct sm_bpf_asm *a = u->a;
	size_t full = find_counts(u), busy = 0;

	if (u->p->start) {
		sm_bpf_add_one(a, COUNTS, offsetof(struct sm_timer_counts, starts));
	} else {
		sm_bpf_add_one(a, COUNTS, offsetof(struct sm_timer_counts, expiries));
		busy = sm_bpf_jump(a, BPF_JNE, CURRENT, 0);
		sm_bpf_add_one(a, COUNTS, offsetof(struct sm_timer_counts, idle));
		sm_bpf_land(a, busy);
	}
	sm_bpf_return(a, 0);
	sm_bpf_land(a, full);
	sm_bpf_count(a, u->t->lost.fd, LOST_EVENTS * 8);
	sm_bpf_return(a, 0);
}

static void assemble(const struct build *u)
{
	begin(u);
	read_timer(u);
	if (u->p->start) {
		find_starter(u);
	} else {
		keep_last(u);
		find_owner(u);
	}
	count(u);
}

/* --- opening ----------------------------------------------------------------------- */

/* Without the last ones less is known. */
static void find_layout(const struct sm_root *root, struct layout *at)
{
	struct sm_btf_member runtime = {"task_struct", "se.sum_exec_runtime", .size = 8};
	struct sm_btf_member comm = {"task_struct", "comm", .size = SM_TASK_COMM_LEN};

	sm_timerlayout_find(root, &at->timer);
	at->have_runtime = sm_vmlinux_members(root, &runtime, 1) == 0;
	at->have_comm = sm_vmlinux_members(root, &comm, 1) == 0;
	at->task_runtime = runtime.offset;
	at->task_comm = comm.offset;
}

static int make_map(int *fd, const char *name, uint32_t type, uint32_t key_bytes,
	size_t value_bytes, uint32_t entries, uint32_t flags)
{
	*fd = sm_bpf_map_create(
		name, type, key_bytes, (uint32_t)value_bytes, entries, flags);
	return *fd < 0 ? *fd : 0;
}

static int make_maps(struct sm_timercount *t, const struct sm_root *root)
{
	int err = sm_timerowner_open(&t->owners, root);

	if (!err)
		err = make_map(&t->counts_fd, "timer_counts", SM_BPF_MAP_HASH,
			sizeof(struct sm_timer_key), sizeof(struct sm_timer_counts),
			SM_TIMER_COUNTERS_MAX, 0);
	if (!err)
		err = make_map(&t->last_fd, "timer_last", SM_BPF_MAP_PERCPU_ARRAY, 4,
			sizeof(struct last), 1, 0);
	if (!err)
		err = sm_bpf_array_open(&t->lost, "timer_lost", LOSSES * 8, 1);
	return err;
}

static int attach(struct sm_timercount *t, const struct layout *at, size_t i,
	struct sm_bpf_log *log)
{
	struct bpf_insn insn[INSN_MAX];
	struct sm_bpf_asm a = {.insn = insn, .cap = INSN_MAX};
	struct build u = {.a = &a, .t = t, .at = at, .p = &programs[i]};
	SM_CLOSE_FD int prog = -1;

	assemble(&u);
	prog = sm_bpf_prog_load(
		programs[i].name, SM_BPF_PROG_RAW_TRACEPOINT, a.insn, a.n, log);
	if (prog < 0)
		return prog;
	t->attached[i] = sm_bpf_attach_raw_tracepoint(programs[i].tracepoint, prog);
	return t->attached[i] < 0 ? t->attached[i] : 0;
}

static int open_all(
	struct sm_timercount *t, const struct sm_root *root, struct sm_bpf_log *log)
{
	struct layout at;
	int err = make_maps(t, root);

	if (err)
		return err;
	t->key = malloc(SM_TIMER_COUNTERS_MAX * sizeof(*t->key));
	t->counts = malloc(SM_TIMER_COUNTERS_MAX * sizeof(*t->counts));
	if (!t->key || !t->counts)
		return -ENOMEM;
	find_layout(root, &at);
	for (size_t i = 0; i < SM_TIMERCOUNT_PROGRAMS && !err; i++)
		err = attach(t, &at, i, log);
	return err;
}

int sm_timercount_open(struct sm_timercount *t, const struct sm_root *root, bool by_timer,
	struct sm_bpf_log *log)
{
	int err = -ENOSYS;

	*t = (struct sm_timercount){.owners = {.owners_fd = -1},
		.counts_fd = -1,
		.last_fd = -1,
		.by_timer = by_timer};
	for (size_t i = 0; i < SM_TIMERCOUNT_PROGRAMS; i++)
		t->attached[i] = -1;
	log->text[0] = '\0';
	if (sizeof(void *) == 8)
		err = open_all(t, root, log);
	if (err)
		sm_timercount_close(t);
	return err;
}

/* --- reading ----------------------------------------------------------------------- */

int sm_timercount_read(struct sm_timercount *t)
{
	t->n = SM_TIMER_COUNTERS_MAX;
	return sm_bpf_map_read(t->counts_fd, t->key, t->counts, &t->n);
}

int sm_timercount_delete(struct sm_timercount *t, const struct sm_timer_key *key,
	struct sm_timer_counts *rest)
{
	return sm_bpf_map_take(t->counts_fd, key, rest);
}

struct sm_timer_losses sm_timercount_lost(const struct sm_timercount *t)
{
	const uint64_t *lost = t->lost.values;

	return (struct sm_timer_losses){
		.owners = __atomic_load_n(&lost[LOST_OWNERS], __ATOMIC_RELAXED),
		.events = __atomic_load_n(&lost[LOST_EVENTS], __ATOMIC_RELAXED)};
}

void sm_timercount_close(struct sm_timercount *t)
{
	for (size_t i = 0; i < SM_TIMERCOUNT_PROGRAMS; i++)
		sm_base_close_fd(&t->attached[i]);
	sm_timerowner_close(&t->owners);
	sm_base_close_fd(&t->counts_fd);
	sm_base_close_fd(&t->last_fd);
	sm_bpf_array_close(&t->lost);
	free(t->key);
	free(t->counts);
	t->key = NULL;
	t->counts = NULL;
}
