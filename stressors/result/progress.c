// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "number.h"
#include "progress.h"

#define ERASE  "\r\033[K"
#define NORMAL 80

double progress_rate(const struct progress_job *job)
{
	if (!(job->dt_s > 0))
		return NAN;
	return job->ops > job->before ? (double)(job->ops - job->before) / job->dt_s : 0;
}

static void put_rate(struct sm_buf *b, const struct progress_job *job)
{
	double rate = progress_rate(job);

	if (!isfinite(rate)) {
		sm_buf_chr(b, '-');
		return;
	}
	number_si(b, rate);
	sm_buf_str(b, "/s");
}

static void put_job(
	struct sm_buf *b, const struct progress_job *job, unsigned int text_flags)
{
	sm_text_human(b, job->name, strlen(job->name), text_flags);
	sm_buf_chr(b, ' ');
	put_rate(b, job);
}

/* "12.3/60s" */
static void put_time(struct sm_buf *b, const struct progress *p)
{
	sm_buf_double(b, p->elapsed_s, 1);
	if (isfinite(p->total_s)) {
		sm_buf_chr(b, '/');
		sm_buf_double(b, p->total_s, p->total_s == floor(p->total_s) ? 0 : 1);
	}
	sm_buf_chr(b, 's');
	if (p->stages > 1) {
		sm_buf_str(b, " stage ");
		sm_buf_u64(b, p->stage + 1);
		sm_buf_chr(b, '/');
		sm_buf_u64(b, p->stages);
	}
}

static void put_machine(struct sm_buf *b, const struct progress *p)
{
	if (isfinite(p->celsius)) {
		sm_buf_chr(b, ' ');
		sm_buf_double(b, p->celsius, 0);
		sm_buf_chr(b, 'C');
	}
	if (isfinite(p->watts)) {
		sm_buf_chr(b, ' ');
		sm_buf_double(b, p->watts, 1);
		sm_buf_chr(b, 'W');
	}
}

/* Returns the width of " +12". */
static size_t more_width(size_t more)
{
	size_t n = more ? strlen(" +1") : 0;

	for (; more >= 10; more /= 10)
		n++;
	return n;
}

/* Appends the jobs that fit, then the number of the others.  Returns the number of jobs
 * that are shown. */
static size_t put_jobs(
	struct sm_buf *line, const struct progress *p, size_t room, unsigned int flags)
{
	struct sm_buf job = {0};
	size_t i;

	for (i = 0; i < p->n; i++) {
		size_t used = sm_text_width(line->p, line->len);

		sm_buf_reset(&job);
		sm_buf_str(&job, ", ");
		put_job(&job, &p->job[i], flags);
		if (sm_buf_error(&job)) {
			sm_buf_fail(line, sm_buf_error(&job));
			break;
		}
		if (used + sm_text_width(job.p, job.len) + more_width(p->n - i - 1) >
			room)
			break;
		sm_buf_add(line, job.p, job.len);
	}
	if (i < p->n) {
		sm_buf_str(line, " +");
		sm_buf_u64(line, p->n - i);
	}
	sm_buf_fini(&job);
	return i;
}

/* Writes the rates and the machine's values, or only the rates if both do not fit. */
static void put_line(
	struct sm_buf *line, const struct progress *p, size_t room, unsigned int flags)
{
	size_t time;

	put_time(line, p);
	time = line->len;
	put_machine(line, p);
	if (sm_buf_error(line) || put_jobs(line, p, room, flags) || !p->n ||
		sm_buf_error(line))
		return;
	line->len = time;
	put_jobs(line, p, room, flags);
}

/* The last column stays empty: some terminals wrap there. */
void progress_line(const struct progress *p, unsigned int columns,
	unsigned int text_flags, struct sm_buf *b)
{
	size_t room = (columns ? columns : NORMAL) - 1;
	struct sm_buf line = {0};

	put_line(&line, p, room, text_flags);
	sm_buf_str(b, ERASE);
	if (sm_buf_error(&line))
		sm_buf_fail(b, sm_buf_error(&line));
	else
		sm_text_fit(b, line.p, line.len, room, text_flags);
	sm_buf_fini(&line);
}

void progress_erase(struct sm_buf *b)
{
	sm_buf_str(b, ERASE);
}

void progress_interval(
	const struct progress *p, unsigned int text_flags, struct sm_buf *b)
{
	sm_buf_double_right(b, p->elapsed_s, 2, 8);
	sm_buf_chr(b, 's');
	for (size_t i = 0; i < p->n; i++) {
		sm_buf_str(b, i ? ", " : " ");
		put_job(b, &p->job[i], text_flags);
	}
	put_machine(b, p);
	sm_buf_chr(b, '\n');
}

static void put_done(
	struct sm_buf *b, const struct progress_job *job, unsigned int text_flags)
{
	sm_text_human(b, job->name, strlen(job->name), text_flags);
	sm_buf_chr(b, ' ');
	sm_buf_u64(b, job->ops);
	sm_buf_str(b, " ops (");
	put_rate(b, job);
	sm_buf_chr(b, ')');
}

void progress_interim(const struct progress *p, unsigned int text_flags, struct sm_buf *b)
{
	sm_buf_double_right(b, p->elapsed_s, 2, 8);
	sm_buf_str(b, "s so far:");
	for (size_t i = 0; i < p->n; i++) {
		sm_buf_str(b, i ? ", " : " ");
		put_done(b, &p->job[i], text_flags);
	}
	put_machine(b, p);
	sm_buf_chr(b, '\n');
}
