#!/bin/sh
# SPDX-License-Identifier: MIT
# A gate of tr-diff finds kernels that became 3 % slower or faster, in each of many jobs, and takes the chance in
# which jobs differ anyway for neither.  TR_SEEDS: how many jobs are tried [12].
. "$(dirname "$0")/lib.sh"
need tr-diff tr-parse
[ -x "$gen" ] || skip_all "the generator is not built (TR_GEN)"

# in jobs of several ranks, half of a step is communication, which takes its time anyway
slower='step.diff_pct > 0.5% && step.sigma > 4'
faster='step.diff_pct < -0.5% && step.sigma < -4'
row='side == device && diff_pct > 2% && diff_us > 50us && sigma > 5'

# job FOLDER SEED SCALE: each draws its own delays, and its own duration for each kernel.
job()
{
    folder=$1
    make_traces "$folder" --seed "$2" --device-scale "$3" --steps 24 --layers 3 --python 0 --no-truth --ranks "$ranks"
    tr-parse -q -o "$folder.trs" "$folder"/rank?.json || echo "$folder: not read" >>wrong
    rm -r "$folder"
}

# expect STATUS WHAT OPTION...: of the last job against the base.
expect()
{
    status=$1 what=$2
    shift 2
    tr-diff -q -O tsv "$@" base.trs test.trs >table 2>said
    have=$?
    [ $have -eq "$status" ] || echo "seed $seed, $what: status $have, not $status: $(cat said)" >>wrong
}

: >wrong
n=${TR_SEEDS:-12}
seed=1
while [ $seed -le "$n" ]; do
    ranks=$((seed % 3 + 1))
    job base $seed 1000
    job test $((seed + 5000)) 1000
    expect 0 "the same job: steps" --fail-if "$slower" --fail-if "$faster"
    expect 0 "the same job: kernels" --by kernel --fail-if "$row"
    job test $((seed + 6000)) 1030
    expect 1 "3 % slower: steps" --fail-if "$slower"
    expect 0 "3 % slower: no steps that are faster" --fail-if "$faster"
    expect 1 "3 % slower: kernels" --by kernel --fail-if "$row"
    expect 1 "3 % slower: device work by operator" --by operator --fail-if "$row"
    expect 1 "3 % slower: device work by path" --by path --fail-if "$row"
    job test $((seed + 7000)) 970
    expect 1 "3 % faster: steps" --fail-if "$faster"
    expect 0 "3 % faster: no steps that are slower" --fail-if "$slower"
    expect 0 "3 % faster: no kernels that are slower" --by kernel --fail-if "$row"
    seed=$((seed + 1))
done
none wrong "$n jobs against others like them, slower and faster ones"
finish
