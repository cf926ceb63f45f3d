# Truth: by construction.  The graph of 200,000 launches and their kernels needs some 70 MiB.  With -M 16M the path is
# found part by part, and is the same as with -M 512M; also inside an operator that is always open.  All edges and --mark
# need the whole graph: it is refused with what it needs and what is allowed.  So it is if the last work was launched by
# the first call.  A window of it fits.
launches() {
    awk -v first="$1" -v last="$3" 'BEGIN {
        print "["
        print first
        for (i = 0; i < 200000; i++) {
            printf "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaLaunchKernel\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":2,\"args\":{\"correlation\":%d}},\n", i * 10, i
            printf "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\",\"pid\":0,\"tid\":7,\"ts\":%d,\"dur\":5,\"args\":{\"device\":0,\"stream\":7,\"correlation\":%d}},\n", i * 10 + 3, i
        }
        print "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"last\",\"pid\":0,\"tid\":8,\"ts\":3000000,\"dur\":1,\"args\":{\"device\":0,\"stream\":8" last "}}]" }' |
        tr-parse -q -o "$2" -
}
launches '' many.trs ''
launches '{"ph":"X","cat":"cpu_op","name":"open","pid":1,"tid":1,"ts":0,"dur":2000000},' open.trs ''
launches '' late.trs ',"correlation":1'
for options in '-M 16M --by edge many.trs' '-M 16M --mark many.trs' '-M 32M --by path open.trs' '-M 16M late.trs'; do
    # shellcheck disable=SC2086 # several words
    tr-critpath -q $options
    echo "status $?"
done
tr-critpath -q -M 16M -O tsv --time 0..20ms open.trs
for by in bound count; do
    for memory in 16M 32M; do
        for trace in many open; do
            tr-critpath -q -M $memory --by $by -O tsv $trace.trs >part.tsv
            tr-critpath -q -M 512M --by $by -O tsv $trace.trs | cmp - part.tsv && echo "the same by $by"
        done
    done
    cat part.tsv
done
