#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The table of display widths is the output of its script for the Unicode Character Database.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
UNICODE=${UNICODE:-/usr/share/unicode}
[ -r "$UNICODE/EastAsianWidth.txt" ] || skip_all "no $UNICODE/EastAsianWidth.txt: install unicode-data"
made=$TMP/text_width.h
run "$TOP/tools/text_width.sh" "$UNICODE"
expect_exit 0 'the script runs'
cp "$TMP/out" "$made"
version() { sed -n 's/.*Unicode \([0-9.]*[0-9]\)\.$/\1/p' "$1"; }
header=$TOP/libsysmon/base/text_width.h
like "$(version "$header")" '^[0-9]+\.[0-9]+\.[0-9]+$' 'the header names its version of Unicode'
if [ "$(version "$made")" = "$(version "$header")" ]; then
	is "$(diff "$made" "$header")" '' 'the header is the output of the script'
else
	skip "this machine has Unicode $(version "$made")"
fi
run "$TOP/tools/text_width.sh" "$TMP"
expect_exit 1 'without the files it fails'
done_testing
