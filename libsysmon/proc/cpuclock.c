// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "proc/cpuclock.h"
#include "base/parse.h"

/* Call with 64-bit seconds on all 32-bit architectures (Linux 5.1). */
#if !defined(SYS_clock_gettime64) && __SIZEOF_LONG__ == 4 && !defined(__x86_64__)
#define SYS_clock_gettime64 403
#endif
#ifdef SYS_clock_gettime64
#define NR_GETTIME SYS_clock_gettime64
#else
#define NR_GETTIME SYS_clock_gettime
#endif

/* include/linux/threads.h; PIDs above 2^28 would overlap the bits of other clocks */
#define PID_MAX_LIMIT 4194304

/* struct __kernel_timespec of include/uapi/linux/time_types.h */
struct kernel_timespec {
	int64_t sec, nsec;
};

/* Avoids libc, which first calls the vdso, where these clocks do not exist. */
int sm_cpuclock_ns(pid_t pid, uint64_t *out)
{
	struct kernel_timespec t;

	if (pid <= 0 || pid > PID_MAX_LIMIT) /* 0 is the caller */
		return -ESRCH;
	if (syscall(NR_GETTIME, sm_cpuclock_id(pid), &t) < 0)
		return errno == EINVAL ? -ESRCH : -errno;
	*out = (uint64_t)t.sec * SM_NSEC_PER_SEC + (uint64_t)t.nsec;
	return 0;
}

/* True if root's /proc shows the caller's PID namespace. */
static bool same_pids(const struct sm_root *root)
{
	char buf[16];
	uint64_t pid;
	ssize_t n;

	n = readlinkat(root->proc.fd, "self", buf, sizeof(buf));
	if (n <= 0 || !sm_parse_whole_u64((struct sm_str){buf, (size_t)n}, &pid))
		return false;
	return pid == (uint64_t)getpid();
}

bool sm_cpuclock_usable(const struct sm_root *root)
{
	pid_t other = getppid();
	uint64_t ns;

	if (!root->live || !root->real_proc || !same_pids(root))
		return false;
	return sm_cpuclock_ns(other > 0 ? other : 1, &ns) == 0;
}
