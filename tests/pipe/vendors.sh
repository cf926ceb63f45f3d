#!/bin/sh
# SPDX-License-Identifier: MIT
# Every analysis on small traces of every vendor and of every lack: none fails, each says something.
#
# The traces are golden/vendors/*.json; what is right there stands in golden/TOOL/vendors.sh, for new analyses
# this asks less: status 0, a table or stream whose end is there, and one line that says why it has no rows.
. "$(dirname "$0")/../harness/tap.sh"
[ -n "$(built_tools)" ] || skip_all "no program is built"
traces=$root/tests/golden/vendors

# Has the trace any device work?
has_work()
{
    grep -q '"cat": "\(kernel\|gpu_mem[a-z]*\|mtia_ccp_events\)"\|"dispatch_info"' "$1"
}

# What is told of host work is an answer for these.
about_hosts="tr-critpath tr-diff tr-flame tr-sum"

for t in $(built_tools); do
    $t --option-table | cut -f 3 >options
    grep -qx coverage options || continue
    args=$(operands "$t")
    ! grep -qx force options || args="$args --force"
    case $t in
    tr-counters | tr-critpath | tr-patterns) ;; # write streams, which have no such form
    *) ! grep -qx output-format options || args="$args -O tsv" ;;
    esac
    [ "$t" != tr-categorize ] || args="--by class -O tsv" # without it, there is nothing to cover
    for trace in "$traces"/*.json; do
        what="$t: $(basename "$trace" .json)"
        cp "$trace" trace.json
        eval "$t $args trace.json" >out 2>err
        is "$?" 0 "$what: status 0"
        [ -s out ]
        ok $? "$what: there is an output"
        # A table of one line has columns and no rows; a stream is longer than that.
        case $args in *-q*) continue ;; esac
        if [ "$(wc -l <out)" -le 1 ]; then
            is "$(grep -c . err)" 1 "$what: one line says why there are no rows"
        elif ! has_work trace.json && [ "${about_hosts#*"$t"}" = "$about_hosts" ]; then
            like "$(cat err)" "*no device work*" "$what: no device work is told"
        fi
        eval "$t $args --coverage trace.json" 2>&1 >out | grep -q "^$t: coverage: .* us"
        ok $? "$what: --coverage"
    done
done
finish
