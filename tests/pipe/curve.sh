#!/bin/sh
# SPDX-License-Identifier: MIT
# contrib/curve.sh: the table has a row for each program and size, and a picture is made.  Not what the figures are.
. "$(dirname "$0")/../harness/tap.sh"
curve=$root/contrib/curve.sh
TR_GEN=${TR_GEN:-$built/gen/trgen}
BENCH_BIN=${BENCH_BIN:-$built/bench}
TR_BIN=$bin
export TR_GEN BENCH_BIN TR_BIN
unset SIZES BENCH_DIR BENCH_RUNS GNUPLOT
for t in tr-parse tr-breakdown tr-filter tr-merge; do
    [ -x "$bin/$t" ] || skip_all "not built: $t"
done
[ -x "$TR_GEN" ] || skip_all "the generator is not built (TR_GEN)"
[ -x "$BENCH_BIN/measure" ] || skip_all "measure is not built (BENCH_BIN)"

SIZES='1M 2000k' BENCH_RUNS=1 GNUPLOT=no-gnuplot sh "$curve" without >said 2>err
is $? 0 "without gnuplot: status"
like "$(tail -n 1 err)" "curve: no gnuplot:*" "without gnuplot: it says so"
is "$(ls without)" curve.tsv "without gnuplot: a table"
cmp said without/curve.tsv >wrong
none wrong "the table is printed, too"
is "$(head -n 1 said)" "program	bytes	wall_s	cpu_s	peak_MiB	MB_per_s" "its columns"
is "$(sed 1d said | cut -f 1 | tr '\n' ' ')" \
    "$(printf '%s ' tr-parse tr-parse-128M tr-breakdown tr-filter tr-merge tr-parse tr-parse-128M tr-breakdown tr-filter \
        tr-merge)" "its rows"
awk -F '\t' 'NR > 1 {
    about = NR <= 6 ? 1e6 : 2e6
    if (NF != 6 || $2 < 0.8 * about || $2 > 1.2 * about)
        print
    for (i = 3; i <= 6; i++)
        if ($i !~ /^[0-9]+(\.[0-9]+)?$/)
            print
    if ($5 <= 0)
        print
}' said >wrong
none wrong "sizes as they were asked for, and numbers"

if command -v gnuplot >said 2>&1; then
    SIZES=500k BENCH_RUNS=1 BENCH_DIR=kept sh "$curve" with >said 2>err
    is $? 0 "with gnuplot: status"
    is "$(cd with && echo *)" "curve.png curve.svg curve.tsv" "with gnuplot: pictures"
    for t in tr-parse tr-parse-128M tr-breakdown tr-filter tr-merge; do
        [ "$(grep -c ">$t<" with/curve.svg)" -ge 2 ] || echo "$t"
    done >wrong
    none wrong "with gnuplot: every program is in time and in memory"
    is "$(ls kept)" 500k "BENCH_DIR: traces stay"
else
    skip "a picture" "no gnuplot"
fi

if command -v "${PYTHON:-python3}" >said 2>&1 && [ -x "$bin/tr-report" ]; then
    RANKS='1 6' K=2 FAN=2 MESH='--steps 1 --layers 1 --kernels 3' sh "$root/contrib/curve-ranks.sh" ranks >said 2>err
    is $? 0 "numbers of ranks: status"
    is "$(cut -f 1 said | tr '\n' ' ')" "ranks 1 6 " "numbers of ranks: a row for each"
    awk -F '\t' 'NR > 1 { for (i = 1; i <= NF; i++) if (NF != 11 || $i !~ /^[0-9]+(\.[0-9]+)?$/) print }' said >wrong
    none wrong "numbers of ranks: numbers"
    RANKS=many sh "$root/contrib/curve-ranks.sh" bad >said 2>err
    is "$? $(cat err)" "1 curve-ranks: RANKS: 'many' is not a number" "a wrong number of ranks"
else
    skip "numbers of ranks" "no Python, or tr-report is not built"
fi

SIZES='1M many' sh "$curve" bad >said 2>err
is "$? $(cat err)" "1 curve: SIZES: 'many' is not a size" "a wrong size"
TR_GEN=/none/trgen sh "$curve" bad >said 2>err
is "$? $(cat err)" "1 curve: the generator is not built (TR_GEN)" "no generator"
finish
