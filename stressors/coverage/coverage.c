// SPDX-License-Identifier: GPL-2.0-or-later
#include "coverage.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "coverage.bpf.h"
#include "key.h"

/* ENOTSUPP of the kernel's include/linux/errno.h, which no C library has. */
#define ENOTSUPP 524

/* --- opening ------------------------------------------------------------------------ */

/* Marks the current task: its children are counted. */
static int mark(struct sm_bpf_loader *l)
{
	SM_CLOSE_FD int fd = sm_bpf_loader_load(l, PROGRAM_COVER_MARK);

	return fd < 0 ? fd : sm_bpf_prog_run(fd);
}

/* The mark is set when the other programs are ready to pass it on. */
static int attach_all(struct coverage *c, struct sm_bpf_loader *l)
{
	static const unsigned int program[COVERAGE_PROGRAMS] = {PROGRAM_COVER_FORK,
		PROGRAM_COVER_END, PROGRAM_COVER_ENTER, PROGRAM_COVER_LEAVE};

	for (unsigned int i = 0; i < COVERAGE_PROGRAMS; i++) {
		c->attached[i] = sm_bpf_loader_attach(l, program[i]);
		if (c->attached[i] < 0)
			return c->attached[i];
	}
	return mark(l);
}

static int open_all(struct coverage *c, struct sm_bpf_log *log)
{
	SM_CLEANUP(sm_bpf_loader_close) struct sm_bpf_loader l;
	int err = sm_bpf_loader_open(&l, &coverage_bpf, NULL, log);

	if (!err)
		err = sm_bpf_loader_array(&l, MAP_LOST, &c->lost);
	if (err)
		return err;
	err = attach_all(c, &l);
	c->counts_fd = sm_bpf_loader_keep(&l, MAP_COVER_COUNTS);
	return err;
}

int coverage_open(struct coverage *c, struct sm_bpf_log *log)
{
	int err;

	*c = (struct coverage)COVERAGE_INIT;
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

/* Orders counts by call; of each call, the count of those that have begun is last. */
static int by_key(const void *a, const void *b)
{
	const struct count *x = a, *y = b;

	return x->key < y->key ? -1 : x->key > y->key;
}

/* Reads the counts and sorts them; the caller frees them. */
static int read_counts(int fd, struct count **counts, size_t *n)
{
	uint64_t *keys = calloc(KEY_COUNTS, sizeof(*keys));
	uint64_t *values = calloc(KEY_COUNTS, sizeof(*values));
	struct count *c = calloc(KEY_COUNTS, sizeof(*c));
	uint32_t have = KEY_COUNTS;
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
