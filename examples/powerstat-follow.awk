#!/usr/bin/awk -f
# SPDX-License-Identifier: GPL-2.0-or-later
# What does the power follow?  The correlation of watts with every other column of a run, the
# strongest first, and how many watts go with one more of it:
#	sudo powerstat -R -D -t -f --csv 0.5 600 | ./powerstat-follow.awk
# 1 or -1: they move as one; near 0: nothing to do with one another.  Parts of the sum follow it
# of course.  A temperature lags behind, so it follows weakly what it is caused by.
BEGIN { FS = "," }
NR == 1 {
	for (i = 1; i <= NF; i++) {
		name[i] = $i
		if ($i == "watts") w = i
		if ($i == "user_pct") first = i
	}
	if (!w || !first) {
		print "powerstat-follow.awk: wants the CSV of powerstat" >"/dev/stderr"
		exit failed = 1
	}
	next
}
$w != "" {
	for (i = first; i <= NF; i++) {
		if ($i == "" || i == w)
			continue
		# Differences to the first values: sums of squares of large numbers lose their digits.
		if (!n[i]++) { x0[i] = $i; y0[i] = $w }
		x = $i - x0[i]; y = $w - y0[i]
		sx[i] += x; sy[i] += y; sxx[i] += x * x; syy[i] += y * y; sxy[i] += x * y
	}
}
END {
	if (failed) exit 1
	sort = "LC_ALL=C sort -k1,1nr -k4,4 | cut -d' ' -f2-"
	print "correlation  watts/unit column"
	fflush()
	for (i in n) {
		vx = sxx[i] - sx[i] * sx[i] / n[i]
		vy = syy[i] - sy[i] * sy[i] / n[i]
		cxy = sxy[i] - sx[i] * sy[i] / n[i]
		if (n[i] < 3 || vx <= 0 || vy <= 0)
			continue
		r = cxy / sqrt(vx * vy)
		printf "%f %11.3f %11.6g %s\n", r < 0 ? -r : r, r, cxy / vx, name[i] | sort
	}
}
