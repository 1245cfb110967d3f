// SPDX-License-Identifier: GPL-2.0-or-later
#include "keys.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define QUOTA_TRIES 50

/* --- calls -------------------------------------------------------------------------- */

long keys_ctl(int command, long a, long b, long c, long d)
{
	return syscall(SYS_keyctl, (long)command, a, b, c, d);
}

long keys_try(int command, long a, long b, long c, long d)
{
	return parts_result(keys_ctl(command, a, b, c, d));
}

static void wait_for_quota(void)
{
	const struct timespec t = {.tv_nsec = SM_NSEC_PER_MSEC};

	(void)nanosleep(&t, NULL);
}

/* Makes a call, and repeats it while the quota is exhausted.  Returns its result or
 * -errno; -EDQUOT: the quota was exhausted for some time. */
static long patiently(struct stress *s, long call, const long arg[5])
{
	long r = -EDQUOT;

	for (unsigned int i = 0; i < QUOTA_TRIES && r == -EDQUOT; i++) {
		if (i && stress_stopped(s))
			break;
		if (i)
			wait_for_quota();
		r = parts_result(syscall(call, arg[0], arg[1], arg[2], arg[3], arg[4]));
	}
	return r;
}

long keys_add(struct parts *p, const char *type, const char *name, const void *data,
	size_t bytes, long ring)
{
	const long arg[5] = {KEYS_ADDRESS(type), KEYS_ADDRESS(name), KEYS_ADDRESS(data),
		(long)bytes, ring};
	long key = patiently(p->s, SYS_add_key, arg);

	keys_of(p)->made += key > 0;
	return key;
}

long keys_join(struct stress *s)
{
	return patiently(s, SYS_keyctl, (const long[5]){KEYCTL_JOIN_SESSION_KEYRING});
}

long keys_add_user(struct parts *p, const char *name, long ring)
{
	struct keys *t = keys_of(p);

	for (size_t i = 0; i < KEYS_PAYLOAD; i += sizeof(uint64_t)) {
		uint64_t word = stress_random(&t->random);

		memcpy(t->payload + i, &word, sizeof(word));
	}
	return keys_add(p, "user", name, t->payload, KEYS_PAYLOAD, ring);
}

long keys_add_ring(struct parts *p)
{
	return keys_add(p, "keyring", KEYS_NAME, NULL, 0, KEY_SPEC_SESSION_KEYRING);
}

/* --- checks ------------------------------------------------------------------------- */

int keys_check_equal(struct parts *p, const char *what, long got, long want)
{
	if (got < 0)
		return (int)got;
	return got == want ? 0
			   : parts_wrong(p, "%s is %ld instead of %ld", what, got, want);
}

int keys_check_payload(struct parts *p, long key)
{
	struct keys *t = keys_of(p);
	long n = keys_try(KEYCTL_READ, key, KEYS_ADDRESS(t->got), sizeof(t->got), 0);
	int r = keys_check_equal(p, "the size of the payload", n, KEYS_PAYLOAD);

	if (r)
		return r;
	if (parts_spoil(p))
		t->got[0] ^= 1;
	return memcmp(t->got, t->payload, KEYS_PAYLOAD) == 0
		       ? 0
		       : parts_wrong(p, "the payload of key %ld has changed", key);
}

/* Checks the description "user;UID;GID;PERMISSIONS;NAME". */
int keys_check_described(struct parts *p, long key, const char *name, unsigned int perm)
{
	char want[KEYS_TEXT];
	struct keys *t = keys_of(p);
	int n = snprintf(want, sizeof(want), "user;%u;%u;%08x;%s", geteuid(), getegid(),
		perm, name);
	long got =
		keys_try(KEYCTL_DESCRIBE, key, KEYS_ADDRESS(t->got), sizeof(t->got), 0);
	int r = keys_check_equal(p, "the size of the description", got, n + 1);

	if (r)
		return r;
	return strcmp(t->got, want) == 0
		       ? 0
		       : parts_wrong(p, "'%.80s' instead of '%s'", t->got, want);
}

int keys_check_ring(struct parts *p, long ring, long key)
{
	int32_t has[4] = {0};
	long n = keys_try(KEYCTL_READ, ring, KEYS_ADDRESS(has), sizeof(has), 0);
	int r = keys_check_equal(
		p, "the size of the keyring", n, key ? sizeof(has[0]) : 0);

	return r ? r : keys_check_equal(p, "the key in the keyring", has[0], key);
}
