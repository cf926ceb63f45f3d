#!/bin/sh
# SPDX-License-Identifier: MIT
# XPlane, the traces of JAX: what is read, from GPUs and TPUs, and what is salvaged where files are cut or changed.
. "$(dirname "$0")/lib.sh"
need tr-parse tr-view tr-breakdown tr-info tr-sum tr-comm tr-align tr-roofline

$python "$here/xplane.py" "$bin" >said 2>&1
take said "what is read"

# every table of every program: it has rows, or the program says why not
$python -c "import sys; sys.path.insert(0, '$here'); import xplane_made as m
for name, planes in (('gpus', m.gpus()), ('tpu', m.tpu())): open(name + '.xplane.pb', 'wb').write(m.space(planes))"
for kind in gpus tpu; do
    : >wrong
    tables=0
    while IFS='	' read -r program options _ <&3; do
        case $program in '#'* | tr-categorize) continue ;; esac
        have "$program" || continue
        [ "$options" != - ] || options=
        set -- $kind.xplane.pb
        [ "$program" != tr-diff ] || set -- "$1" "$1"
        # shellcheck disable=SC2046 # "~" is a blank inside of an option
        $program -O tsv $(echo "$options" | tr "~" " ") "$@" >out 2>err
        status=$?
        if [ "$(wc -l <out)" -ge 2 ]; then
            tables=$((tables + 1))
        elif ! grep -q "$program: " err || [ $status -gt 5 ]; then
            echo "$program $options: status $status, $(head -n 1 err)" >>wrong
        fi
    done 3<"$root/tests/rules/views.tsv"
    none wrong "$kind: all tables"
    [ $tables -gt 20 ]
    ok $? "$kind: $tables tables have rows"
done

# a program whose instructions all have shapes of their own: what is kept of shapes is no reason to refuse it
$python -c "import sys; sys.path.insert(0, '$here'); import xplane_made as m
made = [m.instruction(i + 1, 'i%d' % i, 'add', m.shape(11, i % 7) + [(50, b'%0490d' % i)], [i, i - 1] if i > 3 else [])
        for i in range(150000)]
with open('shapes.xplane.pb', 'wb') as f:
    f.write(m.space([m.programs(m.program(1, 'j', made))] + m.gpus()[1:]))"
tr-parse -q -M 64M -o shapes.trs shapes.xplane.pb
ok $? "distinct shapes with little memory"
finish
