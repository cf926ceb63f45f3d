# Truth: by hand.  Two exchanges among all, to which each rank brings sizes of its own: rank 1 comes 20 and 5 us late.
# What takes no part: a broadcast and a send, an allreduce that rank 0 alone shows, one that lasts a negative time on a
# rank, and one that does so on both.
. "$GOLDEN/jobs"
v0=$(meta all_to_allv 6 2 2 g '[0, 1]'); v1=$(meta all_to_allv 3 7 2 g '[0, 1]')
a=$(meta allreduce 8 8 2 g '[0, 1]'); b=$(meta broadcast 8 8 2 g '[0, 1]'); s=$(meta send 8 8 2 g '[0, 1]')
begin 0
kernel 10 40 4 nccl "$v0, \"Seq\": 1"; kernel 60 20 4 nccl "$v0, \"Seq\": 2"; kernel 100 9 4 nccl "$b, \"Seq\": 3"
kernel 120 9 4 nccl "$s, \"Dst Rank\": 1"; kernel 140 9 4 nccl "$a, \"Seq\": 4"; kernel 160 9 4 nccl "$a, \"Seq\": 5"
kernel 180 -9 4 nccl "$a, \"Seq\": 6"
end
begin 1
kernel 30 20 4 nccl "$v1, \"Seq\": 1"; kernel 65 15 4 nccl "$v1, \"Seq\": 2"; kernel 108 9 4 nccl "$b, \"Seq\": 3"
kernel 161 -9 4 nccl "$a, \"Seq\": 5"; kernel 181 -9 4 nccl "$a, \"Seq\": 6"
end
tr-comm --by straggler -O tsv rank*.json | cut -f 1-6
echo "== by name"
tr-comm --by name -O tsv rank*.json | cut -f 1-3
echo "== nothing is left out"
tr-comm --by straggler --time 10..90 -O tsv rank*.json | cut -f 1-6
echo "== waits whose sum does not fit are absent, and the most"
far()
{
    begin $1
    for n in 1 2 3; do kernel $2 4 4 nccl "$a, \"Seq\": $n"; done
    end
}
far 0 -4000000000000000
far 1 4000000000000000
tr-comm -q --by straggler --suspect include -O tsv rank*.json | cut -f 1-6
far 0 -5000000000000000
far 1 5000000000000000
tr-comm -q --by straggler --suspect include -O tsv rank*.json | cut -f 1-6
tr-comm -q --suspect include -O tsv rank*.json | cut -f 1-2,5-7,18
