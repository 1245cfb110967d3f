#!/usr/bin/jq -rnf
# SPDX-License-Identifier: GPL-2.0-or-later
# Results of stressors as JUnit XML, a test case for each stressor, for the test report of a CI system:
#	stressors --class cpu -t 10 --json | ./stressors-junit.jq >stressors.xml
# A skipped stressor and one without result (no resource, interrupted) are skipped with the reason.

# @html escapes the quotes, too; XML has no control characters and no U+FFFE, U+FFFF.
def xml: tostring | gsub("[\\x{0}-\\x{1f}\\x{7f}-\\x{9f}\\x{fffe}\\x{ffff}]"; "?") | @html;
def outcome:
	([(.status | select(. != "fail" and . != "skip")), .reason] | map(strings) | join(": ") | xml) as $reason |
	if .status == "pass" then ""
	else "\n    <\(if .status == "fail" then "failure" else "skipped" end) message=\"\($reason)\"/>\n  " end;

[inputs] | (map(select(.type == "summary"))[0].wall_s // 0) as $seconds | map(select(.type == "result")) |
"<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
"<testsuite name=\"stressors\" tests=\"\(length)\" failures=\"\(map(select(.status == "fail")) | length)\" " +
	"errors=\"0\" skipped=\"\(map(select(.status != "pass" and .status != "fail")) | length)\" time=\"\($seconds)\">",
(.[] | "  <testcase classname=\"stressors\" name=\"\(.stressor | xml)\" time=\"\(.wall_s // 0)\">\(outcome)</testcase>"),
"</testsuite>"
