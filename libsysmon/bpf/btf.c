// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <linux/btf.h>
#include <string.h>

#include "bpf/btf.h"

/* Kinds that older headers lack. */
enum { KIND_DECL_TAG = 17, KIND_TYPE_TAG = 18, KIND_ENUM64 = 19, KIND_MAX = KIND_ENUM64 };

/* Limit of type lookups per member, so that hostile input cannot make it slow. */
#define LOOKUPS_MAX 64u
#define DEPTH_MAX   8u

struct search {
	const struct sm_btf *b;
	struct sm_btf_member *m;
	const char *name; /* the rest of m->name */
	unsigned int lookups;
};

/* BTF_INFO_KIND() of older headers drops the highest bit. */
static unsigned int kind_of(const struct btf_type *t)
{
	return t->info >> 24 & 0x1f;
}

/* Number of bytes that follow a type of each kind, and that each of its elements has. */
static const struct {
	unsigned char bytes, element_bytes;
} tails[KIND_MAX + 1] = {
	[BTF_KIND_INT] = {4, 0},
	[BTF_KIND_ARRAY] = {12, 0},
	[BTF_KIND_STRUCT] = {0, 12},
	[BTF_KIND_UNION] = {0, 12},
	[BTF_KIND_ENUM] = {0, 8},
	[BTF_KIND_FUNC_PROTO] = {0, 8},
	[BTF_KIND_VAR] = {4, 0},
	[BTF_KIND_DATASEC] = {0, 12},
	[KIND_DECL_TAG] = {4, 0},
	[KIND_ENUM64] = {0, 12},
};

/* More than half of all types: functions, pointers and others without a tail. */
#define BIT(kind) (UINT32_C(1) << (kind))
#define TAILLESS                                                                        \
	(BIT(BTF_KIND_PTR) | BIT(BTF_KIND_FWD) | BIT(BTF_KIND_TYPEDEF) |                \
		BIT(BTF_KIND_VOLATILE) | BIT(BTF_KIND_CONST) | BIT(BTF_KIND_RESTRICT) | \
		BIT(BTF_KIND_FUNC) | BIT(KIND_TYPE_TAG))

/* The jump, unlike a length from the table, lets the CPU read the next type ahead. */
static size_t tail_bytes(const struct btf_type *t)
{
	unsigned int kind = kind_of(t);

	if (TAILLESS >> kind & 1)
		return 0;
	return tails[kind].bytes +
	       (size_t)BTF_INFO_VLEN(t->info) * tails[kind].element_bytes;
}

/* Reads the type at *at and advances to the next one; false at the end.  The length of a
 * type of an unknown kind is unknown: -EBADMSG, as for a truncated type. */
static inline int next_type(const struct sm_btf *b, size_t *at, struct btf_type *t)
{
	size_t left = b->types_bytes - *at;

	if (left == 0)
		return -ENOENT;
	if (left < sizeof(*t))
		return -EBADMSG;
	memcpy(t, b->types + *at, sizeof(*t));
	if (kind_of(t) == 0 || kind_of(t) > KIND_MAX || tail_bytes(t) > left - sizeof(*t))
		return -EBADMSG;
	*at += sizeof(*t) + tail_bytes(t);
	return 0;
}

static bool name_is(const struct sm_btf *b, uint32_t name_off, const char *name)
{
	return name_off < b->strings_bytes && strcmp(b->strings + name_off, name) == 0;
}

/* Reads type number id; *members is the offset of its elements. */
static int type_by_id(struct search *s, uint32_t id, struct btf_type *t, size_t *members)
{
	size_t at = 0;
	int err;

	if (id == 0 || s->lookups++ == LOOKUPS_MAX)
		return -EBADMSG;
	do {
		*members = at + sizeof(*t);
		err = next_type(s->b, &at, t);
		if (err < 0)
			return -EBADMSG;
	} while (--id);
	return 0;
}

static bool is_alias(unsigned int kind)
{
	return kind == BTF_KIND_TYPEDEF || kind == BTF_KIND_VOLATILE ||
	       kind == BTF_KIND_CONST || kind == BTF_KIND_RESTRICT ||
	       kind == KIND_TYPE_TAG;
}

/* Calls type_by_id() and follows aliases to the type that they stand for. */
static int real_type(struct search *s, uint32_t id, struct btf_type *t, size_t *members)
{
	int err;

	do {
		err = type_by_id(s, id, t, members);
		if (err)
			return err;
		id = t->type;
	} while (is_alias(kind_of(t)));
	return 0;
}

static int check_bytes(struct search *s, size_t at)
{
	struct btf_array array;
	struct btf_type t;
	int err;

	memcpy(&array, s->b->types + at, sizeof(array));
	err = real_type(s, array.type, &t, &at);
	if (err < 0)
		return err;
	return array.nelems == s->m->size && t.size == 1 ? 0 : -EINVAL;
}

/* Checks that the member has the size that the caller will read. */
static int check_size(struct search *s, uint32_t id)
{
	struct btf_type t;
	size_t members;
	int err = real_type(s, id, &t, &members);

	if (err < 0)
		return err;
	if (kind_of(&t) == BTF_KIND_ARRAY)
		return check_bytes(s, members);
	if (s->m->size == 0)
		return kind_of(&t) == BTF_KIND_PTR ? 0 : -EINVAL;
	return kind_of(&t) == BTF_KIND_INT && t.size == s->m->size ? 0 : -EINVAL;
}

/* Returns the size of a bit field: with the kind flag, the upper 8 bits of an offset. */
static uint32_t bits_of(const struct btf_type *t, const struct btf_member *m)
{
	return BTF_INFO_KFLAG(t->info) ? BTF_MEMBER_BIT_OFFSET(m->offset) : m->offset;
}

static int search_members(struct search *s, const struct btf_type *t, size_t at,
	uint32_t base_bits, unsigned int depth);

static int search_inside(struct search *s, uint32_t id, uint32_t bits, unsigned int depth)
{
	struct btf_type t;
	size_t at;
	int err = real_type(s, id, &t, &at);

	if (err < 0)
		return err;
	if (kind_of(&t) != BTF_KIND_STRUCT && kind_of(&t) != BTF_KIND_UNION)
		return -ENOENT; /* an unnamed bit field: padding */
	return depth < DEPTH_MAX ? search_members(s, &t, at, bits, depth + 1) : -EBADMSG;
}

/* bits: offset of the member. */
static int found(struct search *s, const struct btf_type *t, const struct btf_member *m,
	uint32_t bits, unsigned int depth)
{
	const char *name = s->name, *dot = strchr(name, '.');
	int err;

	if ((BTF_INFO_KFLAG(t->info) && BTF_MEMBER_BITFIELD_SIZE(m->offset)) || bits % 8)
		return -EINVAL;
	if (dot) {
		s->name = dot + 1;
		err = search_inside(s, m->type, bits, depth);
		s->name = name;
		return err;
	}
	s->m->offset = bits / 8;
	return check_size(s, m->type);
}

/* Returns true if the name is the next component of the path. */
static bool wanted(const struct search *s, uint32_t name_off)
{
	size_t n = strcspn(s->name, ".");
	const char *name = s->b->strings + name_off;

	return name_off < s->b->strings_bytes && strncmp(name, s->name, n) == 0 &&
	       name[n] == '\0';
}

/* base_bits: offset of the structure itself. */
static int search_members(struct search *s, const struct btf_type *t, size_t at,
	uint32_t base_bits, unsigned int depth)
{
	int ret = -ENOENT;

	for (uint32_t i = 0; i < BTF_INFO_VLEN(t->info) && ret == -ENOENT; i++) {
		struct btf_member m;
		uint32_t bits;

		memcpy(&m, s->b->types + at + i * sizeof(m), sizeof(m));
		if (__builtin_add_overflow(base_bits, bits_of(t, &m), &bits))
			return -EBADMSG;
		if (wanted(s, m.name_off))
			ret = found(s, t, &m, bits, depth);
		else if (name_is(s->b, m.name_off, ""))
			ret = search_inside(s, m.type, bits, depth);
	}
	return ret;
}

int sm_btf_find(const struct sm_btf *b, struct sm_btf_member *m)
{
	struct search s = {.b = b, .m = m, .name = m->name};
	struct btf_type t;
	size_t at = 0, members;
	int err;

	for (;;) {
		members = at + sizeof(t);
		err = next_type(b, &at, &t);
		if (err < 0)
			return err;
		if (kind_of(&t) == BTF_KIND_STRUCT && BTF_INFO_VLEN(t.info) > 0 &&
			name_is(b, t.name_off, m->structure))
			return search_members(&s, &t, members, 0, 0);
	}
}

/* Kinds and first letters of the names, in which most types differ from all of them. */
struct filter {
	uint32_t kinds;
	uint64_t letters; /* bit mask of the lower 6 bits */
};

static uint64_t letter_bit(const char *name)
{
	return UINT64_C(1) << (name[0] & 63);
}

static bool passes(
	const struct sm_btf *b, const struct btf_type *t, const struct filter *f)
{
	return f->kinds >> kind_of(t) & 1 && t->name_off < b->strings_bytes &&
	       f->letters & letter_bit(b->strings + t->name_off);
}

/* The length is compared first, because many names begin alike. */
static bool has_name(
	const struct sm_btf *b, const struct btf_type *t, const struct sm_btf_name *v)
{
	const char *name = b->strings + t->name_off;

	return v->length < b->strings_bytes - t->name_off && name[v->length] == '\0' &&
	       memcmp(name, v->name, v->length) == 0;
}

/* Gives the ID to the names that this type has; returns their number. */
static size_t note_names(const struct sm_btf *b, const struct btf_type *t, uint32_t id,
	struct sm_btf_name *v, size_t n)
{
	size_t noted = 0;

	for (size_t i = 0; i < n; i++) {
		if (v[i].id || !(v[i].kinds >> kind_of(t) & 1) || !has_name(b, t, &v[i]))
			continue;
		v[i].id = id;
		noted++;
	}
	return noted;
}

int sm_btf_ids(const struct sm_btf *b, struct sm_btf_name *v, size_t n)
{
	struct filter f = {0};
	struct btf_type t;
	size_t at = 0, left = n;
	int err = 0;

	for (size_t i = 0; i < n; i++) {
		v[i].id = 0;
		v[i].length = strlen(v[i].name);
		f.kinds |= v[i].kinds;
		f.letters |= letter_bit(v[i].name);
	}
	for (uint32_t id = 1; left && !err; id++) {
		err = next_type(b, &at, &t);
		if (!err && passes(b, &t, &f))
			left -= note_names(b, &t, id, v, n);
	}
	return err == -ENOENT ? 0 : err;
}

/* at: offset of the section's list of variables. */
static int offset_in(const struct sm_btf *b, const struct btf_type *section, size_t at,
	uint32_t id, uint64_t *offset)
{
	struct btf_var_secinfo v;

	for (uint32_t i = 0; i < BTF_INFO_VLEN(section->info); i++) {
		memcpy(&v, b->types + at + i * sizeof(v), sizeof(v));
		if (v.type != id)
			continue;
		*offset = v.offset;
		return 0;
	}
	return -ENOENT;
}

int sm_btf_percpu(const struct sm_btf *b, const char *name, uint64_t *offset)
{
	struct sm_btf_name v = {.name = name, .kinds = SM_BTF_VARIABLE};
	size_t at = 0, variables;
	struct btf_type t;
	int err = sm_btf_ids(b, &v, 1);

	while (!err) {
		variables = at + sizeof(t);
		err = next_type(b, &at, &t);
		if (!err && kind_of(&t) == BTF_KIND_DATASEC &&
			name_is(b, t.name_off, ".data..percpu"))
			return offset_in(b, &t, variables, v.id, offset);
	}
	return err;
}

static bool section(size_t n, const struct btf_header *h, uint32_t off, uint32_t len)
{
	return h->hdr_len <= n && off <= n - h->hdr_len && len <= n - h->hdr_len - off;
}

int sm_btf_init(struct sm_btf *b, const void *data, size_t n)
{
	const char *bytes = data;
	struct btf_header h;

	memset(b, 0, sizeof(*b));
	if (n < sizeof(h))
		return -EBADMSG;
	memcpy(&h, data, sizeof(h));
	if (h.magic != BTF_MAGIC || h.version != BTF_VERSION || h.hdr_len < sizeof(h) ||
		!section(n, &h, h.type_off, h.type_len) ||
		!section(n, &h, h.str_off, h.str_len) || h.str_len == 0)
		return -EBADMSG;
	b->types = (const unsigned char *)bytes + h.hdr_len + h.type_off;
	b->types_bytes = h.type_len;
	b->strings = bytes + h.hdr_len + h.str_off;
	b->strings_bytes = h.str_len;
	return b->strings[0] == '\0' && b->strings[h.str_len - 1] == '\0' ? 0 : -EBADMSG;
}
