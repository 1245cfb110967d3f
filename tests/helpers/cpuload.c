// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * cpuload: tasks that use exactly known shares of a CPU (see cputruth.h).
 *	cpuload [-o TRUTH] [-t SECONDS] [-p PERIOD_MS] MODE ARGUMENT...
 *	duty PERCENT...		a child for each, of that duty cycle
 *	threads PERCENT...	a thread for each, in one process
 *	leaderless PERCENT	one thread, of a process whose main thread has ended
 *	rename PERCENT		one process; each SIGUSR1 gives it another comm
 *	exec PERCENT		each SIGUSR1: another program's name, same pid
 *	move PERCENT		each SIGUSR1 moves it to the next CPU
 *	hostile PERCENT		hostile argv[0] and comm
 *	watch			uses none; records the CPU time of the whole machine
 * Prints "ready PID..." when all run; ends after SECONDS, or by SIGTERM or SIGINT,
 * and then writes TRUTH.  A share holds over the whole run: a burst makes up for time
 * missing in the one before.  A period is 10 ms, or longer if the burst would be too
 * short.
 */
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "cputruth.h"

#define MAX_TASKS    64
#define MIN_BURST_NS 300000 /* a wake-up alone costs some 50000 */
#define NOTE_NS	     500000

struct task {
	double percent;
	bool thread;
	int64_t start_ns, period_ns;
};

static struct ct_log *truth;
static const char *out;
static int64_t period_ns = 10000000, end_ns = INT64_MAX;
static volatile sig_atomic_t stopped, asked;

static void on_signal(int sig)
{
	if (sig == SIGUSR1)
		asked = 1;
	else
		stopped = 1;
}

static void handle_signals(void)
{
	struct sigaction sa = {.sa_handler = on_signal};

	sigaction(SIGTERM, &sa, NULL);
	sigaction(SIGINT, &sa, NULL);
	sigaction(SIGUSR1, &sa, NULL);
}

static bool running(void)
{
	return !stopped && ct_now() < end_ns;
}

static void note(const struct task *t)
{
	if (t->thread)
		ct_add(truth, CT_STEP, (int)syscall(SYS_gettid), getpid(),
			ct_read(CLOCK_THREAD_CPUTIME_ID));
	else
		ct_step(truth);
}

/* One period: a burst, then sleep.  The share counts from start_ns on. */
static void period(const struct task *t, int64_t cpu0, int64_t k)
{
	clockid_t id = t->thread ? CLOCK_THREAD_CPUTIME_ID : CLOCK_PROCESS_CPUTIME_ID;
	int64_t cpu_ns = cpu0 + (int64_t)((double)(k + 1) * (double)t->period_ns *
					  t->percent / 100);

	note(t);
	for (int64_t now; (now = ct_read(id)) < cpu_ns; note(t))
		ct_burn_until(id, now + NOTE_NS < cpu_ns ? now + NOTE_NS : cpu_ns);
	ct_sleep_until(t->start_ns + (k + 1) * t->period_ns);
}

/* act: what SIGUSR1 asks for; NULL = nothing. */
static void run(struct task *t, void (*act)(void))
{
	int64_t cpu0;

	t->start_ns = ct_now();
	cpu0 = ct_read(t->thread ? CLOCK_THREAD_CPUTIME_ID : CLOCK_PROCESS_CPUTIME_ID);
	for (int64_t k = 0; running(); k++) {
		period(t, cpu0, k);
		if (asked && act) {
			asked = 0;
			act();
		}
	}
	note(t);
}

static void ready(const pid_t *pid, int n)
{
	printf("ready");
	for (int i = 0; i < n; i++)
		printf(" %d", (int)pid[i]);
	putchar('\n');
	fflush(stdout);
}

/* --- modes --- */

static void duty(struct task *task, int n)
{
	pid_t pid[MAX_TASKS] = {0};

	for (int i = 0; i < n; i++) {
		pid[i] = fork();
		if (pid[i] < 0)
			err(1, "fork");
		if (pid[i] == 0) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			run(&task[i], NULL);
			_exit(0);
		}
	}
	ready(pid, n);
	while (running())
		ct_sleep_until(ct_now() + 100000000);
	for (int i = 0; i < n; i++)
		kill(pid[i], SIGTERM);
	for (int i = 0; i < n; i++)
		waitpid(pid[i], NULL, 0);
}

static pid_t tids[MAX_TASKS];
static volatile int started;

static void *thread_main(void *arg)
{
	tids[__atomic_fetch_add(&started, 1, __ATOMIC_SEQ_CST)] =
		(pid_t)syscall(SYS_gettid);
	run(arg, NULL);
	return NULL;
}

static void threads(struct task *task, int n)
{
	pthread_t t[MAX_TASKS];
	int rc;

	for (int i = 0; i < n; i++) {
		task[i].thread = true;
		rc = pthread_create(&t[i], NULL, thread_main, &task[i]);
		if (rc)
			errx(1, "pthread_create: %s", strerror(rc));
		while (started <= i) /* so tids are in the order of the arguments */
			ct_sleep_until(ct_now() + 100000);
	}
	ready(tids, n);
	while (running()) {
		ct_step(truth);
		ct_sleep_until(ct_now() + period_ns);
	}
	stopped = 1;
	for (int i = 0; i < n; i++)
		pthread_join(t[i], NULL);
	ct_step(truth);
}

static bool leader_is_zombie(void)
{
	char text[512] = "";
	FILE *f = fopen("/proc/self/stat", "r");

	if (!f || !fgets(text, sizeof(text), f))
		err(1, "/proc/self/stat");
	fclose(f);
	return strstr(text, ") Z ") != NULL;
}

static void *leaderless_main(void *arg)
{
	pid_t pid = getpid();

	while (!leader_is_zombie())
		ct_sleep_until(ct_now() + 100000);
	ready(&pid, 1);
	run(arg, NULL);
	ct_write(truth, out);
	exit(0);
}

static void leaderless(struct task *task)
{
	pthread_t t;
	int rc = pthread_create(&t, NULL, leaderless_main, task);

	if (rc)
		errx(1, "pthread_create: %s", strerror(rc));
	pthread_exit(NULL);
}

static void rename_self(void)
{
	static unsigned char times;
	char name[16];

	snprintf(name, sizeof(name), "renamed-%u", ++times);
	prctl(PR_SET_NAME, name);
}

static char *self_path, **self_argv;
static int self_argc, truth_fd = -1;

/* Execs the same program under another argv[0], which continues the run. */
static void exec_self(const char *name)
{
	static char fd[32], end[32];
	char *argv[24] = {NULL};
	int n = 0;

	snprintf(fd, sizeof(fd), "-F%d", truth_fd);
	snprintf(end, sizeof(end), "-E%lld", (long long)end_ns);
	argv[n++] = strdup(name);
	argv[n++] = fd;
	argv[n++] = end;
	for (int i = 1; i < self_argc && n < 23; i++)
		if (strncmp(self_argv[i], "-F", 2) != 0 &&
			strncmp(self_argv[i], "-E", 2) != 0)
			argv[n++] = self_argv[i];
	execv("/proc/self/exe", argv); /* so comm becomes "exe" */
	err(1, "%s", self_path);
}

static void exec_other(void)
{
	static char name[64];
	const char *dash = strrchr(self_argv[0], '-');
	int n = strncmp(self_argv[0], "/opt/", 5) == 0 && dash ? atoi(dash + 1) : 0;

	snprintf(name, sizeof(name), "/opt/another program-%d", n + 1);
	exec_self(name);
}

/* The CPUs allowed at the start; later the process is bound to one of them. */
static void move(void)
{
	static cpu_set_t all;
	cpu_set_t set;
	int cpu = sched_getcpu();

	if (CPU_COUNT(&all) == 0 && sched_getaffinity(0, sizeof(all), &all))
		err(1, "sched_getaffinity");
	do
		cpu = (cpu + 1) % CPU_SETSIZE;
	while (!CPU_ISSET(cpu, &all));
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		err(1, "sched_setaffinity");
}

static void hostile(void)
{
	static const char name[] =
		"\033]0;pwned\a\033[2J\n 99.99  99.99   0.00     1 R    0"
		"   1.00s forged\t\xc2\x9b"
		"31m\xe2\x80\xaertl\xff caf\xc3\xa9,\"q\"";

	if (strcmp(self_argv[0], name) != 0)
		exec_self(name);
	prctl(PR_SET_NAME, "\033[2J\n) R 1 (\xff\xc3\xa9");
}

static void one(struct task *task, void (*act)(void))
{
	pid_t pid = getpid();

	if (truth->n == 0) /* not after an exec */
		ready(&pid, 1);
	run(task, act);
}

/* --- the whole machine --- */

static int64_t cpuacct(void)
{
	FILE *f = fopen("/sys/fs/cgroup/cpuacct/cpuacct.usage", "r");
	long long v = -1;

	if (!f)
		f = fopen("/sys/fs/cgroup/cpu,cpuacct/cpuacct.usage", "r");
	if (f && fscanf(f, "%lld", &v) != 1)
		v = -1;
	if (f)
		fclose(f);
	return v;
}

static int64_t busy(void)
{
	long long u = 0, n = 0, s = 0, irq = 0, soft = 0;
	FILE *f = fopen("/proc/stat", "r");

	if (!f || fscanf(f, "cpu %lld %lld %lld %*d %*d %lld %lld", &u, &n, &s, &irq,
			  &soft) != 5)
		errx(1, "/proc/stat");
	fclose(f);
	return (u + n + s + irq + soft) * (1000000000 / sysconf(_SC_CLK_TCK));
}

static void watch(void)
{
	pid_t pid = getpid();

	ready(&pid, 1);
	while (running()) {
		int64_t all = cpuacct();

		if (all >= 0)
			ct_add(truth, CT_ROOT, 0, 0, all);
		ct_add(truth, CT_BUSY, 0, 0, busy());
		ct_sleep_until(ct_now() + period_ns);
	}
}

/* --- */

static void options(int argc, char **argv)
{
	int c;

	while ((c = getopt(argc, argv, "+o:t:p:F:E:")) != -1) {
		if (c == 'o')
			out = optarg;
		else if (c == 't')
			end_ns = ct_now() + (int64_t)(atof(optarg) * 1e9);
		else if (c == 'p')
			period_ns = (int64_t)(atof(optarg) * 1e6);
		else if (c == 'F')
			truth_fd = atoi(optarg);
		else if (c != 'E')
			exit(2);
	}
	optind = 1; /* parse again: values passed by an exec override -t */
	while ((c = getopt(argc, argv, "+o:t:p:F:E:")) != -1)
		if (c == 'E')
			end_ns = atoll(optarg);
}

static int tasks_of(char **argv, struct task *task)
{
	int n = 0;

	for (; argv[n] && n < MAX_TASKS; n++) {
		task[n].percent = atof(argv[n]);
		if (task[n].percent <= 0 || task[n].percent > 100)
			errx(2, "'%s' is no percentage", argv[n]);
		task[n].period_ns = (int64_t)(100 * MIN_BURST_NS / task[n].percent);
		if (task[n].period_ns < period_ns)
			task[n].period_ns = period_ns;
	}
	return n;
}

static void dispatch(const char *mode, struct task *task, int n)
{
	if (strcmp(mode, "watch") == 0)
		watch();
	else if (n == 0)
		errx(2, "%s wants a percentage", mode);
	else if (strcmp(mode, "duty") == 0)
		duty(task, n);
	else if (strcmp(mode, "threads") == 0)
		threads(task, n);
	else if (strcmp(mode, "leaderless") == 0)
		leaderless(task);
	else if (strcmp(mode, "rename") == 0)
		one(task, rename_self);
	else if (strcmp(mode, "exec") == 0)
		one(task, exec_other);
	else if (strcmp(mode, "move") == 0)
		one(task, move);
	else if (strcmp(mode, "hostile") == 0)
		one(task, NULL);
	else
		errx(2, "unknown mode '%s'", mode);
}

int main(int argc, char **argv)
{
	static struct task task[MAX_TASKS];
	static char path[PATH_MAX];
	ssize_t len = readlink("/proc/self/exe", path, sizeof(path) - 1);
	int n;

	if (len < 0)
		err(1, "/proc/self/exe");
	self_path = path;
	self_argv = argv;
	self_argc = argc;
	options(argc, argv);
	if (optind >= argc)
		errx(2, "usage: cpuload [-o TRUTH] [-t SECONDS] [-p PERIOD_MS] MODE "
			"ARGUMENT...");
	truth = ct_open(&truth_fd);
	handle_signals();
	if (strcmp(argv[optind], "hostile") == 0)
		hostile();
	if (strcmp(argv[optind], "move") == 0)
		move();
	n = tasks_of(argv + optind + 1, task);
	dispatch(argv[optind], task, n);
	ct_write(truth, out);
	return 0;
}
