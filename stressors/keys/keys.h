/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * keys: calls that make keys and what is checked of them.
 *
 * The quota of a user is shared by all processes of that user, and the kernel gives back what a key took some
 * time after the key's end: what makes a key waits a little for it, and returns -EDQUOT if there is still no
 * room.
 */
#ifndef STRESSORS_KEYS_KEYS_H
#define STRESSORS_KEYS_KEYS_H

#include <linux/keyctl.h>

#include "../run/parts.h"

#define KEYS_NAME    "stressors:key" /* a logon key needs a prefix */
#define KEYS_PAYLOAD 64
#define KEYS_TEXT    256

#define KEYS_ADDRESS(p) ((long)(uintptr_t)(p))

struct keys {
	struct parts parts;
	uint64_t random;
	long session;           /* the session keyring */
	uint64_t made, refused; /* keys; parts for which the quota had no room */
	char payload[KEYS_PAYLOAD]; /* of the last key of keys_add_user() */
	char got[KEYS_TEXT];
};

static inline struct keys *keys_of(const struct parts *p)
{
	return p->s->data;
}

/* keyctl(2): its result and errno, or its result or -errno. */
long keys_ctl(int command, long a, long b, long c, long d);
long keys_try(int command, long a, long b, long c, long d) SM_MUST;

/* Each returns the number of a key or keyring, or -errno. */
long keys_join(struct stress *s) SM_MUST;
long keys_add(struct parts *p, const char *type, const char *name, const void *data, size_t bytes, long ring)
	SM_MUST;
/* With a new random payload. */
long keys_add_user(struct parts *p, const char *name, long ring) SM_MUST;
/* In the session keyring. */
long keys_add_ring(struct parts *p) SM_MUST;

/* Each returns what the part is to return. */
int keys_check_equal(struct parts *p, const char *what, long got, long want) SM_MUST;
int keys_check_payload(struct parts *p, long key) SM_MUST;
int keys_check_described(struct parts *p, long key, const char *name, unsigned int perm) SM_MUST;
/* A keyring has this one key; 0: none. */
int keys_check_ring(struct parts *p, long ring, long key) SM_MUST;

#endif
