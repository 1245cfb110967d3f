// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "bpf/bpf_object.h"
#include "bpf/vmlinux.h"

/* Headers before Linux 5.10 and 5.13 lack these. */
#define SM_BPF_PSEUDO_BTF_ID	 3
#define SM_BPF_PSEUDO_KFUNC_CALL 2

/* --- the kernel's types ------------------------------------------------------------ */

/* True if the member may be missing, because HAS() tests for it. */
static bool may_lack(const struct sm_bpf_object *o, unsigned int member)
{
	for (unsigned int i = 0; i < o->fixups; i++)
		if (o->fixup[i].kind == SM_BPF_EXISTS && o->fixup[i].index == member)
			return true;
	return false;
}

static int find_member(struct sm_bpf_loader *l, const struct sm_btf *b, unsigned int i)
{
	const struct sm_bpf_object *o = l->object;
	struct sm_btf_member m = {.structure = o->names + o->member[i].structure,
		.name = o->names + o->member[i].name,
		.size = o->member[i].bytes};
	int err = sm_btf_find(b, &m);

	l->offset[i] = m.offset;
	l->exists[i] = err == 0;
	return err == -ENOENT && may_lack(o, i) ? 0 : err;
}

static uint32_t kinds_of(const struct sm_bpf_symbol *s)
{
	if (s->kind == SM_BPF_TYPE)
		return SM_BTF_STRUCT;
	return SM_BTF_FUNCTION | (s->kind == SM_BPF_SYMBOL ? SM_BTF_VARIABLE : 0);
}

/* Finds the numbers of the symbols. */
static int find_symbols(struct sm_bpf_loader *l, const struct sm_btf *b)
{
	const struct sm_bpf_object *o = l->object;
	struct sm_btf_name symbol[SM_BPF_SYMBOLS_MAX];
	int err;

	for (unsigned int i = 0; i < o->symbols; i++)
		symbol[i] = (struct sm_btf_name){.name = o->names + o->symbol[i].name,
			.kinds = kinds_of(&o->symbol[i])};
	err = sm_btf_ids(b, symbol, o->symbols);
	for (unsigned int i = 0; i < o->symbols && !err; i++) {
		l->symbol[i] = symbol[i].id;
		if (!symbol[i].id && o->symbol[i].kind != SM_BPF_SYMBOL)
			err = -ENOENT;
	}
	return err;
}

static int find_types(const struct sm_btf *b, void *ctx)
{
	struct sm_bpf_loader *l = ctx;
	int err = 0;

	l->btf = true;
	for (unsigned int i = 0; i < l->object->members && !err; i++)
		err = find_member(l, b, i);
	return err ? err : find_symbols(l, b);
}

int sm_bpf_loader_open(struct sm_bpf_loader *l, const struct sm_bpf_object *o,
	const struct sm_root *root, struct sm_bpf_log *log)
{
	*l = (struct sm_bpf_loader){.object = o, .log = log};
	if (log)
		log->text[0] = '\0';
	for (unsigned int i = 0; i < SM_BPF_MAPS_MAX; i++)
		l->map_fd[i] = -1;
	return o->members || o->symbols ? sm_vmlinux_read(root, find_types, l) : 0;
}

/* --- maps -------------------------------------------------------------------------- */

static int make_map(struct sm_bpf_loader *l, unsigned int map)
{
	const struct sm_bpf_map *m = &l->object->map[map];

	return sm_bpf_map_create(l->object->names + m->name, m->type, m->key_bytes,
		m->value_bytes, l->entries[map] ? l->entries[map] : m->entries, m->flags);
}

int sm_bpf_loader_map(struct sm_bpf_loader *l, unsigned int map)
{
	if (l->map_fd[map] < 0)
		l->map_fd[map] = make_map(l, map);
	return l->map_fd[map];
}

void sm_bpf_loader_lend(struct sm_bpf_loader *l, unsigned int map, int fd)
{
	l->map_fd[map] = fd;
	l->lent[map] = true;
}

int sm_bpf_loader_keep(struct sm_bpf_loader *l, unsigned int map)
{
	l->lent[map] = true;
	return l->map_fd[map];
}

int sm_bpf_loader_array(struct sm_bpf_loader *l, unsigned int map, struct sm_bpf_array *a)
{
	const struct sm_bpf_map *m = &l->object->map[map];
	int fd = sm_bpf_loader_map(l, map);

	if (fd < 0)
		return fd;
	return sm_bpf_array_map(
		a, fd, m->value_bytes, l->entries[map] ? l->entries[map] : m->entries);
}

int sm_bpf_loader_set(struct sm_bpf_loader *l, unsigned int map, const void *value)
{
	int fd = sm_bpf_loader_map(l, map);

	return fd < 0 ? fd : sm_bpf_map_fix(fd, value);
}

/* --- programs ---------------------------------------------------------------------- */

/* Loads and stores have the offset of a member in `off`, other instructions in `imm`. */
static int put_offset(struct bpf_insn *insn, uint32_t offset)
{
	unsigned int class = BPF_CLASS(insn->code);

	if (class != BPF_LDX && class != BPF_ST && class != BPF_STX) {
		insn->imm = (int32_t)offset;
		return 0;
	}
	if (offset > INT16_MAX)
		return -E2BIG;
	insn->off = (int16_t)offset;
	return 0;
}

static int put_map(struct sm_bpf_loader *l, struct bpf_insn *insn, unsigned int kind,
	unsigned int map)
{
	int fd = sm_bpf_loader_map(l, map);

	if (fd < 0)
		return fd;
	insn->src_reg = kind == SM_BPF_MAP ? BPF_PSEUDO_MAP_FD : BPF_PSEUDO_MAP_VALUE;
	insn->imm = fd;
	return 0;
}

static int fix(
	struct sm_bpf_loader *l, struct bpf_insn *insn, const struct sm_bpf_fixup *f)
{
	switch (f->kind) {
	case SM_BPF_OFFSET:
		return l->exists[f->index] ? put_offset(insn, l->offset[f->index]) : 0;
	case SM_BPF_EXISTS:
		insn->imm = l->exists[f->index];
		return 0;
	case SM_BPF_SYMBOL:
		insn->src_reg =
			l->symbol[f->index] ? SM_BPF_PSEUDO_BTF_ID : 0; /* 0: a number */
		insn->imm = (int32_t)l->symbol[f->index];
		return 0;
	case SM_BPF_CALL:
		insn->src_reg = SM_BPF_PSEUDO_KFUNC_CALL;
		insn->imm = (int32_t)l->symbol[f->index];
		return 0;
	case SM_BPF_TYPE:
		insn->imm = (int32_t)l->symbol[f->index];
		return 0;
	default:
		return put_map(l, insn, f->kind, f->index);
	}
}

int sm_bpf_loader_load(struct sm_bpf_loader *l, unsigned int program)
{
	const struct sm_bpf_object *o = l->object;
	const struct sm_bpf_program *p = &o->program[program];
	struct bpf_insn insn[SM_BPF_INSNS_MAX];
	int err = 0;

	memcpy(insn, o->insn + p->first, p->n * sizeof(*insn));
	for (unsigned int i = 0; i < o->fixups && !err; i++) {
		const struct sm_bpf_fixup *f = &o->fixup[i];

		if (f->insn >= p->first && f->insn < p->first + p->n)
			err = fix(l, &insn[f->insn - p->first], f);
	}
	if (err)
		return err;
	return sm_bpf_prog_load(o->names + p->name, p->type, insn, p->n, l->log);
}

int sm_bpf_loader_attach(struct sm_bpf_loader *l, unsigned int program)
{
	const struct sm_bpf_object *o = l->object;
	SM_CLOSE_FD int fd = sm_bpf_loader_load(l, program);

	if (fd < 0)
		return fd;
	return sm_bpf_attach_raw_tracepoint(
		o->names + o->program[program].tracepoint, fd);
}

void sm_bpf_loader_close(struct sm_bpf_loader *l)
{
	for (unsigned int i = 0; i < SM_BPF_MAPS_MAX; i++)
		if (!l->lent[i])
			sm_base_close_fd(&l->map_fd[i]);
}
