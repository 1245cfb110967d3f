// SPDX-License-Identifier: GPL-2.0-or-later
#include "metrics.h"

#define PREFIX "sysmon_power_calibrate_"

static void estimate(struct sm_prom *p, const char *name, const char *help,
	const struct sm_autocorr_estimate *e)
{
	const struct {
		const char *bound;
		double v;
	} line[] = {{"value", e->value}, {"low", e->low}, {"high", e->high}};

	sm_prom_result(p, name, help);
	for (size_t i = 0; i < SM_ARRAY_SIZE(line); i++)
		sm_prom_double(p, "",
			&(struct sm_prom_label){
				"bound", {line[i].bound, strlen(line[i].bound)}},
			1, line[i].v);
}

static void type_bound(struct sm_prom *p, const char *type, const char *bound, double v)
{
	const struct sm_prom_label label[] = {
		{"type", {type, strlen(type)}}, {"bound", {bound, strlen(bound)}}};

	sm_prom_double(p, "", label, SM_ARRAY_SIZE(label), v);
}

static void by_type(
	struct sm_prom *p, const struct model *m, const struct sm_topology_types *types)
{
	if (!m->types || m->type[0].err)
		return;
	sm_prom_result(p, PREFIX "busy_cpu_of_type_watts",
		"Power of one busy CPU of a type and its 95% confidence interval.");
	for (unsigned int i = 0; i < m->types; i++) {
		type_bound(p, types->name[i], "value", m->type[i].slope.value);
		type_bound(p, types->name[i], "low", m->type[i].slope.low);
		type_bound(p, types->name[i], "high", m->type[i].slope.high);
	}
}

void metrics_write(struct sm_prom *p, const struct model *m,
	const struct sm_topology_types *types, unsigned int tests, uint64_t readings,
	uint64_t lost_rows)
{
	sm_prom_one(p, PREFIX "tests_total", "counter", "Tests done.", tests);
	sm_prom_one(p, PREFIX "readings_total", "counter", "Readings of the power.",
		readings);
	sm_prom_one(p, PREFIX "lost_rows_total", "counter", "Rows lost to a slow reader.",
		lost_rows);
	if (!m || m->load.err)
		return;
	estimate(p, PREFIX "busy_cpu_watts",
		"Power of one busy CPU and its 95% confidence interval.", &m->load.slope);
	estimate(p, PREFIX "idle_watts",
		"Power of the idle machine and its 95% confidence interval.",
		&m->load.base);
	by_type(p, m, types);
	if (!m->energy[MODEL_OP].err)
		estimate(p, PREFIX "op_joules",
			"Energy of one operation and its 95% confidence interval.",
			&m->energy[MODEL_OP].slope);
}
