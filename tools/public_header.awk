# SPDX-License-Identifier: GPL-2.0-or-later
# public_header.awk: turns a header of libsysmon into the installed one.  Includes become relative to
# the header, so that -I of the folder above sysmon/ is enough, and the declarations after the last
# #include get extern "C" for C++ compilers.
/^#[ \t]*if/ { depth++ }
/^#[ \t]*endif/ { depth--; end = NR }
/^#[ \t]*include "/ { sub(/"/, "\"../") }
/^#[ \t]*include/ { wanted = 1 }
wanted && depth == 1 { begin = NR; wanted = 0 }
/^#[ \t]*define [A-Z0-9_]+_H$/ && !begin { begin = NR }
{ line[NR] = $0 }
END {
	for (i = 1; i <= NR; i++) {
		if (i == end)
			print "#ifdef __cplusplus\n}\n#endif\n"
		print line[i]
		if (i == begin)
			print "\n#ifdef __cplusplus\nextern \"C\" {\n#endif"
	}
}
