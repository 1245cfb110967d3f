// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/parse.h"
#include "proc/procpid.h"
#include "proc/taskname.h"
#include "target/find.h"

/* argv[0] contains a path; a process that makes it longer is not found by this name. */
#define ARGV0_CAP 4352u
#define COMM_CAP  (SM_PIDSTAT_COMM_MAX + 2u)

int find_pid(const char *text, pid_t *out)
{
	size_t n = strlen(text);
	uint64_t v;

	if (n == 0 || strspn(text, "0123456789") != n)
		return -EINVAL;
	if (!sm_parse_whole_u64((struct sm_str){text, n}, &v) || v == 0 ||
		v > FIND_PID_MAX)
		return -ERANGE;
	*out = (pid_t)v;
	return 0;
}

/* ---- a process whose first thread has exited: another thread has its memory ---- */

/* Returns the other thread, or 0. */
static pid_t other_thread(const struct sm_root *root, pid_t pid)
{
	struct sm_pidstat st;

	if (sm_procpid_read_stat(root, pid, &st) < 0 || !sm_procpid_leader_ended(&st) ||
		sm_procpid_living_thread(root, pid, &st) < 0)
		return 0;
	return st.pid;
}

static ssize_t read_cmdline(const struct sm_root *root, pid_t pid, char *buf, size_t cap)
{
	ssize_t n = sm_procpid_read_cmdline(root, pid, buf, cap);
	pid_t tid = n == 0 ? other_thread(root, pid) : 0;

	return tid ? sm_procpid_read_thread_cmdline(root, pid, tid, buf, cap) : n;
}

/* ---- by name ---- */

struct search {
	const struct sm_root *root;
	struct sm_str name;
	pid_t self, lowest;
	size_t others;
	bool self_matches;
};

static bool same(struct sm_str a, struct sm_str b)
{
	return a.n == b.n && memcmp(a.p, b.p, a.n) == 0;
}

static bool comm_is(const struct search *s, pid_t pid)
{
	char comm[COMM_CAP];
	ssize_t n = sm_procpid_read_comm(s->root, pid, comm, sizeof(comm));

	return n >= 0 && same((struct sm_str){comm, (size_t)n}, s->name);
}

static bool program_is(const struct search *s, pid_t pid)
{
	char argv0[ARGV0_CAP];
	ssize_t n = read_cmdline(s->root, pid, argv0, sizeof(argv0));

	return n > 0 &&
	       same(sm_taskname_program((struct sm_str){argv0, (size_t)n}), s->name);
}

/* Notes a process with the name.  A process that has exited matches nothing. */
static int match(void *ctx, pid_t pid)
{
	struct search *s = ctx;

	if (!comm_is(s, pid) && !program_is(s, pid))
		return 0;
	if (pid == s->self) {
		s->self_matches = true;
		return 0;
	}
	s->others++;
	if (s->lowest == 0 || pid < s->lowest)
		s->lowest = pid;
	return 0;
}

static int find_named(const struct sm_root *root, const char *text, struct found *out)
{
	struct search s = {.root = root, .name = {text, strlen(text)}, .self = getpid()};
	int err = s.name.n ? sm_procpid_scan(root, match, &s) : -ESRCH;

	if (err)
		return err;
	if (s.others)
		*out = (struct found){s.lowest, s.others};
	else if (s.self_matches)
		*out = (struct found){s.self, 1};
	else
		return -ESRCH;
	return 0;
}

int find_target(const struct sm_root *root, const char *text, struct found *out)
{
	struct sm_pidstat st;
	pid_t pid = 0;
	int err = find_pid(text, &pid);

	if (err == -EINVAL)
		return find_named(root, text, out);
	if (err)
		return err;
	*out = (struct found){pid, 1};
	err = sm_procpid_read_stat(root, pid, &st);
	return err == -ENOENT ? -ESRCH : err;
}

/* ---- the list of all ---- */

struct listing {
	struct find_list *list;
	const struct sm_root *root;
	pid_t self;
};

/* Returns RESIDENT of statm, of a thread if tid is not 0: "SIZE RESIDENT ..." in pages.
 */
static uint64_t resident_pages(const struct sm_root *root, pid_t pid, pid_t tid)
{
	char text[160], name[32];
	uint64_t size, resident = 0;
	const char *p = text, *end;
	ssize_t n;

	snprintf(name, sizeof(name), tid ? "task/%d/statm" : "statm", (int)tid);
	n = sm_procpid_read_file(root, pid, name, text, sizeof(text));
	end = text + (n > 0 ? n : 0);
	if (sm_parse_u64(&p, end, &size)) {
		sm_parse_skip_blanks(&p, end);
		(void)sm_parse_u64(&p, end, &resident);
	}
	return resident;
}

/* Returns the length without the NULs at the end. */
static size_t without_last_nul(const char *p, size_t n)
{
	while (n && p[n - 1] == '\0')
		n--;
	return n;
}

static int add_texts(struct listing *l, struct find_item *i, const struct sm_pidstat *st)
{
	struct sm_buf *b = &l->list->text;
	ssize_t n;
	char *to;

	i->comm_at = b->len;
	i->comm_n = st->comm_len;
	sm_buf_add(b, st->comm, st->comm_len);
	to = sm_buf_room(b, FIND_NAME_MAX);
	if (!to)
		return -ENOMEM;
	n = read_cmdline(l->root, i->pid, to, FIND_NAME_MAX);
	i->name_at = b->len;
	i->name_n = without_last_nul(to, n > 0 ? (size_t)n : 0);
	b->len += i->name_n;
	if (!i->name_n) {
		i->name_at = i->comm_at;
		i->name_n = i->comm_n;
	}
	return sm_buf_error(b);
}

static int add(void *ctx, pid_t pid)
{
	struct listing *l = ctx;
	struct find_list *list = l->list;
	struct sm_pidstat st;
	struct find_item *i;
	pid_t tid;

	if (pid == l->self || sm_procpid_read_stat(l->root, pid, &st) < 0)
		return 0;
	if (sm_array_reserve(&list->items, &list->cap, list->n + 1, sizeof(*i)) < 0)
		return -ENOMEM;
	tid = sm_procpid_leader_ended(&st) ? other_thread(l->root, pid) : 0;
	i = &list->items[list->n];
	*i = (struct find_item){.pid = pid,
		.kthread = st.flags & SM_PF_KTHREAD,
		.rss_bytes = resident_pages(l->root, pid, tid) * list->page_bytes};
	if (add_texts(l, i, &st) < 0)
		return -ENOMEM;
	list->n++;
	return 0;
}

int find_list_read(struct find_list *l, const struct sm_root *root)
{
	struct listing ctx = {l, root, getpid()};

	l->n = 0;
	l->page_bytes = (uint64_t)sysconf(_SC_PAGESIZE);
	sm_buf_reset(&l->text);
	return sm_procpid_scan(root, add, &ctx);
}

void find_list_fini(struct find_list *l)
{
	free(l->items);
	sm_buf_fini(&l->text);
	*l = (struct find_list)FIND_LIST_INIT;
}
