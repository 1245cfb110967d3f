// SPDX-License-Identifier: GPL-2.0-or-later
/* Values of options, and the plans that come of them. */
#include "stressors_opts_rig.h"

START_TEST(defaults)
{
	RUNS(A("--nop"), A("2"));
	plan_is("nop 2");
	ck_assert_uint_eq(c->plan.job[0].ops, UINT64_MAX);
	ck_assert_uint_eq(c->plan.time_ns, 60 * SM_NSEC_PER_SEC);
	ck_assert(!c->plan.sequential && !c->plan.verify && !c->plan.has_cpus);
	ck_assert_uint_eq(c->plan.max_memory, 0);
	ck_assert_uint_eq(c->app.interval_ns, 0);
	ck_assert_ptr_null(c->yaml);
}
END_TEST

START_TEST(instances)
{
	unsigned int cpus = own_cpus();

	RUNS(A("--qsort"), A("1"), A("--nop=3"), A("-c"), A("1k"));
	plan_is("qsort 1, nop 3, cpu 1024");
	RUNS(A("--nop"), A("0"));
	ck_assert_uint_eq(c->plan.job[0].instances, cpus);
	FAILS("option '--nop': '65537' must be from 0 to 65536", A("--nop"), A("65537"));
	FAILS("option '--nop': '2x' must be a whole number", A("--nop"), A("2x"));
	FAILS("option '--nop': '-x' must be a whole number", A("--nop"), A("-x"));
	RUNS(A("--nop"), A("-1"), A("--taskset=0"));
	ck_assert_int_eq((long)c->plan.job[0].instances, sysconf(_SC_NPROCESSORS_ONLN));
	FAILS("option '--nop' needs a value (N)", A("--nop"));
}
END_TEST

START_TEST(values)
{
	RUNS(A("-c"), A("1"), A("-l"), A("25"), A("--cpu-ops"), A("10k"), A("--qsort"),
		A("1"), A("--qsort-size"), A("4k"));
	plan_is("cpu 1, qsort 1");
	ck_assert_uint_eq(c->plan.job[0].ops, 10240);
	ck_assert_uint_eq(value(0, "load"), 25);
	ck_assert_uint_eq(value(1, "size"), 4096);
	ck_assert_uint_ne(c->plan.job[1].given, 0);
	RUNS(A("--nop"), A("1"), A("--nop-ops"), A("0"));
	ck_assert_uint_eq(c->plan.job[0].ops, UINT64_MAX);
	FAILS("option '-l': '101' must be from 0 to 100", A("-c1"), A("-l101"));
	parse(ARGV(A("-c1"), A("--cpu-method"), A("magic")));
	ck_assert_ptr_nonnull(strstr(got.err, "'magic' must be all, "));
	parse(ARGV(A("--qsort=1"), A("--qsort-size=4z")));
	ck_assert_ptr_nonnull(
		strstr(got.err, "option '--qsort-size': '4z' must be a whole "));
}
END_TEST

START_TEST(small_and_large)
{
	const struct stressor_opt *o = list_find("qsort", 5)->opts;

	RUNS(A("--qsort=1"));
	ck_assert_uint_eq(value(0, "size"), o->normal);
	RUNS(A("--qsort=1"), A("--minimize"));
	ck_assert_uint_eq(value(0, "size"), o->small);
	ck_assert_uint_eq(c->plan.job[0].given, 0);
	RUNS(A("--qsort=1"), A("--maximize"));
	ck_assert_uint_eq(value(0, "size"), o->large);
	RUNS(A("--qsort=1"), A("--maximize"), A("--qsort-size=2000"));
	ck_assert_uint_eq(value(0, "size"), 2000);
	FAILS("--minimize and --maximize cannot be used together", A("--nop=1"),
		A("--maximize"), A("--minimize"));
}
END_TEST

START_TEST(shares)
{
	RUNS(A("--pipe=1"), A("--pipe-data-size=0.01%")); /* put within the limits */
	ck_assert_uint_gt(value(0, "data-size"), 0);
	ck_assert_uint_le(value(0, "data-size"), 1 << 20);
	FAILS("option '--pipe-data-size': '0%' must be greater than 0", A("--pipe=1"),
		A("--pipe-data-size=0%"));
	FAILS("option '--pipe-data-size': '101%' must be at most 100%", A("--pipe=1"),
		A("--pipe-data-size=101%"));
	RUNS(A("--nop=1"), A("--max-memory=1g"));
	ck_assert_uint_eq(c->plan.max_memory, 1 << 30);
	RUNS(A("--nop=1"), A("--max-memory=10%"));
	ck_assert_uint_gt(c->plan.max_memory, 0);
	ck_assert_uint_lt(c->plan.max_memory, UINT64_MAX / 10);
}
END_TEST

START_TEST(all_of_them)
{
	RUNS(A("--all"), A("1"));
	ck_assert_uint_eq(c->plan.n, how_many_usual());
	ck_assert(!c->plan.sequential);
	RUNS(A("--seq"));
	ck_assert_uint_eq(c->plan.n, how_many_usual());
	ck_assert_uint_eq(c->plan.job[0].instances, 1);
	ck_assert(c->plan.sequential);
	RUNS(A("--with"), A("qsort,cpu"), A("--seq"), A("2"), A("-t"), A("1"));
	plan_is("cpu 2, qsort 2");
	RUNS(A("--sequential=3"), A("--with=nop"));
	plan_is("nop 3");
	RUNS(A("--class"), A("cpu"), A("--all"), A("1"), A("--seq"), A("-x"),
		A("matrix,cpu"));
	ck_assert(c->plan.sequential);
	for (size_t i = 0; i < c->plan.n; i++)
		ck_assert(c->plan.job[i].stressor->classes & CLASS_CPU);
	FAILS("--all and --seq must have the same number of instances", A("--all=1"),
		A("--seq=2"));
	RUNS(A("--nop=2"), A("--qsort=1"), A("--seq"));
	plan_is("nop 2, qsort 1");
}
END_TEST

START_TEST(names)
{
	FAILS("unknown option '--qsrot': the nearest is --qsort", A("--qsrot"), A("1"));
	FAILS("option '--with': unknown stressor 'nopp': the nearest is nop",
		A("--all=1"), A("--with=cpu,nopp"));
	/* One that is unknown does not run. */
	runs_saying("stressors: --exclude: unknown stressor 'elephant\\x07'\n",
		ARGV(A("--all=1"), A("-xelephant\a,cpu")));
	ck_assert_uint_eq(c->plan.n, how_many_usual() - 1);
	RUNS(A("--all=1"), A("-xwatchdog"));
	ck_assert_uint_eq(c->plan.n, how_many_usual());
	parse(ARGV(A("--all=1"), A("--class=cpux")));
	ck_assert_ptr_nonnull(strstr(got.err, "class 'cpux' must be cpu, "));
	FAILS("--class needs --all N or --seq N", A("--nop=1"), A("--class=cpu"));
	FAILS("no stressor was selected; use --NAME N, --all N or --seq N (--stressors "
	      "lists the names)",
		A("-t1"));
	FAILS("option '--with': unknown stressor '\\x1b[31m'", A("--all=1"),
		A("--with=\x1b[31m"));
}
END_TEST

START_TEST(times)
{
	RUNS(A("--nop=1"), A("-t"), A("0.5"));
	ck_assert_uint_eq(c->plan.time_ns, SM_NSEC_PER_SEC / 2);
	RUNS(A("--nop=1"), A("-t"), A("200ms"), A("--interval=1.5"));
	ck_assert_uint_eq(c->plan.time_ns, SM_NSEC_PER_SEC / 5);
	ck_assert_uint_eq(c->app.interval_ns, 1500 * SM_NSEC_PER_MSEC);
	RUNS(A("--nop=1"), A("--forever"));
	ck_assert_uint_eq(c->plan.time_ns, UINT64_MAX);
	RUNS(A("--nop=1"), A("--forever"), A("-t0"));
	ck_assert_uint_eq(c->plan.time_ns, UINT64_MAX);
	RUNS(A("--nop=1"), A("-t0")); /* as in stress-ng */
	ck_assert_uint_eq(c->plan.time_ns, UINT64_MAX);
	FAILS("--forever and --timeout cannot be used together", A("--nop=1"),
		A("--forever"), A("-t1"));
	FAILS("option '--timeout': '5x' must be a duration (5, 1.5s, "
	      "200ms, 2m)",
		A("--timeout=5x"));
	FAILS("option '-t': '4000d' must be from 0 to 3650d", A("-t4000d"));
	FAILS("option '--interval': '1ms' must be from 10ms to 1d", A("--interval=1ms"));
}
END_TEST

/* The unit of a bare number is the option's; that of others is seconds. */
START_TEST(bare_numbers)
{
	RUNS(A("--cyclic=1"), A("--cyclic-sleep=20000"), A("--cyclic-dist=1000"));
	ck_assert_uint_eq(value(0, "sleep"), 20000);
	ck_assert_uint_eq(value(0, "dist"), 1000);
	RUNS(A("--cyclic=1"), A("--cyclic-sleep=50"));
	ck_assert_uint_eq(value(0, "sleep"), 50);
	RUNS(A("--cyclic=1"), A("--cyclic-sleep=1.5ms"), A("--cyclic-dma-latency=1"));
	ck_assert_uint_eq(value(0, "sleep"), 1500000);
	ck_assert_uint_eq(value(0, "dma-latency"), SM_NSEC_PER_SEC);
	RUNS(A("--vm=1"), A("--vm-hang=2"));
	ck_assert_uint_eq(value(0, "hang"), 2 * SM_NSEC_PER_SEC);
	RUNS(A("--vm=1"));
	ck_assert_uint_eq(value(0, "hang"), 0);
	RUNS(A("--vm=1"), A("--vm-hang=0")); /* for ever */
	ck_assert_uint_gt(value(0, "hang"), UINT64_MAX / 5);
	FAILS("option '--cyclic-sleep': '0' must be from 1ns to 1m", A("--cyclic=1"),
		A("--cyclic-sleep=0"));
	FAILS("option '--cyclic-sleep': '60000000001' must be from 1ns to 1m",
		A("--cyclic=1"), A("--cyclic-sleep=60000000001"));
	FAILS("option '--cyclic-sleep': '.' must be a time (5, 1.5s, 200ms, 2m)",
		A("--cyclic=1"), A("--cyclic-sleep=."));
	RUNS(A("--cyclic=1"),
		A("--cyclic-sleep=00000000000000000000000000000000000000000000000"
		  "0000000000000000000000001"));
	ck_assert_uint_eq(value(0, "sleep"), 1);
}
END_TEST

/* stress-ng takes a priority that no kernel has. */
START_TEST(values_above_those_of_the_kernel)
{
	runs_saying("stressors: --cyclic-prio: 100 is above the limit of the kernel; "
		    "using 99\n",
		ARGV(A("--cyclic=1"), A("--cyclic-prio=100")));
	ck_assert_uint_eq(value(0, "prio"), 99);
	RUNS(A("--cyclic=1"), A("--cyclic-prio=100"), A("-q"));
	ck_assert_uint_eq(value(0, "prio"), 99);
	RUNS(A("--cyclic=1"), A("--cyclic-prio=99"));
	ck_assert_uint_eq(value(0, "prio"), 99);
	FAILS("option '--cyclic-prio': '101' must be from 1 to 100", A("--cyclic=1"),
		A("--cyclic-prio=101"));
	FAILS("option '--cyclic-prio': '0' must be from 1 to 100", A("--cyclic=1"),
		A("--cyclic-prio=0"));
}
END_TEST

START_TEST(twice)
{
	RUNS(A("--nop=1"), A("-t5"), A("--timeout=6"), A("-v"), A("-v"), A("--all=2"),
		A("-x"), A("cpu,qsort"), A("-x"), A("cpu"), A("--all=3"), A("--with=vm"),
		A("--with=cpu,qsort"));
	plan_is("nop 1, qsort 3");
	ck_assert_uint_eq(c->plan.time_ns, 6 * SM_NSEC_PER_SEC);
	FAILS("--quiet and --verbose cannot be used together", A("-qv"), A("--nop=1"));
}
END_TEST

/* Each --NAME begins a job; what was given before the first is of all of them. */
START_TEST(cpus)
{
	cpu_set_t set;
	char cpu[16];
	int first = 0;

	ck_assert_int_eq(sched_getaffinity(0, sizeof(set), &set), 0);
	while (!CPU_ISSET(first, &set))
		first++;
	snprintf(cpu, sizeof(cpu), "%d", first);
	RUNS(A("--nop=0"), A("--taskset"), cpu);
	plan_is("nop 1");
	ck_assert(c->plan.has_cpus && CPU_ISSET(first, &c->plan.cpus));
	ck_assert_int_eq(CPU_COUNT(&c->plan.cpus), 1);
	FAILS("--taskset: 'x' must be a CPU, a range (0-3), all, even, odd or package0",
		A("--nop=1"), A("--taskset=0,x"));
	FAILS("--taskset: this machine has none of these CPUs", A("--nop=1"),
		A("--taskset=60000"));
	FAILS("--taskset: this machine has none of these CPUs", A("--nop=1"),
		A("--taskset=package9999"));
	RUNS(A("--nop=0"), A("--taskset=even"));
	ck_assert(CPU_ISSET(0, &c->plan.cpus) && !CPU_ISSET(1, &c->plan.cpus));
	RUNS(A("--nop=0"), A("--taskset=all"));
	ck_assert_int_eq(CPU_COUNT(&c->plan.cpus), (int)sysconf(_SC_NPROCESSORS_ONLN));
	RUNS(A("--nop=1"), A("--sched=rr"));
	ck_assert(c->plan.has_sched && c->plan.sched == POLICY_RR);
	ck_assert_uint_eq(c->plan.sched_prio, 50);
	RUNS(A("--nop=1"), A("--sched-prio=98"), A("--sched=fifo"));
	ck_assert_uint_eq(c->plan.sched_prio, 98);
	FAILS("option '--sched': 'deadline': only --cyclic-policy has "
	      "the policy deadline",
		A("--nop=1"), A("--sched=deadline"));
	runs_saying("stressors: --sched-prio: 99 is not below the supervisor's priority; "
		    "using 98\n",
		ARGV(A("--nop=1"), A("--sched=rr"), A("--sched-prio=99")));
	ck_assert_uint_eq(c->plan.sched_prio, 98);
	FAILS("option '--sched-prio': '101' must be from 1 to 100", A("--nop=1"),
		A("--sched=rr"), A("--sched-prio=101"));
	FAILS("--sched-prio needs --sched=fifo or --sched=rr", A("--nop=1"),
		A("--sched=idle"), A("--sched-prio=9"));
	FAILS("--taskset: CPU 1023 is not online", A("--nop=1"), A("--taskset=1023"));
}
END_TEST

START_TEST(outputs)
{
	RUNS(A("--nop=1"), A("--json"), A("--csv=x"), A("-Yy"));
	ck_assert(c->app.json.here && !c->app.csv.here);
	ck_assert_str_eq(c->app.csv.file, "x");
	ck_assert_str_eq(c->yaml, "y");
	parse(ARGV(A("--nop=1"), A("--json"), A("--csv")));
	ck_assert_ptr_nonnull(strstr(got.err, "only one of --json, --csv and --yaml -"));
	parse(ARGV(A("--nop=1"), A("--json"), A("-Y-")));
	ck_assert_ptr_nonnull(strstr(got.err, "only one of --json, --csv and --yaml -"));
	parse(ARGV(A("--nop=1"), A("--json=x"), A("-Yx")));
	ck_assert_int_eq(got.status, STRESSORS_USAGE);
	RUNS(A("--nop=1"), A("--color=never"), A("--perf"), A("-k"));
	ck_assert(c->app.color == SM_COLOR_NEVER && c->perf && c->plan.keep_name);
	FAILS("--yaml - and --output cannot be used together; use --yaml=FILE",
		A("--nop=1"), A("-Y-"), A("--output=x"));
	FAILS("option '--color': 'red' must be auto, always or "
	      "never",
		A("--color=red"));
}
END_TEST

START_TEST(seeds)
{
	uint64_t first;

	RUNS(A("--nop=1"), A("--seed=42"));
	ck_assert_uint_eq(c->plan.seed, 42);
	RUNS(A("--nop=1"));
	first = c->plan.seed;
	RUNS(A("--nop=1"));
	ck_assert_uint_ne(c->plan.seed, first);
	FAILS("option '--seed': '1k' must be a whole number", A("--seed=1k"));
}
END_TEST

START_TEST(without_effect)
{
	runs_saying("stressors: --qsort-size has no effect: qsort is not started\n",
		ARGV(A("--nop=1"), A("--qsort-size=4k")));
	RUNS(A("--nop=1"), A("--qsort-size=4k"), A("-q"));
}
END_TEST

/* A list of choices is a set. */
START_TEST(sets_of_choices)
{
#define HDD A("--hdd=1")
	RUNS(HDD);
	ck_assert_uint_eq(value(0, "opts"), 0);
	RUNS(HDD, A("--hdd-opts=direct"));
	ck_assert_uint_eq(value(0, "opts"), 1 << 1);
	RUNS(HDD, A("--hdd-opts=wr-rnd,direct,sync,direct"));
	ck_assert_uint_eq(value(0, "opts"), 1 << 18 | 1 << 1 | 1 << 15);
	RUNS(HDD, A("--hdd-opts=sync"), A("--hdd-opts=direct"));
	ck_assert_uint_eq(value(0, "opts"), 1 << 1);
	/* all is the first one. */
	RUNS(HDD, A("--maximize"));
	ck_assert_uint_eq(value(0, "opts"), 1);
	RUNS(HDD, A("--aggressive"));
	ck_assert_uint_eq(value(0, "opts"), 1);
	RUNS(HDD, A("--aggressive"), A("--hdd-opts=iovec"));
	ck_assert_uint_eq(value(0, "opts"), 1 << 11);
	RUNS(HDD, A("--aggressive"), A("--minimize"));
	ck_assert_uint_eq(value(0, "opts"), 0);
	PRINTS(HDD, A("-n"), A("--hdd-opts=wr-rnd,direct"));
	ck_assert_ptr_nonnull(strstr(got.out, " --hdd-opts direct,wr-rnd  #"));
	PRINTS(HDD, A("-n"), A("--hdd-opts=fsync"), A("--minimize"));
	ck_assert_ptr_nonnull(strstr(got.out, " --hdd-opts fsync  #"));
	parse(ARGV(HDD, A("--hdd-opts=sync,magic")));
	ck_assert_ptr_nonnull(
		strstr(got.err, "option '--hdd-opts': 'magic' must be all, direct, "));
	parse(ARGV(HDD, A("--hdd-opts=sync,")));
	ck_assert_ptr_nonnull(strstr(got.err, "'' must be all, "));
	FAILS("option '--hdd-opts': wr-rnd and wr-seq cannot be used together", HDD,
		A("--hdd-opts=wr-seq,fsync,wr-rnd"));
	FAILS("option '--hdd-opts': fadv-normal and fadv-seq cannot be used together",
		HDD, A("--hdd-opts=fadv-seq,fadv-normal"));
	FAILS("option '--hdd-opts': all and direct cannot be used together", HDD,
		A("--hdd-opts=direct,all"));
#undef HDD
}
END_TEST

/* Names and values of stress-ng that mean something else here, or nothing. */
START_TEST(of_stress_ng)
{
	runs_saying("stressors: option '--page-in' has no effect here\n"
		    "stressors: option '--backoff' has no effect here\n",
		ARGV(A("--nop=1"), A("--page-in"), A("-b"), A("7"), A("--page-in"),
			A("--stdout"), A("--oom-avoid")));
	RUNS(A("--nop=1"), A("--page-in"), A("-q"));
	runs_saying("stressors: --cpu-method: nqueens of stress-ng does not exist here; "
		    "using "
		    "queens, which does the same kind of work\n",
		ARGV(A("--cpu=1"), A("--cpu-method=nqueens")));
	ck_assert_str_eq(
		c->plan.job[0].stressor->opts[0].choices[value(0, "method")], "queens");
	FAILS("option '--cpu-method': 'loop' of stress-ng does not exist here; the "
	      "nearest "
	      "is int",
		A("--cpu=1"), A("--cpu-method=loop"));
	FAILS("option '--vm-method': 'mscan' of stress-ng does not exist here; the "
	      "nearest "
	      "is read64",
		A("--vm=1"), A("--vm-method=mscan"));
	runs_saying("stressors: --cpu-load-slice: 0 and negative numbers have no effect "
		    "here; using 5\n",
		ARGV(A("--cpu=1"), A("--cpu-load-slice=-32")));
	ck_assert_uint_eq(value(0, "load-slice"), 5);
	FAILS("option '--cpu-load': '-1' must be a whole number", A("--cpu-load=-1"));
}
END_TEST

/* watchdog and tun are not likely to be among the stressors soon. */
START_TEST(lacking)
{
#define LACKS(s)      \
	"stressor " s \
	" of stress-ng does not exist here (--stressors lists those that do)"
	FAILS("unknown option '--tun': " LACKS("tun"), A("--tun"), A("1"));
	FAILS("unknown option '--tun=1': " LACKS("tun"), A("--tun=1"));
	FAILS("unknown option '--watchdog-ops=1': " LACKS("watchdog"),
		A("--watchdog-ops=1"));
	FAILS("unknown option '--vm-segv-ops=1': " LACKS("vm-segv"),
		A("--vm-segv-ops=1"));
	FAILS("unknown option '-D': " LACKS("dentry"), A("-D"), A("1"));
	FAILS("unknown option '-Q': use --qsort", A("-Q"), A("1"));
	FAILS("unknown option '--permute=1': this option of stress-ng does not exist "
	      "here",
		A("--permute=1"));
	FAILS("option '--with': " LACKS("tun"), A("--all=1"), A("--with=tun"));
	/* Only what begins in the same way is near. */
	FAILS("unknown option '--no-madvice'", A("--no-madvice"));
	FAILS("unknown option '--vm-madvice': the nearest is --vm-madvise",
		A("--vm-madvice"));
#undef LACKS
}
END_TEST

START_TEST(real_ones)
{
	const struct inherit *h;
	unsigned int sum = 0;

	RUNS(A("--random=9"), A("--no-rand-seed"));
	h = &c->plan.inherit;
	ck_assert_uint_eq(c->plan.seed, 1);
	for (size_t i = 0; i < c->plan.n; i++)
		sum += c->plan.job[i].instances;
	ck_assert_uint_eq(sum, 9);
	RUNS(A("--nop=1"), A("--status=2"));
	ck_assert_uint_eq(c->app.interval_ns, 2 * SM_NSEC_PER_SEC);
	RUNS(A("--nop=1"), A("--thermalstat=3"), A("--raplstat=2"), A("--log-file=x"));
	ck_assert(c->tz && c->rapl);
	ck_assert_uint_eq(c->app.interval_ns, 2 * SM_NSEC_PER_SEC);
	ck_assert_str_eq(c->log_file, "x");
	RUNS(A("--nop=1"));
	ck_assert(!h->io && !h->has_nodes && !h->ksm);
	RUNS(A("--nop=1"), A("--ionice-class=idle"), A("--mbind=0,65"), A("--ksm"),
		A("--timer-slack=0"));
	ck_assert_uint_eq(h->io, INHERIT_IO_IDLE);
	ck_assert(h->nodes[0] == 1 && h->nodes[1] == 2 && h->has_nodes && h->ksm);
	ck_assert_uint_eq(c->plan.timer_slack_ns, 50000);
	RUNS(A("--nop=1"), A("--ionice-level=7"), A("--timer-slack=100us"));
	ck_assert(h->io == INHERIT_IO_BESTEFFORT && h->io_level == 7);
	ck_assert_uint_eq(c->plan.timer_slack_ns, 100000);
	FAILS("option '--ionice-class': 'lazy' must be "
	      "realtime, besteffort or idle",
		A("--ionice-class=lazy"));
	FAILS("option '--mbind': 'x' must be a list of NUMA nodes, such as 0,2-3",
		A("--mbind=x"));
	FAILS("option '--ionice-level': '8' must be from 0 to 7", A("--ionice-level=8"));
}
END_TEST

static TCase *tc_plan(void)
{
	TCase *t = tcase_create("plan");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, bare_numbers);
	tcase_add_test(t, values_above_those_of_the_kernel);
	tcase_add_test(t, defaults);
	tcase_add_test(t, instances);
	tcase_add_test(t, values);
	tcase_add_test(t, small_and_large);
	tcase_add_test(t, shares);
	tcase_add_test(t, all_of_them);
	tcase_add_test(t, names);
	tcase_add_test(t, times);
	tcase_add_test(t, twice);
	tcase_add_test(t, cpus);
	tcase_add_test(t, outputs);
	tcase_add_test(t, seeds);
	tcase_add_test(t, without_effect);
	tcase_add_test(t, sets_of_choices);
	tcase_add_test(t, of_stress_ng);
	tcase_add_test(t, lacking);
	tcase_add_test(t, real_ones);
	return t;
}

UNIT_MAIN("opts", tc_plan)
