#!/bin/sh
# SPDX-License-Identifier: MIT
# Property: threads share nothing that is not made for it: the tests that run several, and a trace large enough to be
# read by several, under the thread sanitizer.
#
# Only with TR_LONG=1, as `make check-long' sets it: it configures and makes a build of its own.
. "$(dirname "$0")/lib.sh"
[ "${TR_LONG:-0}" != 0 ] || skip_all "takes minutes: make check-long"
top=$built/..
[ -f "$top/config.status" ] && [ -f "$top/Makefile" ] || skip_all "not in a build folder"
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES TESTS
options=$("$top/config.status" --config) # quoted for a shell
make_traces large --size 20M --plant begin-end=200 --no-truth

mkdir build
if ! (cd build && eval "set -- $options" && "$root/configure" -q "$@" --enable-sanitizers=thread) >log 2>&1; then
    sed 's/^/# /' log
    skip_all "no thread sanitizer"
fi
(cd build && make -j2 && make -j2 -C tests check TESTS=) >log 2>&1
ok $? "a build with the thread sanitizer"
TSAN_OPTIONS="halt_on_error=1 exitcode=66 log_path=$tmp/race"
export TSAN_OPTIONS

# unraced WHAT: no report was written since the last time.
unraced()
{
    cat race.* >reports 2>said
    rm -f race.*
    none reports "$1: no race"
}

gzip -k large/rank0.json
for input in large/rank0.json large/rank0.json.gz; do
    for how in '' --no-sort '-M 16M' '--piece-size 64K'; do
        # shellcheck disable=SC2086 # several options
        build/tools/tr-parse -q -j 3 $how -z lz4 -o t.trs $input
        ok $? "tr-parse -j 3 $how $input"
    done
done
build/tools/tr-merge -q -j 3 --renumber -o m.trs t.trs large/rank0.json && build/tools/tr-filter -q -j 3 --closure 'dur > 10us' m.trs |
    build/tools/tr-view -q -O jsonl >view
ok $? "tr-merge -j 3, tr-filter -j 3 --closure, tr-view"
build/tools/tr-report -q -j 3 --sections all -O json --top 0 large/rank0.json >page &&
    build/tools/tr-report -q -j 3 --sections all --step 16 m.trs >page
ok $? "tr-report -j 3"
unraced "a trace of 20 MB"

# analyses of parts share less than those of events, so more of them run at the same time
make_traces ranks --ranks 3 --steps 2 --layers 2 --no-truth
chosen='--by name --by group --by straggler --by collective'
mkdir comm report
for rank in 0 1 2; do
    # shellcheck disable=SC2086 # several options
    build/tools/tr-comm -q $chosen --save-partial comm/$rank.part ranks/rank$rank.json &&
        build/tools/tr-report -q --save-partial report/$rank.part ranks/rank$rank.json
done
# shellcheck disable=SC2086 # several options
build/tools/tr-comm -q -j 3 -O json --align $chosen comm >rows && build/tools/tr-report -q -j 3 -O json report >page
ok $? "tr-comm -j 3 of parts, tr-report -j 3 of parts"
unraced "parts of three ranks"

several='unit/api_dataset unit/api_runs unit/io_pool unit/runner unit/stream_ahead unit/vendor_files'
TR_LONG=0 TR_SEEDS=3 TR_CORPUS='' TR_GEN='' make -C build/tests check \
    TESTS="$several prop/determinism.sh prop/merge_many.sh prop/tears.sh" >log 2>&1
ok $? "the tests that run several threads"
grep -E '^(not ok|FAIL|ERROR|# TOTAL)' log | sed 's/^/# /'
unraced "these tests"
finish
