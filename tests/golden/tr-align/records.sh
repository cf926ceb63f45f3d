# Truth: by hand.  Ends of all-reduces without numbers are 1000 us apart, and rank 1 lacks the second: between ends all
# shifts look alike.  But the host's records of both ranks are complete, and tell which was lost: rank 1 shows 300 us more.
. "$GOLDEN/../tr-comm/jobs"
m=$(meta allreduce 5 5 2 x '[0, 1]')
# host N TS: a record; device N TS: its kernel
host()
{
    record "$2" 10 "$m, \"External id\": $1"
}
device()
{
    kernel "$2" 10 4 nccl "\"External id\": $1"
}
begin 0; for n in 1 2 3 4 5 6; do host $n ${n}000; device $n ${n}100; done; end
begin 1; for n in 1 2 3 4 5 6; do host $n ${n}350; [ $n = 2 ] || device $n ${n}400; done; end
tr-align --report rank0.json rank1.json | cut -f 1-3
tr-comm -O tsv --columns seq,ranks,match,arrival_spread_us rank0.json rank1.json
# Without one of the records on rank 1 the ends decide, and those of the four that are known are not all 1000 us apart.
begin 1; for n in 1 2 3 4 5 6; do [ $n = 4 ] || host $n ${n}350; [ $n = 2 ] || device $n ${n}400; done; end
tr-align --report rank0.json rank1.json
# The profiler of rank 1 began with the second, and there are as many records: irregular ends tell that.
set -- 1000 2100 3500 4000 6200 7500 8000 9900 11700 12300 13000
begin 0; n=0; for t; do n=$((n + 1)); [ $n = 11 ] || { host $n $t; device $n $((t + 100)); }; done; end
begin 1; n=0; for t; do n=$((n + 1)); [ $n = 1 ] || { host $n $((t + 50)); device $n $((t + 400)); }; done; end
tr-align --report rank0.json rank1.json | cut -f 1-3
