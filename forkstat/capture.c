// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "capture.h"
#include "execargs.h"
#include "base/file.h"
#include "proc/cpulist.h"
#include "events/tracefs.h"

/* Number of the stack pointer in sample_regs_user, from
 * arch/.../include/uapi/asm/perf_regs.h. */
#if defined(__x86_64__) || defined(__i386__)
#define PERF_REG_SP 7
#elif defined(__aarch64__)
#define PERF_REG_SP 31
#elif defined(__arm__)
#define PERF_REG_SP 13
#elif defined(__riscv)
#define PERF_REG_SP 2
#elif defined(__s390x__)
#define PERF_REG_SP 15
#elif defined(__powerpc__)
#define PERF_REG_SP 1
#endif

#define RING_MAX_BYTES (4u << 20)
#define RING_MIN_BYTES (128u << 10)
/* perf and BPF read the clock in a way that is safe in interrupts.  While the clock is
 * adjusted, it can be ahead of the connector's clock by this time, in which no task execs
 * twice. */
#define CLOCK_SLACK_NS UINT64_C(20000)
/* Records whose connector event was lost are dropped after this time. */
#define WAIT_NS	   (2 * SM_NSEC_PER_SEC)
#define WAIT_SWEEP 1024
/* Bytes that an ordinary exec, such as that of a compiler, uses in the BPF ring. */
#define BPF_RECORD_USUAL 1024

/* --- opening ----------------------------------------------------------------------- */

static void fill_attr(struct perf_event_attr *a, uint32_t id)
{
	memset(a, 0, sizeof(*a));
	a->size = sizeof(*a);
	a->type = PERF_TYPE_TRACEPOINT;
	a->config = id;
	a->sample_period = 1;
	a->sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_RAW;
	a->use_clockid = 1;
	a->clockid = CLOCK_MONOTONIC;
	/* The connector's event wakes the tool, so the rings need not. */
	a->watermark = 1;
	a->wakeup_watermark = RING_MAX_BYTES;
#ifdef PERF_REG_SP
	a->sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
	a->sample_regs_user = UINT64_C(1) << PERF_REG_SP;
	a->sample_stack_user = CAPTURE_STACK_BYTES;
#endif
}

static int find_event(const struct sm_root *root, uint32_t *id, uint32_t *filename_offset)
{
	SM_CLOSE_FD int dir = sm_tracefs_open(root);
	struct sm_tracefs_field f;
	int err;

	if (dir < 0)
		return dir;
	err = sm_tracefs_event_id(root, dir, "sched", "sched_process_exec", id);
	if (!err)
		err = sm_tracefs_field(
			root, dir, "sched", "sched_process_exec", "filename", &f);
	if (err)
		return err;
	*filename_offset = f.offset;
	return f.data_loc ? 0 : -ENOENT;
}

static int open_cpu(
	struct capture *c, struct perf_event_attr *a, unsigned int cpu, size_t bytes)
{
	int fd = sm_perf_event_open(a, -1, (int)cpu, -1, PERF_FLAG_FD_CLOEXEC);
	int err;

	if (fd == -ENODEV) /* the CPU went offline */
		return 0;
	if (fd < 0)
		return fd;
	err = sm_perf_ring_map(&c->rings[c->nrings], fd, bytes);
	if (err) {
		close(fd);
		return err;
	}
	c->ring_bytes += c->rings[c->nrings].data_bytes;
	c->nrings++;
	return 0;
}

static void close_rings(struct capture *c)
{
	for (unsigned int i = 0; i < c->nrings; i++)
		sm_perf_ring_close(&c->rings[i]);
	c->nrings = 0;
	c->ring_bytes = 0;
}

static int open_all(
	struct capture *c, uint32_t id, const struct sm_cpulist *l, size_t bytes)
{
	struct perf_event_attr a;
	int err = 0;

	fill_attr(&a, id);
	for (unsigned int i = 0; !err && i < l->n; i++)
		if (l->online[i])
			err = open_cpu(c, &a, i, bytes);
	if (err)
		close_rings(c);
	return err;
}

/* Opens rings of equal size, because RLIMIT_MEMLOCK limits their sum. */
static int open_rings_of(struct capture *c, uint32_t id, const struct sm_cpulist *l,
	unsigned int online, size_t total_bytes)
{
	size_t bytes = RING_MAX_BYTES;
	int err;

	c->rings = calloc(online ? online : 1, sizeof(*c->rings));
	if (!c->rings)
		return -ENOMEM;
	while (bytes > RING_MIN_BYTES && bytes * online > total_bytes)
		bytes /= 2;
	do
		err = open_all(c, id, l, bytes);
	while ((err == -EPERM || err == -ENOMEM) && (bytes /= 2) >= RING_MIN_BYTES);
	return err;
}

static int open_rings(
	struct capture *c, const struct sm_root *root, uint32_t id, size_t total_bytes)
{
	struct sm_cpulist l;
	int err = sm_cpulist_open(&l, root);

	if (!err)
		err = sm_cpulist_read(&l);
	if (err >= 0)
		err = open_rings_of(c, id, &l, (unsigned int)err, total_bytes);
	sm_cpulist_close(&l);
	return err;
}

static size_t cpus(void)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);

	return n > 0 ? (size_t)n : 1;
}

size_t capture_bpf_bytes(size_t ring_bytes)
{
	size_t bytes = cpus() * CAPTURE_BPF_BYTES, p = 4096;

	if (ring_bytes || bytes > CAPTURE_BPF_MAX_BYTES)
		bytes = ring_bytes ? ring_bytes : CAPTURE_BPF_MAX_BYTES;
	while (p <= bytes / 2)
		p *= 2;
	return p;
}

static int open_bpf(struct capture *c, const struct sm_root *root,
	const struct execbpf_facts *facts, size_t ring_bytes, struct sm_bpf_log *log)
{
	c->way = CAPTURE_BPF;
	c->ring_bytes = capture_bpf_bytes(ring_bytes);
	c->groups.followed = facts && facts->order.n;
	return execbpf_open(&c->bpf, root, facts, c->ring_bytes, log);
}

static int open_perf(struct capture *c, const struct sm_root *root, size_t ring_bytes)
{
	uint32_t id;
	int err = find_event(root, &id, &c->filename_offset);

	c->way = CAPTURE_PERF;
	c->ring_bytes = 0;
	if (err)
		return err;
	return open_rings(c, root, id, ring_bytes ? ring_bytes : CAPTURE_RINGS_BYTES);
}

static int open_way(struct capture *c, const struct sm_root *root,
	const struct execbpf_facts *facts, enum capture_way way, size_t ring_bytes,
	struct sm_bpf_log *log)
{
	if (way != CAPTURE_PERF)
		c->bpf_error = open_bpf(c, root, facts, ring_bytes, log);
	if (way == CAPTURE_BPF || (way == CAPTURE_AUTO && !c->bpf_error))
		return c->bpf_error;
	return open_perf(c, root, ring_bytes);
}

int capture_open(struct capture *c, const struct sm_root *root,
	struct sm_tasktable *procs, const struct execbpf_facts *facts,
	enum capture_way way, size_t ring_bytes, struct sm_bpf_log *log)
{
	int err;

	memset(c, 0, sizeof(*c));
	log->text[0] = '\0';
	c->procs = procs;
	err = sm_map_init(&c->waiting, 256);
	if (!err)
		err = groups_init(&c->groups, procs->names);
	if (!err)
		err = open_way(c, root, facts, way, ring_bytes, log);
	if (err)
		capture_close(c);
	return err;
}

uint64_t capture_room(const struct capture *c)
{
	if (c->way == CAPTURE_BPF)
		return c->ring_bytes / 2 / BPF_RECORD_USUAL / cpus();
	return c->nrings ? c->rings[0].data_bytes / (CAPTURE_STACK_BYTES + 512) : 0;
}

uint64_t capture_moves_lost(const struct capture *c)
{
	return c->way == CAPTURE_BPF ? execbpf_moves_lost(&c->bpf) : 0;
}

/* --- records ----------------------------------------------------------------------- */

void capture_done(struct capture *c, struct exec_record *r)
{
	sm_strpool_put(c->procs->names, r->cmd);
	sm_strpool_put(c->procs->names, r->file);
	sm_strpool_put(c->procs->names, r->facts.cgroup);
	sm_strpool_put(c->procs->names, r->facts.env);
	free(r);
}

static void drop_chain(struct capture *c, struct exec_record *r)
{
	struct exec_record *older;

	for (; r; r = older) {
		older = r->older;
		capture_done(c, r);
	}
}

/* Drops records whose events were lost.  Events arrive in order, so a record that is much
 * older than the newest event is stale, however late the reader is. */
static void sweep(struct capture *c)
{
	const struct exec_record *r;

	for (size_t i = 0; i < c->waiting.cap; i++)
		while ((r = c->waiting.slots[i].val) &&
			r->time_ns + WAIT_NS < c->asked_ns)
			drop_chain(c, sm_map_del(&c->waiting, (uint64_t)r->pid));
}

static void wait_for_event(struct capture *c, struct exec_record *r)
{
	r->time_ns += (uint64_t)c->clock_offset_ns;
	r->older = sm_map_get(&c->waiting, (uint64_t)r->pid);
	if (sm_map_put(&c->waiting, (uint64_t)r->pid, r) < 0) {
		capture_done(c, r);
		return;
	}
	if (c->waiting.used >= WAIT_SWEEP && c->waiting.used % WAIT_SWEEP == 0)
		sweep(c);
}

bool capture_lacks(const struct capture *c, pid_t pid)
{
	const struct exec_record *r = sm_map_get(&c->waiting, (uint64_t)pid);

	if (!r)
		return true;
	while (r && r->cmd && !(r->cmd->tag & SM_NAME_TRUNCATED))
		r = r->older;
	return r != NULL;
}

struct exec_record *capture_take(struct capture *c, pid_t pid, uint64_t time_ns)
{
	struct exec_record *newest = sm_map_get(&c->waiting, (uint64_t)pid);
	struct exec_record **link = &newest, *r;

	if (time_ns > c->asked_ns)
		c->asked_ns = time_ns;
	while (*link && (*link)->time_ns > time_ns + CLOCK_SLACK_NS)
		link = &(*link)->older;
	r = *link;
	if (!r)
		return NULL;
	*link = NULL; /* older records belong to events that were lost */
	drop_chain(c, r->older);
	r->older = NULL;
	if (!newest)
		sm_map_del(&c->waiting, (uint64_t)pid);
	return r;
}

/* --- decoding ---------------------------------------------------------------------- */

/* Reads the body of a sample sequentially, in the order given in perf_event_open(2). */
struct reader {
	const unsigned char *p, *end;
};

static bool get(struct reader *r, void *out, size_t n)
{
	if ((size_t)(r->end - r->p) < n)
		return false;
	memcpy(out, r->p, n);
	r->p += n;
	return true;
}

static const unsigned char *skip(struct reader *r, uint64_t n)
{
	const unsigned char *at = r->p;

	if ((uint64_t)(r->end - r->p) < n)
		return NULL;
	r->p += n;
	return at;
}

/* Stores the file name of a record whose expect_len is known. */
static void set_file(
	struct capture *c, struct exec_record *r, const char *file, size_t len)
{
	r->file = sm_tasktable_intern(c->procs, file, len,
		SM_NAME_FILE | (r->expect_len == 1 ? SM_NAME_EMPTY : 0));
}

static void set_raw_file(
	struct capture *c, struct exec_record *r, const unsigned char *raw, uint32_t n)
{
	uint32_t loc;
	size_t off, len;

	if (n < 4 || c->filename_offset > n - 4)
		return;
	memcpy(&loc, raw + c->filename_offset, 4);
	off = loc & 0xffff;
	len = loc >> 16;
	if (off > n || len > n - off)
		return;
	set_file(c, r, (const char *)raw + off, strnlen((const char *)raw + off, len));
}

static void set_cmd(struct capture *c, struct exec_record *r, const char *args,
	size_t len, bool truncated)
{
	/* An empty argv[0] alone names nothing. */
	if (args && (truncated ? len > 0 : len > 1))
		r->cmd = sm_tasktable_intern(c->procs, args, len,
			SM_NAME_EXEC | (truncated ? SM_NAME_TRUNCATED : 0));
}

static void arguments(struct capture *c, struct exec_record *r, struct reader *in)
{
	uint64_t abi, sp, size, dyn;
	const unsigned char *dump;
	struct execargs a;

	/* If perf cannot dump stacks on this architecture, the sample ends here. */
	if (!get(in, &abi, 8) || abi == PERF_SAMPLE_REGS_ABI_NONE || !get(in, &sp, 8))
		return;
	if (!get(in, &size, 8) || size == 0)
		return;
	dump = skip(in, size);
	if (!dump || !get(in, &dyn, 8) || dyn > size)
		return;
	if (execargs_parse(dump, (size_t)dyn, sp, abi == PERF_SAMPLE_REGS_ABI_64, &a) < 0)
		return;
	r->expect_len = a.expect_len;
	set_cmd(c, r, a.args, a.len, a.truncated);
}

void capture_sample(struct capture *c, const unsigned char *body, size_t len)
{
	struct reader in = {body, body + len};
	struct exec_record *r = calloc(1, sizeof(*r));
	const unsigned char *raw;
	uint32_t ids[2], raw_len;

	if (!r)
		return;
	if (!get(&in, ids, 8) || !get(&in, &r->time_ns, 8) || !get(&in, &raw_len, 4)) {
		capture_done(c, r);
		return;
	}
	r->pid = (pid_t)ids[0];
	raw = skip(&in, raw_len);
	if (raw) {
		arguments(c, r, &in);
		set_raw_file(c, r, raw, raw_len);
	}
	wait_for_event(c, r);
}

static void set_facts(
	struct capture *c, struct exec_facts *f, const struct execbpf_record *e)
{
	f->cgroup = sm_strpool_ref(sm_cgroup_names_get(&c->groups.names, e->cgroup));
	f->loginuid = e->loginuid;
	f->has_loginuid = e->has_loginuid;
	f->env_state = (uint8_t)e->env_state;
	if (e->env)
		f->env = sm_strpool_get(c->procs->names, e->env, e->env_len, 0);
}

void capture_exec(void *ctx, const struct execbpf_record *e)
{
	struct capture *c = ctx;
	struct exec_record *r = calloc(1, sizeof(*r));

	if (!r)
		return;
	r->pid = e->pid;
	r->time_ns = e->time_ns;
	r->expect_len = e->expect_len;
	memcpy(r->comm, e->comm, sizeof(r->comm));
	if (e->file)
		set_file(c, r, e->file, e->file_len);
	set_cmd(c, r, e->args, e->args_len, e->truncated);
	set_facts(c, &r->facts, e);
	wait_for_event(c, r);
}

static void on_group(void *ctx, const struct execbpf_group *g)
{
	struct capture *c = ctx;

	groups_note(&c->groups, g, c->clock_offset_ns);
}

static void on_record(
	void *ctx, const struct perf_event_header *h, const void *body, size_t len)
{
	if (h->type == PERF_RECORD_SAMPLE)
		capture_sample(ctx, body, len);
}

/* An exec has no record if the ring was full or the record is corrupt. */
void capture_drain(struct capture *c)
{
	const struct execbpf_reader reader = {.names = &c->groups.names,
		.exec = capture_exec,
		.group = on_group,
		.ctx = c};

	if (c->way == CAPTURE_BPF)
		(void)!execbpf_drain(&c->bpf, &reader);
	for (unsigned int i = 0; i < c->nrings; i++)
		if (sm_perf_ring_ready(&c->rings[i]))
			(void)!sm_perf_ring_drain(&c->rings[i], on_record, c);
}

void capture_close(struct capture *c)
{
	struct exec_record *r;

	if (c->way == CAPTURE_BPF)
		execbpf_close(&c->bpf);
	close_rings(c);
	free(c->rings);
	for (size_t i = 0; c->waiting.slots && (r = sm_map_next(&c->waiting, &i));)
		drop_chain(c, r);
	sm_map_fini(&c->waiting);
	groups_fini(&c->groups);
	*c = (struct capture){.bpf_error = c->bpf_error};
}
