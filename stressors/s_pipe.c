// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The instance writes, a child reads.  Every 512 bytes of a buffer, and at its end,
 * there is a word derived from the buffer's number and the place, which the reader
 * checks.
 *
 * With vmsplice(2), the pipe refers to the writer's pages; a buffer is reused when the
 * pipe can no longer contain any of it.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run/stress.h"

enum { DATA_SIZE, PIPE_SIZE, METHOD };

enum { BY_WRITE, BY_VMSPLICE };
static const char *const method_names[] = {"write", "vmsplice", NULL};

static const struct stressor_opt opts[] = {
	{"data-size", STRESSOR_SIZE, "SIZE", "set the size of each buffer", .min = 8,
		.max = 1048576, .normal = 65536, .small = 8, .large = 1048576},
	{"size", STRESSOR_SIZE, "SIZE",
		"set the capacity of the pipe; 0: the kernel's default",
		.max = UINT64_C(1) << 30, .small = 4096, .large = 1048576},
	{"method", STRESSOR_CHOICE, "METHOD", "select how a buffer is put into the pipe",
		.normal = BY_WRITE, .choices = method_names},
	{0},
};

enum { THROUGHPUT, BUFFERS };

static const struct stressor_metric metrics[] = {
	[THROUGHPUT] = {"throughput", "MB/s", .mean = MEAN_RATE, .headline = "MB/s",
		.yaml = "mb-per-sec-pipe-write-rate"},
	[BUFFERS] = {"buffers", "/s", .mean = MEAN_RATE},
	{0},
};

#define STRIDE 512u
#define WORD   sizeof(uint64_t)

/* Report of the reader, in shared memory. */
struct report {
	_Atomic uint64_t read; /* whole buffers read */
	_Atomic uint32_t wrong;
	uint64_t place, word, expected; /* place and values of a wrong word */
	int error;			/* errno of the reader, or 0 */
};

struct flow {
	size_t size;  /* bytes of a buffer */
	size_t words; /* words checked in a buffer, except the last */
	int to;	      /* descriptor to which the instance writes */
	pid_t reader;
	struct report *report;
	char *buffers;
	size_t count; /* number of buffers, which are used in turn */
	uint64_t written;
	bool vmsplice;
};

/* ---- the words ---- */

static uint64_t word_at(uint64_t number, size_t place)
{
	return (number + 1) * UINT64_C(0x9e3779b97f4a7c15) ^ place;
}

static size_t last_place(size_t size)
{
	return (size / WORD - 1) * WORD;
}

static void mark(char *buffer, size_t size, uint64_t number)
{
	size_t last = last_place(size);
	uint64_t w;

	for (size_t at = 0; at < last; at += STRIDE) {
		w = word_at(number, at);
		memcpy(buffer + at, &w, WORD);
	}
	w = word_at(number, last);
	memcpy(buffer + last, &w, WORD);
}

static bool word_fits(struct report *r, const char *buffer, size_t at, uint64_t number)
{
	uint64_t w;

	memcpy(&w, buffer + at, WORD);
	if (SM_LIKELY(w == word_at(number, at)))
		return true;
	r->place = at;
	r->word = w;
	r->expected = word_at(number, at);
	atomic_store_explicit(&r->wrong, 1, memory_order_release);
	return false;
}

static bool fits(struct report *r, const char *buffer, size_t size, uint64_t number)
{
	size_t last = last_place(size);

	for (size_t at = 0; at < last; at += STRIDE)
		if (!word_fits(r, buffer, at, number))
			return false;
	return word_fits(r, buffer, last, number);
}

/* ---- the reader ---- */

/* Returns 1; 0 at the end of the data; -1 if the pipe cannot be read (errno) or a buffer
 * is truncated (errno 0). */
static int read_buffer(int fd, char *buffer, size_t size)
{
	size_t have = 0;

	while (have < size) {
		ssize_t n = read(fd, buffer + have, size - have);

		if (n == 0)
			errno = 0;
		if (n == 0)
			return have ? -1 : 0;
		if (n < 0 && errno != EINTR)
			return -1;
		have += n > 0 ? (size_t)n : 0;
	}
	return 1;
}

static void __attribute__((noreturn)) read_all(struct report *report, int fd, size_t size)
{
	char *buffer = mmap(NULL, size, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	uint64_t number = 0;
	int r = 1;

	if (buffer == MAP_FAILED) {
		report->error = errno;
		_exit(STRESS_FAIL);
	}
	for (;;) {
		r = read_buffer(fd, buffer, size);
		if (r < 0)
			report->error = errno;
		if (r <= 0)
			_exit(r < 0 ? STRESS_FAIL : STRESS_PASS);
		if (!fits(report, buffer, size, number))
			_exit(STRESS_FAIL);
		number++;
		atomic_store_explicit(&report->read, number, memory_order_relaxed);
	}
}

/* ---- setup ---- */

static int make_pipe(struct stress *s, int fd[2])
{
	uint64_t size = s->value[PIPE_SIZE];

	if (pipe2(fd, O_CLOEXEC) < 0)
		return stress_lacks(s, "pipe: %s", strerror(errno));
	if (size && fcntl(fd[1], F_SETPIPE_SZ, (int)size) < 0) {
		int error = errno;

		close(fd[0]);
		close(fd[1]);
		return stress_error(s, STRESS_SKIP, error,
			"a pipe cannot have %llu bytes", (unsigned long long)size);
	}
	return 0;
}

static int start_reader(struct stress *s, struct flow *p, const int fd[2])
{
	p->reader = stress_partner(s);
	if (p->reader == 0) {
		close(fd[1]);
		read_all(p->report, fd[0], p->size);
	}
	return p->reader < 0 ? -1 : 0;
}

static size_t count_of_buffers(const struct flow *p)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	int held = fcntl(p->to, F_GETPIPE_SZ);
	size_t slots = held > 0 ? (size_t)held / page : 0;
	size_t slots_each = (p->size + page - 1) / page;

	return p->vmsplice ? slots / slots_each + 3 : 1;
}

/* Maps the buffers after the reader has started: pages shared with it would be copied
 * when written. */
static int map_buffers(struct stress *s, struct flow *p)
{
	p->count = count_of_buffers(p);
	p->buffers = stress_map(s, p->count * p->size, 0);
	if (!p->buffers)
		return STRESS_LACKS;
	memset(p->buffers, 0x5a, p->count * p->size);
	return 0;
}

static int set_up_flow(struct stress *s, struct flow *p)
{
	int fd[2], r;

	p->report = mmap(NULL, sizeof(*p->report), PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (p->report == MAP_FAILED) {
		p->report = NULL;
		return stress_lacks(s, "mmap: %s", strerror(errno));
	}
	r = make_pipe(s, fd);
	if (r != 0)
		return r;
	p->to = fd[1];
	r = start_reader(s, p, fd);
	close(fd[0]);
	return r ? r : map_buffers(s, p);
}

static int setup(struct stress *s)
{
	struct flow *p = s->data;

	p->to = -1;
	p->size = (size_t)s->value[DATA_SIZE];
	p->vmsplice = s->value[METHOD] == BY_VMSPLICE;
	signal(SIGPIPE, SIG_IGN); /* EPIPE shows that the reader has exited */
	return set_up_flow(s, p);
}

/* ---- the writer ---- */

static ssize_t put(const struct flow *p, char *from, size_t n)
{
	struct iovec v = {from, n};

	return p->vmsplice ? vmsplice(p->to, &v, 1, 0) : write(p->to, from, n);
}

static int write_buffer(struct flow *p, char *buffer)
{
	size_t done = 0;

	while (done < p->size) {
		ssize_t n = put(p, buffer + done, p->size - done);

		if (n < 0 && errno != EINTR)
			return -errno;
		done += n > 0 ? (size_t)n : 0;
	}
	return 0;
}

static int write_next(struct stress *s, struct flow *p)
{
	char *buffer = p->buffers + p->written % p->count * p->size;
	int r;

	mark(buffer, p->size, p->written);
	if (s->spoil && p->written == 2)
		buffer[last_place(p->size)] ^= 1;
	r = write_buffer(p, buffer);
	p->written += r == 0;
	return r;
}

/* Lets the reader read the remaining data and returns its wait(2) status. */
static int end_reader(struct flow *p)
{
	int status = 0;

	if (p->to >= 0)
		close(p->to);
	p->to = -1;
	while (p->reader > 0 && waitpid(p->reader, &status, 0) < 0 && errno == EINTR)
		;
	p->reader = 0;
	return status;
}

static int judge(struct stress *s, const struct flow *p, int error, int status)
{
	const struct report *r = p->report;
	uint64_t have = atomic_load_explicit(&r->read, memory_order_relaxed);

	if (atomic_load_explicit(&r->wrong, memory_order_acquire))
		return stress_fail(s,
			"buffer %llu, byte %llu: read 0x%llx instead of 0x%llx",
			(unsigned long long)have, (unsigned long long)r->place,
			(unsigned long long)r->word, (unsigned long long)r->expected);
	if (WIFSIGNALED(status))
		return stress_fail(
			s, "the reader was killed by signal %d", WTERMSIG(status));
	if (r->error)
		return stress_error(s, STRESS_FAIL, r->error, "the reader");
	if (error)
		return stress_error(s, STRESS_FAIL, -error, "write");
	if (status || have != p->written)
		return stress_fail(s, "%llu buffers were read of %llu written",
			(unsigned long long)have, (unsigned long long)p->written);
	return 0;
}

static int run(struct stress *s)
{
	struct flow *p = s->data;
	double seconds, bytes;
	int error = 0, status;

	while (error == 0 && stress_goes_on(s)) {
		error = write_next(s, p);
		if (error == 0)
			stress_add(s, 1);
	}
	status = end_reader(p);
	seconds = (double)(sm_clock_mono_ns() - s->go_ns) / 1e9;
	bytes = (double)p->written * (double)p->size;
	stress_metric(s, THROUGHPUT, bytes / seconds / 1048576);
	stress_metric(s, BUFFERS, (double)p->written / seconds);
	return judge(s, p, error, status);
}

static uint64_t memory(const struct stress *s)
{
	return 5 * s->value[DATA_SIZE] + 2 * s->value[PIPE_SIZE] + 1048576;
}

/* Remarks for the man page (man/remarks.h). */
const char stressor_pipe_man[] =
	"--size: A value above /proc/sys/fs/pipe-max-size needs root.\n"
	"--method write: write(2), which copies the buffer\n"
	"--method vmsplice: vmsplice(2), which does not copy it\n";

const struct stressor stressor_pipe = {
	.name = "pipe",
	.letter = 'p',
	.does = "move data from one process to another through a pipe",
	.op = "one buffer is written and read",
	.checks = "the number of each buffer and a word in every 512 bytes of it are "
		  "right",
	.caps = STRESSOR_CAP(CAP_SYS_RESOURCE), /* for a size above pipe-max-size */
	.classes = CLASS_IPC | CLASS_PIPE | CLASS_OS,
	.opts = opts,
	.metrics = metrics,
	.memory = memory,
	.state = sizeof(struct flow),
	.setup = setup,
	.run = run,
};
