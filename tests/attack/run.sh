#!/bin/sh
# SPDX-License-Identifier: MIT
# Input made to exhaust memory: it stays bounded, and intact events come through, or one line refuses.
#
# One line of expected.tsv for each attack:
#
#   kind    of flood.c
#   packed  by this program; -: not at all
#   quick   size, a number of bytes or of events, that `make check' tries; -: none
#   long    the same with TR_LONG=1, as `make check-long' does
#   status  of every program; 3 and 4 come with one line and no output; -: 0 or 4
#   events  how many come through; N stands for the size
#   intact  names that must be among them
#   causes  what is counted: CAUSE=COUNT, or CAUSE where it is not said how often; -: nothing
#   MiB     of memory at most, with -j 2 -M 128M
#
# What tr-parse makes is read by every program, or by those that TR_ATTACK_TOOLS names.  TR_LONG=1 also lets
# tr-breakdown read the trace itself, and reports what was used.
. "$(dirname "$0")/../harness/tap.sh"
for t in tr-parse tr-view tr-info tr-filter tr-breakdown; do
    [ -x "$bin/$t" ] || skip_all "not built: $t"
done
for t in attack/flood bench/measure; do
    [ -x "$built/$t" ] || skip_all "not built: $t"
done
tab=$(printf '\t')
measured=yes # sanitizers take memory of their own
grep -q __asan_init "$bin/tr-parse" "$bin/.libs/tr-parse" 2>/dev/null && measured=

readers=${TR_ATTACK_TOOLS:-$(built_tools | grep -vx -e tr-parse -e tr-align -e tr-plot)} # tr-align wants several ranks

# feed: the trace
feed()
{
    if [ "$packed" = - ]; then
        "$built/attack/flood" "$kind" "$size"
    else
        "$built/attack/flood" "$kind" "$size" | "$packed" -q -c
    fi
}

# differs HAVE WANT WHAT
differs()
{
    [ "$1" = "$2" ] || echo "$3: $1, $2 expected" >>wrong
}

# number EXPRESSION: with N as the size
number()
{
    echo $(($(echo "$1" | sed "s/N/$size/g")))
}

# use FILE PROGRAM [ARG]...: run it on standard input and look at its status, words and memory
use()
{
    output=$1
    shift
    rm -f used
    "$built/bench/measure" used "$@" -j 2 -M 128M >"$output" 2>said
    got=$?
    peak=$(awk -F '\t' '{ print int($4 / 1024) }' used)
    case "$status:$1" in
    -:* | 0:tr-diff) # which keeps a row for each name, within half of -M
        [ $got -eq 0 ] || [ $got -eq 4 ] || differs $got "0 or 4" "status of $1" ;;
    *) differs $got "$status" "status of $1" ;;
    esac
    if [ $got -gt 2 ]; then
        differs "$(grep -vc ': warning: ' said)" 1 "lines of $1"
        [ "$1" != tr-info ] && [ "$1" != tr-breakdown ] || none_of "$output" "$1"
    fi
    if [ "$measured" ] && [ "$peak" -gt "$mib" ]; then
        echo "$1 took $peak MiB, $mib allowed" >>wrong
    fi
    [ -z "$TR_LONG" ] || awk -F '\t' -v what="$kind $packed $size $1" \
        '{ printf "# %s: %.1f s, %d MiB, status %d\n", what, $1, $4 / 1024, $5 }' used
}

none_of()
{
    [ ! -s "$1" ] || echo "$2 printed a table" >>wrong
}

# counted: "cause=count ..." of the stream
counted()
{
    tr-info -q -O json stream | awk -F '"cause": "|", "count": |, "first_byte"' '
        NF == 4 { printf "%s%s=%s", sep, $2, $3; sep = " " }
        END { print sep == "" ? "-" : "" }'
}

# look: at the stream that tr-parse made
look()
{
    differs "$(tr-filter -q -c true stream)" "$(number "$events")" "events"
    tr-filter -q 'name == "ok0" || name == "ok1"' stream | tr-view -q -O tsv --columns name | sed 1d | sort -u >names
    differs "$(tr '\n' ' ' <names)" "$intact " "intact events"
    have=$(counted)
    case "$causes" in
    *N*) causes=${causes%%=*}=$(number "${causes#*=}") ;;
    *=* | -) ;;
    *) have=$(echo "$have" | sed 's/=[0-9]*//g') ;;
    esac
    differs "$have" "$causes" "causes"
}

while IFS=$tab read -r kind packed quick long status events intact causes mib <&3; do
    case "$kind" in '#'*) continue ;; esac
    size=$quick
    [ -z "$TR_LONG" ] || size=$long
    [ "$size" != - ] || continue
    [ $# -eq 0 ] || [ "$kind" = "$1" ] || continue
    what="$kind $size"
    if [ "$packed" != - ]; then
        what="$what, packed with $packed"
        case $packed in xz | bzip2) library=libarchive ;; *) library=$packed ;; esac
        if ! command -v "$packed" >/dev/null || ! tr-parse --version | grep -q "$library"; then
            skip "$what" "no $packed"
            continue
        fi
    fi
    : >wrong
    rm -f stream
    if [ "$kind" = zip-bomb ] && ! tr-parse --version | grep -q libarchive; then
        skip "$what" "no libarchive"
        continue
    fi
    feed 2>/dev/null | { use stream tr-parse; echo $got >got; }
    if [ "$(cat got)" = 0 ]; then
        [ "$events" = - ] || look
        for t in $readers; do
            eval "use /dev/null $t $(operands "$t")" <stream
        done
    fi
    [ -z "$TR_LONG" ] || feed 2>/dev/null | use /dev/null tr-breakdown
    none wrong "$what"
done 3<"$here/expected.tsv"
finish
