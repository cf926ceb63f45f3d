#!/bin/sh
# SPDX-License-Identifier: MIT
# What --where lets take part is what tr-filter passes on.
# TR_SEEDS: how many traces drawn at random are tried [40].
. "$(dirname "$0")/lib.sh"
need tr-parse tr-filter tr-breakdown tr-overlap

# Options change with the trace; windows and ranks hold beside --where.
options()
{
    case $(($1 % 6)) in
    0) echo "--by time" ;;
    1) echo "--by type" ;;
    2) echo "--per stream" ;;
    3) echo "--per step" ;;
    4) echo "--per all --drop-last-step" ;;
    5) echo "--step 1.. --suspect include" ;;
    esac
}

cat >expressions <<'END'
dur > 5us
name =~ "gemm|nccl" || activity == memcpy
kind != comm && args.stream != 7
has(args.correlation) && !(kind == compute)
step == 1
step in 1..2 && depth == 0
depth >= 1 || stream in 0..7
phase == counter
END

n=${TR_SEEDS:-40}
seed=1
while [ $seed -le "$n" ]; do
    make_traces seed$seed --random --seed $seed
    tr-parse -q -o seed$seed.trs seed$seed/rank?.json || echo "seed $seed" >>unread
    rm -r seed$seed
    seed=$((seed + 1))
done
[ ! -s unread ]
ok $? "$n traces"

while IFS= read -r expr <&3; do
    : >differ
    seed=1
    while [ $seed -le "$n" ]; do
        # shellcheck disable=SC2046 # several words
        set -- -q -O tsv $(options $seed)
        tr-filter -q "$expr" seed$seed.trs >part.trs 2>said || cat said >>differ
        tr-breakdown "$@" part.trs >want 2>said
        first=$?
        tr-breakdown "$@" --where "$expr" seed$seed.trs >have 2>said
        second=$?
        # a trace without steps has none to choose
        [ $first -eq $second ] && { [ $first -eq 0 ] || grep -q 'option --step: the trace has no steps' said; } &&
            cmp want have >>said || { echo "seed $seed: $*"; cat said; } >>differ
        seed=$((seed + 1))
    done
    none differ "tr-breakdown --where '$expr'"
done 3<expressions

: >differ
seed=1
while [ $seed -le "$n" ]; do
    tr-filter -q 'dur > 2us' seed$seed.trs | tr-overlap -q -O tsv --by state --classes comm,compute,memory >want &&
        tr-overlap -q -O tsv --by state --classes comm,compute,memory --where 'dur > 2us' seed$seed.trs >have &&
        cmp want have || echo "seed $seed"
    tr-overlap -q -O tsv --where 'kind == comm || depth == 0' --where 'dur > 2us' seed$seed.trs >have &&
        tr-overlap -q -O tsv --where '(kind == comm || depth == 0) && dur > 2us' seed$seed.trs >want &&
        cmp want have || echo "seed $seed, repeated"
    seed=$((seed + 1))
done >differ 2>&1
none differ "tr-overlap --where, once and twice"

# The comparison means something: most tables are not those of the whole trace.
seed=1
while [ $seed -le "$n" ]; do
    tr-breakdown -q -O tsv seed$seed.trs >want
    tr-breakdown -q -O tsv --where 'dur > 5us' seed$seed.trs >have
    cmp -s want have || echo "$seed"
    seed=$((seed + 1))
done >others
[ "$(wc -l <others)" -gt $((n / 4)) ]
ok $? "--where changes the table"
finish
