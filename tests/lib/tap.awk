# SPDX-License-Identifier: GPL-2.0-or-later
# One producer's TAP in, for the runner: "fail ..." lines (a failed test and its
# diagnostics), "skip REASON" lines and at last "result OK FAILED SKIPPED VERDICT".
# Variables: rc (exit status in the shell; 152 is SIGXCPU), elapsed (seconds), limit (CPU seconds; five
# times as much elapsed time).

function skip_reason(line) {
	sub(/^.*# *[Ss][Kk][Ii][Pp][A-Za-z]* */, "", line)
	return line == "" ? "no reason given" : line
}

function problem(text) {
	if (verdict == "")
		verdict = text
}

/^1\.\.[0-9]+/ {
	plans++
	split($1, part, /\.\./)
	planned = part[2] + 0
	if (planned == 0 && /# *[Ss][Kk][Ii][Pp]/) {
		skipped_all = 1
		print "skip " skip_reason($0)
	}
	failing = 0
	next
}

/^(not )?ok([ \t]|$)/ {
	seen++
	number = /^not/ ? $3 : $2
	if (number ~ /^[0-9]+$/ && number + 0 != seen)
		problem("test number " number " where " seen " was due")
	failing = 0
	if (/^not/) {
		failed++
		failing = 1
		print "fail " $0
	} else if (/# *[Ss][Kk][Ii][Pp]/ || untested != "") {
		skipped++
		print "skip " (untested != "" ? untested : skip_reason($0))
	} else {
		passed++
	}
	untested = ""
	next
}

# Of a unit test, before its line: Check itself skips nothing.
sub(/^# not tested: /, "") { untested = $0; failing = 0; next }

/^Bail out!/ { problem($0) }
/^#/ && failing { print "fail " $0; next }
{ failing = 0 }

END {
	if (rc == 124 || (rc == 137 && elapsed >= 5 * limit))
		problem("over its time limit of " 5 * limit " s")
	else if (rc == 152)
		problem("over its limit of " limit " s of CPU time")
	else if (rc > 128)
		problem("killed by signal " (rc - 128))
	if (plans == 0)
		problem("no plan (exit status " rc ")")
	if (plans > 1)
		problem("more than one plan")
	if (planned == 0 && !skipped_all)
		problem("a plan of no tests")
	if (planned != seen)
		problem("planned " planned + 0 " tests, saw " seen + 0)
	if (rc != 0 && failed == 0)
		problem("exit status " rc " though no test failed")
	print "result", passed + 0, failed + 0, skipped + skipped_all + 0, verdict == "" ? "fine" : verdict
}
