// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/lines.h"
#include "base/parse.h"
#include "proc/ksyms.h"

#define CHUNK_BYTES 65536u
#define PROBE_BYTES 4096u /* the first symbols may be per-CPU, from address 0 */

int sm_ksyms_open(struct sm_ksyms *k, const struct sm_root *root)
{
	*k = (struct sm_ksyms)SM_KSYMS_INIT;
	(void)!sm_ksymname_open(&k->program, root);
	k->fd = sm_at_open(root->proc, "kallsyms", 0);
	return k->fd < 0 ? k->fd : 0;
}

void sm_ksyms_close(struct sm_ksyms *k)
{
	sm_ksymname_close(&k->program);
	sm_base_close_fd(&k->fd);
	for (size_t i = 0; i < k->n; i++)
		free(k->sym[i].name);
	free(k->sym);
	*k = (struct sm_ksyms)SM_KSYMS_INIT;
}

/* Returns the index of the first element that is not below the address. */
static size_t place(const struct sm_ksyms *k, uint64_t address)
{
	size_t low = 0, high = k->n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (k->sym[mid].address < address)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static struct sm_ksym *find(const struct sm_ksyms *k, uint64_t address)
{
	size_t i = place(k, address);

	return i < k->n && k->sym[i].address == address ? &k->sym[i] : NULL;
}

int sm_ksyms_add(struct sm_ksyms *k, uint64_t address)
{
	size_t i = place(k, address);
	int err;

	if (i < k->n && k->sym[i].address == address)
		return 0;
	err = sm_array_reserve(&k->sym, &k->cap, k->n + 1, sizeof(*k->sym));
	if (err)
		return err;
	memmove(&k->sym[i + 1], &k->sym[i], (k->n - i) * sizeof(*k->sym));
	k->sym[i] = (struct sm_ksym){.address = address};
	k->n++;
	k->pending = true;
	return 0;
}

const char *sm_ksyms_name(const struct sm_ksyms *k, uint64_t address)
{
	const struct sm_ksym *s = find(k, address);

	return s && s->name ? s->name : "";
}

/* --- the file ----------------------------------------------------------------------- */

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool parse_hex(const char **p, const char *end, uint64_t *out)
{
	const char *s = *p;
	uint64_t v = 0;

	for (; s < end && hex_digit(*s) >= 0; s++) {
		if (v >> 60)
			return false;
		v = v << 4 | (uint64_t)hex_digit(*s);
	}
	if (s == *p)
		return false;
	*p = s;
	*out = v;
	return true;
}

/* Parses the name in "ffffffff8119a0b0 t hrtimer_wakeup\t[module]". */
static bool parse_name(const char *p, const char *end, struct sm_str *name)
{
	struct sm_str type;

	if (!sm_parse_token(&p, end, &type) || type.n != 1 || !strchr("tTwW", type.p[0]))
		return false;
	return sm_parse_token(&p, end, name);
}

/* Stores the name, unless memory is exhausted. */
static bool take(struct sm_ksym *s, struct sm_str name)
{
	size_t n = name.n < SM_KSYM_NAME_MAX ? name.n : SM_KSYM_NAME_MAX;

	if (s->name || !name.n)
		return false; /* the first of several names */
	s->name = strndup(name.p, n);
	return s->name != NULL;
}

/* Most names fail this test, which is cheaper than a comparison. */
static unsigned int bit_of(const char *name, size_t n)
{
	return ((unsigned int)n * 31 + (unsigned char)name[0] * 7 +
		       (unsigned char)name[n - 1]) %
	       256;
}

void sm_ksyms_expect(struct sm_ksyms *k, const char *const *names, size_t n)
{
	k->expected = names;
	k->n_expected = n;
	for (size_t i = 0; i < n; i++) {
		unsigned int bit = bit_of(names[i], strlen(names[i]));

		k->filter[bit / 64] |= UINT64_C(1) << bit % 64;
	}
}

static bool is_expected(const struct sm_ksyms *k, struct sm_str name)
{
	unsigned int bit = bit_of(name.p, name.n);

	if (!(k->filter[bit / 64] >> bit % 64 & 1))
		return false;
	for (size_t i = 0; i < k->n_expected; i++)
		if (!strncmp(k->expected[i], name.p, name.n) && !k->expected[i][name.n])
			return true;
	return false;
}

/* Returns the symbol of a line if its name is needed, or NULL. */
static struct sm_ksym *find_wanted(struct sm_ksyms *k, uint64_t address, const char *s,
	const char *end, struct sm_str *name)
{
	struct sm_ksym *sym = find(k, address);
	bool expected = k->n_expected && address && !sym;

	if ((!sym && !expected) || (sym && sym->looked) || !parse_name(s, end, name))
		return NULL;
	if (!expected)
		return sym;
	if (!name->n || !is_expected(k, *name) || sm_ksyms_add(k, address) < 0)
		return NULL;
	return find(k, address);
}

size_t sm_ksyms_parse(struct sm_ksyms *k, const char *text, size_t n, size_t *missing)
{
	const char *p = text, *end = text + n, *nl;

	for (; *missing && (nl = memchr(p, '\n', (size_t)(end - p))) != NULL;
		p = nl + 1) {
		const char *s = p;
		struct sm_ksym *sym;
		struct sm_str name;
		uint64_t address;

		if (!parse_hex(&s, nl, &address))
			continue;
		k->shown = k->shown || address;
		sym = find_wanted(k, address, s, nl, &name);
		if (sym && take(sym, name))
			(*missing)--;
	}
	return (size_t)(p - text);
}

struct wanted {
	struct sm_ksym_named *symbol;
	size_t n, found;
};

/* Compares a line "0000000000004000 A __preempt_count" with the names. */
static int find_line(void *ctx, const char *s, size_t n)
{
	const char *p = s, *end = s + n;
	struct wanted *w = ctx;
	struct sm_str type, name;
	uint64_t address;

	if (!parse_hex(&p, end, &address) || !address ||
		!sm_parse_token(&p, end, &type) || !sm_parse_token(&p, end, &name))
		return 0;
	for (size_t i = 0; i < w->n; i++) {
		struct sm_ksym_named *k = &w->symbol[i];

		if (k->address || strlen(k->name) != name.n ||
			memcmp(k->name, name.p, name.n) != 0)
			continue;
		k->address = address;
		w->found++;
	}
	return w->found == w->n;
}

int sm_ksyms_find(const struct sm_root *root, struct sm_ksym_named *symbol, size_t n)
{
	SM_CLOSE_FD int fd = sm_at_open(root->proc, "kallsyms", 0);
	struct wanted w = {symbol, n, 0};
	struct sm_buf carry = {0};
	int err;

	if (fd < 0)
		return -ENODATA;
	err = sm_lines_read(fd, &carry, find_line, &w);
	sm_buf_fini(&carry);
	return err < 0 ? err : w.found == n ? 0 : -ENODATA;
}

static int read_file(struct sm_ksyms *k, char *chunk, size_t missing)
{
	size_t have = 0;
	off_t at = 0;

	while (missing) {
		ssize_t n = pread(k->fd, chunk + have, CHUNK_BYTES - have, at);
		size_t used;

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		at += n;
		have += (size_t)n;
		used = sm_ksyms_parse(k, chunk, have, &missing);
		if (used == 0 && have == CHUNK_BYTES)
			return -EBADMSG;
		have -= used;
		memmove(chunk, chunk + used, have);
	}
	return k->shown ? 0 : -ENODATA;
}

bool sm_ksyms_shown(struct sm_ksyms *k)
{
	char lines[PROBE_BYTES];
	size_t missing = SIZE_MAX;
	ssize_t n;

	if (k->program.prog_fd >= 0)
		return true;
	n = k->fd < 0 || k->shown ? 0 : pread(k->fd, lines, sizeof(lines), 0);
	if (n > 0)
		(void)sm_ksyms_parse(k, lines, (size_t)n, &missing);
	return k->shown;
}

/* --- reading ------------------------------------------------------------------------ */

/* Puts addresses from symbol i into the batch.  Returns the index after the last one. */
static size_t fill_batch(const struct sm_ksyms *k, size_t i)
{
	struct sm_ksymname_batch *b = sm_ksymname_batch(&k->program);
	size_t n = 0;

	for (; i < k->n && n < SM_KSYMNAME_BATCH; i++)
		if (!k->sym[i].looked)
			b->address[n++] = k->sym[i].address;
	while (n < SM_KSYMNAME_BATCH)
		b->address[n++] = 0;
	return i;
}

/* Takes the names of the batch that begins at symbol i; the name of a module's function
 * has a blank and the module after it. */
static void take_batch(struct sm_ksyms *k, size_t i, size_t end)
{
	const struct sm_ksymname_batch *b = sm_ksymname_batch(&k->program);

	for (size_t n = 0; i < end; i++) {
		const char *name = b->name[n];

		if (k->sym[i].looked)
			continue;
		k->sym[i].looked = true;
		if (b->address[n++] && strncmp(name, "0x", 2) != 0)
			(void)take(&k->sym[i], (struct sm_str){name, strcspn(name, " ")});
	}
}

static int run_program(struct sm_ksyms *k)
{
	size_t i = 0, end;
	int err = 0;

	while (i < k->n && !err) {
		end = fill_batch(k, i);
		err = sm_ksymname_run(&k->program);
		if (!err)
			take_batch(k, i, end);
		i = end;
	}
	return err;
}

int sm_ksyms_read(struct sm_ksyms *k)
{
	size_t missing = 0;
	char *chunk;
	int err;

	if (!k->pending)
		return 0;
	k->pending = false;
	if (k->program.prog_fd >= 0) {
		if (!run_program(k))
			return 0;
		sm_ksymname_close(&k->program); /* not permitted after the drop */
	}
	if (k->fd < 0)
		return -ENOENT;
	missing = k->n_expected;
	for (size_t i = 0; i < k->n; i++)
		missing += !k->sym[i].looked;
	chunk = malloc(CHUNK_BYTES);
	err = chunk ? read_file(k, chunk, missing) : -ENOMEM;
	free(chunk);
	for (size_t i = 0; i < k->n; i++)
		k->sym[i].looked = true;
	k->pending = false;
	k->n_expected = 0;
	return err;
}
