# Truth: by hand.  Barriers and all-reduces of MPI end on all ranks at one time.  The clock of rank 1 is 1000 us ahead.
# A barrier that only begins, and a task of oneCCL, end when they like, so they are no anchors.
exec 2>&1
trace() # RANK AHEAD
{
    echo '{ "traceEvents":['
    for k in 1 2 3 4; do
        at=$((k * 300 + $2))
        echo '{"ph": "X", "tid": 7, "pid": 7'"$1"', "name": "MPI::MPI_Barrier", "cat": "cpu_op", "ts": '$((at - k * 3 - $1))'.000000, "dur": '$((k * 3 + $1))'.000000, "id": 0},'
        echo '{"ph": "X", "tid": 7, "pid": 7'"$1"', "name": "MPI::MPI_Ibarrier", "cat": "cpu_op", "ts": '$((at + 10 + 20 * $1))'.000000, "dur": 1.000000, "id": 0},'
        echo '{"ph": "X", "tid": 7, "pid": 7'"$1"', "name": "oneCCL::allreduce", "cat": "cpu_op", "ts": '$((at + 50 + 9 * k * $1))'.000000, "dur": 2.000000, "id": 0},'
        echo '{"ph": "X", "tid": 7, "pid": 7'"$1"', "name": "MPI::MPI_Allreduce", "cat": "cpu_op", "ts": '$((at + 100 + $1))'.000000, "dur": '$((5 - $1))'.000000, "args": {"ssize": 64, "src": -1, "stag": -1}},'
    done
    echo '{"ph": "M", "name": "process_name", "pid": 7'"$1"', "ts": 90.000000, "args": {"name": "RANK '"$1"' HOST<node'"$1"'>"}}'
    echo ']}'
}
trace 0 0 >app.70.0.json
trace 1 1000 >app.71.1.json
tr-align -q --report --columns rank,anchors,offset app.7*.json
