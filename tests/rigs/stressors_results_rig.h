/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Results of four jobs with known figures: cpu passes, memrate fails, af-alg is skipped, vm lacks memory. */
#ifndef STRESSORS_RESULTS_RIG_H
#define STRESSORS_RESULTS_RIG_H

#include <math.h>

#include "stressors/opts.h"
#include "stressors/result/facts.h"
#include "unit.h"

static const struct stressor_metric cpu_metrics[] = {
	{"crc", "ops/s", .mean = MEAN_RATE}, {"op", "ns", .mean = MEAN_ARITHMETIC}, {0}};
static const struct stressor_metric memrate_metrics[] = {{"write64", "MB/s", .mean = MEAN_HARMONIC},
	{"write64", "MB/s", .mean = MEAN_MAX}, {"tiny", "J", .mean = MEAN_MIN}, {0}};
static const struct stressor stressors_of[] = {
	{.name = "cpu", .metrics = cpu_metrics},
	{.name = "memrate", .metrics = memrate_metrics},
	{.name = "af-alg"},
	{.name = "vm"},
};
enum { CPU, MEMRATE, AF_ALG, VM, JOBS };

static struct job jobs[JOBS];
static struct result results[JOBS];
static struct result_instance instances[JOBS][2];
static double metrics[JOBS][2][4];
static struct config config;
static struct facts facts;
static struct sm_buf text;
/* A line of its own, an escape sequence, no UTF-8, YAML and CSV: in one reason. */
static char hostile[] = "bad \"\\: \n- # \033[31m \xff \xc2\x85 \xf3\xa0\x80\x81,{x} 'y' \xc3\xa9";
static char no_memory[] = "no memory";
static char no_alg[] = "AF_ALG is not in this kernel";

static inline void set_instance(unsigned int job, unsigned int i, uint64_t ops, double wall_s)
{
	instances[job][i] = (struct result_instance){.ops = ops,
		.wall_s = wall_s,
		.metric = metrics[job][i]};
}

static inline void set_metric(unsigned int job, unsigned int i, unsigned int metric, double value)
{
	metrics[job][i][metric] = value;
	instances[job][i].has_metric[metric / 32] |= 1u << metric % 32;
}

static inline void figure(unsigned int job, const char *name, const char *unit, double value, double share)
{
	struct result *r = &results[job];

	r->figure[r->n_figures++] = (struct result_figure){name, unit, value, share};
}

static inline void set_up_cpu(void)
{
	struct result *r = &results[CPU];

	r->n = 2;
	r->ops = 4413;
	r->wall_s = 2;
	r->user_s = 3.98;
	r->sys_s = 0.02;
	r->maxrss_kb = 1480;
	r->setup_s = 0.0125;
	set_instance(CPU, 0, 2213, 2);
	set_instance(CPU, 1, 2200, 2);
	set_metric(CPU, 0, 0, 1000);
	set_metric(CPU, 1, 0, 1200.5);
	set_metric(CPU, 1, 1, 0.0123);
}

static inline void set_up_memrate(void)
{
	struct result *r = &results[MEMRATE];

	r->n = 1;
	r->ops = 12;
	r->wall_s = 1.5;
	r->user_s = 1.25;
	r->maxrss_kb = 263000;
	r->status = RESULT_FAIL;
	r->reason = hostile;
	r->oom_kills = 3;
	r->forced = 1;
	set_instance(MEMRATE, 0, 12, 1.5);
	set_metric(MEMRATE, 0, 0, 9874.61);
	set_metric(MEMRATE, 0, 1, 9900);
	set_metric(MEMRATE, 0, 2, 1.5e-12);
}

static inline void results_set_up(void)
{
	memset(results, 0, sizeof(results));
	memset(jobs, 0, sizeof(jobs));
	memset(&config, 0, sizeof(config));
	memset(&facts, 0, sizeof(facts));
	for (unsigned int i = 0; i < JOBS; i++) {
		jobs[i].stressor = &stressors_of[i];
		jobs[i].number = i;
		results[i].job = &jobs[i];
		results[i].one = instances[i];
	}
	set_up_cpu();
	set_up_memrate();
	jobs[AF_ALG].why_not = no_alg;
	results[AF_ALG].status = RESULT_SKIP;
	results[VM].status = RESULT_LACKS;
	results[VM].reason = no_memory;
	config.plan = (struct plan){.job = jobs, .n = JOBS, .time_ns = 2500 * SM_NSEC_PER_MSEC,
		.seed = UINT64_MAX, .verify = true};
	facts.cpus = facts.online_cpus = facts.known_cpus = 2;
	facts.begin_wall_ns = UINT64_C(1795266359) * SM_NSEC_PER_SEC;
	facts.end_wall_ns = facts.begin_wall_ns + 4 * SM_NSEC_PER_SEC;
	facts.wall_s = 4;
	facts.load[0] = 0.5;
	facts.load[1] = 0.25;
	facts.load[2] = 0.125;
	facts.exit = STRESSORS_FAILED;
	strcpy(facts.host.release, "6.1.0");
	strcpy(facts.host.machine, "x86_64");
	strcpy(facts.host.nodename, "host: #1");
	facts.system.totalram = 1000;
	facts.system.mem_unit = 4096;
}

static inline void results_tear_down(void)
{
	sm_buf_fini(&text);
}

/* As a string. */
static inline const char *text_str(void)
{
	ck_assert_int_eq(sm_buf_error(&text), 0);
	sm_buf_chr(&text, '\0');
	text.len--;
	return text.p;
}

static inline void has(const char *s, const char *part)
{
	ck_assert_msg(strstr(s, part) != NULL, "no \"%s\" in:\n%s", part, s);
}

static inline void has_not(const char *s, const char *part)
{
	ck_assert_msg(strstr(s, part) == NULL, "\"%s\" is in:\n%s", part, s);
}

#endif
