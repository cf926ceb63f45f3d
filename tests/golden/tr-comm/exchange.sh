# Truth: by hand.  Two groups called ep, of ranks 0, 1 and of ranks 2, 3: place 0 of the second is rank 2.  Floats have 4
# bytes, halves 2.
#   ranks 0 and 1 at 10 and 12 us for 8 and 4 us: they send 100 + 300 and 500 + 100 elements: 4000 bytes; wall 10 to 18: 0.5
#   GB/s; 1600 bytes in 8 us: 0.2, 2400 bytes in 4 us: 0.6; imbalance 2400 / 2000 = 1.2
#   again at 30 us for 5 us each: 0 + 0 and 1000 + 0 elements: 4000 bytes in 5 us: 0.8; 0 and 0.8; imbalance 2
#   ranks 2 and 3 at 10 us for 2 us: 7 + 1 and 2 + 6 halves: 16 bytes each; 32 bytes in 2 us: 0.016, 0.008 each
#   ranks 0 and 1 at 50 us: rank 1 does not say its parts, rank 0 not those of all ranks: no pairs
#   an all-reduce is no exchange.  With 2 GPUs for each node, group ep is on one node, the world is not; with 1 no group is.
cat >make.py <<'END_OF_PYTHON'
import json
events = [[] for _ in range(4)]
def call(rank, at, dur, name, dtype, parts, ranks, group="ep", n=None):
    args = {"Collective name": name, "dtype": dtype, "In msg nelems": sum(parts) if n is None else n, "Out msg nelems": 5,
            "Group size": len(ranks), "Process Group Name": group, "Process Group Ranks": str(ranks), "device": rank, "stream": 7}
    if parts:
        args["In split size"] = str(parts)
    events[rank].append({"ph": "X", "cat": "kernel", "name": "nccl", "pid": 0, "tid": 7, "ts": at, "dur": dur, "args": args})
for rank, at, dur, parts in ((0, 10, 8, [100, 300]), (1, 12, 4, [500, 100]), (0, 30, 5, [0, 0]), (1, 30, 5, [1000, 0])):
    call(rank, at, dur, "all_to_allv", "Float", parts, [0, 1])
for rank, parts in ((2, [7, 1]), (3, [2, 6])):
    call(rank, 10, 2, "all_to_allv", "Half", parts, [2, 3])
call(0, 50, 2, "all_to_allv", "Float", [8], [0, 1])
call(1, 50, 2, "all_to_allv", "Float", [], [0, 1], n=12)
for rank in range(4):
    call(rank, 70, 2, "allreduce", "Float", [], [0, 1, 2, 3], "world", 10)
for rank in range(4):
    with open("rank%d.json" % rank, "w") as f:
        json.dump({"distributedInfo": {"rank": rank}, "traceEvents": events[rank]}, f)
END_OF_PYTHON
${PYTHON:-python3} make.py
tr-comm --by exchange -O tsv rank?.json
echo "== pairs"
tr-comm --by pair -O tsv rank?.json
echo "== nodes of two"
tr-comm -q --by exchange --gpus-per-node 2 -O tsv --columns seq,bytes,group_ranks,span rank?.json
tr-comm -q --by pair --gpus-per-node 1 -O tsv --columns src,dst,span rank?.json
tr-comm -q --gpus-per-node 2 -O tsv --columns name,group_ranks,span rank?.json
tr-comm -q --by group --gpus-per-node 3 -O tsv --columns group,group_ranks,span rank?.json
tr-comm -q --by member --gpus-per-node 2 -O tsv --columns rank,start,node --rank 1,2 rank?.json
echo "== no exchange"
tr-filter 'args."Collective name" == "allreduce"' rank?.json >none.trs
tr-comm --by pair -O tsv none.trs
tr-comm --by straggler --gpus-per-node 2 rank0.json
echo "status $?"
tr-comm --gpus-per-node 0 rank0.json
echo "status $?"
