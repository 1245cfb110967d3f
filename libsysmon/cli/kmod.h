/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kmod: loads kernel modules with libkmod, which is opened (dlopen) only if requested: linking it would
 * double the startup time of every tool.  cli layer.
 *
 * Modules that are loaded already are found in /sys/module (Documentation/ABI/stable/sysfs-module)
 * without libkmod.  The configuration in modprobe.d(5) applies, including blacklists.  libkmod's own
 * messages are suppressed.
 */
#ifndef SM_KMOD_H
#define SM_KMOD_H

#include <stdarg.h>
#include "base/base.h"
#include "base/root.h"

enum sm_kmod_result { SM_KMOD_LOADED, SM_KMOD_WAS_LOADED, SM_KMOD_BUILTIN };

/* Loads a module by name or alias with its dependencies, as modprobe(8) does.  Returns an enum
 * sm_kmod_result; -ENOENT: no such module; -EINVAL: not a module name; -EPERM: not permitted; -EACCES:
 * blacklisted; -ELIBACC: libkmod is not installed, or the program is static. */
int sm_kmod_load(const char *name) SM_MUST;

/* Loads each module of a list "A,B"; errors are reported with sm_err() as errors of --load-modules. */
void sm_kmod_load_list(const char *list);

/* ---- the parts, for tests ---- */

struct kmod_ctx;
struct kmod_list;
struct kmod_module;

typedef void (*sm_kmod_log_fn)(void *data, int priority, const char *file, int line,
	const char *fn, const char *format, va_list args);

struct sm_kmod_api { /* the functions of libkmod named kmod_NAME or kmod_module_NAME */
	struct kmod_ctx *(*new_ctx)(const char *dirname, const char *const *config_paths);
	struct kmod_ctx *(*unref)(struct kmod_ctx *ctx);
	void (*set_log_fn)(struct kmod_ctx *ctx, sm_kmod_log_fn fn, const void *data);
	struct kmod_list *(*list_next)(const struct kmod_list *list,
		const struct kmod_list *curr);
	int (*new_from_lookup)(struct kmod_ctx *ctx, const char *alias, struct kmod_list **list);
	int (*unref_list)(struct kmod_list *list);
	struct kmod_module *(*get_module)(const struct kmod_list *entry);
	struct kmod_module *(*unref_module)(struct kmod_module *mod);
	int (*get_initstate)(const struct kmod_module *mod);
	int (*probe_insert_module)(struct kmod_module *mod, unsigned int flags,
		const char *options,
		int (*run_install)(struct kmod_module *m, const char *cmdline, void *data),
		const void *data,
		void (*print_action)(struct kmod_module *m, bool install, const char *options));
};

/* Sets the pointers to the functions of that library.  Returns a handle for dlclose(3), or NULL. */
void *sm_kmod_api_open(struct sm_kmod_api *api, const char *library) SM_MUST;
/* sm_kmod_load() with these functions. */
int sm_kmod_load_by(const struct sm_kmod_api *api, const char *name) SM_MUST;
/* Returns SM_KMOD_WAS_LOADED or SM_KMOD_BUILTIN; -ENOENT: not present (a builtin module without
 * parameters is not visible); -EINVAL: not a module name. */
int sm_kmod_present(const struct sm_root *root, const char *name) SM_MUST;

#endif
