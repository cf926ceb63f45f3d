#!/bin/sh
# SPDX-License-Identifier: MIT
# The corpus of every fuzz target, replayed.
. "$(dirname "$0")/../harness/tap.sh"
TR_BIN=$bin
TR_VIEWS=$root/tests/rules/views.tsv
export TR_BIN TR_VIEWS
for folder in "$here"/corpus/*/; do
    target=$built/fuzz/fuzz_$(basename "$folder")
    what="fuzz_$(basename "$folder")"
    more=
    [ "$what" != fuzz_json ] || more=$root/tests/salvage/inputs
    if [ -x "$target" ]; then
        "$target" "$folder"* ${more:+"$more"/*} >said 2>&1
        ok $? "$what"
        grep -v '^ok' said | tail -n 20 | sed 's/^/# /'
    else
        skip "$what" "not built"
    fi
done
finish
