# Truth: by hand.  The first of two collectives lacks a rank, the second has sizes that differ and ends on rank 0
# before rank 1 has come; the third is sound.  What is said counts what the window holds, and nothing else.
. "$GOLDEN/jobs"
m=$(meta allreduce 5 5 3 x '[0, 1, 2]'); odd=$(meta allreduce 6 6 3 x '[0, 1, 2]')
begin 0; kernel 10 10 4 nccl "$m, \"Seq\": 1"; kernel 30 10 4 nccl "$m, \"Seq\": 2"; kernel 60 10 4 nccl "$m, \"Seq\": 3"; end
begin 1; kernel 10 10 4 nccl "$m, \"Seq\": 1"; kernel 45 10 4 nccl "$odd, \"Seq\": 2"; kernel 60 10 4 nccl "$m, \"Seq\": 3"; end
begin 2; kernel 30 10 4 nccl "$m, \"Seq\": 2"; kernel 60 10 4 nccl "$m, \"Seq\": 3"; end
for window in 10..70 10..25 25..55 58..70; do
    tr-comm --verbose --time $window -O tsv rank*.json 2>&1 >/dev/null | grep -E 'of|missing' | sed "s/^tr-comm:/$window:/"
done
begin 0; kernel 10 10 4 nccl "$m"; kernel 30 10 4 nccl "$m"; end
begin 1; kernel 10 10 4 nccl "$m"; kernel 30 10 4 nccl "$m"; end
for window in 10..70 10..25; do
    tr-comm --verbose --time $window -O tsv rank[01].json 2>&1 >/dev/null | grep 'order' | sed "s/^tr-comm:/$window:/"
done
