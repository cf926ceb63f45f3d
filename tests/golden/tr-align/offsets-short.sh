# Truth: by the page.  A line without a rank is refused, wherever the columns stand; so is a file without offsets.
for rank in 0 1; do
    printf '{"distributedInfo": {"rank": %s}, "traceEvents": [{"ph": "X", "name": "k", "pid": 1, "ts": 10, "dur": 2}]}' $rank >rank$rank.json
done
refused()
{
    tr-align --offsets offsets rank0.json rank1.json -o out.trs
    echo "$? $(ls out.trs 2>/dev/null)"
}
printf 'offset_us\trank\n5\t0\n7\n' >offsets; refused
printf 'drift_ppm\toffset_us\trank\n0\t5\t0\n0\t5\n' >offsets; refused
printf 'rank\n0\n1\n' >offsets; refused
printf 'offset_us\trank\n5\t0\n7\t1\n' >offsets
tr-align --offsets offsets rank0.json rank1.json | tr-view --columns rank,ts
# Drifts count from the first event of the reference: they are refused if it is most likely another rank.
printf 'rank\toffset_us\tdrift_ppm\n0\t0\t0\n1\t5\t8\n' >offsets
tr-align --offsets offsets rank1.json | tr-view --columns rank,ts
tr-align --offsets offsets --reference 1 rank1.json | tr-view --columns rank,ts
