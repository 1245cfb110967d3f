// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <limits.h>
#include <string.h>

#include "base/distance.h"
#include "base/text.h"
#include "power/hwmon_rules.h"

#define STEMS  3
#define METERS 6 /* kinds of meters of the whole machine */

/* ---- one sensor ---- */

/* Returns the rank of a meter of the whole machine, the widest first; METERS: another
 * sensor. */
static size_t rank_of(const struct sm_hwmon_sensor *s)
{
	static const struct {
		const char *chip, *label; /* NULL: any */
	} known[METERS] = {
		{"power_meter", NULL},
		{"ibmpowernv", "System"},
		{"macsmc_hwmon", "Total System Power"},
		{"corsairpsu", "power total"},
		{"ina3221", "VDD_IN"},
		{"ina3221", "POM_5V_IN"},
	};
	size_t i = 0;

	while (i < METERS &&
		(strcmp(s->chip, known[i].chip) != 0 ||
			(known[i].label && strcmp(s->base, known[i].label) != 0)))
		i++;
	return i;
}

enum sm_hwmon_scope sm_hwmon_first_scope(const struct sm_hwmon_sensor *s)
{
	return rank_of(s) < METERS ? SM_HWMON_SYSTEM : SM_HWMON_UNKNOWN;
}

static bool is_processor(const struct sm_hwmon_sensor *s)
{
	static const char *const chips[] = {
		"fam15h_power", "zenpower", "apm_xgene", "altra_hwmon", "amd_energy"};

	for (size_t i = 0; i < SM_ARRAY_SIZE(chips); i++)
		if (strcmp(s->chip, chips[i]) == 0)
			return s->scope == SM_HWMON_DEVICE;
	return false;
}

bool sm_hwmon_same_channel(
	const struct sm_hwmon_sensor *a, const struct sm_hwmon_sensor *b)
{
	return a->channel == b->channel && a->energy != b->energy &&
	       (strcmp(a->base, b->base) == 0 || (!a->has_label && !b->has_label));
}

/* ---- one chip ---- */

struct rule {
	const char *chip; /* NULL: any */
	const char *stem[STEMS];
	enum sm_hwmon_scope scope;
};

static size_t digits(const char *s)
{
	return strspn(s, "0123456789");
}

/* Returns the label without "cpu1 ". */
static const char *without_socket(const char *label)
{
	size_t n = strncmp(label, "cpu", 3) == 0 ? digits(label + 3) : 0;

	return n && label[3 + n] == ' ' ? label + 3 + n + 1 : label;
}

/* Returns whether the label is the stem with or without a number ("pin", "pin2", "CPU
 * power 000"). */
static bool is_numbered(const char *label, const char *stem)
{
	size_t n = strlen(stem);

	label = without_socket(label);
	if (strncmp(label, stem, n) != 0)
		return false;
	label += n;
	if (label[0] == ' ' && digits(label + 1))
		label++;
	return label[digits(label)] == '\0';
}

static bool matches(const struct rule *r, const struct sm_hwmon_sensor *s)
{
	if (r->chip && strcmp(r->chip, s->chip) != 0)
		return false;
	for (size_t i = 0; i < STEMS && r->stem[i]; i++)
		if (is_numbered(s->base, r->stem[i]))
			return true;
	return false;
}

/* Sensors that match get the scope; all others of the chip are inside them. */
static bool apply(const struct rule *r, struct sm_hwmon_sensor *s, unsigned int n)
{
	bool any = false;

	for (unsigned int i = 0; i < n; i++)
		any = any || matches(r, &s[i]);
	for (unsigned int i = 0; any && i < n; i++)
		if (s[i].scope == SM_HWMON_UNKNOWN)
			s[i].scope = matches(r, &s[i]) ? r->scope : SM_HWMON_INSIDE;
	return any;
}

/* If a channel has energy and power, the energy is used, which is more exact. */
static unsigned int drop_second(struct sm_hwmon_sensor *s, unsigned int n)
{
	unsigned int left = n;

	for (unsigned int i = 0; i < n; i++)
		for (unsigned int k = 0; k < n; k++)
			if (s[k].energy && sm_hwmon_same_channel(&s[i], &s[k])) {
				s[s[k].error ? k : i].scope = SM_HWMON_INSIDE;
				left--;
			}
	return left;
}

static void apply_rules(struct sm_hwmon_sensor *s, unsigned int n)
{
	static const struct rule rules[] = {
		{NULL, {"pin"}, SM_HWMON_SUPPLY},
		{NULL, {"Esocket"}, SM_HWMON_DEVICE},
		{NULL, {"card"}, SM_HWMON_DEVICE},
		{NULL, {"pkg"}, SM_HWMON_DEVICE},
		{"zenpower", {"RAPL_P_Package"}, SM_HWMON_DEVICE},
		{"zenpower", {"SVI2_P_Core", "SVI2_P_SoC"}, SM_HWMON_DEVICE},
		{"apm_xgene", {"CPU power", "IO power"}, SM_HWMON_DEVICE},
		{"altra_hwmon", {"CPU power", "IO power"}, SM_HWMON_DEVICE},
	};

	for (size_t i = 0; i < SM_ARRAY_SIZE(rules); i++)
		if (apply(&rules[i], s, n))
			return;
}

static void replace(struct sm_hwmon_sensor *s, unsigned int n, enum sm_hwmon_scope scope)
{
	for (unsigned int i = 0; i < n; i++)
		if (s[i].scope == SM_HWMON_UNKNOWN)
			s[i].scope = scope;
}

void sm_hwmon_set_scopes(struct sm_hwmon_sensor *s, unsigned int n)
{
	bool inside = n && strncmp(s->chip, "i915_gt", 7) == 0, only;

	for (unsigned int i = 0; i < n; i++) {
		s[i].scope = sm_hwmon_first_scope(&s[i]);
		inside |= s[i].scope == SM_HWMON_SYSTEM;
	}
	only = drop_second(s, n) == 1;
	if (inside)
		replace(s, n, SM_HWMON_INSIDE);
	apply_rules(s, n);
	if (only)
		replace(s, n, SM_HWMON_DEVICE);
	for (unsigned int i = 0; i < n; i++)
		s[i].processor = is_processor(&s[i]);
}

/* ---- all chips ---- */

/* Each kind of meter measures the whole machine: keeps the first one that has a value, or
 * else the first one. */
static void keep_first_meter(struct sm_hwmon *h)
{
	const struct sm_hwmon_sensor *first = NULL;

	for (unsigned int i = 0; i < h->n; i++) {
		const struct sm_hwmon_sensor *s = &h->sensor[i];

		if (s->counted && (!first || !s->error > !first->error ||
					  (!s->error == !first->error &&
						  rank_of(s) < rank_of(first))))
			first = s;
	}
	for (unsigned int i = 0; i < h->n; i++)
		if (h->sensor[i].counted)
			h->sensor[i].counted = rank_of(&h->sensor[i]) == rank_of(first);
}

/* A power supply also feeds the cards. */
void sm_hwmon_count_widest(struct sm_hwmon *h)
{
	enum sm_hwmon_scope widest = SM_HWMON_DEVICE;

	for (unsigned int i = 0; i < h->n; i++)
		if (h->sensor[i].scope < widest)
			widest = h->sensor[i].scope;
	for (unsigned int i = 0; i < h->n; i++)
		h->sensor[i].counted = h->sensor[i].scope == widest;
	if (widest == SM_HWMON_SYSTEM)
		keep_first_meter(h);
}

bool sm_hwmon_is_system(const struct sm_hwmon *h)
{
	bool any = false;

	for (unsigned int i = 0; i < h->n; i++) {
		if (h->sensor[i].counted && h->sensor[i].scope != SM_HWMON_SYSTEM)
			return false;
		any = any || h->sensor[i].counted;
	}
	return any;
}

bool sm_hwmon_is_processor(const struct sm_hwmon *h)
{
	bool any = false;

	for (unsigned int i = 0; i < h->n; i++) {
		if (h->sensor[i].counted && !h->sensor[i].processor)
			return false;
		any = any || h->sensor[i].counted;
	}
	return any;
}

/* ---- selection ---- */

/* Returns the length of the text if the list begins with it, as a whole element;
 * otherwise 0. */
static size_t element(const char *list, struct sm_str text)
{
	char end;

	if (!text.n || strncmp(list, text.p, text.n) != 0)
		return 0;
	end = list[text.n];
	return end == ',' || end == '\0' ? text.n : 0;
}

/* Returns the length of the sensor's label at the beginning of the list.  *shown is a
 * buffer. */
static size_t label_length(
	const char *list, const struct sm_hwmon_sensor *s, struct sm_buf *shown)
{
	struct sm_str plain = {s->label, strlen(s->label)};
	size_t n = element(list, plain);

	sm_buf_reset(shown);
	sm_text_human(shown, plain.p, plain.n, SM_TEXT_UTF8);
	return n ? n : element(list, (struct sm_str){shown->p, shown->len});
}

/* Returns the sensor with the longest label at the beginning of the list: a label can
 * contain commas. */
static struct sm_hwmon_sensor *longest(
	struct sm_hwmon *h, const char *list, size_t *length, struct sm_buf *shown)
{
	struct sm_hwmon_sensor *best = NULL;

	*length = 0;
	for (unsigned int i = 0; i < h->n; i++) {
		size_t n = label_length(list, &h->sensor[i], shown);

		if (n <= *length)
			continue;
		*length = n;
		best = &h->sensor[i];
	}
	return best;
}

static const char *nearest(const struct sm_hwmon *h, struct sm_str label)
{
	unsigned int least = UINT_MAX;
	const char *best = NULL;

	for (unsigned int i = 0; i < h->n; i++) {
		const char *own = h->sensor[i].label;
		unsigned int d = sm_distance(label, (struct sm_str){own, strlen(own)});

		if (best && d >= least)
			continue;
		least = d;
		best = own;
	}
	return best;
}

static int no_such(const struct sm_hwmon *h, const char *list, struct sm_buf *why)
{
	struct sm_str label = {list, strcspn(list, ",")};
	const char *near = nearest(h, label);

	sm_buf_str(why, "no sensor '");
	sm_text_human(why, label.p, label.n, SM_TEXT_UTF8);
	sm_buf_chr(why, '\'');
	if (near) {
		sm_buf_str(why, "; the nearest label is '");
		sm_text_human(why, near, strlen(near), SM_TEXT_UTF8);
		sm_buf_chr(why, '\'');
	}
	sm_buf_str(why, "; --list shows all labels");
	return -EINVAL;
}

static int select_labels(struct sm_hwmon *h, const char *labels, struct sm_buf *why)
{
	struct sm_buf shown = {0};
	int err = 0;

	for (unsigned int i = 0; i < h->n; i++)
		h->sensor[i].counted = false;
	while (!err) {
		size_t n;
		struct sm_hwmon_sensor *s = longest(h, labels, &n, &shown);

		if (!s) {
			err = no_such(h, labels, why);
			break;
		}
		s->counted = true;
		if (!labels[n])
			break;
		labels += n + 1;
	}
	if (sm_buf_error(&shown))
		err = sm_buf_error(&shown);
	sm_buf_fini(&shown);
	return err;
}

static bool has_value(const struct sm_hwmon *h)
{
	for (unsigned int i = 0; i < h->n; i++)
		if (h->sensor[i].counted && !h->sensor[i].error)
			return true;
	return false;
}

static bool count_processors(struct sm_hwmon *h)
{
	bool any = false;

	for (unsigned int i = 0; i < h->n; i++)
		any = any || h->sensor[i].processor;
	for (unsigned int i = 0; any && i < h->n; i++)
		h->sensor[i].counted = h->sensor[i].processor;
	return any;
}

int sm_hwmon_choose(
	struct sm_hwmon *h, const char *labels, bool requested, struct sm_buf *why)
{
	bool system = sm_hwmon_is_system(h);

	if (labels)
		return select_labels(h, labels, why);
	if (requested || (system && has_value(h)))
		return 0;
	return count_processors(h) || system ? 0 : -ENODATA;
}
