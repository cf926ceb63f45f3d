#!/bin/sh
# SPDX-License-Identifier: MIT
# Time and peak memory of the programs against the size of the trace: what `make curve' runs.
#
# usage: curve.sh [FOLDER]
#
# FOLDER  gets curve.tsv, and with gnuplot curve.svg and curve.png [.]
#
# For each size, two traces are generated: one of one rank, and one of the same size of four ranks.  tr-parse converts
# the first to a stream, once without a limit on memory and once with -M 128M.  tr-breakdown and tr-filter read the
# stream.  tr-merge merges the streams of the four ranks.  The result is the least time and the most memory of
# BENCH_RUNS runs.
#
# Variables:
#   SIZES       bytes of JSON, suffix k M G, ascending [10M 100M 1G]; 8G takes 20 GB of disk
#   BENCH_DIR   folder for traces and streams, which are kept; without it, a folder in TMPDIR that is removed at the end
#   BENCH_RUNS  runs of each program [3]
#   TR_BIN      folder of the built programs [../tools]
#   BENCH_BIN   folder of measure [bench]
#   TR_GEN      the trace generator [gen/trgen]
#   GNUPLOT     name of gnuplot [gnuplot]
LC_ALL=C
export LC_ALL
sizes=${SIZES:-10M 100M 1G}
runs=${BENCH_RUNS:-3}
gnuplot=${GNUPLOT:-gnuplot}

die()
{
    echo "curve: $*" >&2
    exit 1
}
say()
{
    echo "curve: $*" >&2
}
# folder NAME: its path from the root, which is made if it is not there
folder()
{
    mkdir -p "$1" && (unset CDPATH && cd "$1" && pwd)
}
# program NAME: its path from the root
program()
{
    (unset CDPATH && cd "$(dirname "$1")" 2>/dev/null && echo "$(pwd)/$(basename "$1")")
}

[ $# -le 1 ] || die "usage: curve.sh [FOLDER]"
out=$(folder "${1:-.}") || exit 1
gen=$(program "${TR_GEN:-gen/trgen}")
measure=$(program "${BENCH_BIN:-bench}/measure")
[ -x "$gen" ] || die "the generator is not built (TR_GEN)"
[ -x "$measure" ] || die "measure is not built (BENCH_BIN)"
PATH=$(program "${TR_BIN:-../tools}/."):$PATH
export PATH
for tool in tr-parse tr-breakdown tr-filter tr-merge; do
    command -v $tool >/dev/null || die "$tool is not built (TR_BIN)"
done

# Bytes of each size, as "10M 10000000".
for size in $sizes; do
    echo "$size" | awk '
        !/^[0-9]+[kMG]?$/ || $1 + 0 == 0 { exit 1 }
        { unit = substr($1, length($1)); print $1, $1 * (unit == "k" ? 1e3 : unit == "M" ? 1e6 : unit == "G" ? 1e9 : 1) }
        ' OFMT=%.0f CONVFMT=%.0f || die "SIZES: '$size' is not a size"
done >"$out/curve.sizes" || exit 1

if [ -n "$BENCH_DIR" ]; then
    dir=$(folder "$BENCH_DIR") || exit 1
else
    dir=$(mktemp -d "${TMPDIR:-/var/tmp}/tr-curve.XXXXXX") || exit 1
    trap 'rm -rf "$dir"' EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM
fi

# make_traces SIZE BYTES: one.json and the streams of four ranks, in $dir/SIZE.
make_traces()
{
    [ ! -f "$dir/$1/complete" ] || return 0
    say "making traces of $1"
    rm -rf "${dir:?}/$1"
    mkdir -p "$dir/$1/four" && cd "$dir/$1" || exit 1
    "$gen" --size "$2" --no-truth --output . && mv rank0.json one.json || die "the generator failed"
    "$gen" --ranks 4 --size $(($2 / 4)) --no-truth --output four || die "the generator failed"
    for rank in 0 1 2 3; do
        tr-parse -o four/$rank.trs four/rank$rank.json && rm four/rank$rank.json || die "tr-parse failed"
    done
    : >complete
}

# row NAME BYTES COMMAND...: run it, add its line to the table.
row()
{
    name=$1 bytes=$2
    shift 2
    rm -f times
    run=0
    while [ $run -lt "$runs" ]; do
        "$measure" times "$@" >/dev/null 2>err || die "$name failed: $(tail -n 1 err)"
        run=$((run + 1))
    done
    awk -v name="$name" -v bytes="$bytes" '
        BEGIN { FS = OFS = "\t" }
        NR == 1 || $1 < wall { wall = $1; cpu = $2 + $3 }
        $4 > peak { peak = $4 }
        END {
            print name, bytes, sprintf("%.3f", wall), sprintf("%.2f", cpu), sprintf("%.1f", peak / 1024),
                sprintf("%.0f", bytes / 1e6 / (wall > 0 ? wall : 0.001))
        }' times >>"$out/curve.new"
}

printf 'program\tbytes\twall_s\tcpu_s\tpeak_MiB\tMB_per_s\n' >"$out/curve.new" || exit 1
while read -r size about <&3; do
    make_traces "$size" "$about"
    cd "$dir/$size" || exit 1
    bytes=$(wc -c <one.json | tr -d ' ')
    say "measuring $size"
    cat one.json >/dev/null # into the page cache
    row tr-parse "$bytes" tr-parse -T . -o one.trs one.json
    row tr-parse-128M "$bytes" tr-parse -M 128M -T . -o one.trs one.json
    row tr-breakdown "$bytes" tr-breakdown -O tsv one.trs
    row tr-filter "$bytes" tr-filter 'dur > 100us' one.trs
    row tr-merge "$bytes" tr-merge -T . four/0.trs four/1.trs four/2.trs four/3.trs
done 3<"$out/curve.sizes"
rm "$out/curve.sizes" && mv "$out/curve.new" "$out/curve.tsv" && cat "$out/curve.tsv" || exit 1

command -v "$gnuplot" >/dev/null || {
    say "no gnuplot: a table, and no picture"
    exit 0
}
cd "$out" || exit 1
for format in svg png; do
    cat <<END
set terminal $format size 1000,450
set output "curve.$format"
set multiplot layout 1,2
set logscale xy
set key top left
set grid
set autoscale xfix
set xlabel "size of the trace as JSON, MB"
plot_of(name) = sprintf("< grep '^%s\t' curve.tsv", name)
set ylabel "wall time, s"
plot for [name in "tr-parse tr-parse-128M tr-breakdown tr-filter tr-merge"] plot_of(name) using (\$2 / 1e6):3 \\
    with linespoints linewidth 2 title name
set ylabel "peak memory, MiB"
plot for [name in "tr-parse tr-parse-128M tr-breakdown tr-filter tr-merge"] plot_of(name) using (\$2 / 1e6):5 \\
    with linespoints linewidth 2 title name
unset multiplot
unset output
END
done >curve.gnuplot
"$gnuplot" curve.gnuplot 2>curve.err || die "gnuplot failed: $(tail -n 1 curve.err)"
rm -f curve.gnuplot curve.err
say "the pictures are $out/curve.svg and curve.png"
