#!/bin/sh
# SPDX-License-Identifier: MIT
# tr-align finds the clocks that the generator gave the ranks, and --undo gives its input back.
. "$(dirname "$0")/lib.sh"
need tr-align tr-parse tr-view tr-filter

# What a trace is small with.
small="--layers 0 --python 0 --memory 0 --sync 0 --shapes 0 --metadata 0 --data-ns 20000000"

# parse FOLDER OUT: all ranks of a folder, without the answers beside them.
parse()
{
    rm -f "$1"/*.links.tsv "$1"/*.breakdown.tsv
    ranks=
    for file in "$1"/rank*.json; do
        case $file in *.truth.json) ;; *) ranks="$ranks $file" ;; esac
    done
    # shellcheck disable=SC2086 # several files
    tr-parse -q --no-provenance -o "$2" $ranks
}

# ---- the clocks of the generator ----

# judge WHAT RANKS SEEDS OPTION...: errors within 4 standard errors, their root mean square within 1.3.
judge()
{
    what=$1
    n=$2
    seeds=$3
    shift 3
    : >found
    for seed in $seeds; do
        awk -v n="$n" -v seed="$seed" 'BEGIN {
            srand(seed)
            for (r = 0; r < n; r++) {
                offset = offset (r ? "," : "") int(r ? (rand() - 0.5) * 2e9 : 0)
                drift = drift (r ? "," : "") int(r ? (rand() - 0.5) * 1e5 : 0)
            }
            print offset, drift
        }' >clocks
        read -r offsets drifts <clocks
        # shellcheck disable=SC2086 # several options
        make_traces job --ranks "$n" --seed "$seed" $small --steps 40 --collectives 5 \
            --end-jitter-ns 2000 --missing 0.05 --offset-ns "$offsets" --drift-ppb "$drifts" "$@"
        parse job job.trs && tr-align --drift --report -O tsv --unit ns job.trs >report || return 1
        "$python" "$here/align.py" report job 2000 >>found || return 1
        rm -rf job job.trs
    done
    # shellcheck disable=SC2086 # a word or none
    run "$what" "$python" "$here/align.py" --judge found $sharp
}
sharp=

judge "2 ranks" 2 "1 2 3 4 5 6 7 8"
judge "8 ranks, one of which joins late" 8 "1 2 3 4" --join-step 0,0,20,0
judge "64 ranks" 64 "1"
judge "8 ranks with a straggler" 8 "1 2 3" --straggler 3
sharp=ppm
judge "2 ranks, so long that drift is within 1 ppm" 2 "1 2 3 4" --steps 160
judge "8 ranks, likewise" 8 "1" --steps 160

# ---- pipelines ----

# stages WHAT OPTION...: stages share no collective, only sends and receives.
stages()
{
    what=$1
    shift
    rm -rf mesh
    "$python" "$here/../gen/mesh.py" --output mesh "$@" || return 1
    tr-align -q --drift --report -O tsv --unit ns mesh/rank*.json >report
    ok $? "$what: the clocks are found"
    run "$what: they are those of the generator" "$python" "$here/align.py" --mesh report mesh/job.truth.json
}
stages "a pipeline of four stages" --tp 1 --pp 4 --dp 1 --steps 6 --drift
stages "a pipeline of four stages of four ranks" --tp 2 --pp 4 --dp 2 --steps 3 --drift
stages "a pipeline that lost some collectives" --tp 2 --pp 4 --dp 2 --ep 2 --steps 3 --drift --missing 0.01

# ---- what comes out ----

# shellcheck disable=SC2086 # several options
make_traces four --ranks 4 --seed 3 --steps 12 --collectives 4 --layers 1 --end-jitter-ns 1000 \
    --offset-ns 0,1000000000,-700000000,12345 --drift-ppb 0,50000,-50000,3000 --device-skew-ns 0,-30000,0,0 \
    --plant dur-negative=3 --plant dur-centuries=2 --plant ts-missing=3 --plant dur-missing=3 --plant begin-end=4
parse four in.trs
view="tr-view -q -O jsonl --unit ns --columns ts,dur,rank,host,source,record,suspect"
for options in '' --drift '--drift --reference 2' '--drift --device' '--anchor name=~"ProfilerStep"'; do
    # shellcheck disable=SC2086 # several options
    tr-align -q $options --no-provenance -o out.trs in.trs
    ok $? "tr-align $options"
    $view out.trs >view
    run "tr-align $options: in order" "$python" "$here/check_order.py" <view
    tr-align -q --undo --no-provenance -o back.trs out.trs
    same back.trs in.trs "tr-align $options: --undo gives the input back"
    # shellcheck disable=SC2086
    tr-align -q $options --no-provenance -z lz4 four/rank[0-3].json | cmp - out.trs >said
    ok $? "tr-align $options: of the traces themselves, the same"
    # shellcheck disable=SC2086
    tr-align -q $options --no-provenance -z lz4 -j 4 -M 32M - <in.trs | cmp - out.trs >said
    ok $? "tr-align $options: of a pipe, with threads and little memory, the same"
done

# Without writing the stream, and of what each rank alone has saved.
tr-align -q --no-provenance -o aligned.trs in.trs
for rank in 0 1 2 3; do
    tr-comm -q --by straggler --save-partial $rank.part four/rank$rank.json
done
for view in straggler collective member mismatch exchange name group; do
    tr-comm -q --by $view -O tsv aligned.trs >want
    tr-comm -q --align --by $view -O tsv in.trs >have
    same have want "tr-comm --align --by $view: the rows of the aligned stream"
done
tr-comm -q --by straggler -O tsv aligned.trs >want
tr-comm -q --align --by straggler -O tsv ./*.part >have
same have want "tr-comm --align of partial results: so, too"

tr-align -q --drift --report in.trs >report.tsv
tr-align -q --drift --no-provenance -o one.trs in.trs
tr-align -q --offsets report.tsv --no-provenance -o two.trs in.trs
same one.trs two.trs "--offsets of the report does what the report says"
tr-align -q --drift --report --unit ns in.trs >report.ns
tr-align -q --offsets report.ns --no-provenance -o two.trs in.trs
same one.trs two.trs "in any unit"
tr-align -q --reference 1 --no-provenance one.trs | tr-align -q --undo --no-provenance -z lz4 - >back.trs
same back.trs one.trs "an alignment of what is aligned is taken out alone"
tr-filter -q --no-provenance 'activity == "kernel"' one.trs | tr-align -q --undo --no-provenance -o half.trs -
tr-filter -q --no-provenance 'activity == "kernel"' in.trs | tr-view -q -O jsonl --unit ns >want
tr-view -q -O jsonl --unit ns half.trs >have
same have want "--undo after a filter: the filter alone"

tr-filter -q --redact 'dur >= 0' one.trs | tr-align -q --undo - | tr-view -q -O tsv --columns rank,record,ts,dur,launch_ts >have
tr-filter -q 'dur >= 0' in.trs | tr-view -q -O tsv --columns rank,record,ts,dur,launch_ts >want
same have want "so after --redact"

# A rank aligned by itself, merged with one of another time base: the clock moves along.
make_traces bases --ranks 2 --seed 8 --steps 3 --collectives 4 --layers 1 \
    --base-ns 1711964646000000000,1711964644000000000
for rank in 0 1; do
    tr-parse --no-provenance -o b$rank.trs bases/rank$rank.json
done
tr-parse --no-provenance -o both.trs b0.trs b1.trs
printf 'rank\toffset_ms\tdrift_ppm\n1\t77.5\t44\n' >given.tsv
tr-align --offsets given.tsv --reference 1 --no-provenance -o moved.trs b1.trs
tr-parse --no-provenance b0.trs moved.trs | tr-align --undo --no-provenance -z lz4 - >back.trs
same back.trs both.trs "--undo after a merge that moved the time base: the merge alone"
tr-align --undo --no-provenance -z lz4 moved.trs | cmp - b1.trs >said
ok $? "--undo of a stream of one trace"

# A shift only: what lies apart by an offset comes together, and every duration stays.
make_traces shift --ranks 2 --seed 4 --steps 6 --collectives 4 --layers 1 --offset-ns 0,333333333
parse shift shift.trs
make_traces none --ranks 2 --seed 4 --steps 6 --collectives 4 --layers 1
parse none none.trs
tr-align -q shift.trs | tr-view -q -O jsonl --unit ns --columns rank,record,ts,dur,launch_ts,launch_dur >have
tr-view -q -O jsonl --unit ns --columns rank,record,ts,dur,launch_ts,launch_dur none.trs >want
same have want "an offset without jitter is found to the nanosecond, and everything is as without it"

# A clock that the input has beside that of its source moves with it, and is there afterwards.
domain=$here/../spec/accept/domain.trs
printf 'rank\toffset_us\n3\t5\n' >given.tsv
# describe FILE: its events, and all that tr-info says.
describe()
{
    tr-view -q -O jsonl --unit ns "$1"
    tr-info -q -O json "$1" | grep -v '^  "input"'
}
tr-merge -q --no-provenance -o plain.trs "$domain"
tr-merge -q --no-provenance -o both.trs b0.trs plain.trs
tr-align -q --offsets given.tsv --no-provenance -o moved.trs plain.trs
tr-align -q --undo --no-provenance -o back.trs moved.trs
describe plain.trs >want
describe back.trs >have
same have want "--undo leaves a clock of the input"
tr-merge -q --no-provenance b0.trs moved.trs | tr-align -q --undo --no-provenance -o back.trs -
describe both.trs >want
describe back.trs >have
same have want "so after a merge"
is "$(tr-info -O json moved.trs | grep -c '"offset_ns": 5000')" 2 "each of the source's clocks is moved"
is "$(tr-info -O json moved.trs | grep -c '"offset_ns": null')" 1 "the clock of the input is none that moves"

# ---- devices ----

# early STREAM: how many device events start before their launch.
early()
{
    tr-view -q -O tsv --unit ns --columns activity,ts,launch_ts "$1" |
        awk -F '\t' '$1 ~ /^(kernel|memcpy|memset)$/ && $3 != "" && $2 - $3 < 0' | wc -l | tr -d ' '
}

is "$(early one.trs)" "$(early in.trs)" "one clock per rank: no more device work before its launch than there was"

make_traces skew --ranks 1 --steps 4 --layers 2 --device-skew-ns -40000 --plant early-kernel=2 --seed 6
parse skew skew.trs
early=$(early skew.trs)
[ "$early" -gt 10 ]
ok $? "kernels are before their launch ($early)"
tr-align -q --device -o shifted.trs skew.trs
ok $? "tr-align --device of one rank"
early=$(early shifted.trs)
[ "$early" -le 2 ]
ok $? "--device: but for the planted ones, none is afterwards ($early)"

# ---- who cannot be aligned ----

# refused STATUS TEXT WHAT COMMAND...: that status, one line, and nothing written.
refused()
{
    status=$1 text=$2 what=$3
    shift 3
    rm -f written
    "$@" -q -o written >said 2>err
    is "$?" "$status" "$what: status $status"
    like "$(cat err)" "$text" "$what: says so"
    is "$(grep -c '^tr-align: ' err)" 1 "$what: in one line"
    [ ! -e written ] && [ ! -s said ]
    ok $? "$what: nothing is written"
}

make_traces alone --ranks 2 --steps 2 --collectives 0 --layers 1
parse alone alone.trs
refused 1 '*rank 0 shares 0 collectives*at least 3*' "no collectives" tr-align alone.trs
refused 1 '*rank 0 shares 24 collectives*at least 1000*' "too few" tr-align --min-anchors 1000 shift.trs
refused 1 '*has not been aligned*' "--undo of what was not aligned" tr-align --undo in.trs
refused 1 '*has not been aligned*' "--undo of what only has clocks of its own" tr-align --undo "$domain"
# shellcheck disable=SC2086
make_traces groups --ranks 4 --group-size 2 --steps 4 --collectives 4 --layers 0
parse groups groups.trs
refused 1 '*no collectives lead from rank 2 to rank 0*' "groups apart" tr-align groups.trs
refused 3 '*no rank 7*' "a reference that is not there" tr-align --reference 7 in.trs
printf '0\t0\n1\t5\n' >few.tsv
refused 3 '*few.tsv: no offset for rank 2*' "offsets that lack a rank" tr-align --offsets few.tsv in.trs
printf '0\t0\n1\tx\n' >bad.tsv
refused 3 '*bad.tsv: line 2:*' "offsets that are none" tr-align --offsets bad.tsv shift.trs
refused 2 '*--undo*' "--undo with another option" tr-align --undo --drift in.trs
refused 2 '*expression of --anchor*' "an anchor that is no expression" tr-align --anchor 'name ==' in.trs
finish
