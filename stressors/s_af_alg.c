// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * All usable algorithms take turns and get equal times.  A turn opens a socket with a
 * key, sends some messages through it, checks them, and closes it.
 */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "alg/alg.h"
#include "procfs/text.h"
#include "run/stress.h"

enum { THROUGHPUT, ALGORITHMS };

static const struct stressor_metric metrics[] = {
	[THROUGHPUT] = {"throughput", "MB/s", .mean = MEAN_RATE, .headline = "MB/s"},
	[ALGORITHMS] = {"algorithms", "", .mean = MEAN_MIN},
	{0},
};

#define FAMILY	    38 /* AF_ALG */
#define MOST	    512u
#define TEXT_BYTES  262144u
#define BLOCK	    64u /* a multiple of the block sizes of all ciphers */
#define BLOCKS	    63u /* most blocks of a message */
#define DATA_BYTES  ((BLOCKS + 1) * BLOCK)
#define ROOM	    (DATA_BYTES + ALG_TAG_BYTES)
#define PER_VISIT   8
#define DRAWN	    64 /* random bytes per call */
#define SPOILT	    2  /* op */
#define KNOWN_BYTES 8

struct af_alg {
	uint64_t random, bytes;
	unsigned int all, used; /* number of entries in /proc/crypto */
	size_t n;
	char key[ALG_KEY_BYTES], iv[ALG_IV_BYTES];
	char data[DATA_BYTES], out[ROOM], back[ROOM], drawn[DRAWN];
	struct alg alg[MOST];
};

/* --- checks ------------------------------------------------------------------------- */

static void fill(struct af_alg *t, char *p, size_t bytes)
{
	for (size_t i = 0; i < bytes; i += sizeof(uint64_t)) {
		uint64_t word = stress_random(&t->random);

		memcpy(p + i, &word, sizeof(word));
	}
}

/* Reports a failed check and returns 1. */
static int wrong(struct stress *s, const struct alg *a, const char *what)
{
	(void)stress_fail(s, "%s: %s", a->driver, what);
	return 1;
}

static int check_size(struct stress *s, const struct alg *a, ssize_t got, size_t want)
{
	if (got < 0)
		return (int)got;
	if ((size_t)got == want)
		return 0;
	(void)stress_fail(s, "%s: %zd bytes instead of %zu", a->driver, got, want);
	return 1;
}

static ssize_t read_some(int fd, void *p, size_t bytes)
{
	ssize_t n = read(fd, p, bytes);

	return n < 0 ? -errno : n;
}

static void spoil(const struct stress *s, char *p)
{
	if (s->spoil &&
		atomic_load_explicit(&s->slot->ops, memory_order_relaxed) == SPOILT)
		*p ^= 1;
}

/* --- hashes ------------------------------------------------------------------------- */

/* The first bytes of the digest of "abc" (FIPS 180-2, RFC 1321). */
static const struct {
	const char *name;
	unsigned char digest[KNOWN_BYTES];
} known[] = {
	{"sha256", {0xba, 0x78, 0x16, 0xbf, 0x8f, 0x01, 0xcf, 0xea}},
	{"sha512", {0xdd, 0xaf, 0x35, 0xa1, 0x93, 0x61, 0x7a, 0xba}},
	{"sha1", {0xa9, 0x99, 0x3e, 0x36, 0x47, 0x06, 0x81, 0x6a}},
	{"md5", {0x90, 0x01, 0x50, 0x98, 0x3c, 0xd2, 0x4f, 0xb0}},
};

/* Hashes the data in two pieces if the first one is not empty. */
static int hash(struct stress *s, const struct alg *a, int fd, const char *data,
	size_t first, size_t bytes, char *digest)
{
	if (first && send(fd, data, first, MSG_MORE) < 0)
		return -errno;
	if (send(fd, data + first, bytes - first, 0) < 0)
		return -errno;
	return check_size(s, a, read_some(fd, digest, a->digest), a->digest);
}

static int check_known(struct stress *s, const struct alg *a, int fd)
{
	struct af_alg *t = s->data;

	for (size_t i = 0; i < SM_ARRAY_SIZE(known); i++) {
		int r;

		if (strcmp(a->name, known[i].name) != 0)
			continue;
		r = hash(s, a, fd, "abc", 0, 3, t->out);
		if (r)
			return r;
		if (memcmp(t->out, known[i].digest, KNOWN_BYTES) != 0)
			return wrong(s, a, "the digest of \"abc\" is wrong");
	}
	return 0;
}

static int hash_message(struct stress *s, const struct alg *a, int fd)
{
	struct af_alg *t = s->data;
	size_t bytes = (size_t)(stress_random(&t->random) % DATA_BYTES) + 1;
	int r = check_known(s, a, fd);

	if (!r)
		r = hash(s, a, fd, t->data, 0, bytes, t->out);
	spoil(s, t->data);
	if (!r)
		r = hash(s, a, fd, t->data, bytes / 2, bytes, t->back);
	t->bytes += 2 * bytes;
	if (!r && memcmp(t->out, t->back, a->digest) != 0)
		r = wrong(s, a, "two digests of the same message differ");
	return r;
}

/* --- ciphers ------------------------------------------------------------------------ */

static size_t draw_size(struct af_alg *t)
{
	return (size_t)(stress_random(&t->random) % BLOCKS + 1) * BLOCK;
}

static int cipher_message(struct stress *s, const struct alg *a, int fd)
{
	struct af_alg *t = s->data;
	size_t n = draw_size(t);
	int r = check_size(s, a, alg_crypt(fd, a, true, t->iv, t->data, n, t->out, n), n);

	if (r)
		return r;
	if (memcmp(t->out, t->data, n) == 0 && !strstr(a->name, "null"))
		return wrong(s, a, "the message is not encrypted");
	spoil(s, t->out);
	r = check_size(s, a, alg_crypt(fd, a, false, t->iv, t->out, n, t->back, n), n);
	t->bytes += 2 * n;
	if (!r && memcmp(t->back, t->data, n) != 0)
		r = wrong(s, a, "the decrypted message is another");
	return r;
}

/* Sends a message with a damaged tag, which must be rejected. */
static int check_damaged(struct stress *s, const struct alg *a, int fd, size_t n)
{
	struct af_alg *t = s->data;
	ssize_t r;

	t->out[n - 1] ^= 1;
	r = alg_crypt(fd, a, false, t->iv, t->out, n, t->back, n);
	if (r == -EBADMSG)
		return 0;
	return r < 0 ? (int)r : wrong(s, a, "a message with a damaged tag is accepted");
}

static int aead_message(struct stress *s, const struct alg *a, int fd)
{
	struct af_alg *t = s->data;
	size_t n = draw_size(t), sealed = n + a->tag;
	int r = check_size(
		s, a, alg_crypt(fd, a, true, t->iv, t->data, n, t->out, sealed), sealed);

	if (r)
		return r;
	spoil(s, t->out + ALG_ASSOC);
	r = check_size(
		s, a, alg_crypt(fd, a, false, t->iv, t->out, sealed, t->back, n), n);
	t->bytes += 2 * n;
	if (!r && memcmp(t->back + ALG_ASSOC, t->data + ALG_ASSOC, n - ALG_ASSOC) != 0)
		r = wrong(s, a, "the decrypted message is another");
	return r || !a->tag ? r : check_damaged(s, a, fd, sealed);
}

/* --- random numbers ----------------------------------------------------------------- */

/* Draws random numbers, which must differ from the previous ones. */
static int draw_message(struct stress *s, const struct alg *a, int fd)
{
	struct af_alg *t = s->data;
	int r = check_size(s, a, read_some(fd, t->out, DRAWN), DRAWN);

	if (s->spoil)
		memcpy(t->out, t->drawn, DRAWN);
	t->bytes += DRAWN;
	if (!r && memcmp(t->out, t->drawn, DRAWN) == 0)
		r = wrong(s, a, "the same random bytes twice");
	memcpy(t->drawn, t->out, DRAWN);
	return r;
}

/* --- the instance ------------------------------------------------------------------- */

static int (*const message[])(struct stress *s, const struct alg *a, int fd) = {
	[ALG_HASH] = hash_message,
	[ALG_SKCIPHER] = cipher_message,
	[ALG_AEAD] = aead_message,
	[ALG_RNG] = draw_message,
};

/* Returns 0, 1 if the result of the instance is known, or -errno. */
static int send_messages(struct stress *s, struct alg *a, int fd)
{
	struct af_alg *t = s->data;
	int r = 0;

	for (unsigned int i = 0; i < PER_VISIT && r == 0 && stress_goes_on(s); i++) {
		r = message[a->kind](s, a, fd);
		if (r)
			break;
		t->used += !a->used;
		a->used = true;
		stress_add(s, 1);
	}
	return r;
}

/* Uses an algorithm for its turn.  If the first message fails, the algorithm is not
 * usable here; once it has worked, it must work. */
static int visit(struct stress *s, struct alg *a)
{
	struct af_alg *t = s->data;
	int fd, r;

	fill(t, t->key, sizeof(t->key));
	fill(t, t->iv, sizeof(t->iv));
	fill(t, t->data, BLOCK);
	if (strncmp(a->name, "ccm(", 4) == 0)
		t->iv[0] = 3; /* the first byte is the length of the length field, minus 1
				 (RFC 3610) */
	fd = alg_open(a, t->key);
	r = fd < 0 ? fd : send_messages(s, a, fd);
	if (fd >= 0)
		close(fd);
	if (r >= 0)
		return r;
	if (!a->used && !stress_is_lack(-r)) {
		a->unusable = true;
		return 0;
	}
	return stress_error(s, STRESS_FAIL, -r, "%s", a->driver);
}

/* Returns the algorithm that had the least time, or NULL if all are unusable. */
static struct alg *choose(struct af_alg *t)
{
	struct alg *a = NULL;

	for (size_t i = 0; i < t->n; i++)
		if (!t->alg[i].unusable && (!a || t->alg[i].ns < a->ns))
			a = &t->alg[i];
	return a;
}

static int run(struct stress *s)
{
	struct af_alg *t = s->data;
	uint64_t begin_ns = sm_clock_mono_ns();
	int r = 0;

	while (r == 0 && stress_goes_on(s)) {
		struct alg *a = choose(t);
		uint64_t end_ns;

		if (!a)
			return stress_skip(s,
				"none of the %u entries of /proc/crypto can be used",
				t->all);
		r = visit(s, a);
		end_ns = sm_clock_mono_ns();
		a->ns += end_ns - begin_ns;
		begin_ns = end_ns;
		stress_metric(s, THROUGHPUT,
			(double)t->bytes * 1e3 / (double)(end_ns - s->go_ns));
		stress_metric(s, ALGORITHMS, t->used);
	}
	if (r == 0 && t->used < t->all)
		stress_note(
			s, "%u of %u entries of /proc/crypto were used", t->used, t->all);
	return r ? -1 : 0;
}

static const char *probe(const struct stress *s)
{
	SM_CLOSE_FD int fd = socket(FAMILY, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	(void)s;
	if (fd >= 0)
		return NULL;
	if (errno == EAFNOSUPPORT)
		return "this kernel has no AF_ALG (CONFIG_CRYPTO_USER_API)";
	return errno == EPERM || errno == EACCES || errno == ENOSYS
		       ? "AF_ALG is not permitted here"
		       : NULL;
}

static int setup(struct stress *s)
{
	SM_CLEANUP(sm_root_close) struct sm_root root = SM_ROOT_INIT;
	struct af_alg *t = s->data;
	char *text = stress_map(s, TEXT_BYTES, 0);
	ssize_t n;

	if (!text)
		return -1;
	t->random = s->seed;
	fill(t, t->data, sizeof(t->data));
	n = sm_root_open(&root, NULL);
	if (n == 0)
		n = procfs_text(&root, "crypto", text, TEXT_BYTES);
	if (n < 0)
		return stress_error(s, STRESS_SKIP, (int)-n, "cannot read /proc/crypto");
	t->n = alg_parse(text, (size_t)n, t->alg, MOST, &t->all);
	stress_unmap(text, TEXT_BYTES);
	return 0;
}

/* Remarks for the man page (man/remarks.h). */
const char stressor_af_alg_man[] =
	"metric throughput: all data hashed, encrypted, decrypted and read; 1 MB "
	"is 10^6 bytes\n"
	"metric algorithms: entries of /proc/crypto that were used\n"
	"All usable algorithms get equal amounts of time.  An algorithm is not "
	"usable if the kernel rejects its name, its key or the first message.  A "
	"note reports how many entries of /proc/crypto were used.  Messages have "
	"up to 4096 bytes; random numbers are read in blocks of 64 bytes.  The "
	"kernel must have loaded the modules algif_hash, algif_skcipher, "
	"algif_aead and algif_rng, or be able to load them.\n";

const struct stressor stressor_af_alg = {
	.name = "af-alg",
	.does = "hash and encrypt messages and generate random numbers with AF_ALG "
		"sockets, using all algorithms in /proc/crypto",
	.op = "one message is hashed twice, or encrypted and decrypted, or "
	      "random numbers are read",
	.checks = "both digests are equal and, for sha256, sha512, sha1 and md5, "
		  "have the known value; the decrypted message equals the original; "
		  "a damaged tag is rejected; random numbers differ",
	.needs = "AF_ALG (CONFIG_CRYPTO_USER_API_HASH and others)",
	.classes = CLASS_CPU | CLASS_OS,
	.metrics = metrics,
	.probe = probe,
	.state = sizeof(struct af_alg),
	.setup = setup,
	.run = run,
};
