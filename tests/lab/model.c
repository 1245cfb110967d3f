// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "meter.h"
#include "model.h"

/* a * b / c, rounded to zero, where a * b does not fit. */
static int64_t muldiv(int64_t a, int64_t b, int64_t c)
{
	return a / c * b + a % c * b / c;
}

static bool number(const char **s, double scale, int64_t *out)
{
	char *end;
	double x = strtod(*s, &end);

	if (end == *s || !isfinite(x) || fabs(x * scale) > 9e18)
		return false;
	*s = end;
	*out = llround(x * scale);
	return true;
}

static bool skip(const char **s, char c)
{
	if (**s != c)
		return false;
	(*s)++;
	return true;
}

/* LOW:HIGH:PERIOD[:DUTY], high first for DUTY (0.5) of the period. */
static int parse_square(struct power *p, const char *s)
{
	int64_t duty_ppm = 500000;

	p->n = 2;
	if (!number(&s, 1e6, &p->uw[1]) || !skip(&s, ':') ||
		!number(&s, 1e6, &p->uw[0]) || !skip(&s, ':') ||
		!number(&s, 1e9, &p->period_ns) || p->period_ns <= 0)
		return -1;
	if (skip(&s, ':') && !number(&s, 1e6, &duty_ppm))
		return -1;
	if (*s || duty_ppm < 0 || duty_ppm > 1000000)
		return -1;
	p->from_ns[1] = muldiv(p->period_ns, duty_ppm, 1000000);
	return 0;
}

/* W@T,W@T... and, when it repeats, :PERIOD */
static int parse_steps(struct power *p, const char *s, bool repeats)
{
	do {
		if (p->n == LAB_PIECES || !number(&s, 1e6, &p->uw[p->n]) ||
			!skip(&s, '@') || !number(&s, 1e9, &p->from_ns[p->n]))
			return -1;
		if (p->n ? p->from_ns[p->n] <= p->from_ns[p->n - 1] : p->from_ns[0] != 0)
			return -1;
		p->n++;
	} while (skip(&s, ','));
	if (repeats && (!skip(&s, ':') || !number(&s, 1e9, &p->period_ns) ||
			       p->period_ns <= p->from_ns[p->n - 1]))
		return -1;
	return *s ? -1 : 0;
}

int power_parse(struct power *p, const char *s)
{
	p->meter = NULL;
	p->n = 0;
	p->period_ns = 0;
	p->from_ns[0] = 0;
	if (!strncmp(s, "sq:", 3))
		return parse_square(p, s + 3);
	if (!strncmp(s, "steps:", 6))
		return parse_steps(p, s + 6, false);
	if (!strncmp(s, "cycle:", 6))
		return parse_steps(p, s + 6, true);
	p->n = 1;
	return number(&s, 1e6, &p->uw[0]) && !*s ? 0 : -1;
}

int64_t power_uw(const struct power *p, int64_t t_ns)
{
	unsigned int i = p->n - 1;

	if (p->meter)
		return meter_uw(p->meter, t_ns);
	if (p->period_ns)
		t_ns %= p->period_ns;
	while (i > 0 && p->from_ns[i] > t_ns)
		i--;
	return p->uw[i];
}

/* Duration of piece i within the first t_ns of the period (or of the run). */
static int64_t lasted(const struct power *p, unsigned int i, int64_t t_ns)
{
	int64_t end = t_ns;

	if (i + 1 < p->n && p->from_ns[i + 1] < end)
		end = p->from_ns[i + 1];
	return end > p->from_ns[i] ? end - p->from_ns[i] : 0;
}

int64_t power_uj(const struct power *p, int64_t t_ns)
{
	int64_t periods = p->period_ns ? t_ns / p->period_ns : 0, sum = 0;
	int64_t rest = p->period_ns ? t_ns % p->period_ns : t_ns;

	if (p->meter)
		return meter_uj(p->meter, t_ns);
	for (unsigned int i = 0; i < p->n; i++) {
		int64_t ns = lasted(p, i, rest);

		if (periods)
			ns += periods * lasted(p, i, p->period_ns);
		sum += muldiv(ns, p->uw[i], NS_PER_S);
	}
	return sum;
}

double volts_uv(const struct volts *v, int64_t t_ns)
{
	return v->uv + v->uv_per_s * (double)t_ns / NS_PER_S;
}

/* A constant power between two times: the integral of P / V(t), uW * s / uV = A s. */
static double ampere_seconds(
	double uw, const struct volts *v, int64_t from_ns, int64_t to_ns)
{
	double a = volts_uv(v, from_ns), b = volts_uv(v, to_ns);

	if (v->uv_per_s == 0)
		return uw * (double)(to_ns - from_ns) / NS_PER_S / a;
	return uw / v->uv_per_s * log(b / a);
}

double charge_uah(const struct power *p, const struct volts *v, int64_t t_ns)
{
	double sum = 0;

	if (p->meter) /* at the mean of the voltages: exact if they are constant */
		return (double)meter_uj(p->meter, t_ns) / volts_uv(v, t_ns / 2) / 3600 *
		       1e6;
	for (int64_t base = 0; base < t_ns; base += p->period_ns) {
		for (unsigned int i = 0; i < p->n; i++) {
			int64_t from = base + p->from_ns[i], to = t_ns;

			if (i + 1 < p->n)
				to = base + p->from_ns[i + 1];
			else if (p->period_ns)
				to = base + p->period_ns;
			if (to > t_ns)
				to = t_ns;
			if (to > from)
				sum += ampere_seconds((double)p->uw[i], v, from, to);
		}
		if (!p->period_ns)
			break;
	}
	return sum / 3600 * 1e6;
}

static int64_t jumps(const struct value *v, int64_t since_ns, int64_t t_ns)
{
	int64_t sum = 0;

	for (unsigned int i = 0; i < v->njumps; i++)
		if (v->jump_ns[i] <= t_ns && v->jump_ns[i] >= since_ns)
			sum += v->jump_by[i];
	return sum;
}

static int64_t last_reset(const struct value *v, int64_t t_ns)
{
	int64_t last = -1;

	for (unsigned int i = 0; i < v->nresets; i++)
		if (v->reset_ns[i] <= t_ns && v->reset_ns[i] > last)
			last = v->reset_ns[i];
	return last;
}

static int64_t wrapped(int64_t x, uint64_t range)
{
	int64_t m = (int64_t)range + 1;

	return range ? (x % m + m) % m : x;
}

static int64_t counter(const struct value *v, int64_t t_ns)
{
	int64_t since = last_reset(v, t_ns), x = v->start;

	x = since < 0 ? v->start : -power_uj(v->power, since);
	x += power_uj(v->power, t_ns) + jumps(v, since, t_ns);
	if (v->unit)
		x = muldiv(muldiv(x, v->unit, 1000000), 1000000, v->unit);
	return wrapped(x, v->range);
}

static int64_t mean_uw(const struct value *v, int64_t t_ns)
{
	int64_t from = t_ns - v->average_ns;

	if (v->average_ns <= 0)
		return power_uw(v->power, t_ns);
	if (from < 0)
		from = 0;
	if (from == t_ns)
		return power_uw(v->power, t_ns);
	return llround((double)(power_uj(v->power, t_ns) - power_uj(v->power, from)) *
		       1e9 / (double)(t_ns - from));
}

static double triangle(const struct value *v, int64_t t_ns)
{
	double phase = (double)(t_ns % v->period_ns) / (double)v->period_ns;

	return v->low + (v->high - v->low) * (phase < 0.5 ? 2 * phase : 2 - 2 * phase);
}

static double wave(const struct value *v, int64_t t_ns)
{
	double phase = (double)(t_ns % v->period_ns) / (double)v->period_ns;

	return v->low + v->high * sin(2 * M_PI * phase);
}

static int64_t plain(const struct value *v, int64_t t_ns)
{
	switch (v->kind) {
	case V_LIN:
		return counter(v, t_ns);
	case V_LEVEL:
		return v->start - power_uj(v->power, t_ns) / 3600 + jumps(v, 0, t_ns);
	case V_CHARGE:
		return v->start - (int64_t)charge_uah(v->power, v->volts, t_ns) +
		       jumps(v, 0, t_ns);
	case V_RATE:
		return v->sign * mean_uw(v, t_ns);
	case V_CURRENT: /* uW / uV is A */
		return v->sign *
		       llround((double)mean_uw(v, t_ns) / volts_uv(v->volts, t_ns) * 1e6);
	case V_VOLT:
		return llround(volts_uv(v->volts, t_ns));
	case V_SIN:
		return llround(wave(v, t_ns));
	default:
		return llround(triangle(v, t_ns));
	}
}

int64_t value_number(const struct value *v, int64_t t_ns)
{
	int64_t x;

	if (v->every_ns)
		t_ns -= t_ns % v->every_ns;
	x = plain(v, t_ns);
	return v->step ? x - x % v->step : x;
}

bool value_is_number(const struct value *v)
{
	return v->kind >= V_LIN && v->kind <= V_SAW;
}

const struct bytes *value_choice(const struct value *v, int64_t t_ns, uint64_t readings)
{
	unsigned int i = 0;

	if (v->kind == V_AT)
		while (i + 1 < v->nlist && v->when_ns[i + 1] <= t_ns)
			i++;
	else if (v->kind == V_CYCLE && v->every_ns)
		i = (unsigned int)(t_ns / v->every_ns % v->nlist);
	else if (v->kind == V_CYCLE)
		i = (unsigned int)(readings % v->nlist);
	return &v->list[i];
}
