#!/bin/sh
# SPDX-License-Identifier: MIT
# contrib/recipes/Snakefile with Snakemake: the page of 64 ranks is that of one run, byte by byte, also if a program is
# killed; only what changed is read again; a broken trace is named.
. "$(dirname "$0")/lib.sh"
outside snakemake || skip_all "$why"
. "$here/ranks.sh"
HOME=$tmp
export HOME

# recipe [TRACES]: its status, and how many traces it read
recipe()
{
    snakemake -j 2 -s "$recipes/Snakefile" --config traces="${1-in/rank*.json}" out=out tr="$tmp/bin/" expect=0..63 >said 2>&1
    echo "$? $(grep -c '^rule part:' said)"
}
fail 5 program
is "$(recipe) $(ls fault)" "0 65 " "64 ranks: a program is killed, and started again"
is_whole out "64 ranks"
is "$(recipe)" "0 0" "the same again: nothing is read"
touch in/rank3.json
is "$(recipe)" "0 1" "a trace is newer: it alone is read"
is_whole out "a trace is newer"
spoil
is "$(recipe)" "1 2" "a broken trace: the run fails at its end"
is "$(cat out/missing)" "in/rank17.json: tr-report: in/rank17.json: unknown format (see tr-parse --list-formats)
tr-report: 1 rank is missing: 17" "a broken trace: it is named, and its rank"
cmp want63.txt out/report.txt >wrong 2>&1
none wrong "a broken trace: the page is that of one run over the others"
repair
is "$(recipe)" "0 2" "whole traces: they are read"
is_whole out "whole traces"
is "$(recipe 'in/rank?.json')" "1 0" "fewer traces"
page want9.txt in/rank?.json
cmp want9.txt out/report.txt >wrong 2>&1
none wrong "fewer traces: the page is about these"
finish
