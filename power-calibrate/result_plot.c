// SPDX-License-Identifier: GPL-2.0-or-later
/* Prints the readings and the line for gnuplot. */
#include <math.h>

#include "base/text.h"
#include "result.h"
#include "settings.h"

#define BAND_STEPS 50

static void put_number(struct sm_buf *b, double v)
{
	if (isfinite(v))
		sm_buf_printf(b, " %.9g", v);
	else
		sm_buf_str(b, " NaN");
}

/* Returns the watts without the effects of other load and drift, to compare with the
 * line. */
static double adjusted(const struct result *r, const struct reading *a)
{
	const struct model_line *l = &r->model->load;
	double w = a->v[F_WATTS];

	if (l->has_other)
		w -= l->other.value * a->v[F_OTHER];
	else if (l->other_joined)
		w -= l->slope.value * a->v[F_OTHER];
	if (l->has_drift)
		w -= l->drift.value * (a->t_s - r->model->middle_s) / 3600;
	return w;
}

static void put_reading(const struct result *r, size_t i, struct sm_buf *b)
{
	const struct reading *a = &r->readings->at[i];
	const struct model_line *l = &r->model->load;
	double w = adjusted(r, a);

	sm_buf_printf(b, "%.3f %u %.4f", a->t_s, a->cpus, a->ppm / 1e4);
	put_number(b, a->v[F_OWN]);
	put_number(b, a->v[F_OTHER]);
	put_number(b, a->v[F_WATTS]);
	put_number(b, w);
	put_number(b, w - l->base.value - l->slope.value * a->v[F_OWN]);
	put_number(b, a->v[F_OPS]);
	put_number(b, a->v[F_CYCLES]);
	put_number(b, a->v[F_INSTRUCTIONS]);
	sm_buf_printf(b, " %d\n", r->model->used[i]);
}

/* Ends at the largest own load: nothing was measured above. */
static void put_band(const struct result *r, struct sm_buf *b)
{
	sm_buf_str(b, "\n\n# own_cpus watts low high\n");
	for (unsigned int i = 0; i <= BAND_STEPS; i++) {
		double own = r->shortfall.own * i / BAND_STEPS;
		struct sm_autocorr_estimate e;

		if (model_at(r->model, own, &e) < 0)
			return;
		sm_buf_printf(b, "%.6g %.9g %.9g %.9g\n", own, e.value, e.low, e.high);
	}
}

void result_gnuplot_data(const struct result *r, struct sm_buf *b)
{
	settings_gnuplot(r, b);
	sm_buf_str(b, "# t_s cpus level_pct own_cpus other_cpus watts adjusted_w "
		      "residual_w ops_per_s cycles_per_s instructions_per_s used\n");
	for (size_t i = 0; i < r->readings->n; i++)
		put_reading(r, i, b);
	put_band(r, b);
}

/* Prints a gnuplot string in single quotes, in which only single quotes are doubled. */
static void put_quoted(struct sm_buf *b, const char *s)
{
	sm_buf_chr(b, '\'');
	for (; *s; s++) {
		if (*s == '\'')
			sm_buf_chr(b, '\'');
		sm_buf_chr(b, *s == '\n' ? '?' : *s);
	}
	sm_buf_chr(b, '\'');
}

void result_gnuplot_script(const struct result *r, const char *data, struct sm_buf *b)
{
	const struct model_line *l = &r->model->load;

	sm_buf_str(b, "# gnuplot -persist FILE, or for a picture:\n"
		      "# gnuplot -e \"set terminal pngcairo size 1000,800; set output "
		      "'x.png'\" FILE\ndata = ");
	put_quoted(b, data);
	sm_buf_str(b, "\nset key left top Left reverse samplen 2\nset grid\nset "
		      "multiplot layout 2,1\n");
	sm_buf_printf(b,
		"set title 'One busy CPU: %.3f W (95%% interval %.3f to %.3f), idle: "
		"%.3f W%s%s'\n",
		l->slope.value, l->slope.low, l->slope.high, l->base.value,
		r->complete ? "" : ", incomplete run",
		r->shortfall.tests ? ", less load than requested" : "");
	sm_buf_str(b,
		"set xlabel 'Load, busy CPUs'\nset ylabel 'Power, W'\n"
		"plot data index 1 using 1:3:4 with filledcurves fillcolor rgb '#c0d8f0' "
		"title '95% band', \\\n"
		"  data index 1 using 1:2 with lines linewidth 2 linecolor rgb '#2060a0' "
		"title 'line', \\\n"
		"  data index 0 using 4:($12 > 0 ? $7 : NaN) with points pointtype 6 "
		"linecolor rgb '#404040' title 'readings, without other load and drift', "
		"\\\n"
		"  data index 0 using 4:($12 > 0 ? NaN : $7) with points pointtype 2 "
		"linecolor rgb '#c03030' title 'rejected'\n"
		"set title 'Residuals'\nset xlabel 'Time, s'\nset ylabel 'W'\n"
		"plot 0 with lines linecolor rgb '#2060a0' notitle, \\\n"
		"  data index 0 using 1:($12 > 0 ? $8 : NaN) with points pointtype 6 "
		"linecolor rgb '#404040' notitle\n"
		"unset multiplot\n");
}
