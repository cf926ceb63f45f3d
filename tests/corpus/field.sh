#!/bin/sh
# SPDX-License-Identifier: MIT
# Small traces of the kinds that made programs mislead: each has values that are known by hand.
#
# The traces are no part of the source.  TR_CORPUS names the folder above a folder field; without it ../shared/corpus,
# seen from the source tree, is used where it is; else this is skipped.
here=$(cd "$(dirname "$0")" && pwd)
bin=$(cd "${TR_BIN:-../tools}" 2>/dev/null && pwd)
corpus=${TR_CORPUS:-$here/../../../shared/corpus}
case $corpus in */field) ;; *) corpus=$corpus/field ;; esac

if [ ! -d "$corpus" ]; then
    echo "1..0 # SKIP no corpus (TR_CORPUS)"
    exit 0
fi
for program in breakdown info report filter view parse critpath comm metrics align; do
    [ -x "$bin/tr-$program" ] || { echo "1..0 # SKIP tr-$program is not built"; exit 0; }
done
cd "$corpus" || exit 99
tests=0
failed=0

# ok STATUS WHAT
ok()
{
    tests=$((tests + 1))
    if [ "$1" -eq 0 ]; then
        echo "ok $tests - $2"
    else
        failed=$((failed + 1))
        echo "not ok $tests - $2"
    fi
}

# is WHAT WANTED FOUND
is()
{
    [ "$2" = "$3" ]
    ok $? "$1"
    [ "$2" = "$3" ] || printf '%s\n%s\n' "wanted: $2" "found:  $3" | sed 's/^/# /'
}

# cells COLUMN... -- COMMAND...: these columns of a table, its rows with spaces and semicolons between.
cells()
{
    wanted=
    while [ "$1" != -- ]; do
        wanted="$wanted $1"
        shift
    done
    shift
    program=$1
    shift
    "$bin/$program" -q -O tsv "$@" 2>/dev/null | awk -F '\t' -v wanted="$wanted" '
        BEGIN { n = split(wanted, name, " ") }
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        {
            if (NR > 2) printf "; "
            for (k = 1; k <= n; k++) printf "%s%s", (k > 1 ? " " : ""), ((name[k] in at) ? $at[name[k]] : "?")
        }
        END { print "" }'
}

# said WHAT PATTERN COMMAND..., unsaid: does a line of what a program prints and reports match?
said()
{
    what=$1 pattern=$2 program=$3
    shift 3
    "$bin/$program" "$@" 2>&1 | grep -Eq -- "$pattern"
    ok $? "$what"
}

unsaid()
{
    what=$1 pattern=$2 program=$3
    shift 3
    if "$bin/$program" "$@" 2>&1 | grep -Ei -- "$pattern" >&2; then
        ok 1 "$what"
    else
        ok 0 "$what"
    fi
}

# refuses STATUS WHAT OPTION... INPUT: tr-info --check ends with this status.
refuses()
{
    status=$1 what=$2
    shift 2
    "$bin/tr-info" -q --check "$@" >/dev/null 2>&1
    is "$what" "$status" $?
}

next()
{
    "$bin/tr-report" -q --sections next "$@" 2>/dev/null
}

# --- times and trust
is "work without times" "80.000 80.000 0.000" "$(cells span_us busy_us idle_us -- tr-breakdown --by time m1_ts_zero.json)"
said "it is named" 'zero_time' tr-report --sections trust m1_ts_zero.json
refuses 1 "it is a condition" --no-suspects m1_ts_zero.json
said "graphs without kernels" '^used_pct +25\.00$' tr-info m2_graphs_without_kernels.json
said "launch calls are those of graphs, too" '^launches +4$' tr-info m2_graphs_without_kernels.json
said "a finding of launch calls" '^ +0 +4 +25\.00 ' tr-report --sections trust m2_graphs_without_kernels.json
refuses 5 "a condition of launch calls" --min-used 0.9 m2_graphs_without_kernels.json
said "a span that swallows others" '1 span swallows 4 others' tr-report --sections trust m4_swallowed.json
refuses 1 "a condition of nesting" --no-nesting m4_swallowed.json

# --- identity
is "correlations belong to a process" "aten::mm 40.000; aten::softmax 40.000" \
    "$(cells name device_self_us -- tr-breakdown --by operator m3_merged_ranks_same_correlation.json)"
unsaid "one file has one base" 'no time base|no input has a time base' tr-report m3_merged_ranks_same_correlation.json
is "captures are kept apart" "0 a 70.000; 0 others 210.000; 1 a 70.000; 1 others 210.000" \
    "$(cells capture name sum_us -- tr-breakdown --by kernel --per capture --top 1 cap0.json cap1.json)"
sums=$("$bin/tr-report" -q -O json --sections kernels --top 5 cap0.json cap1.json |
    sed -n 's/.*"capture": \([0-9]*\).*"sum_us": \([0-9.]*\), "pct": \([0-9.]*\).*/\1 \2 \3/p' |
    awk '{ sum[$1] += $2; pct[$1] += $3; last[$1] = $2 } END { for (c = 0; c < 2; c++) printf "%d %d %.0f;", last[c], sum[c], pct[c] }')
is "others of a capture, its sum, its percentages" "30 280 100;30 280 100;" "$sums"
is "devices of one rank" "0 995.000 950.000; 1 995.000 50.000" \
    "$(cells device span_us busy_us -- tr-breakdown --by time --per device twodev.json)"
said "a table of devices" '^ +1 +995 +50 ' tr-report twodev.json
said "a remark on devices" 'device 1 has 5\.3 % of the work of device 0' tr-breakdown twodev.json
said "a line on devices" 'evice 1 has 5\.3 % of the work of device 0' tr-report twodev.json
said "a result folder is one source" '1 source, 237 events' tr-info result_dir
said "its busy time" '^busy_us +86\.317 ' tr-report result_dir
unsaid "no doubt of its report" 'no work on a device' tr-report result_dir
said "its rank" '^rank +0$' tr-info result_dir

# --- bases
is "mixed bases are not compared" "" "$(cells arrival_spread_us end_spread_us wait_mean_us -- tr-comm mixed_bases | tr -d ' ')"
is "they have no common span" "" "$(cells span_us idle_us -- tr-breakdown --per all mixed_bases | tr -d ' ')"
said "this is said" 'ranks are not compared' tr-report --sections trust mixed_bases
is "aligned by collectives, they are" 0 "$("$bin/tr-align" -q --min-anchors 1 mixed_bases 2>/dev/null | "$bin/tr-comm" -q -O tsv --columns end_spread_us - |
    tail -n 1 | sed 's/\.0*$//')"

# --- classes
is "communication by the name of the function" "comm 40.000; compute 60.000" \
    "$(cells kind sum_us -- tr-breakdown --by kernel --sort kind m5_sglang_allreduce.json |
        tr ';' '\n' | sed 's/^ //' | sort | paste -s -d ';' | sed 's/;/; /')"

# --- steps
is "a step lasts until its work ends" "1200.000 200.000 1000.000 0.000" \
    "$(cells time_us lead_us busy_us idle_us -- tr-breakdown --by step async_step.json)"
is "steps add up" "0 1029.000 30.000; 1 1000.000 0.000; 2 1000.000 0.000" \
    "$(cells step time_us lead_us -- tr-breakdown --by step steps.json)"
is "their busy time" "990.000; 990.000; 990.000" "$(cells busy_us -- tr-breakdown --by step steps.json)"
unsaid "no step is slow" 'takes? much longer' tr-report steps.json

# --- findings
unsaid "idle time is a problem" 'no problems found' tr-report -q --sections next half.json
is "its causes" "host_busy 44.000; device_overhead 42.000; launch_overhead 4.000" \
    "$(cells cause idle_us -- tr-breakdown --by cause half.json)"
next half.json | grep -Eq '35(\.[0-9]+)? %|90(\.0+)? us|48(\.0+)? us'
ok $? "the line on idle time has a number"
is "the cause of a gap" "host_busy cudaMalloc 5020.000" \
    "$(cells cause during idle_us -- tr-breakdown --by idle hostidle.json | cut -d ';' -f 1)"
next hostidle.json | grep -q -- '--by idle'
ok $? "the command shows what the host does"
next hostidle.json | grep -Eq '5[.,]?02'
ok $? "and the line has the time"
is "idle time of two ranks" "0 1500.000; 1 1700.000" "$(cells rank idle_us -- tr-breakdown --by time late0.json late1.json)"
if next late0.json late1.json | grep -Eq 'idle 1\.[0-9]+ ms|1\.7 ms longer'; then late=1; else late=0; fi
ok $late "unknown causes are no difference"
for job in lag norank; do
    unsaid "$job: 0.2 us are no straggler" 'comes last' tr-report -q --sections next "${job}0.json" "${job}1.json"
done
unsaid "no fusing of graphs" 'fuse' tr-report -q --sections next graph.json
is "one launch of a graph" "0.000" "$(cells idle_us -- tr-breakdown --by time graph.json)"
"$bin/tr-report" -q -O json graph.json | grep -Eq '"(calls|count)": 1[,}].*101|101.*"(calls|count)": 1[,}]'
ok $? "calls and kernels apart"

# --- critical path
# of PER BOUND INPUT...: the sum of a bound, on all ranks
of()
{
    bound=$1
    shift
    cells bound sum_us -- tr-critpath --per all "$@" | tr ';' '\n' |
        awk -v bound="$bound" '$1 == bound { sum += $2 } END { printf "%.0f", sum }'
}
# The rank with most of the path.
main_rank()
{
    cells rank sum_us -- tr-critpath --per all "$@" | tr ';' '\n' |
        awk 'NF == 2 { sum[$1] += $2 } END { for (r in sum) if (best == "" || sum[r] > sum[best]) best = r; print best }'
}
[ "$(of queue cp0.json cp1.json)" -le 80 ]
ok $? "a gap is no queue: $(of queue cp0.json cp1.json) us"
for name in all_to_allv all_to_all; do
    is "$name joins the ranks" 1 "$(main_rank "${name}0.json" "${name}1.json")"
    unsaid "$name: this is not denied" 'no collective joins' tr-critpath --per all "${name}0.json" "${name}1.json"
    [ "$(of queue "${name}0.json" "${name}1.json")" -lt 100 ] && [ "$(of comm "${name}0.json" "${name}1.json")" -lt 1000 ]
    ok $? "$name: a wait for a late rank is neither queue nor communication"
done

# --- tables and filters
is "a mean is not added up" "30;" "$(cells 'XVE_STALL[%]' -- tr-metrics --by instance --metrics XVE_STALL --top 1 metrics_top.csv | tr -d ' ')"
for order in 'name == "bwd"/name == "aten::mm"' 'name == "aten::mm"/name == "bwd"'; do
    n=$("$bin/tr-filter" -q --within "${order%%/*}" --within "${order#*/}" 'activity == kernel' within_order.json |
        "$bin/tr-view" -q -O tsv --columns name | grep -c '^k$')
    is "two --within, $order" 1 "$n"
done

# --- binary traces
"$bin/tr-parse" -q --strict nested_packets.pftrace 2>/dev/null | "$bin/tr-view" -q -O tsv --columns name >/dev/null 2>&1
n=$("$bin/tr-parse" -q nested_packets.pftrace 2>/dev/null | "$bin/tr-view" -q -O tsv --columns name - 2>/dev/null | tail -n +2 | grep -c .)
"$bin/tr-parse" -q --strict nested_packets.pftrace >/dev/null 2>&1
status=$?
[ "$n" -gt 0 ] || [ $status -eq 3 ]
ok $? "packets in two levels are read, or counted as damage: $n events, status $status"
is "counters start anew" "1000 1010 2000" "$(cells args.value -- tr-view --columns args.value counter_reset.pftrace | tr -d ';')"

echo "1..$tests"
[ $failed -eq 0 ]
