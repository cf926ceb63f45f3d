#!/bin/sh
# SPDX-License-Identifier: MIT
# contrib/recipes/rows-to-trace.awk: rows of a table as spans of each rank, and as samples of a counter, beside the trace.
. "$(dirname "$0")/../harness/tap.sh"
for t in tr-comm tr-info tr-merge tr-view; do
    [ -x "$bin/$t" ] || skip_all "not built: $t"
done
command -v awk >/dev/null || skip_all "no awk"
rows()
{
    awk "$@" -f "$root/contrib/recipes/rows-to-trace.awk"
}

# Collectives of two ranks, whose times count from a base: each span is where its kernel is.
tr-merge -q -o job.trs "$root"/contrib/sample/rank?.json.gz
base=$(tr-info -O json job.trs | sed -n 's/.*"base_ns": *\([0-9]*\).*/\1/p' | head -n 1)
tr-comm -q --by member -O tsv job.trs >table
rows -v base="$base" <table >rows.json
tr-merge -q job.trs rows.json >all.trs
places()
{
    tr-view -q -O tsv --columns rank,ts,dur --where "$1" all.trs | sed 1d | sort
}
places 'cat == "row"' >spans
places 'activity == kernel && kind == comm' >kernels
is "$(wc -l <spans | tr -d ' ')" "$(($(wc -l <table) - 1))" "a span for each row"
cmp spans kernels >wrong 2>&1
none wrong "spans of collectives are where their kernels are, on the same rank"
is "$(tr-view -q -O tsv --columns args.dtype,args.seq --where 'cat == "row"' all.trs | sed -n 2p)" "$(printf 'BFloat16\t1')" \
    "other columns are args"

# One rank; ends in place of durations; names with quotes; times in ns.
printf 'rank\tfrom_ns\tto_ns\twhat\n3\t1500\t4500\tsay "a\\b"\n3\t5000\t5000\tb\n' >table
rows -v start=from_ns -v end=to_ns -v name=what <table >rows.json
is "$(tr-view -q -O tsv --unit ns --columns rank,ts,dur,name --where 'phase == span' rows.json | tr '\t\n' '|;')" \
    'rank|ts_ns|dur_ns|name;3|1500|3000|say "a\\b";3|5000|0|b;' "one rank, ends, names"
# A counter: the value while the row lasts, then 0; the next row begins where one ends.
printf 'rank\tstart_us\tdur_us\tutil_pct\n0\t1.5\t2\t40\n0\t3.5\t1.25\t60.5\n1\t2\t1\t\n' >table
rows -v value=util_pct <table >rows.json
is "$(tr-view -q -O tsv --columns rank,ts,name,args.util_pct --where 'phase == counter' rows.json | tr '\t\n' '|;')" \
    'rank|ts_us|name|args.util_pct;0|1.500|util_pct|40;0|3.500|util_pct|0;0|3.500|util_pct|60.5;0|4.750|util_pct|0;' "a counter"
# What is wrong is said in a line.
rows -v value=none <table >out 2>err
is "$?:$(cat err)" '2:rows-to-trace.awk: there is no column none' "a column that is not there"
none out "nothing is written then"
printf 'name\tcalls\na\t1\n' | rows >out 2>err
is "$?:$(cat err)" '2:rows-to-trace.awk: no column start_us, start_ns, ts_us or ts_ns: name one with -v start=' "no times"
finish
