#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# cov.sh BUILD: line coverage of libsysmon and the tools' cores after a run in BUILD.
set -u
build=$1
filters=(--filter libsysmon/)
for t in */opts.c; do filters+=(--filter "${t%opts.c}"); done
gcovr --root . --object-directory "$build/obj" "${filters[@]}" \
	--xml "$build/coverage.xml" --html-details "$build/coverage.html" --txt -
gcovr --root . --object-directory "$build/obj" --filter 'libsysmon/' --txt - |
	awk '/^TOTAL/ { print "libsysmon line coverage: " $4 " (" $3 " of " $2 " lines)" }'
