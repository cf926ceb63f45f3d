#!/bin/sh
# SPDX-License-Identifier: MIT
# Every program: help, version, wrong usage.
. "$(dirname "$0")/../harness/tap.sh"
[ -n "$(built_tools)" ] || skip_all "no program is built"
make_sample >sample.json

for t in $(built_tools); do
    args=$(operands "$t")

    $t --help >out 2>err
    is $? 0 "$t --help: status 0"
    like "$(head -n 1 out)" "Usage: $t *" "$t --help: usage on standard output"
    none err "$t --help: nothing on standard error"
    $t --version >out 2>err
    is $? 0 "$t --version: status 0"
    like "$(head -n 1 out)" "$t (*) [0-9]*.[0-9]*" "$t --version: name and version"

    $t --no-such-option >out 2>err
    is $? 2 "$t: unknown long option: status 2"
    like "$(cat err)" "$t: unknown option '--no-such-option'*" "$t: unknown long option: is named"
    none out "$t: unknown long option: no output"
    $t -% >out 2>err
    is $? 2 "$t: unknown letter: status 2"
    is "$(wc -l <err | tr -d ' ')" 1 "$t: unknown letter: one line"

    # every option that takes a value must want one, and those without must refuse one
    $t --option-table | cut -f 3,4 >table
    while read -r name takes; do
        case $takes in
        yes) $t "--$name" >out 2>err ;;
        no) $t "--$name=1" >out 2>err ;;
        *) continue ;;
        esac
        is "$?: $(cat err)" "2: $t: option '--$name' $(
            [ "$takes" = no ] && echo 'takes no value' ||
                echo "needs a value: $($t --option-table | awk -F '\t' -v n="$name" '$3 == n { print $5 }')"
        ) (see $t --help)" "$t --$name: value"
    done <table

    if grep -q '^threads' table; then
        eval "$t -j 0 $args sample.json" >out 2>err
        is $? 2 "$t -j 0: status 2"
        like "$(cat err)" "$t: option --threads: '0' is not a whole number from 1 to *" "$t -j 0: bounds"
    fi
done
finish
