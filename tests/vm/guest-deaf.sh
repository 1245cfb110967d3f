#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The run of forkstat.sh in which another program tries to switch the events off, after minutes of
# silence.  With -e exec alone the socket's filter drops all other kinds of events.
forkstat -e exec >/out/rows 2>/out/err &
pid=$!
until [ -s /out/rows ]; do usleep 10000; done
sleep 150
/bin/true later
cnignore 3
/bin/true after
sleep 70
kill -INT $pid
wait $pid
echo $? >/out/status
