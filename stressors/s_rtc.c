// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A round opens the device, queries it in all ways and closes it.  Only one process can
 * have it open, so instances and other programs take turns.  The clock is never
 * changed, no interrupt is waited for, and an enabled alarm is left alone.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/rtc.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/parse.h"
#include "procfs/text.h"
#include "run/parts.h"

#define DEVICE	    "/dev/rtc0"
#define TEXT_BYTES  2048
#define BUSY_NS	    SM_NSEC_PER_MSEC
#define DAY_SECONDS 86400
#define MOST_APART  5 /* seconds between two readings, unless the clock is set */

struct rtc {
	struct parts parts;
	struct sm_root root;
	int fd;
	char text[TEXT_BYTES];
};

static struct rtc *state_of(const struct parts *p)
{
	return p->s->data;
}

static int open_device(struct parts *p)
{
	const struct timespec wait = {.tv_nsec = BUSY_NS};
	struct rtc *t = state_of(p);

	do {
		t->fd = open(DEVICE, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
		if (t->fd < 0 && errno != EBUSY)
			return -errno;
		if (t->fd < 0)
			(void)nanosleep(&wait, NULL);
	} while (t->fd < 0 && !stress_stopped(p->s));
	return 0;
}

static int close_device(struct parts *p)
{
	close(state_of(p)->fd);
	return 0;
}

/* --- time --------------------------------------------------------------------------- */

static time_t seconds_of(const struct rtc_time *r)
{
	struct tm tm = {.tm_sec = r->tm_sec,
		.tm_min = r->tm_min,
		.tm_hour = r->tm_hour,
		.tm_mday = r->tm_mday,
		.tm_mon = r->tm_mon,
		.tm_year = r->tm_year};

	return timegm(&tm);
}

static int read_seconds(struct parts *p, time_t *seconds)
{
	struct rtc_time r = {0};

	if (ioctl(state_of(p)->fd, RTC_RD_TIME, &r) < 0)
		return -errno;
	*seconds = seconds_of(&r);
	if (r.tm_mon < 0 || r.tm_mon > 11 || r.tm_mday < 1 || r.tm_mday > 31 ||
		r.tm_hour < 0 || r.tm_hour > 23 || r.tm_min < 0 || r.tm_min > 59 ||
		r.tm_sec < 0 || r.tm_sec > 59)
		return parts_wrong(p, "%d-%d-%d %d:%d:%d is not a valid time",
			r.tm_year + 1900, r.tm_mon + 1, r.tm_mday, r.tm_hour, r.tm_min,
			r.tm_sec);
	return 0;
}

/* The time advances, unless another program sets it. */
static int read_time(struct parts *p)
{
	time_t before = 0, after = 0;
	int r = read_seconds(p, &before);

	if (!r)
		r = read_seconds(p, &after);
	if (!r && parts_spoil(p))
		after = before - 1;
	if (r || after >= before || before - after > MOST_APART)
		return r;
	return parts_wrong(p, "the time steps back from %lld to %lld", (long long)before,
		(long long)after);
}

/* Format in which a file shows the time: "23:59:59", "2026-12-31", or seconds since 1970.
 */
enum form { TIME, DATE, SECONDS };

struct view {
	const char *path;
	const char *key; /* key of the line in a file of /proc; NULL: a file of /sys */
	enum form form;
};

static int read_view(struct parts *p, const struct view *v, struct sm_str *value)
{
	struct rtc *t = state_of(p);
	const char *from;
	ssize_t n;

	if (v->key) {
		n = procfs_text(&t->root, v->path, t->text, sizeof(t->text));
		if (n < 0)
			return (int)n;
		if (!procfs_line(t->text, (size_t)n, v->key, value))
			return -ENOENT;
	} else {
		SM_CLOSE_FD int fd = sm_root_open_sys(&t->root, v->path, 0);

		n = fd < 0 ? fd : sm_file_slurp_fd(fd, t->text, sizeof(t->text) - 1);
		if (n < 0)
			return (int)n;
		t->text[n] = '\0';
		*value = (struct sm_str){t->text, strcspn(t->text, "\n")};
	}
	from = value->p;
	if (value->n && *from == ':')
		from++;
	sm_parse_skip_blanks(&from, value->p + value->n);
	*value = (struct sm_str){from, value->n - (size_t)(from - value->p)};
	return 0;
}

static bool shows(const struct view *v, struct sm_str value, time_t seconds)
{
	char text[32];
	struct tm tm;

	if (!gmtime_r(&seconds, &tm))
		return false;
	if (v->form == TIME)
		strftime(text, sizeof(text), "%H:%M:%S", &tm);
	else if (v->form == DATE)
		strftime(text, sizeof(text), "%Y-%m-%d", &tm);
	else
		snprintf(text, sizeof(text), "%lld", (long long)seconds);
	return sm_parse_eq(value, text);
}

/* The time must lie between two readings of the device. */
static int compare_view(struct parts *p)
{
	const struct view *v = p->with;
	time_t before = 0, after = 0;
	struct sm_str value;
	int r = read_seconds(p, &before);

	if (!r)
		r = read_view(p, v, &value);
	if (!r)
		r = read_seconds(p, &after);
	if (r || after < before || after - before > MOST_APART)
		return r;
	for (time_t t = before; t <= after; t++)
		if (shows(v, value, t))
			return 0;
	return parts_wrong(p, "'%.*s'; RTC_RD_TIME returns %lld to %lld", (int)value.n,
		value.p, (long long)before, (long long)after);
}

/* --- alarm -------------------------------------------------------------------------- */

static int read_alarm(struct parts *p)
{
	struct rtc_time r = {0};

	if (ioctl(state_of(p)->fd, RTC_ALM_READ, &r) < 0)
		return -errno;
	return r.tm_hour < 24 && r.tm_min < 60 && r.tm_sec < 60
		       ? 0
		       : parts_wrong(p, "%d:%d:%d is not a valid time", r.tm_hour,
				 r.tm_min, r.tm_sec);
}

static int set_and_read(struct parts *p, const struct rtc_wkalrm *want)
{
	struct rtc_wkalrm got = {0};

	if (ioctl(state_of(p)->fd, RTC_WKALM_SET, want) < 0 ||
		ioctl(state_of(p)->fd, RTC_WKALM_RD, &got) < 0)
		return -errno;
	return !got.enabled && seconds_of(&got.time) == seconds_of(&want->time)
		       ? 0
		       : parts_wrong(p, "the alarm is %lld instead of %lld",
				 (long long)seconds_of(&got.time),
				 (long long)seconds_of(&want->time));
}

/* The alarm is not enabled, so the machine is not woken even if the time is not restored.
 */
static int set_alarm(struct parts *p)
{
	struct rtc_wkalrm before = {0}, other = {0};
	time_t tomorrow = 0;
	struct tm tm;
	int r = read_seconds(p, &tomorrow);

	if (!r && ioctl(state_of(p)->fd, RTC_WKALM_RD, &before) < 0)
		r = -errno;
	if (r || before.enabled || before.time.tm_mon < 0)
		return r;
	tomorrow += DAY_SECONDS;
	if (!gmtime_r(&tomorrow, &tm))
		return -EOVERFLOW;
	other.time = (struct rtc_time){.tm_sec = tm.tm_sec,
		.tm_min = tm.tm_min,
		.tm_hour = tm.tm_hour,
		.tm_mday = tm.tm_mday,
		.tm_mon = tm.tm_mon,
		.tm_year = tm.tm_year};
	r = set_and_read(p, &other);
	if (ioctl(state_of(p)->fd, RTC_WKALM_SET, &before) < 0 && !r)
		r = -errno;
	return r;
}

/* --- interrupts --------------------------------------------------------------------- */

struct interrupt {
	bool periodic;	 /* otherwise at each update of the time */
	const char *key; /* key of its line in /proc/driver/rtc */
};

static int switch_on(int fd, const struct interrupt *i)
{
	return i->periodic ? ioctl(fd, RTC_PIE_ON, 0) : ioctl(fd, RTC_UIE_ON, 0);
}

static int switch_off(int fd, const struct interrupt *i)
{
	return i->periodic ? ioctl(fd, RTC_PIE_OFF, 0) : ioctl(fd, RTC_UIE_OFF, 0);
}

static int check_enabled(struct parts *p, const char *key)
{
	const struct view v = {"driver/rtc", key, SECONDS};
	struct sm_str value;
	int r = read_view(p, &v, &value);

	if (r)
		return r == -ENOENT ? 0 : r;
	return sm_parse_eq(value, "yes") ? 0
					 : parts_wrong(p, "denied by /proc/driver/rtc");
}

static int enable(struct parts *p)
{
	const struct interrupt *i = p->with;
	int fd = state_of(p)->fd, r;

	if (switch_on(fd, i) < 0)
		return -errno;
	r = check_enabled(p, i->key);
	if (switch_off(fd, i) < 0 && !r)
		r = -errno;
	return r;
}

static int read_frequency(struct parts *p)
{
	const struct view v = {"driver/rtc", "periodic IRQ frequency", SECONDS};
	unsigned long hertz = 0;
	struct sm_str value;
	int r;

	if (ioctl(state_of(p)->fd, RTC_IRQP_READ, &hertz) < 0)
		return -errno;
	r = read_view(p, &v, &value);
	if (r)
		return r == -ENOENT ? 0 : r;
	return shows(&v, value, (time_t)hertz)
		       ? 0
		       : parts_wrong(p, "%lu; /proc/driver/rtc has '%.*s'", hertz,
				 (int)value.n, value.p);
}

/* No interrupt was enabled since the device was opened. */
static int read_interrupt(struct parts *p)
{
	unsigned long data;

	return parts_refused(p, read(state_of(p)->fd, &data, sizeof(data)), EAGAIN,
		"read without an interrupt");
}

/* --- the table ---------------------------------------------------------------------- */

static const struct view sys_time = {"class/rtc/rtc0/time", NULL, TIME};
static const struct view sys_date = {"class/rtc/rtc0/date", NULL, DATE};
static const struct view sys_epoch = {"class/rtc/rtc0/since_epoch", NULL, SECONDS};
static const struct view proc_time = {"driver/rtc", "rtc_time", TIME};
static const struct view proc_date = {"driver/rtc", "rtc_date", DATE};
static const struct interrupt update = {false, "update IRQ enabled"};
static const struct interrupt periodic = {true, "periodic IRQ enabled"};

/* EACCES: a periodic interrupt of this frequency needs a privilege. */
static const struct part table[] = {
	{"open", open_device, .absent = {0}},
	{"read", read_interrupt, .absent = {0}},
	{"RTC_RD_TIME", read_time, .absent = {0}},
	{"/sys: time", compare_view, .absent = {ENOENT}, .with = &sys_time},
	{"/sys: date", compare_view, .absent = {ENOENT}, .with = &sys_date},
	{"/sys: since_epoch", compare_view, .absent = {ENOENT}, .with = &sys_epoch},
	{"/proc: rtc_time", compare_view, .absent = {ENOENT}, .with = &proc_time},
	{"/proc: rtc_date", compare_view, .absent = {ENOENT}, .with = &proc_date},
	{"RTC_ALM_READ", read_alarm, .absent = {EINVAL, ENOTTY}},
	{"RTC_WKALM_SET", set_alarm, .absent = {EINVAL, ENOTTY}},
	{"RTC_UIE_ON", enable, .absent = {EINVAL, ENOTTY, EIO}, .with = &update},
	{"RTC_PIE_ON", enable, .absent = {EINVAL, ENOTTY, EACCES}, .with = &periodic},
	{"RTC_IRQP_READ", read_frequency, .absent = {EINVAL, ENOTTY}},
	{"close", close_device, .absent = {0}},
	{0},
};

static int run(struct stress *s)
{
	struct rtc *t = s->data;

	return parts_run(&t->parts);
}

static const char *probe(const struct stress *s)
{
	SM_CLOSE_FD int fd = open(DEVICE, O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	(void)s;
	if (fd >= 0 || errno == EBUSY)
		return NULL;
	return errno == EACCES || errno == EPERM ? "may not open " DEVICE
						 : "there is no " DEVICE;
}

static int setup(struct stress *s)
{
	struct rtc *t = s->data;
	int r = sm_root_open(&t->root, NULL);

	if (r < 0 && r != -ENOENT)
		return stress_error(s, STRESS_SKIP, -r, "/proc and /sys");
	parts_init(&t->parts, s, table);
	return 0;
}

/* Remarks for the man page (man/remarks.h). */
const char stressor_rtc_man[] =
	"metric time per part: one call with the check of its result\n"
	"metric parts: calls that work on this machine\n"
	"The clock is never set.  If no alarm is enabled, the alarm time is "
	"changed and restored; the changed alarm is not enabled.  Only one process "
	"can have the device open, so instances take turns and wait for other "
	"programs.\n";

const struct stressor stressor_rtc = {
	.name = "rtc",
	.does = "query the real-time clock with rtc(4)",
	.op = "one round of all calls",
	.checks = "RTC_RD_TIME agrees with /sys/class/rtc/rtc0 and /proc/driver/rtc; "
		  "the alarm and the interrupts have the values that were set",
	.needs = "/dev/rtc0, which usually only root may open",
	.classes = CLASS_OS,
	.metrics = parts_metrics,
	.probe = probe,
	.state = sizeof(struct rtc),
	.setup = setup,
	.run = run,
};
