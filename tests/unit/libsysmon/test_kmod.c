// SPDX-License-Identifier: GPL-2.0-or-later
#include <dlfcn.h>

#include "fixroot_rig.h"
#include "cli/kmod.h"

/* ---- what is there ---- */

START_TEST(present)
{
	static const char *const bad[] = {"", ".", "..", "../x", "a/b", "/x", ".hidden"};
	struct sm_root none = SM_ROOT_INIT;
	char big[200];

	ck_assert_int_eq(sm_kmod_present(&none, "msr"), -ENOENT);
	fix_put("sys/module/msr/initstate", "live\n");
	fix_put("sys/module/intel_rapl_msr/initstate", "coming\n");
	fix_put("sys/module/leaving/initstate", "going\n");
	fix_put("sys/module/printk/parameters/time", "Y\n");
	ck_assert_int_eq(sm_kmod_present(&fix, "msr"), SM_KMOD_WAS_LOADED);
	ck_assert_int_eq(sm_kmod_present(&fix, "intel-rapl_msr"), SM_KMOD_WAS_LOADED);
	ck_assert_int_eq(sm_kmod_present(&fix, "leaving"), -ENOENT);
	ck_assert_int_eq(sm_kmod_present(&fix, "printk"), SM_KMOD_BUILTIN);
	ck_assert_int_eq(sm_kmod_present(&fix, "nosuch"), -ENOENT);
	for (size_t i = 0; i < SM_ARRAY_SIZE(bad); i++)
		ck_assert_msg(sm_kmod_present(&fix, bad[i]) == -EINVAL, "'%s'", bad[i]);
	memset(big, 'x', sizeof(big) - 1);
	big[sizeof(big) - 1] = '\0';
	ck_assert_int_eq(sm_kmod_present(&fix, big), -EINVAL);
}
END_TEST

/* ---- the library ---- */

START_TEST(no_library)
{
	struct sm_kmod_api api;

	ck_assert_ptr_null(sm_kmod_api_open(&api, "libsysmon-nosuch.so.2"));
	ck_assert_ptr_null(sm_kmod_api_open(&api, "/dev/null"));
	/* one without these functions */
	ck_assert_ptr_null(sm_kmod_api_open(&api, "libm.so.6"));
}
END_TEST

static bool library_here(void)
{
	void *handle = dlopen("libkmod.so.2", RTLD_NOW);

	if (handle)
		dlclose(handle);
	return handle != NULL;
}

/* Its own words would go to stderr. */
START_TEST(no_such_module)
{
	int want = library_here() ? -ENOENT : -ELIBACC, was = dup(2), ret;
	FILE *words = tmpfile();

	ck_assert_ptr_nonnull(words);
	ck_assert_int_ge(dup2(fileno(words), 2), 0);
	ret = sm_kmod_load("sysmon-no-such-module");
	ck_assert_int_ge(dup2(was, 2), 0);
	close(was);
	ck_assert_int_eq(ret, want);
	ck_assert_int_eq(lseek(fileno(words), 0, SEEK_END), 0);
	fclose(words);
	ck_assert_int_eq(sm_kmod_load("../../etc/passwd"), -EINVAL);
}
END_TEST

/* printk has parameters in every kernel's /sys/module, and is no module in any. */
START_TEST(builtin_live)
{
	if (access("/sys/module/printk", F_OK) != 0)
		return;
	ck_assert_int_eq(sm_kmod_load("printk"), SM_KMOD_BUILTIN);
}
END_TEST

/* ---- what we do with it: a libkmod of our own ---- */

#define MODULES_MAX 4

static struct {
	bool no_ctx;
	int lookup;		       /* what it returns */
	size_t n;		       /* modules of the alias */
	int state[MODULES_MAX];	       /* initstate of each */
	int probe[MODULES_MAX];	       /* what inserting it gives */
	int probed, lists, ctxs, mods; /* counted; the latter three back to 0 */
	bool silenced;
	unsigned int flags;
} fake;

static char ctx_object, entries[MODULES_MAX + 1], mods[MODULES_MAX];

static struct kmod_ctx *fake_new(const char *dirname, const char *const *config)
{
	ck_assert_ptr_null(dirname);
	ck_assert_ptr_null(config);
	fake.ctxs += !fake.no_ctx;
	return fake.no_ctx ? NULL : (struct kmod_ctx *)&ctx_object;
}

static struct kmod_ctx *fake_unref(struct kmod_ctx *ctx)
{
	ck_assert_ptr_eq(ctx, &ctx_object);
	fake.ctxs--;
	return NULL;
}

static void fake_set_log_fn(struct kmod_ctx *ctx, sm_kmod_log_fn fn, const void *data)
{
	(void)ctx;
	(void)data;
	fake.silenced = fn != NULL;
}

static int fake_lookup(struct kmod_ctx *ctx, const char *alias, struct kmod_list **list)
{
	(void)ctx;
	ck_assert_str_eq(alias, "some-alias");
	ck_assert(fake.silenced);
	if (fake.n) {
		*list = (struct kmod_list *)&entries[0];
		fake.lists++;
	}
	return fake.lookup;
}

static size_t entry_index(const struct kmod_list *e)
{
	return (size_t)((const char *)e - entries);
}

static struct kmod_list *fake_next(
	const struct kmod_list *list, const struct kmod_list *at)
{
	ck_assert_ptr_eq(list, entries);
	return entry_index(at) + 1 < fake.n
		       ? (struct kmod_list *)&entries[entry_index(at) + 1]
		       : NULL;
}

static int fake_unref_list(struct kmod_list *list)
{
	ck_assert_ptr_eq(list, entries);
	fake.lists--;
	return 0;
}

static struct kmod_module *fake_get_module(const struct kmod_list *e)
{
	fake.mods++;
	return (struct kmod_module *)&mods[entry_index(e)];
}

static struct kmod_module *fake_unref_module(struct kmod_module *mod)
{
	(void)mod;
	fake.mods--;
	return NULL;
}

static size_t mod_index(const struct kmod_module *mod)
{
	return (size_t)((const char *)mod - mods);
}

static int fake_initstate(const struct kmod_module *mod)
{
	return fake.state[mod_index(mod)];
}

static int fake_probe(struct kmod_module *mod, unsigned int flags, const char *options,
	int (*run_install)(struct kmod_module *m, const char *cmdline, void *data),
	const void *data,
	void (*print_action)(
		struct kmod_module *m, bool install, const char *options_used))
{
	ck_assert(!options && !run_install && !data && !print_action);
	fake.flags = flags;
	fake.probed++;
	return fake.probe[mod_index(mod)];
}

static const struct sm_kmod_api api = {
	.new_ctx = fake_new,
	.unref = fake_unref,
	.set_log_fn = fake_set_log_fn,
	.list_next = fake_next,
	.new_from_lookup = fake_lookup,
	.unref_list = fake_unref_list,
	.get_module = fake_get_module,
	.unref_module = fake_unref_module,
	.get_initstate = fake_initstate,
	.probe_insert_module = fake_probe,
};

static void fake_setup(void)
{
	memset(&fake, 0, sizeof(fake));
}

/* Everything that was taken is given back. */
static int load(void)
{
	int ret = sm_kmod_load_by(&api, "some-alias");

	ck_assert_int_eq(fake.ctxs, 0);
	ck_assert_int_eq(fake.lists, 0);
	ck_assert_int_eq(fake.mods, 0);
	return ret;
}

static int load_one(int state, int probe)
{
	fake.n = 1;
	fake.state[0] = state;
	fake.probe[0] = probe;
	fake.probed = 0;
	return load();
}

START_TEST(outcomes)
{
	ck_assert_int_eq(load_one(-ENOENT, 0), SM_KMOD_LOADED);
	ck_assert_int_eq(fake.probed, 1);
	ck_assert_uint_eq(fake.flags, 0x20000);
	ck_assert_int_eq(load_one(-ENOENT, -EPERM), -EPERM);
	ck_assert_int_eq(load_one(-ENOENT, -ENOENT), -ENOENT);
	ck_assert_int_eq(load_one(-ENOENT, -EEXIST), SM_KMOD_WAS_LOADED);
	ck_assert_int_eq(load_one(-ENOENT, 0x20000), -EACCES); /* blacklisted */
	ck_assert_int_eq(load_one(3, 0), SM_KMOD_LOADED);      /* was going */
	ck_assert_int_eq(fake.probed, 1);
	ck_assert_int_eq(load_one(0, -EPERM), SM_KMOD_BUILTIN);
	ck_assert_int_eq(load_one(1, -EPERM), SM_KMOD_WAS_LOADED);
	ck_assert_int_eq(load_one(2, -EPERM), SM_KMOD_WAS_LOADED);
	ck_assert_int_eq(fake.probed, 0);
}
END_TEST

START_TEST(nothing_found)
{
	ck_assert_int_eq(load(), -ENOENT);
	fake.lookup = -ENOSYS;
	ck_assert_int_eq(load(), -ENOSYS);
	fake.n = 1; /* an error, and yet a list */
	ck_assert_int_eq(load(), -ENOSYS);
	ck_assert_int_eq(fake.probed, 0);
	fake.no_ctx = true;
	ck_assert_int_eq(load(), -ENOENT);
}
END_TEST

START_TEST(several)
{
	fake.n = 3;
	fake.state[0] = fake.state[1] = fake.state[2] = -ENOENT;
	fake.probe[0] = -EPERM;
	fake.probe[1] = -ENODEV;
	fake.probe[2] = -EIO;
	ck_assert_int_eq(load(), -EPERM);
	ck_assert_int_eq(fake.probed, 3);
	fake.state[1] = 1;
	ck_assert_int_eq(load(), SM_KMOD_WAS_LOADED);
	fake.probe[2] = 0;
	ck_assert_int_eq(load(), SM_KMOD_LOADED);
	fake.probe[0] = 0;
	fake.probe[2] = -EIO;
	ck_assert_int_eq(load(), SM_KMOD_LOADED);
}
END_TEST

static TCase *tc_present(void)
{
	TCase *tc = tcase_create("present");

	tcase_add_checked_fixture(tc, fix_open, fix_close);
	tcase_add_test(tc, present);
	return tc;
}

static TCase *tc_library(void)
{
	TCase *tc = tcase_create("library");

	tcase_add_test(tc, no_library);
	tcase_add_test(tc, no_such_module);
	tcase_add_test(tc, builtin_live);
	return tc;
}

static TCase *tc_load(void)
{
	TCase *tc = tcase_create("load");

	tcase_add_checked_fixture(tc, fake_setup, NULL);
	tcase_add_test(tc, outcomes);
	tcase_add_test(tc, nothing_found);
	tcase_add_test(tc, several);
	return tc;
}

UNIT_MAIN("kmod", tc_present, tc_library, tc_load)
