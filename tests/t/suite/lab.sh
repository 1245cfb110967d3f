#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# needs: root
# seconds: 7
# timeout: 120
# The lab itself: simulated machines, their log, and the judge, by formulas of this script.
# The machines that need their time are started first, and judged after what needs none.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/lab.sh"
need_cap sys_admin
lab_need
keepopen=$LAB_BIN/keepopen
d=/sys/devices/lab

start_ns() { awk 'NR == 1 { print $2 }' "$lab_log"; }
# PATH: "NS-SINCE-START VALUE" of each reading
logged() { awk -F'\t' -v p="$1" 'NR == 1 { start = $2 } $3 == p { sub(/\\n$/, "", $4); printf "%.0f %s\n", $1 - start, $4 }' "$lab_log"; }

# FILE EXPRESSION NAME: every logged value is EXPRESSION of t (ns), computed by bash
follows() {
	local t value n=0 wrong=''
	while read -r t value; do
		n=$((n + 1))
		[ "$value" = "$(($2))" ] || wrong+="t=$t: $value, want $(($2)); "
	done < <(logged "$1")
	if [ "$n" -ge "${4:-10}" ] && [ -z "$wrong" ]; then
		pass "$3 ($n readings)"
	else
		fail "$3" "$n readings; $wrong"
	fi
}

cat >"$TMP/counters.spec" <<'END'
power p 15.25
cd /sys/devices/lab
lin lin @p start=1000
wrap lin 30 start=900000 range=999999
unit lin 12 start=5 unit=16384
tick lin 10 every=0.05
square lin sq:5:45:0.1
ramp lin steps:1@0,100@0.1
jump lin 2 start=10000000 jump=0.1:-7000000 jump=0.2:7000000
reset lin 50 start=777 reset=0.15
level level 3600 start=5000000 step=1000
count count 600000 start=3
saw saw 20000 30000 0.2
END
# All of them in turn from kept-open descriptors, at irregular times.
all='lin wrap unit tick square ramp jump reset level count saw'
# shellcheck disable=SC2016
lab_launch counters "$TMP/counters.spec" sh -c 'for f in $2; do "$0" 15 21 '"$d"'/$f >"$1/$f" & done; wait' "$keepopen" "$TMP" "$all"
cat >"$TMP/charges.spec" <<'END'
power p 4
volts v 10 -1
volts w 12
cd /sys/devices/lab
charge charge @p volts=w start=4000000
sag charge 3600 volts=v start=4000000
volt volt v
current current 12 volts=v sign=-1
rate rate steps:10@0,20@0.1 avg=0.1
sin sin 45000 5000 0.4
END
# shellcheck disable=SC2016
lab_launch charges "$TMP/charges.spec" sh -c 'for f in $1; do "$0" 8 31 '"$d"'/$f & done; wait' "$keepopen" 'charge sag volt current rate sin'
cat >"$TMP/tour.spec" <<'END'
device /sys/devices/lab/BAT0 power_supply
type text Battery
status at 0 Discharging 1.2 "Not charging"
power_now rate 12.5
current_now text 7
current_now fail ENODATA
secret count 1000000 start=4000000
secret hide
uevent uevent POWER_SUPPLY_
. gone 2 4.5
cd /sys/devices/lab
name bytes "a\e[2J\x00\xff\\\nb"
eio fail EIO 1 2
eio text fine
never text x
never openfail EACCES
slow text x
slow slow 150
private text x
private mode 0400
random random 40
turn cycle 0 one two three
again same turn
mw template "present {p/1000} mW [{none}]\n"
p rate 3.5
p hide
END
cat >"$TMP/tour" <<'END'
cd /sys/devices/lab
keepopen=$1 tmp=$2
"$keepopen" 50 100 BAT0/status >"$tmp/kept" &
"$keepopen" 30 100 eio >"$tmp/eio" &
readlink /sys/class/power_supply/BAT0 BAT0/subsystem
find /sys/class/power_supply -type l
cat /sys/class/power_supply/BAT0/uevent
ls BAT0
stat -c '%s %a %F' mw private
cat mw
for i in 1 2 3 4; do cat turn; done
cat random >"$tmp/r1"; cat random >"$tmp/r2"; cat name >"$tmp/name"
"$keepopen" 1 0 never
{ echo x >mw; } 2>&1 | grep -o 'Permission denied'
"$keepopen" 1 0 slow >"$tmp/slow"
while [ -e BAT0 ]; do sleep 0.02; done
"$keepopen" 1 0 /sys/class/power_supply/BAT0/status
"$keepopen" 1 0 BAT0/status
ls /sys/class/power_supply | wc -l
wait
"$keepopen" 1 0 BAT0/status | cut -d' ' -f 3-
END
lab_launch tour "$TMP/tour.spec" sh "$TMP/tour" "$keepopen" "$TMP"

# ---- what needs no time ----
printf '# x\npower p 12\n/sys/x lin @q\n' >"$TMP/bad.spec"
run "$LAB_BIN/labtree" "$TMP/bad.spec"
is "$status $err" "2 $TMP/bad.spec:3: not a power: @q" 'a bad description: position and reason'
for line in 'power p 12x' 'power p sq:1:2:0' 'power p steps:1@5' 'a b' 'a text one two' 'a text "x' 'a fail ENOSUCH' \
	'a until x' 'a gone 3' 'a lin 5 start' 'a lin 5 start=x' 'a charge 5' 'a same b' 'zone x' 'device x' 'truth t @no' 'include /none'; do
	printf '%s\n' "$line" >"$TMP/bad.spec"
	"$LAB_BIN/labtree" "$TMP/bad.spec" >/dev/null 2>"$TMP/err"
	[ $? = 2 ] && grep -q ':1: ' "$TMP/err" || fail "refused: $line" "$(cat "$TMP/err")"
done
pass 'bad lines are refused'

# The judge, on a log and rows made by hand: T = 0 at 100 s, a square wave of 5 and 45 W.
lab_machine=$TMP/judge.spec lab_log=$TMP/judge.log
printf 'power p sq:5:45:2\ntruth watts @p\ntruth both @p 3\n' >"$lab_machine"
printf 'start\t100000000000\t1800000000000000000\n100000000000\t1\t/x\t1\n104000000000\t1\t/x\t1\n' >"$lab_log"
cat >"$TMP/rows.csv" <<'END'
mono,dt,watts,label,total
101,1,45,"a, ""b""",48
102,1,5,c,8
102.5,.5,45,c,48
103.25,.75,32,c,
104,.75,5,c,8
END
# NAME WANT JUDGE-ARGUMENT...: its line for watts
truth() {
	run "$LAB_BIN/judge" "${@:3}" "$lab_machine" "$lab_log" "$TMP/rows.csv"
	is "$status $(grep '^watts' "$TMP/out")$err" "$2" "$1"
}
all_five='0 watts rows=5 missing=0 mean=25.0625 truth=25.0000 run_error=0.250 row_error=0.211 max_error=1.053 max_at=4'
truth 'judge: the row that is wrong, and by how much' "$all_five" -t mono -d dt -c watts
lab_judge -t mono -d dt -c watts -c total=both "$TMP/rows.csv"
is "${J[watts.max_at]} ${J[total.rows]} ${J[total.missing]} ${J[total.run_error]}" '4 4 1 0.000' 'an empty cell is missing, not wrong'
truth 'without dt: since the row before' '0 watts rows=4 missing=0 mean=18.4167 truth=18.3333 run_error=0.455 row_error=0.263 max_error=1.053 max_at=3' \
	-t mono -c watts
truth 'without a time: all that was read' '0 watts rows=5 missing=0 mean=26.4000 truth=25.0000 run_error=5.600 row_error=69.600 max_error=80.000 max_at=1' -c watts
truth 'a limit for rows that holds' "$all_five" -m 1.06 -a 0.26 -t mono -d dt -c watts
truth 'one that does not' "1${all_five#0}" -m 1.05 -t mono -d dt -c watts
truth 'one for the run' "1${all_five#0}" -a 0.24 -t mono -d dt -c watts
truth 'the first rows left out' '0 watts rows=1 missing=0 mean=5.0000 truth=5.0000 run_error=0.000 row_error=0.000 max_error=0.000 max_at=5' -s 4 -t mono -d dt -c watts
truth 'no such column' '2 judge: no column volts
judge: no rows' -c volts=watts
truth 'no such truth' '2 judge: no truth total' -c total
sed -i 's/^10\([0-9]\)/180000000\1/' "$TMP/rows.csv"
truth 'seconds since 1970' "$all_five" -t mono -k wall -d dt -c watts
sed -i 's/^180000000\([0-9]\)/2027-01-15T10:00:0\1/; s/^\(2027[^,]*\),/\1+02:00,/' "$TMP/rows.csv"
truth 'ISO 8601' "$all_five" -t mono -k iso -d dt -c watts
: >"$TMP/rows.csv"
truth 'no rows' '2 judge: no rows' -c watts

# Stored machines: all can be read, and their comment is true at the start.
for f in "$LAB"/trees/*.spec; do
	name=${f##*/}
	run "$LAB_BIN/labtree" "$f"
	said=$(sed -n 's/^# True: \([^W]*\) W.*/\1/p' "$f" | head -n 1)
	is "$status$err $(awk -F'\t' '$1 == "truth" && $2 == "watts" { print $3 + 0 }' "$TMP/out")" "0 ${said##* }" "$name"
done
"$LAB/gen" sockets 3 >"$TMP/gen.spec"
run "$LAB_BIN/labtree" -t 2 "$TMP/gen.spec"
is "$(awk -F'\t' '/0:2.energy|truth/ { print $2, $3 }' "$TMP/out" | tr -s '\n ' ' ')" '8000000\n watts 165.000000 ' 'generated sockets'
for words in 'cpufreq 256 256 scaling_cur_freq' 'cpuidle 64 192 /time' 'thermal 20 20 /temp' 'server 64 16 energy_uj'; do
	read -r what n count file <<<"$words"
	is "$("$LAB/gen" "$what" "$n" | "$LAB_BIN/labtree" - | grep -c "$file"$'\t')" "$count" "gen $what $n"
done
mkdir "$TMP/tree"
run "$LAB_BIN/labtree" -t 3 -x "$TMP/tree" "$(lab_tree rapl-one)"
is "$status $(cat "$TMP/tree/sys/class/powercap/intel-rapl:0/name") $(stat -c %a "$TMP/tree/sys/class/powercap/intel-rapl:0/energy_uj")" \
	'0 package-0 400' 'a machine at one time as files'

# ---- the machines ----
take counters
expect_exit 0 'readings of counters'
follows $d/lin '1000 + 15250000 * t / 1000000000' 'lin: start + W * t, to the uJ' 15
follows $d/wrap '(900000 + 30000000 * t / 1000000000) % 1000000' 'wrap: modulo range + 1'
num "$(logged $d/wrap | awk 'p != "" && $2 < p { n++ } { p = $2 } END { print n + 0 }')" -gt 1 'and it wraps'
follows $d/unit '(5 + 12000000 * t / 1000000000) * 16384 / 1000000 * 1000000 / 16384' 'unit: whole counts'
follows $d/tick '10000000 * (t / 50000000 * 50000000) / 1000000000' 'every: changes at its instants only'
high='(t / 100000000 * 50000000 + (t % 100000000 < 50000000 ? t % 100000000 : 50000000))'
follows $d/square "$high * 45 / 1000 + (t - $high) * 5 / 1000" 'sq: the high half first'
first='(t < 100000000 ? t : 100000000)'
follows $d/ramp "$first / 1000 + (t - $first) / 10" 'steps: each for its time'
follows $d/jump '10000000 + 2 * t / 1000 - (t >= 100000000 && t < 200000000 ? 7000000 : 0)' 'jump: there and back'
follows $d/reset 't < 150000000 ? 777 + t / 20 : t / 20 - 7500000' 'reset: from 0 again'
follows $d/level '(5000000 - t * 36 / 10 / 3600) / 1000 * 1000' 'level: the integral in uWh, in steps'
follows $d/count '3 + t * 6 / 10000' 'count'
ok 'saw: within 1 of its line' awk '{ r = $1 % 2e8; want = 20000 + (r < 1e8 ? r : 2e8 - r) / 1e4; e = $2 - want
	if (e > 1 || e < -1) exit 1; n++ } END { exit n < 10 }' <(logged $d/saw)
# The reader's clock before and after each reading, and the value read.
ok 'the logged time lies within the reading, the logged value is the value read' awk '
	NR == FNR { if ($3 == "/sys/devices/lab/lin") { t[++n] = $1; v[n] = $4 } next }
	{ i++; if (t[i] < $1 || t[i] > $2 || v[i] != $3) bad = 1; spent += $2 - $1 }
	END { if (i == 15) print "# a reading takes " int(spent / i / 1000) " us"; exit bad || i != 15 }' "$lab_log" "$TMP/lin"

take charges
# FILE AWK-EXPRESSION-OF-t-IN-SECONDS SLACK NAME
near() {
	logged "$d/$1" >"$TMP/got"
	ok "$4" awk '{ t = $1 / 1e9; want = '"$2"'; e = $2 - want
		if (e > '"$3"' || e < -('"$3"')) { print "# t=" t " " $2 " want " want; exit 1 } n++ } END { exit n < 8 }' "$TMP/got"
}
near charge '4000000 - 4 / 12 * t / 3600 * 1e6' 1 'charge: P / V'
near sag '4000000 - 1e6 * log(10 / (10 - t))' 1 'charge at a falling voltage: the integral of P / V(t)'
near volt '1e7 - 1e6 * t' 1 'volts fall'
near current '-12e6 / (10 - t)' 1 'current of a constant power, negative'
near rate '1e6 * (t < 0.1 ? 10 : t < 0.2 ? 10 * (0.2 - t) / 0.1 + 20 * (t - 0.1) / 0.1 : 20)' 2000 'rate: the mean of a window'
near sin '45000 + 5000 * sin(2 * 3.14159265358979 * t / 0.4)' 1 'sin'

take tour
is "$out" '../../devices/lab/BAT0
../../../class/power_supply
/sys/class/power_supply/BAT0
POWER_SUPPLY_NAME=BAT0
POWER_SUPPLY_TYPE=Battery
POWER_SUPPLY_STATUS=Discharging
POWER_SUPPLY_POWER_NOW=12500000
current_now
power_now
status
subsystem
type
uevent
4096 444 regular file
4096 400 regular file
present 3500 mW []
one
two
three
one
!EACCES
Permission denied
!ENOENT
!ENOENT
0
Not charging\n' 'links, uevent, hidden files, sizes, modes, template, cycle, openfail, no writing, a vanished device and its return'
# KEPT: the distinct values in order
kept() { cut -d' ' -f3- "$TMP/$1" | uniq | tr '\n' '|'; }
is "$(kept kept)" 'Discharging\n|Not charging\n|!ENODEV|' 'an open descriptor of a removed file: ENODEV, also after the file is back'
is "$(kept eio)" 'fine\n|!EIO|fine\n|' 'a reading fails for a time, the descriptor stays valid'
is "$(cat "$TMP/r1" "$TMP/r2" | wc -c) $(cmp -s "$TMP/r1" "$TMP/r2"; echo $?)" '80 1' 'random bytes, different each time'
is "$(od -An -tx1 "$TMP/name" | tr -d ' \n')" '611b5b324a00ff5c0a62' 'hostile bytes are read unchanged'
like "$(cat "$lab_log")" $'/sys/devices/lab/name\ta\\\\x1b\\[2J\\\\x00\\\\xff\\\\x5c\\\\nb' 'and escaped in the log'
like "$(cat "$lab_log")" $'BAT0/status\t!ENODEV' 'the log has failed readings'
ok 'a slow reading takes its time' awk '{ exit ($2 - $1) / 1e6 < 150 }' "$TMP/slow"
is "$(lab_reads "$d/turn") $(lab_reads "$d/no*") $(lab_min_gap "$d/slow")" '4 0 -' 'readings are counted'

machine=$TMP/tour.spec
# Permissions: 0400 holds for an ordinary user, not for root, also in a user namespace.
lab -u "$machine" sh -c 'id -u; cat /sys/devices/lab/private; cat /sys/devices/lab/turn'
is "$status $out" "0 65534
one" 'as nobody a file of mode 0400 cannot be read, others can'
like "$err" 'private: Permission denied' 'with EACCES'
lab "$machine" cat $d/private
is "$status $out" '0 x' 'root reads it'
lab -n "$machine" cat $d/private
if [ "$status" = 0 ]; then
	is "$out" x 'in a user namespace its root reads it'
	lab -n -u "$machine" sh -c 'cat /sys/devices/lab/turn; cat /sys/devices/lab/private'
	is "$status $out" '1 one' 'and an ordinary user does not'
else
	skip "no user namespace: $err" 2
fi
# An ordinary user can have a simulated machine if /dev/fuse is open to all: here a node with mode 0666.
cat >"$TMP/as-user" <<'END'
mount -t tmpfs -o mode=755 x /mnt && mknod -m 666 /mnt/fuse c 10 229 && mount --bind /mnt/fuse /dev/fuse || exit 77
exec setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all "$1/run" "$2" "$3/user.log" -- sh -c 'cat /sys/devices/lab/turn'
END
touch "$TMP/user.log"
chmod 666 "$TMP/user.log"
run unshare -m --propagation private sh "$TMP/as-user" "$LAB" "$machine" "$TMP"
if ! as_nobody test -x "$LAB/run"; then
	skip "a directory above $LAB is closed to an ordinary user"
elif [ "$status" = 77 ] || [[ $err == *unshare:* ]]; then
	skip "no user namespace for an ordinary user: $err"
else
	is "$status $out" '0 one' 'without root'
fi

# The command's status, signals and pid are passed on; no mount or process remains.
# Other tests mount below directories of their own, and perf mounts tracefs.
mounted() { awk -v own="$TMP" 'index($0, own) || !/\/sysmon-test\.| - tracefs /' /proc/self/mountinfo; }
mounts=$(mounted)
lab "$machine" sh -c 'exit 37'
expect_exit 37 "the command's exit status"
lab_bg "$machine" sh -c 'trap "echo got; exit 3" INT; echo $$; while :; do sleep 0.05; done'
wait_for [ -s "$TMP/rows" ]
is "$(cat "$TMP/rows")" "$lab_tool" "the command has the runner's pid"
served() { # true if a simulator writes this log
	pgrep -f "^$LAB_BIN/fakesys .*$lab_log " >"$TMP/served"
}
ok 'a simulator serves it' served
kill -INT "$lab_tool"
reap "$lab_tool"
is "$status $(tail -n 1 "$TMP/rows")" '3 got' 'and receives the signals'
unserved() { ! served; }
ok 'the simulator ends with the command' wait_for unserved
lab -u "$machine" true
ok 'also with an unprivileged one' wait_for unserved
is "$(mounted)" "$mounts" 'no mount is left'
lab -r "$machine" sh -c 'cat @ROOT@/sys/devices/lab/turn; ls /sys'
expect_out 'one
lab' '-r: at a directory, for --root'
like "$(lab "$(lab_spec <<<'/proc/stat text "cpu 1"')" cat /proc/stat; echo "$out")" '^cpu 1$' 'a file of /proc'
run "$LAB/run" "$TMP/none.spec" "$lab_log" -- true
is "$status $err" "125 spec:0: $TMP/none.spec: No such file or directory
run: fakesys did not start" 'no description'
done_testing
