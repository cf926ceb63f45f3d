# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Tests that try a part of what they have, another one for each commit; read by `.' after tap.sh.
#
# From outside: TR_SLICE, a number in place of that of the commit; TR_LONG=1, all parts.

# which_slice N: in $slice a number from 0 to N - 1, by the number of commits before this one; "all" with TR_LONG=1.
which_slice()
{
    slice=${TR_SLICE:-$(git -C "$root" rev-list --count HEAD 2>/dev/null)}
    slice=$((${slice:-0} % $1))
    [ "${TR_LONG:-0}" -eq 0 ] || slice=all
    echo "# part $slice of $1: TR_SLICE chooses one, TR_LONG=1 takes all"
    n_turns=0
}

# turns N WORD...: each N-th of all words given so far, a line each: those of this part; N divides what which_slice has.
turns()
{
    every=$1
    shift
    for word; do
        n_turns=$((n_turns + 1))
        if [ "$slice" = all ] || [ $((n_turns % every)) -eq $((slice % every)) ]; then
            echo "$word"
        fi
    done
}
