// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/parse.h"
#include "proc/cpulist.h"
#include "proc/procstat.h"

#define UPTIME_CAP 64u
/* A counter can decrease by this much: each CPU is read while it counts. */
#define BACK_TICKS 4u
/* Time that a line can lag behind: the kernel adds stolen time when the CPU runs again,
 * and containers are given copies of the file. */
#define LAG_TICKS 30u
#define LAG_PART  16		    /* and this part of the interval */
#define LIMIT_MAX (UINT64_MAX / 16) /* sums do not overflow */
#define MEMBERS	  10u
#define GUESTS	  (unsigned int)(SM_TICKS_GUEST | SM_TICKS_GUEST_NICE)
/* No CPU takes an interrupt or switches tasks more often.  The number is an estimate,
 * because an exact bound is not known: entry and return of an interrupt take more than
 * 100 cycles, and sched_yield() between two tasks of a CPU switches every 1,250 ns (AMD
 * EPYC, Linux 6.18).  A tighter number would have to hold for all future processors. */
#define EVENT_NS 50

/* Takes a number after spaces, 0 if it is invalid; never leaves the line. */
static uint64_t next_number(const char **p, const char *end)
{
	const char *s;
	uint64_t v;

	sm_parse_skip_blanks(p, end);
	s = *p;
	if (sm_parse_u64(&s, end, &v) &&
		(s == end || sm_parse_is_blank(*s) || *s == '\n')) {
		*p = s;
		return v;
	}
	while (*p < end && !sm_parse_is_blank(**p) && **p != '\n')
		(*p)++;
	return 0;
}

static void parse_ticks(const char **p, const char *end, struct sm_cpu_ticks *t)
{
	t->user = next_number(p, end);
	t->nice = next_number(p, end);
	t->system = next_number(p, end);
	t->idle = next_number(p, end);
	t->iowait = next_number(p, end);
	t->irq = next_number(p, end);
	t->softirq = next_number(p, end);
	t->steal = next_number(p, end);
	t->guest = next_number(p, end);
	t->guest_nice = next_number(p, end);
}

static int grow(struct sm_procstat *s, unsigned int need)
{
	if (sm_array_reserve(&s->cpu, &s->cap, need, sizeof(*s->cpu)) < 0)
		return -ENOMEM;
	memset(s->cpu + s->ncpu, 0, (need - s->ncpu) * sizeof(*s->cpu));
	s->ncpu = need;
	return 0;
}

/* Parses the rest of a line "cpuN ...", starting at the digit. */
static int parse_cpu(const char **p, const char *end, struct sm_procstat *s)
{
	struct sm_cpu_line *line;
	uint64_t nr;
	int err;

	if (!sm_parse_u64(p, end, &nr) || nr >= SM_CPULIST_MAX || *p >= end ||
		!sm_parse_is_blank(**p))
		return 0;
	if (nr >= s->ncpu) {
		err = grow(s, (unsigned int)nr + 1);
		if (err < 0)
			return err;
	}
	line = &s->cpu[nr];
	s->online += !line->present;
	line->present = true;
	parse_ticks(p, end, &line->t);
	return 0;
}

/* Takes the key and the space after it. */
static bool take_key(const char **p, const char *end, const char *key)
{
	size_t n = strlen(key);

	if ((size_t)(end - *p) <= n || memcmp(*p, key, n) != 0 ||
		!sm_parse_is_blank((*p)[n]))
		return false;
	*p += n + 1;
	return true;
}

static void parse_c(const char **p, const char *end, struct sm_procstat *s, bool *total)
{
	if (take_key(p, end, "cpu")) {
		parse_ticks(p, end, &s->total);
		*total = true;
	} else if (take_key(p, end, "ctxt")) {
		s->ctxt = next_number(p, end);
	}
}

static void parse_p(const char **p, const char *end, struct sm_procstat *s)
{
	if (take_key(p, end, "processes"))
		s->processes = next_number(p, end);
	else if (take_key(p, end, "procs_running"))
		s->running = next_number(p, end);
	else if (take_key(p, end, "procs_blocked"))
		s->blocked = next_number(p, end);
}

static bool is_cpu_line(const char *p, const char *end)
{
	return end - p > 3 && memcmp(p, "cpu", 3) == 0 && sm_parse_is_digit(p[3]);
}

/* Parses a line with a known key; the cursor may stop before the end of the line. */
static int parse_line(
	const char **p, const char *end, bool sums, struct sm_procstat *s, bool *total)
{
	switch (**p) {
	case 'c':
		if (is_cpu_line(*p, end)) {
			*p += 3;
			s->online += sums;
			return sums ? 0 : parse_cpu(p, end, s);
		}
		parse_c(p, end, s, total);
		break;
	case 'p':
		parse_p(p, end, s);
		break;
	case 'i':
		if (take_key(p, end, "intr"))
			s->intr = next_number(p, end);
		break;
	case 's':
		if (take_key(p, end, "softirq"))
			s->softirq = next_number(p, end);
		break;
	case 'b':
		if (take_key(p, end, "btime"))
			s->btime = next_number(p, end);
		break;
	}
	return 0;
}

static void forget_reading(struct sm_procstat *s)
{
	struct sm_cpu_line *cpu = s->cpu;
	unsigned int ncpu = s->ncpu;
	size_t cap = s->cap;

	if (ncpu)
		memset(cpu, 0, ncpu * sizeof(*cpu));
	*s = (struct sm_procstat){.cpu = cpu, .ncpu = ncpu, .cap = cap};
}

int sm_procstat_copy(struct sm_procstat *to, const struct sm_procstat *from)
{
	struct sm_cpu_line *cpu;
	size_t cap;

	if (sm_array_reserve(&to->cpu, &to->cap, from->ncpu, sizeof(*to->cpu)) < 0)
		return -ENOMEM;
	cpu = to->cpu;
	cap = to->cap;
	*to = *from;
	to->cpu = cpu;
	to->cap = cap;
	if (from->ncpu)
		memcpy(cpu, from->cpu, from->ncpu * sizeof(*cpu));
	return 0;
}

void sm_procstat_fini(struct sm_procstat *s)
{
	free(s->cpu);
	*s = (struct sm_procstat){0};
}

static int parse(const char *p, size_t n, bool sums, struct sm_procstat *s)
{
	const char *end = p + n;
	bool total = false;
	int err;

	forget_reading(s);
	while (p < end) {
		err = parse_line(&p, end, sums, s, &total);
		if (err < 0)
			return err;
		p = memchr(p, '\n', (size_t)(end - p));
		if (!p)
			break;
		p++;
	}
	return total ? 0 : -EBADMSG;
}

int sm_procstat_parse(const char *p, size_t n, struct sm_procstat *s)
{
	return parse(p, n, false, s);
}

int sm_procstat_open(struct sm_procstat_file *f, const struct sm_root *root)
{
	f->sums = false;
	return sm_file_open(&f->file, root->proc, "stat");
}

/*
 * The kernel writes the file as one record (single_open), so a read that does not fill
 * the buffer is complete and needs no second pread.
 */
static bool read_once(struct sm_file *f)
{
	ssize_t got;

	if (f->cap < 2)
		return false;
	got = pread(f->fd, f->buf, f->cap - 1, 0);
	if (got <= 0 || (size_t)got == f->cap - 1)
		return false;
	f->len = (size_t)got;
	f->buf[got] = '\0';
	return true;
}

int sm_procstat_read(struct sm_procstat_file *f, struct sm_procstat *s)
{
	uint64_t from_ns = sm_clock_mono_ns(), to_ns;
	ssize_t got;

	if (!read_once(&f->file)) {
		got = sm_file_read(&f->file);
		if (got < 0)
			return (int)got;
	}
	to_ns = sm_clock_mono_ns();
	got = parse(f->file.buf, f->file.len, f->sums, s);
	s->from_ns = from_ns;
	s->to_ns = to_ns;
	return (int)got;
}

void sm_procstat_close(struct sm_procstat_file *f)
{
	sm_file_close(&f->file);
}

static uint64_t forward(uint64_t now, uint64_t before)
{
	return now > before ? now - before : 0;
}

/* --- differences ------------------------------------------------------------------ */

/* The members and their bits are in one order. */
static uint64_t *member(struct sm_cpu_ticks *t, unsigned int i)
{
	uint64_t *const members[MEMBERS] = {&t->user, &t->nice, &t->system, &t->idle,
		&t->iowait, &t->irq, &t->softirq, &t->steal, &t->guest, &t->guest_nice};

	return members[i];
}

static void forget(struct sm_cpu_ticks *d, unsigned int unknown)
{
	d->unknown |= unknown;
	for (unsigned int i = 0; i < MEMBERS; i++)
		if (unknown & 1u << i)
			*member(d, i) = 0;
}

/* Returns the difference of a counter, or 0 and its bit in *unknown. */
static uint64_t part(uint64_t now, uint64_t before, uint64_t limit, unsigned int bit,
	unsigned int *unknown)
{
	if (now >= before ? now - before <= limit : before - now <= BACK_TICKS)
		return forward(now, before);
	*unknown |= bit;
	return 0;
}

/* Computes idle and iowait.  If one decreased, the kernel has moved its time to the
 * other. */
static void take_waiting(const struct sm_cpu_ticks *now,
	const struct sm_cpu_ticks *before, uint64_t limit, struct sm_cpu_ticks *d)
{
	uint64_t sum = (now->idle - before->idle) + (now->iowait - before->iowait);
	bool idle = now->idle >= before->idle, iowait = now->iowait >= before->iowait;

	if (idle != iowait && sum <= limit) {
		d->idle = idle ? sum : 0;
		d->iowait = iowait ? sum : 0;
		return;
	}
	d->idle = part(now->idle, before->idle, limit, SM_TICKS_IDLE, &d->unknown);
	d->iowait =
		part(now->iowait, before->iowait, limit, SM_TICKS_IOWAIT, &d->unknown);
	if (d->idle + d->iowait > limit)
		forget(d, SM_TICKS_IDLE | SM_TICKS_IOWAIT);
}

static void take_busy(const struct sm_cpu_ticks *now, const struct sm_cpu_ticks *before,
	uint64_t limit, struct sm_cpu_ticks *d)
{
	struct sm_cpu_ticks a = *now, b = *before;
	uint64_t sum = 0;

	for (unsigned int i = 0; i < MEMBERS; i++) {
		if (!(1u << i & SM_TICKS_BUSY & ~GUESTS))
			continue;
		*member(d, i) =
			part(*member(&a, i), *member(&b, i), limit, 1u << i, &d->unknown);
		sum += *member(d, i);
	}
	if (sum > limit)
		forget(d, SM_TICKS_BUSY);
}

/* Guest time is contained in *whole, and each is rounded on its own. */
static uint64_t take_guest(uint64_t now, uint64_t before, uint64_t *whole,
	unsigned int bit, unsigned int *unknown)
{
	uint64_t guest = part(now, before, *whole + BACK_TICKS, bit, unknown);

	*whole = forward(*whole, guest);
	return guest;
}

void sm_procstat_delta(const struct sm_cpu_ticks *now, const struct sm_cpu_ticks *before,
	uint64_t limit, struct sm_cpu_ticks *out)
{
	struct sm_cpu_ticks d = {0};

	limit = limit < LIMIT_MAX ? limit : LIMIT_MAX;
	take_waiting(now, before, limit, &d);
	take_busy(now, before, limit, &d);
	d.steal = part(now->steal, before->steal, limit, SM_TICKS_STEAL, &d.unknown);
	if (d.unknown & SM_TICKS_USER)
		d.unknown |= SM_TICKS_GUEST;
	else
		d.guest = take_guest(
			now->guest, before->guest, &d.user, SM_TICKS_GUEST, &d.unknown);
	if (d.unknown & SM_TICKS_NICE)
		d.unknown |= SM_TICKS_GUEST_NICE;
	else
		d.guest_nice = take_guest(now->guest_nice, before->guest_nice, &d.nice,
			SM_TICKS_GUEST_NICE, &d.unknown);
	*out = d;
}

uint64_t sm_procstat_most_ns(unsigned int cpus, uint64_t dt_ns)
{
	uint64_t lag_ns = LAG_TICKS * (SM_NSEC_PER_SEC / (uint64_t)sysconf(_SC_CLK_TCK));

	return cpus * (dt_ns + dt_ns / LAG_PART + lag_ns);
}

/* Returns the maximum of the ticks that a line of several CPUs can grow by. */
static uint64_t limit_of(const struct sm_procstat *now, const struct sm_procstat *before,
	unsigned int cpus, uint64_t dt_ns)
{
	uint64_t tick_ns = SM_NSEC_PER_SEC / (uint64_t)sysconf(_SC_CLK_TCK);
	uint64_t read_ns = before->from_ns ? forward(now->to_ns, before->from_ns) : 0;
	uint64_t ns = dt_ns > read_ns ? dt_ns : read_ns;

	return ns ? sm_procstat_most_ns(cpus, ns) / tick_ns : UINT64_MAX;
}

bool sm_procstat_cpu(const struct sm_procstat *now, const struct sm_procstat *before,
	unsigned int cpu, uint64_t dt_ns, struct sm_cpu_ticks *out)
{
	if (cpu >= now->ncpu || cpu >= before->ncpu || !now->cpu[cpu].present ||
		!before->cpu[cpu].present)
		return false;
	sm_procstat_delta(&now->cpu[cpu].t, &before->cpu[cpu].t,
		limit_of(now, before, 1, dt_ns), out);
	return true;
}

void sm_procstat_total(const struct sm_procstat *now, const struct sm_procstat *before,
	uint64_t dt_ns, struct sm_cpu_ticks *out)
{
	unsigned int cpus = now->online > before->online ? now->online : before->online;
	unsigned int unknown = 0;
	struct sm_cpu_ticks d;

	for (unsigned int i = 0; i < now->ncpu; i++)
		if (sm_procstat_cpu(now, before, i, dt_ns, &d))
			unknown |= d.unknown;
	sm_procstat_delta(&now->total, &before->total,
		limit_of(now, before, cpus ? cpus : 1, dt_ns), out);
	forget(out, unknown);
}

double sm_procstat_rate(uint64_t now, uint64_t before, unsigned int cpus, uint64_t dt_ns)
{
	uint64_t max = (cpus ? cpus : 1) * (dt_ns / EVENT_NS + 1);

	if (!dt_ns || now < before || now - before > max)
		return NAN;
	return (double)(now - before) * 1e9 / (double)dt_ns;
}

uint64_t sm_procstat_busy(const struct sm_cpu_ticks *d)
{
	return d->user + d->nice + d->system + d->irq + d->softirq + d->guest +
	       d->guest_nice;
}

uint64_t sm_procstat_sum(const struct sm_cpu_ticks *d)
{
	return sm_procstat_busy(d) + d->idle + d->iowait + d->steal;
}

/* Parses "12.34" into 1234; the kernel always prints two decimals. */
static bool parse_hundredths(const char **p, const char *end, uint64_t max, uint64_t *out)
{
	const char *s = *p;
	uint64_t v;

	if (!sm_parse_u64(&s, end, &v) || v > (max - 99) / 100)
		return false;
	if (end - s < 3 || s[0] != '.' || !sm_parse_is_digit(s[1]) ||
		!sm_parse_is_digit(s[2]))
		return false;
	*out = v * 100 + (uint64_t)(s[1] - '0') * 10 + (uint64_t)(s[2] - '0');
	*p = s + 3;
	return true;
}

static bool take_char(const char **p, const char *end, char c)
{
	if (*p >= end || **p != c)
		return false;
	(*p)++;
	return true;
}

static bool parse_max(const char **p, const char *end, uint64_t max, uint64_t *out)
{
	return sm_parse_u64(p, end, out) && *out <= max;
}

int sm_procstat_parse_loadavg(const char *p, size_t n, struct sm_loadavg *out)
{
	const char *end = p + n;
	uint64_t load[3], running, tasks, pid;

	for (int i = 0; i < 3; i++)
		if (!parse_hundredths(&p, end, UINT32_MAX, &load[i]) ||
			!take_char(&p, end, ' '))
			return -EBADMSG;
	if (!parse_max(&p, end, UINT32_MAX, &running) || !take_char(&p, end, '/') ||
		!parse_max(&p, end, UINT32_MAX, &tasks) || !take_char(&p, end, ' ') ||
		!parse_max(&p, end, INT_MAX, &pid))
		return -EBADMSG;
	(void)take_char(&p, end, '\n');
	if (p != end)
		return -EBADMSG;
	*out = (struct sm_loadavg){
		.centi = {(uint32_t)load[0], (uint32_t)load[1], (uint32_t)load[2]},
		.running = (uint32_t)running,
		.tasks = (uint32_t)tasks,
		.last_pid = (pid_t)pid,
	};
	return 0;
}

int sm_procstat_open_loadavg(struct sm_file *f, const struct sm_root *root)
{
	return sm_file_open(f, root->proc, "loadavg");
}

int sm_procstat_read_loadavg(struct sm_file *f, struct sm_loadavg *out)
{
	ssize_t n = f->fd < 0 ? -ENOENT : sm_file_read(f);

	return n < 0 ? (int)n : sm_procstat_parse_loadavg(f->buf, (size_t)n, out);
}

int sm_procstat_uptime_ns(const struct sm_root *root, uint64_t *out)
{
	const uint64_t centi_ns = SM_NSEC_PER_SEC / 100;
	char buf[UPTIME_CAP];
	const char *p = buf;
	uint64_t centi;
	ssize_t n = sm_file_slurp(root->proc, "uptime", buf, sizeof(buf));

	if (n < 0)
		return (int)n;
	if (!parse_hundredths(&p, buf + n, UINT64_MAX / centi_ns, &centi) ||
		(p < buf + n && *p != ' ' && *p != '\n'))
		return -EBADMSG;
	*out = centi * centi_ns;
	return 0;
}
