#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: all.sh SOURCE BUILD MINUTES TARGET... (by `make fuzz-all')
# Every fuzz target runs for its part of MINUTES of processor time, by libFuzzer with sanitizers, in
# BUILD/tests/fuzz-all:
#
#   build/           the targets and the programs, built by clang
#   corpus/TARGET    what each target keeps from run to run, minimized after each
#   found/TARGET-*   inputs that a target failed with
#   logs/TARGET      what libFuzzer said
#
# Prints a table: target, runs, seconds of processor time, inputs of the corpus, findings.  Status 1: something was
# found, now or before; take it from found/ when it is mended.
#
# From outside: CLANG [clang]; MAKE; FUZZ_FLAGS, more flags for libFuzzer.
src=$1
dir=$2/tests/fuzz-all
minutes=$3
shift 3
: "${CLANG:=clang}" "${MAKE:=make}"
LC_ALL=C
export LC_ALL

case $minutes in
'' | *[!0-9]* | 0)
    echo "fuzz-all: MINUTES is a whole number, at least 1" >&2
    exit 2
    ;;
esac
mkdir -p "$dir/build" "$dir/corpus" "$dir/found" "$dir/logs" "$dir/tmp" || exit 2
echo 'int LLVMFuzzerTestOneInput(const unsigned char *p, unsigned long n) { return !p && n; }' >"$dir/probe.c"
if ! "$CLANG" -fsanitize=fuzzer,address,undefined -o "$dir/probe" "$dir/probe.c" >"$dir/logs/probe" 2>&1; then
    echo "fuzz-all: $CLANG has no libFuzzer; see $dir/logs/probe" >&2
    exit 2
fi

(
    cd "$dir/build" || exit 1
    [ -f Makefile ] || "$src/configure" -q CC="$CLANG" CXX="$CLANG++" --disable-shared --enable-fuzzers \
        --enable-sanitizers=address,undefined || exit 1
    $MAKE -s -C libcore && $MAKE -s -C tools && $MAKE -s -C tests "$@"
) >"$dir/logs/build" 2>&1 || {
    tail -n 20 "$dir/logs/build" >&2
    echo "fuzz-all: the targets do not build" >&2
    exit 2
}

TR_BIN=$dir/build/tools
TR_VIEWS=$src/tests/rules/views.tsv
TMPDIR=$dir/tmp
export TR_BIN TR_VIEWS TMPDIR
# Set cpu to the whole seconds of processor time that the programs which ended have taken.
count_cpu()
{
    times >"$dir/times" # not in a pipe or $(), which are processes of their own
    cpu=$(awk 'NR == 2 { split($1, user, "[ms]"); split($2, sys, "[ms]")
                         print int(60 * (user[1] + sys[1]) + user[2] + sys[2]) }' "$dir/times")
}

seconds=$((minutes * 60 / $#))
[ "$seconds" -gt 0 ] || seconds=1
total=0
printf 'target\truns\tseconds\tcorpus\tfound\n'
for target; do
    name=${target#fuzz/fuzz_}
    kept=$dir/corpus/$name
    log=$dir/logs/$name
    program=$dir/build/tests/$target
    mkdir -p "$kept"
    # What comes with the source.
    set -- "$kept"
    [ ! -d "$src/tests/fuzz/corpus/$name" ] || set -- "$@" "$src/tests/fuzz/corpus/$name"
    case $name in
    json) set -- "$@" "$src/tests/salvage/inputs" ;;
    stream) set -- "$@" "$src/tests/spec/accept" ;;
    esac
    # libFuzzer counts time of day; on a busy machine it takes several rounds.
    # -fork: a finding does not end the run.  A target of its own processes takes little memory itself.
    count_cpu
    begun=$cpu
    took=0 runs=0
    : >"$log"
    while [ "$took" -lt "$seconds" ]; do
        "$program" -fork=1 -ignore_crashes=1 -ignore_ooms=1 -ignore_timeouts=1 -max_total_time=$((seconds - took)) \
            -timeout=60 -rss_limit_mb=2048 -max_len=16384 -artifact_prefix="$dir/found/$name-" -print_final_stats=1 \
            $FUZZ_FLAGS "$@" >"$dir/logs/round" 2>&1
        cat "$dir/logs/round" >>"$log"
        n=$(sed -n 's/^#\([0-9][0-9]*\): cov:.*/\1/p' "$dir/logs/round" | tail -n 1)
        runs=$((runs + ${n:-0}))
        count_cpu
        took=$((cpu - begun))
        if [ -z "$n" ]; then
            echo "fuzz-all: $target does not run; see $log" >&2
            exit 2
        fi
    done
    # The same coverage from fewer and smaller inputs.
    if [ -n "$(ls -A "$kept")" ]; then
        rm -rf "$dir/smaller" && mkdir "$dir/smaller"
        if "$program" -merge=1 -timeout=60 -rss_limit_mb=2048 "$dir/smaller" "$kept" >>"$log" 2>&1 &&
            [ -n "$(ls -A "$dir/smaller")" ]; then
            rm -rf "$kept" && mv "$dir/smaller" "$kept"
        fi
    fi
    found=$(find "$dir/found" -name "$name-*" | wc -l)
    total=$((total + found))
    printf '%s\t%s\t%s\t%s\t%s\n' "$name" "$runs" "$took" "$(find "$kept" -type f | wc -l)" "$found"
done
[ "$total" -eq 0 ] || { echo "fuzz-all: see $dir/found" >&2; exit 1; }
