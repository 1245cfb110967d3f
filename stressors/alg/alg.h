/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * alg: the algorithms of /proc/crypto, and messages through AF_ALG sockets (linux/if_alg.h).
 *
 * Only a try shows whether an entry can be used: a hardware driver or a missing module may reject the name,
 * the key or the first message.
 */
#ifndef STRESSORS_ALG_ALG_H
#define STRESSORS_ALG_ALG_H

#include "base/base.h"

#define ALG_NAME_BYTES 64 /* salg_name */
#define ALG_IV_BYTES   64
#define ALG_ASSOC      16 /* bytes of a message of alg_crypt() that are not encrypted (AEAD) */
#define ALG_TAG_BYTES  64
#define ALG_KEY_BYTES  256

enum alg_kind { ALG_HASH, ALG_SKCIPHER, ALG_AEAD, ALG_RNG, ALG_KINDS };

struct alg {
	char name[ALG_NAME_BYTES], driver[ALG_NAME_BYTES];
	enum alg_kind kind;
	/* Bytes; 0: not in the entry. */
	unsigned int min_key, max_key, iv, tag, digest, seed;
	uint64_t ns;       /* for the stressor, which adds up its time */
	bool internal;     /* only other algorithms may use it */
	bool used;         /* a message has worked */
	bool unusable;
};

/* Parses a text of /proc/crypto: stores the entries that may be used, `max` at most, and returns their
 * number.  *all: the number of all entries. */
size_t alg_parse(const char *text, size_t n, struct alg *alg, size_t max, unsigned int *all) SM_MUST;

/* Opens a socket with the algorithm and a key or seed from `key`, which has ALG_KEY_BYTES.  Returns the
 * socket for messages, or -errno. */
int alg_open(const struct alg *a, const void *key) SM_MUST;

/* Sends a message to be encrypted or decrypted, and reads the result.  iv has ALG_IV_BYTES.  Returns the
 * bytes of the result, or -errno. */
ssize_t alg_crypt(int fd, const struct alg *a, bool encrypt, const void *iv, const void *data, size_t bytes,
	void *out, size_t room) SM_MUST;

#endif
