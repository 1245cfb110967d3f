// SPDX-License-Identifier: GPL-2.0-or-later
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "cli/err.h"
#include "cli/kmod.h"
#include "cli/opt_value.h"

#define LIBRARY		"libkmod.so.2"
#define APPLY_BLACKLIST 0x20000 /* KMOD_PROBE_APPLY_BLACKLIST */
#define NAME_CAP	128u	/* the kernel's MODULE_NAME_LEN is 64 minus a pointer */

/* enum kmod_module_initstate */
enum { STATE_BUILTIN, STATE_LIVE, STATE_COMING };

/* Checks that the declarations of kmod.h match libkmod's. */
#if __has_include(<libkmod.h>)
#include <libkmod.h>
#define SAME_AS(member, function)                                             \
	_Static_assert(__builtin_types_compatible_p(                          \
			       __typeof__(((struct sm_kmod_api *)0)->member), \
			       __typeof__(&(function))),                      \
		#function)
SAME_AS(new_ctx, kmod_new);
SAME_AS(unref, kmod_unref);
SAME_AS(set_log_fn, kmod_set_log_fn);
SAME_AS(list_next, kmod_list_next);
SAME_AS(new_from_lookup, kmod_module_new_from_lookup);
SAME_AS(unref_list, kmod_module_unref_list);
SAME_AS(get_module, kmod_module_get_module);
SAME_AS(unref_module, kmod_module_unref);
SAME_AS(get_initstate, kmod_module_get_initstate);
SAME_AS(probe_insert_module, kmod_module_probe_insert_module);
_Static_assert(APPLY_BLACKLIST == KMOD_PROBE_APPLY_BLACKLIST, "flag");
_Static_assert((int)STATE_BUILTIN == (int)KMOD_MODULE_BUILTIN, "state");
_Static_assert((int)STATE_COMING == (int)KMOD_MODULE_COMING, "state");
#endif

/* ---- the library ---- */

static const struct {
	const char *name;
	size_t offset;
} functions[] = {
	{"kmod_new", offsetof(struct sm_kmod_api, new_ctx)},
	{"kmod_unref", offsetof(struct sm_kmod_api, unref)},
	{"kmod_set_log_fn", offsetof(struct sm_kmod_api, set_log_fn)},
	{"kmod_list_next", offsetof(struct sm_kmod_api, list_next)},
	{"kmod_module_new_from_lookup", offsetof(struct sm_kmod_api, new_from_lookup)},
	{"kmod_module_unref_list", offsetof(struct sm_kmod_api, unref_list)},
	{"kmod_module_get_module", offsetof(struct sm_kmod_api, get_module)},
	{"kmod_module_unref", offsetof(struct sm_kmod_api, unref_module)},
	{"kmod_module_get_initstate", offsetof(struct sm_kmod_api, get_initstate)},
	{"kmod_module_probe_insert_module",
		offsetof(struct sm_kmod_api, probe_insert_module)},
};

void *sm_kmod_api_open(struct sm_kmod_api *api, const char *library)
{
	void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);

	for (size_t i = 0; handle && i < SM_ARRAY_SIZE(functions); i++) {
		void *fn = dlsym(handle, functions[i].name);

		if (!fn) {
			dlclose(handle);
			return NULL;
		}
		memcpy((char *)api + functions[i].offset, &fn, sizeof(fn));
	}
	return handle;
}

/* ---- loading ---- */

static void silent(void *data, int priority, const char *file, int line, const char *fn,
	const char *format, va_list args)
{
	(void)data;
	(void)priority;
	(void)file;
	(void)line;
	(void)fn;
	(void)format;
	(void)args;
}

static int load_module(const struct sm_kmod_api *api, struct kmod_module *mod)
{
	int state = api->get_initstate(mod), err;

	if (state == STATE_BUILTIN)
		return SM_KMOD_BUILTIN;
	if (state == STATE_LIVE || state == STATE_COMING)
		return SM_KMOD_WAS_LOADED;
	err = api->probe_insert_module(mod, APPLY_BLACKLIST, NULL, NULL, NULL, NULL);
	if (err == -EEXIST)
		return SM_KMOD_WAS_LOADED;
	return err > 0 ? -EACCES : err < 0 ? err : SM_KMOD_LOADED;
}

/* If an alias has several modules, the best result is returned; if all fail, the first
 * failure. */
static int load_list(const struct sm_kmod_api *api, struct kmod_list *list)
{
	int best = -ENOENT;
	bool first = true;

	for (struct kmod_list *at = list; at; at = api->list_next(list, at)) {
		struct kmod_module *mod = api->get_module(at);
		int ret = load_module(api, mod);

		api->unref_module(mod);
		if (first || (ret >= 0 && (best < 0 || ret < best)))
			best = ret;
		first = false;
	}
	return best;
}

int sm_kmod_load_by(const struct sm_kmod_api *api, const char *name)
{
	struct kmod_ctx *ctx = api->new_ctx(NULL, NULL);
	struct kmod_list *list = NULL;
	int ret;

	if (!ctx)
		return -ENOENT; /* no directory of this kernel's modules */
	api->set_log_fn(ctx, silent, NULL);
	ret = api->new_from_lookup(ctx, name, &list);
	if (ret >= 0)
		ret = load_list(api, list);
	if (list)
		api->unref_list(list);
	api->unref(ctx);
	return ret;
}

/* Writes the name as the kernel spells it; false for a path. */
static bool spell(const char *name, char *out)
{
	size_t n = strlen(name);

	if (n == 0 || n >= NAME_CAP || name[0] == '.' || strchr(name, '/'))
		return false;
	for (size_t i = 0; i <= n; i++)
		out[i] = name[i] == '-' ? '_' : name[i];
	return true;
}

int sm_kmod_present(const struct sm_root *root, const char *name)
{
	char spelled[NAME_CAP], path[NAME_CAP + 32], state[16];
	ssize_t n;

	if (!spell(name, spelled))
		return -EINVAL;
	snprintf(path, sizeof(path), "module/%s/initstate", spelled);
	n = sm_file_slurp(root->sys, path, state, sizeof(state));
	if (n >= 0)
		return strcmp(state, "live\n") == 0 || strcmp(state, "coming\n") == 0
			       ? SM_KMOD_WAS_LOADED
			       : -ENOENT;
	snprintf(path, sizeof(path), "module/%s", spelled);
	return n == -ENOENT && faccessat(root->sys.fd, path, F_OK, 0) == 0
		       ? SM_KMOD_BUILTIN
		       : -ENOENT;
}

int sm_kmod_load(const char *name)
{
	struct sm_kmod_api api;
	struct sm_root live;
	void *handle;
	int ret = sm_root_open(&live, NULL);

	if (ret == 0) {
		ret = sm_kmod_present(&live, name);
		sm_root_close(&live);
	}
	if (ret >= 0 || ret == -EINVAL)
		return ret;
	handle = sm_kmod_api_open(&api, LIBRARY);
	if (!handle)
		return -ELIBACC;
	ret = sm_kmod_load_by(&api, name);
	dlclose(handle);
	return ret;
}

static int one_of_list(void *ctx, struct sm_str s, struct sm_buf *why)
{
	struct sm_buf name = {0};
	int err;

	(void)ctx;
	(void)why;
	sm_text_human(&name, s.p, s.n, SM_TEXT_UTF8);
	sm_buf_chr(&name, '\0');
	if (!name.p)
		return -ENOMEM;
	err = sm_kmod_load(name.p);
	if (err == -ELIBACC)
		sm_err("--load-modules: libkmod is not installed");
	else if (err < 0)
		sm_err("--load-modules: %s: %s", name.p,
			err == -ENOENT ? "no such module" : strerror(-err));
	sm_buf_fini(&name);
	return 0;
}

void sm_kmod_load_list(const char *list)
{
	struct sm_buf why = {0};

	(void)!sm_opt_each(list, one_of_list, NULL, &why);
	sm_buf_fini(&why);
}
