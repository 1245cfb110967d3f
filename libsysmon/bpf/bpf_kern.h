/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bpf_kern: declarations of the kernel for BPF programs in C.  Private to *.bpf.c, which clang compiles for
 * the target bpf.
 *
 * Structures have only the members that programs read.  The declaration of a member gives its name, size and
 * kind; the loader finds its offset in the BTF of the running kernel (bpf_object.h).  Order and padding of
 * members matter only in the few objects that are also loaded without BTF.
 *
 * Numbers of helpers, maps and flags: include/uapi/linux/bpf.h.
 */
#ifndef SM_BPF_KERN_H
#define SM_BPF_KERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A program is in SEC("socket"), SEC("syscall") or SEC("raw_tp/TRACEPOINT"). */
#define SEC(name) __attribute__((section(name), used))
#define INLINE    static inline __attribute__((always_inline))

/* A map in the format of libbpf: numbers are array lengths, and types are targets of pointers. */
#define MAP(name, map_kind, map_flag, entries, key_type, value_type)            \
	struct {                                                                \
		int(*type)[BPF_MAP_TYPE_##map_kind];                            \
		int(*map_flags)[map_flag];                                      \
		int(*max_entries)[entries];                                     \
		typeof(key_type) *key;                                          \
		typeof(value_type) *value;                                      \
	} name SEC(".maps")
/* entries: bytes */
#define RING(name, entries)                                                     \
	struct {                                                                \
		int(*type)[BPF_MAP_TYPE_RINGBUF];                               \
		int(*max_entries)[entries];                                     \
	} name SEC(".maps")

/* --- structures ---------------------------------------------------------------------- */

#define KERNEL __attribute__((preserve_access_index))

struct preempt_count {
	uint32_t count;
} KERNEL;

struct thread_info { /* include/linux/thread_info.h, arch/ARCH/include/asm/thread_info.h */
	uint32_t cpu;
	struct preempt_count preempt; /* arm64 */
} KERNEL;

struct __call_single_data { /* include/linux/smp_types.h */
	void *func;
} KERNEL;

struct rq { /* kernel/sched/sched.h */
	int cpu;
	struct __call_single_data nohz_csd;
} KERNEL;

struct cfs_rq { /* kernel/sched/sched.h */
	struct rq *rq;
} KERNEL;

struct sched_entity { /* include/linux/sched.h */
	uint64_t sum_exec_runtime;
	struct cfs_rq *cfs_rq;
} KERNEL;

struct atomic { /* atomic_t of include/linux/types.h */
	int counter;
} KERNEL;

struct seqcount { /* seqcount_t of include/linux/seqlock_types.h */
	uint32_t sequence; /* odd during a change */
} KERNEL;

struct seqcount_spinlock {
	struct seqcount seqcount;
} KERNEL;

struct seqlock {
	struct seqcount_spinlock seqcount;
} KERNEL;

struct signal_struct { /* include/linux/sched/signal.h */
	struct atomic live;
	int nr_threads;
	int group_exit_code;
	uint32_t flags;
	uint64_t utime, stime, sum_sched_runtime; /* of threads that have exited */
	uint64_t cutime, cstime; /* of reaped children */
	struct seqlock stats_lock; /* of these sums and nr_threads */
} KERNEL;

struct mm_struct { /* include/linux/mm_types.h */
	uint64_t arg_start, arg_end, env_start, env_end;
} KERNEL;

struct user_namespace { /* include/linux/user_namespace.h */
	struct user_namespace *parent;
	int level; /* 0: the initial one */
	struct { /* kuid_t, include/linux/uidgid.h */
		uint32_t val;
	} owner;
} KERNEL;

struct cred { /* include/linux/cred.h */
	struct { /* kuid_t */
		uint32_t val;
	} uid;
	struct user_namespace *user_ns;
} KERNEL;

struct css_set; /* bpf/cgroup_bpf.h */

struct task_struct { /* include/linux/sched.h */
	struct thread_info thread_info;
	uint32_t cpu; /* in place of thread_info.cpu: x86-64 before Linux 5.16 */
	int pid, tgid;
	uint32_t flags;
	uint32_t __state;
	int exit_state, exit_code;
	uint64_t utime, stime;
	uint64_t start_boottime;
	struct sched_entity se;
	int softirq_disable_cnt; /* PREEMPT_RT */
	struct task_struct *real_parent, *group_leader;
	struct signal_struct *signal;
	const struct cred *real_cred;
	struct mm_struct *mm;
	struct css_set *cgroups;
	struct { /* kuid_t, include/linux/uidgid.h */
		uint32_t val;
	} loginuid;
	char comm[16];
	uint64_t start_time;
} KERNEL;

#define PF_KTHREAD 0x00200000 /* in task_struct.flags */

struct linux_binprm { /* include/linux/binfmts.h */
	const char *filename;
} KERNEL;

struct sk_buff_head { /* include/linux/skbuff.h */
	uint32_t qlen;
} KERNEL;

struct sock { /* include/net/sock.h */
	struct sk_buff_head sk_receive_queue;
} KERNEL;

struct sk_buff { /* include/linux/skbuff.h */
	struct sock *sk;
	char cb[48];
} KERNEL;

struct netlink_skb_parms { /* include/linux/netlink.h */
	uint32_t portid;
} KERNEL;

/* Timers have these offsets in every 64-bit kernel since 4.17. */
struct hrtimer { /* include/linux/hrtimer_types.h */
	char unused[40];
	void *function;
} KERNEL;

struct timer_list { /* include/linux/timer_types.h */
	char unused[24];
	void *function;
	uint32_t flags;
} KERNEL;

struct hrtimer_sleeper { /* include/linux/hrtimer.h */
	struct hrtimer timer;
	struct task_struct *task;
} KERNEL;

struct process_timer { /* kernel/time/timer.c */
	struct timer_list timer;
	struct task_struct *task;
} KERNEL;

struct work_struct { /* include/linux/workqueue_types.h */
	void *func;
} KERNEL;

struct delayed_work { /* include/linux/workqueue.h */
	struct work_struct work;
	struct timer_list timer;
} KERNEL;

struct tick_sched { /* kernel/time/tick-sched.h */
	struct hrtimer sched_timer;
} KERNEL;

/* Declares a per-CPU variable of the kernel, whose address is only used with bpf_this_cpu_ptr(), or a
 * function, whose address is a number (Linux 6.4).  The kernel finds them among its symbols. */
#define PERCPU(type, name) extern type name __attribute__((section(".ksyms")))
#define FUNCTION(name)	   extern const char name[] __attribute__((section(".ksyms"), weak))

/* Declares a function of the kernel that is made for programs, which must be in the running kernel. */
#define KFUNC extern __attribute__((section(".ksyms")))
/* Number of the type in the running kernel. */
#define TYPE_ID(type) __builtin_btf_type_id(*(type *)0, 1)

/* True if the running kernel has this member; false without BTF. */
#define HAS(member) __builtin_preserve_field_info(member, 2)

/* Offset of the member in its structure, in bytes. */
#define OFFSET(member) __builtin_preserve_field_info(member, 0)

/* Copies a member of a kernel structure to a variable, which becomes 0 if the member cannot be read. */
#define READ(to, from)                                                       \
	({                                                                   \
		_Static_assert(sizeof(to) == sizeof(from), "size");           \
		bpf_probe_read_kernel(&(to), sizeof(to), &(from));            \
	})

/* --- maps, helpers --------------------------------------------------------------------- */

enum {
	BPF_MAP_TYPE_HASH = 1,
	BPF_MAP_TYPE_ARRAY = 2,
	BPF_MAP_TYPE_PERCPU_ARRAY = 6,
	BPF_MAP_TYPE_LRU_HASH = 9,
	BPF_MAP_TYPE_RINGBUF = 27,

	BPF_F_MMAPABLE = 1 << 10,

	BPF_ANY = 0,
	BPF_NOEXIST = 1,

	BPF_RB_NO_WAKEUP = 1,
	BPF_RB_FORCE_WAKEUP = 2,
	BPF_RB_AVAIL_DATA = 0,
	BPF_RB_RING_SIZE = 1,
};

static void *(*const bpf_map_lookup_elem)(void *map, const void *key) = (void *)1;
static long (*const bpf_map_update_elem)(void *map, const void *key, const void *value,
	uint64_t flags) = (void *)2;
static long (*const bpf_map_delete_elem)(void *map, const void *key) = (void *)3;
static uint64_t (*const bpf_ktime_get_ns)(void) = (void *)5;
static uint32_t (*const bpf_get_smp_processor_id)(void) = (void *)8;
/* tgid << 32 | tid, of the initial namespace */
static uint64_t (*const bpf_get_current_pid_tgid)(void) = (void *)14;
/* gid << 32 | uid, of the initial namespace */
static uint64_t (*const bpf_get_current_uid_gid)(void) = (void *)15;
static long (*const bpf_get_current_comm)(void *to, uint32_t bytes) = (void *)16;
static long (*const bpf_skb_load_bytes)(const void *skb, uint32_t offset, void *to,
	uint32_t bytes) = (void *)26;
static struct task_struct *(*const bpf_get_current_task)(void) = (void *)35;
/* If memory cannot be read, the bpf_probe_read functions set the destination to 0. */
static long (*const bpf_probe_read_user)(void *to, uint32_t bytes, const void *from) = (void *)112;
static long (*const bpf_probe_read_kernel)(void *to, uint32_t bytes, const void *from) = (void *)113;
/* Return the number of bytes with the NUL, or a negative number. */
static long (*const bpf_probe_read_user_str)(void *to, uint32_t bytes, const void *from) = (void *)114;
static long (*const bpf_probe_read_kernel_str)(void *to, uint32_t bytes, const void *from) = (void *)115;
/* Returns the address of the variable of this CPU (Linux 5.10). */
static void *(*const bpf_this_cpu_ptr)(const void *variable) = (void *)154;
/* Writes text in the format of printk, with an argument of 8 bytes for each conversion (Linux 5.13). */
static long (*const bpf_snprintf)(char *to, uint32_t size, const char *format, const void *arguments,
	uint32_t bytes) = (void *)165;
static long (*const bpf_ringbuf_output)(void *ring, const void *record, uint64_t bytes,
	uint64_t flags) = (void *)130;
static uint64_t (*const bpf_ringbuf_query)(void *ring, uint64_t what) = (void *)134;

/* Casts a pointer to the structure with this number.  A load through the result costs as much as a plain one
 * and yields 0 if the memory cannot be read (Linux 6.2). */
KFUNC const void *bpf_rdonly_cast(const void *pointer, uint32_t type);
KFUNC void bpf_rcu_read_lock(void);
KFUNC void bpf_rcu_read_unlock(void);

/* Iterator of tasks (Linux 6.7), between bpf_rcu_read_lock() and bpf_rcu_read_unlock(). */
struct bpf_iter_task {
	uint64_t opaque[3];
};
enum { BPF_TASK_ITER_ALL_PROCS = 0 }; /* the leader of each process */
KFUNC int bpf_iter_task_new(struct bpf_iter_task *it, struct task_struct *task, uint32_t flags);
KFUNC struct task_struct *bpf_iter_task_next(struct bpf_iter_task *it);
KFUNC void bpf_iter_task_destroy(struct bpf_iter_task *it);

/* --- memory shared with other CPUs and with the reader ----------------------------------- */

/* Atomic.  Does not return the previous value, which requires Linux 5.12. */
#define ADD(counter, n)      ((void)__sync_fetch_and_add(&(counter), n))
#define LOAD(variable)       (*(const volatile typeof(variable) *)&(variable))
#define STORE(variable, to)  (*(volatile typeof(variable) *)&(variable) = (to))

#define barrier()            __asm__ volatile("" ::: "memory")

static const char LICENSE[] SEC("license") = "GPL";

#endif
