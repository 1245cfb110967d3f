/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * keys: calls that create keys, and checks of these keys.
 *
 * The quota of a user is shared by all processes of that user, and the kernel returns the quota of a key only
 * some time after the key's end.  A function that creates a key therefore waits a little for quota, and
 * returns -EDQUOT if there is still not enough.
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
	uint64_t made, refused; /* keys that were created; parts that lacked quota */
	char payload[KEYS_PAYLOAD]; /* of the last key of keys_add_user() */
	char got[KEYS_TEXT];
};

static inline struct keys *keys_of(const struct parts *p)
{
	return p->s->data;
}

/* Both call keyctl(2).  keys_ctl() returns its result and sets errno; keys_try() returns its result or
 * -errno. */
long keys_ctl(int command, long a, long b, long c, long d);
long keys_try(int command, long a, long b, long c, long d) SM_MUST;

/* Each returns the number of a key or keyring, or -errno. */
long keys_join(struct stress *s) SM_MUST;
long keys_add(struct parts *p, const char *type, const char *name, const void *data, size_t bytes, long ring)
	SM_MUST;
/* Adds a key with a new random payload. */
long keys_add_user(struct parts *p, const char *name, long ring) SM_MUST;
/* Adds a keyring to the session keyring. */
long keys_add_ring(struct parts *p) SM_MUST;

/* Each returns the value that the part must return. */
int keys_check_equal(struct parts *p, const char *what, long got, long want) SM_MUST;
int keys_check_payload(struct parts *p, long key) SM_MUST;
int keys_check_described(struct parts *p, long key, const char *name, unsigned int perm) SM_MUST;
/* Checks that a keyring has this key only; key 0: that it is empty. */
int keys_check_ring(struct parts *p, long ring, long key) SM_MUST;

#endif
