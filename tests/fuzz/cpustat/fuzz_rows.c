// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Arbitrary rows through cpustat's accumulator and arrangement: whatever is merged,
 * grouped and sorted, no CPU time is lost or made, bounds hold, what is shown is in
 * order, and all the references to names are given back.  The first bytes choose the
 * options; each row takes eight.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cpustat/rows/rows.h"
#include "cpustat/rows/select.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define HEAD_BYTES  4u
#define ROW_BYTES   8u
#define ROWS_MAX    256u
#define ENTRIES_MAX 7u

static void must(bool ok)
{
	if (!ok)
		abort();
}

static const struct sm_poolstr *name(struct sm_strpool *names, uint8_t b)
{
	static const char text[] = "/usr/bin/make\0-j\0/a/b/c\xff\n";

	return b & 1 ? sm_strpool_get(names, text + b % 16, (size_t)(b / 16) % 10, b & 2)
		     : NULL;
}

static struct row to_row(struct sm_strpool *names, const uint8_t *p)
{
	static const char text[] = "make)cc\0kworker/0:1H-kblockd\x1b[31m";
	struct row row = {.kind = p[0] % (ROW_OTHERS + 1), .cpu = -1, .members = 1};

	row.flags = p[1];
	row.pid = row.tgid = p[2] % 16;
	row.ppid = p[2] / 16;
	row.uid = p[3] % 4;
	row.used_ns = (uint64_t)p[4] * p[4] * 1000;
	row.usr_ns = row.used_ns / 3;
	row.sys_ns = row.used_ns - row.usr_ns;
	row.dt_ns = p[3] & 128 ? 0 : 1000000u; /* that of the sample: sums are exact */
	row.comm = (struct sm_str){text + p[5] % 8, p[5] / 8 % 24};
	row.cmd = name(names, p[6]);
	row.cgroup = name(names, p[7]);
	return row;
}

static uint64_t sum(const struct row *rows, size_t n)
{
	uint64_t ns = 0;

	for (size_t i = 0; i < n; i++) {
		must(rows[i].usr_ns + rows[i].sys_ns == rows[i].used_ns);
		ns += rows[i].used_ns;
	}
	return ns;
}

/* In samples of some rows each; the bound is far below their number. */
static void accumulate(struct sm_strpool *names, const struct row *rows, size_t n)
{
	struct totals a;
	struct row *out;
	size_t got;

	must(totals_init(&a, names, ENTRIES_MAX) == 0);
	for (size_t i = 0; i < n; i++) {
		if (i % 5 == 0)
			totals_begin(&a, 1000000);
		must(totals_add(&a, rows[i].flags & 64 ? rows[i].uid : 0, &rows[i]) == 0);
		must(a.n <= ENTRIES_MAX && a.map.used == a.n);
	}
	got = totals_rows(&a, &out);
	must(got <= ENTRIES_MAX + 1 && sum(out, got) == sum(rows, n));
	for (size_t i = 0; i < got; i++)
		must(!(out[i].min_pct > out[i].max_pct));
	totals_fini(&a);
}

static struct opts options(const uint8_t *head)
{
	static uint32_t pid;
	struct opts o = {.sort = head[0] % (SORT_NAME + 1),
		.group = head[0] / 16 % (GROUP_PARENT + 1),
		.app.limit = head[1] % 64,
		.ignore_self = head[1] & 128};

	pid = head[3] / 16u;
	o.threshold_centi_pct = head[2] & 1 ? head[2] : 0;
	o.threshold_mticks = head[2] & 2 ? head[2] * 100u : 0;
	o.name_glob = head[3] & 1 ? "*m[a-k]*" : NULL;
	o.cgroup = head[3] & 2 ? "/a/b" : NULL;
	if (head[3] & 4)
		o.pids = (struct sm_opt_list){.n = 1, .v = &pid};
	return o;
}

static void arrange(const struct opts *o, struct sm_ids *users, struct sm_strpool *names,
	struct row *rows, size_t n)
{
	uint64_t all = sum(rows, n), wanted = 0;
	struct row *shown = rows;
	struct rows r;
	size_t k;

	for (size_t i = 0; i < n; i++)
		if (select_match(o, &rows[i]) && select_over_threshold(o, &rows[i]))
			wanted += rows[i].used_ns;
	must(rows_init(&r, o, users, names) == 0);
	rows_subsample(&r, rows, n, 1000000);
	k = rows_arrange(&r, &shown, select_rows(o, rows, n), n, 1000000);
	must(k == (o->app.limit && o->app.limit < r.matched ? o->app.limit : r.matched));
	must(r.total.used_ns == wanted && sum(rows, n) == all);
	must(sum(shown, k) == r.shown.used_ns);
	must(k < r.matched || r.shown.used_ns == wanted);
	for (size_t i = 1; i < k; i++)
		must(!(shown[i - 1].kind > ROW_GROUP && shown[i].kind <= ROW_GROUP));
	rows_fini(&r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct row rows[ROWS_MAX];
	struct sm_strpool *names;
	struct sm_ids users;
	struct opts o;
	size_t n = 0;

	if (size < HEAD_BYTES)
		return 0;
	o = options(data);
	must(sm_strpool_new(&names, 4096) == 0 && sm_ids_init(&users) == 0);
	for (size_t at = HEAD_BYTES; at + ROW_BYTES <= size && n < ROWS_MAX;
		at += ROW_BYTES)
		rows[n++] = to_row(names, data + at);
	accumulate(names, rows, n);
	arrange(&o, &users, names, rows, n);
	for (size_t i = 0; i < n; i++) {
		sm_strpool_put(names, rows[i].cmd);
		sm_strpool_put(names, rows[i].cgroup);
	}
	must(sm_strpool_count(names) == 0);
	sm_ids_fini(&users);
	sm_strpool_free(names);
	return 0;
}
