// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fakesys: a simulated /sys (and parts of /proc) as a FUSE file system.  Its values are
 * exact functions of CLOCK_MONOTONIC at the moment of a reading; each reading is logged.
 *
 *	fakesys [-p PID] [-s] SPEC LOG MOUNTPOINT
 *
 * Prints "ready" when it is mounted and serves until it is killed, or until PID ends.
 * -s: an owner has no more permissions than others, for a user namespace, whose only
 * uid owns everything.  tests/lab/run mounts it over /sys.
 *
 * Log, fields separated by tabs.  First line: start, CLOCK_MONOTONIC, CLOCK_REALTIME,
 * both in ns; the former is T = 0.  Then for each reading from offset 0: CLOCK_MONOTONIC
 * in ns, reader's pid, path, value (\n, \xNN) or !ERRNO.  One thread serves all, so the
 * order of lines is that of readings.  With meters there are more lines before the first
 * reading, "load", the source of busy times, and the number of CPUs; "meter", its name,
 *and its true parameters.  Then each line ends in two more fields, since T = 0: busy CPU
 * seconds, and the integral of the square of the busy CPUs.
 *
 * As in sysfs: size 4096, mode 0444 by default; a read at offset 0 computes the value, a
 * later offset continues the same text; a removed file gives ENODEV on an open
 * descriptor, permanently, and ENOENT on open.  The kernel caches neither data nor
 * attributes nor names.
 *
 * SPEC: one statement a line, times T in seconds.  Words may be "quoted"; \n \t \e \xNN.
 *   # comment
 *   include FILE         what stands there, relative to this file
 *   power NAME POWER     POWER: W, or sq:LOW:HIGH:PERIOD[:DUTY] (high first), or
 *                        steps:W@T,W@T..., or cycle:W@T,W@T...:PERIOD
 *   meter NAME KEY=VALUE...   a power that follows the real machine's load (meter.h):
 *     base=W busy=W                each busy CPU
 *     full=W bend=W                by the busy part of all CPUs, by its square
 *     square=W                     by the square of the busy CPUs
 *     drift=W/S noise=W            rms of a second
 *     fade=S seed=N                noise is alike for that time
 *     growth=SHARE                 noise of the power of the load
 *     outlier=W:N:S                one second in N, for S of it
 *   hostcpus             the CPUs of the real machine, each with its topology
 *   volts NAME V [V/S]   falling when V/S is negative
 *   truth NAME POWER...  sum to compare a tool's column with; @NAME or a power
 *   begin FILE           T is 0 until FILE is first read, which is logged as another
 *                        start; not with meters
 *   cd DIR               paths without a / in front are below it
 *   device DIR CLASS     cd DIR; /sys/class/CLASS/X is a link to it, DIR/subsystem back
 *   zone ID NAME KIND... powercap zone ID (a:0:1), with energy_uj of that kind, mode
 *                        0400, and max_energy_range_uj if the kind has range=; cd to it
 *   PATH dir
 *   PATH link TARGET     an absolute one is made relative; removed with its target
 *   PATH hide            not shown, for others to refer to
 *   PATH until T | from T | gone T T     when it exists, or does not; a directory
 *                        with all below it
 *   PATH fail ERRNO [T [T]]      reading fails (from T, until T)
 *   PATH openfail ERRNO [T [T]]  opening fails
 *   PATH slow MS [T [T]]         reading takes MS; later readings wait
 *   PATH mode OCTAL [T [T]]
 *   PATH KIND            a file:
 *     text TEXT | bytes TEXT       with, without a newline
 *     at T TEXT T TEXT...          TEXT from T on
 *     cycle PERIOD TEXT...         the next each PERIOD; each reading when it is 0
 *     lin POWER KEYS               energy counter, uJ
 *     count RATE KEYS              counter of RATE a second
 *     level POWER KEYS             battery, uWh, falls from start=
 *     charge POWER volts=NAME KEYS battery, uAh
 *     rate POWER KEYS              present power, uW
 *     current POWER volts=NAME KEYS  present current, uA
 *     volt NAME                    uV
 *     sin MEAN AMPLITUDE PERIOD | saw LOW HIGH PERIOD
 *     random N                     N bytes, different at each reading
 *     same FILE                    the value of that file
 *     uevent PREFIX                PREFIXNAME=directory, then PREFIXFILE=value of the
 *                                  files beside it that can be read
 *     template TEXT                {FILE}, {FILE/DIVISOR}: numbers of files beside it
 *     host FILE                    of the real machine
 *   KEYS: start=N range=N (wraps behind it) unit=N (counts for a million: 16384 is 61)
 *     step=N (rounded down) every=S (updates) jump=T:N reset=T (to 0)
 *     sign=-1 avg=S (of rates)
 */
#define FUSE_USE_VERSION 34

#include <errno.h>
#include <fcntl.h>
#include <fuse_lowlevel.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "load.h"
#include "meter.h"
#include "spec.h"

struct sim {
	struct spec spec;
	FILE *log;
	int64_t start_ns;
	bool begun;
	bool strangers;
	int pidfd; /* of the process under test; -1: none */
};

struct handle { /* an open file */
	struct node *node;
	int64_t open_ns;
	size_t n;
	char text[LAB_TEXT_MAX];
};

static int64_t clock_ns(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return ts.tv_sec * NS_PER_S + ts.tv_nsec;
}

static struct sim *sim_of(fuse_req_t req)
{
	return fuse_req_userdata(req);
}

static int64_t now(const struct sim *s)
{
	return s->begun ? clock_ns(CLOCK_MONOTONIC) - s->start_ns : 0;
}

static struct node *node_of(const struct sim *s, fuse_ino_t ino)
{
	return ino >= 1 && ino <= s->spec.n ? s->spec.node[ino - 1] : NULL;
}

static void attributes(
	const struct sim *s, const struct node *node, int64_t t, struct stat *st)
{
	static const mode_t type[] = {
		[N_DIR] = S_IFDIR, [N_FILE] = S_IFREG, [N_LINK] = S_IFLNK};
	mode_t mode = node_mode(node, t);

	if (s->strangers)
		mode = (mode & 077u) | (mode & 7u) << 6;
	*st = (struct stat){.st_ino = node->number,
		.st_mode = type[node->type] | mode,
		.st_nlink = node->type == N_DIR ? 2 : 1,
		.st_size = node->type == N_FILE ? 4096 : 0,
		.st_blksize = 4096};
	if (node->type == N_LINK)
		st->st_size = (off_t)strlen(node->target);
}

static void do_lookup(fuse_req_t req, fuse_ino_t dir, const char *name)
{
	struct sim *s = sim_of(req);
	struct node *node = node_child(node_of(s, dir), name, strlen(name));
	struct fuse_entry_param e = {0};
	int64_t t = now(s);

	if (!node || !node_present(node, t)) {
		fuse_reply_err(req, ENOENT);
		return;
	}
	e.ino = node->number;
	attributes(s, node, t, &e.attr);
	fuse_reply_entry(req, &e);
}

static void do_getattr(fuse_req_t req, fuse_ino_t ino, struct fuse_file_info *fi)
{
	struct sim *s = sim_of(req);
	struct stat st;

	(void)fi;
	attributes(s, node_of(s, ino), now(s), &st);
	fuse_reply_attr(req, &st, 0);
}

static void do_readlink(fuse_req_t req, fuse_ino_t ino)
{
	fuse_reply_readlink(req, node_of(sim_of(req), ino)->target);
}

/* Entry n of the directory; the first two are . and .. */
static void do_readdir(fuse_req_t req, fuse_ino_t ino, size_t size, off_t offset,
	struct fuse_file_info *fi)
{
	struct sim *s = sim_of(req);
	const struct node *dir = node_of(s, ino), *c = dir->child;
	char *buf = malloc(size);
	int64_t t = now(s);
	size_t used = 0;

	(void)fi;
	for (off_t at = 0; buf && (at < 2 || c); at++) {
		struct stat st;
		const char *name = at == 0 ? "." : at == 1 ? ".." : c->name;
		const struct node *node = at < 2 ? dir : c;
		size_t need;

		c = at < 2 ? c : c->next;
		if (at < offset || !node_present(node, t))
			continue;
		attributes(s, node, t, &st);
		need = fuse_add_direntry(req, buf + used, size - used, name, &st, at + 1);
		if (need > size - used)
			break;
		used += need;
	}
	fuse_reply_buf(req, buf, used);
	free(buf);
}

static void do_open(fuse_req_t req, fuse_ino_t ino, struct fuse_file_info *fi)
{
	struct sim *s = sim_of(req);
	struct node *node = node_of(s, ino);
	int64_t t = now(s);
	struct handle *h;
	int err = node_fate(node, F_OPEN, t);

	if ((fi->flags & O_ACCMODE) != O_RDONLY)
		err = EACCES;
	else if (!node_present(node, t))
		err = ENOENT;
	h = err > 0 ? NULL : malloc(sizeof(*h));
	if (!h) {
		fuse_reply_err(req, err > 0 ? err : ENOMEM);
		return;
	}
	h->node = node;
	h->open_ns = t;
	h->n = 0;
	fi->fh = (uint64_t)(uintptr_t)h;
	fi->direct_io = 1;
	fi->keep_cache = 0;
	if (fuse_reply_open(req, fi) < 0)
		free(h);
}

static void log_reading(
	struct sim *s, int64_t t, pid_t pid, const struct handle *h, long n)
{
	char path[4096];

	fprintf(s->log, "%lld\t%d\t", (long long)(s->start_ns + t), (int)pid);
	lab_escape(s->log, node_path(h->node, path, sizeof(path)),
		strlen(node_path(h->node, path, sizeof(path))));
	putc('\t', s->log);
	if (n < 0)
		fprintf(s->log, "!%s", lab_errname((int)-n));
	else if (n && h->text[0] == '!')
		fputs("\\x21", s->log);
	if (n >= 0)
		lab_escape(s->log, h->text + (n && h->text[0] == '!'),
			(size_t)n - (n && h->text[0] == '!'));
	if (s->spec.nmeters)
		fprintf(s->log, "\t%.9f\t%.9f", the_load.live.busy_s,
			the_load.live.square);
	putc('\n', s->log);
}

static void begin(struct sim *s)
{
	s->begun = true;
	s->start_ns = clock_ns(CLOCK_MONOTONIC);
	fprintf(s->log, "start\t%lld\t%lld\n", (long long)s->start_ns,
		(long long)clock_ns(CLOCK_REALTIME));
}

/* Stores the present text in the handle; 0 or -errno. */
static int reading(struct sim *s, struct handle *h, pid_t pid)
{
	int64_t t;
	long n;
	int ms;

	if (!s->begun && h->node == s->spec.begin)
		begin(s);
	ms = node_fate(h->node, F_SLOW, now(s));
	if (ms > 0)
		usleep((useconds_t)ms * 1000);
	t = s->spec.nmeters ? load_take(&the_load) : now(s);
	if (node_died(h->node, h->open_ns, t))
		n = -ENODEV;
	else
		n = node_text(h->node, t, h->text, sizeof(h->text));
	log_reading(s, t, pid, h, n);
	h->node->readings++;
	h->n = n < 0 ? 0 : (size_t)n;
	return n < 0 ? (int)n : 0;
}

static void do_read(fuse_req_t req, fuse_ino_t ino, size_t size, off_t offset,
	struct fuse_file_info *fi)
{
	struct handle *h = (struct handle *)(uintptr_t)fi->fh;
	size_t at = (size_t)offset;
	int err = offset ? 0 : reading(sim_of(req), h, fuse_req_ctx(req)->pid);

	(void)ino;
	if (err < 0)
		fuse_reply_err(req, -err);
	else if (at >= h->n)
		fuse_reply_buf(req, NULL, 0);
	else
		fuse_reply_buf(req, h->text + at, size < h->n - at ? size : h->n - at);
}

static void do_release(fuse_req_t req, fuse_ino_t ino, struct fuse_file_info *fi)
{
	(void)ino;
	free((struct handle *)(uintptr_t)fi->fh);
	fuse_reply_err(req, 0);
}

static const struct fuse_lowlevel_ops ops = {
	.lookup = do_lookup,
	.getattr = do_getattr,
	.readlink = do_readlink,
	.readdir = do_readdir,
	.open = do_open,
	.read = do_read,
	.release = do_release,
};

/* With meters: keeps a sample of the load when it is time, and returns the ms to the
 * next; else -1. */
static int keep_load(const struct sim *s)
{
	int64_t next;

	if (!s->spec.nmeters)
		return -1;
	next = the_load.kept[the_load.n - 1].t_ns + LOAD_EVERY_MS * NS_PER_S / 1000;
	if (now(s) >= next) {
		load_take(&the_load);
		load_keep(&the_load);
		return LOAD_EVERY_MS;
	}
	return (int)((next - now(s)) / 1000000) + 1;
}

/* Serves until the kernel drops the mount, or the process of pidfd (-1: none) has ended.
 */
static int loop(const struct sim *s, struct fuse_session *se)
{
	struct pollfd fds[] = {{.fd = fuse_session_fd(se), .events = POLLIN},
		{.fd = s->pidfd, .events = POLLIN}};
	struct fuse_buf buf = {0};

	while (!fuse_session_exited(se)) {
		int n;

		if (poll(fds, 2, keep_load(s)) < 0 && errno != EINTR)
			return 1;
		if (fds[1].revents)
			return 0;
		if (!fds[0].revents)
			continue;
		n = fuse_session_receive_buf(se, &buf);
		if (n > 0)
			fuse_session_process_buf(se, &buf);
		else if (n != -EINTR && n != -EAGAIN)
			return n < 0;
	}
	return 0;
}

/* Begins to follow the load; the true parameters go to the log, which the program under
 * test does not see. */
static int log_meters(struct sim *s)
{
	if (load_open(&the_load, s->start_ns) < 0)
		return -1;
	fprintf(s->log, "load\t%s\t%u\n", the_load.exact ? "timer_list" : "stat",
		the_load.cpus);
	for (unsigned int i = 0; i < s->spec.npowers; i++) {
		const struct power *p = s->spec.power[i];

		if (!p->meter)
			continue;
		fprintf(s->log, "meter\t%s", p->name);
		meter_print(p->meter, s->log);
		putc('\n', s->log);
	}
	return 0;
}

static int serve(struct sim *s, const char *mountpoint)
{
	char name[] = "fakesys", o[] = "-oallow_other,default_permissions,fsname=lab";
	char *argv[] = {name, o, NULL};
	struct fuse_args args = FUSE_ARGS_INIT(2, argv);
	struct fuse_session *se = fuse_session_new(&args, &ops, sizeof(ops), s);

	if (!se || fuse_session_mount(se, mountpoint) != 0)
		return 1;
	begin(s);
	s->begun = !s->spec.begin;
	if (s->spec.nmeters && log_meters(s) < 0)
		return 1;
	puts("ready");
	fclose(stdout);
	/* Not unmounted here: the path may lead into this file system. */
	return loop(s, se);
}

int main(int argc, char **argv)
{
	static struct sim s = {.pidfd = -1};
	int c;

	while ((c = getopt(argc, argv, "p:s")) != -1) {
		if (c == 's')
			s.strangers = true;
		else if (c != 'p' ||
			 (s.pidfd = (int)syscall(SYS_pidfd_open, atoi(optarg), 0)) < 0)
			return 2;
	}
	/* Signals to the group of the program under test are not for the simulator. */
	(void)setsid();
	if (argc - optind != 3) {
		fputs("usage: fakesys [-p PID] [-s] SPEC LOG MOUNTPOINT\n", stderr);
		return 2;
	}
	if (spec_load(&s.spec, argv[optind], stderr) < 0)
		return 2;
	s.log = fopen(argv[optind + 1], "we");
	if (!s.log) {
		perror(argv[optind + 1]);
		return 2;
	}
	setvbuf(s.log, NULL, _IOLBF, 1 << 16);
	return serve(&s, argv[optind + 2]);
}
