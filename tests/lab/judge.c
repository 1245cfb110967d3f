// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * judge: compares a tool's rows with the truth of the simulated machine.
 *
 *	judge [-t COLUMN] [-k CLOCK] [-d COLUMN | -i SECONDS] [-r FILE] [-s ROWS]
 *	      [-m PERCENT] [-a PERCENT] [-v] -c COLUMN[=TRUTH]... SPEC LOG ROWS
 *
 * ROWS is CSV with a header (RFC 4180); - is standard input.  A row of the time t (-t)
 * covers the interval (t - d, t]: d from column -d, else SECONDS (-i), else since the row
 * before, and then the first row is left out.  CLOCK: mono (seconds of CLOCK_MONOTONIC,
 * default), wall (seconds since 1970) or iso (2026-01-31T12:00:00.5Z or with an offset);
 * the log's first line converts these two to CLOCK_MONOTONIC.  Without -t the truth is
 * the mean from the first reading to the last.  -r: t and t - d become the times of
 * the nearest readings of a FILE (the end of its path): where a reading takes long, the
 * reader cannot know when its value was computed.  TRUTH is the name of a truth statement
 *of SPEC, by default the column's name; -s skips the first ROWS.  An empty cell, or -, is
 *a missing value.
 *
 * For each column one line:
 *	watts rows=60 missing=0 mean=18.0003 truth=18.0000 run_error=0.002
 *	row_error=0.051 max_error=0.310 max_at=12
 * errors in percent of the truth: of the mean, mean and maximum of the rows, and the row
 * of the maximum.  Status 1: no row, or an error above -m (any row) or -a (the mean).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "load.h"
#include "spec.h"

#define COLUMNS_MAX 64
#define CELLS_MAX   4096
#define LINE_CELL   512

enum clock_kind { CLOCK_MONO, CLOCK_WALL, CLOCK_ISO };

struct column {
	const char *name;
	const struct truth *truth;
	int cell;
	unsigned int rows, missing, max_at;
	double seconds, joules, true_joules; /* of all rows */
	double errors, max_error;
};

struct judge {
	struct column column[COLUMNS_MAX];
	unsigned int n, row, skip;
	const char *time_name, *dt_name;
	int time_cell, dt_cell;
	enum clock_kind clock;
	double interval_s, max_row, max_run;
	bool verbose;
	int64_t start_ns, wall_ns, first_ns, last_ns; /* of the log */
	int64_t before_ns;			      /* time of the row before */
	const char *file;			      /* -r */
	int64_t *read_ns;			      /* its readings */
	size_t nreads, reads_cap;
	bool has_before;
};

static char cell[CELLS_MAX][LINE_CELL];

/* One record, quoted by RFC 4180.  The number of cells; -1: the end. */
static int read_record(FILE *f)
{
	unsigned int n = 0;
	size_t len = 0;
	bool quoted = false;
	int c = getc(f);

	if (c == EOF)
		return -1;
	for (; c != EOF; c = getc(f)) {
		if (c == '"') {
			int next = quoted ? getc(f) : 0;

			if (quoted && next != '"')
				ungetc(next, f);
			if (!quoted || next != '"') {
				quoted = !quoted;
				continue;
			}
		} else if (!quoted && (c == ',' || c == '\n')) {
			cell[n][len] = '\0';
			len = 0;
			n += n + 1 < CELLS_MAX;
			if (c == '\n')
				return (int)n;
			continue;
		}
		if (len + 1 < LINE_CELL && (c != '\r' || quoted))
			cell[n][len++] = (char)c;
	}
	cell[n][len] = '\0';
	return (int)n + 1;
}

static int find_cell(const char *name, int n)
{
	for (int i = 0; name && i < n; i++)
		if (!strcmp(cell[i], name))
			return i;
	return -1;
}

static bool number(const char *s, double *out)
{
	char *end;

	*out = strtod(s, &end);
	return end != s && !*end;
}

/* Seconds since 1970 as ns; the date's own part is exact. */
static bool iso_ns(const char *s, int64_t *ns)
{
	struct tm tm = {0};
	const char *p = strptime(s, "%Y-%m-%dT%H:%M:%S", &tm);
	double fraction = 0;
	int hours, minutes;
	char *end, sign;

	if (!p)
		return false;
	end = (char *)(uintptr_t)p;
	if (*p == '.')
		fraction = strtod(p, &end);
	*ns = (int64_t)timegm(&tm) * NS_PER_S + llround(fraction * 1e9);
	if (!strcmp(end, "Z"))
		return true;
	if (sscanf(end, "%c%2d%*[:]%2d", &sign, &hours, &minutes) != 3 &&
		sscanf(end, "%c%2d%2d", &sign, &hours, &minutes) != 3)
		return false;
	*ns -= (sign == '-' ? -1 : 1) * (hours * 3600LL + minutes * 60LL) * NS_PER_S;
	return sign == '+' || sign == '-';
}

/* "123.456789012" exactly: a double has no ns of this century. */
static bool decimal_ns(const char *s, int64_t *ns)
{
	char *end;
	long long whole = strtoll(s, &end, 10);
	double fraction = 0;

	if (end == s)
		return false;
	if (*end == '.')
		fraction = strtod(end, &end);
	*ns = whole * NS_PER_S + llround(fraction * 1e9);
	return !*end;
}

/* The time of a row since T = 0. */
static bool row_time(const struct judge *j, const char *s, int64_t *t_ns)
{
	if (j->clock == CLOCK_ISO ? !iso_ns(s, t_ns) : !decimal_ns(s, t_ns))
		return false;
	*t_ns -= j->clock == CLOCK_MONO ? j->start_ns : j->wall_ns;
	return true;
}

/* Start of the interval of the row at to_ns; false: unknown. */
static bool row_begin(struct judge *j, int64_t to_ns, int64_t *from_ns)
{
	double dt = j->interval_s;
	bool known = true;

	if (j->dt_cell >= 0 && !number(cell[j->dt_cell], &dt))
		return false;
	if (dt > 0) {
		*from_ns = to_ns - llround(dt * 1e9);
	} else {
		known = j->has_before;
		*from_ns = j->before_ns;
	}
	j->before_ns = to_ns;
	j->has_before = true;
	return known && *from_ns < to_ns;
}

static void judge_cell(struct judge *j, struct column *c, int64_t from_ns, int64_t to_ns)
{
	double got, seconds = (double)(to_ns - from_ns) / 1e9, want, error;

	if (!number(cell[c->cell], &got)) {
		c->missing++;
		return;
	}
	want = (double)(truth_uj(c->truth, to_ns) -
			truth_uj(c->truth, from_ns < 0 ? 0 : from_ns)) /
	       1e6 / seconds;
	error = want == 0 ? (got == 0 ? 0 : INFINITY)
			  : fabs(got - want) / fabs(want) * 100;
	c->rows++;
	c->seconds += seconds;
	c->joules += got * seconds;
	c->true_joules += want * seconds;
	c->errors += error;
	if (error > c->max_error || !c->max_at) {
		c->max_error = error;
		c->max_at = j->row;
	}
	if (j->verbose)
		printf("# row %u %.3f..%.3f s %s %.6f truth %.6f error %.3f %%\n", j->row,
			(double)from_ns / 1e9, (double)to_ns / 1e9, c->name, got, want,
			error);
}

static int64_t nearest_read(const struct judge *j, int64_t t_ns)
{
	int64_t best = t_ns, distance = INT64_MAX;

	for (size_t i = 0; i < j->nreads; i++)
		if (llabs(j->read_ns[i] - t_ns) < distance) {
			best = j->read_ns[i];
			distance = llabs(best - t_ns);
		}
	return best;
}

static void judge_row(struct judge *j)
{
	int64_t from = j->first_ns, to = j->last_ns;

	if (j->time_cell >= 0 &&
		(!row_time(j, cell[j->time_cell], &to) || !row_begin(j, to, &from)))
		return;
	if (to <= from)
		return;
	from = nearest_read(j, from);
	to = nearest_read(j, to);
	if (++j->row <= j->skip)
		return;
	for (unsigned int i = 0; i < j->n; i++)
		judge_cell(j, &j->column[i], from, to);
}

/* Finds the columns; -1: one is missing. */
static int header(struct judge *j, int n)
{
	j->time_cell = find_cell(j->time_name, n);
	j->dt_cell = find_cell(j->dt_name, n);
	if ((j->time_name && j->time_cell < 0) || (j->dt_name && j->dt_cell < 0)) {
		fputs("judge: no column for the time\n", stderr);
		return -1;
	}
	for (unsigned int i = 0; i < j->n; i++) {
		j->column[i].cell = find_cell(j->column[i].name, n);
		if (j->column[i].cell < 0) {
			fprintf(stderr, "judge: no column %s\n", j->column[i].name);
			return -1;
		}
	}
	return 0;
}

static int judge_rows(struct judge *j, FILE *f)
{
	int n = read_record(f), columns = n;

	if (n < 0 || header(j, n) < 0)
		return -1;
	while ((n = read_record(f)) >= 0) {
		for (int i = n; i < columns; i++)
			cell[i][0] = '\0';
		judge_row(j);
	}
	return 0;
}

static void keep_read(struct judge *j, const char *line, int64_t t_ns)
{
	char path[1024];
	size_t n;

	if (!j->file || sscanf(line, "%*d\t%*d\t%1023[^\t\n]", path) != 1)
		return;
	n = strlen(path);
	if (n < strlen(j->file) || strcmp(path + n - strlen(j->file), j->file) != 0)
		return;
	if (j->nreads == j->reads_cap) {
		j->reads_cap = j->reads_cap * 2 + 64;
		j->read_ns = realloc(j->read_ns, j->reads_cap * sizeof(*j->read_ns));
		if (!j->read_ns)
			abort();
	}
	j->read_ns[j->nreads++] = t_ns;
}

/* The load at a reading, if the log has it, for the truth of meters. */
static void keep_load(const char *line, int64_t t_ns)
{
	struct load_sample s = {.t_ns = t_ns};

	if (sscanf(line, "load\t%*s\t%u", &the_load.cpus) == 1)
		return;
	if (sscanf(line, "%*d\t%*d\t%*[^\t]\t%*[^\t]\t%lf\t%lf", &s.busy_s, &s.square) ==
		2)
		load_add(&the_load, s);
}

/* The two times of the first line, and those of the first and the last reading. */
static int read_log(struct judge *j, const char *path)
{
	char line[4096];
	long long mono, wall, t;
	FILE *f = fopen(path, "re");

	if (!f || !fgets(line, sizeof(line), f) ||
		sscanf(line, "start\t%lld\t%lld", &mono, &wall) != 2) {
		fprintf(stderr, "judge: %s is no log of fakesys\n", path);
		return -1;
	}
	j->start_ns = mono;
	j->wall_ns = wall;
	j->first_ns = -1;
	while (fgets(line, sizeof(line), f)) {
		keep_load(line, sscanf(line, "%lld\t", &t) == 1 ? t - mono : 0);
		if (sscanf(line, "%lld\t", &t) == 1 && t >= mono) {
			if (j->first_ns < 0)
				j->first_ns = t - mono;
			j->last_ns = t - mono;
			keep_read(j, line, t - mono);
		}
	}
	fclose(f);
	return 0;
}

static double percent(double got, double want)
{
	return want == 0 ? (got == 0 ? 0 : INFINITY)
			 : fabs(got - want) / fabs(want) * 100;
}

/* True within the limits of -m and -a. */
static bool report(const struct judge *j, const struct column *c)
{
	double run = percent(c->joules, c->true_joules);

	printf("%s rows=%u missing=%u mean=%.4f truth=%.4f run_error=%.3f row_error=%.3f "
	       "max_error=%.3f max_at=%u\n",
		c->name, c->rows, c->missing, c->rows ? c->joules / c->seconds : 0,
		c->rows ? c->true_joules / c->seconds : 0, run,
		c->rows ? c->errors / c->rows : 0, c->max_error, c->max_at);
	return c->rows && c->max_error <= j->max_row && run <= j->max_run;
}

static int add_column(struct judge *j, char *text)
{
	if (j->n == COLUMNS_MAX)
		return -1;
	j->column[j->n++].name = text;
	return 0;
}

/* COLUMN=TRUTH, or the truth of the same name. */
static int find_truths(struct judge *j, const struct spec *s)
{
	for (unsigned int i = 0; i < j->n; i++) {
		struct column *c = &j->column[i];
		char *eq = strchr(c->name, '=');

		if (eq)
			*eq = '\0';
		c->truth = spec_truth(s, eq ? eq + 1 : c->name);
		if (!c->truth) {
			fprintf(stderr, "judge: no truth %s\n", eq ? eq + 1 : c->name);
			return -1;
		}
	}
	return 0;
}

static int set_clock(struct judge *j, const char *name)
{
	static const char *const names[] = {"mono", "wall", "iso"};

	for (int i = 0; i < 3; i++)
		if (!strcmp(names[i], name)) {
			j->clock = (enum clock_kind)i;
			return 0;
		}
	return -1;
}

static int options(struct judge *j, int argc, char **argv)
{
	int c, err = 0;

	while (err == 0 && (c = getopt(argc, argv, "t:k:d:i:r:s:m:a:c:v")) != -1) {
		if (c == 't')
			j->time_name = optarg;
		else if (c == 'k')
			err = set_clock(j, optarg);
		else if (c == 'd')
			j->dt_name = optarg;
		else if (c == 'i')
			j->interval_s = atof(optarg);
		else if (c == 'r')
			j->file = optarg;
		else if (c == 's')
			j->skip = (unsigned int)atoi(optarg);
		else if (c == 'm')
			j->max_row = atof(optarg);
		else if (c == 'a')
			j->max_run = atof(optarg);
		else if (c == 'c')
			err = add_column(j, optarg);
		else if (c == 'v')
			j->verbose = true;
		else
			err = -1;
	}
	return err || argc - optind != 3 || !j->n ? -1 : 0;
}

int main(int argc, char **argv)
{
	static struct judge j = {.max_row = INFINITY, .max_run = INFINITY};
	struct spec s;
	bool fine = true;
	FILE *f;

	if (options(&j, argc, argv) < 0) {
		fputs("usage: judge [-t COLUMN] [-k mono|wall|iso] [-d COLUMN] [-i "
		      "SECONDS] "
		      "[-r FILE] [-s ROWS] [-m PERCENT] [-a PERCENT] [-v] -c "
		      "COLUMN[=TRUTH]... "
		      "SPEC LOG "
		      "ROWS\n",
			stderr);
		return 2;
	}
	if (spec_load(&s, argv[optind], stderr) < 0 || find_truths(&j, &s) < 0 ||
		read_log(&j, argv[optind + 1]) < 0)
		return 2;
	f = strcmp(argv[optind + 2], "-") ? fopen(argv[optind + 2], "re") : stdin;
	if (!f || judge_rows(&j, f) < 0) {
		fputs("judge: no rows\n", stderr);
		return 2;
	}
	for (unsigned int i = 0; i < j.n; i++)
		fine = report(&j, &j.column[i]) && fine;
	return fine ? 0 : 1;
}
