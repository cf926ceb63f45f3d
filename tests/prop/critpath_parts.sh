#!/bin/sh
# SPDX-License-Identifier: MIT
# A critical path that is found part by part is that of the whole graph: random traces, too long for -M 16M as a whole.
. "$(dirname "$0")/lib.sh"
. "$root/tests/harness/slice.sh"
need tr-critpath tr-parse

# in_parts SEED: sums and counts of one trace.
in_parts()
{
    $python "$here/critpath_parts.py" "$1" 200000 | tr-parse -q -o long.trs - || exit 99
    tr-critpath -q -M 16M --by edge -O tsv long.trs >table 2>said
    [ $? = 4 ] || ok 1 "seed $1: the whole graph needs more than -M 16M"
    for options in '' --gaps --launch-edges; do
        for by in bound count; do
            # shellcheck disable=SC2086 # none or one
            {
                tr-critpath -M 1G --by $by -O tsv $options long.trs >want 2>want.said
                tr-critpath -M 16M --by $by -O tsv $options long.trs >have 2>have.said
            }
            cat want.said >>want
            cat have.said >>have
            same have want "seed $1: --by $by $options"
        done
    done
}

which_slice 4
for seed in $(turns 4 1 2 3 4 5 6 7 8); do
    in_parts "$seed"
done
finish
