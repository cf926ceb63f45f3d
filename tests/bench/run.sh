#!/bin/sh
# SPDX-License-Identifier: MIT
# Speed and memory of the programs beside a yardstick: what `make bench' runs.
#
# usage: run.sh [FILE.json]
#
# Without FILE a trace is generated.  Every job runs BENCH_RUNS times, the rounds interleaved, so
# that a machine that slows down slows all; the median of the runs counts, of memory the largest.
# J is the yardstick (yardstick.c): one thread that finds and tokenizes every event and does nothing
# else.  The last column is a job's speed over that of J, both counted in bytes of JSON text: the
# median of the ratios of each round.
#
# Jobs whose program or library is missing are listed as "not built"; any other job that fails
# makes the run fail, and so does a job under -M whose peak memory is above the limit.
#
# Variables:
#   TR_BIN      folder of the built programs [../tools]
#   BENCH_BIN   folder of yardstick, measure, inflate, readback [bench]
#   TR_GEN      the trace generator [gen/trgen]
#   BENCH_DIR   where files go and stay; without it a folder in TMPDIR that is removed at the end
#   BENCH_SIZE  bytes of the generated trace, suffix k M G [1G]
#   BENCH_SMALL the same for jobs that hold the whole document in memory [100M]
#   BENCH_CALLS calls of each of the four ranks of unitrace that are merged, 1.05 KB each [66600]
#   BENCH_RUNS  rounds [3]
#   BENCH_ONLY  only jobs whose name matches this shell pattern (J always runs)
#   BENCH_LONG  1: also the memory runs at 8G, which take minutes and 20 GB of disk
#   BENCH_TSV   the results as a table of tab separated values [BENCH_DIR/bench.tsv, if that is set]
#   CXX, CXXFLAGS, PYTHON
LC_ALL=C
export LC_ALL
here=$(cd "$(dirname "$0")" && pwd)
bin=$(cd "${TR_BIN:-../tools}" 2>/dev/null && pwd)
own=$(cd "${BENCH_BIN:-bench}" 2>/dev/null && pwd)
gen=${TR_GEN:-gen/trgen}
case $gen in /*) ;; *) gen=$(pwd)/$gen ;; esac
python=${PYTHON:-python3}
runs=${BENCH_RUNS:-3}
size=${BENCH_SIZE:-1G}
small=${BENCH_SMALL:-100M}
only=${BENCH_ONLY:-*}

die()
{
    echo "bench: $*" >&2
    exit 1
}

given=
[ $# -le 1 ] || die "usage: run.sh [FILE.json]"
if [ $# -eq 1 ]; then
    given=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
    [ -r "$given" ] || die "cannot read $1"
fi
for program in yardstick measure inflate; do
    [ -n "$own" ] && [ -x "$own/$program" ] || die "$program is not built (BENCH_BIN)"
done

if [ -n "$BENCH_DIR" ]; then
    mkdir -p "$BENCH_DIR" || exit 1
    dir=$(cd "$BENCH_DIR" && pwd)
    tsv=${BENCH_TSV:-$dir/bench.tsv}
else
    dir=$(mktemp -d "${TMPDIR:-/var/tmp}/tr-bench.XXXXXX") || exit 1
    trap 'rm -rf "$dir"' EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM
    tsv=$BENCH_TSV
fi
case $tsv in '' | /*) ;; *) tsv=$(pwd)/$tsv ;; esac
cd "$dir" || exit 1
rm -rf results
mkdir results
: >failed

say()
{
    echo "bench: $*" >&2
}

# make_trace FILE SIZE: one rank's trace; a file of an earlier run is taken.
make_trace()
{
    [ -s "$1" ] && return
    [ -x "$gen" ] || die "the generator is not built (TR_GEN); give a trace as operand"
    say "making $1"
    mkdir -p "$1.dir" && "$gen" --size "$2" --no-truth --output "$1.dir" &&
        mv "$1.dir/rank0.json" "$1" && rmdir "$1.dir" || die "the generator failed"
}

# events_of FILE: counts once, and remembers.
events_of()
{
    [ "$1.count" -nt "$1" ] || "$own/yardstick" --scan "$1" >"$1.count" || die "$1 is no trace"
    read -r _ e _ <"$1.count" && echo "$e"
}

bytes_of()
{
    wc -c <"$1" | tr -d ' '
}

big=${given:-$dir/big-$size.json}
[ -n "$given" ] || make_trace "$big" "$size"
little=$dir/small-$small.json
if [ -x "$gen" ]; then
    make_trace "$little" "$small"
elif [ ! -s "$little" ]; then
    little=$big
fi
n_big=$(events_of "$big") || exit 1
n_little=$(events_of "$little") || exit 1
b_big=$(bytes_of "$big")
b_little=$(bytes_of "$little")
packed=$dir/$(basename "$big").gz
[ "$packed" -nt "$big" ] || gzip -c "$big" >"$packed" || die "gzip failed"
stream=$dir/$(basename "$big").trs

# Thresholds for tr-filter: the durations that one and ten percent of all events exceed.
$python - "$little" "$n_little" >thresholds <<'END' || die "no durations in $little"
import re, sys
data = open(sys.argv[1], "rb").read()
durations = sorted((float(d) for d in re.findall(rb'"dur"\s*:\s*([0-9.]+)', data)), reverse=True)
n = int(sys.argv[2])
print("%.3f %.3f" % (durations[n // 100], durations[min(n // 10, len(durations) - 1)]))
END
read -r over1 over10 <thresholds

# job NAME NEEDS EVENTS BYTES LIMIT COMMAND: into the list of jobs.  NEEDS: programs, or "-".
# BYTES: of JSON text.  LIMIT: peak memory in MiB that is allowed, or "-".  COMMAND: for sh.
jobs=0
job()
{
    case $1 in J) ;; $only) ;; *) return ;; esac
    jobs=$((jobs + 1))
    missing=
    for program in $2; do
        [ "$program" = - ] || command -v "$program" >results/which || missing=$program
    done
    [ -z "$missing" ] || echo "$missing" >"results/$jobs.missing"
    printf '%s\t%s\t%s\t%s\n' "$1" "$3" "$4" "$5" >"results/$jobs.job"
    printf '%s\n' "$6" >"results/$jobs.sh"
}

# run_job N: one run, appended to the job's times; with the job's own words when it fails.
run_job()
{
    [ ! -e "results/$1.missing" ] || return 0
    if ! "$own/measure" "results/$1.times" sh "results/$1.sh" </dev/null >results/out 2>results/err
    then
        read -r name _ <"results/$1.job"
        say "$name failed: $(tail -n 1 results/err)"
        echo "$name" >>failed
        echo failed >"results/$1.missing"
    fi
}

PATH=$own:${bin:-$own}:$PATH
export PATH
"$own/inflate" --isal "$packed" >results/out 2>&1 && isal=inflate || isal=ISA-L

# Programs with simdjson: where it is missing, the name of the library says so in the table.
simdjson()
{
    if [ ! -x "$1" ]; then
        # shellcheck disable=SC2086 # flags are words
        ${CXX:-c++} ${CXXFLAGS:--O3 -march=native} -std=c++17 -o "$1" "$here/$1.cpp" -lsimdjson >"results/$1.log" 2>&1
    fi
    [ -x "$1" ] && echo "./$1" || echo simdjson
}
dom=$(simdjson dom)
names=$(simdjson names)

# Of the large trace: NAME NEEDS LIMIT COMMAND.
large()
{
    job "$1" "$2" "$n_big" "$b_big" "$3" "exec $4"
}

large J          yardstick    -   "yardstick '$big'"
large scan       yardstick    -   "yardstick --scan '$big'"
large zlib       inflate      -   "inflate '$packed'"
large isal       "$isal"      -   "inflate --isal '$packed'"
large names      "$names"     -   "./names '$big'"
large parse-j1   tr-parse     -   "tr-parse -j 1 -z none -T . '$big' >/dev/null"
large parse      tr-parse     -   "tr-parse -z none -T . '$big' >/dev/null"
large parse-gz   tr-parse     -   "tr-parse -z none -T . '$packed' >/dev/null"
large parse-lz4  tr-parse     -   "tr-parse -z lz4 -T . -o '$stream' '$big'"
large parse-128M tr-parse     128 "tr-parse -M 128M -z none -T . '$big' >/dev/null"
large readback   "readback tr-parse"     -  "readback '$stream'"
large breakdown  "tr-breakdown tr-parse" -  "tr-breakdown -O tsv '$stream'"
large filter-1   "tr-filter tr-parse"    -  "tr-filter 'dur > ${over1}us' '$stream' >/dev/null"
large filter-90  "tr-filter tr-parse"    -  "tr-filter -v 'dur > ${over10}us' '$stream' >/dev/null"
job python     "$python"    "$n_little" "$b_little" -   "exec $python -c 'import json, sys
print(len(json.load(open(sys.argv[1]))[\"traceEvents\"]))' '$little'"
job jq         jq           "$n_little" "$b_little" -   "exec jq '.traceEvents | length' '$little'"
job simdjson   "$dom"       "$n_little" "$b_little" -   "exec ./dom '$little'"

# Four ranks of unitrace into one stream; and into JSON without an order, by a script.
calls=${BENCH_CALLS:-66600}
ranks=$dir/ranks-$calls
ls "$ranks".*.json >/dev/null 2>&1 || $python "$here/../gen/unitrace.py" "$ranks" --ranks 4 --calls "$calls" ||
    die "no traces of ranks"
b_ranks=$(cat "$ranks".*.json | wc -c | tr -d ' ')
n_ranks=$(cat "$ranks".*.json | grep -c '"ph": ')
job merge        tr-merge     "$n_ranks" "$b_ranks" -   "exec tr-merge -q -T . '$ranks'.*.json >/dev/null"
job merge-python "$python"    "$n_ranks" "$b_ranks" -   "exec $python '$here/merge.py' '$ranks'.*.json >/dev/null"

cat "$big" "$packed" "$little" "$ranks".*.json >/dev/null # into the page cache
rm -f "$stream"                           # of an earlier run, maybe of an older tr-parse
if [ ! -s "$stream" ] && [ -x "$bin/tr-parse" ]; then # BENCH_ONLY may leave parse-lz4 out
    tr-parse -z lz4 -T . -o "$stream" "$big" 2>results/err ||
        say "no stream: $(tail -n 1 results/err)"
fi
round=1
while [ "$round" -le "$runs" ]; do
    say "round $round of $runs"
    n=1
    while [ "$n" -le "$jobs" ]; do
        run_job $n
        n=$((n + 1))
    done
    round=$((round + 1))
done

if [ "${BENCH_LONG:-0}" = 1 ]; then
    long=$dir/big-8G.json
    make_trace "$long" 8G
    first=$((jobs + 1))
    n_long=$(events_of "$long") || exit 1
    b_long=$(bytes_of "$long")
    job parse-128M-8G     tr-parse     "$n_long" "$b_long" 128 \
        "exec tr-parse -M 128M -z lz4 -T . -o '$long.trs' '$long'"
    job breakdown-128M-8G tr-breakdown "$n_long" "$b_long" 128 \
        "exec tr-breakdown -M 128M -T . -O tsv '$long.trs'"
    n=$first
    while [ "$n" -le "$jobs" ]; do
        run_job $n
        n=$((n + 1))
    done
fi

# The table.  One line per job: name, events, bytes, limit, then wall time, CPU time, largest memory
# and speed over that of J.  A job that runs once is compared with the first round of J.
b_yardstick=$(cut -f 3 results/1.job)
n=1
while [ "$n" -le "$jobs" ]; do
    if [ -e "results/$n.missing" ]; then
        printf '%s\tmissing\t%s\n' "$(cat results/$n.job)" "$(cat results/$n.missing)"
    else
        bytes=$(cut -f 3 "results/$n.job")
        awk -F'\t' -v job="$(cat results/$n.job)" -v bytes="$bytes" -v b_yardstick="$b_yardstick" '
            function median(v, n,    i, k, x) {
                for (i = 2; i <= n; i++) {
                    x = v[i]
                    for (k = i - 1; k >= 1 && v[k] > x; k--)
                        v[k + 1] = v[k]
                    v[k + 1] = x
                }
                return n % 2 ? v[(n + 1) / 2] : (v[n / 2] + v[n / 2 + 1]) / 2
            }
            { wall = $1 > 0 ? $1 : 0.0001 }
            NR == FNR { yardstick[FNR] = wall; next }
            {
                walls[FNR] = wall
                cpus[FNR] = $2 + $3
                if (FNR in yardstick)
                    ratios[++n_ratios] = bytes / wall / (b_yardstick / yardstick[FNR])
                if ($4 > peak)
                    peak = $4
            }
            END {
                printf "%s\t%s\t%s\t%s\t%s\n", job, median(walls, FNR), median(cpus, FNR), peak,
                    n_ratios ? sprintf("%.2f", median(ratios, n_ratios)) : ""
            }' results/1.times "results/$n.times"
    fi
    n=$((n + 1))
done >results/all
awk -F'\t' -v over=results/over '
    BEGIN {
        OFS = "\t"
        print "job", "wall_s", "cpu_s", "MB_per_s", "events_per_s", "peak_MiB", "ratio_to_J"
    }
    $5 == "missing" { print $1, $6 == "failed" ? "failed" : "not built", "", "", "", "", ""; next }
    {
        peak = $7 / 1024
        print $1, sprintf("%.3f", $5), sprintf("%.2f", $6), sprintf("%.0f", $3 / $5 / 1e6),
            sprintf("%.0f", $2 / $5), sprintf("%.1f", peak), $8
        if ($4 != "-" && peak > $4)
            printf "%s: peak memory %.1f MiB is above the limit of %d MiB\n", $1, peak, $4 >over
    }' results/all >results/table.tsv

awk -F'\t' '
    {
        for (i = 1; i <= NF; i++) {
            cell[NR, i] = $i
            if (length($i) > width[i])
                width[i] = length($i)
        }
    }
    END {
        for (r = 1; r <= NR; r++) {
            line = sprintf("%-" width[1] "s", cell[r, 1])
            for (i = 2; i <= NF; i++)
                line = line "  " sprintf("%" width[i] "s", cell[r, i])
            sub(/ +$/, "", line)
            print line
        }
    }' results/table.tsv
echo
echo "$n_big events, $b_big bytes of JSON, $(bytes_of "$packed") of gzip; $runs runs"
if [ -s "$stream" ]; then
    awk -v s="$(bytes_of "$stream")" -v j="$b_big" -v g="$(bytes_of "$packed")" 'BEGIN {
        printf "stream with lz4: %.0f bytes, %.3f of the JSON, %.3f of the gzip\n", s, s / j, s / g
    }'
fi
[ "$little" = "$big" ] || echo "python, jq and simdjson read $n_little events, $b_little bytes"
[ -z "$tsv" ] || cp results/table.tsv "$tsv"
if [ -s results/over ]; then
    sed 's/^/bench: /' results/over >&2
    exit 1
fi
[ ! -s failed ]
