#!/bin/sh
# SPDX-License-Identifier: MIT
# Every program: inputs that are missing, empty, foreign, cut short; upstream programs that failed.
. "$(dirname "$0")/../harness/tap.sh"
[ -n "$(built_tools)" ] || skip_all "no program is built"
make_sample >sample.json
: >empty
printf 'this is no trace\n' >bad
have_parse=
[ -x "$bin/tr-parse" ] && tr-parse -o sample.trs sample.json 2>/dev/null && have_parse=yes

# refused STATUS WHAT: $? of the last command, its out and err; no report may come out of damaged input.
refused()
{
    is "$status" "$1" "$2: status $1"
    is "$(wc -l <err | tr -d ' ')" 1 "$2: one line on standard error"
    none out "$2: no output"
}

for t in $(built_tools); do
    args=$(operands "$t")
    run="$t $args"
    $t --option-table | cut -f 3 >options
    grep -qx input-format options || continue

    eval "$run" </dev/null >out 2>err
    status=$?
    refused 3 "$t: empty standard input"
    like "$(cat err)" "$t: standard input*" "$t: empty standard input: is named"
    eval "$run empty" >out 2>err
    status=$?
    refused 3 "$t: empty file"
    like "$(cat err)" "$t: empty: *" "$t: empty file: is named"
    eval "$run bad" >out 2>err
    status=$?
    refused 3 "$t: no trace at all"
    eval "$run missing" >out 2>err
    status=$?
    refused 4 "$t: missing file"
    like "$(cat err)" "$t: missing: *: No such file or directory" "$t: missing file: is named"
    eval "$run ." >out 2>err
    status=$?
    refused 3 "$t: a folder without a trace"
    eval "$run" <&- >out 2>err
    status=$?
    refused 4 "$t: closed standard input"
    eval "$run --assume-terminal=stdin" </dev/null >out 2>err
    status=$?
    refused 2 "$t: terminal as standard input"
    eval "$run - -" <sample.json >out 2>err
    status=$?
    refused 2 "$t: standard input twice"

    # a stream names the command line that made it
    $t --option-table | cut -f 3 | grep -qx no-provenance && run="$t --no-provenance $args"
    eval "$run sample.json" >out 2>err
    is $? 0 "$t: a sound file: status 0"
    eval "$run" <sample.json >out2 2>err
    is $? 0 "$t: the same by standard input: status 0"
    grep -qx no-provenance options && run="$run --no-provenance" # command lines differ
    eval "$run sample.json" >out1 2>err
    eval "$run -j 1 sample.json" >out 2>err
    [ "$t" = tr-diff ] || cmp -s out out1 # whose partial result names the command line
    ok $? "$t: one thread: the same output"

    if [ $have_parse ]; then
        tr-parse missing 2>/dev/null | eval "$run" >out 2>err
        status=$?
        refused 3 "$t: an upstream that failed"
        size=$(wc -c <sample.trs)
        for cut in 1 8 $((size / 2)) $((size - 1)); do
            head -c "$cut" sample.trs | eval "$run" >out 2>err
            is $? 3 "$t: a stream cut at byte $cut: status 3"
            like "$(cat err)" "$t: standard input*" "$t: a stream cut at byte $cut: is named"
        done
    else
        skip "$t: an upstream that failed" "tr-parse is not built"
    fi
done

# a library that only makes gzip faster cannot be loaded
if [ $have_parse ]; then
    mkdir libraries
    echo none >libraries/libisal.so.2
    tr-parse -q --no-provenance -z none "$root/contrib/sample/rank0.json.gz" >want.trs
    LD_LIBRARY_PATH=$tmp/libraries tr-parse -q --no-provenance -z none "$root/contrib/sample/rank0.json.gz" >have.trs 2>err
    cmp want.trs have.trs >wrong 2>&1
    none wrong "gzip without ISA-L"
    none err "gzip without ISA-L: nothing is said"
fi
finish
