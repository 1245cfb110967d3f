#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# seconds: 2
# Completion of processes, as operands and as values of options, in bash, zsh and fish.  The name of a process is
# any text, even a command for the shell.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
need_cmd ps
[ -x "$BUILD/bin/pagemon" ] || skip_all 'pagemon is not built here'
cd "$TMP" || exit 2

# shellcheck disable=SC2016
name='pqz $(touch x)' quoted='pqz\ \$\(touch\ x\)'
cp "$(command -v sleep)" "$name"
bg "./$name" 600
pid=$bg_pid
wait_for grep -qxF "$name" "/proc/$pid/comm"

bash_answers() { # WORD...
	run bash --norc -c '. "$1" && shift && COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) && { "_$1" || :; } && printf "%s\n" "${COMPREPLY[@]}"' \
		bash "$BUILD/completions/$1.bash" "$@"
}
for words in 'pagemon' 'pagemon -p' 'pagemon --pid =' 'cpustat -C' 'cpustat --comm =' 'eventstat --comm =' \
	'forkstat -n' 'forkstat --comm ='; do
	[ -e "$BUILD/completions/${words%% *}.bash" ] || continue
	# shellcheck disable=SC2086
	bash_answers $words pqz
	is "$out" "$quoted" "bash: a name after $words"
done
for words in 'pagemon' 'pagemon -p' 'cpustat -p' 'forkstat -P'; do
	[ -e "$BUILD/completions/${words%% *}.bash" ] || continue
	# shellcheck disable=SC2086
	bash_answers $words "$pid"
	is "$(grep -cx "$pid" <<<"$out")" 1 "bash: a PID after $words"
done
bash_answers pagemon --mappi
is "$out" --mappings 'bash: an option'

if have_cmd fish; then
	run env HOME="$TMP" fish --no-config -c "source $BUILD/completions/pagemon.fish
		complete -C 'pagemon $pid'; complete -C 'pagemon pqz'; complete -C 'pagemon --pid=pqz'"
	like "$(grep -c "^$pid"$'\t' <<<"$out")" '[1-9]' 'fish: a PID'
	is "$(grep -cxF -- "$name" <<<"$out")" 1 'fish: a name'
	is "$(grep -cF -- "--pid=$name" <<<"$out")" 1 'fish: a name as the value of an option'
	run env HOME="$TMP" fish --no-config -c "source $BUILD/completions/pagemon.fish; complete -C 'pagemon -- pqz'"
	unlike "$out" touch 'fish: a command, but no process after --'
else
	skip 'needs fish, which is not installed' 4
fi

zsh_answer() { # LINE: the line after Tab
	cat >keys.zsh <<-END
		zmodload zsh/zpty
		zpty z env HOME=$TMP ZDOTDIR=$TMP TERM=dumb zsh -f -i
		zpty -w z 'fpath=($BUILD/completions \$fpath) PS1=REA PS1+=DY; autoload -Uz compinit; compinit -u -d $TMP/zcompdump'
		zpty -r -m z out '*READY*'
		zpty -n -w z '$1'\$'\t'
		zpty -r -m z out '*touch*'
		print -r -- \$out
	END
	run timeout 60 zsh -f keys.zsh
}
if have_cmd zsh; then
	for line in 'pagemon pqz' 'pagemon --pid=pqz' 'cpustat -C pqz'; do
		[ -e "$BUILD/completions/_${line%% *}" ] || continue
		zsh_answer "$line"
		like "$out" "$line"'\\ \\\$\\\(touch' "zsh: $line"
	done
else
	skip 'needs zsh, which is not installed' 3
fi

ok 'no command in a name is executed' test ! -e x
kill "$pid"
done_testing
