#!/bin/sh
# SPDX-License-Identifier: MIT
# Tables of a stream go the way of its events: a filter keeps them, a merge gives sources, tracks and records
# their new numbers, clocks leave them alone, redaction drops those with texts; watermarks are passed over.
. "$(dirname "$0")/../harness/tap.sh"
python=${PYTHON:-python3}
command -v "$python" >said || skip_all "no $python"
for t in tr-filter tr-merge tr-align tr-categorize tr-info tr-parse; do
    [ -x "$bin/$t" ] || skip_all "not built: $t"
done
sample=$here/../spec/accept/tables.trs

# tables FILE: what it holds
tables()
{
    "$python" "$here/../spec/read.py" "$1" | sed -n '/^table/p; /^row/p'
}
# resolved FILE: the same, sources as their ranks, tracks as rank, side, pid and tid: no numbers of this stream
resolved()
{
    "$python" "$here/../spec/read.py" "$1" | awk '
        /^source [0-9]* rank/ { rank[$2] = $4 }
        /^track/ { track[$2] = rank[$4] "/" $6 "/" $8 "/" $10 }
        /^table/ { print $1, $2, $4 == "-1:" ? "-" : rank[$4 + 0] }
        /^row [0-9]/ { split($2, at, "@"); split($4, event, "@")
                       print at[1], track[at[2]], track[$3], event[1] "@" rank[event[2]] }'
}

tables "$sample" >want
is "$(grep -c . want)" 5 "the sample has two tables of three rows"
tr-filter 'name == gemm' "$sample" >out.trs && tables out.trs >have
diff have want >wrong
none wrong "tr-filter keeps tables"
tr-merge "$sample" >out.trs && resolved out.trs >have && resolved "$sample" >want
diff have want >wrong
none wrong "a merge of one"
tr-merge --ranks 5,4 "$sample" "$sample" >out.trs && resolved out.trs >have
sed 's/\(samples\) 3$/\1 RANK/; s:3\(/[^ ]*\):RANK\1:g; s/@3$/@RANK/' want >rank
sed '/^table peaks/,$d' rank >of_rank
sed '/^table peaks/,$!d' rank >of_none
{ sed s/RANK/4/g of_rank; sed s/RANK/5/g of_rank; cat of_none of_none; } >want2
diff have want2 >wrong
none wrong "a merge of two gives new numbers to the same things, by rank"
tables "$sample" >want
tr-filter --redact true "$sample" >out.trs && tables out.trs >have
printf '%s\n' 'table peaks source -1: tflops/3' 'row -1980' >without
diff have without >wrong
none wrong "redaction drops tables with texts"
printf '3\t0.25\n' >offsets
tr-align --offsets offsets "$sample" >out.trs && resolved out.trs >have
is "$("$python" "$here/../spec/read.py" out.trs | sed -n 's/^event \([0-9]*\).*"gemm".*/\1/p')" 1250 "tr-align moves events"
resolved "$sample" >want
diff have want >wrong
none wrong "and leaves times of tables on the clock of the input"
tr-align --undo out.trs >undone.trs && resolved undone.trs >have
diff have want >wrong
none wrong "so undoing it leaves nothing"
tr-filter --count true "$here/../spec/accept/watermark.trs" >have
is "$(cat have)" 2 "a watermark is passed over"
tr-filter --count true "$here/../spec/reject/reset.trs" >out 2>err
is "$?" 3 "a reset is refused"
# A memory timeline is a table, if it is not too large: 16 MiB of rows.
entries()
{
    awk -v n="$1" 'BEGIN { for (i = 0; i < n; i++) printf "%s[%d, 2, 1024, 4]\n", i ? "," : "[", 1000 * i + 1; print "]" }'
}
entries 100000 | tr-parse >out.trs
is "$(tr-info -O json out.trs | sed -n 's/.*"rows": \([0-9]*\).*/\1/p')" 100000 "100000 entries are a table of as many rows"
entries 700000 | tr-parse >out.trs
is "$(tr-info -O json out.trs | grep -c '"tables": \[\]')" 1 "700000 are no table"
is "$(tr-filter --count true out.trs)" 700000 "but events"
finish
