// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/parse.h"
#include "base/text.h"
#include "power/hwmon_rules.h"
#include "power/source_help.h"
#include "proc/host.h"
#include "proc/sysfs.h"

#define CLASS	 "class/powercap"
#define PATH_CAP 384u

struct facts {
	const struct sm_root *root;
	const struct sm_source_help *words;
	enum sm_source_kind kind;
	unsigned int columns; /* width of the text */
	struct sm_host host;
	int rapl, pmu;	      /* 0: energy counters are there; -errno */
	bool refused;	      /* for lack of permission only */
	bool driver;	      /* intel_rapl_msr is loaded */
	unsigned int zones;   /* powercap zones without an energy counter */
	struct sm_buf listed; /* these zones */
};

/* --- text ------------------------------------------------------------------------ */

static void put_text(struct sm_buf *b, const char *s)
{
	sm_text_human(b, s, strlen(s), SM_TEXT_UTF8);
}

/* Appends an empty line and the text, wrapped. */
static void put_paragraph(const struct facts *f, struct sm_buf *text, struct sm_buf *b)
{
	const char *p, *end;
	size_t at = f->columns;
	struct sm_str w;
	bool first = true;

	sm_buf_chr(text, '\0');
	if (sm_buf_error(text)) {
		sm_buf_fail(b, sm_buf_error(text));
		return;
	}
	p = text->p;
	end = p + text->len - 1;
	sm_buf_chr(b, '\n');
	while (sm_parse_token(&p, end, &w)) {
		size_t width = sm_text_width(w.p, w.n);

		if (at + 1 + width > f->columns) {
			sm_buf_str(b, first ? "  " : "\n  ");
			at = 2;
			first = false;
		} else {
			sm_buf_chr(b, ' ');
			at++;
		}
		sm_buf_add(b, w.p, w.n);
		at += width;
	}
	sm_buf_chr(b, '\n');
	sm_buf_reset(text);
}

/* Appends a command on its own line. */
static void put_command(
	struct sm_buf *b, const char *before, const char *tool, const char *after)
{
	sm_buf_printf(b, "      %s%s%s\n", before, tool, after);
}

static void put_watts(struct sm_buf *b, uint64_t uw, int decimals)
{
	sm_buf_double(b, (double)uw * 1e-6, decimals);
	sm_buf_str(b, " W");
}

/* --- powercap zones -------------------------------------------------------------- */

struct zone_scan {
	const struct sm_root *root;
	struct sm_buf *b;
	unsigned int n;
};

static int see_zone(void *ctx, const char *id)
{
	struct zone_scan *c = ctx;
	char path[PATH_CAP], name[64];
	uint64_t uw;

	if (strlen(id) > PATH_CAP / 2)
		return 0;
	snprintf(path, sizeof(path), CLASS "/%s/energy_uj", id);
	if (sm_file_read_u64(c->root->sys, path, &uw) != -ENOENT)
		return 0;
	snprintf(path, sizeof(path), CLASS "/%s/power_uw", id);
	if (sm_file_read_u64(c->root->sys, path, &uw) < 0)
		return 0;
	snprintf(path, sizeof(path), CLASS "/%s/name", id);
	sm_buf_str(c->b, "  ");
	put_text(c->b, id);
	if (sm_sysfs_text(c->root->sys, path, name, sizeof(name))) {
		sm_buf_str(c->b, " (");
		put_text(c->b, name);
		sm_buf_chr(c->b, ')');
	}
	sm_buf_str(c->b, ": no energy counter, ");
	put_watts(c->b, uw, 3);
	sm_buf_str(c->b, " now\n");
	c->n++;
	return 0;
}

unsigned int sm_source_help_zones(const struct sm_root *root, struct sm_buf *b)
{
	struct zone_scan c = {.root = root, .b = b};

	(void)!sm_sysfs_each(root->sys, CLASS, see_zone, &c);
	return c.n;
}

/* --- the processor's counters ---------------------------------------------------- */

static bool is_permission(int err)
{
	return err == -EACCES || err == -EPERM;
}

static bool of_total(const struct sm_rapl_role *role)
{
	return role->why == SM_RAPL_COUNTED || role->why == SM_RAPL_UNREADABLE;
}

/* Returns 0 if a zone of the total can be read; otherwise the error, a missing permission
 * first. */
static int rapl_error(const struct sm_root *root)
{
	struct sm_rapl r;
	int err = sm_rapl_open(&r, root, SM_RAPL_TOTAL_PKG_DRAM);
	int found = -ENODATA;

	if (err)
		return err;
	for (unsigned int i = 0; i < r.zones.n && found; i++) {
		const struct sm_rapl_counter *c = &r.zones.at[i].counter;

		if (of_total(&r.zones.at[i].role))
			found = is_permission(found) && c->error ? found : c->error;
	}
	sm_rapl_close(&r);
	return found;
}

static int pmu_error(const struct sm_root *root)
{
	struct sm_powerpmu p;
	int err = sm_powerpmu_open(&p, root, SM_RAPL_TOTAL_PKG_DRAM);

	if (!err)
		sm_powerpmu_close(&p);
	return err;
}

static bool is_vendor(const struct facts *f, const char *name)
{
	return strcmp(f->host.vendor, name) == 0;
}

/* Intel: all since Sandy Bridge, family 6 model 42, except Westmere and the first Atoms,
 * and family 15 (Pentium 4).  AMD and Hygon: Zen, family 23. */
static bool has_counters(const struct facts *f)
{
	static const uint8_t older[] = {44, 46, 47, 53, 54};

	if (!f->host.has_cpu)
		return true; /* unknown: the driver decides */
	if (is_vendor(f, "AuthenticAMD") || is_vendor(f, "HygonGenuine"))
		return f->host.family >= 23;
	if (!is_vendor(f, "GenuineIntel") || f->host.family < 6 || f->host.family == 15)
		return false;
	return f->host.family > 6 ||
	       (f->host.model >= 42 && !memchr(older, (int)f->host.model, sizeof(older)));
}

static void say_refused(const struct facts *f, struct sm_buf *text, struct sm_buf *b)
{
	sm_buf_str(text,
		"This processor counts its energy (RAPL), but only root may read the "
		"counters, because frequent readings can reveal the data of other "
		"programs. Start the program with sudo, or permit it to read the "
		"counters; powerstat(8), WITHOUT ROOT, also has a rule for udev:");
	put_paragraph(f, text, b);
	put_command(
		b, "sudo setcap cap_perfmon=ep \"$(command -v ", f->words->tool, ")\"");
}

static void say_container(const struct facts *f, struct sm_buf *text, struct sm_buf *b)
{
	sm_buf_str(text,
		"This is a container. Container runtimes hide the energy counters of "
		"the processor (RAPL, /sys/class/powercap), because frequent readings "
		"can reveal the data of other programs. Measure on the host, or start "
		"the container with all privileges:");
	put_paragraph(f, text, b);
	put_command(b, "docker run --privileged IMAGE ", f->words->tool, "");
}

static void say_guest(const struct facts *f, struct sm_buf *text, struct sm_buf *b)
{
	sm_buf_str(text, "This is a virtual machine");
	if (f->host.hypervisor[0]) {
		sm_buf_str(text, " (");
		put_text(text, f->host.hypervisor);
		sm_buf_chr(text, ')');
	}
	sm_buf_str(text,
		". The energy counters of the processor (RAPL) measure the whole host, "
		"so hypervisors hide them from their guests or let them stand still. A "
		"guest cannot measure its power: measure on the host.");
	put_paragraph(f, text, b);
}

/* Returns whether no counter of the total has ever advanced. */
static bool stands_still(const struct sm_source *p)
{
	bool any = false;

	for (unsigned int i = 0; i < p->n && sm_source_counter(p, i); i++) {
		const struct sm_rapl_sums *sums = sm_source_sums(p, i);
		bool still = p->kind == SM_SOURCE_RAPL &&
			     p->rapl.zones.at[i].role.why == SM_RAPL_STILL;

		if (!p->domain[i].counted && !still)
			continue;
		if (sm_source_counter(p, i)->error || !sums->still || sums->energy_uj)
			return false;
		any = true;
	}
	return any;
}

void sm_source_help_still(
	const struct sm_source *p, unsigned int columns, struct sm_buf *b)
{
	struct facts f = {.root = p->root, .columns = columns};
	struct sm_buf text = {0};

	if (!stands_still(p))
		return;
	sm_host_read(&f.host, p->root);
	if (f.host.guest)
		say_guest(&f, &text, b);
	sm_buf_fini(&text);
}

static void say_unsupported(const struct facts *f, struct sm_buf *text, struct sm_buf *b)
{
	sm_buf_str(text, "The processor");
	if (f->host.vendor[0]) {
		sm_buf_str(text, " (");
		put_text(text, f->host.vendor);
		sm_buf_printf(text, " family %llu model %llu)",
			(unsigned long long)f->host.family,
			(unsigned long long)f->host.model);
	}
	sm_buf_str(text,
		" has no energy counters (RAPL); Intel processors have them since 2011 "
		"(Sandy Bridge) and AMD processors since 2017 (Zen). Measure this "
		"machine on battery, with a power sensor (hwmon), or with a meter at "
		"its plug.");
	put_paragraph(f, text, b);
}

static void say_driver(const struct facts *f, struct sm_buf *text, struct sm_buf *b)
{
	if (f->driver) {
		sm_buf_str(text,
			"The driver of the processor's energy counters (RAPL), "
			"intel_rapl_msr, is loaded, but the kernel shows no counter. The "
			"kernel log can contain the reason:");
		put_paragraph(f, text, b);
		put_command(b, "sudo dmesg | grep -i rapl", "", "");
		return;
	}
	sm_buf_str(text,
		"Intel processors since 2011 and AMD processors since 2017 count their "
		"energy (RAPL), but the kernel shows no counter, because the driver "
		"intel_rapl_msr is not loaded. If it does not exist, the "
		"kernel was built without it (CONFIG_INTEL_RAPL), or is too old (for "
		"AMD before Linux 5.11). Load it with");
	sm_buf_str(text,
		f->words->loads_modules ? " one of these commands:" : " this command:");
	put_paragraph(f, text, b);
	put_command(b, "sudo modprobe intel_rapl_msr", "", "");
	if (f->words->loads_modules)
		put_command(b, "sudo ", f->words->tool, " --load-modules");
}

static void say_zones(const struct facts *f, struct sm_buf *text, struct sm_buf *b)
{
	sm_buf_str(text,
		"These zones of /sys/class/powercap have no energy counter (energy_uj), "
		"so they cannot be measured. Zones of the type dtpm report a power that "
		"the kernel computes from CPU frequency and CPU use:");
	put_paragraph(f, text, b);
	sm_buf_add(b, f->listed.p, f->listed.len);
}

/* Explains the lack of energy counters by the first cause that applies. */
static void explain_counters(const struct facts *f, struct sm_buf *text, struct sm_buf *b)
{
	if (f->zones)
		say_zones(f, text, b);
	if (!f->rapl || !f->pmu)
		return;
	if (f->refused)
		say_refused(f, text, b);
	else if (f->host.guest && f->rapl != -ENXIO)
		say_guest(f, text, b); /* even in a container: its host lacks counters */
	else if (f->host.container || f->rapl == -ENXIO)
		say_container(f, text, b);
	else if (has_counters(f))
		say_driver(f, text, b);
	else if (!f->zones)
		say_unsupported(f, text, b);
}

/* --- batteries ------------------------------------------------------------------- */

const char *sm_source_help_status(enum sm_battery_status status)
{
	static const char *const names[] = {[SM_BATTERY_UNKNOWN] = "unknown",
		[SM_BATTERY_CHARGING] = "charging",
		[SM_BATTERY_DISCHARGING] = "discharging",
		[SM_BATTERY_NOT_CHARGING] = "not charging",
		[SM_BATTERY_FULL] = "full"};

	return names[status];
}

static void put_state(struct sm_buf *b, const struct sm_battery *t)
{
	put_text(b, t->name);
	sm_buf_str(b, ": ");
	if (t->error) {
		sm_buf_printf(b, "cannot be read (%s)", strerror(-t->error));
		return;
	}
	sm_buf_str(b, t->present ? sm_source_help_status(t->status) : "not present");
	if (!t->present || !t->has_rate)
		return;
	sm_buf_str(b, ", ");
	put_watts(b, t->rate_uw, 3);
}

/* Appends "BAT0: not charging, 1.200 W; BAT1: full" for the batteries of the system. */
static void put_batteries(const struct sm_batteries *list, struct sm_buf *b)
{
	const char *between = "";

	for (unsigned int i = 0; i < list->n; i++) {
		if (!list->battery[i].system || !list->battery[i].name[0])
			continue;
		sm_buf_str(b, between);
		put_state(b, &list->battery[i]);
		between = "; ";
	}
}

void sm_source_help_discharge(const struct sm_batteries *list, struct sm_buf *b)
{
	struct sm_buf states = {0};

	put_batteries(list, &states);
	sm_buf_str(b, "no battery is discharging");
	if (states.len) {
		sm_buf_str(b, " (");
		sm_buf_add(b, states.p, states.len);
		sm_buf_chr(b, ')');
	}
	sm_buf_str(b, "; unplug the charger");
	sm_buf_fini(&states);
}

static bool has_system_battery(const struct sm_batteries *list)
{
	for (unsigned int i = 0; i < list->n; i++)
		if (list->battery[i].system && list->battery[i].name[0])
			return true;
	return false;
}

/* Appends "BAT0 reports neither rate nor level" for the batteries that discharge. */
static void put_causes(struct sm_buf *b, const struct sm_batteries *list)
{
	const char *between = ": ";

	for (unsigned int i = 0; i < list->n; i++) {
		const struct sm_battery *t = &list->battery[i];

		if (!sm_battery_discharges(t) || sm_battery_has_figure(t))
			continue;
		sm_buf_str(b, between);
		put_text(b, t->name);
		sm_buf_chr(b, ' ');
		sm_battery_why_not(t, b);
		between = "; ";
	}
	sm_buf_chr(b, '.');
}

static void explain_batteries(
	const struct facts *f, struct sm_buf *text, struct sm_buf *b)
{
	struct sm_batteries list;

	if (sm_battery_open(&list, f->root) < 0)
		return;
	if (sm_battery_discharging(&list)) {
		sm_buf_str(text, "A battery discharges, but its properties do not give a "
				 "power");
		put_causes(text, &list);
		put_paragraph(f, text, b);
	} else if (has_system_battery(&list)) {
		sm_buf_str(text, "A battery shows the power of the machine only while it "
				 "discharges (");
		put_batteries(&list, text);
		sm_buf_str(text, "). Unplug the charger and start again.");
		put_paragraph(f, text, b);
	}
	sm_battery_close(&list);
}

/* --- sensors --------------------------------------------------------------------- */

static void put_sensor(struct sm_buf *b, const struct sm_hwmon_sensor *s)
{
	put_text(b, s->label);
	if (s->error == -ERANGE)
		sm_buf_str(b, " reports more than 1 MW");
	else if (s->error)
		sm_buf_printf(b, " cannot be read (%s)", strerror(-s->error));
	else if (s->energy)
		sm_buf_str(b, " (energy counter)");
	else {
		sm_buf_chr(b, ' ');
		put_watts(b, s->value, 2);
	}
}

static void put_sensors(struct sm_buf *b, const struct sm_hwmon *h)
{
	const char *between = " ";

	for (unsigned int i = 0; i < h->n; i++) {
		sm_buf_str(b, between);
		put_sensor(b, &h->sensor[i]);
		between = "; ";
	}
	sm_buf_chr(b, '.');
}

/* Returns whether the sensors can be added up without a choice of the user. */
static bool has_sum(struct sm_hwmon *h)
{
	struct sm_buf why = {0};
	bool any = false;

	if (sm_hwmon_choose(h, NULL, true, &why) == 0)
		for (unsigned int i = 0; i < h->n; i++)
			any = any || h->sensor[i].counted;
	sm_buf_fini(&why);
	return any;
}

/* Sensors of parts are used only on request; a meter of the machine is not used if its
 * value is unusable. */
static void explain_sensors(const struct facts *f, struct sm_buf *text, struct sm_buf *b)
{
	struct sm_hwmon h;
	int readable;

	if (sm_hwmon_open(&h, f->root) < 0)
		return;
	readable = sm_hwmon_read(&h);
	sm_buf_str(text,
		readable > 0 ? "These sensors (hwmon) report the power of a part of the "
			       "machine, such as the processor or a graphics card, and "
			       "are read only on request:"
			     : "No power sensor (hwmon) has a usable value:");
	put_sensors(text, &h);
	put_paragraph(f, text, b);
	if (readable > 0 && has_sum(&h))
		sm_buf_printf(b, "      %s %shwmon\n", f->words->tool, f->words->option);
	if (readable > 0)
		sm_buf_printf(b, "      %s %shwmon:LABEL[,LABEL]\n", f->words->tool,
			f->words->option);
	sm_hwmon_close(&h);
}

static void explain_meter(const struct facts *f, struct sm_buf *text, struct sm_buf *b)
{
	struct sm_hwmon h;

	if (sm_hwmon_open(&h, f->root) == 0) {
		sm_hwmon_close(&h);
		explain_sensors(f, text, b);
		return;
	}
	sm_buf_str(text, "No sensor of this machine reports a power. A server can have a "
			 "power meter, whose driver is loaded with:");
	put_paragraph(f, text, b);
	put_command(b, "sudo modprobe acpi_power_meter", "", "");
}

/* --- all ------------------------------------------------------------------------- */

static void find(struct facts *f)
{
	struct sm_at sys = f->root->sys;
	int fd = sm_at_open(sys, "module/intel_rapl_msr", O_DIRECTORY);

	f->driver = fd >= 0;
	sm_base_close_fd(&fd);
	sm_host_read(&f->host, f->root);
	f->rapl = rapl_error(f->root);
	f->pmu = pmu_error(f->root);
	f->refused = is_permission(f->rapl) || is_permission(f->pmu);
	f->zones = sm_source_help_zones(f->root, &f->listed);
}

void sm_source_help(const struct sm_root *root, enum sm_source_kind kind,
	const struct sm_source_help *words, unsigned int columns, struct sm_buf *b)
{
	struct facts f = {.root = root, .words = words, .kind = kind, .columns = columns};
	struct sm_buf text = {0};

	find(&f);
	if (kind != SM_SOURCE_BATTERY && kind != SM_SOURCE_HWMON)
		explain_counters(&f, &text, b);
	if (kind == SM_SOURCE_AUTO || kind == SM_SOURCE_BATTERY)
		explain_batteries(&f, &text, b);
	if (kind == SM_SOURCE_HWMON)
		explain_meter(&f, &text, b);
	else if (kind != SM_SOURCE_BATTERY)
		explain_sensors(&f, &text, b);
	sm_buf_fini(&f.listed);
	sm_buf_fini(&text);
}
