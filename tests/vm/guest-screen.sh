#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC3043 # the shell is busybox
# guest-screen.sh COLUMNS ROWS COMMAND: prints the screen of COMMAND, with its colours, while a few programs run.
mkdir -p /dev/pts && mount -t devpts devpts /dev/pts
ping -i 0.2 127.0.0.1 >/dev/null &
top -b -d 0.5 >/dev/ttyS0 &
for program in '40 panel' '25 player' '10 sensord' '4 agent'; do
	# shellcheck disable=SC2086 # a rate and a name
	naps $program >/dev/null &
done
export LC_ALL=C.UTF-8
terminal() { tmux -S /tmp/tmux -f /dev/null "$@"; }
terminal start \; set -g default-terminal screen \; new-session -d -x "$1" -y "$2" "$3" \; set -g status off
terminal resize-window -x "$1" -y "$2"
sleep 15
terminal capture-pane -e -p
