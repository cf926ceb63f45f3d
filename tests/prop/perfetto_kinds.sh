#!/bin/sh
# SPDX-License-Identifier: MIT
# Every table of every program is the same of a trace of Perfetto as of the same events in JSON: as tr-view, rocprofv3 and
# PyTorch in both of its forms write such traces.
. "$(dirname "$0")/lib.sh"
need tr-view tr-sum

make_traces plain --steps 3 --layers 2 --streams 2 --collectives 2 --base absent --epoch-ns 1000000000 --no-truth
mkdir kinds
run "traces of each kind" "$python" "$here/perfetto_kinds.py" plain/rank0.json kinds
cp plain/rank0.json kinds/tr-view.json
run "tr-view -O perfetto" tr-view -q -O perfetto -o kinds/tr-view.pftrace kinds/tr-view.json

# rows FILE: without what only one form has, and rows of equal times in any order
rows()
{
    awk -F'\t' -v OFS='\t' -v DROP="$drop" '
        NR == 1 || $1 in head { for (i = 1; i <= NF; i++) skip[i] = $i ~ DROP; head[$1] }
        { line = ""; for (i = 1; i <= NF; i++) if (!skip[i]) line = line OFS $i; print line }' "$1" | sort
}

for kind in tr-view rocprofv3 pytorch-events pytorch-packets; do
    # numbers of elements; processes and threads stand on tracks with names in some, and what is no span differs
    drop='^((|launch_|first_|from_|to_|payer_|base_|test_|operator_)record|parent|forward|pid|tid|thread|process|file)$'
    : >wrong
    tables=0
    while IFS='	' read -r program options _ <&3; do
        case $program in '#'* | tr-align | tr-categorize | tr-plot) continue ;; esac
        case "$program $options" in "tr-diff "*trend*) continue ;; esac # names its files
        case $options in *--value*event*) options="$options --where phase==span" ;; esac # metadata and flows differ
        have "$program" || continue
        [ "$options" != - ] || options=
        case "$program $options" in # the list of devices, which says it, is a header of JSON
        tr-comm*collective* | tr-comm*group* | tr-comm*exchange* | tr-comm*pair* | tr-comm*member*)
            options="$options --gpus-per-node 2"
            ;;
        esac
        for form in json pftrace; do
            set -- kinds/$kind.$form
            [ "$program" != tr-diff ] || set -- "$1" "$1"
            # shellcheck disable=SC2046 # "~" is a blank inside of an option
            $program -q -O tsv $(echo "$options" | tr "~" " ") "$@" >$form.out 2>$form.err
            echo $? >$form.status
        done
        rows json.out >json.rows
        rows pftrace.out >pftrace.rows
        if ! cmp -s json.status pftrace.status || ! cmp -s json.rows pftrace.rows; then
            echo "$program $options: $(diff json.rows pftrace.rows | sed -n 2,3p | cut -c1-150 | tr '\n\t' '| ') $(head -n 1 pftrace.err)" >>wrong
        fi
        [ "$(wc -l <json.out)" -lt 2 ] || tables=$((tables + 1))
    done 3<"$root/tests/rules/views.tsv"
    none wrong "$kind: all tables"
    [ $tables -gt 30 ]
    ok $? "$kind: $tables tables have rows"
done

# the programs without a table of that list
for kind in tr-view rocprofv3 pytorch-events pytorch-packets; do
    : >wrong
    for command in tr-info tr-report tr-parse tr-categorize 'tr-filter dur>5us' 'tr-merge --no-provenance' 'tr-view -O chrome' 'tr-view -O perfetto'; do
        # shellcheck disable=SC2086 # a command and its options
        $command -q kinds/$kind.pftrace >out 2>said && [ -s out ] || echo "$command: $(head -n 1 said)" >>wrong
    done
    none wrong "$kind: other programs read it, too"
done

# the commands that tr-migrate(7) has for TraceLens' reports on traces of rocprofv3
awk '/^\.Ss / { on = /rocprofv3/ } on && sub(/^\.Dl */, "")' "$root/man/tr-migrate.7" |
    awk '{ line = line $0 } sub(/\\e$/, "", line) { next } /^keys=/ { line = line "; "; next }
         { print line; line = "" }' | grep -F app.pftrace >commands # others are for its JSON
[ "$(grep -c . commands)" -ge 6 ]
ok $? "tr-migrate(7) has commands"
cp "$root/contrib/recipes/hip.rules" .
: >wrong
while read -r command <&3; do
    for form in json pftrace; do
        cp kinds/rocprofv3.$form app.pftrace
        PATH=$bin:$PATH sh -c "$command" >$form.out 2>$form.err || echo "$form: $command: $(head -n 1 $form.err)" >>wrong
    done
    drop='record$'
    rows json.out >json.rows
    rows pftrace.out >pftrace.rows
    cmp -s json.rows pftrace.rows && [ "$(wc -l <json.out)" -ge 2 ] || echo "$command" >>wrong
done 3<commands
none wrong "they give the same of both forms"
finish
