/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kmod: loading kernel modules by libkmod, which is opened (dlopen) only when asked for:
 * linking it would double every tool's start-up.  cli layer.
 */
#ifndef SM_KMOD_H
#define SM_KMOD_H

#include "base.h"

enum sm_kmod_result { SM_KMOD_LOADED, SM_KMOD_WAS_LOADED, SM_KMOD_BUILTIN };

/* Loads a module by name with its dependencies, as modprobe(8) does.  An enum sm_kmod_result;
 * -ENOENT: no such module; -EPERM: not allowed; -ELIBACC: no libkmod on this system. */
int sm_kmod_load(const char *name) SM_MUST;

#endif
