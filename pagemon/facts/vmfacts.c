// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <string.h>

#include "base/parse.h"
#include "kernel/smaps.h"
#include "vmfacts.h"

#define KB 1024u

/* Names of lines in status up to VM_SWAP, then in smaps_rollup. */
static const char *const names[VM_KEYS] = {
	[VM_PEAK] = "VmPeak",
	[VM_SIZE] = "VmSize",
	[VM_LCK] = "VmLck",
	[VM_PIN] = "VmPin",
	[VM_HWM] = "VmHWM",
	[VM_RSS] = "VmRSS",
	[VM_RSS_ANON] = "RssAnon",
	[VM_RSS_FILE] = "RssFile",
	[VM_RSS_SHMEM] = "RssShmem",
	[VM_DATA] = "VmData",
	[VM_STK] = "VmStk",
	[VM_EXE] = "VmExe",
	[VM_LIB] = "VmLib",
	[VM_PTE] = "VmPTE",
	[VM_SWAP] = "VmSwap",
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
	return names[key];
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

/* Splits "KEY:   VALUE". */
static bool split(struct sm_str line, struct sm_str *key, struct sm_str *value)
{
	const char *colon = memchr(line.p, ':', line.n), *p, *end = line.p + line.n;

	if (!colon)
		return false;
	p = colon + 1;
	sm_parse_skip_blanks(&p, end);
	*key = (struct sm_str){line.p, (size_t)(colon - line.p)};
	*value = (struct sm_str){p, (size_t)(end - p)};
	return true;
}

/* Parses "123 kB". */
static bool parse_kb(struct sm_str value, uint64_t *bytes)
{
	const char *p = value.p, *end = value.p + value.n;
	struct sm_str unit;

	return sm_parse_u64(&p, end, bytes) && sm_parse_token(&p, end, &unit) &&
	       sm_parse_eq(unit, "kB") && !__builtin_mul_overflow(*bytes, KB, bytes);
}

/* Returns the key of a line of status; VM_KEYS: another line. */
static enum vm_key find_key(struct sm_str key)
{
	for (enum vm_key k = 0; k < VM_PSS; k++)
		if (sm_parse_eq(key, names[k]))
			return k;
	return VM_KEYS;
}

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == ' ' || c == '-';
}

/* Parses "S (sleeping)". */
static void parse_state(struct vmfacts *v, struct sm_str value)
{
	size_t n = 0;

	if (value.n < 4 || value.p[1] != ' ' || value.p[2] != '(')
		return;
	v->state = is_word(value.p[0]) ? value.p[0] : '?';
	for (const char *p = value.p + 3; p < value.p + value.n && is_word(*p); p++)
		if (n < sizeof(v->state_word) - 1)
			v->state_word[n++] = *p;
	v->state_word[n] = '\0';
}

static void parse_status_line(struct vmfacts *v, struct sm_str key, struct sm_str value)
{
	enum vm_key k;
	uint64_t n;

	if (sm_parse_eq(key, "State")) {
		parse_state(v, value);
	} else if (sm_parse_eq(key, "Threads")) {
		if (sm_parse_whole_u64(value, &n) && n <= INT64_MAX)
			v->threads = (int64_t)n;
	} else {
		k = find_key(key);
		if (k != VM_KEYS && parse_kb(value, &n))
			set(v, k, n);
	}
}

void vmfacts_parse_status(struct vmfacts *v, const char *s, size_t n)
{
	const char *end = s + n;
	struct sm_str line, key, value;

	v->known &= ROLLUP_KEYS;
	v->state = 0;
	v->state_word[0] = '\0';
	v->threads = -1;
	while (sm_parse_line(&s, end, &line))
		if (split(line, &key, &value))
			parse_status_line(v, key, value);
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

static void rate(struct vmfacts *v, uint64_t now_ns)
{
	uint64_t ns = now_ns - v->rate_from_ns;
	double s = (double)ns / (double)SM_NSEC_PER_SEC;

	if (v->rate_from_ns && ns < VM_RATE_NS)
		return;
	if (v->rate_from_ns) {
		v->minor_per_s = (double)(v->faults.minor - v->rate_from.minor) / s;
		v->major_per_s = (double)(v->faults.major - v->rate_from.major) / s;
		v->rates_known = true;
	}
	v->rate_from = v->faults;
	v->rate_from_ns = now_ns;
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
	rate(v, now_ns);
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

/* Reads status.  After the exit of its thread, it lacks the memory, which another thread
 * still has. */
static void read_status(struct vmfacts *v, struct target *t)
{
	ssize_t n = slurp(v, t, TARGET_STATUS);

	vmfacts_parse_status(v, v->file.buf, n > 0 ? (size_t)n : 0);
	if (n != -ESRCH && v->state != 'Z' && v->state != 'X')
		return;
	target_renew_thread(t);
	n = slurp(v, t, TARGET_STATUS);
	vmfacts_parse_status(v, v->file.buf, n > 0 ? (size_t)n : 0);
}

int vmfacts_read(struct vmfacts *v, struct target *t, uint64_t now_ns)
{
	int err = read_faults(v, t, now_ns);

	if (err)
		return err;
	read_status(v, t);
	return 0;
}

void vmfacts_signs(const struct vmfacts *v, struct vm_signs *signs)
{
	/* The status of a process that is exiting has no memory. */
	signs->unsure += !vm_known(v, VM_RSS);
	signs->minor = v->faults.minor;
	signs->major = v->faults.major;
	memcpy(signs->bytes, v->bytes, sizeof(signs->bytes));
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
