// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <string.h>

#include "tui/tui_curses.h"

#ifdef SM_TUI_LINKED

int sm_tui_curses_load(struct sm_curses *nc, const char *library, const char **why)
{
#define LINKED(name) .name = (name),
	(void)library;
	(void)why;
	*nc = (struct sm_curses){SM_CURSES_FUNCTIONS(LINKED).whole = &stdscr};
	return 0;
}

#else

#include <dlfcn.h>

/* The names are one string: an array of strings would need a relocation each at every
 * start. */
#define NAMED(name) #name "\0"
static const char names[] = SM_CURSES_FUNCTIONS(NAMED);

static bool take(struct sm_curses *nc, void *handle)
{
	char *slot = (char *)nc;
	void *at;

	for (const char *name = names; *name; name += strlen(name) + 1) {
		at = dlsym(handle, name);
		if (!at)
			return false;
		memcpy(slot, &at, sizeof(at));
		slot += sizeof(at);
	}
	/* A copy in the program replaces the library's variable. */
	at = dlsym(RTLD_DEFAULT, "stdscr");
	nc->whole = at ? at : dlsym(handle, "stdscr");
	return nc->whole != NULL;
}

int sm_tui_curses_load(struct sm_curses *nc, const char *library, const char **why)
{
	void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);

	*why = "libncursesw is not installed";
	if (!handle)
		return -ELIBACC;
	if (take(nc, handle))
		return 0;
	*why = "libncursesw lacks functions that the screen needs";
	dlclose(handle);
	return -ELIBACC;
}

#endif
