// SPDX-License-Identifier: GPL-2.0-or-later
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "forkstat/opts.h"
#include "unit.h"

static struct opts o;
static int command, status;

/* Words of a command line after the tool's name; what it says goes nowhere. */
static int parse(const char *line)
{
	static char words[4096];
	static char *argv[256];
	char *save = NULL;
	int argc = 0, null = open("/dev/null", O_WRONLY | O_CLOEXEC);

	snprintf(words, sizeof(words), "forkstat %s", line);
	for (char *w = strtok_r(words, " ", &save); w; w = strtok_r(NULL, " ", &save))
		argv[argc++] = w;
	argv[argc] = NULL;
	ck_assert_int_ge(dup2(null, STDERR_FILENO), 0);
	close(null);
	sm_opt_list_fini(&o.pids);
	sm_opt_list_fini(&o.ppids);
	sm_opt_list_fini(&o.pgrps);
	sm_opt_list_fini(&o.uids);
	o = opts_default;
	status = 99;
	return sm_opt_parse(sm_tool_spec(), &o, argc, argv, &command, &status);
}

#define good(line) ck_assert_int_eq(parse(line), 0)

static void bad(const char *line)
{
	ck_assert_msg(parse(line) == 1, "%s", line);
	ck_assert_int_eq(status, 2);
}

static uint32_t events(const char *line)
{
	good(line);
	return o.events;
}

START_TEST(defaults)
{
	good("");
	ck_assert_uint_eq(o.events, EVENTS_DEFAULT);
	ck_assert_uint_eq(o.app.limit, 20);
	ck_assert_int_eq(o.app.time_style, SM_TIME_CLOCK);
	ck_assert_uint_eq(o.buffer_bytes, 64u << 20);
	ck_assert_int_eq(o.exit_filter, EXIT_ANY);
	ck_assert(!o.app.summary && !o.app.quiet && !o.app.json.here && !o.app.csv.here &&
		  !o.app.strict);
	ck_assert_uint_eq(o.app.duration_ns, 0);
}
END_TEST

START_TEST(names_of_events)
{
	const uint32_t lost = EVENT_BIT(EVENT_LOST);
	char line[32];

	for (enum event e = 0; e < EVENT_KINDS; e++) {
		snprintf(line, sizeof(line), "-e %s", event_name(e));
		ck_assert_uint_eq(events(line), EVENT_BIT(e) | lost);
	}
	ck_assert_uint_eq(events("-e fork,exit"),
		EVENT_BIT(EVENT_FORK) | EVENT_BIT(EVENT_EXIT) | lost);
	ck_assert_uint_eq(events("-e all"), EVENTS_ALL);
	ck_assert_uint_eq(events("-e fork,all"), EVENTS_ALL);
	ck_assert_uint_eq(events("-E"), EVENTS_ALL);
	ck_assert_uint_eq(events("-e ptrace"), EVENT_BIT(EVENT_PTRCE) | lost);
	ck_assert_uint_eq(events("-e fork -e exec"),
		EVENT_BIT(EVENT_FORK) | EVENT_BIT(EVENT_EXEC) | lost); /* they add up */
	bad("-e bogus");
	bad("-e fork,");
	bad("-e ,fork");
	bad("-e FORK");
	bad("-e for");
}
END_TEST

START_TEST(failed_ones)
{
	const uint32_t exits = EVENT_BIT(EVENT_EXIT) | EVENT_BIT(EVENT_LOST);

	ck_assert_uint_eq(events("-e nonzeroexit"), exits);
	ck_assert_int_eq(o.exit_filter, EXIT_NONZERO);
	ck_assert_uint_eq(events("-e exitnonzero"), exits);
	ck_assert_int_eq(o.exit_filter, EXIT_NONZERO);
	ck_assert_uint_eq(events("--fail"), exits);
	ck_assert_int_eq(o.exit_filter, EXIT_NONZERO);
	ck_assert_uint_eq(events("--exit signal"), exits);
	ck_assert_int_eq(o.exit_filter, EXIT_SIGNAL);
	ck_assert_uint_eq(events("--exit=core"), exits);
	ck_assert_uint_eq(events("--exit=any"), EVENTS_DEFAULT);
	ck_assert_uint_eq(events("--exit=zero -e fork"),
		EVENT_BIT(EVENT_FORK) | EVENT_BIT(EVENT_LOST));
	ck_assert_uint_eq(events("--min-duration 1s"), exits);
	ck_assert_uint_eq(events("--max-duration 1s"), exits);
	good("--exit=0");
	ck_assert_int_eq(o.exit_filter, EXIT_STATUS);
	ck_assert_uint_eq(o.exit_status, 0);
	good("--exit=255");
	ck_assert_int_eq(o.exit_filter, EXIT_STATUS);
	ck_assert_uint_eq(o.exit_status, 255);
	bad("--exit=256");
	bad("--exit=-1");
	bad("--exit=1x");
	bad("--exit=some");
	bad("--min-duration 2s --max-duration 1s");
	good("--min-duration 1s --max-duration 1s");
}
END_TEST

START_TEST(lists)
{
	good("-P 1,22,2147483647 -P 4 --ppid 5 --tree 6 -p 7");
	ck_assert_uint_eq(o.pids.n, 4);
	ck_assert_uint_eq(o.pids.v[1], 4);
	ck_assert_uint_eq(o.pids.v[3], 2147483647);
	ck_assert_uint_eq(o.ppids.n, 2);
	ck_assert_uint_eq(o.ppids.v[1], 6);
	ck_assert_uint_eq(o.pgrps.v[0], 7);
	bad("-P 0");
	bad("-P -1");
	bad("-P 2147483648");
	bad("-P 1,,2");
	bad("-P 1x");
}
END_TEST

START_TEST(users)
{
	char line[400] = "-u ";

	good("-u root,4000000000 --user 7");
	ck_assert_uint_eq(o.uids.n, 3);
	ck_assert_uint_eq(o.uids.v[0], 0);
	ck_assert_uint_eq(o.uids.v[1], 7);
	ck_assert_uint_eq(o.uids.v[2], 4000000000);
	bad("-u no-such-user-here");
	bad("-u root,");
	memset(line + 3, 'x', 300);
	bad(line);
}
END_TEST

START_TEST(names)
{
	good("-c");
	ck_assert(o.comm);
	ck_assert_ptr_null(o.comm_glob);
	good("--comm=sh*");
	ck_assert(!o.comm);
	ck_assert_str_eq(o.comm_glob, "sh*");
	good("-n ma?e -s -d --full-command");
	ck_assert_str_eq(o.name_glob, "ma?e");
	ck_assert(o.short_name && o.strip_path && o.full_command);
}
END_TEST

START_TEST(outputs)
{
	good("-j");
	ck_assert(o.app.json.here);
	good("--json=f --csv");
	ck_assert(!o.app.json.here && o.app.csv.here);
	ck_assert_str_eq(o.app.json.file, "f");
	good("--csv=g -j");
	ck_assert_str_eq(o.app.csv.file, "g");
	bad("-j --csv");
	good("-q");
	ck_assert(o.app.quiet && o.app.summary);
	good("-S");
	ck_assert(!o.app.quiet && o.app.summary);
	good("-X");
	ck_assert(o.glyphs && o.app.realtime && o.app.summary && o.extra);
	ck_assert_uint_eq(o.events, EVENTS_ALL);
	good("-o x --prom y -l -N -i -x -g --show-tid");
	ck_assert_str_eq(o.app.output, "x");
	ck_assert_str_eq(o.app.prom, "y");
	ck_assert(o.app.line_buffered && o.app.no_header && o.show_ppid && o.extra &&
		  o.glyphs);
	ck_assert(o.show_tid);
}
END_TEST

START_TEST(times)
{
	static const char *const style[] = {"clock", "iso", "epoch", "mono", "delta"};
	char line[32];

	for (int i = 0; i < 5; i++) {
		snprintf(line, sizeof(line), "-t %s", style[i]);
		good(line);
		ck_assert_int_eq(o.app.time_style, i);
	}
	good("--timestamp");
	ck_assert_int_eq(o.app.time_style, SM_TIME_ISO);
	good("--timestamp=mono --usec");
	ck_assert_int_eq(o.app.time_style, SM_TIME_MONO);
	ck_assert_uint_eq(o.usec, true);
	bad("-t noon");
	bad("-t");
}
END_TEST

START_TEST(numbers)
{
	good("-D 1.5 -R 200ms --count 3 --limit 5 -b 1M --ring 64K --queue 64K -r "
	     "--strict");
	ck_assert_uint_eq(o.app.duration_ns, 1500000000);
	ck_assert_uint_eq(o.app.interval_ns, 200000000);
	ck_assert_uint_eq(o.app.count, 3);
	ck_assert_uint_eq(o.app.limit, 5);
	ck_assert_uint_eq(o.buffer_bytes, 1u << 20);
	ck_assert_uint_eq(o.ring_bytes, 64u << 10);
	ck_assert_uint_eq(o.app.queue_bytes, 64u << 10);
	ck_assert(o.app.realtime && o.app.strict);
	bad("-D 0");
	bad("-D abc");
	bad("-R 1ms");
	bad("--count 0");
	bad("--limit 0");
	bad("-b 0");
	bad("--queue 1K");
}
END_TEST

START_TEST(commands)
{
	good("-E -- make -j4");
	ck_assert_int_eq(command, 3);
	good("-E");
	ck_assert_int_eq(command, 2);
	bad("make");
	ck_assert_str_eq(sm_tool_spec()->tool, "forkstat");
}
END_TEST

static TCase *tc_opts(void)
{
	TCase *tc = tcase_create("opts");

	tcase_add_test(tc, defaults);
	tcase_add_test(tc, names_of_events);
	tcase_add_test(tc, failed_ones);
	tcase_add_test(tc, lists);
	tcase_add_test(tc, users);
	tcase_add_test(tc, names);
	tcase_add_test(tc, outputs);
	tcase_add_test(tc, times);
	tcase_add_test(tc, numbers);
	tcase_add_test(tc, commands);
	return tc;
}

UNIT_MAIN("opts", tc_opts)
