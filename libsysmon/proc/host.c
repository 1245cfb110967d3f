// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/parse.h"
#include "proc/host.h"
#include "proc/sysfs.h"

#define CPU_BYTES   16384 /* the first processor of cpuinfo */
#define MOUNT_BYTES (256 * 1024)

/* --- the processor --------------------------------------------------------------- */

/* Splits "model\t\t: 142" into key and value. */
static bool split(struct sm_str line, struct sm_str *key, struct sm_str *value)
{
	const char *colon = memchr(line.p, ':', line.n), *end = line.p + line.n;

	if (!colon)
		return false;
	*key = (struct sm_str){line.p, (size_t)(colon - line.p)};
	while (key->n && sm_parse_is_blank(key->p[key->n - 1]))
		key->n--;
	value->p = colon + 1;
	sm_parse_skip_blanks(&value->p, end);
	value->n = (size_t)(end - value->p);
	return true;
}

static bool has_word(struct sm_str list, const char *word)
{
	const char *p = list.p, *end = list.p + list.n;
	struct sm_str w;

	while (sm_parse_token(&p, end, &w))
		if (sm_parse_eq(w, word))
			return true;
	return false;
}

static void cpu_line(struct sm_host *h, struct sm_str key, struct sm_str value)
{
	if (sm_parse_eq(key, "vendor_id") && value.n < sizeof(h->vendor)) {
		memcpy(h->vendor, value.p, value.n);
		h->vendor[value.n] = '\0';
	} else if (sm_parse_eq(key, "cpu family")) {
		(void)!sm_parse_whole_u64(value, &h->family);
	} else if (sm_parse_eq(key, "model")) {
		(void)!sm_parse_whole_u64(value, &h->model);
	} else if (sm_parse_eq(key, "flags")) {
		h->guest = h->guest || has_word(value, "hypervisor");
	}
}

static void read_cpu(struct sm_host *h, const struct sm_root *root)
{
	struct sm_str line, key, value;
	char buf[CPU_BYTES];
	ssize_t n = sm_file_slurp(root->proc, "cpuinfo", buf, sizeof(buf));
	const char *p = buf;

	h->has_cpu = n > 0;
	while (n > 0 && sm_parse_line(&p, buf + n, &line) && line.n)
		if (split(line, &key, &value))
			cpu_line(h, key, value);
	if (!h->family) /* s390 has a vendor_id, but no family */
		h->vendor[0] = '\0';
}

/* --- the hypervisor -------------------------------------------------------------- */

static bool made_by_hypervisor(const char *text)
{
	static const char *const names[] = {"QEMU", "KVM", "VMware", "VirtualBox",
		"innotek", "Xen", "Virtual Machine", "Bochs", "Parallels", "KubeVirt",
		"OpenStack", "Google Compute Engine", "BHYVE"};

	for (size_t i = 0; i < SM_ARRAY_SIZE(names); i++)
		if (strncmp(text, names[i], strlen(names[i])) == 0)
			return true;
	return false;
}

static void read_hypervisor(struct sm_host *h, const struct sm_root *root)
{
	static const char *const board[] = {
		"class/dmi/id/sys_vendor", "class/dmi/id/product_name"};
	static const char *const named[] = {
		"hypervisor/type", "firmware/devicetree/base/hypervisor/compatible"};
	char text[sizeof(h->hypervisor)];

	for (size_t i = 0; i < SM_ARRAY_SIZE(board); i++)
		if (sm_sysfs_text(root->sys, board[i], text, sizeof(text)) &&
			made_by_hypervisor(text))
			memcpy(h->hypervisor, text, sizeof(text));
	for (size_t i = 0; i < SM_ARRAY_SIZE(named); i++)
		if (sm_sysfs_text(root->sys, named[i], text, sizeof(text)))
			memcpy(h->hypervisor, text, sizeof(text));
	h->guest = h->guest || h->hypervisor[0];
}

/* --- the container --------------------------------------------------------------- */

/* A line of mountinfo: ID PARENT MAJOR:MINOR ROOT POINT OPTIONS ... */
static bool line_hides(struct sm_str line)
{
	const char *p = line.p, *end = line.p + line.n;
	struct sm_str point, options;

	for (int i = 0; i < 4; i++)
		if (!sm_parse_token(&p, end, &point))
			return false;
	if (!sm_parse_token(&p, end, &point) || !sm_parse_token(&p, end, &options))
		return false;
	if (sm_parse_eq(point, "/sys"))
		return options.n >= 2 && memcmp(options.p, "ro", 2) == 0 &&
		       (options.n == 2 || options.p[2] == ',');
	return sm_parse_eq(point, "/sys/class/powercap") ||
	       sm_parse_eq(point, "/sys/devices/virtual/powercap");
}

static void read_mounts(struct sm_host *h, const struct sm_root *root)
{
	char *buf;
	struct sm_str line;
	const char *p;
	ssize_t n;

	if (!root->live && root->real_proc)
		return;
	buf = malloc(MOUNT_BYTES);
	if (!buf)
		return;
	n = sm_file_slurp(root->proc, "self/mountinfo", buf, MOUNT_BYTES);
	p = buf;
	while (n > 0 && sm_parse_line(&p, buf + n, &line))
		h->container = h->container || line_hides(line);
	free(buf);
}

void sm_host_read(struct sm_host *h, const struct sm_root *root)
{
	*h = (struct sm_host){0};
	read_cpu(h, root);
	read_hypervisor(h, root);
	read_mounts(h, root);
}
