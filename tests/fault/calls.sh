#!/bin/sh
# SPDX-License-Identifier: MIT
# Every program while one call after another fails: it ends with status 4 and one line that says why, or does its
# work as if nothing had happened.  It never crashes or hangs, never takes half for the whole, and leaves
# no file behind; a signal while it writes leaves the target of -o as it was.
#
# From outside: TR_LONG=1, all programs, all calls up to the 400th instead of a sample, more inputs, threads and options;
# TR_FAULT_TOOLS, names of programs instead of the choice below; TR_FAULT_COUNTS, a file for the counts, a line per
# program and fault: program, fault, runs, runs that failed as they should.
. "$(dirname "$0")/lib.sh"
. "$root/tests/harness/slice.sh"
need_sweep
make_sample >s.json
gzip -c s.json >s.json.gz || skip_all "no gzip"
many_events 400 >many.json
# more than -M 16M keeps in memory, of events and of launches
many_events 30000 >big.json
awk 'BEGIN {
    printf "{\"traceEvents\": [\n"
    call = "{\"ph\": \"X\", \"cat\": \"%s\", \"name\": \"%s\", \"pid\": %d, \"tid\": 7, \"ts\": %d, \"dur\": 1, " \
           "\"args\": {\"correlation\": %d%s}},\n"
    for (i = 1; i <= 40000; i++) {
        printf call, "cuda_runtime", "cudaLaunchKernel", 1, 4 * i, i, ""
        printf call, "kernel", "k", 0, 4 * i + 2, i, ", \"device\": 0, \"stream\": 7"
    }
    printf "{}]}\n"
}' >launches.json
[ -x "$bin/tr-parse" ] && tr-parse -o s.trs s.json && tr-parse --block-events 64 -o many.trs many.json
printf 'step\tkind\tsum_us\n1\tcompute\t3\n1\tcomm\t1\n2\tcompute\t4\n' >t.tsv
: >counts

memory='alloc alloc+'
files='open open+ open=4 read read+ write write+ write=5 close close=28 rename chmod sync'
others='thread thread+ map map+ allocate'
signals='signal=15 signal=2'
unharmed='short short=700 eintr' # the run has to succeed

# faults WHAT SWEEP-OPTION... -- FAULT... -- COMMAND...
faults()
{
    what=$1
    shift
    options=
    while [ "$1" != -- ]; do
        options="$options $1"
        shift
    done
    shift
    # shellcheck disable=SC2086 # a list of options
    "$sweep" -a "$all" -g "$growth" $options "$inject" "$@" >said 2>&1 || echo "sweep: status not 0" >>said
    grep -v '^= ' said >wrong
    none wrong "$what"
    sed -n "s/^= /$tool /p" said >>counts
}

# One program of each kind: what reads, joins, selects, exports, reads twice, describes, prints a table, compares, prints
# a page, writes a script.  The others share their frame with one of these: a third of them for each commit.
kinds="tr-parse tr-merge tr-filter tr-view tr-align tr-info tr-breakdown tr-diff tr-report tr-replay"
which_slice 6
for tool in $(built_tools); do
    case " $kinds " in *" $tool "*) echo "$tool" ;; *) turns 3 "$tool" ;; esac
done >chosen
tried=${TR_FAULT_TOOLS:-$(cat chosen)}
tried=$(echo $tried) # on one line
echo "# $tried"

if [ "$long" -gt 0 ]; then
    all=400 growth=16
else
    all=10 growth=3
fi
spilled=
for tool in $tried; do
    t=$bin/$tool
    args=$(operands "$tool")
    eval "set -- $args"
    if [ "$tool" = tr-plot ]; then # which reads tables
        # shellcheck disable=SC2086 # lists of faults
        for format in svg vega html text; do
            faults "$tool: -O $format" -o out/t -- $memory $files signal=15 short eintr -- "$t" -O $format -o out/t t.tsv
        done
    fi
    # shellcheck disable=SC2086 # lists of faults
    [ "$tool" != tr-report ] || for base in "" "--base s.json.gz"; do
        faults "$tool: -O html $base" -o out/t -- $memory $files -- "$t" -q -O html $base -o out/t -- s.json
    done
    # shellcheck disable=SC2086 # lists of faults
    if [ "$tool" = tr-view ]; then # a little less than all, so that a span is left out
        budget=$(($(tr-view -q -O perfetto --gpu-stages many.json | wc -c) * 9 / 10))
        faults "$tool: --budget" -o out/t -- $memory $files -- \
            "$t" -q -j 1 -O perfetto --gpu-stages --budget $budget -o out/t many.json
    fi
    takes "$tool" input-format || continue
    [ "$tool" != tr-critpath ] || set -- -q "$@" # it warns of traces without launches, as these are
    single=
    takes "$tool" threads && single='-j 1'
    out=
    takes "$tool" output && out='-o out/t'
    # shellcheck disable=SC2086 # lists of options and of faults
    {
        faults "$tool: raw text, a file replaced" ${out:+-o out/t} -- $memory $files $others $signals $unharmed -- \
            "$t" $single $out "$@" s.json
        faults "$tool: standard input to standard output" -i s.json -- read write close -- "$t" $single "$@"
        faults "$tool: gzip" -- alloc read short eintr -- "$t" $single "$@" s.json.gz
        # partial results of tr-diff need files that know their ranks
        [ -f s.trs ] && [ "$tool" != tr-diff ] && faults "$tool: a stream" ${out:+-o out/t} -- $memory read signal=15 short eintr -- \
            "$t" $single $out "$@" s.trs
        # how calls of threads follow each other changes; what is asked for does not
        [ "$single" ] && faults "$tool: threads" -- alloc+ thread thread+ short -- "$t" -j 3 "$@" many.json
        [ "$single" ] && [ -f many.trs ] && [ "$tool" != tr-diff ] &&
            faults "$tool: threads, a stream" -- alloc thread -- "$t" -j 3 "$@" many.trs s.trs --renumber
    }
    spill=
    takes "$tool" temp-dir && spill='-M 16M'
    # the first program that spills stands for all of them, which share the code
    [ "$long" -gt 0 ] || [ ! "$spilled" ] || spill=
    # shellcheck disable=SC2086
    if [ "$spill" ]; then
        sample="$all $growth"
        all=2 growth=$((growth / 3))
        faults "$tool: temporary files" ${out:+-o out/t} -- alloc open read write signal=15 eintr -- \
            "$t" $single $spill $out "$@" big.json
        faults "$tool: a temporary file that is mapped" ${out:+-o out/t} -- allocate map eintr -- \
            "$t" $single $spill $out "$@" launches.json
        all=600
        [ ! -f many.trs ] || [ "$tool" = tr-diff ] || faults "$tool: two streams merged, every allocation" -- alloc -- \
            "$t" $single "$@" --renumber many.trs s.trs
        all=${sample% *} growth=${sample#* }
    fi
    spilled=$spilled$spill
    [ "$long" -gt 0 ] || continue
    # shellcheck disable=SC2086
    {
        faults "$tool: many events" ${out:+-o out/t} -- $memory $files $others $signals $unharmed -- \
            "$t" $single $out "$@" many.json
        faults "$tool: many events, threads" ${out:+-o out/t} -- $memory $files $others $signals $unharmed -- \
            "$t" -j 3 $out "$@" many.json
        [ -f many.trs ] && faults "$tool: a stream of many blocks, threads" ${out:+-o out/t} -- \
            $memory $files $others $signals $unharmed -- "$t" -j 3 $out "$@" many.trs
        faults "$tool: two inputs" ${out:+-o out/t} -- $memory $files $signals $unharmed -- \
            "$t" $single $out "$@" --renumber s.json s.json.gz
    }
done

# What asks for memory only with some options, and files that are looked at before all are opened.
tool=tr-breakdown
case " $tried " in *" tr-breakdown "*)
    sample=$all
    all=600
    faults "tr-breakdown: a condition, names made short, two inputs" -- alloc open read -- "$bin/tr-breakdown" -j 1 \
        --by kernel --short-names --top 1 --where 'dur > 0us' --renumber s.json s.trs
    turns 2 idle 'gap --per stream' operator,args,stack,module,thread,recompute operator,args,position >views
    while read -r view; do
        # -q: it warns of traces without Python frames, as these are
        # shellcheck disable=SC2086 # several words
        faults "tr-breakdown: the view $view" -- alloc -- "$bin/tr-breakdown" -q -j 1 --where 'dur > 0us' --by $view s.trs </dev/null
    done <views
    all=$sample
    ;;
esac

# What tr-diff does beside writing a partial result to its output.
tool=tr-diff
case " $tried " in *" tr-diff "*)
    t=$bin/tr-diff
    "$t" --save-partial b.part s.json
    # shellcheck disable=SC2086
    {
        faults "tr-diff: two runs and conditions" -o out/t -- $memory $files $others $unharmed -- \
            "$t" -j 1 -o out/t -O md --by operator --fail-if 'name =~ "." && diff_us > 1s' --min-coverage 0 s.json s.json
        faults "tr-diff: a partial result read" -o out/t -- $memory $files $unharmed -- \
            "$t" -j 1 -o out/t -O junit --base b.part --fail-if 'device.diff_us > 1s' s.json
        faults "tr-diff: a partial result written" -o out/t -- $memory $files $signals $unharmed -- \
            "$t" -j 1 --by short-name --save-partial out/t s.json
        sed 's/"gemm"/"other"/' s.json >other.json
        tr-sum --by name -O tsv -o name.tsv s.json
        faults "tr-diff: call trees and conditions" -o out/t -- $memory $files $others $unharmed -- \
            "$t" -j 1 -o out/t --by tree --fail-if 'diff_us > 1s || total.diff_us > 1s' s.json other.json
        faults "tr-diff: printed tables and conditions" -o out/t -- $memory $files $unharmed -- \
            "$t" -o out/t --by table --fail-if 'diff_count > 1000' name.tsv name.tsv
        faults "tr-diff: a view of both runs" -o out/t -- $memory $files $others $unharmed -- \
            "$t" -o out/t --of 'tr-sum --by name' --fail-if 'diff_count > 1000' s.json s.json
        call='{"ph":"X","cat":"%s","name":"%s","pid":1,"tid":7,"ts":%s,"dur":%s,"args":{%s}}'
        captured='"kernel":"gemm"' shapes='"Input Dims":[[4,8]],"Input type":["float"]'
        # shellcheck disable=SC2059 # the format is the text of an event
        {
            printf "[$call,$call,$call,$call]" cuda_runtime cudaStreamBeginCapture 1 1 '' cpu_op aten::mm 4 9 "$shapes" \
                cuda_runtime cudaLaunchKernel 6 2 "$captured" cuda_runtime cudaStreamEndCapture 20 1 '' >captures.json
            printf "[$call,$call,$call]" cuda_runtime cudaGraphLaunch 1 1 '"correlation":1' kernel gemm 4 9 \
                '"correlation":1,"device":0,"stream":7' kernel more 15 2 '"correlation":1,"device":0,"stream":7' >graph.json
        }
        faults "tr-diff: captures of graphs" -- alloc alloc+ open read -- \
            "$t" -q -j 1 --by tree,kernel --attach-capture captures.json graph.json graph.json
        sample=$all
        all=600
        for by in $(turns 2 tree,kernel tree,pair tree,node operator,args); do
            faults "tr-diff: the view $by, every allocation" -- alloc -- "$t" -j 1 --by $by s.json other.json
        done
        all=$sample
    }
    ;;
esac

# What tr-replay writes beside its table.
tool=tr-replay
case " $tried " in *" tr-replay "*)
    # shellcheck disable=SC2086
    for format in json python; do
        faults "tr-replay: $format" -o out/t -- $memory $files $signals $unharmed -- \
            "$bin/tr-replay" -q -j 1 -o out/t -O $format s.json
    done
    ;;
esac

# What tr-flame writes beside its table.
tool=tr-flame
case " $tried " in *" tr-flame "*)
    # shellcheck disable=SC2086
    for format in folded speedscope pprof svg html; do
        faults "tr-flame: $format" -o out/t -- $memory $files $signals $unharmed -- \
            "$bin/tr-flame" -q -j 1 -o out/t -O $format s.json
    done
    ;;
esac

# Outputs of several tables.  What a database had is there after a failure of each call; if all later calls fail, too, its
# journal stays, from which the next program that opens it restores it.
tool=tr-view
case " $tried " in *" tr-view "*)
    mkdir -p folder
    : >empty
    SOURCE_DATE_EPOCH=1700000000
    export SOURCE_DATE_EPOCH
    # shellcheck disable=SC2086
    {
        faults "tr-view: -O xlsx" -o out/t -- $memory $files $signals $unharmed -- "$bin/tr-view" -j 1 -O xlsx -o out/t s.json
        faults "tr-view: -O csv in a folder" -o folder/samples.csv -- $memory $files $signals $unharmed -- \
            "$bin/tr-view" -j 1 --by samples -O csv -o folder/ "$root/tests/spec/accept/tables.trs"
        tr-breakdown --by time -O sqlite -o old.db s.json 2>err && {
            faults "tr-view: -O sqlite" -o out/t -b empty -- $memory $files $signals $unharmed -- \
                "$bin/tr-view" -j 1 -O sqlite -o out/t s.json
            faults "tr-view: -O sqlite, added to a database" -o out/t -b old.db -- $memory open+ read write write=5 close $unharmed -- \
                "$bin/tr-view" -j 1 -O sqlite -o out/t s.json
        }
    }
    unset SOURCE_DATE_EPOCH
    ;;
esac

# Each kind of failure must have been seen by each program, or nothing was tested.
for kind in alloc read write open; do
    awk -v kind=$kind '$2 == kind { n[$1] += $5 } END { for (t in n) if (!n[t]) print t ": " kind " never failed" }' \
        counts >wrong
    none wrong "each program notices when $kind fails"
done
sort counts | awk '{ k = $1 " " $2; runs[k] += $4; seen[k] += $5 } END { for (k in runs) print k, runs[k], seen[k] }' |
    sort >"${TR_FAULT_COUNTS:-sums}"
awk '{ runs += $4; seen += $5 } END { print "# " runs " runs, of which " seen " failed as they should" }' counts
finish
