# Truth: by hand.  Cores of 1000 MHz, so a cycle is a ns.  Rank 0, job 0: mm 10 us of ideal 4000 cycles (40 %), add 5 us
# of 0, other 1 us that no table has, [N] with fn_idx 3 2 us of 1000 (50 %).  Job 1: mm 10 us, again.  In all 28 us, 9000
# cycles.  mm of rank 1 takes 2 us, which is less than its ideal 4 us: 200 %, left out of sums.  A send is no kernel.
log()
{
    printf '[DeepRT] ===== Perf BEGIN =====\nIdeal Clock Scaling: 0.5\n~~~~ Ideal/Total Cycles ~~~~\n-----\nName     Ideal Cy.\n'
    printf 'mm-opCatBmm_fp16     %s      \nadd-opCatScalar 0\nk_3-opCatBmm_fp16  1000 \n' "$1"
    printf 'mm-opCatBmm_fp16 77\nstitch-Precompute-opCatStcdpHbm 77\nx-LxPreload-opCatX 5\nnoop-NA  0\n5 x 5\nTotal\t\t%s\n' "$2"
    printf '====== Perf Summary End ======\nmm-opCatBmm_fp16 3\n'
}
log 4000 5000 >one.log
event() { # NAME PID TS DUR [ARGS]
    printf ',\n{"ph": "X", "cat": "kernel", "name": "%s", "pid": %s, "tid": 7, "ts": %s, "dur": %s, "args": {"device": 0%s}}' "$@"
}
trace() { printf '{"distributedInfo": {"rank": %s}, "traceEvents": [{"ph": "i", "name": "begin", "pid": 1, "tid": 1, "ts": 0, "s": "t"}' "$1"; }
{ trace 0; event 'mm Cmpt Exec' 0 10 10; event 'add Cmpt Exec' 0 20 5; event 'other' 0 25 1; event 'k_[N] Cmpt Exec' 0 30 2 ', "fn_idx": 3'
  event 'ncclDevKernel_SendRecv' 0 40 5; echo ']}'; } >aiu-rank_0-job-0.json
{ trace 0; event 'mm Cmpt Exec' 0 1010 10; echo ']}'; } >aiu-rank_0-job-1.json
{ trace 1; event 'mm Cmpt Exec' 0 10 2; echo ']}'; } >aiu-rank_1-job-0.json
for by in ideal utilization utilization,category utilization,rank; do
    core=--core-freq=1000
    [ $by != ideal ] || core=
    echo "== $by"
    tr-metrics -q --by $by --attach one.log $core -O tsv aiu-rank_*
done
echo "== a log for each rank"
log 8000 9000 >two.log
tr-metrics -q --by ideal --attach one.log --attach two.log -O tsv aiu-rank_* | grep mm
tr-metrics -q --by utilization,rank --attach two.log --attach one.log --core-freq 1000 -O tsv aiu-rank_*
echo "== phases: both tables name mm, which took less than 11 us"
{ echo '   DECODING   '; log 11000 11000; echo '  PREFILL  '; log 3000 3000; } >phases.log
tr-metrics -q --by utilization,category --attach phases.log --core-freq 1000 -O tsv --columns rank,phase,category,calls,ideal_cycles aiu-rank_*
echo "== kernels that cannot be told apart"
{ echo '[DeepRT] ===== DSM-AutoPilot BEGIN ====='; cat one.log; } >autopilot.log
tr-metrics -q --by utilization,category --attach autopilot.log --core-freq 1000 -O tsv aiu-rank_* | grep Total
echo "== of such sums the largest that is not above what was measured"
{ cat autopilot.log; log 3000 17999; log 3000 18001; log 3000 17998; } >sums.log
tr-metrics -q --by utilization,category --attach sums.log --core-freq 1000 -O tsv aiu-rank_0-job-0* | grep Total
echo "== a folder"
mkdir -p cache/inductor-spyre/mm/perf cache/inductor-spyre/add/perf cache/inductor-spyre/none
echo '[{"ideal_cycles": 3000, "op_category": "Bmm"}, {"ideal_cycles": 1000}]' >cache/inductor-spyre/mm/perf/ideal_cycles.json
echo '[]' >cache/inductor-spyre/add/perf/ideal_cycles.json
tr-metrics -q --by ideal --attach cache -O tsv aiu-rank_0-job-1.json
echo "== what it says"
tr-metrics --by utilization,rank --attach one.log --core-freq 1000 aiu-rank_* 2>&1 >/dev/null
tr-metrics --by utilization,rank --attach one.log --attach one.log aiu-rank_0* 2>&1 >/dev/null
tr-metrics --by utilization aiu-rank_0*; echo "status $?"
tr-metrics --by utilization --attach none.log aiu-rank_0*; echo "status $?"
echo text >text
tr-metrics --by utilization --attach text aiu-rank_0*; echo "status $?"
echo '{}' >cache/inductor-spyre/mm/perf/ideal_cycles.json
tr-metrics --by utilization --attach cache aiu-rank_0*; echo "status $?"
mkdir empty
tr-metrics --by utilization --attach empty aiu-rank_0*; echo "status $?"
tr-metrics --by utilization --attach one.log --core-freq 0 aiu-rank_0*; echo "status $?"
tr-metrics --by utilization,rank,category --attach one.log aiu-rank_0*; echo "status $?"
tr-metrics --by kernel --attach one.log aiu-rank_0*; echo "status $?"
