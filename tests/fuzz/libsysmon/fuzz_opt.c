// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A command line: NUL-separated arguments; the first byte chooses which operands may
 * follow the options.  Every error is reported on stderr in printable text and is exit
 * code 2.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "cli/err.h"
#include "cli/opt.h"

#define ARGS_MAX 64

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct cfg {
	bool all, quiet;
	uint64_t guard_a, count, guard_b, duration_ns, size;
	int color;
	const char *file;
	struct sm_opt_to csv;
};

static int refuse(void *cfg, const char *arg, struct sm_buf *why)
{
	(void)cfg;
	sm_buf_printf(why, "unknown '%s'", arg ? arg : "");
	return arg && arg[0] == 'x' ? -EINVAL : 0;
}

static int on_operand(void *cfg, unsigned int index, const char *arg, struct sm_buf *why)
{
	if (index >= ARGS_MAX)
		abort();
	return refuse(cfg, arg, why);
}

#define AT(field) offsetof(struct cfg, field)
static const char *const when[] = {"auto", "always", "never", NULL};
static const struct sm_opt opts[] = {
	{.kind = SM_OPT_GROUP, .help = "All"},
	{'a', "all", SM_OPT_FLAG, .offset = AT(all)},
	{'c', "count", SM_OPT_U64, "N", .offset = AT(count), .min = 1, .max = 100},
	{'D', "duration", SM_OPT_DURATION, "SECS", .offset = AT(duration_ns),
		.max = 1u << 30},
	{'s', "size", SM_OPT_SIZE, "BYTES", .offset = AT(size)},
	{'e', "event", SM_OPT_CALL, "EVENT", .call = refuse},
	{0, "color", SM_OPT_CHOICE, "WHEN", .offset = AT(color), .choices = when},
	{0, "colour", SM_OPT_CHOICE, "WHEN", .hidden = true, .offset = AT(color),
		.choices = when},
	{'f', "file", SM_OPT_STR, "FILE", .offset = AT(file)},
	{'C', "csv", SM_OPT_TO, "FILE", .arg_optional = true, .offset = AT(csv)},
	{'q', "quiet", SM_OPT_FLAG, .offset = AT(quiet)},
	{'h', "help", SM_OPT_HELP, .help = "this"},
	{'V', "version", SM_OPT_VERSION, .help = "that"},
};

/* stdout and stderr: printable text, lines, and never an escape. */
static void check_text(int fd, bool want)
{
	static unsigned char buf[65536];
	ssize_t n = pread(fd, buf, sizeof(buf), 0);

	if (n < 0 || (n > 0) != want || (n > 0 && buf[n - 1] != '\n'))
		abort();
	for (ssize_t i = 0; i < n; i++)
		if ((buf[i] < ' ' && buf[i] != '\n') || buf[i] == 0x7f)
			abort();
}

static int scratch_out, scratch_err;

static void prepare(void)
{
	if (!scratch_out) {
		scratch_out = memfd_create("out", MFD_CLOEXEC);
		scratch_err = memfd_create("err", MFD_CLOEXEC);
		sm_err_init("fuzz");
	}
	if (ftruncate(scratch_out, 0) < 0 || ftruncate(scratch_err, 0) < 0)
		abort();
	lseek(scratch_out, 0, SEEK_SET);
	lseek(scratch_err, 0, SEEK_SET);
}

static int parse(const struct sm_opt_spec *s, struct cfg *c, int argc, char **argv,
	int *command, int *status)
{
	int out = dup(STDOUT_FILENO), err = dup(STDERR_FILENO), r;

	prepare();
	dup2(scratch_out, STDOUT_FILENO);
	dup2(scratch_err, STDERR_FILENO);
	r = sm_opt_parse(s, c, argc, argv, command, status);
	dup2(out, STDOUT_FILENO);
	dup2(err, STDERR_FILENO);
	close(out);
	close(err);
	return r;
}

static void check(const struct cfg *c, int argc, int r, int command, int status)
{
	if (r != 0 && r != 1)
		abort();
	if (status != SM_EXIT_OK && (r != 1 || status != SM_EXIT_USAGE))
		abort();
	if (command < 1 || command > argc)
		abort();
	if (c->guard_a != 1 || c->guard_b != 2 || c->count > 100 ||
		c->duration_ns > 1u << 30)
		abort();
	if (c->color < 0 || c->color > 2 || (c->file && !*c->file))
		abort();
	check_text(scratch_out, r == 1 && status == SM_EXIT_OK);
	check_text(scratch_err, status == SM_EXIT_USAGE);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char name[] = "fuzz";
	struct sm_opt_spec s = {.tool = "fuzz",
		.version = "0",
		.opts = opts,
		.nopts = SM_ARRAY_SIZE(opts),
		.operand = on_operand};
	struct cfg c = {.guard_a = 1, .guard_b = 2};
	char *argv[ARGS_MAX + 1] = {name}, *copy;
	int argc = 1, command = -1, status = -1, r;

	if (size < 1)
		return 0;
	s.rest = data[0] % 3;
	copy = malloc(size);
	if (!copy)
		return 0;
	memcpy(copy, data + 1, size - 1);
	copy[size - 1] = '\0';
	for (char *p = copy; p < copy + size && argc < ARGS_MAX; p += strlen(p) + 1)
		argv[argc++] = p;
	r = parse(&s, &c, argc, argv, &command, &status);
	check(&c, argc, r, command, status);
	free(copy);
	return 0;
}
