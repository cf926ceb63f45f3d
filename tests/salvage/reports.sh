#!/bin/sh
# SPDX-License-Identifier: MIT
# Reports of unitrace that are cut, or have foreign lines: no other line is lost, and none is invented.
#
# A line counts as whole if its end is there; of a timeline, also if its last word is.
. "$(dirname "$0")/../harness/tap.sh"
[ -x "$bin/tr-view" ] || skip_all "not built: tr-view"

cat >whole.txt <<'END'
=== Device Timing Summary ===

    Total Execution Time (ns):             5000
    Total Device Time for L0 backend (ns): 7000

== L0 Backend ==

   Kernel,  Calls,  Time (ns),   Time (%)
"f(a, b)",      4,       7000, 100.000000
      "g",     12,          0,   0.000000

=== Kernel Properties ===

   Kernel, Compiled, SIMD
"f(a, b)",      JIT,   32

Thread 7 Device 59 : "f(a, b)" [ns] 1200 (append) 1300 (submit) 3000 (start) 4500 (end)
Thread 7 Device 59 : "g" [ns] 1200 (append) 1300 (submit) 4600 (start) 4700 (end)
END

# What is in a text, in the order of its tables and events: names and numbers.
contents()
{
    for table in timing_totals timing_summary kernel_properties; do
        tr-view -q --by $table -O tsv "$1" | sed '/^rank/d; s/^[^	]*	[^	]*	//'
    done
    tr-view -q -O tsv --unit ns --columns name,ts,dur "$1" | sed 1d
}

contents whole.txt >all
size=$(wc -c <whole.txt)
bad=0
n=1
while [ "$n" -le "$size" ]; do
    head -c "$n" whole.txt >cut.txt
    lines=$(tr -cd '\n' <cut.txt | wc -c) # that are whole; the one after them is, if it is of a timeline and its end is there
    want=$({ head -n "$lines" cut.txt && tail -n +$((lines + 1)) cut.txt | grep '(end)$'; } |
        grep -cE 'ns\): *[0-9]+$|^ *".*[0-9]$|\(end\)$')
    have=$(contents cut.txt 2>/dev/null | tee seen | grep -c .)
    [ "$have" -eq "$want" ] && ! grep -Fvxq -f all seen || bad=$((bad + 1))
    n=$((n + 7))
done
is "$bad" 0 "cut at any byte, the lines before are there and unchanged"

# A foreign line after each line: it is counted, and costs nothing else.
awk '{ print } NF { print "noise from the program" }' whole.txt >mixed.txt
contents mixed.txt >seen
is "$(cat seen)" "$(cat all)" "foreign lines cost no other line"
is "$(tr-info -q -O json mixed.txt | grep -o '"unknown_line", "count": [0-9]*')" \
    "\"unknown_line\", \"count\": $(grep -c noise mixed.txt)" "each of them is counted"

sed 's/$/\r/' whole.txt >crlf.txt
contents crlf.txt >seen
is "$(cat seen)" "$(cat all)" "lines may end as on Windows"

awk 'BEGIN { print "=== Device Timing Summary ===\n\nKernel,  Calls"; for (i = 0; i < 300000; i++) printf "x"; print ",  1\n\"a\",  2" }' >long.txt
is "$(tr-view -q --by timing_summary -O tsv --columns name,calls long.txt | sed 1d)" "a	2" "a line that is too long is lost alone"
is "$(tr-info -q -O json long.txt | grep -o '"too_long", "count": 1')" '"too_long", "count": 1' "and counted"
finish
