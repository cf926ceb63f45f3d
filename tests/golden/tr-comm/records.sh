# Truth: by hand.  What a kernel lacks, the record with its External id has; two kernels of one record are one
# member, from the start of the first to the end of the second.  Without kernels, records stand for themselves,
# but not those of waiting.
. "$GOLDEN/jobs"
for r in 0 1; do
    begin $r
    record 1 3 "$(meta allreduce 50 50 2 dp '[0, 1]'), \"Seq\": 9, \"External id\": 77"
    kernel 1$r 5 4 nccl '"External id": 77'
    kernel 20 8 4 nccl '"External id": 77'
    end
done
tr-comm -O tsv rank0.json rank1.json | cut -f 1-9,14
for r in 0 1; do
    begin $r
    record 1$r 3 "$(meta allreduce 50 50 2 dp '[0, 1]'), \"Seq\": 9"
    record 15 2 "$(meta wait 50 50 2 dp '[0, 1]'), \"Seq\": 9"
    end
done
tr-comm -O tsv rank0.json rank1.json | cut -f 1-9,14
