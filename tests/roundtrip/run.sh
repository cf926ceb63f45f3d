#!/bin/sh
# SPDX-License-Identifier: MIT
# Round trip of generated traces, of the sample, and of the traces in TR_CORPUS, if that is set.
# Variables: TR_BIN, TR_GEN, TR_CORPUS, srcdir, PYTHON, as in prop/lib.sh.
. "$(dirname "$0")/../prop/lib.sh"
need tr-parse tr-view

case $TR_CORPUS in "" | /*) ;; *) TR_CORPUS=$built/$TR_CORPUS ;; esac
sample=$root/contrib/sample
run "the comparison sees planted differences" $python "$here/roundtrip.py" --self-test

set --
if [ -x "$gen" ]; then
    make_traces plain --ranks 2 --steps 3 --layers 3 --counters 20 --shapes 2
    make_traces array --container array --layout compact --layers 2
    make_traces mtia --vendor mtia --layers 2 --base early
    # Every defect that leaves the file readable for a strict parser.
    make_traces defects --layers 3 --plant begin-end=5 --plant end-first=5 --plant end-args=5 \
        --plant end-anonymous=5 --plant lone-begin=2 --plant lone-end=2 --plant async \
        --plant bind-flow --plant odd-phase=8 --plant zero-ts --plant lone-surrogate \
        --plant surrogate-pair \
        --plant escaped-key --plant nan-arg --plant inf-arg --plant neg-inf-arg --plant ts-string \
        --plant ts-exponent --plant sub-ns=5 --plant dur-string --plant dur-null \
        --plant dur-missing --plant dur-negative --plant dur-centuries --plant duplicate-key \
        --plant args-not-object \
        --plant uint64 --plant huge-int --plant double17 --plant exponent --plant string-pid \
        --plant string-tid --plant numeric-string-tid --plant missing-ph --plant null-event \
        --plant non-object --plant empty-event --plant bom
    seed=1
    while [ $seed -le "${TR_SEEDS:-20}" ]; do
        make_traces seed$seed --random --seed $seed
        seed=$((seed + 1))
    done
    set -- */rank?.json
fi
for file in "$sample"/*.json "$sample"/*.json.gz; do
    [ ! -r "$file" ] || set -- "$@" "$file"
done
[ -z "$TR_CORPUS" ] || set -- --corpus "$TR_CORPUS" "$@"
[ $# -gt 0 ] || finish

$python "$here/roundtrip.py" --bin "$bin" "$@" >result
take result roundtrip.py
finish
