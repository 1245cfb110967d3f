// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <termios.h>
#include <unistd.h>

#include "cli/priv.h"
#include "cli/relay.h"

#define RETRY_MS 100
/* Blocks read after the screen: an endless program does not delay the end. */
#define LAST_BLOCKS 16

/* The relay's own process. */
struct relay {
	int pty, file, stop, done, terminal;
	bool ended; /* the program has closed the pseudoterminal */
	size_t n;   /* bytes of the block that are not written yet */
	char block[16384];
};

/* --- the process -------------------------------------------------------------------- */

static void take_block(struct relay *r, int from)
{
	ssize_t n;

	do
		n = read(from, r->block, sizeof(r->block));
	while (n < 0 && errno == EINTR);
	r->n = n > 0 ? (size_t)n : 0;
}

static void take_output(struct relay *r)
{
	take_block(r, r->pty);
	r->ended = !r->n;
}

/* Writes a part of the block, or nothing if the disk is full. */
static void store_block(struct relay *r)
{
	ssize_t done = write(r->file, r->block, r->n);

	if (done <= 0)
		return;
	r->n -= (size_t)done;
	memmove(r->block, r->block + done, r->n);
}

/* Stores output until the tool ends it.  While the disk is full, the program waits. */
static void store(struct relay *r)
{
	struct pollfd p[2] = {{.fd = r->stop, .events = POLLIN}, {.events = POLLIN}};

	for (;;) {
		p[1].fd = r->ended || r->n ? -1 : r->pty;
		p[1].revents = 0;
		if (poll(p, 2, r->n ? RETRY_MS : -1) < 0 && errno != EINTR)
			return;
		if (p[0].revents)
			return;
		if (p[1].revents)
			take_output(r);
		if (r->n)
			store_block(r);
	}
}

static bool is_ready(int fd, short events, int timeout_ms)
{
	struct pollfd p = {.fd = fd, .events = events};

	return poll(&p, 1, timeout_ms) > 0;
}

static void show_block(struct relay *r)
{
	for (size_t at = 0; at < r->n;) {
		ssize_t done = write(r->terminal, r->block + at, r->n - at);

		if (done >= 0)
			at += (size_t)done;
		else if (errno == EAGAIN)
			(void)is_ready(r->terminal, POLLOUT, -1);
		else if (errno != EINTR)
			break; /* the terminal was hung up */
	}
	r->n = 0;
}

static void show_file(struct relay *r)
{
	(void)lseek(r->file, 0, SEEK_SET);
	for (take_block(r, r->file); r->n; take_block(r, r->file))
		show_block(r);
}

static void show(struct relay *r)
{
	struct relay last = *r; /* its block is not in the file */

	show_file(r);
	show_block(&last);
	for (int i = 0; i < LAST_BLOCKS && !r->ended && is_ready(r->pty, POLLIN, 0);
		i++) {
		take_output(r);
		show_block(r);
	}
	close(r->done);
	while (!r->ended) {
		take_output(r);
		show_block(r);
	}
}

/* Closes all other descriptors, because readers of the tool wait for their end. */
static void keep_own(struct relay *r)
{
	int *const fd[] = {&r->pty, &r->file, &r->stop, &r->done, &r->terminal};
	const int n = SM_ARRAY_SIZE(fd);

	for (int i = 0; i < n; i++)
		*fd[i] = fcntl(*fd[i], F_DUPFD, n);
	for (int i = 0; i < n; i++)
		*fd[i] = dup2(*fd[i], i);
	sm_base_close_range((unsigned int)n, ~0u);
}

/* Used by the handler of SIGWINCH. */
static const struct relay *resized;

/* Gives the pseudoterminal the size of the terminal.  The kernel signals a new size to
 * the group of the terminal, which includes the program.  The program can receive that
 * signal before the size is set here, so it is sent again.  Then the sizes are equal. */
static void pass_size(int signo)
{
	struct winsize new, old;
	int err = errno;

	(void)signo;
	if (ioctl(resized->terminal, TIOCGWINSZ, &new) == 0 &&
		ioctl(resized->pty, TIOCGWINSZ, &old) == 0 &&
		memcmp(&new, &old, sizeof(new)) != 0 &&
		ioctl(resized->pty, TIOCSWINSZ, &new) == 0)
		(void)kill(0, SIGWINCH);
	errno = err;
}

static void follow_size(const struct relay *r)
{
	const struct sigaction sa = {.sa_handler = pass_size, .sa_flags = SA_RESTART};
	sigset_t set;

	resized = r;
	sigemptyset(&set);
	sigaddset(&set, SIGWINCH);
	if (sigaction(SIGWINCH, &sa, NULL) == 0)
		(void)sigprocmask(SIG_UNBLOCK, &set, NULL);
	pass_size(0); /* it may have changed since the pseudoterminal was opened */
}

static void __attribute__((noreturn)) run(struct relay *r)
{
	keep_own(r);
	if (sm_priv_become_invoker() == 0) {
		follow_size(r);
		store(r);
		show(r);
	}
	_exit(0);
}

/* --- the tool ----------------------------------------------------------------------- */

static int open_file(void)
{
	const char *dir = getenv("TMPDIR");
	int fd = sm_priv_open_as_invoker(dir ? dir : "/tmp", O_TMPFILE | O_RDWR, 0600);

	if (fd < 0)
		fd = memfd_create("output", MFD_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

static int terminal_fd(void)
{
	return isatty(STDOUT_FILENO) ? STDOUT_FILENO : STDERR_FILENO;
}

/* The program's side has the size of the terminal.  The terminal itself converts the ends
 * of lines. */
static void set_up(int fd)
{
	struct termios t;
	struct winsize size;

	if (tcgetattr(fd, &t) == 0) {
		t.c_oflag &= ~(tcflag_t)OPOST;
		(void)tcsetattr(fd, TCSANOW, &t);
	}
	if (ioctl(terminal_fd(), TIOCGWINSZ, &size) == 0)
		(void)ioctl(fd, TIOCSWINSZ, &size);
}

/* Opens both sides of a pseudoterminal: [0] is the program's. */
static int open_pty(int pty[2])
{
	int unlock = 0;

	pty[1] = sm_priv_open_as_invoker("/dev/ptmx", O_RDWR | O_NOCTTY, 0);
	if (pty[1] < 0)
		return pty[1];
	if (ioctl(pty[1], TIOCSPTLCK, &unlock) < 0)
		return -errno;
	pty[0] = ioctl(pty[1], TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (pty[0] < 0)
		return -errno;
	set_up(pty[0]);
	return 0;
}

static void close_all(const int *fd, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (fd[i] >= 0)
			close(fd[i]);
}

int sm_relay_open(struct sm_relay *to)
{
	/* a pseudoterminal, two pipes, the file */
	enum { PTY, STOP = 2, DONE = 4, FILE_FD = 6, N };
	int fd[N] = {-1, -1, -1, -1, -1, -1, -1}, err = open_pty(&fd[PTY]);
	struct relay r = {0};
	pid_t pid;

	if (!err && (pipe2(&fd[STOP], O_CLOEXEC) < 0 || pipe2(&fd[DONE], O_CLOEXEC) < 0))
		err = -errno;
	if (!err) {
		fd[FILE_FD] = open_file();
		err = fd[FILE_FD] < 0 ? fd[FILE_FD] : 0;
	}
	pid = err ? -1 : fork();
	if (pid == 0) {
		r.pty = fd[PTY + 1];
		r.file = fd[FILE_FD];
		r.stop = fd[STOP];
		r.done = fd[DONE + 1];
		r.terminal = terminal_fd();
		run(&r);
	}
	if (pid < 0) {
		err = err ? err : -errno;
		close_all(fd, N);
		return err;
	}
	*to = (struct sm_relay){.pty = fd[PTY], .stop = fd[STOP + 1], .done = fd[DONE]};
	close_all((int[]){fd[PTY + 1], fd[STOP], fd[DONE + 1], fd[FILE_FD]}, 4);
	return 0;
}

void sm_relay_take(const struct sm_relay *r)
{
	int null;

	if (r->pty < 0)
		return;
	null = open("/dev/null", O_RDONLY | O_CLOEXEC);
	if (isatty(STDIN_FILENO) && null >= 0)
		(void)!dup2(null, STDIN_FILENO);
	for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
		if (isatty(fd))
			(void)!dup2(r->pty, fd);
}

void sm_relay_close_pty(struct sm_relay *r)
{
	if (r->pty >= 0)
		close(r->pty);
	r->pty = -1;
}

void sm_relay_show(struct sm_relay *r)
{
	char byte;

	if (r->stop < 0)
		return;
	(void)!write(r->stop, "", 1); /* a waiting program has a copy of the descriptor */
	close(r->stop);
	while (read(r->done, &byte, 1) < 0 && errno == EINTR)
		;
	close(r->done);
	r->stop = r->done = -1;
}
