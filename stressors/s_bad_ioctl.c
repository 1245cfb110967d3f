// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * None of these calls can succeed.  A command that a file supports gets invalid
 * addresses; all except FIONBIO and similar ones would only write to them.  A command
 * of another kind of file gets a valid address.  Random commands have a size of more
 * than 4096 bytes, which no command of these files has, so they are invalid whatever
 * their type and number are.
 */
#include <asm/termbits.h>
#include <errno.h>
#include <linux/fs.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/signame.h"
#include "refused/box.h"
#include "refused/files.h"
#include "refused/pages.h"

/* Round, from 0, in which --spoil gives a command a valid address. */
#define SPOILT_ROUND 1
/* Number of random commands per file and round. */
#define RANDOM_COMMANDS 16
#define LEAST_SIZE	4097u

#ifndef EPIOCGPARAMS
#define EPIOCGPARAMS _IOR(0x8a, 2, uint64_t) /* Linux 6.9 */
#endif

#define ONE(kind) (1u << FILES_##kind)
#define ALL	  ((1u << FILES_KINDS) - 1)
#define SOCKETS	  (ONE(SOCKET) | ONE(PEER))
#define TERMINALS (ONE(PTY) | ONE(TERMINAL))
#define PIPES	  (ONE(PIPE_READ) | ONE(PIPE_WRITE))

struct command {
	uint32_t number;
	uint32_t files;	     /* files that support the command */
	unsigned char bytes; /* number of bytes that the kernel accesses */
	unsigned char use;   /* enum pages_use */
	bool may_lack;	     /* old kernels and some files do not support it */
};

static const struct command commands[] = {
	{FIONREAD, PIPES | SOCKETS | TERMINALS | ONE(INOTIFY) | ONE(MEMORY), 4,
		PAGES_WRITTEN, false},
	{FIONBIO, ALL, 4, PAGES_READ, false},
	{FIOASYNC, ALL, 4, PAGES_READ, false},
	{FIGETBSZ, ALL, 4, PAGES_WRITTEN, true},
	{FS_IOC_GETFLAGS, ONE(MEMORY), 4, PAGES_WRITTEN, true},
	{TIOCOUTQ, SOCKETS | TERMINALS, 4, PAGES_WRITTEN, false},
	{FIOSETOWN, SOCKETS, 4, PAGES_READ, false},
	{FIOGETOWN, SOCKETS, 4, PAGES_WRITTEN, false},
	{SIOCGIFCONF, SOCKETS, sizeof(struct ifconf), PAGES_READ, false},
	{EPIOCGPARAMS, ONE(EPOLL), 8, PAGES_WRITTEN, true},
	{TCGETS, TERMINALS, 16, PAGES_WRITTEN, false},
	{TCSETS, TERMINALS, 16, PAGES_READ, false},
	{TIOCGWINSZ, TERMINALS, 8, PAGES_WRITTEN, false},
	{TIOCSWINSZ, TERMINALS, 8, PAGES_READ, false},
	{TIOCGETD, TERMINALS, 4, PAGES_WRITTEN, false},
	{TIOCGEXCL, TERMINALS, 4, PAGES_WRITTEN, false},
	{TIOCGDEV, TERMINALS, 4, PAGES_WRITTEN, false},
	{TIOCGPTN, ONE(PTY), 4, PAGES_WRITTEN, false},
	{TIOCGPTLCK, ONE(PTY), 4, PAGES_WRITTEN, false},
	{TIOCGPKT, ONE(PTY), 4, PAGES_WRITTEN, false},
};
enum { COMMANDS = SM_ARRAY_SIZE(commands) };

enum { PER_CALL, OPENED };

static const struct stressor_metric metrics[] = {
	[PER_CALL] = {"time per call", "ns", .mean = MEAN_ARITHMETIC,
		.headline = "ns per call"},
	[OPENED] = {"files", "", .mean = MEAN_MIN},
	{0},
};

/* Shared by the child and the instance. */
struct state {
	_Atomic uint64_t calls;
	uint64_t random, rounds, ns;
	/* Arguments of the current call. */
	enum files_kind file;
	uint32_t command;
	enum pages_bad kind; /* PAGES_BAD: a valid address */
	struct pages pages;
	struct files files;
};

/* --- a call ------------------------------------------------------------------------- */

static const char *address_name(const struct state *t)
{
	return t->kind == PAGES_BAD ? "a valid address" : pages_names[t->kind];
}

static int wrong(struct stress *s, const struct state *t, long r, int error)
{
	if (r == -1)
		return stress_error(s, STRESS_FAIL, error, "ioctl %#x of %s with %s",
			t->command, files_names[t->file], address_name(t));
	return stress_fail(s, "ioctl %#x of %s with %s returns %ld", t->command,
		files_names[t->file], address_name(t), r);
}

static bool is_unknown(int error)
{
	return error == ENOTTY || error == EINVAL;
}

/* Returns whether the kernel may access the address before it rejects the command. */
static bool may_fault(const struct state *t, const struct command *c)
{
	if (c)
		return t->kind != PAGES_BAD;
	return t->kind != PAGES_BAD && 1u << t->file & SOCKETS;
}

/* Makes one call.  c is NULL for a command that no file supports. */
static int one_call(struct stress *s, struct state *t, const struct command *c)
{
	uintptr_t address = (uintptr_t)t->pages.output;
	bool right;
	long r;

	if (t->kind < PAGES_BAD)
		address = pages_bad(&t->pages, t->kind, c ? c->bytes : LEAST_SIZE,
			c ? (enum pages_use)c->use : PAGES_WRITTEN);
	if (s->spoil && t->rounds == SPOILT_ROUND && c == commands)
		address = (uintptr_t)t->pages.output;
	atomic_fetch_add_explicit(&t->calls, 1, memory_order_relaxed);
	r = syscall(SYS_ioctl, t->files.fd[t->file], t->command, address);
	right = r == -1 && errno == EFAULT && may_fault(t, c);
	if (r == -1 && is_unknown(errno))
		right = !c || t->kind == PAGES_BAD || c->may_lack;
	if (!right)
		return wrong(s, t, r, errno);
	stress_add(s, 1);
	return 0;
}

/* --- commands ----------------------------------------------------------------------- */

static int known(struct stress *s, struct state *t, const struct command *c)
{
	int r = 0;

	for (unsigned int i = 0; i < PAGES_BAD && r == 0 && stress_goes_on(s); i++) {
		t->kind = (enum pages_bad)i;
		if (t->kind != PAGES_READ_ONLY || c->use == PAGES_WRITTEN)
			r = one_call(s, t, c);
	}
	return r;
}

static int unknown(struct stress *s, struct state *t, const struct command *c)
{
	t->kind = PAGES_BAD;
	return one_call(s, t, c);
}

/* Draws a command; half of them differ from a command of the table only in their size. */
static int random_one(struct stress *s, struct state *t)
{
	uint64_t random = stress_random(&t->random);
	const struct command *c = &commands[random % COMMANDS];
	uint32_t more = (uint32_t)(random >> 32), type = random >> 8 & 0xff,
		 nr = random >> 16 & 0xff, dir = random >> 24 & 3;

	if (random >> 26 & 1) {
		type = _IOC_TYPE(c->number);
		nr = _IOC_NR(c->number);
	}
	t->command =
		_IOC(dir, type, nr, LEAST_SIZE + more % (_IOC_SIZEMASK - LEAST_SIZE + 1));
	t->kind = (enum pages_bad)((more >> 16) % (PAGES_BAD + 1));
	return one_call(s, t, NULL);
}

static int one_file(struct stress *s, struct state *t)
{
	int r = 0;

	for (unsigned int i = 0; i < COMMANDS && r == 0 && stress_goes_on(s); i++) {
		const struct command *c = &commands[i];

		t->command = c->number;
		r = c->files >> t->file & 1 ? known(s, t, c) : unknown(s, t, c);
	}
	for (unsigned int i = 0; i < RANDOM_COMMANDS && r == 0 && stress_goes_on(s); i++)
		r = random_one(s, t);
	return r;
}

/* --- the child ---------------------------------------------------------------------- */

static int one_round(struct stress *s, struct state *t)
{
	uint64_t begin_ns = sm_clock_mono_ns();
	int r = 0;

	for (unsigned int i = 0; i < FILES_KINDS && r == 0; i++) {
		t->file = (enum files_kind)i;
		if (t->files.fd[i] >= 0)
			r = one_file(s, t);
	}
	t->ns += sm_clock_mono_ns() - begin_ns;
	t->rounds++;
	return r;
}

static int work(struct stress *s, void *data)
{
	struct state *t = data;
	int r = files_open(s, &t->files, FILES_KINDS);

	if (r == 0)
		r = pages_map(s, &t->pages);
	while (r == 0 && stress_goes_on(s))
		r = one_round(s, t);
	return r;
}

/* --- the instance ------------------------------------------------------------------- */

static void report(struct stress *s, const struct state *t)
{
	uint64_t ops = atomic_load(&s->slot->ops);
	unsigned int opened = 0, lacks = 0;

	for (unsigned int i = FILES_KINDS; i-- > 0;)
		if (t->files.fd[i] < 0)
			lacks = i;
		else
			opened++;
	if (!ops)
		return;
	stress_metric(s, PER_CALL, (double)t->ns / (double)ops);
	stress_metric(s, OPENED, opened);
	if (opened < FILES_KINDS)
		stress_note(s, "%u kinds of files do not exist here: %s%s",
			FILES_KINDS - opened, files_names[lacks],
			opened + 1 < FILES_KINDS ? " and others" : "");
}

static int run(struct stress *s)
{
	struct state *t = box_memory(s, sizeof(*t));
	struct box b = {.work = work, .data = t};
	char name[SM_SIGNAME_MAX];
	int r;

	if (!t)
		return -1;
	t->random = s->seed;
	b.calls = &t->calls;
	r = box_run(s, &b);
	if (r > 0)
		return stress_fail(s,
			"ioctl %#x of %s with %s killed its process with %s", t->command,
			files_names[t->file], address_name(t), sm_signame(r, name));
	report(s, t);
	return r;
}

/* Remarks for the man page (man/remarks.h). */
const char stressor_bad_ioctl_man[] =
	"metric files: kinds of files that could be opened, of 15\n"
	"The files belong to the instance: a pipe, a socket, an eventfd, a "
	"timerfd, a signalfd, an epoll, an inotify and a memory file, a "
	"pseudoterminal with its terminal, and /dev/null, /dev/zero and /dev/full, "
	"whose drivers lack commands.  Drivers of other devices and file "
	"systems on disks are never called.  Each file receives its own commands "
	"with invalid addresses, commands of other files, and random commands with "
	"a size that no command has.  A child process makes the calls.\n";

const struct stressor stressor_bad_ioctl = {
	.name = "bad-ioctl",
	.does = "call ioctl(2) with invalid commands and addresses",
	.op = "one call",
	.checks = "each call fails with ENOTTY, EINVAL or EFAULT, whichever its "
		  "command and file require, and does not kill the process",
	.classes = CLASS_DEVICE | CLASS_OS,
	.metrics = metrics,
	.run = run,
};
