// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <sys/stat.h>

#include "proc/irqname.h"
#include "unit.h"

static char dir[UNIT_DIR];
static struct sm_root root;

static void path_of(char *path, size_t size, const char *what)
{
	ck_assert_int_lt(snprintf(path, size, "%s/%s", dir, what), (int)size);
}

static void make_dir(const char *name)
{
	char path[96];

	path_of(path, sizeof(path), name);
	ck_assert_int_eq(mkdir(path, 0755), 0);
}

static void make_irq(unsigned int irq, const char *actions)
{
	char name[64], path[96];
	FILE *f;

	snprintf(name, sizeof(name), "sys/kernel/irq/%u", irq);
	make_dir(name);
	snprintf(name, sizeof(name), "sys/kernel/irq/%u/actions", irq);
	path_of(path, sizeof(path), name);
	f = fopen(path, "w");
	ck_assert_ptr_nonnull(f);
	fputs(actions, f);
	ck_assert_int_eq(fclose(f), 0);
}

static void setup(void)
{
	unit_mkdtemp(dir);
	make_dir("proc");
	make_dir("sys");
	make_dir("sys/kernel");
	make_dir("sys/kernel/irq");
	make_irq(9, "acpi,other\n");
	make_irq(10, "\n");
	make_irq(11, "a\033[2J\xff(b\n");
	ck_assert_int_eq(sm_root_open(&root, dir), 0);
}

static void remove_dir(void)
{
	char command[64];

	snprintf(command, sizeof(command), "rm -r '%s'", dir);
	ck_assert_int_eq(system(command), 0);
}

static void teardown(void)
{
	sm_root_close(&root);
	remove_dir();
}

START_TEST(names)
{
	char name[32];

	ck_assert_int_eq(sm_irqname_read(&root, 9, name, sizeof(name)), 0);
	ck_assert_str_eq(name, "acpi,other");
	ck_assert_int_eq(sm_irqname_read(&root, 9, name, 4), 0);
	ck_assert_str_eq(name, "acp");
	ck_assert_int_eq(sm_irqname_read(&root, 11, name, sizeof(name)), 0);
	ck_assert_str_eq(name, "a\033[2J\xff(b");
}
END_TEST

START_TEST(no_names)
{
	char name[32];

	ck_assert_int_eq(sm_irqname_read(&root, 10, name, sizeof(name)), -ENODATA);
	ck_assert_int_eq(sm_irqname_read(&root, 12, name, sizeof(name)), -ENOENT);
	ck_assert_int_eq(
		sm_irqname_read(&root, 4294967295u, name, sizeof(name)), -ENOENT);
}
END_TEST

/* Linux 6.18: "IWI: IRQ work interrupts" of /proc/interrupts is vector 0xf6. */
START_TEST(vectors)
{
	ck_assert_str_eq(sm_irqname_vector(0xec), "local timer");
	ck_assert_str_eq(sm_irqname_vector(0xf6), "IRQ work");
	ck_assert_str_eq(sm_irqname_vector(0xff), "spurious");
	ck_assert_str_eq(sm_irqname_vector(0), "");
	ck_assert_str_eq(sm_irqname_vector(0xed), "");
	ck_assert_str_eq(sm_irqname_vector(0x100), "");
	ck_assert_str_eq(sm_irqname_vector(UINT32_MAX), "");
}
END_TEST

static TCase *tc_names(void)
{
	TCase *tc = tcase_create("names");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, names);
	tcase_add_test(tc, no_names);
	tcase_add_test(tc, vectors);
	return tc;
}

UNIT_MAIN("irqname", tc_names)
