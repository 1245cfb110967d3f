// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * threads: a process with several threads ends in a known way; its parent prints "PID
 *STATUS NS": the wait status that waitpid(2) gave, and how long the process lived at
 *least, from its first action to its last.
 *
 *	threads [-f FIFO] WAY [NUMBER...]
 *
 *	last CODE		the main thread outlives two others and exits by _exit
 *system
 *call group CODE		the main thread calls exit_group(2) while 10 others sleep
 *	exit LEADER CODE	the main thread exits first with LEADER, the last one with
 *CODE (exit system call) exitgroup LEADER CODE	as exit, but the last thread calls
 *exit_group(2) kill LEADER SIGNAL	as exit, but the last thread kills the process
 *	many N SIGNAL		a signal kills the process of N threads
 *	core N			one of N threads dumps core
 *	exec LEADER		the main thread exits first, then another one executes
 *true vfork			a thread calls vfork(2), the child executes true; then
 *exit_group(0)
 *
 * With -f the process and its threads are there before it opens FIFO for reading, and end
 *when that gives end of file.
 */
#include <err.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char *way, *fifo;
static int number[2];
static pthread_barrier_t born;
static struct { /* shared with the parent */
	unsigned long long begin_ns, end_ns;
	volatile int ready;
} * life;

static unsigned long long now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (unsigned long long)t.tv_sec * 1000000000 + (unsigned long long)t.tv_nsec;
}

/* The last action but the end itself. */
static void wait_for_fifo(void)
{
	char c;
	int fd;

	life->ready = 1;
	fd = fifo ? open(fifo, O_RDONLY) : -1;

	while (fd >= 0 && read(fd, &c, 1) > 0)
		;
	life->end_ns = now_ns();
}

/* Until the main thread has exited: it is a zombie then. */
static void outlive_leader(void)
{
	char path[64], text[512], *state;
	int fd, n;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/stat", getpid(), getpid());
	do {
		usleep(1000);
		fd = open(path, O_RDONLY);
		n = (int)read(fd, text, sizeof(text) - 1);
		close(fd);
		text[n > 0 ? n : 0] = '\0';
		state = strrchr(text, ')');
	} while (!state || state[2] != 'Z');
}

/* Until the other threads have exited: pthread_join(3) returns before the exit event is
 * sent. */
static void outlive_others(void)
{
	struct stat tasks;

	while (stat("/proc/self/task", &tasks) == 0 && tasks.st_nlink > 3)
		usleep(1000);
}

static void *sleeper(void *arg)
{
	pthread_barrier_wait(&born);
	for (;;)
		pause();
	return arg;
}

static void *passer(void *arg)
{
	return arg;
}

static void *last(void *arg)
{
	pthread_barrier_wait(&born);
	outlive_leader();
	wait_for_fifo();
	if (strcmp(way, "exit") == 0)
		syscall(SYS_exit, number[1]);
	if (strcmp(way, "exitgroup") == 0)
		syscall(SYS_exit_group, number[1]);
	if (strcmp(way, "kill") == 0)
		kill(getpid(), number[1]);
	if (strcmp(way, "exec") == 0)
		execlp("true", "true", "from-a-thread", (char *)NULL);
	pause();
	return arg;
}

static void *forker(void *arg)
{
	pid_t pid = vfork();

	if (pid == 0) {
		execlp("true", "true", "vforked", (char *)NULL);
		_exit(127);
	}
	waitpid(pid, NULL, 0);
	return arg;
}

static pthread_t start(void *(*f)(void *))
{
	pthread_attr_t small;
	pthread_t t;

	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 65536);
	if (pthread_create(&t, &small, f, NULL))
		errx(1, "pthread_create");
	return t;
}

static void sleepers(int n)
{
	pthread_barrier_init(&born, NULL, (unsigned int)n + 1);
	for (int i = 0; i < n; i++)
		start(sleeper);
	pthread_barrier_wait(&born);
	wait_for_fifo();
}

static void child(void)
{
	struct rlimit core = {RLIM_INFINITY, RLIM_INFINITY};

	if (strcmp(way, "last") == 0) {
		pthread_join(start(passer), NULL);
		pthread_join(start(passer), NULL);
		outlive_others();
		wait_for_fifo();
		syscall(SYS_exit, number[0]);
	} else if (strcmp(way, "group") == 0) {
		sleepers(10);
		exit(number[0]);
	} else if (strcmp(way, "many") == 0) {
		sleepers(number[0] - 1);
		kill(getpid(), number[1]);
	} else if (strcmp(way, "core") == 0) {
		setrlimit(RLIMIT_CORE, &core);
		sleepers(number[0] - 1);
		abort();
	} else if (strcmp(way, "vfork") == 0) {
		pthread_join(start(forker), NULL);
		wait_for_fifo();
		exit(0);
	} else {
		pthread_barrier_init(&born, NULL, 2);
		start(last);
		pthread_barrier_wait(&born);
		syscall(SYS_exit, number[0]);
	}
	pause();
}

int main(int argc, char **argv)
{
	int opt, status;
	pid_t pid;

	while ((opt = getopt(argc, argv, "+f:")) == 'f')
		fifo = optarg;
	if (opt != -1 || optind >= argc)
		errx(2, "usage: threads [-f FIFO] WAY [NUMBER...]");
	way = argv[optind];
	for (int i = 0; i < 2 && optind + 1 + i < argc; i++)
		number[i] = atoi(argv[optind + 1 + i]);
	life = mmap(NULL, sizeof(*life), PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (life == MAP_FAILED)
		err(1, "mmap");
	pid = fork();
	if (pid == 0) {
		life->begin_ns = now_ns();
		child();
	}
	while (fifo && !life->ready)
		usleep(1000);
	if (fifo)
		printf("%d\n", (int)pid);
	fflush(stdout);
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		err(1, "fork");
	printf("%d %d %llu\n", (int)pid, status, life->end_ns - life->begin_ns);
	return 0;
}
