// SPDX-License-Identifier: GPL-2.0-or-later
#include "alg.h"

#include <errno.h>
#include <linux/if_alg.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/parse.h"

/* Older headers lack these. */
#define FAMILY	     38
#define LEVEL	     279
#define SET_TAG_SIZE 5

/* --- entries ------------------------------------------------------------------------ */

static void set_text(char text[ALG_NAME_BYTES], struct sm_str value)
{
	/* A name that is too long is left empty. */
	if (value.n < ALG_NAME_BYTES)
		memcpy(text, value.p, value.n);
}

static bool find_kind(struct sm_str type, enum alg_kind *kind)
{
	static const struct {
		const char *type;
		enum alg_kind kind;
	} kinds[] = {{"shash", ALG_HASH}, {"ahash", ALG_HASH}, {"skcipher", ALG_SKCIPHER},
		{"lskcipher", ALG_SKCIPHER}, {"aead", ALG_AEAD}, {"rng", ALG_RNG}};

	for (size_t i = 0; i < SM_ARRAY_SIZE(kinds); i++) {
		*kind = kinds[i].kind;
		if (sm_parse_eq(type, kinds[i].type))
			return true;
	}
	*kind = ALG_KINDS;
	return false;
}

static void set_number(struct alg *a, struct sm_str key, struct sm_str value)
{
	const struct {
		const char *key;
		unsigned int *number;
	} numbers[] = {{"min keysize", &a->min_key}, {"max keysize", &a->max_key},
		{"ivsize", &a->iv}, {"maxauthsize", &a->tag}, {"digestsize", &a->digest},
		{"seedsize", &a->seed}};
	uint64_t n;

	for (size_t i = 0; i < SM_ARRAY_SIZE(numbers); i++)
		if (sm_parse_eq(key, numbers[i].key) && sm_parse_whole_u64(value, &n))
			*numbers[i].number = (unsigned int)n;
}

/* Parses "KEY : VALUE". */
static void take_line(struct alg *a, struct sm_str line)
{
	const char *colon = memchr(line.p, ':', line.n), *end = line.p + line.n;
	struct sm_str key, value;

	if (!colon)
		return;
	key = (struct sm_str){line.p, (size_t)(colon - line.p)};
	while (key.n && sm_parse_is_blank(key.p[key.n - 1]))
		key.n--;
	colon++;
	sm_parse_skip_blanks(&colon, end);
	value = (struct sm_str){colon, (size_t)(end - colon)};
	if (sm_parse_eq(key, "name"))
		set_text(a->name, value);
	else if (sm_parse_eq(key, "driver"))
		set_text(a->driver, value);
	else if (sm_parse_eq(key, "type"))
		(void)find_kind(value, &a->kind);
	else if (sm_parse_eq(key, "internal"))
		a->internal = sm_parse_eq(value, "yes");
	else
		set_number(a, key, value);
}

/* Returns true if decryption after encryption restores the message.  It does not with
 * arc4, which continues its key stream, with kw, which makes its own initialization
 * vector, and with generators of such vectors. */
static bool goes_back(const struct alg *a)
{
	static const char *const not [] = {"kw(", "seqiv(", "echainiv(", "ecb(arc4)"};

	for (size_t i = 0; i < SM_ARRAY_SIZE(not ); i++)
		if (strncmp(a->name, not [i], strlen(not [i])) == 0)
			return false;
	return true;
}

static bool may_be_used(const struct alg *a)
{
	return a->kind != ALG_KINDS && *a->driver && !a->internal && goes_back(a) &&
	       a->iv <= ALG_IV_BYTES && a->tag <= ALG_TAG_BYTES &&
	       a->digest <= ALG_KEY_BYTES && (a->kind != ALG_HASH || a->digest) &&
	       a->seed <= ALG_KEY_BYTES && a->min_key <= ALG_KEY_BYTES;
}

size_t alg_parse(
	const char *text, size_t n, struct alg *alg, size_t max, unsigned int *all)
{
	const struct alg empty = {.kind = ALG_KINDS};
	const char *p = text, *end = text + n;
	struct alg a = empty;
	struct sm_str line;
	size_t found = 0;

	*all = 0;
	while (found < max && sm_parse_line(&p, end, &line)) {
		take_line(&a, line);
		if (line.n && p < end)
			continue;
		*all += *a.name != '\0';
		if (may_be_used(&a))
			alg[found++] = a;
		a = empty;
	}
	return found;
}

/* --- sockets ------------------------------------------------------------------------ */

static int try_key(int fd, const void *key, unsigned int bytes)
{
	return setsockopt(fd, LEVEL, ALG_SET_KEY, key, bytes) < 0 ? -errno : 0;
}

/* Tries several sizes of a key: the entry of a hash or AEAD does not contain the size,
 * and most hashes work without a key. */
static int guess_key(int fd, const void *key, bool needed)
{
	static const unsigned int sizes[] = {32, 16, 64, 20, 36, 24, 19, 8, 4};
	int r = 0;

	for (size_t i = 0; i < SM_ARRAY_SIZE(sizes); i++) {
		r = try_key(fd, key, sizes[i]);
		if (r != -EINVAL)
			break;
	}
	return needed || (r != -ENOSYS && r != -ENOPROTOOPT) ? r : 0;
}

static int set_key(int fd, const struct alg *a, const void *key)
{
	int r;

	switch (a->kind) {
	case ALG_SKCIPHER:
		r = a->max_key <= ALG_KEY_BYTES ? try_key(fd, key, a->max_key) : -EINVAL;
		return r == -EINVAL ? try_key(fd, key, a->min_key) : r;
	case ALG_RNG:
		return try_key(fd, key, a->seed);
	case ALG_AEAD:
		r = guess_key(fd, key, true);
		if (!r && setsockopt(fd, LEVEL, SET_TAG_SIZE, NULL, a->tag) < 0)
			r = -errno;
		return r;
	default:
		return guess_key(fd, key, false);
	}
}

int alg_open(const struct alg *a, const void *key)
{
	static const char *const types[] = {[ALG_HASH] = "hash",
		[ALG_SKCIPHER] = "skcipher",
		[ALG_AEAD] = "aead",
		[ALG_RNG] = "rng"};
	SM_CLOSE_FD int fd = socket(FAMILY, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	struct sockaddr_alg address = {.salg_family = FAMILY};
	int r;

	if (fd < 0)
		return -errno;
	memcpy(address.salg_type, types[a->kind], strlen(types[a->kind]));
	memcpy(address.salg_name, a->driver, sizeof(address.salg_name));
	if (bind(fd, (void *)&address, sizeof(address)) < 0)
		return -errno;
	r = set_key(fd, a, key);
	if (r)
		return r;
	r = accept4(fd, NULL, NULL, SOCK_CLOEXEC);
	return r < 0 ? -errno : r;
}

/* --- messages ----------------------------------------------------------------------- */

struct control {
	_Alignas(struct cmsghdr) char buf[256];
	size_t bytes;
};

static void put(struct control *c, int type, const void *data, size_t bytes)
{
	struct cmsghdr h = {.cmsg_len = (socklen_t)CMSG_LEN(bytes),
		.cmsg_level = LEVEL,
		.cmsg_type = type};

	memcpy(c->buf + c->bytes, &h, sizeof(h));
	memcpy(c->buf + c->bytes + CMSG_LEN(0), data, bytes);
	c->bytes += CMSG_SPACE(bytes);
}

static void put_iv(struct control *c, const void *iv, uint32_t bytes)
{
	char text[sizeof(bytes) + ALG_IV_BYTES];

	memcpy(text, &bytes, sizeof(bytes));
	memcpy(text + sizeof(bytes), iv, bytes);
	put(c, ALG_SET_IV, text, sizeof(bytes) + bytes);
}

ssize_t alg_crypt(int fd, const struct alg *a, bool encrypt, const void *iv,
	const void *data, size_t bytes, void *out, size_t room)
{
	uint32_t how = encrypt ? ALG_OP_ENCRYPT : ALG_OP_DECRYPT, assoc = ALG_ASSOC;
	struct iovec v = {(void *)(uintptr_t)data, bytes};
	struct msghdr h = {.msg_iov = &v, .msg_iovlen = 1};
	struct control c = {.bytes = 0};
	ssize_t n;

	put(&c, ALG_SET_OP, &how, sizeof(how));
	if (a->iv)
		put_iv(&c, iv, a->iv);
	if (a->kind == ALG_AEAD)
		put(&c, ALG_SET_AEAD_ASSOCLEN, &assoc, sizeof(assoc));
	h.msg_control = c.buf;
	h.msg_controllen = (socklen_t)c.bytes;
	n = sendmsg(fd, &h, 0);
	if (n >= 0)
		n = read(fd, out, room);
	return n < 0 ? -errno : n;
}
