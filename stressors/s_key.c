// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Each part works with a new key in the session keyring of the instance, which it
 * shares with no other process.  The keyring is cleared after each part.  It ends with
 * the instance, as do keys that are left in it.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "keys/keys.h"

#define OTHER_NAME "stressors:other"
#define MANY	   32	/* number of keys in one keyring */
#define SECONDS	   1000 /* lifetime of a key, longer than a part takes */
#define OTHER_PERM 0x3f3f0000
#define NO_CHANGE  (-1L) /* keep the default keyring, owner or group */
#define DH_BYTES   256
#define DH_PRIVATE 11

/* Older headers lack these. */
#define CTL_DH_COMPUTE	     23
#define CTL_RESTRICT_KEYRING 29
#define CTL_MOVE	     30
#define CTL_CAPABILITIES     31
#define CTL_WATCH_KEY	     32
#define CAN_INVALIDATE	     0x20
#define CAN_RESTRICT	     0x40
#define CAN_MOVE	     0x80
#define NOTIFICATION_PIPE    O_EXCL
#define SET_QUEUE_SIZE	     _IO('W', 0x60)
#define QUEUE_SIZE	     16
#define WATCH_ID	     7
#define TYPE_KEY	     1
#define KEY_UPDATED	     1

/* --- parts: a key ------------------------------------------------------------------- */

#define USUAL_PERM 0x3f010000 /* possessor: all; owner: may view the key */

static int key_read(struct parts *p, long key)
{
	struct keys *t = keys_of(p);
	int r = keys_check_payload(p, key);

	if (r)
		return r;
	return keys_check_equal(p, "the size of a payload that is cut",
		keys_try(KEYCTL_READ, key, KEYS_ADDRESS(t->got), 1, 0), KEYS_PAYLOAD);
}

static int key_describe(struct parts *p, long key)
{
	return keys_check_described(p, key, KEYS_NAME, USUAL_PERM);
}

static int key_update(struct parts *p, long key)
{
	struct keys *t = keys_of(p);

	t->payload[0] ^= 1;
	if (keys_ctl(KEYCTL_UPDATE, key, KEYS_ADDRESS(t->payload), KEYS_PAYLOAD, 0) < 0)
		return -errno;
	return keys_check_payload(p, key);
}

/* Adding a key with the same name and type updates the key. */
static int key_add_again(struct parts *p, long key)
{
	long again = keys_add_user(p, KEYS_NAME, KEY_SPEC_SESSION_KEYRING);
	int r = keys_check_equal(p, "the key of the same name", again, key);

	return r ? r : keys_check_payload(p, key);
}

/* Without callout information, the kernel starts no program to create a key. */
static int key_request(struct parts *p, long key)
{
	long found = parts_result(syscall(SYS_request_key, "user", KEYS_NAME, NULL, 0L));
	int r = keys_check_equal(p, "the key found", found, key);

	if (r)
		return r;
	return parts_refused(p, syscall(SYS_request_key, "user", OTHER_NAME, NULL, 0L),
		ENOKEY, "request_key of another name");
}

static int key_search(struct parts *p, long key)
{
	long found = keys_try(KEYCTL_SEARCH, KEY_SPEC_SESSION_KEYRING,
		KEYS_ADDRESS("user"), KEYS_ADDRESS(KEYS_NAME), 0);
	int r = keys_check_equal(p, "the key found", found, key);

	if (r)
		return r;
	return parts_refused(p,
		keys_ctl(KEYCTL_SEARCH, KEY_SPEC_SESSION_KEYRING, KEYS_ADDRESS("user"),
			KEYS_ADDRESS(OTHER_NAME), 0),
		ENOKEY, "a search for another name");
}

static int key_set_perm(struct parts *p, long key)
{
	if (keys_ctl(KEYCTL_SETPERM, key, OTHER_PERM, 0, 0) < 0)
		return -errno;
	return keys_check_described(p, key, KEYS_NAME, OTHER_PERM);
}

static int key_chown(struct parts *p, long key)
{
	if (keys_ctl(KEYCTL_CHOWN, key, geteuid(), getegid(), 0) < 0 ||
		keys_ctl(KEYCTL_CHOWN, key, NO_CHANGE, NO_CHANGE, 0) < 0)
		return -errno;
	return keys_check_described(p, key, KEYS_NAME, USUAL_PERM);
}

static int key_set_timeout(struct parts *p, long key)
{
	if (keys_ctl(KEYCTL_SET_TIMEOUT, key, SECONDS, 0, 0) < 0)
		return -errno;
	return keys_check_payload(p, key);
}

static int key_revoke(struct parts *p, long key)
{
	struct keys *t = keys_of(p);

	if (keys_ctl(KEYCTL_REVOKE, key, 0, 0, 0) < 0)
		return -errno;
	return parts_refused(p,
		keys_ctl(KEYCTL_READ, key, KEYS_ADDRESS(t->got), sizeof(t->got), 0),
		EKEYREVOKED, "reading of a revoked key");
}

/* A process no longer possesses an invalidated key, which soon ceases to exist. */
static int key_invalidate(struct parts *p, long key)
{
	struct keys *t = keys_of(p);
	long r;

	if (keys_ctl(KEYCTL_INVALIDATE, key, 0, 0, 0) < 0)
		return -errno;
	r = keys_ctl(KEYCTL_READ, key, KEYS_ADDRESS(t->got), sizeof(t->got), 0);
	if (r < 0 && errno == EACCES)
		return 0;
	return parts_refused(p, r, ENOKEY, "reading of an invalid key");
}

/* The text is empty without a security module. */
static int key_get_security(struct parts *p, long key)
{
	struct keys *t = keys_of(p);
	long n = keys_try(
		KEYCTL_GET_SECURITY, key, KEYS_ADDRESS(t->got), sizeof(t->got), 0);

	if (n < 0)
		return (int)n;
	return n > 0 && n <= (long)sizeof(t->got) &&
			       strnlen(t->got, (size_t)n) == (size_t)n - 1
		       ? 0
		       : parts_wrong(p, "%ld bytes do not contain one string", n);
}

/* No process can read the payload of a logon key. */
static int key_logon(struct parts *p, long key)
{
	struct keys *t = keys_of(p);
	long logon = keys_add(p, "logon", KEYS_NAME, t->payload, KEYS_PAYLOAD,
		KEY_SPEC_SESSION_KEYRING);

	(void)key;
	if (logon < 0)
		return (int)logon;
	return parts_refused(p,
		keys_ctl(KEYCTL_READ, logon, KEYS_ADDRESS(t->got), sizeof(t->got), 0),
		EOPNOTSUPP, "reading of a logon key");
}

/* Only a program started by request_key(2) has the authority to do this. */
static int key_instantiate(struct parts *p, long key)
{
	static const int commands[] = {KEYCTL_INSTANTIATE, KEYCTL_NEGATE, KEYCTL_REJECT};

	if (keys_ctl(KEYCTL_ASSUME_AUTHORITY, 0, 0, 0, 0) < 0)
		return -errno;
	for (size_t i = 0; i < SM_ARRAY_SIZE(commands); i++) {
		int r = parts_refused(p,
			keys_ctl(commands[i], key, 0,
				commands[i] == KEYCTL_REJECT ? ENOKEY : 0, 0),
			EPERM, "instantiation without authority");

		if (r)
			return r;
	}
	return 0;
}

/* --- parts: keyrings ---------------------------------------------------------------- */

static int ring_id(struct parts *p, long key)
{
	long id = keys_try(KEYCTL_GET_KEYRING_ID, KEY_SPEC_SESSION_KEYRING, 0, 0, 0);
	int r = keys_check_equal(p, "the session keyring", id, keys_of(p)->session);

	return r ? r : keys_check_ring(p, KEY_SPEC_SESSION_KEYRING, key);
}

static int ring_link(struct parts *p, long key)
{
	long ring = keys_add_ring(p);
	int r = ring < 0 ? (int)ring : keys_check_ring(p, ring, 0);

	if (!r && keys_ctl(KEYCTL_LINK, key, ring, 0, 0) < 0)
		r = -errno;
	if (!r)
		r = keys_check_ring(p, ring, key);
	if (!r && keys_ctl(KEYCTL_UNLINK, key, ring, 0, 0) < 0)
		r = -errno;
	return r ? r : keys_check_ring(p, ring, 0);
}

static int ring_clear(struct parts *p, long key)
{
	long ring = keys_add_ring(p);

	(void)key;
	if (ring < 0)
		return (int)ring;
	key = keys_add_user(p, OTHER_NAME, ring);
	if (key < 0)
		return (int)key;
	if (keys_ctl(KEYCTL_CLEAR, ring, 0, 0, 0) < 0)
		return -errno;
	return keys_check_ring(p, ring, 0);
}

static int ring_move(struct parts *p, long key)
{
	long ring = keys_add_ring(p);
	int r;

	if (ring < 0)
		return (int)ring;
	if (keys_ctl(CTL_MOVE, key, KEY_SPEC_SESSION_KEYRING, ring, 0) < 0)
		return -errno;
	/* The new keyring has the key, the session keyring only the new keyring. */
	r = keys_check_ring(p, ring, key);
	return r ? r : keys_check_ring(p, KEY_SPEC_SESSION_KEYRING, ring);
}

static int ring_restrict(struct parts *p, long key)
{
	long ring = keys_add_ring(p);

	if (ring < 0)
		return (int)ring;
	if (keys_ctl(CTL_RESTRICT_KEYRING, ring, 0, 0, 0) < 0)
		return -errno;
	return parts_refused(p, keys_ctl(KEYCTL_LINK, key, ring, 0, 0), EPERM,
		"a link in a keyring that takes none");
}

/* Adds as many keys as the quota permits. */
static int ring_of_many(struct parts *p, long key)
{
	char name[sizeof(KEYS_NAME) + 16];
	long ring = keys_add_ring(p);
	long n = 0;

	while (ring > 0 && n < MANY && !stress_stopped(p->s)) {
		snprintf(name, sizeof(name), "%s-%ld", KEYS_NAME, n);
		key = keys_add_user(p, name, ring);
		if (key == -EDQUOT)
			break;
		if (key < 0)
			return (int)key;
		n++;
	}
	if (ring < 0 || n == 0)
		return ring < 0 ? (int)ring : -EDQUOT;
	return keys_check_equal(p, "the size of the keyring",
		keys_try(KEYCTL_READ, ring, 0, 0, 0), n * (long)sizeof(int32_t));
}

static int ring_of_process(struct parts *p, long key)
{
	long own = keys_add_user(p, OTHER_NAME, KEY_SPEC_PROCESS_KEYRING);
	int r;

	(void)key;
	if (own < 0)
		return (int)own;
	r = keys_check_ring(p, KEY_SPEC_PROCESS_KEYRING, own);
	if (keys_ctl(KEYCTL_CLEAR, KEY_SPEC_PROCESS_KEYRING, 0, 0, 0) < 0 && !r)
		r = -errno;
	return r;
}

static int ring_default(struct parts *p, long key)
{
	long before = keys_try(
		     KEYCTL_SET_REQKEY_KEYRING, KEY_REQKEY_DEFL_SESSION_KEYRING, 0, 0, 0),
	     now = keys_try(KEYCTL_SET_REQKEY_KEYRING, NO_CHANGE, 0, 0, 0);

	(void)key;
	if (before < 0)
		return (int)before;
	if (keys_ctl(KEYCTL_SET_REQKEY_KEYRING, before, 0, 0, 0) < 0)
		return -errno;
	return keys_check_equal(
		p, "the default keyring", now, KEY_REQKEY_DEFL_SESSION_KEYRING);
}

static int ring_join(struct parts *p, long key)
{
	struct keys *t = keys_of(p);
	long session = keys_join(p->s);

	(void)key;
	if (session < 0)
		return (int)session;
	if (session == t->session)
		return parts_wrong(p, "the new keyring is the old one");
	t->session = session;
	return keys_check_ring(p, KEY_SPEC_SESSION_KEYRING, 0);
}

/* --- parts: the rest ---------------------------------------------------------------- */

static int get_capabilities(struct parts *p, long key)
{
	unsigned char caps[2] = {0};
	const unsigned int all = CAN_INVALIDATE | CAN_RESTRICT | CAN_MOVE;

	(void)key;
	if (keys_ctl(CTL_CAPABILITIES, KEYS_ADDRESS(caps), sizeof(caps), 0, 0) < 0)
		return -errno;
	/* These features are older than the call. */
	return (caps[0] & all) == all
		       ? 0
		       : parts_wrong(p, "%#x lacks some of %#x", caps[0], all);
}

/* Computes 2 ^ DH_PRIVATE modulo a 2048-bit number. */
static int compute_dh(struct parts *p, long key)
{
	static const unsigned char base[] = {2}, private[] = {DH_PRIVATE};
	struct keys *t = keys_of(p);
	unsigned char prime[DH_BYTES], got[DH_BYTES] = {0};
	int32_t number[3]; /* private, prime, base */
	long n;

	memset(prime, 0xff, sizeof(prime));
	number[0] = (int32_t)keys_add(
		p, "user", "private", private, sizeof(private), t->session);
	number[1] =
		(int32_t)keys_add(p, "user", "prime", prime, sizeof(prime), t->session);
	number[2] = (int32_t)keys_add(p, "user", "base", base, sizeof(base), t->session);
	for (unsigned int i = 0; i < SM_ARRAY_SIZE(number); i++)
		if (number[i] < 0)
			return number[i];
	(void)key;
	n = keys_try(
		CTL_DH_COMPUTE, KEYS_ADDRESS(number), KEYS_ADDRESS(got), sizeof(got), 0);
	if (n < 0)
		return (int)n;
	for (unsigned int i = 0; i < DH_BYTES; i++) {
		unsigned int bit = (DH_BYTES - 1 - i) * 8;
		unsigned int want = DH_PRIVATE / 8 * 8 == bit ? 1u << DH_PRIVATE % 8 : 0;

		if (got[i] != want)
			return parts_wrong(
				p, "byte %u is %#x instead of %#x", i, got[i], want);
	}
	return keys_check_equal(p, "the size of the result", n, DH_BYTES);
}

struct notice {
	uint32_t type : 24, subtype : 8;
	uint32_t info, key, more;
};

static int watch_update(struct parts *p, long key, int fd)
{
	struct keys *t = keys_of(p);
	struct notice got = {0};

	if (ioctl(fd, SET_QUEUE_SIZE, QUEUE_SIZE) < 0 ||
		keys_ctl(CTL_WATCH_KEY, key, fd, WATCH_ID, 0) < 0)
		return -errno;
	if (keys_ctl(KEYCTL_UPDATE, key, KEYS_ADDRESS(t->payload), KEYS_PAYLOAD, 0) < 0 ||
		read(fd, &got, sizeof(got)) < 0)
		return -errno;
	if (got.type == TYPE_KEY && got.subtype == KEY_UPDATED &&
		got.key == (uint32_t)key)
		return 0;
	return parts_wrong(p,
		"type %u, subtype %u of key %u; should be %d, %d of key %ld", got.type,
		got.subtype, got.key, TYPE_KEY, KEY_UPDATED, key);
}

static int watch_key(struct parts *p, long key)
{
	int fd[2], r;

	if (pipe2(fd, NOTIFICATION_PIPE | O_CLOEXEC | O_NONBLOCK) < 0)
		return -errno;
	r = watch_update(p, key, fd[0]);
	close(fd[0]);
	close(fd[1]);
	return r;
}

/* --- the table ---------------------------------------------------------------------- */

struct act {
	int (*use)(struct parts *p, long key);
};

static int play(struct parts *p)
{
	const struct act *act = p->with;
	struct keys *t = keys_of(p);
	long key = keys_add_user(p, KEYS_NAME, KEY_SPEC_SESSION_KEYRING);
	int r = key < 0 ? (int)key : act->use(p, key);

	if (keys_ctl(KEYCTL_CLEAR, KEY_SPEC_SESSION_KEYRING, 0, 0, 0) < 0 && !r)
		r = -errno;
	if (r != -EDQUOT)
		return r;
	t->refused++;
	return parts_put_off();
}

/* ENODEV: the key type does not exist.  ENOENT, ENOPKG: an algorithm or a driver is
 * missing. */
#define ACT(name, function, ...)                                                 \
	{                                                                        \
		name, play, .absent = {__VA_ARGS__}, .with = &(const struct act) \
		{                                                                \
			function                                                 \
		}                                                                \
	}

static const struct part table[] = {
	ACT("KEYCTL_READ", key_read, 0),
	ACT("KEYCTL_DESCRIBE", key_describe, 0),
	ACT("KEYCTL_UPDATE", key_update, 0),
	ACT("add_key", key_add_again, 0),
	ACT("request_key", key_request, EPERM),
	ACT("KEYCTL_SEARCH", key_search, 0),
	ACT("KEYCTL_SETPERM", key_set_perm, 0),
	ACT("KEYCTL_CHOWN", key_chown, 0),
	ACT("KEYCTL_SET_TIMEOUT", key_set_timeout, 0),
	ACT("KEYCTL_REVOKE", key_revoke, 0),
	ACT("KEYCTL_INVALIDATE", key_invalidate, 0),
	ACT("KEYCTL_GET_SECURITY", key_get_security, 0),
	ACT("logon", key_logon, ENODEV),
	ACT("KEYCTL_INSTANTIATE", key_instantiate, 0),
	ACT("KEYCTL_GET_KEYRING_ID", ring_id, 0),
	ACT("KEYCTL_LINK", ring_link, 0),
	ACT("KEYCTL_CLEAR", ring_clear, 0),
	ACT("KEYCTL_MOVE", ring_move, 0),
	ACT("KEYCTL_RESTRICT_KEYRING", ring_restrict, 0),
	ACT("many keys", ring_of_many, 0),
	ACT("KEY_SPEC_PROCESS_KEYRING", ring_of_process, 0),
	ACT("KEYCTL_SET_REQKEY_KEYRING", ring_default, 0),
	ACT("KEYCTL_JOIN_SESSION_KEYRING", ring_join, 0),
	ACT("KEYCTL_CAPABILITIES", get_capabilities, 0),
	ACT("KEYCTL_DH_COMPUTE", compute_dh, ENOENT, ENOPKG),
	ACT("KEYCTL_WATCH_KEY", watch_key, EINVAL, ENOPKG, ENOTTY),
	{0},
};

static int run(struct stress *s)
{
	struct keys *t = s->data;
	int r = parts_run(&t->parts);

	if (!r && !t->made)
		return stress_lacks(s, "the quota of the user has no room for a key");
	if (!r && t->refused)
		stress_note(s, "%llu parts found no room in the quota of the user",
			(unsigned long long)t->refused);
	return r;
}

/* The process keyring need not exist. */
static const char *probe(const struct stress *s)
{
	long r = keys_try(KEYCTL_GET_KEYRING_ID, KEY_SPEC_PROCESS_KEYRING, 0, 0, 0);

	(void)s;
	if (r == -ENOSYS)
		return "this kernel has no keys (CONFIG_KEYS), or they are filtered here";
	return r == -EPERM || r == -EACCES ? "keyctl(2) is not permitted here" : NULL;
}

static int setup(struct stress *s)
{
	struct keys *t = s->data;

	t->random = s->seed;
	t->session = keys_join(s);
	if (t->session < 0)
		return stress_error(
			s, STRESS_SKIP, (int)-t->session, "a session keyring");
	parts_init(&t->parts, s, table);
	return 0;
}

/* Remarks for the man page (man/remarks.h). */
const char stressor_key_man[] =
	"metric time per part: one key is created, used, checked and removed\n"
	"metric parts: calls that work on this machine\n"
	"An instance joins its own session keyring; no key outlives it.  The key "
	"quota of the user (/proc/sys/kernel/keys) is shared with all other "
	"processes of the user.  A part that finds no free quota for 50 ms is "
	"skipped, and a note reports the number of skipped parts.  Commands that "
	"need another process or have lasting effects are not used: "
	"KEYCTL_SESSION_TO_PARENT, KEYCTL_GET_PERSISTENT and the user keyrings.\n";

const struct stressor stressor_key = {
	.name = "key",
	.does = "create, use and remove keys and keyrings with add_key(2), "
		"request_key(2) and keyctl(2)",
	.op = "one round of all commands, each with its own key",
	.checks = "payload, description, permissions and keyring of the keys are "
		  "right, and forbidden operations fail",
	.needs = "keys (CONFIG_KEYS) that are permitted in this container",
	.classes = CLASS_OS,
	.metrics = parts_metrics,
	.probe = probe,
	.state = sizeof(struct keys),
	.setup = setup,
	.run = run,
};
