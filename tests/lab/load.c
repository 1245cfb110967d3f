// SPDX-License-Identifier: GPL-2.0-or-later
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "load.h"

struct load the_load;

/* Sums of all CPUs at one moment. */
struct clocks {
	int64_t now_ns; /* CLOCK_MONOTONIC */
	double idle_s;
	unsigned int cpus;
};

static int64_t monotonic_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000LL + ts.tv_nsec;
}

/* The value of "  .NAME   : 123 nsecs" if the line is of that name. */
static bool field(const char *line, const char *name, long long *value)
{
	size_t n = strlen(name);

	return !strncmp(line, name, n) && strchr(" :", line[n]) && strchr(line, ':') &&
	       sscanf(strchr(line, ':') + 1, "%lld", value) == 1;
}

/* The lines of a CPU come in this order: tick_stopped, idle_entrytime, idle_sleeptime,
 * iowait_sleeptime.  With its tick stopped a CPU sleeps since idle_entrytime. */
static void timer_line(const char *line, struct clocks *c, bool *stopped)
{
	long long x;

	line += strspn(line, " ");
	if (sscanf(line, "now at %lld", &x) == 1) {
		c->now_ns = x;
	} else if (field(line, ".tick_stopped", &x)) {
		c->cpus++;
		*stopped = x != 0;
	} else if (field(line, ".idle_entrytime", &x) && *stopped) {
		c->idle_s += c->now_ns > x ? (double)(c->now_ns - x) / 1e9 : 0;
	} else if (field(line, ".idle_sleeptime", &x) ||
		   field(line, ".iowait_sleeptime", &x)) {
		c->idle_s += (double)x / 1e9;
	}
}

static void stat_line(const char *line, struct clocks *c)
{
	long long idle, iowait;

	if (strncmp(line, "cpu", 3) != 0 || line[3] == ' ' ||
		sscanf(line, "%*s %*d %*d %*d %lld %lld", &idle, &iowait) != 2)
		return;
	c->cpus++;
	c->idle_s += (double)(idle + iowait) / (double)sysconf(_SC_CLK_TCK);
}

static struct clocks read_clocks(struct load *l)
{
	struct clocks c = {.now_ns = monotonic_ns()};
	bool stopped = false;
	char line[512];

	rewind(l->file);
	while (fgets(line, sizeof(line), l->file))
		if (l->exact)
			timer_line(line, &c, &stopped);
		else
			stat_line(line, &c);
	return c;
}

static double busy_s(const struct load *l, const struct clocks *c)
{
	return (double)c->cpus * (double)(c->now_ns - l->start_ns) / 1e9 - c->idle_s;
}

int load_open(struct load *l, int64_t start_ns)
{
	struct clocks c = {0};

	l->start_ns = start_ns;
	l->exact = true;
	l->file = fopen("/proc/timer_list", "re");
	if (l->file)
		c = read_clocks(l);
	if (c.cpus == 0) {
		if (l->file)
			fclose(l->file);
		l->exact = false;
		l->file = fopen("/proc/stat", "re");
		if (!l->file)
			return -1;
		c = read_clocks(l);
	}
	l->cpus = c.cpus;
	l->zero_s = busy_s(l, &c);
	load_add(l, (struct load_sample){0});
	return 0;
}

/* The sample at a time not before that of `from`, and as busy. */
static struct load_sample after(const struct load_sample *from, int64_t t_ns, double busy)
{
	double dt = (double)(t_ns - from->t_ns) / 1e9;
	double more = busy > from->busy_s ? busy - from->busy_s : 0;

	return (struct load_sample){.t_ns = t_ns,
		.busy_s = from->busy_s + more,
		.square = from->square + (dt > 0 ? more * more / dt : 0)};
}

int64_t load_take(struct load *l)
{
	struct clocks c = read_clocks(l);
	struct load_sample s = after(
		&l->kept[l->n - 1], c.now_ns - l->start_ns, busy_s(l, &c) - l->zero_s);

	/* The estimate of a short interval may be above that of a longer one; a counter
	 * does not fall. */
	if (s.busy_s < l->live.busy_s)
		s.busy_s = l->live.busy_s;
	if (s.square < l->live.square)
		s.square = l->live.square;
	l->live = s;
	return s.t_ns;
}

void load_add(struct load *l, struct load_sample s)
{
	if (l->n == l->cap) {
		l->cap = l->cap * 2 + 1024;
		l->kept = realloc(l->kept, l->cap * sizeof(*l->kept));
		if (!l->kept)
			abort();
	}
	l->kept[l->n++] = s;
	l->live = s;
}

void load_keep(struct load *l)
{
	load_add(l, l->live);
}

struct load_sample load_at(const struct load *l, int64_t t_ns)
{
	size_t low = 0, high = l->n;
	struct load_sample a, b;
	double part;

	if (l->n == 0 || t_ns <= 0)
		return (struct load_sample){.t_ns = t_ns};
	if (t_ns >= l->live.t_ns)
		return l->live;
	while (high - low > 1) { /* kept[low] is not after t_ns, kept[high] is */
		size_t middle = (low + high) / 2;

		if (l->kept[middle].t_ns <= t_ns)
			low = middle;
		else
			high = middle;
	}
	a = l->kept[low];
	b = high < l->n ? l->kept[high] : l->live;
	part = b.t_ns > a.t_ns ? (double)(t_ns - a.t_ns) / (double)(b.t_ns - a.t_ns) : 0;
	return (struct load_sample){.t_ns = t_ns,
		.busy_s = a.busy_s + part * (b.busy_s - a.busy_s),
		.square = a.square + part * (b.square - a.square)};
}
