// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/parse.h"
#include "target/vmas.h"

#define KB 1024u

static void keep(struct vmas *v, uint64_t start, uint64_t end, const struct sm_smaps *s)
{
	struct vma_info *i = &v->kept[v->n++];

	*i = (struct vma_info){.start = start,
		.end = end,
		.page_bytes = s->kb[SM_SMAPS_KERNEL_PAGE_SIZE] * KB,
		.flags_known = s->flags_known,
		.device = sm_smaps_flag(s, "io") == 1 || sm_smaps_flag(s, "pf") == 1};
	if (s->flags_known)
		memcpy(i->flags, s->flags, sizeof(i->flags));
}

/* Stores a mapping.  Returns 1 if there is no room for another one. */
static int see(void *ctx, uint64_t start, uint64_t end, const struct sm_smaps *s)
{
	struct vmas *v = ctx;

	if (end > v->from)
		keep(v, start, end, s);
	return v->n == VMAS_KEPT;
}

static int read_from(struct vmas *v, const struct target *t, uint64_t address)
{
	int r;

	v->n = 0;
	if (t->fd[TARGET_SMAPS] < 0)
		return t->err[TARGET_SMAPS] ? t->err[TARGET_SMAPS] : -EBADF;
	if (!v->kept)
		v->kept = calloc(VMAS_KEPT, sizeof(*v->kept));
	if (!v->kept)
		return -ENOMEM;
	v->from = address;
	v->pid = t->pid;
	v->execs = t->execs;
	v->read_ns = sm_clock_mono_ns();
	r = sm_smaps_read(t->fd[TARGET_SMAPS], t->fd[TARGET_MAPS], &v->line, see, v);
	return r < 0 ? r : 0;
}

static const struct vma_info *look_up(const struct vmas *v, const struct mapping *m)
{
	for (size_t i = 0; i < v->n; i++)
		if (v->kept[i].start == m->start && v->kept[i].end == m->end)
			return &v->kept[i];
	return NULL;
}

static bool is_fresh(const struct vmas *v, const struct target *t)
{
	return v->n && v->pid == t->pid && v->execs == t->execs &&
	       sm_clock_mono_ns() - v->read_ns < VMAS_NS;
}

int vmas_find(struct vmas *v, const struct target *t, const struct mapping *m,
	const struct vma_info **out)
{
	int err;

	*out = is_fresh(v, t) ? look_up(v, m) : NULL;
	if (*out)
		return 0;
	err = read_from(v, t, m->start);
	if (err)
		return err;
	*out = look_up(v, m);
	return *out ? 0 : -ENOENT;
}

/* Returns whether the mapping has no file and so cannot belong to a device, except
 * [vvar]. */
static bool is_anonymous(const struct mapping *m, struct sm_str name)
{
	return m->inode == 0 && m->dev_major == 0 && m->dev_minor == 0 &&
	       !sm_parse_starts(name, "/") && !sm_maps_is_device(name);
}

bool vmas_is_device(struct vmas *v, const struct target *t, const struct mapping *m)
{
	struct sm_str name = {m->name, m->name_len};
	const struct vma_info *i;
	int err;

	if (is_anonymous(m, name))
		return false;
	err = vmas_find(v, t, m, &i);
	if (err == -ENOENT || err == -ESRCH)
		return true; /* the mapping has changed: do not read it now */
	if (err || !i->flags_known)
		return sm_maps_is_device(name);
	return i->device;
}

void vmas_fini(struct vmas *v)
{
	free(v->kept);
	sm_buf_fini(&v->line);
	*v = (struct vmas)VMAS_INIT;
}
