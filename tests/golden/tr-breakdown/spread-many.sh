# Text shows the spread of more than 32 ranks, unless --per, --sort or --columns say otherwise.  Rank r has one kernel of
# 100 + r us, so the median of 33 is 116 us.
for r in $(seq 0 32); do
    printf '{"distributedInfo": {"rank": %d, "world_size": 33}, "traceEvents": [
{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":0,"dur":%d,"args":{"device":0,"stream":7}}]}' $r $((100 + r)) \
        >rank$r.json
    tr-breakdown -q --by time --save-partial $r.part rank$r.json
done
echo == 33; tr-breakdown -O text --by time rank*.json | awk 'NR == 1 || /busy_us/'
echo == 33, from partial results; tr-breakdown -O text --by time *.part | awk 'NR == 1 || /busy_us/'
echo == 32; tr-breakdown -O text --by time --rank 0..31 rank*.json | wc -l
echo == asked; tr-breakdown -O text --per rank rank*.json | wc -l; tr-breakdown -O text --columns rank,busy rank*.json | wc -l
echo == TSV; tr-breakdown -O tsv rank*.json | wc -l
