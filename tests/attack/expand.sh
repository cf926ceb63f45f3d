#!/bin/sh
# SPDX-License-Identifier: MIT
# Small streams that unpack to a great deal: whoever reads them stays within -M and half of it, or refuses with one line.
#
# For each kind of expand.c: so many blocks that every program refuses them, and so many that are just read.
# TR_LONG=1: all programs read the latter.
. "$(dirname "$0")/../harness/tap.sh"
for t in tr-info tr-filter tr-counters tr-merge; do
    [ -x "$bin/$t" ] || skip_all "not built: $t"
done
for t in attack/expand bench/measure; do
    [ -x "$built/$t" ] || skip_all "not built: $t"
done
grep -q __asan_init "$bin/tr-info" "$bin/.libs/tr-info" 2>/dev/null && skip_all "sanitizers take memory of their own"

readers="tr-filter tr-counters tr-categorize"
[ -z "$TR_LONG" ] || readers=$(built_tools | grep -vx -e tr-align)

# use STATUS PROGRAM [ARG]...: its status, of which - is 0, 3 or 4, its words and its memory
use()
{
    want=$1
    shift
    rm -f used
    "$built/bench/measure" used "$@" -j 2 -M 64M >/dev/null 2>said
    got=$?
    case "$want$got" in -0 | -3 | -4 | 00 | 44) ;; *) echo "status of $*: $got, $want expected" >>wrong ;; esac
    if [ $got -gt 2 ] && [ "$(grep -vc ': warning: ' said)" -ne 1 ]; then
        echo "$* does not say it in one line" >>wrong
    fi
    awk -F '\t' -v what="$*" '$4 > 104 * 1024 { printf "%s took %d MiB\n", what, $4 / 1024 }' used >>wrong
}

while read -r kind many some; do
    : >wrong
    "$built/attack/expand" "$kind" "$many" >stream
    use 4 tr-info stream
    "$built/attack/expand" "$kind" "$some" >stream
    use 0 tr-info stream
    for t in $readers; do
        eval "use - $t $(operands "$t") stream"
    done
    none wrong "$kind: $many blocks, $some blocks"
done <<'END'
strings 80 63
short-strings 40 10
columns 10 3
shapes 40 22
short-shapes 6 3
sources 3 1
header-entries 40 16
replaced-sources 40 10
tracks 10 4
clocks 10 4
short-clocks 6 2
provenance 10 1
tables 4 1
table-rows 40 31
END

# What several inputs hold counts together, and so does what is made of them.
: >wrong
"$built/attack/expand" strings 16 >a
"$built/attack/expand" strings 12 >b
use 0 tr-merge --renumber a b
use 4 tr-merge --renumber a b a
none wrong "several inputs"
finish
