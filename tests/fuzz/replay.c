// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * replay: main() of a fuzz target without libFuzzer: runs it on the empty input and then
 * on every file named (or in the directories named) and prints TAP.  Each input is a heap
 * block of exactly its length, so that sanitizers and valgrind detect an access beyond
 * it.
 */
#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct list {
	char **path;
	size_t n;
};

static void die(const char *what)
{
	fprintf(stderr, "replay: %s: %s\n", what, strerror(errno));
	exit(2);
}

static void list_add(struct list *l, char *path)
{
	char **p = realloc(l->path, (l->n + 1) * sizeof(*p));

	if (!p || !path)
		die("memory");
	l->path = p;
	l->path[l->n++] = path;
}

static int visible(const struct dirent *d)
{
	return d->d_name[0] != '.';
}

static void list_dir(struct list *l, const char *dir)
{
	struct dirent **ent;
	int n = scandir(dir, &ent, visible, alphasort);

	if (n < 0)
		die(dir);
	for (int i = 0; i < n; i++) {
		char *path;

		if (asprintf(&path, "%s/%s", dir, ent[i]->d_name) < 0)
			die("memory");
		list_add(l, path);
		free(ent[i]);
	}
	free(ent);
}

static void feed(const char *path)
{
	FILE *f = fopen(path, "rb");
	struct stat st;
	uint8_t *data;
	size_t n;

	if (!f || fstat(fileno(f), &st))
		die(path);
	data = malloc(st.st_size > 0 ? (size_t)st.st_size : 1);
	if (!data)
		die("memory");
	n = fread(data, 1, (size_t)st.st_size, f);
	if (ferror(f) || n != (size_t)st.st_size)
		die(path);
	fclose(f);
	LLVMFuzzerTestOneInput(data, n);
	free(data);
}

int main(int argc, char **argv)
{
	struct list l = {0};
	struct stat st;

	setvbuf(stdout, NULL, _IOLBF, 0);
	for (int i = 1; i < argc; i++) {
		if (stat(argv[i], &st))
			die(argv[i]);
		if (S_ISDIR(st.st_mode))
			list_dir(&l, argv[i]);
		else
			list_add(&l, strdup(argv[i]));
	}
	printf("1..%zu\n", l.n + 1);
	LLVMFuzzerTestOneInput((const uint8_t *)"", 0);
	printf("ok 1 - the empty input\n");
	for (size_t i = 0; i < l.n; i++) {
		feed(l.path[i]);
		printf("ok %zu - %s\n", i + 2, l.path[i]);
		free(l.path[i]);
	}
	free(l.path);
	return 0;
}
