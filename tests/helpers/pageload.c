// SPDX-License-Identifier: GPL-2.0-or-later
/* pageload: processes with an exactly known memory map.  The text of --help is below. */
#include <dirent.h>
#include <ftw.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include "pageload.h"
#include "pageload_input.h"
#include "pageload_known.h"
#include "pageload_hostile.h"
#include "pageload_watched.h"

#define GIB ((size_t)1 << 30)

static const char help_text[] =
	"Usage: pageload [-b ADDRESS] [-d DIR] [-k] [-t SECONDS] MODE[:N[:M]]\n"
	"Makes a process with a known memory map, prints the truth of its regions, then\n"
	"\"ready PID\", and waits for the end of standard input, SIGTERM or SIGINT.\n"
	"\n"
	"  -b ADDRESS  of the first region, hexadecimal (200000000000)\n"
	"  -d DIR      of the files that it maps (default: a new one, removed at the "
	"end)\n"
	"  -k          goes on when its parent ends\n"
	"  -t SECONDS  ends by itself after so long (600)\n"
	"\n"
	"region NAME START END pages=N present=N file=N zero=N huge=N guard=N swap=N "
	"dirty=N\n"
	"exclusive=N is a region; swap is without guard pages, file and zero are of the "
	"present\n"
	"ones. missing NAME REASON is a kind of page that this machine does not have.\n"
	"Below, a line on standard input is a command.\n"
	"\n"
	"  known           a region of each kind of page\n"
	"  shmswap         64 pages of shared memory, 40 moved to swap, 8 read in again\n"
	"  stride[:N]      N (16) times 64 pages touched, 64 not\n"
	"  small           2 MiB, all resident\n"
	"  big[:MIB]       MIB (1024) resident, in pieces of 1 MiB, 4 MiB apart\n"
	"  sparse[:GIB]    GIB (16384) mapped, nothing touched\n"
	"  sparseres[:GIB[:PAGES]]  GIB (16384) with PAGES (16384) scattered resident "
	"pages\n"
	"  maps[:N]        N (60000) mappings of one resident page\n"
	"  hostile[:N]     names that forge lines and send escape sequences, behind N "
	"(65000)\n"
	"                  mappings\n"
	"  long[:N]        N (20000) mappings of a file whose name has 3900 bytes\n"
	"  moves           each line moves a region: \"moved OLD NEW\"\n"
	"  grow            \"grow N\", \"shrink N\": pages at the end of a region; its "
	"new truth\n"
	"  churn[:RATE]    RATE (10000) page faults a second; a line: \"faults minor=N "
	"major=N\"\n"
	"  threads[:T[:RATE]]  T (4) threads with RATE faults a second each; a line: "
	"\"thread TID\n"
	"                  minor=N major=N\" for each, then the sum as for churn\n"
	"  writer[:MIB]    writes to each page of MIB (64) every 50 ms; a line and at "
	"the end:\n"
	"                  \"writer passes=N minor=N worst_us=N ns=N\" since the one "
	"before\n"
	"  latency[:GIB[:PAGES]]  times its own mmap and munmap of 64 KiB beside the map "
	"of\n"
	"                  sparseres; a line and at the end: \"latency n=N median_us=N "
	"p99_us=N\n"
	"                  worst_us=N busy_us=N\" since the one before; busy_us: longest "
	"time that it\n"
	"                  could not run\n"
	"  latency_empty[:GIB]  the same beside 16 TiB of shared memory, with page "
	"tables "
	"but no\n"
	"                  pages in GIB (256)\n"
	"  exec            a line MODE executes pageload anew in that mode\n"
	"  zombie          a child that has ended: \"zombie PID\"\n"
	"  twins[:N]       N (3) children with its name: \"twin PID\"\n";

static unsigned int limit_s = 600;
static bool keep_going;
static char own_dir[PATH_MAX];

/* --- maps of a known size --- */

static void mode_known(struct args a)
{
	(void)a;
	known_make();
	wait_end();
}

static void mode_shmswap(struct args a)
{
	struct region r = region_map(
		"shmswap", 64, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1);

	(void)a;
	region_write(&r, 0, r.n);
	for (int tries = 0; tries < 100 && r.swap < 40; tries++) {
		(void)madvise(r.at, 40 * page_bytes, MADV_PAGEOUT);
		r.swap = smaps_kb(r.at, "Swap") * 1024 / page_bytes;
	}
	if (r.swap == 40)
		for (size_t i = 0; i < 40; i += 5)
			page_read(r.at + i * page_bytes);
	else
		missing("swapped_pages", "no swap");
	(void)clear_soft_dirty();
	r.swap = 32;
	r.present = r.file = r.exclusive = r.n - r.swap;
	region_print(&r);
	wait_end();
}

static void mode_stride(struct args a)
{
	struct region r = region_anon("stride", a.n * 128);

	for (size_t i = 0; i < a.n; i++)
		region_write(&r, i * 128, 64);
	region_print(&r);
	wait_end();
}

static void mode_small(struct args a)
{
	struct region r = region_anon("small", ((size_t)2 << 20) / page_bytes);

	(void)a;
	region_write(&r, 0, r.n);
	region_print(&r);
	wait_end();
}

static void mode_big(struct args a)
{
	size_t mib = ((size_t)1 << 20) / page_bytes;
	struct region r = region_anon("big", a.n * 4 * mib);

	for (size_t i = 0; i < a.n; i++)
		region_write(&r, i * 4 * mib, mib);
	region_print(&r);
	wait_end();
}

static void mode_sparse(struct args a)
{
	struct region r = region_anon("sparse", a.n * (GIB / page_bytes));

	region_print(&r);
	wait_end();
}

/* One page of each part, not always the same one. */
static void scatter(struct args a)
{
	struct region r = region_anon("sparseres", a.n * (GIB / page_bytes));
	size_t part = r.n / a.m;
	uint64_t random = 1;

	for (size_t i = 0; i < a.m; i++) {
		random = random * UINT64_C(6364136223846793005) +
			 UINT64_C(1442695040888963407);
		region_write(&r, i * part + (size_t)(random >> 33) % part, 1);
	}
	region_print(&r);
}

static void mode_sparseres(struct args a)
{
	scatter(a);
	wait_end();
}

/* Neighbours differ in their permissions, so the kernel cannot join them. */
static void many_maps(size_t n)
{
	struct region r = region_anon("maps", n);

	region_write(&r, 0, n);
	for (size_t i = 1; i < n; i += 2)
		if (mprotect(r.at + i * page_bytes, page_bytes, PROT_READ))
			die("mapping %zu of %zu (vm.max_map_count)", i, n);
	region_print(&r);
}

static void mode_maps(struct args a)
{
	many_maps(a.n);
	wait_end();
}

static void mode_hostile(struct args a)
{
	many_maps(a.n);
	hostile_names();
	hostile_split(4095, "split_4095");
	hostile_split(4096, "split_4096");
	wait_end();
}

static void mode_long(struct args a)
{
	hostile_long(a.n);
	wait_end();
}

/* --- maps that change --- */

static void mode_moves(struct args a)
{
	struct region r = region_anon("moves", 64);
	char line[80], *places[2] = {r.at, r.at + GIB};
	int at = 0;

	(void)a;
	region_write(&r, 0, 32);
	region_print(&r);
	ready();
	while (command(line, sizeof(line), -1) > 0) {
		char *to = places[at = !at];

		if (mremap(r.at, r.n * page_bytes, r.n * page_bytes,
			    MREMAP_MAYMOVE | MREMAP_FIXED, to) == MAP_FAILED)
			die("mremap");
		say("moved %" PRIxPTR " %" PRIxPTR, (uintptr_t)r.at, (uintptr_t)to);
		r.at = to;
	}
}

static void resize(struct region *r, size_t n)
{
	size_t before = r->n;

	if (n == 0 || mremap(r->at, before * page_bytes, n * page_bytes, 0) == MAP_FAILED)
		die("mremap to %zu pages", n);
	r->n = n;
	if (n > before) {
		region_write(r, before, n - before);
	} else {
		r->present -= before - n;
		r->exclusive -= before - n;
	}
}

static void mode_grow(struct args a)
{
	struct region r = region_anon("grow", 64);
	char line[80];
	size_t n;

	(void)a;
	region_write(&r, 0, r.n);
	region_print(&r);
	ready();
	while (command(line, sizeof(line), -1) > 0) {
		if (sscanf(line, "grow %zu", &n) == 1)
			resize(&r, r.n + n);
		else if (sscanf(line, "shrink %zu", &n) == 1 && n < r.n)
			resize(&r, r.n - n);
		else
			fprintf(stderr, "pageload: not a command: %s\n", line);
		region_print(&r);
	}
}

/* --- what a watcher delays --- */

static void mode_latency(struct args a)
{
	scatter(a);
	time_maps();
}

/* A page of each table is touched, and given back. */
static void mode_latency_empty(struct args a)
{
	const size_t bytes = 16384 * GIB, table = page_bytes * (page_bytes / 8);
	int fd = (int)syscall(SYS_memfd_create, "tables", 0u);
	struct region r;
	char *at;

	if (fd < 0 || ftruncate(fd, (off_t)bytes))
		die("memfd");
	r = region_map("tables", bytes / page_bytes, RW, MAP_SHARED | MAP_NORESERVE, fd);
	at = r.at + bytes / 2;
	for (size_t i = 0; i < a.n * GIB; i += GIB) {
		for (size_t page = 0; page < GIB; page += table)
			((volatile char *)at)[i + page] = 1;
		if (madvise(at + i, GIB, MADV_REMOVE))
			die("madvise");
	}
	region_print(&r);
	time_maps();
}

/* --- processes --- */

static int remove_one(const char *path, const struct stat *s, int type, struct FTW *at)
{
	(void)s;
	(void)type;
	(void)at;
	remove(path);
	return 0;
}

static void remove_dir(void)
{
	if (own_dir[0])
		nftw(own_dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* A directory of the user's own choice is the next program's, too. */
static void execute_anew(char *mode)
{
	char seconds[24], base[24];
	const char *argv[10] = {"pageload", "-t", seconds, "-b", base};
	int n = 5;

	snprintf(seconds, sizeof(seconds), "%u", limit_s);
	snprintf(base, sizeof(base), "%" PRIxPTR, next_at);
	if (!own_dir[0]) {
		argv[n++] = "-d";
		argv[n++] = dir;
	}
	if (keep_going)
		argv[n++] = "-k";
	argv[n] = mode;
	remove_dir();
	execv("/proc/self/exe", (char **)(uintptr_t)argv);
	die("exec");
}

static void mode_exec(struct args a)
{
	char line[80];

	(void)a;
	ready();
	if (command(line, sizeof(line), -1) > 0)
		execute_anew(line);
}

static pid_t child(void)
{
	pid_t pid = fork();

	if (pid < 0)
		die("fork");
	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	alarm(limit_s);
	return 0;
}

static void mode_zombie(struct args a)
{
	pid_t pid = child();
	siginfo_t info;

	(void)a;
	if (pid == 0)
		_exit(0);
	if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT))
		die("waitid");
	say("zombie %ld", (long)pid);
	wait_end();
}

static void mode_twins(struct args a)
{
	for (size_t i = 0; i < a.n; i++) {
		pid_t pid = child();

		if (pid == 0) {
			close(STDIN_FILENO);
			close(STDOUT_FILENO);
			for (;;)
				pause();
		}
		say("twin %ld", (long)pid);
	}
	wait_end();
}

/* --- main --- */

static const struct mode {
	const char *name;
	void (*fn)(struct args a);
	struct args defaults; /* 0: the mode takes no such number */
} modes[] = {
	{"known", mode_known, {0, 0}},
	{"shmswap", mode_shmswap, {0, 0}},
	{"stride", mode_stride, {16, 0}},
	{"small", mode_small, {0, 0}},
	{"big", mode_big, {1024, 0}},
	{"sparse", mode_sparse, {16384, 0}},
	{"sparseres", mode_sparseres, {16384, 16384}},
	{"maps", mode_maps, {60000, 0}},
	{"hostile", mode_hostile, {65000, 0}},
	{"long", mode_long, {20000, 0}},
	{"moves", mode_moves, {0, 0}},
	{"grow", mode_grow, {0, 0}},
	{"churn", mode_churn, {10000, 0}},
	{"threads", mode_threads, {4, 10000}},
	{"writer", mode_writer, {64, 0}},
	{"latency", mode_latency, {16384, 16384}},
	{"latency_empty", mode_latency_empty, {256, 0}},
	{"exec", mode_exec, {0, 0}},
	{"zombie", mode_zombie, {0, 0}},
	{"twins", mode_twins, {3, 0}},
};

static void __attribute__((noreturn)) bad(const char *what)
{
	fprintf(stderr, "pageload: bad %s\nTry 'pageload --help'\n", what);
	exit(2);
}

static uint64_t number(const char *s, char **end, int base, const char *what)
{
	uint64_t n;

	errno = 0;
	n = strtoull(s, end, base);
	if (*end == s || errno || *s == '-')
		bad(what);
	return n;
}

static size_t whole_number(const char *s, int base, const char *what)
{
	char *end;
	uint64_t n = number(s, &end, base, what);

	if (*end || n == 0 || n > SIZE_MAX)
		bad(what);
	return (size_t)n;
}

/* :N[:M], positive, only where the mode has them. */
static struct args mode_args(const struct mode *m, const char *s)
{
	struct args a = m->defaults;
	size_t *to[2] = {&a.n, &a.m};
	char *end;

	for (int i = 0; *s; i++, s = end) {
		if (*s != ':' || i == 2 || *to[i] == 0)
			bad("mode");
		*to[i] = (size_t)number(s + 1, &end, 10, "number");
		if (*to[i] == 0 || *to[i] > SIZE_MAX / page_bytes)
			bad("number");
	}
	return a;
}

static const struct mode *mode_find(const char *s, const char **rest)
{
	size_t n = strcspn(s, ":");

	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
		if (strlen(modes[i].name) == n && strncmp(modes[i].name, s, n) == 0) {
			*rest = s + n;
			return &modes[i];
		}
	bad("mode");
}

static void options(int argc, char **argv)
{
	for (int opt; (opt = getopt(argc, argv, "+b:d:kt:")) != -1;) {
		if (opt == 'b')
			next_at = (uintptr_t)whole_number(optarg, 16, "address");
		else if (opt == 'd')
			dir = optarg;
		else if (opt == 'k')
			keep_going = true;
		else if (opt == 't')
			limit_s = (unsigned int)whole_number(optarg, 10, "time");
		else
			bad("option");
	}
	if (argc - optind != 1)
		bad("number of operands");
}

/* Names in maps are absolute: so is this one. */
static void make_dir(void)
{
	const char *tmp = getenv("TMPDIR");
	char given[PATH_MAX];

	if (!dir) {
		snprintf(own_dir, sizeof(own_dir), "%s/pageload.XXXXXX",
			tmp ? tmp : "/tmp");
		dir = mkdtemp(own_dir);
	}
	if (!dir || !realpath(dir, given))
		die("%s", dir ? dir : "a directory");
	dir = strdup(given);
	if (!dir)
		die("memory");
}

static void end_in_time(void)
{
	struct sigaction sa = {.sa_handler = on_end};

	sigemptyset(&ends);
	sigaddset(&ends, SIGINT);
	sigaddset(&ends, SIGTERM);
	sigprocmask(SIG_BLOCK, &ends, NULL);
	sigaction(SIGINT, &sa, NULL);
	sigaction(SIGTERM, &sa, NULL);
	if (!keep_going)
		prctl(PR_SET_PDEATHSIG, SIGKILL);
	alarm(limit_s);
}

int main(int argc, char **argv)
{
	const struct mode *m;
	const char *rest;
	struct args a;

	if (argc == 2 && strcmp(argv[1], "--help") == 0)
		return fputs(help_text, stdout) < 0 || fflush(stdout);
	page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	options(argc, argv);
	m = mode_find(argv[optind], &rest);
	a = mode_args(m, rest);
	end_in_time();
	make_dir();
	m->fn(a);
	remove_dir();
	return 0;
}
