#!/bin/sh
# SPDX-License-Identifier: MIT
# Build tracepipe and show what it does, on your traces or on the sample.
#
# usage: contrib/demo.sh [TRACE]...
#
# Packages that the build needs are installed first, if possible: see setup.sh.  The build is in build-demo.  The script
# changes no other folder, except that a checkout gets its configure script.
#
# The status is that of the first program that fails (see man/tr-options.7), or 2 or 4 if the build fails.

case ${1-} in
-h | --help)
    sed -n '3,/^$/s/^# \{0,1\}//p' "$0"
    exit
    ;;
esac
for trace; do
    if [ ! -r "$trace" ] || [ -d "$trace" ]; then
        [ -e "$trace" ] && why="cannot be read" || why="no such file"
        [ -d "$trace" ] && why="is a folder; name the traces in it"
        echo "demo.sh: $trace: $why" >&2
        exit 4
    fi
done

unset CDPATH
here=$(pwd)
cd "$(dirname "$0")/.." || exit 4
top=$(pwd)
. contrib/setup.sh
tracepipe_setup
tracepipe_build build-demo || exit
PATH=$top/build-demo/tools:$PATH
export PATH

cd "$here" || exit 4
if [ $# -eq 0 ]; then
    cd "$top/contrib/sample" || exit 4
    set -- rank*.json.gz
fi

# A name as one types it in a shell.
typed()
{
    case $1 in
    *[!A-Za-z0-9_./+-]*) printf "'%s'\n" "$(printf '%s\n' "$1" | sed "s/'/'\\\\''/g")" ;;
    *) printf '%s\n' "$1" ;;
    esac
}

names=
for trace; do
    case $trace in
    -*) trace=./$trace ;;
    esac
    names="$names $(typed "$trace")"
done
names=${names# }

errors=$(mktemp "${TMPDIR:-/tmp}/tr-demo.XXXXXX") || exit 4
trap 'rm -f "$errors"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# show QUESTION COMMAND: print both, then what the command prints.  Warnings are in the first answer.
asked=0
show()
{
    printf '\n# %s\n$ %s\n' "$1" "$2"
    eval "$2" 2>"$errors"
    status=$?
    if [ $asked -eq 0 ]; then
        cat "$errors" >&2
    else
        grep -v ': warning: ' "$errors" >&2
    fi
    asked=1
    # 1: a check that failed is an answer, too
    [ $status -le 1 ] || exit $status
}

show "Can it be trusted?  Conditions that hold, or do not; warnings say what is wrong." \
    "tr-info --check $names"
show "What is in it?  Each trace with its rank, and where the rank is from." \
    "tr-info -q $names | head -n $((4 + $#))"
show "Where did the time of the devices go?  idle: nothing ran; exposed_comm: communication without compute." \
    "tr-parse $names | tr-breakdown --by time -O text"
show "What ran at the same time?  compute+comm: communication hidden under compute; comm: not hidden." \
    "tr-breakdown --by type -O text $names"
show "How much of the communication is hidden?  overlap_pct: 100 is all; exposed_comm_us: what is not." \
    "tr-overlap -O text $names"
show "Why was it idle?  cause: why nothing ran; during: what the thread that launched the next work did meanwhile." \
    "tr-breakdown --by idle --top 3 --columns rank,cause,idle,pct,during -O text $names"
show "Which operators cost most?  self: without operators inside of them; pct: of all device work." \
    "tr-breakdown --by operator --top 4 --columns rank,calls,host_self,device_self,pct,name -O text $names"
show "Which long kernels are there?  tr-filter passes on events as grep does lines." \
    "tr-parse $names | tr-filter 'kind == \"compute\" && dur > 100us' | tr-breakdown --by kernel --top 3 -O text"
show "All of it on one page?  Above each table stands the command that prints its figures." \
    "tr-report $names"

# what a reader may copy: short, and where it can be run
[ $# -le 3 ] || names=TRACE...
echo
echo "What to try next:"
[ "$(pwd)" = "$here" ] || echo "  cd $(typed "$(pwd)")"
cat <<END
  PATH=$(typed "$top/build-demo/tools"):\$PATH
all that is in the traces:
  tr-info $names
the same for each step of the training:
  tr-breakdown --per step $names
single events, here the long collectives:
  tr-filter 'kind == "comm" && dur > 1ms' $names | tr-view
read once, ask often:
  tr-parse -o job.trs $names && tr-overlap job.trs
how the programs fit together:
  man $(typed "$top/man/tr-intro.7")
END
