/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stressor: the table that describes a stressor.
 *
 * Each file s_NAME.c has one `const struct stressor stressor_NAME` (a '-' of the name is a '_' there and in
 * the file's name); list.c finds all of them.  Options, help, completions, man page, plan and results are
 * made from this table; the man page also contains the file's remarks (man/remarks.h).  CONTRIBUTING.md has
 * the recipe.
 *
 * An instance is a process.  It calls setup, waits until all instances are set up, and calls run, which works
 * until stress_goes_on() returns false.  If setup fails, run is not called.  stress.h has their functions.
 *
 * Nothing outlives the process: memory is private or unnamed, children end with it, files have names only in
 * a directory that the supervisor removes (run/scratch.h), and ids are recorded for the supervisor
 * (run/sysv.h).  Memory, mappings and descriptors that setup makes are released by the end of the process,
 * not by code.
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
	CLASS_PATHOLOGICAL = 1u << 14, /* can make the machine unusable; runs only with --pathological */
};

enum stressor_opt_kind {
	STRESSOR_FLAG,   /* 0 or 1 */
	STRESSOR_COUNT,
	STRESSOR_SIZE,   /* bytes: suffixes b k m g t, %, L1 to L3 */
	STRESSOR_TIME,   /* nanoseconds */
	STRESSOR_CHOICE, /* index into choices */
	STRESSOR_CHOICES, /* a list, as a set: bit i is choices[i]; 0: empty */
};

/* The resource of a SIZE.  A size that was not given is lowered to fit (run/limit.h); percentages refer to
 * it. */
enum stressor_size {
	STRESSOR_OF_MEMORY,
	STRESSOR_OF_DISK,  /* disk space for files; percentages refer to the free space */
	STRESSOR_OF_BOTH,  /* a mapped file; percentages refer to memory */
	STRESSOR_OF_A_CALL, /* the size of one system call; it is not lowered */
};

/* Choices of stress-ng that do not exist here. */
struct stressor_lacks {
	const char *names;        /* separated by spaces; NULL ends the table */
	const char *use;          /* the nearest choice */
	bool same;                /* `use` does the same kind of work: it is taken, with a message */
};

struct stressor_opt {
	const char *name;         /* of --STRESSOR-name; NULL ends the table */
	enum stressor_opt_kind kind;
	const char *arg;          /* "SIZE"; NULL for a flag */
	const char *help;         /* "bytes of each array" */
	char letter;              /* the short option of stress-ng; 0: no short option */
	uint64_t min, max, normal; /* limits, and the default value */
	/* Values with --minimize and --maximize; both 0: normal.  CHOICES: large is also used with
	 * --aggressive. */
	uint64_t small, large;
	const char *const *choices; /* NULL ends them */
	const char *unit;         /* TIME: unit of a bare number, "ns"; NULL: seconds */
	enum stressor_size size;  /* SIZE */
	const struct stressor_lacks *lacks; /* CHOICE: names of stress-ng that do not exist here, or NULL */
	uint64_t alone;           /* CHOICES: choices that exclude all others */
	const uint64_t *exclusive; /* CHOICES: sets of mutually exclusive choices; 0 ends them */
	uint64_t zero;            /* TIME: the value that stands for a given 0; 0: itself */
	/* COUNT: accept lower and negative numbers, as stress-ng does, but use the default value instead,
	 * with a message. */
	bool low;
	uint64_t most;            /* COUNT: the highest value of the kernel, if max is higher because
				   * stress-ng accepts more; 0: max */
};

/* The way in which the values of the instances are combined. */
enum stressor_mean {
	MEAN_SUM,        /* the sum of counts of all instances */
	/* The sum of rates.  The rate of an instance is weighted with the fraction of the job's real time in
	 * which the instance ran. */
	MEAN_RATE,
	MEAN_ARITHMETIC,
	MEAN_GEOMETRIC,
	MEAN_HARMONIC,
	MEAN_MAX,
	MEAN_MIN,
	/* The value of the instance that has the highest value of the metric `with`. */
	MEAN_OF_MAX,
	/* Statistics of the values in the histograms of all instances, as if one instance had counted them.
	 * Each instance sets its own mean and deviation; quantiles and the mode are computed from the
	 * histograms alone. */
	MEAN_OF_ALL,
	MEAN_DEVIATION,  /* `with`: the metric that is the mean of these values */
	MEAN_MODE,
	MEAN_QUANTILE,   /* `quantile` */
};

struct stressor_metric {
	const char *name;         /* "read"; NULL ends the table */
	const char *unit;         /* "MB/s"; the man page states whether M is 10^6 or 2^20 */
	enum stressor_mean mean;
	unsigned int with;        /* place of another metric in the table */
	double quantile;          /* 0 to 1 */
	/* Text after the value in the result line: "MB/s", "ns per switch".  If several metrics have such a
	 * text, the line shows the highest value, with the metric's name.  NULL: the metric is only in
	 * tables. */
	const char *headline;
	/* The key in YAML, if stress-ng has one for the metric: '*' stands for the method that was used, '@'
	 * for the stressor.  NULL: the key is made of name and unit. */
	const char *yaml;
	double yaml_factor;       /* factor that converts the value to stress-ng's unit; 0: 1 */
};

#define STRESSOR_CAP(cap) (UINT64_C(1) << (cap))

struct stressor {
	const char *name;
	char letter;              /* the short form of --NAME in stress-ng; 0: no short form */
	const char *does;         /* one line: "sort 32-bit integers by qsort(3)" */
	const char *op;           /* the work of one op: "one sort forward, one backward" */
	const char *checks;       /* the properties that are verified; NULL: no check is possible */
	const char *needs;        /* privilege or feature; NULL: nothing */
	/* Set of STRESSOR_CAP()s that setup and run need for some values of the options; instances, and the
	 * processes that they start, keep no other capability. */
	uint64_t caps;
	bool scratch;             /* it creates files with names: s->scratch_fd is a directory for them */
	bool pagemap;             /* it may report faults in memory, with their physical addresses */
	uint32_t classes;
	const struct stressor_opt *opts;       /* NULL: no options */
	const struct stressor_metric *metrics; /* NULL: only ops */
	/* The contents of s->histogram, which are in ns: "wake-ups by latency"; NULL: no histogram. */
	const char *histogram;
	unsigned int histogram_width;          /* index of the option for the bins' width in the report */
	/* Bytes of memory that one instance uses with the options given; NULL: less than 1 MB. */
	uint64_t (*memory)(const struct stress *s);
	/* Bytes of disk that one instance uses in s->scratch_fd; NULL: less than 1 MB. */
	uint64_t (*disk)(const struct stress *s);
	/* Number of CPUs that one instance uses; NULL: 1 for the class cpu, otherwise unknown. */
	double (*cpus)(const struct stress *s);
	/* Called in the supervisor before any instance starts.  Returns NULL, or the reason why this machine
	 * cannot run the stressor. */
	const char *(*probe)(const struct stress *s);
	/* Size of s->data, which is zeroed before setup and aligned to a cache line of 64 bytes; 0: not
	 * used. */
	size_t state;
	/* Both return 0, or the value of stress_fail(), stress_skip() or stress_lacks(). */
	int (*setup)(struct stress *s);
	int (*run)(struct stress *s);
};

#endif
