// SPDX-License-Identifier: GPL-2.0-or-later
#include "flow.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* Number of places where a message may begin: the pattern exceeds the largest
 * message by this number of bytes. */
#define PLACES 65536u
#define SPOILT 2 /* message */

int flow_set_up(struct stress *s, struct flow *f, size_t least, size_t most)
{
	size_t words = (most + PLACES) / sizeof(uint64_t);
	uint64_t random = s->seed;

	f->least = least;
	f->most = most;
	f->pattern = stress_map(s, most + PLACES, 0);
	f->got = f->pattern ? stress_map(s, most + 1, 0) : NULL;
	if (!f->got)
		return -1;
	f->report = mmap(NULL, sizeof(*f->report), PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (f->report == MAP_FAILED)
		return stress_lacks(s, "shared memory: %s", strerror(errno));
	for (size_t i = 0; i < words; i++) {
		uint64_t word = stress_random(&random);

		memcpy(f->pattern + i * sizeof(word), &word, sizeof(word));
	}
	f->random = random;
	return 0;
}

/* --- messages ----------------------------------------------------------------------- */

struct flow_message flow_message(const struct flow *f, uint64_t number)
{
	uint64_t state = f->random ^ number, word = stress_random(&state);
	size_t range = f->most - f->least + 1;

	return (struct flow_message){
		f->pattern + word % PLACES, f->least + (size_t)(word >> 32) % range};
}

void flow_spoil(const struct stress *s, const struct flow *f)
{
	struct flow_message m = flow_message(f, SPOILT);

	if (s->spoil)
		m.data[m.bytes / 2] ^= 1;
}

static size_t first_difference(
	const struct flow_message *m, const char *got, size_t bytes)
{
	size_t i = 0;

	while (i < bytes && i < m->bytes && got[i] == m->data[i])
		i++;
	return i;
}

bool flow_check(struct flow *f, uint64_t number, const char *got, size_t bytes)
{
	struct flow_message m = flow_message(f, number);
	struct flow_report *r = f->report;

	if (SM_LIKELY(bytes == m.bytes && memcmp(got, m.data, bytes) == 0)) {
		atomic_fetch_add_explicit(&r->messages, 1, memory_order_relaxed);
		return true;
	}
	r->number = number;
	r->bytes = bytes;
	r->place = first_difference(&m, got, bytes);
	atomic_store_explicit(&r->wrong, 1, memory_order_release);
	return false;
}

int flow_receive(struct flow *f, uint64_t number, int fd, bool stream)
{
	size_t want = flow_message(f, number).bytes, have = 0;

	do {
		ssize_t n =
			recv(fd, f->got + have, (stream ? want : f->most + 1) - have, 0);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		have += (size_t)n;
	} while (stream && have < want);
	if (have == 0)
		return 0;
	return flow_check(f, number, f->got, have) ? 1 : -EBADMSG;
}

/* --- the partner -------------------------------------------------------------------- */

int flow_start(struct stress *s, struct flow *f,
	int (*function)(struct stress *s, void *data), void *data)
{
	f->partner = stress_partner(s);
	if (f->partner == 0) {
		atomic_store(&f->report->error, -function(s, data));
		_exit(STRESS_PASS);
	}
	return f->partner < 0 ? -1 : 0;
}

bool flow_has_ended(struct flow *f)
{
	siginfo_t info = {0};

	return waitid(P_PID, (id_t)f->partner, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
	       info.si_pid == f->partner;
}

static int wait_for_partner(struct flow *f, bool kills)
{
	int status = 0;

	if (kills)
		(void)kill(f->partner, SIGKILL);
	while (waitpid(f->partner, &status, 0) < 0 && errno == EINTR)
		;
	f->partner = 0;
	return status;
}

/* Sets the result for a partner that another process has killed. */
static int judge_signal(struct stress *s, int signo)
{
	if (signo == SIGKILL) /* the supervisor knows whether it was for lack of memory */
		(void)raise(SIGKILL);
	return stress_fail(s, "the other process was killed by signal %d", signo);
}

int flow_end(struct stress *s, struct flow *f, bool kills, int error, const char *call)
{
	const struct flow_report *r = f->report;
	int status = wait_for_partner(f, kills);
	int other = atomic_load(&r->error);

	if (atomic_load_explicit(&r->wrong, memory_order_acquire))
		return stress_fail(s,
			"message %llu: %zu bytes of %zu arrived; the first byte that "
			"differs is byte %llu",
			(unsigned long long)r->number, r->bytes,
			flow_message(f, r->number).bytes, (unsigned long long)r->place);
	if (WIFSIGNALED(status) && !kills)
		return judge_signal(s, WTERMSIG(status));
	if (other)
		return stress_error(s, STRESS_FAIL, other, "the other process");
	if (error)
		return stress_error(s, STRESS_FAIL, -error, "%s", call);
	return 0;
}
