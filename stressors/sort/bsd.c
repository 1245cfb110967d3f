// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <string.h>

#include "../run/stress.h"
#include "bsd.h"

/* open_library() returns NULL if the libbsd functions are available, otherwise the reason
 * why not. */
#if defined(STRESSORS_BSD_LINKED)

#include <bsd/stdlib.h>

static const char *open_library(struct sort_bsd *b)
{
	*b = (struct sort_bsd){
		.heapsort = heapsort, .mergesort = mergesort, .radixsort = radixsort};
	return NULL;
}

static void close_library(struct sort_bsd *b)
{
	(void)b;
}

#elif defined(SM_TUI_LINKED)

static const char *open_library(struct sort_bsd *b)
{
	(void)b;
	return "this static program was built without libbsd";
}

static void close_library(struct sort_bsd *b)
{
	(void)b;
}

#else

#include <dlfcn.h>

static bool take(void *library, const char *name, void *function, size_t size)
{
	void *at = dlsym(library, name);

	memcpy(function, &at, size);
	return at != NULL;
}

static void close_library(struct sort_bsd *b)
{
	if (b->library)
		dlclose(b->library);
	b->library = NULL;
}

static const char *open_library(struct sort_bsd *b)
{
	void *library;

	errno = 0;
	library = dlopen("libbsd.so.0", RTLD_NOW | RTLD_LOCAL);
	b->error = library ? 0 : errno;
	b->library = library;
	if (!library)
		return "libbsd is not installed";
	if (take(library, "heapsort", &b->heapsort, sizeof(b->heapsort)) &&
		take(library, "mergesort", &b->mergesort, sizeof(b->mergesort)) &&
		take(library, "radixsort", &b->radixsort, sizeof(b->radixsort)))
		return NULL;
	close_library(b);
	return "libbsd lacks heapsort, mergesort or radixsort";
}

#endif

int sort_bsd_setup(struct stress *s, struct sort_bsd *b)
{
	const char *why = open_library(b);

	if (!why)
		return 0;
	if (stress_is_lack(b->error))
		return stress_lacks(s, "cannot load libbsd: %s", strerror(b->error));
	return stress_skip(s, "%s", why);
}

/* A lack of memory here does not show that the library is missing: setup decides. */
const char *sort_bsd_probe(const struct stress *s)
{
	struct sort_bsd b = {0};
	const char *why = open_library(&b);

	(void)s;
	if (!why)
		close_library(&b);
	return stress_is_lack(b.error) ? NULL : why;
}
