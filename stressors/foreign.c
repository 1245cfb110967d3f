// SPDX-License-Identifier: GPL-2.0-or-later
#include "foreign.h"

#include <string.h>

#include "list.h"

/* --- options without an effect ------------------------------------------------------ */

static const struct {
	const char *name, *arg;
	char letter;
	bool always; /* this program always does it */
} without_effect[] = {
	{"autotune", NULL, 0, false},
	{"backoff", "N", 'b', false},
	{"c-states", NULL, 0, false},
	{"change-cpu", NULL, 0, false},
	{"fork-vm", NULL, 0, false},
	{"ftrace", NULL, 0, false},
	{"ignite-cpu", NULL, 0, false},
	{"interrupts", NULL, 0, false},
	{"iostat", "N", 0, false},
	{"keep-files", NULL, 0, false},
	{"klog-check", NULL, 0, false},
	{"log-brief", NULL, 0, false},
	{"log-lockless", NULL, 0, false},
	{"max-fd", "N", 0, false},
	{"no-madvise", NULL, 0, true},
	{"no-oom-adjust", NULL, 0, false},
	{"oom-avoid", NULL, 0, true},
	{"oom-avoid-bytes", "SIZE", 0, false},
	{"oom-no-child", NULL, 0, false},
	{"page-in", NULL, 0, false},
	{"randprocname", NULL, 0, false},
	{"settings", NULL, 0, false},
	{"skip-silent", NULL, 0, false},
	{"smart", NULL, 0, false},
	{"sn", NULL, 0, false},
	{"stderr", NULL, 0, false},
	{"stdout", NULL, 0, true},
	{"sync-start", NULL, 0, false},
	{"syslog", NULL, 0, false},
	{"taskset-random", NULL, 0, false},
	{"thrash", NULL, 0, false},
	{"vmstat", "N", 0, false},
};

size_t foreign_count(void)
{
	return SM_ARRAY_SIZE(without_effect);
}

void foreign_fill(struct sm_opt *rows, int (*call)(void *cfg, const struct sm_opt *o,
					       const char *arg, struct sm_buf *why))
{
	for (size_t i = 0; i < SM_ARRAY_SIZE(without_effect); i++)
		rows[i] = (struct sm_opt){.letter = without_effect[i].letter,
			.name = without_effect[i].name,
			.kind = SM_OPT_CALL,
			.arg = without_effect[i].arg,
			.hidden = true,
			.call_row = call};
}

bool foreign_is_remarkable(const char *option)
{
	for (size_t i = 0; i < SM_ARRAY_SIZE(without_effect); i++)
		if (strcmp(without_effect[i].name, option) == 0)
			return !without_effect[i].always;
	return true;
}

/* --- stressors and options that do not exist here ----------------------------------- */

static const char stressors[] =
	"access acl af-alg affinity aio aiol alarm apparmor atomic bad-altstack "
	"bad-ioctl bigheap bind-mount binderfs bitonicsort branch brk bsearch "
	"cache cacheline cap chattr chdir chmod chown chroot clock clone close "
	"context copy-file cpu cpu-online cpu-sched crypt cyclic daemon dccp "
	"dekker dentry dev dev-shm dfp dir dirdeep dirmany dnotify dup dynlib "
	"efivar eigen enosys env epoll eventfd exec exit-group expmath factor "
	"fallocate fanotify far-branch fault fcntl fiemap fifo file-ioctl "
	"filename flock flushcache fork forkheavy fp fp-error fpunch fractal "
	"fsize fstat full funccall funcret futex get getdent getrandom goto gpu "
	"handle hash hdd heapsort hrtimers hsearch icache icmp-flood idle-page "
	"inode-flags inotify insertionsort intmath io io-uring iomix ioport "
	"ioprio ipsec-mb itimer jpeg judy kcmp key kill klog kvm l1cache "
	"landlock lease link list llc-affinity loadavg locka lockbus lockf "
	"lockofd logmath longjmp loop lsearch lsm madvise malloc matrix "
	"matrix-3d mcontend membarrier memcpy memfd memhotplug memrate "
	"memthrash mergesort metamix min-nanosleep mincore misaligned mknod "
	"mlock mlockmany mmap mmapaddr mmapcow mmapfiles mmapfixed mmapfork "
	"mmaphuge mmapmany mmaprandom mmaptorture monte-carlo mpfr mprotect mq "
	"mremap mseal msg msync msyncmany mtx munmap mutex nanosleep netdev "
	"netlink-proc netlink-task nice nop null numa oom-pipe opcode open "
	"pagemove pageswap pci personality peterson physmmap physpage pidfd "
	"ping-sock pipe pipeherd pkey plugin poll powmath prctl prefetch "
	"prio-inv priv-instr procfs pthread ptr-chase ptrace pty qsort quota "
	"race-sched radixsort ramfs randlist rawdev rawpkt rawsock rawudp "
	"rdrand readahead reboot regex regs remap rename resched resources "
	"revio ring-pipe rlimit rmap rotate rseq rtc schedpolicy sctp seal "
	"seccomp secretmem seek sem sem-sysv sendfile session set shellsort shm "
	"shm-sysv sigabrt sigbus sigchld sigfd sigfpe sighup sigill sigio "
	"signal signest sigpending sigpipe sigq sigrt sigsegv sigsuspend "
	"sigtrap sigurg sigvtalrm sigxcpu sigxfsz skiplist sleep smi sock "
	"sockabuse sockdiag sockfd sockmany sockpair softlockup sparsematrix "
	"spawn spinmem splice stack stackmmap str stream swap switch symlink "
	"sync-file syncload sysbadaddr syscall sysfs sysinfo sysinval tee timer "
	"timerfd tlb-shootdown tmpfs touch tree trig tsc tsearch tun udp "
	"udp-flood umask umount unlink unshare uprobe urandom userfaultfd "
	"usersyscall utime vdso veccmp vecfp vecmath vecshuf vecwide verity "
	"vfork vforkmany vm vm-addr vm-rw vm-segv vm-splice vma wait waitcpu "
	"watchdog wcs workload x86cpuid x86syscall xattr yield zero zlib zombie";

static const char general[] =
	"config permute resctrl sched-deadline sched-period sched-reclaim "
	"sched-runtime stressor-time";

static const struct {
	char letter;
	const char *stressor;
} letters[] = {{'B', "bigheap"}, {'C', "cache"}, {'D', "dentry"}, {'d', "hdd"},
	{'F', "fallocate"}, {'i', "io"}, {'o', "open"}, {'P', "poll"}, {'Q', "qsort"},
	{'R', "rename"}, {'S', "sock"}, {'T', "timer"}, {'u', "urandom"}, {'y', "yield"}};

bool foreign_is_in(const char *list, struct sm_str name)
{
	while (*list) {
		size_t n = strcspn(list, " ");

		if (n == name.n && memcmp(list, name.p, n) == 0)
			return true;
		list += n + (list[n] == ' ');
	}
	return false;
}

bool foreign_stressor(struct sm_str name)
{
	return foreign_is_in(stressors, name);
}

void foreign_lacks(struct sm_str name, struct sm_buf *why)
{
	sm_buf_printf(why,
		"stressor %.*s of stress-ng does not exist here (--stressors lists those "
		"that do)",
		(int)name.n, name.p);
}

/* Returns the longest name of a stressor, of this program or of stress-ng, that the
 * option begins with; n is 0 if there is no such name. */
static struct sm_str stressor_of(struct sm_str option)
{
	struct sm_str s = option;

	while (s.n > 0) {
		bool ends = s.n == option.n || option.p[s.n] == '-';

		if (ends && (foreign_stressor(s) || list_find(s.p, s.n)))
			break;
		s.n--;
	}
	return s;
}

static const char *stressor_of_letter(char letter)
{
	for (size_t i = 0; i < SM_ARRAY_SIZE(letters); i++)
		if (letters[i].letter == letter)
			return letters[i].stressor;
	return NULL;
}

static bool letter(char c, struct sm_buf *why)
{
	const char *name = stressor_of_letter(c);

	if (!name)
		return false;
	if (list_find(name, strlen(name)))
		sm_buf_printf(why, "use --%s", name);
	else
		foreign_lacks((struct sm_str){name, strlen(name)}, why);
	return true;
}

bool foreign_option(struct sm_str name, struct sm_buf *why)
{
	struct sm_str s;

	if (name.n == 1)
		return letter(*name.p, why);
	if (foreign_is_in(general, name)) {
		sm_buf_str(why, "this option of stress-ng does not exist here");
		return true;
	}
	s = stressor_of(name);
	if (!s.n || list_find(s.p, s.n))
		return false;
	foreign_lacks(s, why);
	return true;
}
