#!/bin/sh
# SPDX-License-Identifier: MIT
# Partial results: saved by runs over single ranks and merged in any tree, every view gives the table of one run.
. "$(dirname "$0")/../harness/tap.sh"
trgen=${TR_GEN:-gen/trgen}
case $trgen in /*) ;; *) trgen=$built/$trgen ;; esac
[ -x "$trgen" ] || skip_all "the generator is not built"

mkdir job
"$trgen" --output job --no-truth --ranks 4 --group-size 2 --seed 5 --steps 3 --layers 2 --streams 2 \
    --graphs 1 --graph-kernels 5 >/dev/null || skip_all "the generator failed"
for i in 0 1 2 3; do
    mv job/rank$i.json r$i.json
done

# merged VIEW...: save each rank, then print them mixed with a trace, as a tree, and as one merged stream
merged()
{
    rm -f ./*.part
    "$@" --save-partial 0.part r0.json >printed 2>err
    ok $? "$*: saved"
    if [ -s printed ]; then ok 1 "$*: nothing printed"; fi
    for i in 1 2 3; do
        "$@" --save-partial $i.part r$i.json 2>>err
    done
    "$@" -O tsv --distinct 1024 r0.json r1.json r2.json r3.json >want 2>err
    [ "$(wc -l <want)" -gt 1 ] || ok 1 "$*: rows: $(cat want err)"
    "$@" -O tsv 3.part 1.part 0.part 2.part >have 2>err
    same have want "$*: partial results in another order"
    "$@" -O tsv 1.part r0.json 3.part r2.json >have 2>err
    same have want "$*: mixed with traces"
    "$@" --save-partial a.part 0.part r3.json 2>err && "$@" --save-partial b.part 2.part 1.part 2>err
    "$@" -O tsv b.part a.part >have 2>err
    same have want "$*: partial results of partial results"
    tr-merge -o all.part 0.part 1.part 2.part 3.part 2>err
    "$@" -O tsv all.part >have 2>err
    same have want "$*: merged as streams"
    # the bytes of a tree do not depend on its form
    "$@" --save-partial c.part --no-provenance a.part b.part 2>/dev/null
}

same()
{
    diff "$2" "$1" >wrong 2>&1
    none wrong "$3"
}

for view in time kernel size operator operator,shape,stack,module,thread operator,args operator,position,shape category \
    module annotation class sequence; do
    merged tr-breakdown --by $view
done
merged tr-breakdown --by operator,kernel --per all
merged tr-patterns --per all
merged tr-roofline --by operator,shape --arch H100
merged tr-roofline --by operator,params --nested --per all
merged tr-roofline --by family --backward
merged tr-replay
merged tr-flame --by stack,kernel
merged tr-flame --by operator --per rank --weight device
merged tr-breakdown --by kernel --where 'dur > 20us'
merged tr-breakdown --by time --per stream --drop-last-step
merged tr-overlap
merged tr-launch
merged tr-launch --by shape
merged tr-util --by pace
merged tr-util --by annotation
merged tr-comm --by straggler
merged tr-comm --by name
mv r1.json with_base
sed 's/"baseTimeNanoseconds"/"none"/' with_base >r1.json # its times do not compare with those of others
merged tr-comm --by collective
[ "$(cut -f 6 want | grep -c '^$')" -gt 0 ] || ok 1 "no spread is unknown"
mv with_base r1.json
merged tr-sum --by name,activity --stat count,sum,p50
# rows that are saved as they are printed: by rank, and listings by time
merged tr-breakdown --by step
merged tr-breakdown --by graph
merged tr-breakdown --by nesting
merged tr-breakdown --by tree
merged tr-overlap --by kernel
merged tr-launch --by launch
merged tr-counters --by queue
merged tr-counters --by full --max-queue 2
merged tr-counters --by bandwidth
merged tr-counters --by busy-series --where 'stream > 7'
merged tr-counters --by collective-series
for view in bound path count; do
    merged tr-critpath --by $view
done
merged tr-critpath --annotation ProfilerStep --gaps
merged tr-critpath --what-if 'kind == comm scale=0.5' --what-if 'name == "none" scale=2'
# what is said of the paths is about all of them
for view in "" --launch-edges; do
    tr-critpath $view r0.json r1.json r2.json r3.json >/dev/null 2>want
    for i in 0 1 2 3; do
        tr-critpath $view --save-partial $i.part r$i.json 2>err
    done
    tr-critpath $view 3.part 1.part 0.part 2.part >/dev/null 2>have
    if [ -s want ]; then same have want "tr-critpath $view: remarks"; else ok 1 "tr-critpath $view: no remarks"; fi
done
merged tr-critpath --by count --gaps

# Memory, samples and stamps of four ranks; some changes of several ranks have the same time.
side()
{
    printf '{"schemaVersion": 1, "distributedInfo": {"rank": %s, "world_size": 4}, "traceEvents": [\n' "$1"
    span='"ph": "X", "pid": 2, "tid": 7'
    memory='"ph": "i", "s": "t", "name": "[memory]", "pid": 1, "tid": 1'
    at=0
    for bytes in 512 2048 -512 4096 1536; do
        at=$((at + 10))
        printf '{"ph": "X", "cat": "cpu_op", "name": "op%s", "pid": 1, "tid": 1, "ts": %s.5, "dur": 2},\n' \
            $((bytes % 3)) $((at - 1))
        printf '{%s, "ts": %s, "args": {"Bytes": %s, "Addr": %s, "Device Type": 1, "Device Id": 0}},\n' \
            "$memory" $((at + at % 20 / 10 * $1)) $((bytes + bytes % 1000 * $1)) $((bytes < 0 ? 512 : bytes))
        printf '{"ph": "C", "name": "clock", "pid": 0, "tid": 0, "ts": %s, "args": {"MHz": %s.1}},\n' \
            $((at + at % 20 / 10 * $1)) $((1000 + at / 3))
        stamps=$((at * 100))
        printf '{%s, "name": "k%s Cmpt Exec", "ts": %s, "dur": 5, "attr": {"TS1": 1, "TS2": 1, "TS3": %s, "TS4": %s, ' \
            "$span" $((at % 3)) $at $stamps $((stamps + 500))
        printf '"TS5": %s, "Power": "%s"}},\n' $((stamps + 500)) $((at * 40 * (1 + $1) + 1))
        printf '{%s, "name": "w Cmpt Prep", "ts": %s, "dur": %s, "attr": {"TS1": 1, "TS2": %s, "TS3": %s, "TS4": %s, ' \
            "$span" $((at + 6)) $((1 + $1)) $((stamps + 600)) $((stamps + 700 + 100 * $1)) $((stamps + 900))
        printf '"TS5": %s, "Power": "7"}},\n' $((stamps + 900))
    done
    printf '{"ph": "X", "name": "end", "pid": 1, "tid": 1, "ts": 99, "dur": 1}]}\n'
}
mkdir kept
for i in 0 1 2 3; do
    mv r$i.json kept
    side $i >r$i.json
done
for view in series peak,operator end summary; do
    merged tr-memory --by $view
done
merged tr-memory --by summary --per device --where 'args.Bytes > 0'
merged tr-metrics --by list
merged tr-metrics --by series
for view in power power,kernel power-series waiting-series; do
    merged tr-counters --by $view
done

# Counters of kernels: ranks 0 and 2 have ranges, those of rank 2 do not match its launches; the others have samples,
# which make rows if there are no ranges.
counted()
{
    printf '{"schemaVersion": 1, "distributedInfo": {"rank": %s, "world_size": 4}, "traceEvents": [\n' "$1"
    for at in 10 20 30 40; do
        printf '{"ph": "X", "cat": "cpu_op", "name": "op%s", "pid": 1, "tid": 1, "ts": %s, "dur": 6},\n' $((at % 3)) $at
        printf '{"ph": "X", "cat": "cpu_op", "name": "in", "pid": 1, "tid": 1, "ts": %s, "dur": 4},\n' $((at + 1))
        printf '{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": %s, "dur": 2, ' \
            $((at + 2))
        printf '"args": {"correlation": %s}},\n{"ph": "X", "cat": "kernel", "name": "k%s", "pid": 0, "tid": 7, ' \
            $at $((at / 20))
        printf '"ts": %s, "dur": 5, "args": {"correlation": %s, "stream": 7}},\n' $((at + 3 + $1)) $at
        printf '{"ph": "C", "name": "clock", "pid": 0, "tid": 0, "ts": %s, "args": {"MHz": %s.1}},\n' \
            $((at + 4 + $1)) $((1000 + at / 3))
        [ "$2" = samples ] && continue
        printf '{"ph": "X", "cat": "cuda_profiler_range", "name": "k%s", "pid": 5, "tid": 5, "ts": %s, "dur": 9, ' \
            $((at / 20)) $((at * 10))
        printf '"args": {"cycles.sum": %s, "b__bytes.sum": %s.5}},\n' $((at * 100 + $1)) $((at * 7))
        more='{"ph": "X", "cat": "cuda_profiler_range", "name": "more", "pid": 5, "tid": 5, "dur": 1, "ts":'
        [ "$1" != 2 ] || printf '%s %s},\n' "$more" $((at * 10))
    done
    printf '{"ph": "X", "name": "end", "pid": 1, "tid": 1, "ts": 99, "dur": 1}]}\n'
}
for ranges in samples ranges; do
    for i in 0 1 2 3; do
        what=samples
        [ $((i % 2)) -eq 0 ] && what=$ranges
        counted $i $what >r$i.json
    done
    for view in instance kernel operator operator,stack; do
        merged tr-metrics --by $view
    done
    [ $ranges = ranges ] || merged tr-metrics --by kernel --metrics clock.MHz --where 'dur > 3us'
done
merged tr-metrics --by range
tr-metrics --by range r0.json r1.json r2.json r3.json >/dev/null 2>want
tr-metrics --by range 3.part 2.part 1.part 0.part >/dev/null 2>have
[ -s want ] && same have want "tr-metrics: ranges without launches are said"
merged tr-metrics --by kernel --throughput --metrics cycles.sum,b__bytes.sum

# Reports of four ranks, which have names and no events.
stars=************************************************************
for i in 0 1 2 3; do
    {
        printf '=== Device Timing Summary ===\n\nTotal Execution Time (ns): 100\n'
        printf 'Total Device Time for L0 backend (ns): 70\n\n== L0 Backend ==\n\nKernel, Calls, Time (ns)\n'
        printf '"gemm", 4, %s\n"own%s", 1, 5000\n\n' $((9000 - i * 100)) $i
        printf '%s\n*  Process ID : 1 | Rank ID : %s\n%s\n\n' "$stars" $i "$stars"
        printf 'Function, Calls, Time (ns)\noneCCL::allreduce, 1, 8000\n'
    } >r$i.json
done
printf '[matmul if starts with]\ngemm\n' >rules
merged tr-categorize --by class --rules rules
merged tr-categorize --by class --rules rules --across mean
merged tr-categorize --by unmatched --rules rules --per rank

# Metric files of four ranks, whose values are real numbers: sums are exact, so their order does not matter.
for i in 0 1 2 3; do
    {
        printf 'Kernel,GlobalInstanceId,GpuTime[ns],XVE_INST_EXECUTED_FP32[events],GPU_MEMORY_BYTE_READ[bytes],'
        printf 'AvgGpuCoreFrequencyMHz[MHz]\na,1,%s,10,100,1000.%s\n' $((100 + i)) $((7 * i + 1))
        printf 'b,2,0.%s,20,300,0.1\n' $((i + 1))
        printf 'own%s,3,7.1,1,1,1e-9\n' $i
    } >metrics.csv
    tr-parse -q --rank $i -o r$i.json metrics.csv
done
printf '[toy]\nbandwidth = 10\nvector_fp32 = 0.1\n' >toy.peaks
for view in kernel point roof precision; do
    merged tr-roofline --by $view --arch ./toy.peaks
done
merged tr-roofline --by kernel
for view in range instance kernel; do
    merged tr-metrics --by $view
done
merged tr-metrics --by kernel --throughput

# Kernels and a compiler's ideal cycles: one log for all ranks.
for i in 0 1 2 3; do
    {
        printf '{"distributedInfo": {"rank": %s}, "traceEvents": [{"ph": "X", "cat": "kernel", "pid": 0, "tid": 7, ' $i
        printf '"name": "mm Cmpt Exec", "ts": 10, "dur": %s, "args": {"device": 0}}, ' $((10 - 3 * i))
        printf '{"ph": "X", "cat": "kernel", "pid": 0, "tid": 7, "name": "add", "ts": 30, "dur": 2}]}\n'
    } >r$i.json
done
{
    printf '[DeepRT] ===== Perf BEGIN =====\nIdeal Clock Scaling: 0.5\n~~~~ Ideal/Total Cycles ~~~~\n-----\n'
    printf 'Name     Ideal Cy.\nmm-opCatBmm_fp16     4000      \nTotal\t\t4000\n====== Perf Summary End ======\n'
} >one.log
sed 's/4000/5000/' one.log >two.log
merged tr-metrics --by utilization,category --attach one.log --core-freq 1000
merged tr-metrics --by utilization,rank --attach one.log --core-freq 1000
rm -f ./*.part
tr-metrics --by utilization,rank --attach one.log --save-partial 0.part r0.json
tr-metrics --by utilization,rank --attach two.log 0.part >out 2>err
[ $? -eq 3 ] && grep -q "other options" err
ok $? "other ideal cycles: $(cat err)"
tr-metrics --by utilization,rank --attach one.log --attach two.log --save-partial 0.part r0.json r1.json >out 2>err
[ $? -eq 2 ] && grep -q "which only all ranks give" err
ok $? "ideal cycles of ranks in order: $(cat err)"
tr-metrics --by ideal --attach one.log --save-partial x.part r0.json >out 2>err
[ $? -eq 2 ] && grep -q "of the files of --attach, not of traces" err
ok $? "ideal cycles themselves: $(cat err)"
tr-metrics --by utilization --attach one.log --save-partial x.part r0.json >out 2>err
[ $? -eq 2 ] && grep -q "numbers of files among those of all ranks" err
ok $? "utilization of each kernel: $(cat err)"
mv kept/r?.json .

# a page: all sections at once; its commands name the traces
page()
{
    rm -f ./*.part
    for i in 0 1 2 3; do
        tr-report "$@" --save-partial $i.part r$i.json >printed 2>err
        ok $? "page $*: saved"
        if [ -s printed ]; then ok 1 "page $*: nothing printed"; fi
    done
    none err "page $*: every section is saved"
    tr-report "$@" --distinct 64 r0.json r1.json r2.json r3.json >want 2>err
    tr-report "$@" 3.part 1.part 0.part 2.part >have 2>err
    same have want "page $*: partial results in another order"
    tr-report "$@" r2.json 1.part r0.json 3.part >have 2>err
    same have want "page $*: mixed with traces"
    tr-report "$@" --save-partial a.part 0.part r3.json 2>err &&
        tr-report "$@" --save-partial b.part 2.part 1.part 2>err
    tr-report "$@" b.part a.part >have 2>err
    same have want "page $*: partial results of partial results"
    tr-merge -o all.part 0.part 1.part 2.part 3.part 2>err
    tr-report "$@" all.part >have 2>err
    same have want "page $*: merged as streams"
}

page
page --where 'dur > 20us' --per rank
page --step 16 -O json
tr-report --sections kernels --save-partial k.part r0.json
tr-report k.part 1.part >out 2>err
[ $? -eq 3 ] && grep -q "other sections" err
ok $? "pages of other sections are refused"
tr-report 0.part 1.part r1.json >out 2>err
[ $? -eq 3 ] && grep -q "rank 1" err
ok $? "a rank that a partial page and a trace have is refused"
tr-report --save-partial 1.part --distinct 100 r1.json 2>/dev/null
tr-report 0.part 1.part >out 2>err
[ $? -eq 3 ] && grep -q "distinct" err
ok $? "pages of another number of values are refused"
tr-report --expect-ranks 0..3 0.part r2.json >out 2>err
[ $? -eq 5 ] && grep -q '2 ranks are missing: 1, 3' err && [ -s out ]
ok $? "ranks that a page lacks are named"
tr-breakdown --by kernel 0.part >out 2>err
[ $? -eq 3 ] && grep -q "only of report" err
ok $? "a page is no table"

# what does not fit is refused
rm -f ./*.part
tr-breakdown --by kernel --save-partial 0.part r0.json
refused()
{
    what=$1 want=$2
    shift 2
    "$@" >out 2>err
    status=$?
    if [ $status -eq 3 ] || [ $status -eq 2 ]; then ok 0 "$what: status"; else ok 1 "$what: status $status"; fi
    grep -q "$want" err
    ok $? "$what: $(cat err)"
}
tr-breakdown --by time --save-partial t.part r0.json
refused "a rank twice, in partials" "rank 0 is in two" tr-breakdown --by time t.part r0.json
refused "another view" "no partial result of 'kernel', only of time" tr-breakdown --by kernel t.part
refused "another grouping" "other groups" tr-breakdown --by kernel --per stream 0.part
refused "another selection" "other events" tr-breakdown --by kernel --where 'dur > 1us' 0.part
refused "another number of values" "distinct" tr-breakdown --by kernel --distinct 7 0.part
refused "edges" "needs the whole graph" tr-critpath --by edge --save-partial x.part r0.json
refused "one path for all ranks, of some events" "begins with work of all ranks" tr-critpath --by path --per all \
    --where 'dur > 1us' --save-partial x.part r0.json
refused "bounds of it" "begins with work of all ranks" tr-critpath --per all --where 'dur > 1us' --save-partial x.part r0.json
if [ -s out ]; then ok 1 "a listing that is refused prints nothing"; else ok 0 "a listing that is refused prints nothing"; fi
refused "steps of all ranks" "of all ranks together" tr-breakdown --by step --per all --save-partial x.part r0.json
refused "an option about tables" "about tables" tr-breakdown --by kernel --save-partial x.part --top 3 r0.json
if [ -e x.part ]; then ok 1 "a refused run leaves no file"; else ok 0 "a refused run leaves no file"; fi
head -c 700 0.part >cut.part
refused "cut short" "" tr-breakdown --by kernel cut.part

# why some views are refused: the rows of a rank in the job are not those of the rank alone
apart()
{
    rank=$1 want=$2
    shift 2
    refused "$*" "$want" "$@" --save-partial x.part "r$rank.json"
    "$@" -q -O tsv "r$rank.json" | awk -v "rank=$rank" '$1 == rank' >alone
    "$@" -q -O tsv r0.json r1.json r2.json r3.json | awk -v "rank=$rank" '$1 == rank' >in_job
    if [ -s alone ] && [ -s in_job ] && ! cmp -s alone in_job; then
        ok 0 "$*: rank $rank alone has other rows"
    else
        ok 1 "$*: rank $rank alone has the same rows: $(wc -l <alone) and $(wc -l <in_job)"
    fi
}
apart 0 "from the start of the job" tr-util --bin 1ms
apart 0 "from the start of the job" tr-util --by region
apart 1 "typical depends on all ranks" tr-breakdown --by typical

# missing ranks
tr-breakdown --by kernel --save-partial 2.part r2.json
tr-breakdown --by kernel --expect-ranks 0..3 0.part 2.part >out 2>err
[ $? -eq 5 ] && grep -q '2 ranks are missing: 1, 3' err && [ "$(cut -f 1 out | sort -u | wc -l)" -eq 3 ]
ok $? "missing ranks are named, status 5, and the others are printed"
tr-breakdown --by kernel --min-ranks 3 0.part r2.json >/dev/null 2>err
[ $? -eq 5 ] && grep -q '2 ranks of at least 3' err
ok $? "too few ranks: status 5"
tr-breakdown --by kernel --min-ranks 2 --expect-ranks 0,2 0.part 2.part >/dev/null 2>err
ok $? "enough ranks"
tr-breakdown --by kernel --min-ranks 2 r0.json r2.json >/dev/null 2>err
ok $? "ranks of traces count, too"

# ranks LACKING COMMAND...: status 5, a message that names what is missing, and an output
ranks()
{
    lacking=$1 && shift
    "$@" >out 2>err
    is "$? $(grep -c -e "$lacking" err) $([ -s out ] && echo there)" "5 1 there" "$*: missing ranks"
}
ranks '1 rank is missing: 1' tr-merge --expect-ranks 0..2 r0.json r2.json
ranks '2 ranks of at least 3' tr-merge --min-ranks 3 r0.json r2.json
ranks '2 ranks are missing: 0, 7' tr-info --expect-ranks 0,2,7 --rank 1..2 r1.json r2.json
ranks '1 rank is missing: 3' tr-align --report --expect-ranks 0,1,3 r0.json r1.json
ranks '1 rank is missing: 3' tr-align --expect-ranks 0,1,3 r0.json r1.json
ranks 'test: 1 rank is missing: 1' tr-diff --expect-ranks 0,1 --base r0.json r1.json --test r0.json r2.json
ranks 'base: 1 rank of at least 2' tr-diff --by tree --min-ranks 2 --base r0.json --test r0.json r2.json
tr-diff --save-partial d.part r0.json r1.json
ranks 'base: 1 rank is missing: 2' tr-diff --expect-ranks 0..2 --base d.part --test r0.json r1.json r2.json
ranks 'test: 2 ranks are missing: 1, 3' tr-diff --expect-ranks 0..3 --of 'tr-breakdown --by kernel' \
    --base r0.json r1.json r2.json r3.json --test 0.part 2.part
ranks 'run 2: 1 rank of at least 2' tr-diff --by trend --min-ranks 2 d.part r0.json d.part
tr-diff --fail-if 'device.diff_pct >= 0%' --min-ranks 2 r0.json r0.json >out 2>err
is "$? $(grep -c "is true" err)" "5 1" "a true condition about a run that lacks ranks"
tr-diff --min-ranks 1 r0.json r0.json >out
is $? 0 "tr-diff: enough ranks"

finish
