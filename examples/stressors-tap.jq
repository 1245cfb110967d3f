#!/usr/bin/jq -rnf
# SPDX-License-Identifier: GPL-2.0-or-later
# Results of stressors in the Test Anything Protocol, a test for each stressor:
#	stressors --class cpu -t 10 --json | ./stressors-tap.jq
# A skipped stressor and one without result (no resource, interrupted) are skipped with the reason.

# A result is one line, in which "#" would begin a directive.
def text: gsub("[\\x{0}-\\x{1f}\\x{7f}-\\x{9f}]"; " ") | gsub("#"; "\\#");

[inputs | select(.type == "result")] |
"TAP version 13", "1..\(length)",
(to_entries[] | "\(.key + 1) - \(.value.stressor | text)" as $test | .value |
	([(.status | select(. != "fail" and . != "skip")), .reason] | map(strings) | join(": ") | text) as $reason |
	if .status == "pass" then "ok \($test)"
	elif .status == "fail" then "not ok \($test)", "# \($reason)"
	else "ok \($test) # SKIP \($reason)" end)
