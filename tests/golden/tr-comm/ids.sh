# Truth: by hand.  Three collectives that look alike, without sequence numbers; rank 1 has not recorded the first.  Their
# ids, which all ranks share, tell which is which, also beyond 2^63; by order the ranks would be one apart.
. "$GOLDEN/jobs"
m=$(meta allreduce 8 8 2 g '[0, 1]')
begin 0
kernel 10 5 4 nccl "$m, \"Comms Id\": 18446744073709551615"; kernel 30 5 4 nccl "$m, \"Comms Id\": 7"
kernel 50 5 4 nccl "$m, \"Comms Id\": 9223372036854775809"
end
begin 1
kernel 32 5 4 nccl "$m, \"Comms Id\": 7"; kernel 51 5 4 nccl "$m, \"Comms Id\": 9223372036854775809"
end
tr-comm -q -O tsv rank*.json | cut -f 1-3,5,6,14
tr-comm -q --by mismatch -O tsv rank*.json | cut -f 1-6
echo "== the id of the host's record"
begin 0
record 1 2 "$m, \"Comms Id\": 5, \"External id\": 1"; kernel 10 5 4 nccl '"External id": 1'
record 21 2 "$m, \"Comms Id\": 6, \"External id\": 2"; kernel 30 5 4 nccl '"External id": 2'
end
begin 1
record 21 2 "$m, \"Comms Id\": 6, \"External id\": 2"; kernel 32 5 4 nccl '"External id": 2'
end
tr-comm -q -O tsv rank*.json | cut -f 1-3,5,6,14
echo "== two groups whose lists of ranks are cut alike"
m=$(meta allreduce 8 8 2 g '[0, 1, ...]')
for rank in 0 1 2 3; do
    begin $rank
    id=$((rank / 2))
    kernel $((10 + rank)) 9 4 nccl "$m, \"Seq\": 1, \"Comms Id\": 1$id"
    kernel $((30 + rank)) 9 4 nccl "$m, \"Seq\": 2, \"Comms Id\": 2$id"
    end
done
tr-comm -q -O tsv rank*.json | cut -f 1-3,5,6,14
echo "== one rank is of a version that writes no ids: numbers alone"
begin 3
kernel 13 9 4 nccl "$m, \"Seq\": 1"; kernel 33 9 4 nccl "$m, \"Seq\": 2"
end
tr-comm -q -O tsv rank*.json | cut -f 1-3,5,6,14
