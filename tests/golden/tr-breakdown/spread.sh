# Truth: by hand.  Seven ranks with kernels a (10, 11, ... 15 us, and 100 on rank 6), b (5 us each, 20 on rank 3; none on
# rank 0) and c (1 us each).  Ranks 0 to 3 are of host n0, the others of n1; even ranks are 0 of the axis TP.
for r in 0 1 2 3 4 5 6; do
    awk -v r=$r 'BEGIN {
        a = r == 6 ? 100 : 10 + r
        printf "{\"hostname\": \"n%d\", \"distributedInfo\": {\"rank\": %d, \"world_size\": 7},\n", r / 4, r
        print "\"traceEvents\": ["
        kernel = "{\"ph\":\"X\",\"cat\":\"kernel\",\"pid\":0,\"tid\":7,\"args\":{\"device\":0,\"stream\":7},\"name\":"
        if (r) printf "%s\"b\",\"ts\":1000,\"dur\":%d},\n", kernel, r == 3 ? 20 : 5
        printf "%s\"a\",\"ts\":2000,\"dur\":%d},\n%s\"c\",\"ts\":3000,\"dur\":1}]}\n", kernel, a, kernel
    }' >rank${r}_tp$((r % 2)).json
done
echo == figures; tr-breakdown --per spread -O tsv rank*.json | awk -F '\t' 'NR == 1 || /^(busy|memory)_us/'
echo == keys; tr-breakdown --by kernel --per spread rank*.json
echo == rest; tr-breakdown --by kernel --per spread --top 1 -O tsv rank*.json
echo == other figure; tr-breakdown --by kernel --per spread --sort count -O tsv --columns name,metric,ranks,median rank*.json
echo == other order; tr-breakdown --by kernel --per spread --sort max_rank:asc -O tsv --columns name,max,max_rank rank*.json
echo == hosts; tr-breakdown --by kernel --per host --top 1 -O tsv rank*.json >hosts
cat hosts
echo == nodes; tr-breakdown --by kernel --per node --top 1 -O tsv rank*.json | cmp - hosts && echo the same
echo == places; tr-breakdown --per tp -O tsv rank*.json | awk -F '\t' 'NR == 1 || /busy_us/'
tr-breakdown --per pp rank*.json; echo $?
echo == others of ranks; tr-breakdown --top 2 -O tsv --columns rank,busy,span rank*.json
echo == none; tr-launch --by launch --per spread rank*.json; echo $?
tr-breakdown --per spread --top 1 --top-per name rank*.json; echo $?
