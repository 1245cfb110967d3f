// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "base/parse.h"
#include "proc/pidstatus.h"

#define KB 1024u

static const char *const names[SM_PIDSTATUS_KEYS] = {
	[SM_PIDSTATUS_VM_PEAK] = "VmPeak",
	[SM_PIDSTATUS_VM_SIZE] = "VmSize",
	[SM_PIDSTATUS_VM_LCK] = "VmLck",
	[SM_PIDSTATUS_VM_PIN] = "VmPin",
	[SM_PIDSTATUS_VM_HWM] = "VmHWM",
	[SM_PIDSTATUS_VM_RSS] = "VmRSS",
	[SM_PIDSTATUS_RSS_ANON] = "RssAnon",
	[SM_PIDSTATUS_RSS_FILE] = "RssFile",
	[SM_PIDSTATUS_RSS_SHMEM] = "RssShmem",
	[SM_PIDSTATUS_VM_DATA] = "VmData",
	[SM_PIDSTATUS_VM_STK] = "VmStk",
	[SM_PIDSTATUS_VM_EXE] = "VmExe",
	[SM_PIDSTATUS_VM_LIB] = "VmLib",
	[SM_PIDSTATUS_VM_PTE] = "VmPTE",
	[SM_PIDSTATUS_VM_SWAP] = "VmSwap",
};

const char *sm_pidstatus_name(enum sm_pidstatus_key key)
{
	return names[key];
}

/* Splits "KEY:   VALUE". */
static bool split(struct sm_str line, struct sm_str *key, struct sm_str *value)
{
	const char *colon = memchr(line.p, ':', line.n), *p, *end = line.p + line.n;

	if (!colon)
		return false;
	p = colon + 1;
	sm_parse_skip_blanks(&p, end);
	*key = (struct sm_str){line.p, (size_t)(colon - line.p)};
	*value = (struct sm_str){p, (size_t)(end - p)};
	return true;
}

/* Parses "123 kB". */
static bool parse_kb(struct sm_str value, uint64_t *bytes)
{
	const char *p = value.p, *end = value.p + value.n;
	struct sm_str unit;

	return sm_parse_u64(&p, end, bytes) && sm_parse_token(&p, end, &unit) &&
	       sm_parse_eq(unit, "kB") && !__builtin_mul_overflow(*bytes, KB, bytes);
}

/* Returns the key of a line; SM_PIDSTATUS_KEYS: another line. */
static enum sm_pidstatus_key find_key(struct sm_str key)
{
	for (enum sm_pidstatus_key k = 0; k < SM_PIDSTATUS_KEYS; k++)
		if (sm_parse_eq(key, names[k]))
			return k;
	return SM_PIDSTATUS_KEYS;
}

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == ' ' || c == '-';
}

/* Parses "S (sleeping)". */
static void parse_state(struct sm_pidstatus *v, struct sm_str value)
{
	size_t n = 0;

	if (value.n < 4 || value.p[1] != ' ' || value.p[2] != '(')
		return;
	v->state = is_word(value.p[0]) ? value.p[0] : '?';
	for (const char *p = value.p + 3; p < value.p + value.n && is_word(*p); p++)
		if (n < sizeof(v->state_word) - 1)
			v->state_word[n++] = *p;
	v->state_word[n] = '\0';
}

static void parse_line(struct sm_pidstatus *v, struct sm_str key, struct sm_str value)
{
	enum sm_pidstatus_key k;
	uint64_t n;

	if (sm_parse_eq(key, "State")) {
		parse_state(v, value);
	} else if (sm_parse_eq(key, "Threads")) {
		if (sm_parse_whole_u64(value, &n) && n <= INT64_MAX)
			v->threads = (int64_t)n;
	} else {
		k = find_key(key);
		if (k == SM_PIDSTATUS_KEYS || !parse_kb(value, &n))
			return;
		v->bytes[k] = n;
		v->known |= UINT64_C(1) << k;
	}
}

void sm_pidstatus_parse(struct sm_pidstatus *out, const char *s, size_t n)
{
	const char *end = s + n;
	struct sm_str line, key, value;

	*out = (struct sm_pidstatus){.threads = -1};
	while (sm_parse_line(&s, end, &line))
		if (split(line, &key, &value))
			parse_line(out, key, value);
}
