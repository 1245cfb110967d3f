// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * labtree: a description (see fakesys.c) without FUSE, as it is at one time.
 *
 *	labtree [-t T] SPEC           each file and link: path, tab, value (\n, \xNN),
 *	                              !ERRNO or -> target; then "truth", name and watts
 *	labtree [-t T] -x DIR SPEC    the same as files below DIR, which must exist; a
 *	                              file that cannot be read is left out
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "spec.h"

static char text[LAB_TEXT_MAX];

static void list(const struct node *node, const char *path, int64_t t)
{
	long n;

	if (node->type == N_DIR)
		return;
	lab_escape(stdout, path, strlen(path));
	putchar('\t');
	if (node->type == N_LINK) {
		printf("-> %s\n", node->target);
		return;
	}
	n = node_text(node, t, text, sizeof(text));
	if (n < 0)
		printf("!%s", lab_errname((int)-n));
	else
		lab_escape(stdout, text, (size_t)n);
	putchar('\n');
}

static int write_file(const struct node *node, const char *path, int64_t t)
{
	long n = node_text(node, t, text, sizeof(text));
	FILE *f = n < 0 ? NULL : fopen(path, "we");
	bool fine;

	if (n < 0)
		return 0;
	if (!f)
		return -1;
	fine = fwrite(text, 1, (size_t)n, f) == (size_t)n;
	fine = fclose(f) == 0 && fine;
	return fine ? chmod(path, node_mode(node, t)) : -1;
}

/* Below the working directory. */
static int extract(const struct node *node, const char *path, int64_t t)
{
	int err;

	if (!path[1])
		return 0;
	path++;
	if (node->type == N_DIR)
		err = mkdir(path, 0755);
	else if (node->type == N_LINK)
		err = symlink(node->target, path);
	else
		err = write_file(node, path, t);
	if (err < 0)
		perror(path);
	return err;
}

static void truths(const struct spec *s, int64_t t)
{
	for (unsigned int i = 0; i < s->ntruths; i++) {
		int64_t uw = 0;

		for (unsigned int k = 0; k < s->truth[i]->n; k++)
			uw += power_uw(s->truth[i]->power[k], t);
		printf("truth\t%s\t%.6f\n", s->truth[i]->name, (double)uw / 1e6);
	}
}

int main(int argc, char **argv)
{
	const char *dir = NULL;
	char path[4096];
	struct spec s;
	int64_t t = 0;
	int c;

	while ((c = getopt(argc, argv, "t:x:")) != -1) {
		if (c == 't')
			t = (int64_t)(atof(optarg) * 1e9);
		else if (c == 'x')
			dir = optarg;
		else
			return 2;
	}
	if (argc - optind != 1 || spec_load(&s, argv[optind], stderr) < 0)
		return 2;
	if (dir && chdir(dir) < 0) {
		perror(dir);
		return 1;
	}
	/* A parent has a smaller number than what is below it. */
	for (unsigned int i = 0; i < s.n; i++) {
		if (!node_present(s.node[i], t))
			continue;
		if (!dir)
			list(s.node[i], node_path(s.node[i], path, sizeof(path)), t);
		else if (extract(s.node[i], node_path(s.node[i], path, sizeof(path)), t) <
			 0)
			return 1;
	}
	if (!dir)
		truths(&s, t);
	return 0;
}
