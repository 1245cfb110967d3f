// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <string.h>

#include "base/parse.h"
#include "proc/smaps.h"
#include "vmfacts.h"

#define KB 1024u

/* Names in smaps_rollup. */
static const char *const names[VM_KEYS] = {
	[VM_PSS] = "Pss",
	[VM_PSS_ANON] = "Pss_Anon",
	[VM_PSS_FILE] = "Pss_File",
	[VM_PSS_SHMEM] = "Pss_Shmem",
	[VM_USS] = "Uss",
	[VM_SWAP_PSS] = "SwapPss",
	[VM_LOCKED] = "Locked",
};

static const struct {
	enum vm_key key;
	enum sm_smaps_figure figure;
} rollup[] = {
	{VM_PSS, SM_SMAPS_PSS},
	{VM_PSS_ANON, SM_SMAPS_PSS_ANON},
	{VM_PSS_FILE, SM_SMAPS_PSS_FILE},
	{VM_PSS_SHMEM, SM_SMAPS_PSS_SHMEM},
	{VM_SWAP_PSS, SM_SMAPS_SWAP_PSS},
	{VM_LOCKED, SM_SMAPS_LOCKED},
};

#define ROLLUP_KEYS (~UINT64_C(0) << VM_PSS)

const char *vm_name(enum vm_key key)
{
	return key < VM_KEYS && names[key]
		       ? names[key]
		       : sm_pidstatus_name((enum sm_pidstatus_key)key);
}

void vmfacts_init(struct vmfacts *v)
{
	*v = (struct vmfacts){.threads = -1, .oom_score = -1, .file = SM_FILE_INIT};
}

void vmfacts_fini(struct vmfacts *v)
{
	v->file.fd = -1; /* it belongs to the target */
	sm_file_close(&v->file);
	sm_buf_fini(&v->line);
}

static void set(struct vmfacts *v, enum vm_key key, uint64_t bytes)
{
	v->bytes[key] = bytes;
	v->known |= UINT64_C(1) << key;
}

static void set_figure(struct vmfacts *v, enum vm_key key, const struct sm_smaps *s,
	enum sm_smaps_figure figure)
{
	uint64_t kb;

	if (sm_smaps_get(s, figure, &kb) == 0 && kb <= UINT64_MAX / KB)
		set(v, key, kb * KB);
}

static void set_rollup(struct vmfacts *v, const struct sm_smaps *s)
{
	uint64_t kb;

	v->known &= ~ROLLUP_KEYS;
	for (size_t i = 0; i < SM_ARRAY_SIZE(rollup); i++)
		set_figure(v, rollup[i].key, s, rollup[i].figure);
	if (sm_smaps_uss(s, &kb) == 0 && kb <= UINT64_MAX / KB)
		set(v, VM_USS, kb * KB);
}

/* Reads a file of the target into v->file. */
static ssize_t slurp(struct vmfacts *v, const struct target *t, enum target_file f)
{
	ssize_t n;

	if (t->fd[f] < 0)
		return t->err[f] ? t->err[f] : -EBADF;
	v->file.fd = t->fd[f];
	n = sm_file_read(&v->file);
	v->file.fd = -1;
	return n;
}

void vm_rate_add(struct vm_rate *r, uint64_t count, uint64_t now_ns)
{
	uint64_t ns = now_ns - r->from_ns;

	if (r->from_ns && ns < VM_RATE_NS)
		return;
	r->known = r->from_ns != 0;
	if (r->known)
		r->per_s = (double)(count - r->from) /
			   ((double)ns / (double)SM_NSEC_PER_SEC);
	r->from = count;
	r->from_ns = now_ns;
}

static int read_faults(struct vmfacts *v, struct target *t, uint64_t now_ns)
{
	struct sm_pidstat st = {.pid = 0};
	ssize_t n = slurp(v, t, TARGET_STAT);
	int err = n < 0 ? (int)n : sm_procpid_parse_stat(v->file.buf, (size_t)n, &st);

	if (err)
		return err;
	v->faults = (struct vm_faults){st.minflt, st.majflt};
	v->faults_known = true;
	t->stat = st; /* a process can change its name at any time */
	vm_rate_add(&v->minor, st.minflt, now_ns);
	vm_rate_add(&v->major, st.majflt, now_ns);
	return 0;
}

/* Reads oom_score: one number and a newline. */
static void read_oom_score(struct vmfacts *v, const struct target *t)
{
	ssize_t n = slurp(v, t, TARGET_OOM_SCORE);
	const char *p = v->file.buf;
	int64_t score;

	v->oom_score = -1;
	if (n > 0 && sm_parse_i64(&p, p + n, &score) && score >= 0)
		v->oom_score = score;
}

static ssize_t read_status(struct vmfacts *v, const struct target *t)
{
	ssize_t n = slurp(v, t, TARGET_STATUS);
	struct sm_pidstatus st;

	sm_pidstatus_parse(&st, v->file.buf, n > 0 ? (size_t)n : 0);
	v->known = (v->known & ROLLUP_KEYS) | st.known;
	memcpy(v->bytes, st.bytes, sizeof(st.bytes));
	memcpy(v->state_word, st.state_word, sizeof(v->state_word));
	v->state = st.state;
	v->threads = st.threads;
	return n;
}

/* After the exit of its thread, status lacks the memory, which another thread still has.
 */
static void read_living_status(struct vmfacts *v, struct target *t)
{
	if (read_status(v, t) != -ESRCH && v->state != 'Z' && v->state != 'X')
		return;
	target_renew_thread(t);
	(void)read_status(v, t);
}

int vmfacts_read(struct vmfacts *v, struct target *t, uint64_t now_ns)
{
	int err = read_faults(v, t, now_ns);

	if (err)
		return err;
	read_living_status(v, t);
	return 0;
}

void vmfacts_activity(const struct vmfacts *v, struct vm_activity *activity)
{
	/* The status of a process that is exiting has no memory. */
	activity->unsure += !vm_known(v, VM_RSS);
	activity->minor = v->faults.minor;
	activity->major = v->faults.major;
	memcpy(activity->bytes, v->bytes, sizeof(activity->bytes));
}

int vmfacts_read_rollup(struct vmfacts *v, const struct target *t)
{
	int fd = t->fd[TARGET_ROLLUP], err;
	struct sm_smaps sums;

	read_oom_score(v, t);
	if (fd < 0)
		err = t->err[TARGET_ROLLUP] ? t->err[TARGET_ROLLUP] : -EBADF;
	else
		err = sm_smaps_read_rollup(fd, &v->line, &sums);
	if (err)
		v->known &= ~ROLLUP_KEYS;
	else
		set_rollup(v, &sums);
	return err;
}

void vmfacts_forget(struct vmfacts *v)
{
	v->known &= ~ROLLUP_KEYS;
}
