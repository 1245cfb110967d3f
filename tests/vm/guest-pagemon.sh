#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The runs of pagemon.sh in each guest, with swap, huge pages and soft-dirty bits: rows in /out/NAME.rows,
# messages in NAME.err, the load's own truth in NAME.truth.
uname -r >/out/release
depmod && modprobe zram || exit
echo 64M >/sys/block/zram0/disksize || exit
mdev -s
mkswap /dev/zram0 >/dev/null && swapon /dev/zram0 || exit
echo 4 >/proc/sys/vm/nr_hugepages

load() { # NAME MODE [OPTION]...: $pid; lines go to it by fd 9
	mkfifo "/tmp/$1.in"
	exec 9<>"/tmp/$1.in" # which does not wait for a reader
	pageload -d /tmp -t 500 "$2" <"/tmp/$1.in" >"/out/$1.truth" 2>"/out/$1.load.err" &
	pid=$!
	until grep -aq ^ready "/out/$1.truth"; do
		kill -0 "$pid" || exit
		usleep 100000
	done
}
rows() { # NAME OPTION...
	name=$1
	shift
	pagemon "$@" >"/out/$name.rows" 2>"/out/$name.err"
	echo $? >"/out/$name.status"
}
answer() { # NAME: the load's next line, to a line
	before=$(grep -ac . "/out/$1.truth")
	echo >&9
	while [ "$(grep -ac . "/out/$1.truth")" -le "$before" ]; do usleep 100000; done
}

load known known
for method in auto scan read; do
	rows "$method" --json -m --method=$method "$pid"
done
rows total --json --method=read "$pid"
pagetruth "$pid" >/out/total.truth
# What is in swap is read in, because that was asked for, and nothing else.
rows read-all --json -r -m "$pid"
kill "$pid"

# Shared memory in swap, of which the page table has no entries.
load shm shmswap
rows shm --json -m "$pid"
rows shm-all --json -r -m "$pid"
rows shm-total --json "$pid"
pagetruth "$pid" >/out/shm-total.truth
kill "$pid"

# A writer, watched for some seconds: nothing is cleared unless it is asked for.
load writer writer:4
answer writer
rows watched --json -i 0.1 -n 30 "$pid"
answer writer
rows cleared --json -D -i 0.5 -n 8 "$pid"
answer writer
kill "$pid"
