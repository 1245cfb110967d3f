// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "base/map.h"
#include "base/text.h"
#include "format/promcomm.h"

static const struct sm_str others = {"(others)", sizeof("(others)") - 1};

void sm_promcomms_init(struct sm_promcomms *s)
{
	memset(s, 0, sizeof(*s));
	s->seed = sm_map_hash_seed();
}

void sm_promcomms_fini(struct sm_promcomms *s)
{
	sm_buf_fini(&s->label);
}

/* Writes the label to s->label.  It is sanitised before it is compared: two names that
 * look alike in the file would be one series twice, and Prometheus rejects such a
 * file. */
static void make_label(struct sm_promcomms *s, struct sm_str comm, bool kernel)
{
	size_t n = comm.n < SM_PIDSTAT_COMM_MAX ? comm.n : SM_PIDSTAT_COMM_MAX;
	const char *slash = kernel && n ? memchr(comm.p, '/', n) : NULL;

	sm_buf_reset(&s->label);
	if (slash)
		n = (size_t)(slash - comm.p);
	if (kernel)
		sm_buf_chr(&s->label, '[');
	sm_text_human(&s->label, comm.p, n, SM_TEXT_UTF8);
	if (kernel)
		sm_buf_chr(&s->label, ']');
}

/* A program without a name counts as (others). */
static bool has_label(const struct sm_promcomms *s)
{
	const struct sm_buf *b = &s->label;

	return !sm_buf_error(b) && b->len > 0 &&
	       !(b->len == others.n && memcmp(b->p, others.p, others.n) == 0);
}

static struct sm_promcomm *find(struct sm_promcomms *s, uint64_t hash)
{
	for (unsigned int i = 0; i < s->n; i++) {
		struct sm_promcomm *c = &s->comm[i];

		if (c->hash == hash && c->n == s->label.len &&
			memcmp(c->label, s->label.p, c->n) == 0)
			return c;
	}
	return NULL;
}

/* --- assignment of labels ----------------------------------------------------------- */

static bool is_idle(const struct sm_promcomms *s, const struct sm_promcomm *c)
{
	return s->second - c->second >= SM_PROMCOMM_IDLE;
}

struct held { /* labels of programs that are not idle */
	unsigned int all, root, user;
};

static struct held count_held(const struct sm_promcomms *s, uid_t uid)
{
	struct held h = {0};

	for (unsigned int i = 0; i < s->n; i++) {
		const struct sm_promcomm *c = &s->comm[i];

		if (is_idle(s, c))
			continue;
		h.all++;
		h.root += c->uid == 0;
		h.user += c->uid == uid;
	}
	return h;
}

static bool may_add(const struct sm_promcomms *s, uid_t uid, bool busy)
{
	struct held h = count_held(s, uid);
	unsigned int left = SM_PROMCOMM_MAX - h.all, kept = 0;

	if (s->label.len > SM_PROMCOMM_LABEL_MAX || !left)
		return false;
	if (h.all >= SM_PROMCOMM_MAX / 2 && !busy)
		return false;
	if (uid == 0)
		return true;
	if (h.root < SM_PROMCOMM_ROOT)
		kept = SM_PROMCOMM_ROOT - h.root;
	return h.user + kept < left;
}

/* Returns a label that was never used, or the label of the longest idle program. */
static struct sm_promcomm *place(struct sm_promcomms *s)
{
	struct sm_promcomm *oldest = &s->comm[0];

	if (s->n < SM_PROMCOMM_MAX)
		return &s->comm[s->n++];
	for (unsigned int i = 1; i < s->n; i++)
		if (s->comm[i].second < oldest->second)
			oldest = &s->comm[i];
	return oldest;
}

static struct sm_promcomm *add(struct sm_promcomms *s, uint64_t hash, uid_t uid)
{
	struct sm_promcomm *c = place(s);

	memset(c->v, 0, sizeof(c->v));
	c->hash = hash;
	c->uid = uid;
	c->n = s->label.len;
	memcpy(c->label, s->label.p, c->n);
	return c;
}

void sm_promcomms_next(struct sm_promcomms *s, uint64_t now_ns)
{
	if (now_ns - s->second_ns < SM_NSEC_PER_SEC)
		return;
	s->second_ns = now_ns;
	s->second++;
}

uint64_t *sm_promcomms_of(struct sm_promcomms *s, const struct sm_promcomm_program *p)
{
	uid_t uid = p->kernel ? 0 : p->uid;
	struct sm_promcomm *c;
	uint64_t hash;

	make_label(s, p->comm, p->kernel);
	if (!has_label(s))
		return s->others.v;
	hash = sm_map_hash_bytes(s->label.p, s->label.len, s->seed);
	c = find(s, hash);
	if (!c && may_add(s, uid, p->busy))
		c = add(s, hash, uid);
	if (!c) {
		s->refused++;
		return s->others.v;
	}
	c->second = s->second;
	return c->v;
}

static void put(struct sm_prom *p, struct sm_str label, uint64_t v, double unit)
{
	const struct sm_prom_label l = {"comm", label};

	if (unit == 1)
		sm_prom_u64(p, NULL, &l, 1, v);
	else
		sm_prom_double(p, NULL, &l, 1, (double)v / unit);
}

void sm_promcomms_put(
	const struct sm_promcomms *s, struct sm_prom *p, unsigned int value, double unit)
{
	for (unsigned int i = 0; i < s->n; i++) {
		const struct sm_promcomm *c = &s->comm[i];

		put(p, (struct sm_str){c->label, c->n}, c->v[value], unit);
	}
	put(p, others, s->others.v[value], unit);
}
