// SPDX-License-Identifier: GPL-2.0-or-later
#include "coverage.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "key.h"
#include "programs.h"

/* Tasks that live at the same time, and results of calls. */
#define TASKS	 16384u
#define COUNTS	 8192u
#define INSN_MAX 128
/* Of the kernel's headers, not those of the C library. */
#define ENOTSUPP 524

/* --- opening ------------------------------------------------------------------------ */

struct program {
	const char *name, *tracepoint; /* NULL: it is run once */
	void (*emit)(struct sm_bpf_asm *a, const struct programs_maps *m);
};

static int load(
	const struct program *p, const struct programs_maps *m, struct sm_bpf_log *log)
{
	struct bpf_insn insn[INSN_MAX];
	struct sm_bpf_asm a = {.insn = insn, .cap = INSN_MAX};

	p->emit(&a, m);
	return sm_bpf_prog_load(p->name, SM_BPF_PROG_RAW_TRACEPOINT, a.insn, a.n, log);
}

static int attach(
	const struct program *p, const struct programs_maps *m, struct sm_bpf_log *log)
{
	SM_CLOSE_FD int fd = load(p, m, log);

	if (fd < 0)
		return fd;
	return p->tracepoint ? sm_bpf_attach_raw_tracepoint(p->tracepoint, fd)
			     : sm_bpf_prog_run(fd);
}

/* The mark is set when the other programs are ready to pass it on. */
static int attach_all(
	struct coverage *c, const struct programs_maps *m, struct sm_bpf_log *log)
{
	static const struct program table[COVERAGE_PROGRAMS] = {
		{"cover_fork", "sched_process_fork", programs_fork},
		{"cover_end", "sched_process_exit", programs_end},
		{"cover_enter", "sys_enter", programs_enter},
		{"cover_leave", "sys_exit", programs_leave},
	};
	static const struct program mark = {"cover_mark", NULL, programs_mark};

	for (unsigned int i = 0; i < COVERAGE_PROGRAMS; i++) {
		c->attached[i] = attach(&table[i], m, log);
		if (c->attached[i] < 0)
			return c->attached[i];
	}
	return attach(&mark, m, log);
}

/* The programs keep the map of tasks. */
static int open_all(struct coverage *c, struct sm_bpf_log *log)
{
	SM_CLOSE_FD int tasks_fd =
		sm_bpf_map_create("cover_tasks", SM_BPF_MAP_HASH, 8, 8, TASKS, 0);
	int err;

	if (tasks_fd < 0)
		return tasks_fd;
	c->counts_fd =
		sm_bpf_map_create("cover_counts", SM_BPF_MAP_HASH, 8, 8, COUNTS, 0);
	if (c->counts_fd < 0)
		return c->counts_fd;
	err = sm_bpf_array_open(&c->lost, "cover_lost", sizeof(uint64_t), 1);
	if (err)
		return err;
	return attach_all(
		c, &(struct programs_maps){tasks_fd, c->counts_fd, c->lost.fd}, log);
}

int coverage_open(struct coverage *c, struct sm_bpf_log *log)
{
	int err;

	*c = (struct coverage)COVERAGE_INIT;
	log->text[0] = '\0';
	err = open_all(c, log);
	if (err)
		coverage_close(c);
	return err == -ENOTSUPP ? -ENOTSUP : err;
}

void coverage_close(struct coverage *c)
{
	for (unsigned int i = 0; i < COVERAGE_PROGRAMS; i++)
		if (c->attached[i] >= 0)
			close(c->attached[i]);
	if (c->counts_fd >= 0)
		close(c->counts_fd);
	sm_bpf_array_close(&c->lost);
	*c = (struct coverage)COVERAGE_INIT;
}

/* --- reading ------------------------------------------------------------------------ */

struct count {
	uint64_t key, n;
};

/* By call; what has begun is the last one of each. */
static int by_key(const void *a, const void *b)
{
	const struct count *x = a, *y = b;

	return x->key < y->key ? -1 : x->key > y->key;
}

/* Sorted; the caller frees it. */
static int read_counts(int fd, struct count **counts, size_t *n)
{
	uint64_t *keys = calloc(COUNTS, sizeof(*keys));
	uint64_t *values = calloc(COUNTS, sizeof(*values));
	struct count *c = calloc(COUNTS, sizeof(*c));
	uint32_t have = COUNTS;
	int err =
		keys && values && c ? sm_bpf_map_read(fd, keys, values, &have) : -ENOMEM;

	for (uint32_t i = 0; !err && i < have; i++)
		c[i] = (struct count){keys[i], values[i]};
	if (!err)
		qsort(c, have, sizeof(*c), by_key);
	free(keys);
	free(values);
	*counts = err ? NULL : c;
	*n = err ? 0 : have;
	if (err)
		free(c);
	return err;
}

static void add(struct coverage_result *r, size_t *errors, const struct count *c)
{
	unsigned int number = key_number(c->key), result = key_result(c->key);
	struct coverage_call *call = &r->call[r->n ? r->n - 1 : 0];

	if (!r->n || call->number != number) {
		call = &r->call[r->n++];
		*call = (struct coverage_call){
			.number = number, .error = &r->errors[*errors]};
	}
	if (result == KEY_RESULT_BEGUN) {
		call->calls = c->n;
	} else if (result == 0) {
		call->ok = c->n;
	} else if (number != SYS_rt_sigreturn) {
		r->errors[(*errors)++] = (struct coverage_error){(int)result, c->n};
		call->n_errors++;
	}
}

bool coverage_exists(const struct coverage_call *c)
{
	return c->ok || c->n_errors != 1 || c->error[0].error != ENOSYS;
}

int coverage_read(const struct coverage *c, struct coverage_result *r)
{
	struct count *counts;
	size_t n, errors = 0;
	int err;

	*r = (struct coverage_result){
		.lost = __atomic_load_n((uint64_t *)c->lost.values, __ATOMIC_RELAXED)};
	err = read_counts(c->counts_fd, &counts, &n);
	if (err)
		return err;
	r->call = calloc(n + 1, sizeof(*r->call));
	r->errors = calloc(n + 1, sizeof(*r->errors));
	for (size_t i = 0; r->call && r->errors && i < n; i++)
		add(r, &errors, &counts[i]);
	free(counts);
	if (r->call && r->errors)
		return 0;
	coverage_free(r);
	return -ENOMEM;
}

void coverage_free(struct coverage_result *r)
{
	free(r->call);
	free(r->errors);
	*r = (struct coverage_result){0};
}
