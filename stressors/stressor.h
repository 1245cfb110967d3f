/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stressor: what a stressor is.
 *
 * One file s_NAME.c each, with one `const struct stressor stressor_NAME` (a '-' of the name is a '_' there
 * and in the file's name); list.c finds them all.  Options, help, completions, man page, plan and results
 * are made from this table; the man page also has the remarks beside it (man/remarks.h).  CONTRIBUTING.md
 * has the recipe.
 *
 * An instance is a process of its own: setup, then it waits until all are set up, run until
 * stress_goes_on() says no (not after a setup that failed).  stress.h is what it may use.  Nothing
 * is left behind that does not end with the process: memory is private or without a name, children end with
 * it, files have names only in a directory that the supervisor removes (run/scratch.h), and ids are noted
 * for it (run/sysv.h).  Memory, mappings and descriptors that setup has made end with the process, too: no
 * code releases them.
 */
#ifndef STRESSORS_STRESSOR_H
#define STRESSORS_STRESSOR_H

#include "base/base.h"

struct stress;

enum stressor_class {
	CLASS_CPU = 1u << 0,
	CLASS_CPU_CACHE = 1u << 1,
	CLASS_MEMORY = 1u << 2,
	CLASS_VM = 1u << 3,
	CLASS_IO = 1u << 4,
	CLASS_FILESYSTEM = 1u << 5,
	CLASS_DEVICE = 1u << 6,
	CLASS_SCHEDULER = 1u << 7,
	CLASS_OS = 1u << 8,
	CLASS_IPC = 1u << 9,
	CLASS_PIPE = 1u << 10,
	CLASS_INTERRUPT = 1u << 11,
	CLASS_NETWORK = 1u << 12,
	CLASS_SECURITY = 1u << 13,
	CLASS_PATHOLOGICAL = 1u << 14, /* can make the machine unusable: only with --pathological */
};

enum stressor_opt_kind {
	STRESSOR_FLAG,   /* 0 or 1 */
	STRESSOR_COUNT,
	STRESSOR_SIZE,   /* bytes: suffixes b k m g t, %, L1 to L3 */
	STRESSOR_TIME,   /* nanoseconds */
	STRESSOR_CHOICE, /* index into choices */
	STRESSOR_CHOICES, /* a list, as a set: bit i is choices[i]; 0: none */
};

/* What a SIZE that was not given is lowered to fit into (run/limit.h), and what a percentage is of. */
enum stressor_size {
	STRESSOR_OF_MEMORY,
	STRESSOR_OF_DISK,  /* in the directory for files; its percentages are of the free disk there */
	STRESSOR_OF_BOTH,  /* of a file that is mapped; its percentages are of memory */
	STRESSOR_OF_A_CALL, /* of one system call: it is not lowered */
};

/* Choices of stress-ng that do not exist here. */
struct stressor_lacks {
	const char *names;        /* with blanks between; NULL ends the table */
	const char *use;          /* the choice that is nearest to them */
	bool same;                /* its work is of the same kind: it is used, with a note */
};

struct stressor_opt {
	const char *name;         /* of --STRESSOR-name; NULL ends the table */
	enum stressor_opt_kind kind;
	const char *arg;          /* "SIZE"; NULL for a flag */
	const char *help;         /* "bytes of each array" */
	char letter;              /* the short form, that of stress-ng; 0: none */
	uint64_t min, max, normal; /* limits, and the value if it is not given */
	/* Of --minimize and --maximize; both 0: as normal.  CHOICES: large is that of --aggressive, too. */
	uint64_t small, large;
	const char *const *choices; /* NULL ends them */
	const char *unit;         /* TIME: of a number without a unit, "ns"; NULL: seconds */
	enum stressor_size size;  /* SIZE */
	const struct stressor_lacks *lacks; /* CHOICE; NULL: none */
	uint64_t alone;           /* CHOICES: those beside which there is no other */
	const uint64_t *exclusive; /* CHOICES: sets of which there is one at most; 0 ends them */
	uint64_t zero;            /* TIME: the value of a 0 that is given; 0: itself */
	/* COUNT: stress-ng takes lower and negative numbers, which mean nothing here: the usual value is
	 * used, with a note. */
	bool low;
	uint64_t most;            /* COUNT: the highest that the kernel has, if max is more, because stress-ng
				   * takes it; 0: max */
};

/* How the values of the instances become one. */
enum stressor_mean {
	MEAN_SUM,        /* of counts: of all instances together */
	/* The sum of rates: the rate of an instance counts for the part of the real time of the job in
	 * which the instance ran. */
	MEAN_RATE,
	MEAN_ARITHMETIC,
	MEAN_GEOMETRIC,
	MEAN_HARMONIC,
	MEAN_MAX,
	MEAN_MIN,
	/* The value of the instance that has the highest value of the metric `with`. */
	MEAN_OF_MAX,
	/* Figures of all values in the histograms of all instances, as if one instance had counted them.
	 * An instance sets its own mean and deviation; quantiles and the mode need nothing of it. */
	MEAN_OF_ALL,
	MEAN_DEVIATION,  /* `with`: the metric that is the mean of the same values */
	MEAN_MODE,
	MEAN_QUANTILE,   /* `quantile` */
};

struct stressor_metric {
	const char *name;         /* "read"; NULL ends the table */
	const char *unit;         /* "MB/s": 10^6 or 2^20 is said in the man page */
	enum stressor_mean mean;
	unsigned int with;        /* place of another metric in the table */
	double quantile;          /* 0 to 1 */
	/* "MB/s", "ns per switch": text after the value in the line of the result.  Of several such metrics
	 * the line has the highest value, with the metric's name.  NULL: only tables have the metric. */
	const char *headline;
	/* The key in YAML, if stress-ng has one for the metric: '*' stands for the method that was used, '@'
	 * for the stressor.  NULL: the key is made of name and unit. */
	const char *yaml;
	double yaml_factor;       /* of the value there, for stress-ng's unit; 0: 1 */
};

#define STRESSOR_CAP(cap) (UINT64_C(1) << (cap))

struct stressor {
	const char *name;
	char letter;              /* the short form of --NAME, that of stress-ng; 0: none */
	const char *does;         /* one line: "sort 32-bit integers by qsort(3)" */
	const char *op;           /* what one op is: "one sort forward, one backward" */
	const char *checks;       /* what is verified; NULL: nothing can be */
	const char *needs;        /* privilege or feature; NULL: nothing */
	/* STRESSOR_CAP()s that setup and run need for some values of the options; instances, and the
	 * processes that they start, keep no other capability. */
	uint64_t caps;
	bool scratch;             /* it makes files with names: s->scratch_fd is a directory for them */
	bool pagemap;             /* it may report faults in memory, with their physical addresses */
	uint32_t classes;
	const struct stressor_opt *opts;       /* NULL: none */
	const struct stressor_metric *metrics; /* NULL: only ops */
	/* What the instances count in s->histogram, in ns: "wake-ups by latency"; NULL: nothing. */
	const char *histogram;
	unsigned int histogram_width;          /* the option of how wide its bins are in the report */
	/* Bytes of memory that one instance uses with the options given; NULL: less than 1 MB. */
	uint64_t (*memory)(const struct stress *s);
	/* Bytes of disk that one instance uses in s->scratch_fd; NULL: less than 1 MB. */
	uint64_t (*disk)(const struct stress *s);
	/* CPUs that one instance asks for; NULL: one if it is in the class cpu, else none is known. */
	double (*cpus)(const struct stress *s);
	/* Before any instance is started, in the supervisor: NULL, or the reason why this machine cannot
	 * run it. */
	const char *(*probe)(const struct stress *s);
	/* Bytes at s->data, zero before setup, at the begin of a cache line of 64 bytes; 0: none. */
	size_t state;
	/* 0; or what stress_fail(), stress_skip() and stress_lacks() return. */
	int (*setup)(struct stress *s);
	int (*run)(struct stress *s);
};

#endif
