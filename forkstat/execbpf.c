// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <string.h>

#include "execbpf.bpf.h"
#include "execbpf.h"

/* --- opening ----------------------------------------------------------------------- */

bool execbpf_env_name(struct execbpf_facts *facts, const char *name)
{
	unsigned char bytes[sizeof(facts->env_name)] = {0};
	unsigned char mask[sizeof(facts->env_mask)] = {0};
	size_t n = strlen(name);
	bool whole = n < sizeof(bytes);

	if (!whole)
		n = sizeof(bytes);
	memcpy(bytes, name, n);
	if (whole)
		bytes[n++] = '=';
	memset(mask, 0xff, n);
	memcpy(facts->env_name, bytes, sizeof(bytes));
	memcpy(facts->env_mask, mask, sizeof(mask));
	return whole;
}

static int open_exec(struct execbpf *b, struct sm_bpf_loader *l,
	const struct execbpf_facts *facts, size_t ring_bytes)
{
	int err = facts ? sm_bpf_loader_set(l, MAP_FACTS, facts) : 0;

	if (!err)
		err = sm_bpf_stream_open(&b->stream, l, MAP_RING, MAP_LOST, ring_bytes);
	if (err)
		return err;
	return sm_bpf_stream_attach(
		&b->stream, l, facts ? PROGRAM_FORKSTAT_EXECF : PROGRAM_FORKSTAT_EXEC);
}

/* Attaches the programs that follow the cgroup of each task. */
static int open_groups(struct execbpf *b, struct sm_bpf_loader *l)
{
	static const unsigned int programs[] = {
		PROGRAM_FORKSTAT_MOVED, PROGRAM_FORKSTAT_BORN, PROGRAM_FORKSTAT_RENAME};
	int err = sm_bpf_loader_array(l, MAP_MOVES_LOST, &b->moves_lost);

	for (size_t i = 0; i < SM_ARRAY_SIZE(programs) && !err; i++) {
		b->group_fd[i] = sm_bpf_loader_attach(l, programs[i]);
		err = b->group_fd[i] < 0 ? b->group_fd[i] : 0;
	}
	return err;
}

static int open_all(struct execbpf *b, const struct sm_root *root,
	const struct execbpf_facts *facts, size_t ring_bytes, struct sm_bpf_log *log)
{
	SM_CLEANUP(sm_bpf_loader_close) struct sm_bpf_loader l;
	int err = sm_bpf_loader_open(&l, &execbpf_bpf, root, log);

	if (!err)
		err = open_exec(b, &l, facts, ring_bytes);
	if (!err && facts && facts->order.n)
		err = open_groups(b, &l);
	return err;
}

int execbpf_open(struct execbpf *b, const struct sm_root *root,
	const struct execbpf_facts *facts, size_t ring_bytes, struct sm_bpf_log *log)
{
	int err;

	*b = (struct execbpf)EXECBPF_INIT;
	err = open_all(b, root, facts, ring_bytes, log);
	if (err)
		execbpf_close(b);
	return err;
}

uint64_t execbpf_moves_lost(const struct execbpf *b)
{
	const uint64_t *lost = b->moves_lost.values;

	return lost ? __atomic_load_n(lost, __ATOMIC_RELAXED) : 0;
}

void execbpf_close(struct execbpf *b)
{
	for (size_t i = 0; i < SM_ARRAY_SIZE(b->group_fd); i++)
		sm_base_close_fd(&b->group_fd[i]);
	sm_bpf_array_close(&b->moves_lost);
	sm_bpf_stream_close(&b->stream);
}

/* --- decoding ---------------------------------------------------------------------- */

static void parse_facts(
	const struct execbpf_raw *raw, const char *p, struct execbpf_record *out)
{
	out->cgroup = raw->cgroup;
	out->loginuid = raw->loginuid;
	out->has_loginuid = raw->has_loginuid;
	out->env_state = raw->env <= EXECBPF_ENV_SET ? raw->env : EXECBPF_ENV_UNKNOWN;
	out->env_len = strnlen(p, raw->env_len);
	out->env = out->env_len ? p : NULL;
	if (!out->env && out->env_state == EXECBPF_ENV_SET)
		out->env_state = EXECBPF_ENV_UNKNOWN;
}

static void parse_name(
	const struct execbpf_raw *raw, const char *p, struct execbpf_record *out)
{
	out->pid = (pid_t)raw->pid;
	out->time_ns = raw->time_ns;
	out->expect_len = raw->expect_len ? (size_t)raw->expect_len : 1;
	memcpy(out->comm, raw->comm, sizeof(out->comm) - 1);
	out->file_len = strnlen(p, raw->file_len);
	out->file = out->file_len ? p : NULL;
	out->args_len = raw->args_len;
	out->args = raw->args_len ? p + raw->file_len : NULL;
	out->truncated = raw->args_len > 0 && raw->args_len < raw->expect_len;
}

int execbpf_parse(const void *record, size_t len, struct execbpf_record *out)
{
	struct execbpf_raw raw;
	const char *p = record;

	memset(out, 0, sizeof(*out));
	if (len < sizeof(raw))
		return -EBADMSG;
	memcpy(&raw, p, sizeof(raw));
	p += sizeof(raw);
	len -= sizeof(raw);
	if (raw.kind != EXECBPF_EXEC ||
		(uint64_t)raw.env_len + raw.file_len + raw.args_len > len)
		return -EBADMSG;
	parse_facts(&raw, p, out);
	parse_name(&raw, p + raw.env_len, out);
	return 0;
}

static bool parse_group(const void *record, size_t len, struct execbpf_group *out)
{
	struct execbpf_group_raw raw;

	if (len < sizeof(raw))
		return false;
	memcpy(&raw, record, sizeof(raw));
	if (raw.kind != EXECBPF_MOVED && raw.kind != EXECBPF_BORN)
		return false;
	*out = (struct execbpf_group){.pid = (pid_t)raw.pid,
		.born = raw.kind == EXECBPF_BORN,
		.time_ns = raw.time_ns,
		.cgroup = raw.cgroup};
	return true;
}

struct drain {
	const struct execbpf_reader *reader;
	bool corrupt;
};

static void on_record(void *ctx, const void *record, size_t len)
{
	struct drain *d = ctx;
	const struct execbpf_reader *to = d->reader;
	struct execbpf_group g;
	struct execbpf_record r;

	if (to->names && sm_cgroup_names_add(to->names, record, len))
		return;
	if (to->group && parse_group(record, len, &g))
		to->group(to->ctx, &g);
	else if (execbpf_parse(record, len, &r) < 0)
		d->corrupt = true;
	else
		to->exec(to->ctx, &r);
}

ssize_t execbpf_drain(struct execbpf *b, const struct execbpf_reader *reader)
{
	struct drain d = {.reader = reader};
	ssize_t n = sm_bpf_ring_drain(&b->stream.ring, on_record, &d);

	return d.corrupt ? -EBADMSG : n;
}
