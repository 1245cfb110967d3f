// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * load: creates processes and records them (see truth.h); the record is written after the
 * last one has exited, so that writing does not disturb the load.
 *
 *	load [-n N] [-r PER_SECOND] [-b BURST] [-g GENERATORS] [-E BYTES]
 *	     [-x PROGRAM] -o FILE MODE
 *
 * MODE: exec, fork, vfork, thread, mix (exec, fork, thread in turn), or kinds (one
 * process for each kind of event).  -r: N at that rate, by absolute deadlines.  -b:
 * bursts of that many, reaped together, 20 ms apart.  -g: number of generator processes,
 * each on its own CPU, which share the N.  -E: bytes of environment (default: none).
 */
#include <dirent.h>
#include <err.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "truth.h"

#define BURST_PAUSE_NS 20000000
#define HOSTILE_NAME                             \
	"\033]0;pwned\a\033[2J\nfork \t\xc2\x9b" \
	"31m\xc3\xa9\xff"
#define NEW_COMM "sm-renamed"

struct record {
	enum kind kind;
	pid_t pid, ppid, tid;
	int status, serial;
	uint8_t hostile;
};

struct load {
	const char *mode, *out;
	int n, generators, burst;
	double rate;
	char file[PATH_MAX];
	char **env;
	struct record *rec; /* shared by the generators, each with its own slice */
	int extra;	    /* records of the generators themselves, after the n */
};

static char serial_arg[16];
#define S(text)      \
	(char[])     \
	{            \
		text \
	} /* exec wants arguments that are not const */
static char *exec_argv[] = {
	S("tiny"), S("load-exec"), serial_arg, S("arg"), S("two"), NULL};
static char *hostile_argv[] = {S(HOSTILE_NAME), serial_arg, NULL};
static char *self_argv[64];

static int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void sleep_until(int64_t ns)
{
	struct timespec t = {ns / 1000000000, ns % 1000000000};

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR)
		;
}

static void reap(struct record *r)
{
	while (r->pid != r->ppid && waitpid(r->pid, &r->status, 0) < 0)
		if (errno != EINTR)
			err(1, "waitpid %d", (int)r->pid);
}

/* The child shares this memory until its exec: serial_arg is safe to reuse.
 */
static void start_exec(const struct load *l, struct record *r, char **argv)
{
	pid_t pid;

	snprintf(serial_arg, sizeof(serial_arg), "%06d", r->serial);
	r->kind = K_EXEC;
	pid = vfork();
	if (pid == 0) {
		execve(l->file, argv, l->env);
		_exit(127);
	}
	r->pid = pid;
}

static void start_fork(struct record *r, int status)
{
	pid_t pid =
		fork(); /* the record is shared memory: only the parent may write it */

	if (pid == 0)
		_exit(status);
	r->kind = K_FORK;
	r->pid = pid;
}

static void start_vfork(struct record *r)
{
	pid_t pid = vfork();

	if (pid == 0)
		_exit(0);
	r->kind = K_VFORK;
	r->pid = pid;
}

static void *thread_main(void *arg)
{
	((struct record *)arg)->tid = (pid_t)syscall(SYS_gettid);
	return NULL;
}

static void start_thread(struct record *r)
{
	pthread_t t;
	int rc;

	r->kind = K_THREAD;
	r->pid = r->ppid;
	rc = pthread_create(&t, NULL, thread_main, r);
	if (rc)
		errx(1, "pthread_create: %s", strerror(rc));
	pthread_join(t, NULL);
}

static void start_one(const struct load *l, struct record *r)
{
	const char *m = l->mode;
	int turn = strcmp(m, "mix") == 0 ? r->serial % 3 : -1;

	r->ppid = getpid();
	if (turn == 0 || strcmp(m, "exec") == 0)
		start_exec(l, r, exec_argv);
	else if (turn == 1 || strcmp(m, "fork") == 0)
		start_fork(r, 0);
	else if (turn == 2 || strcmp(m, "thread") == 0)
		start_thread(r);
	else
		start_vfork(r);
	if (r->pid < 0)
		err(1, "fork");
}

static void run_slice(const struct load *l, int from, int to)
{
	int64_t start = now_ns();
	int pending = from;

	for (int i = from; i < to; i++) {
		if (l->rate > 0)
			sleep_until(start + (int64_t)((i - from) * 1e9 / l->rate));
		l->rec[i].serial = i;
		start_one(l, &l->rec[i]);
		if (i + 1 < to && i + 1 - pending < l->burst)
			continue;
		while (pending <= i)
			reap(&l->rec[pending++]);
		if (l->burst > 1 && i + 1 < to)
			sleep_until(now_ns() + BURST_PAUSE_NS);
	}
}

static void pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(
		0, sizeof(set), &set); /* a hint: if it fails, the load runs unpinned */
}

static void run_generators(struct load *l)
{
	int cpus = (int)sysconf(_SC_NPROCESSORS_ONLN);

	for (int g = 0; g < l->generators; g++) {
		struct record *r = &l->rec[l->n + g];
		pid_t pid = fork();

		if (pid < 0)
			err(1, "fork");
		if (pid == 0) {
			pin(g % cpus);
			l->rate /= l->generators;
			run_slice(l, (int)((int64_t)l->n * g / l->generators),
				(int)((int64_t)l->n * (g + 1) / l->generators));
			_exit(0);
		}
		r->kind = K_GEN;
		r->ppid = getpid();
		r->pid = pid;
	}
	l->extra = l->generators;
	for (int g = 0; g < l->generators; g++) {
		reap(&l->rec[l->n + g]);
		if (l->rec[l->n + g].status)
			errx(1, "a generator failed");
	}
}

/* One child that causes the event of its kind. */
static void be_kind(enum kind k)
{
	struct rlimit core = {1 << 20, 1 << 20};

	if (k == K_UID && setresuid(1, 1, 1) && geteuid() == 0)
		_exit(9);
	if (k == K_GID && setresgid(1, 1, 1) && geteuid() == 0)
		_exit(9);
	if (k == K_SID)
		setsid();
	if (k == K_COMM)
		prctl(PR_SET_NAME, NEW_COMM);
	if (k == K_CORE) {
		setrlimit(RLIMIT_CORE, &core);
		prctl(PR_SET_DUMPABLE, 1);
		abort();
	}
	if (k == K_PTRACE)
		pause();
	_exit(0);
}

static void attach_detach(pid_t pid)
{
	int status;

	if (ptrace(PTRACE_ATTACH, pid, NULL, NULL) == 0) {
		waitpid(pid, &status, 0);
		ptrace(PTRACE_DETACH, pid, NULL, NULL);
	}
	kill(pid, SIGKILL);
}

/* A core file is written to a temporary directory, which is removed. */
static void core_dir(char *dir)
{
	if (!mkdtemp(dir) || chdir(dir))
		err(1, "%s", dir);
}

static void core_dir_remove(const char *dir)
{
	DIR *d = opendir(dir);
	struct dirent *e;

	while (d && (e = readdir(d)))
		if (strncmp(e->d_name, "core", 4) == 0)
			unlink(e->d_name);
	if (d)
		closedir(d);
	if (chdir("/") == 0)
		rmdir(dir);
}

static void one_kind(struct record *r, enum kind k)
{
	pid_t pid = fork();

	if (pid < 0)
		err(1, "fork");
	if (pid == 0)
		be_kind(k);
	r->kind = k;
	r->pid = pid;
	if (k == K_PTRACE)
		attach_detach(pid);
}

/* Killed from outside. */
static void one_killed(struct record *r)
{
	pid_t pid = fork();

	if (pid < 0)
		err(1, "fork");
	if (pid == 0) {
		pause();
		_exit(0);
	}
	r->kind = K_FORK;
	r->pid = pid;
	kill(pid, SIGKILL);
}

static void run_kinds(struct load *l)
{
	enum { KINDS = K_KINDS - K_UID, ALL = KINDS + 4 };
	char dir[] = "/tmp/sysmon-core.XXXXXX";

	core_dir(dir);
	l->n = ALL;
	for (int i = 0; i < ALL; i++) {
		struct record *r = &l->rec[i];

		r->serial = i;
		r->ppid = getpid();
		if (i < KINDS)
			one_kind(r, K_UID + (enum kind)i);
		else if (i == KINDS)
			start_fork(r, 3);
		else if (i == KINDS + 1)
			start_vfork(r);
		else if (i == KINDS + 2)
			start_exec(l, r, hostile_argv);
		else
			one_killed(r);
		r->hostile = i == KINDS + 2;
		reap(r);
	}
	core_dir_remove(dir);
}

static void write_record(FILE *f, const struct record *r)
{
	fprintf(f, "%s\t%d\t%d\t%d\t%d\t", kind_name(r->kind), (int)r->pid, (int)r->ppid,
		(int)(r->tid ? r->tid : r->pid), r->status);
	snprintf(serial_arg, sizeof(serial_arg), "%06d", r->serial);
	if (r->kind == K_EXEC)
		truth_argv(f, r->hostile ? hostile_argv : exec_argv);
	else
		truth_argv(f, self_argv);
	putc('\n', f);
}

static int64_t micros(struct timeval t)
{
	return t.tv_sec * 1000000LL + t.tv_usec;
}

static void write_truth(const struct load *l, int64_t wall_us)
{
	FILE *f = strcmp(l->out, "-") == 0 ? stdout : fopen(l->out, "w");
	struct rusage self, kids;

	getrusage(RUSAGE_SELF, &self);
	getrusage(RUSAGE_CHILDREN, &kids);
	if (!f)
		err(1, "%s", l->out);
	fprintf(f, "load\t%d\t%d\t", (int)getpid(), (int)getppid());
	truth_argv(f, self_argv);
	fprintf(f, "\nfile\t");
	truth_puts(f, l->file);
	putc('\n', f);
	for (int i = l->n; i < l->n + l->extra; i++)
		write_record(f, &l->rec[i]);
	for (int i = 0; i < l->n; i++)
		write_record(f, &l->rec[i]);
	fprintf(f, "cpu\t%lld\t%lld\t%lld\n",
		(long long)(micros(self.ru_utime) + micros(kids.ru_utime)),
		(long long)(micros(self.ru_stime) + micros(kids.ru_stime)),
		(long long)wall_us);
	if (fclose(f))
		err(1, "%s", l->out);
}

static char **make_env(long bytes)
{
	long n = bytes / 40;
	char **env = calloc((size_t)n + 1, sizeof(*env));

	if (!env)
		err(1, "memory");
	for (long i = 0; i < n; i++)
		if (asprintf(&env[i], "LOAD_VARIABLE_%04ld=%020ld", i % 10000, i) < 0)
			err(1, "memory");
	return env;
}

static void beside_us(char *file)
{
	ssize_t n = readlink("/proc/self/exe", file, PATH_MAX - 8);
	char *slash;

	if (n < 0)
		err(1, "/proc/self/exe");
	file[n] = '\0';
	slash = strrchr(file, '/');
	strcpy(slash + 1, "tiny");
}

static void parse(struct load *l, int argc, char **argv)
{
	long env_bytes = 0;
	int c;

	beside_us(l->file);
	for (int i = 0; i < argc && i < 63; i++)
		self_argv[i] = argv[i];
	while ((c = getopt(argc, argv, "n:r:b:g:E:x:o:")) != -1) {
		switch (c) {
		case 'n':
			l->n = atoi(optarg);
			break;
		case 'r':
			l->rate = atof(optarg);
			break;
		case 'b':
			l->burst = atoi(optarg);
			break;
		case 'g':
			l->generators = atoi(optarg);
			break;
		case 'E':
			env_bytes = atol(optarg);
			break;
		case 'x':
			snprintf(l->file, sizeof(l->file), "%s", optarg);
			break;
		case 'o':
			l->out = optarg;
			break;
		default:
			exit(2);
		}
	}
	l->env = make_env(env_bytes);
	if (optind + 1 != argc || !l->out || l->n < 1 || l->burst < 1 ||
		l->generators < 1)
		errx(2, "usage: load [-n N] [-r PER_SECOND] [-b BURST] [-g GENERATORS] "
			"[-E BYTES] [-x PROGRAM] -o FILE MODE");
	l->mode = argv[optind];
	if (!strstr(" exec fork vfork thread mix kinds ", l->mode))
		errx(2, "unknown mode '%s'", l->mode);
}

int main(int argc, char **argv)
{
	struct load l = {.n = 1000, .burst = 1, .generators = 1};
	size_t size;
	int64_t start;

	parse(&l, argc, argv);
	size = (size_t)(l.n + l.generators + K_KINDS + 8) * sizeof(*l.rec);
	l.rec = mmap(NULL, size, PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (l.rec == MAP_FAILED)
		err(1, "memory");
	start = now_ns();
	if (strcmp(l.mode, "kinds") == 0)
		run_kinds(&l);
	else if (l.generators > 1)
		run_generators(&l);
	else
		run_slice(&l, 0, l.n);
	write_truth(&l, (now_ns() - start) / 1000);
	return 0;
}
