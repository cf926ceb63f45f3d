#!/bin/sh
# SPDX-License-Identifier: MIT
# Time, memory and bytes of partial results against the number of ranks: what `make curve-ranks' runs.
#
# usage: curve-ranks.sh [FOLDER]
#
# FOLDER  gets curve-ranks.tsv [.]
#
# For each number of ranks, a job with tensor, pipeline, data and expert parallelism is generated, with thousands of
# names, a straggler, clocks that drift and lost collectives.  Its traces come and go: of K ranks at a time, tr-report
# saves what they add to the page, and the traces are removed.  Then the page is made from all parts, once in one step,
# and once from parts of parts.  Both pages must be equal.
#
#   ranks events json_MB      of the job
#   map_s map_MiB             processor time of all tasks, and the most memory of one
#   part_KB                   of each rank, as the tasks save them
#   page_s page_cpu_s page_MiB   the page from all parts
#   tree_s tree_MiB           the page from parts of FAN tasks each: time of all runs, and the most memory of one
#
# Variables:
#   RANKS      numbers of ranks, products of powers of two [1 16 256 1024]; 4096 generates 6 GB, 24 MB at a time
#   K          ranks of a task [16]
#   FAN        tasks of a part of parts [16]
#   MESH       further options of the generator [--steps 3 --layers 3 --missing 0.001]
#   CURVE_DIR  folder for traces and parts [in TMPDIR, removed at the end]
#   TR_BIN     folder of the built programs [../tools]
#   BENCH_BIN  folder of measure [bench]
#   TR_MESH    the generator [gen/mesh.py of the tests beside this script]
#   PYTHON     Python 3 [python3]
LC_ALL=C
export LC_ALL
ranks=${RANKS:-1 16 256 1024}
k=${K:-16} fan=${FAN:-16} mesh=${MESH:---steps 3 --layers 3 --missing 0.001}
python=${PYTHON:-python3}

die()
{
    echo "curve-ranks: $*" >&2
    exit 1
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

[ $# -le 1 ] || die "usage: curve-ranks.sh [FOLDER]"
out=$(folder "${1:-.}") || exit 1
gen=$(program "${TR_MESH:-$(dirname "$0")/../tests/gen/mesh.py}")
measure=$(program "${BENCH_BIN:-bench}/measure")
[ -f "$gen" ] || die "the generator is not there (TR_MESH)"
[ -x "$measure" ] || die "measure is not built (BENCH_BIN)"
PATH=$(program "${TR_BIN:-../tools}/."):$PATH
export PATH
command -v tr-report >/dev/null || die "tr-report is not built (TR_BIN)"
case $k$fan in *[!0-9]* | 0*) die "K and FAN are numbers" ;; esac
for n in $ranks; do
    case $n in *[!0-9]* | '' | 0*) die "RANKS: '$n' is not a number" ;; esac
done

if [ -n "$CURVE_DIR" ]; then
    dir=$(folder "$CURVE_DIR") || exit 1
else
    dir=$(mktemp -d "${TMPDIR:-/var/tmp}/tr-curve-ranks.XXXXXX") || exit 1
    trap 'rm -rf "$dir"' EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM
fi
cd "$dir" || exit 1

# largest N MOST: the largest power of two that divides N, at most MOST
largest()
{
    size=1
    while [ $(($1 % (2 * size))) -eq 0 ] && [ $((2 * size)) -le "$2" ]; do
        size=$((2 * size))
    done
    echo $size
}

# map N OPTION...: the parts of all ranks
map()
{
    n=$1 first=0
    shift
    rm -rf parts traces times.map lines bytes && mkdir parts || exit 1
    while [ $first -lt "$n" ]; do
        last=$((first + k - 1))
        [ $last -lt "$n" ] || last=$((n - 1))
        # shellcheck disable=SC2086 # several options
        "$python" "$gen" "$@" $mesh --drift --ranks $first..$last --output traces || die "the generator failed"
        rm traces/job.truth.json
        cat traces/*.json | wc -lc >>lines
        "$measure" times.map tr-report -q --save-partial "parts/$(printf %06d $first).part" traces/rank*.json ||
            die "tr-report --save-partial failed"
        rm -r traces
        first=$((last + 1))
    done
}

# tree: parts of parts, then the page
tree()
{
    rm -rf more times.tree && mkdir more || exit 1
    # shellcheck disable=SC2046 # names without blanks
    set -- $(ls parts)
    while [ $# -gt 0 ]; do
        some= i=0 name=$1
        while [ $i -lt "$fan" ] && [ $# -gt 0 ]; do
            some="$some parts/$1" i=$((i + 1))
            shift
        done
        # shellcheck disable=SC2086
        "$measure" times.tree tr-report -q --save-partial "more/$name" $some || die "tr-report of parts failed"
    done
    "$measure" times.tree tr-report -q more/*.part >tree.page || die "tr-report of parts of parts failed"
}

printf 'ranks\tevents\tjson_MB\tmap_s\tmap_MiB\tpart_KB\tpage_s\tpage_cpu_s\tpage_MiB\ttree_s\ttree_MiB\n' \
    >"$out/curve-ranks.new" || exit 1
for n in $ranks; do
    echo "curve-ranks: $n ranks" >&2
    tp=$(largest "$n" 8)
    pp=$(largest $((n / tp)) $((n < 64 ? 2 : 4)))
    dp=$((n / tp / pp))
    map "$n" --tp "$tp" --pp "$pp" --dp "$dp" --ep "$(largest $dp 8)" --straggler $((n / 2))
    rm -f times.page
    "$measure" times.page tr-report -q parts/*.part >page || die "tr-report of parts failed"
    tree
    cmp page tree.page || die "the pages of $n ranks differ"
    awk -v ranks="$n" -v bytes="$(cat parts/*.part | wc -c)" '
        BEGIN { FS = "[ \t]+"; OFS = "\t" }
        FILENAME == "lines" { sub(/^ +/, ""); events += $1; json += $2; next }
        { cpu[FILENAME] += $2 + $3; wall[FILENAME] += $1; peak[FILENAME] = $4 > peak[FILENAME] ? $4 : peak[FILENAME] }
        END {
            print ranks, events, sprintf("%.1f", json / 1e6), sprintf("%.2f", cpu["times.map"]),
                sprintf("%.1f", peak["times.map"] / 1024), sprintf("%.1f", bytes / 1e3 / ranks),
                sprintf("%.2f", wall["times.page"]), sprintf("%.2f", cpu["times.page"]),
                sprintf("%.1f", peak["times.page"] / 1024), sprintf("%.2f", wall["times.tree"]),
                sprintf("%.1f", peak["times.tree"] / 1024)
        }' lines times.map times.page times.tree >>"$out/curve-ranks.new" || exit 1
done
mv "$out/curve-ranks.new" "$out/curve-ranks.tsv" && cat "$out/curve-ranks.tsv"
