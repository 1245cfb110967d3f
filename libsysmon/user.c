// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parse.h"
#include "user.h"

/* A passwd line is small; a group with many members can be large. */
#define NSS_FIRST_CAP 1024u
#define NSS_MAX_CAP   (1024u * 1024u)
#define TTY_NAME_CAP  32u

int sm_user_init(struct sm_user *u)
{
	int err;

	*u = (struct sm_user){0};
	err = sm_map_init(&u->users, 16);
	if (err < 0)
		return err;
	err = sm_map_init(&u->groups, 16);
	if (err < 0)
		goto fail_groups;
	err = sm_map_init(&u->ttys, 16);
	if (err < 0)
		goto fail_ttys;
	return 0;
fail_ttys:
	sm_map_fini(&u->groups);
fail_groups:
	sm_map_fini(&u->users);
	return err;
}

static void free_names(struct sm_map *m)
{
	size_t i = 0;
	void *name;

	while ((name = sm_map_next(m, &i)))
		free(name);
	sm_map_fini(m);
}

void sm_user_fini(struct sm_user *u)
{
	free_names(&u->users);
	free_names(&u->groups);
	free_names(&u->ttys);
}

/* Keeps name in the cache; takes it over.  "?" when there is no memory for it. */
static const char *remember(struct sm_map *m, uint64_t key, char *name)
{
	if (name && sm_map_put(m, key, name) == 0)
		return name;
	free(name);
	return "?";
}

static char *decimal(uint32_t id)
{
	char text[12];

	snprintf(text, sizeof(text), "%u", id);
	return strdup(text);
}

/* One NSS query into buf; ERANGE asks for a larger one.  Not found: 0 and *name NULL. */
typedef int query_fn(uint32_t id, char *buf, size_t cap, const char **name);

static int query_user(uint32_t id, char *buf, size_t cap, const char **name)
{
	struct passwd pw, *found = NULL;
	int err = getpwuid_r(id, &pw, buf, cap, &found);

	*name = found ? found->pw_name : NULL;
	return err;
}

static int query_group(uint32_t id, char *buf, size_t cap, const char **name)
{
	struct group gr, *found = NULL;
	int err = getgrgid_r(id, &gr, buf, cap, &found);

	*name = found ? found->gr_name : NULL;
	return err;
}

/* A copy of the name; NULL when the id has none or there is no memory. */
static char *look_up_name(query_fn *query, uint32_t id)
{
	char *copy = NULL, *buf = NULL;
	int err = ERANGE;

	for (size_t cap = NSS_FIRST_CAP; err == ERANGE && cap <= NSS_MAX_CAP; cap *= 4) {
		const char *name = NULL;
		char *p = realloc(buf, cap);

		if (!p)
			break;
		buf = p;
		err = query(id, buf, cap, &name);
		if (err == 0 && name && *name)
			copy = strdup(name);
	}
	free(buf);
	return copy;
}

static const char *id_name(struct sm_map *m, query_fn *query, uint32_t id)
{
	char *name = sm_map_get(m, id);

	if (name)
		return name;
	name = look_up_name(query, id);
	return remember(m, id, name ? name : decimal(id));
}

const char *sm_user_name(struct sm_user *u, uid_t uid)
{
	return id_name(&u->users, query_user, uid);
}

const char *sm_group_name(struct sm_user *u, gid_t gid)
{
	return id_name(&u->groups, query_group, gid);
}

/* Minors of one driver: name and number, counted from the first minor. */
struct tty_range {
	unsigned int major, first_minor, last_minor, first_number;
	const char *name;
};

#define MINOR_MAX 0xfffffu

/* Pseudo-terminals are 136 with 20 bits of minor today; 137 to 143 carried on for 8 bits.
 */
static const struct tty_range tty_ranges[] = {
	{4, 0, 63, 0, "tty"},
	{4, 64, MINOR_MAX, 0, "ttyS"},
	{136, 0, MINOR_MAX, 0, "pts/"},
	{137, 0, MINOR_MAX, 256, "pts/"},
	{138, 0, MINOR_MAX, 512, "pts/"},
	{139, 0, MINOR_MAX, 768, "pts/"},
	{140, 0, MINOR_MAX, 1024, "pts/"},
	{141, 0, MINOR_MAX, 1280, "pts/"},
	{142, 0, MINOR_MAX, 1536, "pts/"},
	{143, 0, MINOR_MAX, 1792, "pts/"},
	{166, 0, MINOR_MAX, 0, "ttyACM"},
	{188, 0, MINOR_MAX, 0, "ttyUSB"},
	{204, 64, MINOR_MAX, 0, "ttyAMA"},
	{229, 0, MINOR_MAX, 0, "hvc"},
};

static const struct tty_range *find_tty_range(unsigned int major, unsigned int minor)
{
	for (size_t i = 0; i < SM_ARRAY_SIZE(tty_ranges); i++) {
		const struct tty_range *t = &tty_ranges[i];

		if (t->major == major && minor >= t->first_minor &&
			minor <= t->last_minor)
			return t;
	}
	return NULL;
}

/* The kernel's new_encode_dev(): minor bits 7-0, major 12 bits, minor bits 19-8. */
static char *format_tty(uint32_t dev)
{
	unsigned int major = dev >> 8 & 0xfffu;
	unsigned int minor = (dev & 0xffu) | (dev >> 12 & 0xfff00u);
	const struct tty_range *t = find_tty_range(major, minor);
	char text[TTY_NAME_CAP];

	if (major == 5 && minor == 1)
		return strdup("console");
	if (t)
		snprintf(text, sizeof(text), "%s%u", t->name,
			minor - t->first_minor + t->first_number);
	else
		snprintf(text, sizeof(text), "%u:%u", major, minor);
	return strdup(text);
}

const char *sm_tty_name(struct sm_user *u, int tty_nr)
{
	uint32_t dev = (uint32_t)tty_nr;
	char *name;

	if (dev == 0)
		return "?";
	name = sm_map_get(&u->ttys, dev);
	return name ? name : remember(&u->ttys, dev, format_tty(dev));
}

static int look_up_uid(const char *name, uid_t *uid)
{
	char *buf = NULL;
	int err = ERANGE, ret = -ENOENT;

	for (size_t cap = NSS_FIRST_CAP; err == ERANGE && cap <= NSS_MAX_CAP; cap *= 4) {
		struct passwd pw, *found = NULL;
		char *p = realloc(buf, cap);

		if (!p) {
			ret = -ENOMEM;
			break;
		}
		buf = p;
		err = getpwnam_r(name, &pw, buf, cap, &found);
		if (err == 0 && found) {
			*uid = found->pw_uid;
			ret = 0;
		}
	}
	free(buf);
	return ret;
}

int sm_user_lookup(const char *name, uid_t *uid)
{
	struct sm_str s = {name, strlen(name)};
	int err = look_up_uid(name, uid);
	uint64_t v;

	if (err != -ENOENT)
		return err;
	/* (uid_t)-1 is no user: the system calls take it for "leave it as it is". */
	if (!sm_str_u64(s, &v) || v >= UINT32_MAX)
		return -ENOENT;
	*uid = (uid_t)v;
	return 0;
}
