# SPDX-License-Identifier: GPL-2.0-or-later
# compdb.awk -v dir=DIR: compile_commands.json out of the commands that `make -n` prints.
function quoted(s) {
	gsub(/\\/, "\\\\", s)
	gsub(/"/, "\\\"", s)
	return "\"" s "\""
}
BEGIN { printf "[" }
/ -c -o [^ ]+ [^ ]+$/ {
	printf "%s\n{\"directory\": %s, \"file\": %s, \"command\": %s}", n++ ? "," : "", quoted(dir),
		quoted($NF), quoted($0)
}
END { print "\n]" }
