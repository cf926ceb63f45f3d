# Truth: by hand.  Tasks of oneCCL and calls of MPI, as unitrace records them, are collectives of the host.  The call of
# MPI inside the first task is part of it.  A send belongs to the receive that names its rank; what only manages MPI is
# no collective, and neither is a wait.
trace() # RANK OFFSET SEND
{
    peer=$((1 - $1))
    cat <<EOF
{ "traceEvents":[
{"ph": "X", "tid": 7$1, "pid": 7$1, "name": "oneCCL::allreduce", "cat": "cpu_op", "ts": 1$2.000000, "dur": $3.000000, "args": {"count":[1024],"dtype":["float32"]}},
{"ph": "X", "tid": 7$1, "pid": 7$1, "name": "MPI::MPI_Allreduce", "cat": "cpu_op", "ts": 1$2.500000, "dur": 1.000000, "args": {"ssize": 4096, "src": -1, "stag": -1}},
{"ph": "X", "tid": 7$1, "pid": 7$1, "name": "MPI::MPI_Comm_size", "cat": "cpu_op", "ts": 300.000000, "dur": 1.000000, "id": 0},
{"ph": "X", "tid": 7$1, "pid": 7$1, "name": "MPI::MPI_Barrier", "cat": "cpu_op", "ts": 4$2.000000, "dur": $3.000000, "id": 0},
EOF
    if [ "$1" = 0 ]; then
        echo '{"ph": "X", "tid": 70, "pid": 70, "name": "MPI::MPI_Isend", "cat": "cpu_op", "ts": 500.000000, "dur": 2.000000, "args": {"dsize": 64, "dst": 1, "dtag": 7}},'
        echo '{"ph": "X", "tid": 70, "pid": 70, "name": "MPI::MPI_Wait", "cat": "cpu_op", "ts": 503.000000, "dur": 2.000000, "id": 0},'
    else
        echo '{"ph": "X", "tid": 71, "pid": 71, "name": "MPI::MPI_Recv", "cat": "cpu_op", "ts": 501.000000, "dur": 5.000000, "args": {"ssize": 64, "src": 0, "stag": 7}},'
    fi
    cat <<EOF
{"ph": "M", "name": "process_name", "pid": 7$1, "ts": 90.000000, "args": {"name": "RANK $1 HOST<node$1>"}}
]
}
EOF
}
trace 0 00 10 >app.70.0.json
trace 1 06 4 >app.71.1.json
tr-comm -q --columns name,bytes,ranks,arrival_spread,transfer,dur_min,dur_max,busbw_GBps,last_rank,match app.7*.json
tr-comm -q --by straggler --columns rank,last_arrivals,wait_caused app.7*.json
# One rank alone has nobody to wait for.
tr-comm -q --columns name,ranks,dur_max app.71.1.json
