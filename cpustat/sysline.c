// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>
#include <string.h>

#include "proc/cgroup.h"
#include "sysline.h"

int sysline_open(struct sysline *s, const struct sm_root *root)
{
	int err;

	*s = (struct sysline){.root = root, .read_at_ns = UINT64_MAX};
	/* The frequency is missing without cpufreq, which is not an error. */
	err = sm_cpufreq_open(&s->freq, root);
	s->freq_open = err == 0;
	if (sm_cgroup_limit_milli(root, &s->limit_milli) < 0)
		s->limit_milli = 0;
	return err == -ENOMEM ? err : 0;
}

void sysline_close(struct sysline *s)
{
	if (s->freq_open)
		sm_cpufreq_close(&s->freq);
	s->freq_open = false;
}

static void refresh(struct sysline *s, const struct sample *sample)
{
	if (s->read_at_ns == sample->t_ns)
		return;
	s->read_at_ns = sample->t_ns;
	s->have_freq = s->freq_open && sm_cpufreq_read(&s->freq) == 0;
}

/* --- rates ------------------------------------------------------------------------ */

struct rates {
	double ctxt, intr, softirq, tasks; /* per second; NAN: unknown */
};

static struct rates rates_of(const struct sample *s)
{
	const struct sm_procstat *a = s->before, *b = s->now;

	if (!a || !b)
		return (struct rates){NAN, NAN, NAN, NAN};
	return (struct rates){sm_procstat_rate(b->ctxt, a->ctxt, s->online, s->dt_ns),
		sm_procstat_rate(b->intr, a->intr, s->online, s->dt_ns),
		sm_procstat_rate(b->softirq, a->softirq, s->online, s->dt_ns),
		sm_procstat_rate(b->processes, a->processes, s->online, s->dt_ns)};
}

/* --- text ------------------------------------------------------------------------- */

static void print_load(const struct sample *s, struct sm_buf *b)
{
	sm_buf_str(b, "Load Avg");
	for (int i = 0; i < 3; i++) {
		sm_buf_chr(b, ' ');
		if (s->has_load)
			sm_buf_fixed(b, s->load.centi[i], 2);
		else
			sm_buf_chr(b, '-');
	}
}

static void print_freq(const struct sysline *s, struct sm_buf *b)
{
	bool giga = s->freq.mean_khz >= 999995;

	if (!s->have_freq)
		return;
	sm_buf_str(b, ", Freq Avg. ");
	sm_buf_double(b, s->freq.mean_khz / (giga ? 1e6 : 1e3), 2);
	sm_buf_str(b, giga ? " GHz" : " MHz");
}

static void print_cpus(
	const struct sysline *s, const struct sample *sample, struct sm_buf *b)
{
	sm_buf_str(b, ", ");
	sm_buf_u64(b, sample->online);
	sm_buf_str(b, sample->online == 1 ? " CPU online" : " CPUs online");
	if (s->limit_milli) {
		sm_buf_str(b, ", limit ");
		sm_buf_fixed(b, (s->limit_milli + 5) / 10, 2);
		sm_buf_str(b, " CPUs");
	}
	sm_buf_chr(b, '\n');
}

/* Prints an unknown value as '-'. */
static void print_value(struct sm_buf *b, double value, int decimals, const char *what)
{
	sm_buf_double(b, value, decimals);
	sm_buf_str(b, what);
}

void sysline_print(struct sysline *s, const struct sample *sample, struct sm_buf *b)
{
	const struct sm_procstat *now = sample->now;
	struct rates r = rates_of(sample);

	refresh(s, sample);
	print_load(sample, b);
	print_freq(s, b);
	print_cpus(s, sample, b);
	print_value(b, r.ctxt, 1, " Ctxt/s, ");
	print_value(b, r.intr, 1, " IRQ/s, ");
	print_value(b, r.softirq, 1, " softIRQ/s, ");
	print_value(b, r.tasks, 1, " new tasks/s, ");
	print_value(b, now ? (double)now->running : NAN, 0, " running, ");
	print_value(b, now ? (double)now->blocked : NAN, 0, " blocked\n");
}

/* --- JSON ------------------------------------------------------------------------- */

void sysline_json(struct sysline *s, const struct sample *sample, struct sm_json *j)
{
	static const char *const load[] = {"load1", "load5", "load15"};
	struct rates r = rates_of(sample);

	refresh(s, sample);
	for (int i = 0; sample->has_load && i < 3; i++)
		sm_json_double(j, load[i], sample->load.centi[i] / 100.0, 2);
	if (s->have_freq)
		sm_json_double(j, "freq_mean_khz", s->freq.mean_khz, 0);
	sm_json_u64(j, "cpus_online", sample->online);
	if (s->limit_milli)
		sm_json_double(j, "cpu_limit", (double)s->limit_milli / 1000.0, 3);
	sm_json_double(j, "ctxt_per_s", r.ctxt, 3);
	sm_json_double(j, "intr_per_s", r.intr, 3);
	sm_json_double(j, "softirq_per_s", r.softirq, 3);
	sm_json_double(j, "new_tasks_per_s", r.tasks, 3);
	if (sample->now) {
		sm_json_u64(j, "running", sample->now->running);
		sm_json_u64(j, "blocked", sample->now->blocked);
	}
}
