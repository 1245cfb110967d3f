// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/strpool.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MIN_CLASS_BITS 6  /* 64 bytes, including the header */
#define MAX_CLASS_BITS 12 /* 4096 */
#define CLASSES	       (MAX_CLASS_BITS - MIN_CLASS_BITS + 1)
#define SLAB_BYTES     16384
#define MIN_BUCKETS    256

/* Memory from which blocks of one size are taken; freed only with the table. */
struct slab {
	struct slab *next;
	_Alignas(struct sm_poolstr) unsigned char data[SLAB_BYTES];
};

struct sm_strpool {
	struct sm_poolstr **buckets;
	size_t n_buckets; /* power of two */
	size_t count, bytes, max_bytes;
	uint64_t seed;
	struct slab *slabs;
	struct sm_poolstr *free_blocks[CLASSES]; /* linked by ->next */
};

static size_t block_size(size_t n)
{
	return offsetof(struct sm_poolstr, s) + n + 1;
}

/* Returns the index of the smallest class that fits `size` bytes; CLASSES: it is too
 * large. */
static unsigned int size_class(size_t size)
{
	unsigned int c = 0;

	while (c < CLASSES && size > (size_t)1 << (MIN_CLASS_BITS + c))
		c++;
	return c;
}

static int carve_slab(struct sm_strpool *t, unsigned int class)
{
	size_t size = (size_t)1 << (MIN_CLASS_BITS + class);
	struct slab *slab = malloc(sizeof(*slab));

	if (!slab)
		return -ENOMEM;
	slab->next = t->slabs;
	t->slabs = slab;
	for (size_t at = SLAB_BYTES; at > 0; at -= size) {
		struct sm_poolstr *s = (void *)(slab->data + at - size);

		s->next = t->free_blocks[class];
		t->free_blocks[class] = s;
	}
	return 0;
}

static struct sm_poolstr *block_alloc(struct sm_strpool *t, size_t size)
{
	unsigned int class = size_class(size);
	struct sm_poolstr *s;

	if (class == CLASSES)
		return malloc(size);
	if (!t->free_blocks[class] && carve_slab(t, class) < 0)
		return NULL;
	s = t->free_blocks[class];
	t->free_blocks[class] = s->next;
	return s;
}

static void block_free(struct sm_strpool *t, struct sm_poolstr *s)
{
	unsigned int class = size_class(block_size(s->len));

	if (class == CLASSES) {
		free(s);
		return;
	}
	s->next = t->free_blocks[class];
	t->free_blocks[class] = s;
}

int sm_strpool_new(struct sm_strpool **out, size_t max_bytes)
{
	struct sm_strpool *t = calloc(1, sizeof(*t));

	if (!t)
		return -ENOMEM;
	t->buckets = calloc(MIN_BUCKETS, sizeof(*t->buckets));
	if (!t->buckets) {
		free(t);
		return -ENOMEM;
	}
	t->n_buckets = MIN_BUCKETS;
	t->max_bytes = max_bytes;
	t->seed = sm_map_hash_seed();
	*out = t;
	return 0;
}

/* Frees the remaining blocks of malloc(); the others are part of the slabs. */
void sm_strpool_free(struct sm_strpool *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < t->n_buckets; i++) {
		while (t->buckets[i]) {
			struct sm_poolstr *s = t->buckets[i];

			t->buckets[i] = s->next;
			block_free(t, s);
		}
	}
	while (t->slabs) {
		struct slab *slab = t->slabs;

		t->slabs = slab->next;
		free(slab);
	}
	free(t->buckets);
	free(t);
}

static struct sm_poolstr **bucket(struct sm_poolstr **buckets, size_t n, uint64_t hash)
{
	return &buckets[(size_t)hash & (n - 1)];
}

/* If out of memory, the chains only get longer. */
static void grow_buckets(struct sm_strpool *t)
{
	size_t n = t->n_buckets * 2;
	struct sm_poolstr **to = calloc(n, sizeof(*to));

	if (!to)
		return;
	for (size_t i = 0; i < t->n_buckets; i++) {
		struct sm_poolstr *next;

		for (struct sm_poolstr *s = t->buckets[i]; s; s = next) {
			struct sm_poolstr **head = bucket(to, n, s->hash);

			next = s->next;
			s->next = *head;
			*head = s;
		}
	}
	free(t->buckets);
	t->buckets = to;
	t->n_buckets = n;
}

static struct sm_poolstr *lookup(
	const struct sm_strpool *t, const void *p, size_t n, uint32_t tag, uint64_t hash)
{
	struct sm_poolstr *s = *bucket(t->buckets, t->n_buckets, hash);

	while (s && !(s->hash == hash && s->tag == tag && s->len == n &&
			    (n == 0 || memcmp(s->s, p, n) == 0)))
		s = s->next;
	return s;
}

static struct sm_poolstr *insert(
	struct sm_strpool *t, const void *p, size_t n, uint32_t tag, uint64_t hash)
{
	struct sm_poolstr **head, *s;

	if (n > INT32_MAX || n > t->max_bytes - t->bytes)
		return NULL;
	s = block_alloc(t, block_size(n));
	if (!s)
		return NULL;
	if (t->count >= t->n_buckets)
		grow_buckets(t);
	head = bucket(t->buckets, t->n_buckets, hash);
	s->next = *head;
	s->hash = hash;
	s->refs = 1;
	s->len = (uint32_t)n;
	s->tag = tag;
	if (n)
		memcpy(s->s, p, n);
	s->s[n] = '\0';
	*head = s;
	t->count++;
	t->bytes += n;
	return s;
}

struct sm_poolstr *sm_strpool_get(
	struct sm_strpool *t, const void *p, size_t n, uint32_t tag)
{
	uint64_t hash = sm_map_hash_bytes(p, n, t->seed ^ tag);
	struct sm_poolstr *s = lookup(t, p, n, tag, hash);

	return s ? sm_strpool_ref(s) : insert(t, p, n, tag, hash);
}

void sm_strpool_put(struct sm_strpool *t, const struct sm_poolstr *ref)
{
	struct sm_poolstr *s = (struct sm_poolstr *)(uintptr_t)ref, **at;

	if (!s || --s->refs > 0)
		return;
	at = bucket(t->buckets, t->n_buckets, s->hash);
	while (*at != s)
		at = &(*at)->next;
	*at = s->next;
	t->count--;
	t->bytes -= s->len;
	block_free(t, s);
}

size_t sm_strpool_bytes(const struct sm_strpool *t)
{
	return t->bytes;
}

size_t sm_strpool_count(const struct sm_strpool *t)
{
	return t->count;
}
