// SPDX-License-Identifier: GPL-2.0-or-later
/* Names by BPF, compared with the lines of /proc/kallsyms. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "proc/ksymname.h"
#include "proc/ksyms.h"
#include "unit.h"

#define EVERY 2000 /* functions of which one is tested */
#define MOST  200

static struct sm_root root;
static struct {
	uint64_t address;
	char name[128];
} symbol[MOST];
static size_t n;

/* Returns true for a function of the kernel or of a module that is a file: not for code
 * that the kernel makes, such as [bpf] and [__builtin__ftrace]. */
static bool is_lasting(char type, const char *module)
{
	return strchr("tT", type) && strcmp(module, "[bpf]") != 0 && module[1] != '_';
}

/* Takes every 2000th function and the first one of a module, if it is the only symbol of
 * its address. */
static void read_symbols(void)
{
	FILE *f = fopen("/proc/kallsyms", "r");
	char line[512], type, name[128];
	uint64_t address, last = 0;
	size_t functions = 0;
	bool has_module = false;

	ck_assert_ptr_nonnull(f);
	while (n < MOST && fgets(line, sizeof(line), f)) {
		char module[64] = "";

		if (sscanf(line, "%" SCNx64 " %c %127s %63s", &address, &type, name,
			    module) < 3)
			continue;
		if (n && address == last && symbol[n - 1].address == address)
			n--;
		else if (address && address != last && is_lasting(type, module) &&
			 (functions++ % EVERY == 0 || (module[0] && !has_module))) {
			symbol[n].address = address;
			strcpy(symbol[n++].name, name);
			has_module = has_module || module[0];
		}
		last = address;
	}
	fclose(f);
}

static void setup(void)
{
	ck_assert_int_eq(sm_root_open(&root, NULL), 0);
	if (!n)
		read_symbols();
}

static void teardown(void)
{
	sm_root_close(&root);
}

/* Opens the program, unless it is not supported or the names are hidden. */
static bool able(struct sm_ksymname *k)
{
	int err = sm_ksymname_open(k, &root);

	if (err)
		unit_skip("names by BPF: %s", strerror(-err));
	else if (!n)
		unit_skip("the kernel shows no symbols");
	if (!err && !n)
		sm_ksymname_close(k);
	return !err && n;
}

START_TEST(as_in_kallsyms)
{
	struct sm_ksymname k;
	struct sm_ksymname_batch *b;

	if (!able(&k))
		return;
	b = sm_ksymname_batch(&k);
	for (size_t i = 0; i < n; i += SM_KSYMNAME_BATCH) {
		size_t most = n - i < SM_KSYMNAME_BATCH ? n - i : SM_KSYMNAME_BATCH;

		memset(b, 0, sizeof(*b));
		for (size_t j = 0; j < most; j++)
			b->address[j] = symbol[i + j].address;
		ck_assert_int_eq(sm_ksymname_run(&k), 0);
		for (size_t j = 0; j < SM_KSYMNAME_BATCH; j++) {
			b->name[j][strcspn(b->name[j], " ")] = '\0';
			ck_assert_str_eq(b->name[j], j < most ? symbol[i + j].name : "");
		}
	}
	sm_ksymname_close(&k);
}
END_TEST

START_TEST(not_a_function)
{
	struct sm_ksymname k;

	if (!able(&k))
		return;
	sm_ksymname_batch(&k)->address[3] = 0x1234;
	ck_assert_int_eq(sm_ksymname_run(&k), 0);
	ck_assert_str_eq(sm_ksymname_batch(&k)->name[3], "0x1234");
	sm_ksymname_close(&k);
}
END_TEST

/* The names of all symbols, in either way; the first address is not in a function. */
static void check_ksyms(bool by_program)
{
	struct sm_ksyms k;

	ck_assert_int_eq(sm_ksyms_open(&k, &root), 0);
	if (!by_program)
		sm_ksymname_close(&k.program);
	ck_assert_int_eq(sm_ksyms_add(&k, 1), 0);
	for (int half = 0; half < 2; half++) {
		for (size_t i = half ? n / 2 : 0; i < (half ? n : n / 2); i++)
			ck_assert_int_eq(sm_ksyms_add(&k, symbol[i].address), 0);
		ck_assert_int_eq(sm_ksyms_read(&k), 0);
	}
	ck_assert_int_eq(k.program.prog_fd >= 0, by_program);
	for (size_t i = 0; i < n; i++) {
		const char *name = sm_ksyms_name(&k, symbol[i].address);

		ck_assert_int_eq(strncmp(name, symbol[i].name, SM_KSYM_NAME_MAX), 0);
		ck_assert_str_ne(name, "");
	}
	ck_assert_str_eq(sm_ksyms_name(&k, 1), "");
	sm_ksyms_close(&k);
}

START_TEST(by_ksyms)
{
	struct sm_ksymname k;

	if (!able(&k))
		return;
	sm_ksymname_close(&k);
	check_ksyms(true);
	check_ksyms(false);
}
END_TEST

START_TEST(only_the_running_kernel)
{
	struct sm_ksymname k;
	struct sm_root other;

	ck_assert_int_eq(sm_root_open(&other, "/"), 0);
	ck_assert_int_eq(sm_ksymname_open(&k, &other), -ENOTSUP);
	ck_assert_int_eq(k.prog_fd, -1);
	sm_root_close(&other);
}
END_TEST

static TCase *tc_ksymname(void)
{
	TCase *tc = tcase_create("ksymname");

	tcase_add_unchecked_fixture(tc, setup, teardown);
	tcase_add_test(tc, as_in_kallsyms);
	tcase_add_test(tc, not_a_function);
	tcase_add_test(tc, by_ksyms);
	tcase_add_test(tc, only_the_running_kernel);
	return tc;
}

UNIT_MAIN("ksymname", tc_ksymname)
