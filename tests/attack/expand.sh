#!/bin/sh
# SPDX-License-Identifier: MIT
# Small streams that unpack to a great deal: whoever reads them stays within -M and half of it, or refuses with one line.
#
# For each kind of expand.c: so many blocks that every program refuses them, or, of strings, has them in files; and so
# many that are just read.
# Half of the kinds for each commit.  TR_LONG=1: all, and all programs read the latter.
. "$(dirname "$0")/../harness/tap.sh"
. "$root/tests/harness/slice.sh"
for t in tr-info tr-filter tr-counters tr-merge; do
    [ -x "$bin/$t" ] || skip_all "not built: $t"
done
for t in attack/expand bench/measure; do
    [ -x "$built/$t" ] || skip_all "not built: $t"
done
grep -q __asan_init "$bin/tr-info" "$bin/.libs/tr-info" 2>/dev/null && skip_all "sanitizers take memory of their own"

readers="tr-filter tr-counters tr-categorize"
[ -z "$TR_LONG" ] || readers=$(built_tools | grep -vx -e tr-align -e tr-plot)

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

which_slice 2
while read -r kind many status some; do
    n_turns=$((n_turns + 1))
    [ "$slice" = all ] || [ $((n_turns % 2)) -eq "$slice" ] || continue
    : >wrong
    "$built/attack/expand" "$kind" "$many" >stream
    use "$status" tr-info stream
    "$built/attack/expand" "$kind" "$some" >stream
    use 0 tr-info stream
    for t in $readers; do
        eval "use - $t $(operands "$t") stream"
    done
    none wrong "$kind: $many blocks with status $status, $some blocks"
done <<'END'
strings 200 0 63
short-strings 12 0 6
columns 10 4 2
shapes 40 4 22
short-shapes 6 4 3
sources 3 4 1
header-entries 40 4 16
replaced-sources 40 4 10
tracks 10 4 4
clocks 10 4 4
short-clocks 6 4 2
provenance 10 4 1
tables 4 4 1
table-rows 40 4 31
END

# The same of the other codec.
: >wrong
while read -r kind n status; do
    "$built/attack/expand" "$kind" "$n" lz4 >stream
    use "$status" tr-info stream
    use - tr-filter 'dur >= 0' stream
done <<'END'
strings 200 0
shapes 40 4
clocks 10 4
END
none wrong "lz4"

# What several inputs hold counts together, and so does what is made of them.
: >wrong
"$built/attack/expand" header-entries 4 >a
"$built/attack/expand" header-entries 3 >b
use 0 tr-merge --renumber a b
use 4 tr-merge --renumber a b a
none wrong "several inputs"

# What is in files is what would be in memory.
: >wrong
"$built/attack/flood" names 700000 >names.json
tr-parse --no-provenance -M 1G names.json >large
tr-parse --no-provenance -M 16M names.json >small || echo "status of tr-parse: $?" >>wrong
cmp large small >>wrong 2>&1
for t in "tr-view -q -O tsv" "tr-view -q -O jsonl" "tr-merge --no-provenance"; do
    $t -M 1G large >one
    $t -M 16M large >two || echo "status of $t: $?" >>wrong
    cmp one two >>wrong 2>&1
done
tr-info -q -M 16M -T nowhere large >/dev/null 2>said
differs=$?
[ $differs -eq 4 ] && [ "$(grep -c . said)" -eq 1 ] || echo "without a folder: status $differs" >>wrong
grep -q '^tr-info: nowhere: cannot make a temporary file there: ' said || cat said >>wrong
none wrong "700000 names with little memory"
finish
