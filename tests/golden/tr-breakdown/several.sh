# Several views in one pass, in the order of --by: below each other in text and Markdown, members of an object in JSON,
# tables of a database.  Truth: tr-breakdown/views.sh and the like have each view alone; what is refused is said once.
echo '{"distributedInfo": {"rank": 0}, "traceEvents": [
    {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 0, "dur": 9},
    {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 2, "dur": 3, "args": {"correlation": 1}},
    {"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 10, "dur": 20, "args": {"correlation": 1, "device": 0, "stream": 7}}
]}' >a.json
for format in text md json; do
    tr-breakdown --by kernel --by time --columns kind,name,sum -O $format a.json
done
tr-breakdown --by operator,category --by kernel --op '^aten' --columns name,count -O json a.json 2>&1
for options in '--by time --by kernel' '--by time --by kernel -O csv' '--by time --by kernel -O svg' '--by time --by kernel --bars -O text' \
    '--by time --by time -O text' '--by time --by timeline -O text --op x' '--by time --by timeline -O text --sort kind' \
    '--by time --by kernel --save-partial a.trs' '--by operator --by operator,shape --save-partial b.trs' '--by time --by kernel -O text --short-names --human'; do
    tr-breakdown $options a.json
    echo "status $?"
done 2>&1
# what was saved in one pass is read in one, and one by one
tr-breakdown --by time --by kernel -O json a.trs
tr-breakdown --by kernel --columns name,sum -O tsv a.trs
